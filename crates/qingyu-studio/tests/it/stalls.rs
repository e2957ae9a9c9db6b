//! A run that kills each server that works on it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use qingyu_studio::{CreateRequest, RunAnswer, RunRow, RunStatus, Studio};
use tokio_util::sync::CancellationToken;

use crate::script::{self, REQUIREMENT, Stuck};
use crate::{finish, offline};

/// How often a run is taken over before it is given up.
const TAKE_OVERS: usize = 5;
/// Names the data folder in the child.
const HOME: &str = "QINGYU_TEST_STALLED_HOME";

/// The child: a server that begins the run if there is none, says when the call comes that it never gets over, and waits to be killed.
#[tokio::test]
#[ignore = "it is the child of another test"]
async fn child_serves() {
    let Some(home) = std::env::var_os(HOME) else { return };
    let stuck = Stuck::at("outline.generate");
    let studio = Studio::open_with_models(offline(Path::new(&home)), stuck.models()).await.unwrap();
    serve(&studio).await;
    if studio.runs().await.unwrap().is_empty() {
        studio.create(CreateRequest::new(REQUIREMENT)).await.unwrap();
    }
    stuck.is_reached().await;
    println!("@stuck");
    std::future::pending::<()>().await;
}

async fn serve(studio: &Studio) {
    let serving = studio.begin_serving("a server").await.unwrap();
    tokio::spawn(serving.run(CancellationToken::new()));
}

/// Lets a server work until it is stuck, and kills it.
fn work_and_die(home: &Path) -> rusqlite::Connection {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["stalls::child_serves", "--exact", "--ignored", "--nocapture", "--test-threads=1"]);
    let mut child = command.env(HOME, home).stdout(Stdio::piped()).spawn().unwrap();
    let mut told = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("@stuck") {
        line.clear();
        assert!(told.read_line(&mut line).unwrap() > 0, "it works on the run");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    rusqlite::Connection::open(home.join("qingyu.db")).unwrap()
}

/// Waits until every run has come to its end; gives the newest.
async fn ended(studio: &Studio) -> RunRow {
    let ended = async {
        loop {
            let mut rows = studio.runs().await.unwrap();
            if rows.iter().all(|row| row.status != RunStatus::Running) {
                return rows.remove(0);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), ended).await.expect("it ends")
}

#[tokio::test]
async fn what_a_process_has_left_that_is_known_to_be_dead_does_not_wait_for_its_lease() {
    let home = tempfile::tempdir().unwrap();
    let file = work_and_die(home.path());
    // Only whoever sees that the process has ended takes the run over within this hour.
    file.execute("UPDATE server SET expires = expires + 3600", []).unwrap();
    let studio = Studio::open_with_models(offline(home.path()), script::models(&script::model())).await.unwrap();
    serve(&studio).await;
    assert_eq!(ended(&studio).await.status, RunStatus::Done);
}

#[tokio::test]
async fn a_run_that_kills_its_servers_is_given_up_until_a_person_goes_on_with_it() {
    let home = tempfile::tempdir().unwrap();
    for _beginning_and_take_over in 0..=TAKE_OVERS {
        let file = work_and_die(home.path());
        // As if that were so long ago that its leases have run out.
        file.execute("UPDATE server SET expires = 0", []).unwrap();
        file.execute("UPDATE graph_thread SET expires_ms = 0", []).unwrap();
        file.execute("UPDATE run SET stall_counted = 0", []).unwrap();
    }

    let model = script::model();
    let studio = Studio::open_with_models(offline(home.path()), script::models(&model)).await.unwrap();
    serve(&studio).await;
    let RunRow { run, status, .. } = ended(&studio).await;
    assert_eq!(status, RunStatus::Failed);
    let outcome = studio.outcome(&run).await.unwrap();
    assert_eq!(
        (outcome.errors[0].code.as_str(), &outcome.errors[0].data["times"]),
        ("run_stalled", &TAKE_OVERS.into())
    );
    let told = studio.events(&run, 0).await.unwrap();
    assert_eq!(serde_json::to_value(told.last().unwrap()).unwrap()["kind"], "failed");
    assert_eq!((studio.runs_at_work(), model.requests().len()), (0, 0));

    let (_, outcome) = finish(studio.resume(&run, None).await.unwrap()).await;
    assert_eq!((outcome.status, outcome.usage.calls), (RunStatus::Done, 5));
    assert!(model.requests().iter().all(|request| request.purpose != "plan.create"), "what was paid is not paid again");
}

/// An answer that fails at one of its two writes, as if the process had died there, is not half given: it can be given again.
#[tokio::test]
async fn an_answer_is_given_whole_or_not_at_all() {
    let home = tempfile::tempdir().unwrap();
    let model = script::model();
    model.push("review.judge", script::reply(&script::judgement(40)));
    let studio = Studio::open_with_models(offline(home.path()), script::models(&model)).await.unwrap();
    let (_, asked) = finish(studio.create(CreateRequest::new(REQUIREMENT)).await.unwrap()).await;
    assert_eq!(asked.status, RunStatus::Waiting);
    let file = rusqlite::Connection::open(home.path().join("qingyu.db")).unwrap();
    for write in ["UPDATE ON run WHEN NEW.status = 'running'", "INSERT ON graph_record"] {
        let failing = format!("CREATE TRIGGER failing BEFORE {write} BEGIN SELECT RAISE(ABORT, 'here it dies'); END");
        file.execute(&failing, []).unwrap();
        studio.resume(&asked.run, Some(RunAnswer::Approve)).await.map(drop).unwrap_err();
        file.execute("DROP TRIGGER failing", []).unwrap();
        assert_eq!(studio.outcome(&asked.run).await.unwrap().status, RunStatus::Waiting, "{write}");
    }
    let (_, outcome) = finish(studio.resume(&asked.run, Some(RunAnswer::Approve)).await.unwrap()).await;
    assert_eq!(outcome.status, RunStatus::Done);
}

/// Makes a run like the one that there is, which its server does not know of.
fn begin_unheard(file: &rusqlite::Connection, id: &str) {
    let columns = "requirement, config, model, started, server, user_id, project_id";
    let begin =
        format!("INSERT INTO run(id, thread_id, status, {columns}) SELECT ?1, ?1, 'running', {columns} FROM run");
    file.execute(&begin, [id]).unwrap();
}

/// Whoever begins a run and loses the database after COMMIT was sent does not know that there is one; whoever asks again is told of it.
#[tokio::test]
async fn a_run_that_its_server_does_not_know_of_is_worked_on_all_the_same() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open_with_models(offline(home.path()), script::models(&script::model())).await.unwrap();
    serve(&studio).await;
    finish(studio.create(CreateRequest::new(REQUIREMENT)).await.unwrap()).await;
    let file = rusqlite::Connection::open(home.path().join("qingyu.db")).unwrap();
    begin_unheard(&file, "r-unknown");
    ended(&studio).await;
    let outcome = studio.outcome("r-unknown").await.unwrap();
    // It asks for what is there already, so a person is asked in the end.
    assert_eq!(outcome.status, RunStatus::Waiting);
    let stalls = file.query_row("SELECT stalls FROM run WHERE id = 'r-unknown'", [], |row| row.get::<_, i64>(0));
    assert_eq!(stalls.unwrap(), 1, "it is counted, so that it does not go on like that for ever");
}

/// A server that was frozen when it was about to begin a run, and wakes when another one has come to its end.
#[tokio::test]
async fn a_run_that_somebody_else_has_done_meanwhile_is_not_begun_again() {
    let home = tempfile::tempdir().unwrap();
    let model = script::model();
    let studio = Studio::open_with_models(offline(home.path()), script::models(&model)).await.unwrap();
    serve(&studio).await;
    let (_, first) = finish(studio.create(CreateRequest::new(REQUIREMENT)).await.unwrap()).await;
    let file = rusqlite::Connection::open(home.path().join("qingyu.db")).unwrap();
    // The last that is written before a run's thread is begun is that its row works; at that moment the thread is done.
    let record = "position, epoch, branch, parent, kind, task, key, body, scope, packed";
    let done = format!(
        "CREATE TRIGGER done AFTER UPDATE OF ended ON run WHEN NEW.id = 'r-late' AND NEW.status = 'running' BEGIN
             INSERT INTO graph_thread(id, epoch, owner, expires_ms, last, head, snapshot)
             SELECT 'r-late', epoch, owner, 0, last, head, snapshot FROM graph_thread WHERE id = '{0}'
             ON CONFLICT DO NOTHING;
             INSERT INTO graph_record(thread, {record})
             SELECT (SELECT number FROM graph_thread WHERE id = 'r-late'), {record} FROM graph_record
             WHERE thread = (SELECT number FROM graph_thread WHERE id = '{0}')
             ON CONFLICT DO NOTHING;
         END",
        first.run
    );
    file.execute(&done, []).unwrap();
    begin_unheard(&file, "r-late");
    ended(&studio).await;
    let outcome = studio.outcome("r-late").await.unwrap();
    assert_eq!((outcome.status, outcome.usage.calls), (RunStatus::Done, 5));
    assert_eq!(model.requests().len(), 5, "nothing is asked a second time");
}

//! A run that kills each server that works on it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use qingyu_studio::{CreateRequest, RunStatus, Studio};
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

/// Lets a server work until it is stuck, and kills it; as if that were so long ago that its leases have run out.
fn work_and_die(home: &Path) {
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
    let file = rusqlite::Connection::open(home.join("qingyu.db")).unwrap();
    file.execute("UPDATE server SET expires = 0", []).unwrap();
    file.execute("UPDATE graph_thread SET expires_ms = 0", []).unwrap();
}

#[tokio::test]
async fn a_run_that_kills_its_servers_is_given_up_until_a_person_goes_on_with_it() {
    let home = tempfile::tempdir().unwrap();
    for _beginning_and_take_over in 0..=TAKE_OVERS {
        work_and_die(home.path());
    }

    let model = script::model();
    let studio = Studio::open_with_models(offline(home.path()), script::models(&model)).await.unwrap();
    serve(&studio).await;
    let given_up = async {
        loop {
            let row = studio.runs().await.unwrap().remove(0);
            if row.status == RunStatus::Failed {
                return row.run;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let run = tokio::time::timeout(Duration::from_secs(30), given_up).await.expect("it is given up");
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

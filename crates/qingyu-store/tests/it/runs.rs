use qingyu_story::{ChangeKey, Provenance};
use std::collections::BTreeSet;
use std::time::Duration;

use qingyu_db::Database;
use qingyu_store::{
    Call, ChargeKey, Error, Idempotency, NewRun, OwnedRun, ProjectDraft, Projects, RequestStart, Run, RunQuery,
    RunStatus, Runs, ServerId, Servers, Spending, SpendingQuery, Standing, Stories, StorySave,
};
use serde_json::json;

use crate::{at, database, project};

async fn run(database: &Database, user: &str) -> Run {
    let project = project(database, user).await.id;
    let new = NewRun {
        requirement: "写一个灯塔".into(),
        config: json!({"pipeline": {"max_iterations": 2}}),
        model: "scripted".into(),
    };
    Runs::new(database, user).create(&project, new, Vec::new(), at(1)).await.unwrap()
}

fn call(key: &str, agent: &str, cost_micros: Option<u64>) -> Call {
    Call {
        key: key.into(),
        agent: agent.into(),
        purpose: format!("{agent}.generate"),
        model: "scripted".into(),
        input: 10,
        cached: 4,
        output: 5,
        estimated: false,
        cost_micros,
        currency: cost_micros.map(|_| "CNY".into()),
        chapter: None,
        replayed: false,
        attempts: 1,
        repaired: false,
        millis: 3,
    }
}

#[tokio::test]
async fn a_run_goes_from_running_to_its_end() {
    let database = database().await;
    let runs = Runs::new(&database, "local");
    let begun = run(&database, "local").await;
    assert_eq!((begun.status, begun.ended, &begun.thread), (RunStatus::Running, None, &begun.id));
    runs.ended(&begun.id, RunStatus::Waiting, json!({"score": 55}), json!("waits"), at(5)).await.unwrap();
    runs.resumed(&runs.get(&begun.id).await.unwrap(), None).await.unwrap();
    let resumed = runs.find(&begun.id[2..5]).await.unwrap();
    assert_eq!((resumed.status, resumed.ended), (RunStatus::Running, None));
    assert_eq!(resumed.outcome, Some(json!({"score": 55})), "what came of it before is kept until there is more");
    assert_eq!(runs.list(RunQuery::default()).await.unwrap(), vec![resumed]);
    let none = Run { id: "r-none".into(), ..begun.clone() };
    assert!(matches!(runs.resumed(&none, None).await, Err(Error::UnknownRun { .. })));
}

#[tokio::test]
async fn a_project_is_made_with_its_first_run_or_not_at_all() {
    let database = database().await;
    let runs = Runs::new(&database, "local");
    let new_run = || NewRun { requirement: "写".into(), config: json!({}), model: "scripted".into() };
    let new_project = || ProjectDraft { title: "灯".into(), ..ProjectDraft::default() };
    let run = runs.create_in_new_project(new_project(), new_run(), at(1)).await.unwrap();
    assert_eq!(Projects::new(&database, "local").get(&run.project).await.unwrap().title, "灯");
    let Some(file) = database.as_sqlite() else { return };
    let broken = "CREATE TRIGGER broken BEFORE INSERT ON run BEGIN SELECT raise(ABORT, 'broken'); END";
    file.write(move |connection| Ok::<_, Error>(connection.execute_batch(broken)?)).await.unwrap();
    assert!(runs.create_in_new_project(new_project(), new_run(), at(1)).await.is_err());
    assert_eq!(Projects::new(&database, "local").list().await.unwrap().len(), 1);
}

#[tokio::test]
async fn lists_are_what_was_asked_for_in_pages_newest_first() {
    let database = database().await;
    let runs = Runs::new(&database, "local");
    let new = || NewRun { requirement: "写".into(), config: json!({}), model: "scripted".into() };
    let (first, second) = (project(&database, "local").await.id, project(&database, "local").await.id);
    let theirs = run(&database, "ann").await;
    let mut made = Vec::new();
    for second_of in 1..=4 {
        // Two of each begin in the same moment.
        for project in [&first, &second] {
            let run = runs.create(project, new(), Vec::new(), at(second_of)).await.unwrap();
            let status = [RunStatus::Done, RunStatus::Waiting][usize::from(second_of == 3)];
            if second_of < 4 {
                runs.ended(&run.id, status, json!({}), json!("ended"), at(second_of)).await.unwrap();
            }
            made.push((run.started, run.id));
        }
    }
    runs.record_calls(&made[0].1, vec![call("a", "outline", Some(7)), call("b", "plot", None)], at(9)).await.unwrap();
    made.sort_unstable();
    made.reverse();
    let all: Vec<String> = made.into_iter().map(|(_, id)| id).collect();
    let ids = async |query: RunQuery| {
        let ids = |runs: Vec<Run>| runs.into_iter().map(|run| run.id).collect::<Vec<_>>();
        let found = ids(runs.list(query.clone()).await.unwrap());
        let listed = runs.listed(query).await.unwrap();
        assert!(listed.iter().all(|listed| listed.title == "The Lighthouse"), "{listed:?}");
        assert_eq!(ids(listed.into_iter().map(|listed| listed.run).collect()), found, "both lists tell the same");
        found
    };
    assert_eq!(ids(RunQuery::default()).await, all);
    let mut pages = Vec::new();
    while pages.len() < all.len() {
        let page = ids(RunQuery { limit: Some(3), after: pages.last().cloned(), ..RunQuery::default() }).await;
        assert!((1..=3).contains(&page.len()), "{page:?}");
        pages.extend(page);
    }
    assert_eq!(pages, all, "page by page, also between two that began at once");

    let open = ids(RunQuery { standing: Standing::Open, ..RunQuery::default() }).await;
    assert_eq!(open, all[..4], "two at work, two that wait");
    assert_eq!(ids(RunQuery { standing: Standing::AtWork, ..RunQuery::default() }).await, all[..2]);
    let of_first = ids(RunQuery { project: Some(first.clone()), ..RunQuery::default() }).await;
    assert_eq!(of_first.len(), 4);
    let seen = |projects: &[&String]| RunQuery {
        projects: Some(projects.iter().map(|project| (*project).clone()).collect()),
        ..RunQuery::default()
    };
    assert_eq!(ids(seen(&[&first, &theirs.project])).await, of_first);
    assert_eq!(ids(seen(&[&first, &theirs.project, &second])).await, all, "three are asked for as four are");
    assert!(ids(seen(&[])).await.is_empty());
    assert!(ids(RunQuery { project: Some(second), ..seen(&[&first]) }).await.is_empty());
    let newest = RunQuery { newest_of_each: true, ..RunQuery::default() };
    assert_eq!(ids(newest.clone()).await, all[..2]);
    let rest = ids(RunQuery { after: Some(all[0].clone()), ..newest.clone() }).await;
    assert_eq!(rest, all[1..2], "none stands for a newer one that was not asked for");
    assert_eq!(ids(RunQuery { projects: seen(&[&first]).projects, ..newest }).await, of_first[..1]);
    let past = runs.list(RunQuery { after: Some(theirs.id), ..RunQuery::default() }).await;
    assert!(matches!(past, Err(Error::UnknownRun { .. })), "{past:?}");

    let listed = runs.listed(RunQuery::default()).await.unwrap();
    let usage = |id: &str| listed.iter().find(|listed| listed.run.id == id).unwrap().usage.clone();
    let with_calls = listed.iter().find(|listed| !listed.usage.is_empty()).unwrap().run.id.clone();
    assert_eq!(usage(&with_calls), runs.usage(&with_calls).await.unwrap());
    assert_eq!(listed.iter().filter(|listed| listed.usage.is_empty()).count(), 7, "calls are counted to their own run");
}

#[tokio::test]
async fn charges_stand_for_a_call_until_it_is_recorded() {
    let database = database().await;
    let runs = Runs::new(&database, "local");
    let run = run(&database, "local").await;
    let charge = |execution: &str, number, call| (ChargeKey { execution: execution.into(), number }, call);
    let of = |key: &str, model: &str| Call { model: model.into(), ..call(key, "outline", Some(100)) };
    let charges = async |charges| runs.record_charges(&run.id, charges, at(2)).await.unwrap();
    let usage = async || {
        let [usage] = &runs.usage(&run.id).await.unwrap()[..] else { panic!("one agent, one currency") };
        (usage.calls, usage.input, usage.cost_micros)
    };
    // The first execution was given up after two requests; in the second a fallback answered the second one.
    charges(vec![charge("1", 1, of("a", "main")), charge("1", 2, of("a", "main"))]).await;
    charges(vec![charge("1", 3, of("ab", "main"))]).await;
    assert_eq!(usage().await, (3, 30, Some(300)));
    charges(vec![charge("2", 1, of("a", "main")), charge("2", 2, of("a", "spare")), charge("2", 3, of("a", "spare"))])
        .await;
    assert_eq!(usage().await, (6, 60, Some(600)));
    assert_eq!(runs.record_calls(&run.id, vec![of("a", "spare")], at(3)).await.unwrap(), 1);
    assert_eq!(usage().await, (5, 60, Some(600)), "what was charged for the answer is one call, and nothing is lost");
    assert_eq!(runs.record_calls(&run.id, vec![of("a", "spare")], at(4)).await.unwrap(), 0);
    assert_eq!(usage().await, (5, 60, Some(600)));
    let rows = runs.spending(SpendingQuery::default()).await.unwrap();
    let spare = rows.iter().find(|row| row.model == "spare").unwrap();
    assert_eq!((spare.calls, spare.attempts, spare.input), (1, 2, 20));

    // A call that was played cost nothing, whatever was charged before.
    runs.record_calls(&run.id, vec![Call { replayed: true, ..of("ab", "main") }], at(5)).await.unwrap();
    assert_eq!(usage().await.0, 6);
}

#[tokio::test]
async fn a_call_is_counted_once() {
    let database = database().await;
    let runs = Runs::new(&database, "local");
    let run = run(&database, "local").await;
    let first = || call("a", "outline", Some(100));
    assert_eq!(runs.record_calls(&run.id, vec![first()], at(2)).await.unwrap(), 1);
    assert_eq!(runs.record_calls(&run.id, vec![first()], at(3)).await.unwrap(), 0);
    let others = vec![call("b", "outline", Some(11)), first(), call("c", "plot", None)];
    assert_eq!(runs.record_calls(&run.id, others, at(4)).await.unwrap(), 2);
    let usage = runs.usage(&run.id).await.unwrap();
    let row = |agent: &str| usage.iter().find(|row| row.agent == agent).unwrap();
    let outline = row("outline");
    assert_eq!((outline.calls, outline.input, outline.cached, outline.output), (2, 20, 8, 10));
    assert_eq!((outline.cost_micros, outline.currency.as_deref()), (Some(111), Some("CNY")));
    assert_eq!((row("plot").calls, row("plot").cost_micros), (1, None));
    assert_eq!(runs.usage_of_project(&run.project).await.unwrap(), usage);
}

#[tokio::test]
async fn events_are_numbered_without_gaps() {
    let database = database().await;
    let runs = Runs::new(&database, "local");
    let id = run(&database, "local").await.id;
    let event = |n: i64| (at(n), json!({"n": n}));
    assert_eq!(runs.append_events(&id, vec![event(1), event(2)]).await.unwrap(), 1);
    assert_eq!(runs.append_events(&id, vec![event(3)]).await.unwrap(), 3);
    let read = |events: Vec<qingyu_store::LoggedEvent>| -> Vec<(u64, serde_json::Value)> {
        events.into_iter().map(|event| (event.seq, event.body["n"].clone())).collect()
    };
    assert_eq!(read(runs.events(&id, 0, 100).await.unwrap()), [(1, json!(1)), (2, json!(2)), (3, json!(3))]);
    assert_eq!(read(runs.events(&id, 2, 100).await.unwrap()), [(3, json!(3))]);
}

#[tokio::test]
async fn nobody_sees_the_runs_of_others() {
    let database = database().await;
    let id = run(&database, "ann").await.id;
    let runs = Runs::new(&database, "bob");
    assert!(runs.list(RunQuery::default()).await.unwrap().is_empty());
    assert!(matches!(runs.get(&id).await, Err(Error::UnknownRun { .. })));
    assert!(matches!(runs.find(&id).await, Err(Error::UnknownRun { .. })));
    assert!(runs.record_calls(&id, vec![call("a", "outline", None)], at(2)).await.is_err());
    assert!(runs.append_events(&id, vec![(at(1), json!(1))]).await.is_err());
    assert!(runs.usage(&id).await.unwrap().is_empty());
    assert!(runs.ended(&id, RunStatus::Done, json!(null), json!("done"), at(2)).await.is_err());
}

#[tokio::test]
async fn tables_and_statements_name_the_owner() {
    let database = database().await;
    let tables = |connection: &rusqlite::Connection| {
        let mut select = connection.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table'")?;
        let rows = select.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
        Ok::<Vec<_>, Error>(rows.collect::<Result<_, _>>()?)
    };
    let Some(file) = database.as_sqlite() else { return };
    let tables = file.read(tables).await.unwrap();
    assert!(tables.len() >= 6);
    for (name, sql) in tables {
        // The terms of the search index bear the number of their project; servers and the end of the audit serve all; the rest is nobody's.
        let shared = ["migration", "sqlite_sequence", "chunk_posting", "server", "audit_head"];
        let is_shared = shared.contains(&name.as_str());
        let is_owned = sql.contains("user_id") || name.starts_with("chunk_terms");
        assert!(is_shared || is_owned, "{name} has no owner");
    }
}

#[tokio::test]
async fn spending_is_added_up_by_what_is_known_of_calls() {
    let database = database().await;
    let runs = Runs::new(&database, "local");
    let (one, other) = (run(&database, "local").await, run(&database, "local").await);
    let noon: jiff::Timestamp = "2026-03-01T12:00:00Z".parse().unwrap();
    let later: jiff::Timestamp = "2026-03-01T12:00:00.5Z".parse().unwrap();
    let next: jiff::Timestamp = "2026-03-02T09:00:00Z".parse().unwrap();
    let of_chapter = |key: &str, chapter| Call { chapter: Some(chapter), ..call(key, "creative", Some(7)) };
    let record = async |run: &Run, calls: Vec<Call>, at| runs.record_calls(&run.id, calls, at).await.unwrap();
    record(&one, vec![of_chapter("1", 1), of_chapter("2", 1), of_chapter("3", 2)], noon).await;
    record(&one, vec![Call { replayed: true, ..of_chapter("4", 2) }, call("5", "creative", None)], later).await;
    record(&other, vec![call("1", "planner", Some(3))], next).await;

    let all = runs.spending(SpendingQuery::default()).await.unwrap();
    let told: Vec<_> = all.iter().map(|row| (row.chapter, row.calls, row.cost_micros, row.replayed)).collect();
    let expected = [
        (Some(1), 2, Some(14), false),
        (Some(2), 1, Some(7), false),
        (None, 1, None, false),
        (Some(2), 1, Some(7), true),
        (None, 1, Some(3), false),
    ];
    let sorted = |mut rows: Vec<_>| {
        rows.sort();
        rows
    };
    assert_eq!(sorted(told), sorted(expected.to_vec()));
    assert_eq!((all[0].run.as_str(), all[0].at), (one.id.as_str(), noon));
    let added = |rows: &[Spending]| {
        rows.iter().fold((0, 0, 0, 0), |(calls, input, output, micros), row| {
            (calls + row.calls, input + row.input, output + row.output, micros + row.cost_micros.unwrap_or_default())
        })
    };
    let calls = async |query: SpendingQuery| {
        let rows = runs.spending(query.clone()).await.unwrap();
        let together = runs.spent(query).await.unwrap();
        assert_eq!(added(&together), added(&rows));
        assert!(together.len() <= 2, "one model: one of the currency, one of what has no price: {together:?}");
        added(&rows).0
    };
    let query = SpendingQuery::default;
    assert_eq!(calls(SpendingQuery { paid: true, ..query() }).await, 5);
    assert_eq!(calls(SpendingQuery { run: Some(other.id.clone()), ..query() }).await, 1);
    assert_eq!(calls(SpendingQuery { but_run: Some(other.id.clone()), ..query() }).await, 5);
    assert_eq!(calls(SpendingQuery { project: Some(one.project.clone()), ..query() }).await, 5);
    assert_eq!(calls(SpendingQuery { since: Some(noon), ..query() }).await, 6, "fractions of the first second count");
    assert_eq!(calls(SpendingQuery { since: Some(next), ..query() }).await, 1);
    assert_eq!(calls(SpendingQuery { until: Some(next), ..query() }).await, 5);
    runs.record_outside(Some(&one.project), call("", "assistant", Some(1)), next).await.unwrap();
    runs.record_outside(None, call("", "assistant", None), next).await.unwrap();
    assert_eq!(calls(SpendingQuery { since: Some(next), paid: true, ..query() }).await, 3);
    assert_eq!(calls(SpendingQuery { project: Some(one.project.clone()), ..query() }).await, 6);
    assert_eq!(calls(SpendingQuery { run: Some(one.id.clone()), ..query() }).await, 5);
    assert_eq!(calls(SpendingQuery { but_run: Some(one.id.clone()), ..query() }).await, 3);
    assert!(Runs::new(&database, "another").spending(query()).await.unwrap().is_empty());
}

#[tokio::test]
async fn of_several_runs_on_one_project_one_begins() {
    let database = database().await;
    let project = project(&database, "local").await.id;
    let new = || NewRun { requirement: "写".into(), config: json!({}), model: "m".into() };
    let begun = futures::future::join_all((0..8).map(|_| {
        let (runs, project) = (Runs::new(&database, "local"), project.clone());
        async move { runs.create(&project, new(), Vec::new(), at(1)).await }
    }));
    let (begun, refused): (Vec<_>, Vec<_>) = begun.await.into_iter().partition(Result::is_ok);
    let first = begun.into_iter().next().unwrap().unwrap().id;
    assert_eq!(refused.len(), 7);
    for refused in refused {
        assert!(matches!(&refused, Err(Error::Busy { run }) if *run == first), "{refused:?}");
    }
    // One whose process is dead is in nobody's way.
    Runs::new(&database, "local").create(&project, new(), vec![first], at(2)).await.unwrap();
}

#[tokio::test]
async fn a_run_and_the_answer_to_its_request_are_kept_together() {
    let database = database().await;
    let requests = Idempotency::new(&database);
    let begin = |at| requests.begin("local", "key", "digest", at);
    let RequestStart::Fresh(slow) = begin(at(1)).await.unwrap() else { panic!("nobody was there before") };
    // Whoever is silent for too long has lost the request.
    let RequestStart::Fresh(ticket) = begin(at(60)).await.unwrap() else { panic!("it was taken") };
    let project = || ProjectDraft { title: "灯塔".into(), premise: "灯塔".into(), ..ProjectDraft::default() };
    let new = || NewRun { requirement: "写".into(), config: json!({}), model: "m".into() };
    let runs = |ticket| Runs::new(&database, "local").under(ticket, |run| json!({"run": run.id}));
    let run = runs(ticket).create_in_new_project(project(), new(), at(61)).await.unwrap();
    let late = runs(slow).create_in_new_project(project(), new(), at(62)).await;
    assert!(matches!(late, Err(Error::Taken)), "{late:?}");
    assert_eq!(
        Projects::new(&database, "local").list().await.unwrap().len(),
        1,
        "nothing is left of what came too late"
    );
    assert_eq!(begin(at(63)).await.unwrap(), RequestStart::Done { status: 200, answer: json!({"run": run.id}) });
}

#[tokio::test]
async fn what_a_dead_process_has_changed_is_known_to_who_takes_its_request_over() {
    let database = database().await;
    let requests = Idempotency::new(&database);
    let begin = |key: &'static str, at| requests.begin("local", key, "digest", at);
    let new = |title: &str| ProjectDraft { title: title.into(), ..ProjectDraft::default() };
    let RequestStart::Fresh(dead) = begin("make", at(1)).await.unwrap() else { panic!("nobody was there before") };
    let made = Projects::new(&database, "local").under(dead.clone()).create(new("灯塔"), at(2)).await.unwrap().id;
    let RequestStart::Interrupted { ticket, made: told } = begin("make", at(60)).await.unwrap() else {
        panic!("it was carried out")
    };
    assert_eq!(told, made);

    // Who was only slow changes nothing more.
    let key = |run: &str| ChangeKey { run: run.into(), step: "save".into(), iteration: 0 };
    let save = |run: &str| StorySave {
        project: made.clone(),
        key: key(run),
        provenance: Provenance::default(),
        expected: None,
        changes: Vec::new(),
    };
    let stories = || Stories::new(&database, "local");
    let late = [
        Projects::new(&database, "local").under(dead.clone()).create(new("二"), at(61)).await.map(drop),
        stories().under(dead.clone()).save(save("late"), at(61)).await.map(drop),
        stories().under(dead.clone()).branch(&made, "late", None, at(61)).await.map(drop),
        stories().under(dead).create(new("三"), key("late"), Provenance::default(), Vec::new(), at(61)).await.map(drop),
    ];
    assert!(late.iter().all(|late| matches!(late, Err(Error::Taken))), "{late:?}");
    assert_eq!(Projects::new(&database, "local").list().await.unwrap().len(), 1);
    assert_eq!(stories().changes(&made).await.unwrap(), []);
    assert!(requests.finish(&ticket, 409, &json!(made)).await.unwrap());
    assert_eq!(begin("make", at(62)).await.unwrap(), RequestStart::Done { status: 409, answer: json!(made) });

    // A change of what is there leaves word too; and a request that has changed nothing is begun anew.
    let RequestStart::Fresh(dead) = begin("save", at(1)).await.unwrap() else { panic!("nobody was there before") };
    assert!(matches!(begin("save", at(60)).await.unwrap(), RequestStart::Fresh(_)));
    assert!(matches!(stories().under(dead).save(save("late"), at(61)).await, Err(Error::Taken)));
    let RequestStart::Fresh(dead) = begin("save", at(120)).await.unwrap() else { panic!("nothing was done") };
    assert!(stories().under(dead).save(save("kept"), at(121)).await.unwrap().fresh);
    let RequestStart::Interrupted { ticket, made: told } = begin("save", at(180)).await.unwrap() else {
        panic!("it was carried out")
    };
    assert_eq!(told, made);

    // Nor is it forgotten by who was not told that it is kept, and says that nothing was done.
    assert!(requests.release(&ticket).await.unwrap());
    assert!(
        matches!(begin("save", at(181)).await.unwrap(), RequestStart::Interrupted { made: told, .. } if told == made)
    );
    assert!(!requests.release(&ticket).await.unwrap(), "it is another's by now");
}

#[tokio::test]
async fn who_has_lost_a_run_writes_nothing_of_it_any_more() {
    let database = database().await;
    let (slow, quick) = (ServerId::new(), ServerId::new());
    let of = |server: &ServerId| Runs::new(&database, "local").of_server(Some(server));
    let project = project(&database, "local").await.id;
    let new = NewRun { requirement: "写".into(), config: json!({}), model: "m".into() };
    let begun = of(&slow).create(&project, new, Vec::new(), at(1)).await.unwrap();
    assert_eq!(begun.server.as_deref(), Some(slow.as_str()), "if it dies now, the run is another's");
    of(&slow).append_events(&begun.id, vec![(at(2), json!("a"))]).await.unwrap();
    of(&quick).resumed(&begun, Some(&quick)).await.unwrap();

    let is_lost = |done: Result<u64, Error>| matches!(done, Err(Error::Lost { .. }));
    assert!(is_lost(of(&slow).append_events(&begun.id, vec![(at(3), json!("b"))]).await));
    assert!(is_lost(of(&slow).ended(&begun.id, RunStatus::Failed, json!({}), json!("failed"), at(3)).await));
    // Not even by saying that it works on it: it has read the run before the other had it.
    assert!(is_lost(of(&slow).resumed(&begun, Some(&slow)).await.map(|()| 0)));
    assert_eq!(of(&quick).ended(&begun.id, RunStatus::Done, json!({}), json!("done"), at(4)).await.unwrap(), 2);
    // Nor does anybody begin again with what has ended since they read it.
    let running = Run { server: Some(quick.as_str().to_owned()), ..begun.clone() };
    assert!(is_lost(of(&slow).resumed(&running, Some(&slow)).await.map(|()| 0)));
    let log = of(&slow).events(&begun.id, 0, 9).await.unwrap();
    let bodies: Vec<_> = log.into_iter().map(|event| event.body).collect();
    assert_eq!(bodies, [json!("a"), json!("done")]);
}

#[tokio::test]
async fn a_run_that_is_to_stop_is_so_for_whoever_goes_on_with_it_but_not_for_whoever_begins_anew() {
    let database = database().await;
    let servers = [ServerId::new(), ServerId::new()];
    let runs = Runs::new(&database, "local");
    let project = project(&database, "local").await.id;
    let new = NewRun { requirement: "写".into(), config: json!({}), model: "m".into() };
    let begun = runs.clone().of_server(Some(&servers[0])).create(&project, new, Vec::new(), at(1)).await.unwrap();
    assert!(runs.want_stopped(&begun.id).await.unwrap());
    runs.resumed(&begun, Some(&servers[1])).await.unwrap();
    assert!(runs.is_to_stop(&begun.id).await.unwrap(), "said between the look at the run and the beginning");
    runs.resumed(&runs.get(&begun.id).await.unwrap(), None).await.unwrap();
    assert!(!runs.is_to_stop(&begun.id).await.unwrap(), "by hand");

    assert!(runs.want_stopped(&begun.id).await.unwrap());
    runs.ended(&begun.id, RunStatus::Interrupted, json!({}), json!("interrupted"), at(2)).await.unwrap();
    runs.resumed(&runs.get(&begun.id).await.unwrap(), Some(&servers[0])).await.unwrap();
    assert!(!runs.is_to_stop(&begun.id).await.unwrap());
}

#[tokio::test]
async fn a_server_that_is_known_to_have_ended_is_not_waited_for() {
    const LEASE: Duration = Duration::from_secs(3600);
    let database = database().await;
    let servers = Servers::new(&database);
    let project = project(&database, "local").await.id;
    let (dead, living) = (ServerId::new(), ServerId::new());
    servers.beat(&dead, "a", "process 1", LEASE).await.unwrap();
    servers.beat(&living, "b", "process 2", LEASE).await.unwrap();
    let new = NewRun { requirement: "写".into(), config: json!({}), model: "m".into() };
    let run =
        Runs::new(&database, "local").of_server(Some(&dead)).create(&project, new, Vec::new(), at(1)).await.unwrap();
    assert_eq!(servers.others(&living).await.unwrap(), [(dead.clone(), "process 1".to_owned())]);
    assert!(servers.abandoned(9).await.unwrap().is_empty());
    servers.ended(&dead).await.unwrap();
    assert_eq!(servers.others(&living).await.unwrap(), []);
    let left: Vec<String> = servers.abandoned(9).await.unwrap().into_iter().map(|owned| owned.run).collect();
    assert_eq!(left, [run.id]);
}

#[tokio::test]
async fn a_server_is_told_what_it_works_on_and_what_of_that_is_to_stop() {
    let database = database().await;
    let servers = Servers::new(&database);
    let project = project(&database, "local").await.id;
    let (one, other) = (ServerId::new(), ServerId::new());
    let new = NewRun { requirement: "写".into(), config: json!({}), model: "m".into() };
    let mut begun = Vec::new();
    for server in [Some(&one), Some(&one), Some(&one), Some(&other), None] {
        let runs = Runs::new(&database, "local").of_server(server);
        begun.push(runs.create(&project, new.clone(), begun.clone(), at(1)).await.unwrap().id);
    }
    let runs = Runs::new(&database, "local");
    runs.want_stopped(&begun[1]).await.unwrap();
    let done = runs.get(&begun[2]).await.unwrap();
    runs.given_up(&done, RunStatus::Done, json!({}), json!({}), at(2)).await.unwrap();
    let ids = |owned: Vec<OwnedRun>| owned.into_iter().map(|owned| owned.run).collect::<BTreeSet<_>>();
    let of = |ids: &[String]| ids.iter().cloned().collect::<BTreeSet<_>>();
    assert_eq!(ids(servers.at_work(&one).await.unwrap()), of(&begun[..2]));
    assert_eq!(ids(servers.at_work(&other).await.unwrap()), of(&begun[3..4]));
    assert_eq!(ids(servers.to_stop(&one).await.unwrap()), of(&begun[1..2]));
}

#[tokio::test]
async fn a_run_that_does_not_come_further_is_counted_once_for_each_server_that_died() {
    const LEASE: Duration = Duration::from_secs(6);
    let database = database().await;
    let servers = Servers::new(&database);
    let of = |server: &ServerId| Runs::new(&database, "local").of_server(Some(server));
    let project = project(&database, "local").await.id;
    let new = NewRun { requirement: "写".into(), config: json!({}), model: "m".into() };
    let first = ServerId::new();
    servers.beat(&first, "a", "", LEASE).await.unwrap();
    let run = of(&first).create(&project, new, Vec::new(), at(1)).await.unwrap();
    let read = async || of(&first).get(&run.id).await.unwrap();
    let take = async |server: &ServerId, position| {
        servers.beat(server, "b", "", LEASE).await.unwrap();
        of(server).taken_over(&read().await, server, position, Duration::ZERO).await.unwrap()
    };
    // Two look at the same time at what one dead server has left, and one has it.
    let seen = read().await;
    assert_eq!(take(&ServerId::new(), 7).await, 1);
    let late = of(&first).taken_over(&seen, &ServerId::new(), 7, Duration::ZERO).await;
    assert!(matches!(late, Err(Error::Lost { .. })), "{late:?}");
    // Who has it may say so again when it begins.
    let taken = read().await;
    let second: ServerId = ServerId::new();
    assert_eq!(take(&second, 7).await, 2);
    assert!(matches!(of(&first).resumed(&taken, None).await, Err(Error::Lost { .. })));
    of(&second).resumed(&read().await, Some(&second)).await.unwrap();
    // A step more, and it begins anew.
    assert_eq!(take(&ServerId::new(), 8).await, 1);
    // Who says that it goes has not died of the run.
    let gone = ServerId::new();
    assert_eq!(take(&gone, 8).await, 2);
    servers.leave(&gone).await.unwrap();
    assert_eq!(take(&ServerId::new(), 8).await, 2);
    // Nor does one count that dies shortly after another.
    let next = ServerId::new();
    servers.beat(&next, "c", "", LEASE).await.unwrap();
    assert_eq!(of(&next).taken_over(&read().await, &next, 8, LEASE).await.unwrap(), 2);
    // What a person begins again after its end does not count on.
    let last = ServerId::new();
    assert_eq!(take(&last, 8).await, 3);
    of(&last).ended(&run.id, RunStatus::Failed, json!({}), json!("failed"), at(4)).await.unwrap();
    let ended = of(&last).taken_over(&read().await, &last, 8, Duration::ZERO).await;
    assert!(matches!(ended, Err(Error::Lost { .. })), "{ended:?}");
    of(&last).resumed(&read().await, Some(&last)).await.unwrap();
    assert_eq!(take(&ServerId::new(), 8).await, 1);
    let nobody = Run { id: "r-none".into(), ..run };
    assert!(matches!(of(&last).taken_over(&nobody, &last, 1, Duration::ZERO).await, Err(Error::UnknownRun { .. })));
}

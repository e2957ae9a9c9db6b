//! Many who ask for the same at once, and a database that somebody else holds.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::join_all;
use qingyu_llm::testing::{ModelScript, ScriptedModel};
use qingyu_llm::{ModelRoutes, Reply};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::answers::{REQUIREMENT, USAGE, answer, judgement};
use crate::house::{House, ReceivedEvent, home, problem};

/// As many as ask at once.
const RIVALS: usize = 16;

/// A server, and a run on it that waits for a person.
async fn asked(home: &TempDir) -> (House, String) {
    let reply = |answer: Value| ModelScript::from(Reply { text: answer.to_string(), usage: USAGE, ..Reply::default() });
    let model = ScriptedModel::responding("scripted", move |request| reply(answer(&request.purpose)));
    model.push("review.judge", reply(judgement(40)));
    let house = House::of_models(home, ModelRoutes::new(Arc::new(model))).await;
    let run = house.begin(REQUIREMENT).await;
    let told = house.follow(&run, 0).await;
    assert_eq!(told[told.len() - 2].data["kind"], "waiting");
    (house, run)
}

fn begun_again(told: &[ReceivedEvent]) -> usize {
    told.iter().filter(|told| told.data["kind"] == "run_started" && told.data["resumed"] == true).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_sixteen_who_answer_at_once_one_is_heard() {
    let home = home();
    let (house, run) = asked(&home).await;
    let approve = json!({"start": {"kind": "resume", "run": run, "answer": {"answer": "approve"}}});
    let answers = join_all((0..RIVALS).map(|_| house.post("/api/v1/runs", &approve).send())).await;
    let mut heard = 0;
    for answer in answers {
        let answer = answer.unwrap();
        if answer.status() == StatusCode::CREATED {
            heard += 1;
        } else {
            let (status, code) = problem(answer).await;
            assert_eq!(status, 409, "{code}");
            assert!(["thread_busy", "not_waiting", "nothing_to_resume"].contains(&code.as_str()), "{code}");
        }
    }
    assert_eq!(heard, 1);
    let told = house.follow(&run, 0).await;
    assert_eq!((begun_again(&told), &told[told.len() - 2].data["kind"]), (1, &json!("completed")));
    house.go().await;
}

#[tokio::test]
async fn an_answer_that_names_its_question_answers_no_other() {
    let home = home();
    let (house, run) = asked(&home).await;
    let stands: Value = house.get(&format!("/api/v1/runs/{run}")).send().await.unwrap().json().await.unwrap();
    let named = |question: &Value| json!({"start": {"kind": "resume", "run": run, "question": question, "answer": {"answer": "approve"}}});
    let another = house.post("/api/v1/runs", &named(&json!("another"))).send().await.unwrap();
    assert_eq!(problem(another).await, (409, "question_changed".into()));
    let the_one = house.post("/api/v1/runs", &named(&stands["question_id"])).send().await.unwrap();
    assert_eq!(the_one.status(), StatusCode::CREATED, "{stands}");
    house.follow(&run, 0).await;
    house.go().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_answer_sent_sixteen_times_under_one_key_is_given_once() {
    let home = home();
    let (house, run) = asked(&home).await;
    let approve = json!({"start": {"kind": "resume", "run": run, "answer": {"answer": "approve"}}});
    send_at_once(&house, &approve).await;
    let told = house.follow(&run, 0).await;
    assert_eq!((begun_again(&told), &told[told.len() - 2].data["kind"]), (1, &json!("completed")));
    let reject =
        json!({"start": {"kind": "resume", "run": run, "answer": {"answer": "reject", "feedback": "结尾太平"}}});
    let other = house.post("/api/v1/runs", &reject).header("idempotency-key", "k-1").send().await.unwrap();
    assert_eq!(problem(other).await, (422, "idempotency_mismatch".into()), "another answer under the same key");
    house.go().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_start_sent_sixteen_times_under_one_key_is_one_run() {
    let home = home();
    let house = House::open(&home).await;
    send_at_once(&house, &json!({"start": {"kind": "create", "requirement": REQUIREMENT}})).await;
    for list in ["runs", "projects"] {
        let listed: Value = house.get(&format!("/api/v1/{list}")).send().await.unwrap().json().await.unwrap();
        assert_eq!(listed.as_array().unwrap().len(), 1, "{list}: {listed}");
    }
    house.go().await;
}

/// Sends one request many times at once, then until each sender has its answer: the same one.
async fn send_at_once(house: &House, body: &Value) {
    let sending = (0..RIVALS).map(|_| async {
        loop {
            let answer = house.post("/api/v1/runs", body).header("idempotency-key", "k-1").send().await.unwrap();
            if answer.status() == StatusCode::CREATED {
                let is_again = answer.headers().contains_key("idempotency-replayed");
                return (answer.text().await.unwrap(), is_again);
            }
            assert!(answer.headers().contains_key("retry-after"));
            assert_eq!(problem(answer).await, (409, "request_at_work".into()));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let answers = join_all(sending).await;
    assert_eq!(answers.iter().map(|(text, _)| text).collect::<BTreeSet<_>>().len(), 1, "{answers:?}");
    assert_eq!(answers.iter().filter(|(_, is_again)| !is_again).count(), 1, "one carried it out");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_cancel_that_races_with_the_end_is_told_as_it_was_decided() {
    let home = home();
    let house = House::open(&home).await;
    for round in 0..8_u64 {
        let start = json!({"start": {"kind": "create", "requirement": REQUIREMENT}});
        let begun: Value = house.post("/api/v1/runs", &start).send().await.unwrap().json().await.unwrap();
        let run = begun["run"].as_str().unwrap().to_owned();
        // Spread over the time that such a run takes, and beyond it.
        let cancel = async {
            tokio::time::sleep(Duration::from_millis(round * round * 12)).await;
            let answer = house.post(&format!("/api/v1/runs/{run}/cancel"), &json!({})).send().await.unwrap();
            assert_eq!(answer.status(), StatusCode::OK);
        };
        let (told, ()) = tokio::join!(house.follow(&run, 0), cancel);
        let last = told[told.len() - 2].data["kind"].as_str().unwrap().to_owned();
        let outcome: Value = house.get(&format!("/api/v1/runs/{run}")).send().await.unwrap().json().await.unwrap();
        let status = match last.as_str() {
            "interrupted" => "interrupted",
            "completed" => "done",
            "waiting" => "waiting",
            other => panic!("round {round}: {other}"),
        };
        assert_eq!(outcome["status"], status, "round {round}: the log and the run say the same");
        if status == "interrupted" {
            let resume = json!({"start": {"kind": "resume", "run": run}});
            house.post("/api/v1/runs", &resume).send().await.unwrap().error_for_status().unwrap();
            let last = told.iter().filter_map(|told| told.id).max().unwrap();
            let rest = house.follow(&run, last).await;
            assert!(["completed", "waiting"].contains(&rest[rest.len() - 2].data["kind"].as_str().unwrap()));
        }
    }
    house.go().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_database_that_somebody_else_holds_is_read_and_writes_are_put_off() {
    let home = home();
    let house = House::open(&home).await;
    let run = house.begin(REQUIREMENT).await;
    house.follow(&run, 0).await;
    let holder = rusqlite::Connection::open(home.path().join("qingyu.db")).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let asked = Instant::now();
    let start = json!({"start": {"kind": "create", "requirement": REQUIREMENT}});
    let refused = async {
        let refused = house.post("/api/v1/runs", &start).send().await.unwrap();
        assert!(refused.headers().contains_key("retry-after"), "{refused:?}");
        assert_eq!(problem(refused).await, (503, "database_busy".into()));
    };
    let read = async {
        for path in ["/readyz".to_owned(), "/api/v1/projects".to_owned(), format!("/api/v1/runs/{run}")] {
            let answer = house.get(&path).send().await.unwrap();
            assert_eq!(answer.status(), StatusCode::OK, "{path}");
        }
        assert!(asked.elapsed() < Duration::from_secs(3), "who only reads does not wait");
    };
    tokio::join!(refused, read);
    holder.execute_batch("ROLLBACK").unwrap();
    let run = house.begin(REQUIREMENT).await;
    let told = house.follow(&run, 0).await;
    assert!(["completed", "waiting"].contains(&told[told.len() - 2].data["kind"].as_str().unwrap()));
    house.go().await;
}

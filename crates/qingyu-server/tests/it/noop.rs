//! Runs that do nothing, which the server is measured with: they go the way of all others.

use serde_json::{Value, json};

use crate::house::{House, home};

#[tokio::test]
async fn a_run_that_does_nothing_is_kept_step_by_step() {
    let home = home();
    let house = House::open(&home).await;
    let order = json!({"assistant_id": "noop", "input": {"n": 0}});
    let answer = house.post("/langgraph/runs/wait", &order).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    let place = answer.headers()["content-location"].to_str().unwrap().to_owned();
    let state: Value = answer.json().await.unwrap();
    assert_eq!((&state["n"], &state["status"]), (&json!(10), &json!("done")), "{state}");
    assert_eq!(state["log"], json!([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));

    // What is in the file afterwards: a checkpoint after the input and after each step, and every event once.
    let run = place.rsplit('/').next().unwrap().to_owned();
    let told = house.follow(&run, 0).await;
    let kinds: Vec<_> = told.iter().filter_map(|told| told.data["kind"].as_str()).collect();
    let steps = std::iter::repeat_n("agent_finished", 10);
    let expected: Vec<_> = ["run_started"].into_iter().chain(steps).chain(["completed"]).collect();
    assert_eq!(kinds, expected);
    let numbers: Vec<_> = told.iter().filter_map(|told| told.id).collect();
    assert_eq!(numbers, (1..=12).collect::<Vec<_>>());
    house.go().await;
    let file = rusqlite::Connection::open(home.path().join("qingyu.db")).unwrap();
    let count = |sql: &str| file.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("SELECT count(*) FROM event_log"), 12);
    assert_eq!(count("SELECT count(*) FROM graph_record WHERE kind IN ('snapshot', 'delta')"), 11);
}

#[tokio::test]
async fn its_steps_are_updates_and_its_thread_takes_another() {
    let home = home();
    let house = House::open(&home).await;
    let thread: Value = house.post("/langgraph/threads", &json!({})).send().await.unwrap().json().await.unwrap();
    let place = format!("/langgraph/threads/{}", thread["thread_id"].as_str().unwrap());
    let order = json!({"assistant_id": "noop", "input": {"n": 3}, "stream_mode": ["updates"]});
    for _ in 0..2 {
        let answer = house.post(&format!("{place}/runs/stream"), &order).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        let text = answer.text().await.unwrap();
        assert_eq!(text.matches("event: updates").count(), 10, "{text}");
    }
    let runs: Value = house.get(&format!("{place}/runs")).send().await.unwrap().json().await.unwrap();
    assert_eq!(runs.as_array().unwrap().len(), 2);
    let state: Value = house.get(&format!("{place}/state")).send().await.unwrap().json().await.unwrap();
    assert_eq!(state["values"]["n"], 13);
    house.go().await;
}

#[tokio::test]
async fn it_is_begun_at_the_api_as_well() {
    let home = home();
    let house = House::open(&home).await;
    let body = json!({"start": {"kind": "noop", "n": 1}});
    let begun: Value = house.post("/api/v1/runs", &body).send().await.unwrap().json().await.unwrap();
    let run = begun["run"].as_str().unwrap();
    let last = house.follow(run, 0).await.into_iter().rev().find(|told| told.data["kind"].is_string()).unwrap();
    assert_eq!(last.data["kind"], "completed");
    let outcome: Value = house.get(&format!("/api/v1/runs/{run}")).send().await.unwrap().json().await.unwrap();
    assert_eq!(outcome["made"], json!({"noop": {"n": 11, "log": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]}}));
    house.go().await;
}

#[tokio::test]
async fn threads_are_found_page_by_page_and_by_how_they_stand() {
    let home = home();
    let house = House::open(&home).await;
    for title in ["一", "二", "三"] {
        house.post("/langgraph/threads", &json!({"metadata": {"title": title}})).send().await.unwrap();
    }
    let order = json!({"assistant_id": "noop", "input": {"n": 0}});
    house.post("/langgraph/runs/wait", &order).send().await.unwrap();
    let found = async |search: Value| {
        let found: Value = house.post("/langgraph/threads/search", &search).send().await.unwrap().json().await.unwrap();
        let threads = found.as_array().unwrap().iter();
        threads.map(|thread| thread["thread_id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let all = found(json!({})).await;
    assert_eq!(all.len(), 4);
    assert_eq!(found(json!({"limit": 2, "offset": 1})).await, all[1..3]);
    assert_eq!(found(json!({"limit": 9, "offset": 3, "status": "idle"})).await, all[3..]);
    assert!(found(json!({"status": "busy"})).await.is_empty());
    house.go().await;
}

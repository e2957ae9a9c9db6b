//! The API as programs meet it: runs begun, followed, stopped and taken over; what is refused, and how.

use std::time::{Duration, Instant};

use qingyu_story::Story;
use qingyu_studio::{Right, StoryFile};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::house::{House, ReceivedEvent, home, problem};
use crate::web::web;

const LIGHTHOUSE: &str = "一个灯塔看守人收到自己三十年前寄出的信";

/// The numbers of the events that have one.
fn numbers(told: &[ReceivedEvent]) -> Vec<u64> {
    told.iter().filter_map(|event| event.id).collect()
}

#[tokio::test]
async fn a_run_is_begun_followed_and_looked_at() {
    let home = home();
    let house = House::open(&home).await;
    let run = house.begin(LIGHTHOUSE).await;
    let told = house.follow(&run, 0).await;
    let numbers = numbers(&told);
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>(), "no gap, nothing twice");
    let (end, events) = told.split_last().unwrap();
    assert_eq!(end.name.as_deref(), Some("end"));
    assert_eq!(events.last().unwrap().data["kind"], "completed");

    let outcome: Value = house.get(&format!("/api/v1/runs/{run}")).send().await.unwrap().json().await.unwrap();
    assert_eq!((&outcome["status"], &outcome["run"]), (&json!("done"), &json!(run)));
    let project = outcome["project"].as_str().unwrap();
    let view: Value =
        house.get(&format!("/api/v1/projects/{project}/view")).send().await.unwrap().json().await.unwrap();
    assert!(view["story"]["outline_nodes"].as_array().is_some_and(|nodes| !nodes.is_empty()), "{view}");
    house.go().await;
}

#[tokio::test]
async fn a_stream_goes_on_where_it_was_cut_off() {
    let home = home();
    let house = House::open(&home).await;
    let run = house.begin(LIGHTHOUSE).await;
    let whole = house.follow(&run, 0).await;
    let last = *numbers(&whole).last().unwrap();
    for after in [1, 2, last / 2, last - 1, last, last + 7] {
        let rest = house.follow(&run, after).await;
        let expected: Vec<&ReceivedEvent> =
            whole.iter().filter(|event| event.id.is_some_and(|id| id > after) || event.name.is_some()).collect();
        assert_eq!(rest.iter().collect::<Vec<_>>(), expected, "after {after}");
    }
    // A page of the log is the same events.
    let log: Value = house.get(&format!("/api/v1/runs/{run}/log?after=2")).send().await.unwrap().json().await.unwrap();
    assert_eq!(log[0]["seq"], 3);
    house.go().await;
}

#[tokio::test]
async fn a_run_is_stopped_in_the_middle_of_a_call() {
    let home = home();
    let house = House::stuck(&home).await;
    let run = house.begin(LIGHTHOUSE).await;
    let asked = Instant::now();
    let stopped = house.post(&format!("/api/v1/runs/{run}/cancel"), &json!({})).send().await.unwrap();
    assert_eq!(stopped.status(), StatusCode::OK);
    let told = house.follow(&run, 0).await;
    assert!(asked.elapsed() < Duration::from_secs(1), "{:?}", asked.elapsed());
    assert_eq!(told[told.len() - 2].data["kind"], "interrupted");
    let outcome: Value = house.get(&format!("/api/v1/runs/{run}")).send().await.unwrap().json().await.unwrap();
    assert_eq!(outcome["status"], "interrupted");
    house.go().await;
}

#[tokio::test]
async fn a_server_that_goes_hands_its_runs_over() {
    let home = home();
    let (first, second) = (House::stuck(&home).await, House::stuck(&home).await);
    let run = first.begin(LIGHTHOUSE).await;
    let page = first.get(&format!("/api/v1/runs/{run}/log")).send().await.unwrap().json::<Value>().await.unwrap();
    let known = page.as_array().unwrap().len();
    let gone = Instant::now();
    first.go().await;
    loop {
        let log: Value = second.get(&format!("/api/v1/runs/{run}/log")).send().await.unwrap().json().await.unwrap();
        let more = &log.as_array().unwrap()[known..];
        assert!(more.iter().all(|event| event["kind"] != "interrupted"), "{log}");
        if more.iter().any(|event| event["kind"] == "run_started" && event["resumed"] == true) {
            break;
        }
        assert!(gone.elapsed() < Duration::from_secs(10), "nobody took it over: {log}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    eprintln!("handed over in {:?}", gone.elapsed());
    assert_eq!(second.studio.runs_at_work(), 1);
    second.go().await;
}

#[tokio::test]
async fn only_known_names_and_pages_get_in() {
    let home = home();
    let house = House::with(&home, &[("server.origins", "[\"https://page.example.com\"]")]).await;
    let port = house.address.port();
    let ours = format!("http://127.0.0.1:{port}");
    for (path, host, origin, token, expected) in [
        ("/livez", None, None, false, 200),
        ("/livez", Some("localhost"), None, false, 200),
        ("/livez", Some("evil.example.com"), None, false, 403),
        ("/api/v1/projects", Some("evil.example.com"), None, false, 403),
        ("/mcp", Some("evil.example.com"), None, false, 403),
        ("/openapi.json", Some("evil.example.com"), None, false, 403),
        ("/api/v1/projects", None, Some("http://evil.example.com"), false, 403),
        ("/api/v1/projects", None, Some("http://evil.example.com"), true, 403),
        ("/api/v1/projects", None, Some("null"), true, 403),
        ("/api/v1/projects", None, None, false, 200),
        // A page needs what only our own page is told.
        ("/api/v1/projects", None, Some(ours.as_str()), false, 401),
        ("/api/v1/projects", None, Some(ours.as_str()), true, 200),
        ("/api/v1/projects", None, Some("https://page.example.com"), true, 200),
    ] {
        let mut request = house.get(path);
        for (name, value) in [("host", host), ("origin", origin)] {
            request = value.into_iter().fold(request, |request, value| request.header(name, value));
        }
        if token {
            request = request.header("x-qingyu-page", &house.page_token);
        }
        let answer = request.send().await.unwrap();
        let allowed =
            answer.headers().get("access-control-allow-origin").map(|origin| origin.to_str().unwrap().to_owned());
        assert_eq!(answer.status(), expected, "{path} {host:?} {origin:?} {token}");
        assert_eq!(allowed.as_deref(), origin.filter(|_| expected != 403), "{path} {origin:?}");
    }
    house.go().await;
}

#[tokio::test]
async fn what_does_not_fit_is_refused_with_its_reason() {
    let home = home();
    let house = House::with(&home, &[("server.body_bytes", "4096")]).await;
    let large = |bytes: usize| {
        let empty = json!({"title": "", "text": ""}).to_string().len();
        json!({"title": "", "text": "x".repeat(bytes - empty)})
    };
    let posted = |path: &'static str, body: String| {
        web().post(house.url(path)).header("content-type", "application/json").body(body)
    };
    for (request, status, code) in [
        (house.get("/nothing"), 404, "unknown_route"),
        (house.get("/api/v1/projects/p-none/view"), 404, "unknown_project"),
        (house.get("/api/v1/runs/r-none"), 404, "unknown_run"),
        (house.get("/api/v1/runs/r-none/events"), 404, "unknown_run"),
        (house.get("/api/v1/projects/p-none/story?change=seven"), 422, "bad_request"),
        (web().request(Method::DELETE, house.url("/livez")), 405, "method_not_allowed"),
        (posted("/api/v1/texts/analysis", "{\"title\": \"a\"".into()), 400, "bad_json"),
        (posted("/api/v1/texts/analysis", "[]".into()), 422, "bad_request"),
        (posted("/api/v1/texts/analysis", "{\"title\": 7, \"text\": \"\"}".into()), 422, "bad_request"),
        (web().post(house.url("/api/v1/texts/analysis")).body("{}"), 415, "bad_media_type"),
        (house.post("/api/v1/texts/analysis", &large(4097)), 413, "too_large"),
        (
            house.post("/api/v1/runs", &json!({"start": {"kind": "create", "requirement": " "}})),
            422,
            "requirement_empty",
        ),
        (house.post("/api/v1/runs", &json!({"start": {"kind": "wish"}})), 422, "bad_request"),
        (
            house.post("/api/v1/runs", &json!({"start": {"kind": "create", "requirment": "a lighthouse"}})),
            422,
            "bad_request",
        ),
        (house.get("/api/v1/projects/%2E%2E%2F%2E%2E%2Fetc/view"), 404, "unknown_project"),
    ] {
        let request = request.build().unwrap();
        let what = request.url().to_string();
        let answer = web().execute(request).await.unwrap();
        assert_eq!(problem(answer).await, (status, code.to_owned()), "{what}");
    }
    let largest = house.post("/api/v1/texts/analysis", &large(4096)).send().await.unwrap();
    assert_eq!(largest.status(), StatusCode::OK);
    house.go().await;
}

#[tokio::test]
async fn no_more_runs_work_than_may() {
    let home = home();
    let house = House::stuck(&home).await;
    let run = house.begin(LIGHTHOUSE).await;
    let busy = json!({"start": {"kind": "resume", "run": run}});
    assert_eq!(problem(house.post("/api/v1/runs", &busy).send().await.unwrap()).await, (409, "thread_busy".into()));
    house.go().await;
}

#[tokio::test]
async fn readers_work_beside_a_writer() {
    let home = home();
    let house = House::stuck(&home).await;
    let run = house.begin(LIGHTHOUSE).await;
    let summary: Value = house.get(&format!("/api/v1/runs/{run}/summary")).send().await.unwrap().json().await.unwrap();
    let task = |writes: &str| {
        let task = json!({"description": "分析第一章的节奏"});
        json!({"start": {"kind": "task", "project": summary["project"], "task": task, "options": {"writes": writes}}})
    };
    for writes in ["never", "ask", "never"] {
        let begun = house.post("/api/v1/runs", &task(writes)).send().await.unwrap();
        assert_eq!(begun.status(), StatusCode::CREATED, "{writes}: {}", begun.text().await.unwrap());
    }
    let second = house.post("/api/v1/runs", &task("allowed")).send().await.unwrap();
    assert_eq!(problem(second).await, (409, "thread_busy".into()));
    house.go().await;
}

#[tokio::test]
async fn a_writer_begins_beside_readers() {
    let home = home();
    let house = House::stuck(&home).await;
    let file = StoryFile { story: crate::rig::story(), unknown: Vec::new() };
    let project = house.studio.import(file, None).await.unwrap().project.project;
    let task = json!({"description": "分析第一章的节奏"});
    let read = json!({"start": {"kind": "task", "project": project, "task": task}});
    let write = json!({"start": {"kind": "create", "project": project, "requirement": LIGHTHOUSE}});
    for (begun, status) in [(&read, 201), (&write, 201), (&write, 409)] {
        assert_eq!(house.post("/api/v1/runs", begun).send().await.unwrap().status(), status, "{begun}");
    }
    house.go().await;
}

#[tokio::test]
async fn chapters_are_named_as_people_name_them() {
    let home = home();
    let house = House::open(&home).await;
    let story = Story { documents: Vec::new(), ..crate::rig::story() };
    let project = house.studio.import(StoryFile { story, unknown: Vec::new() }, None).await.unwrap().project.project;
    for (chapters, end) in [
        (json!("第一章"), "completed"),
        (json!("第1章"), "completed"),
        (json!(1), "completed"),
        (json!("1-"), "completed"),
        (json!(["1"]), "completed"),
        (json!("第九章"), "failed"),
    ] {
        let task = json!({"kind": "draft", "chapters": chapters});
        let write = json!({"start": {"kind": "write", "project": project, "brief_only": true, "task": task}});
        let begun: Value = house.post("/api/v1/runs", &write).send().await.unwrap().json().await.unwrap();
        let told = house.follow(begun["run"].as_str().unwrap(), 0).await;
        assert_eq!(told[told.len() - 2].data["kind"], end, "{chapters}: {told:?}");
    }
    let task = json!({"kind": "draft", "chapters": {"from": 1}});
    let write = json!({"start": {"kind": "write", "project": project, "task": task}});
    let (status, code) = problem(house.post("/api/v1/runs", &write).send().await.unwrap()).await;
    assert_eq!((status, code.as_str()), (422, "bad_request"));
    house.go().await;
}

#[tokio::test]
async fn every_reference_of_the_document_leads_somewhere() {
    let home = home();
    let house = House::open(&home).await;
    let document: Value = house.get("/openapi.json").send().await.unwrap().json().await.unwrap();
    assert_eq!(document["openapi"], "3.1.0");
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(references.len() > 100, "{}", references.len());
    for reference in references {
        let place = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(place).is_some(), "{reference} leads nowhere");
    }
    house.go().await;
}

fn collect(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            references.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|value| collect(value, references));
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, references)),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_sent_twice_under_one_key_is_done_once() {
    let home = home();
    let house = House::open(&home).await;
    let start = json!({"start": {"kind": "create", "requirement": LIGHTHOUSE}});
    let send = |key: &str, body: &Value| house.post("/api/v1/runs", body).header("idempotency-key", key).send();
    let (first, second) = tokio::join!(send("order-1", &start), send("order-1", &start));
    let mut runs = Vec::new();
    for answer in [first.unwrap(), second.unwrap()] {
        if answer.status() == StatusCode::CONFLICT {
            assert!(answer.headers().contains_key("retry-after"));
            assert_eq!(problem(answer).await, (409, "request_at_work".into()));
        } else {
            runs.push(answer.json::<Value>().await.unwrap());
        }
    }
    assert!(!runs.is_empty());
    let again = send("order-1", &start).await.unwrap();
    assert_eq!(
        (again.status(), &again.headers()["idempotency-replayed"]),
        (StatusCode::CREATED, &"true".parse().unwrap())
    );
    assert_eq!(again.headers()["location"], format!("/api/v1/runs/{}", runs[0]["run"].as_str().unwrap()));
    runs.push(again.json().await.unwrap());
    assert!(runs.iter().all(|run| *run == runs[0]), "{runs:?}");
    let other = json!({"start": {"kind": "create", "requirement": "another"}});
    assert_eq!(problem(send("order-1", &other).await.unwrap()).await, (422, "idempotency_mismatch".into()));
    assert_eq!(problem(send("two words", &start).await.unwrap()).await, (422, "bad_idempotency_key".into()));
    // What was refused may be sent again, and is refused again.
    let nothing = json!({"start": {"kind": "create", "requirement": " "}});
    for _ in 0..2 {
        let refused = send("order-2", &nothing).await.unwrap();
        assert!(!refused.headers().contains_key("idempotency-replayed"));
        assert_eq!(problem(refused).await.0, 422);
    }
    assert_ne!(house.begin(LIGHTHOUSE).await, runs[0]["run"], "without a key it is another run");
    let listed: Value = house.get("/api/v1/runs").send().await.unwrap().json().await.unwrap();
    assert_eq!(listed.as_array().unwrap().len(), 2, "{listed}");
    // Also by a server that has begun anew.
    house.go().await;
    let house = House::open(&home).await;
    let again = house.post("/api/v1/runs", &start).header("idempotency-key", "order-1").send().await.unwrap();
    assert_eq!(again.json::<Value>().await.unwrap(), runs[0]);
    house.go().await;
}

#[tokio::test]
async fn what_was_done_over_the_api_is_in_the_audit() {
    let home = home();
    let house = House::open(&home).await;
    let (anna, ben) = (house.key("anna", Right::Write).await, house.key("ben", Right::Write).await);
    let secret = "只有安娜知道的要求";
    let start = json!({"start": {"kind": "create", "requirement": secret}});
    let begun: Value =
        house.post("/api/v1/runs", &start).bearer_auth(&anna).send().await.unwrap().json().await.unwrap();
    let (run, project) = (begun["run"].as_str().unwrap(), begun["project"].as_str().unwrap());
    let events = house.get(&format!("/api/v1/runs/{run}/events")).bearer_auth(&anna).send().await.unwrap();
    events.text().await.unwrap();
    for (key, path) in [(&anna, format!("/api/v1/runs/{run}/cancel")), (&ben, format!("/api/v1/runs/{run}/cancel"))] {
        house.post(&path, &json!({})).bearer_auth(key).send().await.unwrap();
    }
    for path in ["book", "exports/book"] {
        house.get(&format!("/api/v1/projects/{project}/{path}")).bearer_auth(&anna).send().await.unwrap();
    }
    house.get("/api/v1/projects").bearer_auth(&anna).send().await.unwrap();
    let rows = house.studio.access().audit(None, 100).await.unwrap();
    let done: Vec<_> = rows
        .iter()
        .rev()
        .filter(|row| row.key.is_some())
        .map(|row| (row.user.as_str(), row.action.as_str(), row.object.as_str(), row.result.as_str()))
        .collect();
    assert_eq!(
        done,
        [
            ("anna", "start_run", run, "ok"),
            ("anna", "cancel_run", run, "ok"),
            ("ben", "cancel_run", run, "unknown_run"),
            ("anna", "export_book", project, "no_chapters"),
            ("anna", "export_book", project, "no_chapters"),
        ]
    );
    assert!(rows.iter().filter(|row| row.key.is_some()).all(|row| row.origin == "127.0.0.1"), "{rows:?}");
    assert!(!format!("{rows:?}").contains(secret));
    house.go().await;
}

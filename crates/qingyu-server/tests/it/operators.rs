//! What whoever looks after a server sees: counts, refusals when there is no room, traces.

use std::time::Duration;

use qingyu_grpc::proto::run_service_client::RunServiceClient;
use qingyu_grpc::proto::{CreateWork, Start, StartRunRequest, start};
use qingyu_studio::Right;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::house::{House, home};

/// The values of a meter, summed over labels of which the line holds all of `labels`.
fn sum(page: &str, name: &str, labels: &[&str]) -> f64 {
    let is_wanted = |line: &&str| {
        line.starts_with(name)
            && matches!(line.as_bytes().get(name.len()), Some(b'{' | b' '))
            && labels.iter().all(|label| line.contains(label))
    };
    page.lines().filter(is_wanted).map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap()).sum()
}

async fn metrics(house: &House) -> String {
    house.get("/metrics").send().await.unwrap().text().await.unwrap()
}

#[tokio::test]
async fn what_runs_and_requests_do_is_counted() {
    let home = home();
    let house = House::open(&home).await;
    let run = house.begin("一个灯塔看守人收到自己三十年前寄出的信").await;
    let told = house.follow(&run, 0).await;
    let page = metrics(&house).await;
    let called = told.iter().filter(|told| told.data["kind"] == "called").count();
    let kept = told.iter().filter(|told| told.id.is_some()).count();
    assert!(called > 3, "{called}");
    assert_eq!(sum(&page, "qingyu_model_calls_total", &[]), called as f64);
    assert_eq!(sum(&page, "qingyu_events_total", &[]), kept as f64);
    assert_eq!(sum(&page, "qingyu_runs_started_total", &["resumed=\"false\""]), 1.0);
    assert_eq!(sum(&page, "qingyu_runs_ended_total", &[]), 1.0);
    let tokens: u64 = told.iter().filter_map(|told| told.data["usage"]["output"].as_u64()).sum();
    assert_eq!(sum(&page, "qingyu_model_tokens_total", &["direction=\"output\""]), tokens as f64);
    assert_eq!(sum(&page, "qingyu_model_call_seconds_count", &[]), called as f64);
    assert_eq!(sum(&page, "qingyu_http_requests_total", &["door=\"api\"", "method=\"POST\"", "status=\"201\""]), 1.0);
    assert_eq!(sum(&page, "qingyu_runs_at_work", &[]), 0.0);
    assert_eq!(sum(&page, "qingyu_http_streams", &[]), 0.0, "the stream has ended");
    assert!(sum(&page, "process_resident_memory_bytes", &[]) > 1e6);
    house.go().await;
}

#[tokio::test]
async fn what_is_counted_is_for_admins() {
    let home = home();
    let (house, admin) = House::guarded(&home).await;
    let writer = house.key("anna", Right::Write).await;
    assert_eq!(house.get("/metrics").send().await.unwrap().status(), 401);
    assert_eq!(house.get("/metrics").bearer_auth(&writer).send().await.unwrap().status(), 403);
    assert_eq!(house.get("/metrics").bearer_auth(&admin).send().await.unwrap().status(), 200);
    house.go().await;
}

#[tokio::test]
async fn a_full_server_refuses_runs_at_every_door() {
    let home = home();
    let house = House::stuck_with(&home, &[("server.runs", "1")]).await;
    let first = house.begin("一个灯塔看守人收到自己三十年前寄出的信").await;

    let start = json!({"start": {"kind": "create", "requirement": "雨夜里的一封信"}});
    let refused = house.post("/api/v1/runs", &start).send().await.unwrap();
    assert_eq!((refused.status().as_u16(), refused.headers()["retry-after"].to_str().unwrap()), (503, "10"));
    let problem: Value = refused.json().await.unwrap();
    assert_eq!((&problem["code"], &problem["data"]["most"]), (&json!("overloaded"), &json!(1)));

    let channel = tonic::transport::Channel::from_shared(house.url("")).unwrap().connect().await.unwrap();
    let create = CreateWork { requirement: "雨夜里的一封信".into(), ..CreateWork::default() };
    let start = Some(Start { work: Some(start::Work::Create(create)), ..Start::default() });
    let status = RunServiceClient::new(channel).start_run(StartRunRequest { start }).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::Unavailable, "{status}");

    let order = json!({"assistant_id": "create", "input": {"requirement": "雨夜里的一封信"}});
    let refused = house.post("/langgraph/runs/wait", &order).send().await.unwrap();
    assert_eq!(refused.status(), 503, "{}", refused.text().await.unwrap());

    // Nothing of all that was begun, and the place is free again once the run has been stopped.
    let runs: Value = house.get("/api/v1/runs").send().await.unwrap().json().await.unwrap();
    assert_eq!(runs.as_array().unwrap().len(), 1, "{runs}");
    let projects: Value = house.get("/api/v1/projects").send().await.unwrap().json().await.unwrap();
    assert_eq!(projects.as_array().unwrap().len(), 1, "{projects}");
    assert_eq!(sum(&metrics(&house).await, "qingyu_notices_total", &["refused"]), 3.0);
    house.post(&format!("/api/v1/runs/{first}/cancel"), &json!({})).send().await.unwrap().error_for_status().unwrap();
    house.follow(&first, 0).await;
    house.begin("雨夜里的一封信").await;
    house.go().await;
}

#[tokio::test]
async fn more_connections_than_may_are_told_so() {
    const MOST: usize = 8;
    let home = home();
    let house = House::with(&home, &[("server.connections", &MOST.to_string())]).await;
    let connect = || async { TcpStream::connect(("127.0.0.1", house.address.port())).await.unwrap() };
    // Three times as many as may: the first ones are served, all others are told at once.
    let ask = format!("GET /livez HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", house.address.port());
    let mut open = Vec::new();
    for _ in 0..MOST {
        let mut stream = connect().await;
        stream.write_all(ask.as_bytes()).await.unwrap();
        let mut answer = [0; 256];
        let read = stream.read(&mut answer).await.unwrap();
        assert!(answer[..read].starts_with(b"HTTP/1.1 200"));
        open.push(stream);
    }
    for _ in 0..2 * MOST {
        let mut stream = connect().await;
        stream.write_all(ask.as_bytes()).await.unwrap();
        let mut answer = String::new();
        let read = tokio::time::timeout(Duration::from_secs(5), stream.read_to_string(&mut answer)).await;
        read.expect("it is told at once").unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 503") && head.contains("Retry-After"), "{head}");
        assert_eq!(serde_json::from_str::<Value>(body).unwrap()["code"], "overloaded");
    }
    // Who was served is served still, and there is room again once some have gone.
    open[0].write_all(ask.as_bytes()).await.unwrap();
    let mut answer = [0; 256];
    assert!(open[0].read(&mut answer).await.unwrap() > 0);
    open.clear();
    let page = loop {
        match house.get("/metrics").send().await {
            Ok(answer) if answer.status() == 200 => break answer.text().await.unwrap(),
            _ => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    };
    assert_eq!(sum(&page, "qingyu_http_connections", &[]), 1.0);
    assert!(sum(&page, "qingyu_http_connections_refused_total", &[]) >= 2.0 * MOST as f64);
    house.go().await;
}

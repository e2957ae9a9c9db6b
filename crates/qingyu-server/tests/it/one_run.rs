//! One run through all doors: begun over HTTP, watched over a stream of events, answered over gRPC, stopped over MCP.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::StreamExt;
use qingyu_grpc::proto::run_service_client::RunServiceClient;
use qingyu_grpc::proto::{Advance, Answer, GetRunRequest, Order, ResumeRunRequest, RunStatus, answer, order};
use qingyu_llm::ModelRoutes;
use rmcp::service::{ClientLifecycleMode, serve_client_with_lifecycle};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::house::{House, ReceivedEvent, home, silent, told};
use crate::web::{call, web};

/// The events of a run as they come, until the stream ends.
fn watch(house: &House, run: &str, after: u64) -> mpsc::UnboundedReceiver<ReceivedEvent> {
    let (tell, events) = mpsc::unbounded_channel();
    let request = house.get(&format!("/api/v1/runs/{run}/events?after={after}"));
    tokio::spawn(async move {
        let mut stream = request.send().await.unwrap().bytes_stream();
        let mut text = String::new();
        while let Some(bytes) = stream.next().await {
            text += std::str::from_utf8(&bytes.unwrap()).unwrap();
            while let Some(end) = text.find("\n\n") {
                for event in told(&text.drain(..end + 2).collect::<String>()) {
                    let _ = tell.send(event);
                }
            }
        }
    });
    events
}

/// The next event of this kind, and the numbers of those before it.
async fn until(events: &mut mpsc::UnboundedReceiver<ReceivedEvent>, kind: &str, numbers: &mut Vec<u64>) -> Value {
    loop {
        let event = tokio::time::timeout(Duration::from_secs(30), events.recv()).await;
        let event =
            event.unwrap_or_else(|_| panic!("no {kind} came")).unwrap_or_else(|| panic!("it ended without {kind}"));
        numbers.extend(event.id);
        if event.data["kind"] == kind || event.name.as_deref() == Some(kind) {
            return event.data;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_the_same_at_every_door() {
    let home = home();
    // The interview is held; what comes after it takes until the test has ended.
    let models = ModelRoutes::new(Arc::new(qingyu_offline::model())).route("production.make", silent());
    let house = House::of_models(&home, models).await;

    // Begun over HTTP, and watched.
    let start = json!({"start": {"kind": "produce", "premise": "为独立开发者写一门关于定价的短课程"}});
    let begun: Value = house.post("/api/v1/runs", &start).send().await.unwrap().json().await.unwrap();
    let run = begun["run"].as_str().unwrap().to_owned();
    let mut numbers = Vec::new();
    let mut events = watch(&house, &run, 0);
    until(&mut events, "waiting", &mut numbers).await;
    until(&mut events, "end", &mut numbers).await;

    // Answered over gRPC.
    let channel = tonic::transport::Channel::from_shared(house.url("")).unwrap().connect().await.unwrap();
    let mut runs = RunServiceClient::new(channel);
    let asked = runs.get_run(GetRunRequest { run: run.clone() }).await.unwrap().into_inner();
    assert_eq!((&asked.run, asked.status()), (&run, RunStatus::Waiting));
    let order = Order { order: Some(order::Order::Advance(Advance {})) };
    let answer = Answer { answer: Some(answer::Answer::Order(order)) };
    let resumed = ResumeRunRequest { run: run.clone(), answer: Some(answer), ..ResumeRunRequest::default() };
    assert_eq!(runs.resume_run(resumed).await.unwrap().into_inner().run, run);

    // Stopped over MCP, in the middle of a call of a model, while the stream goes on where it had ended.
    let last = *numbers.last().unwrap();
    let mut events = watch(&house, &run, last);
    until(&mut events, "field", &mut numbers).await;
    let config = StreamableHttpClientTransportConfig::with_uri(house.url("/mcp"));
    let transport = StreamableHttpClientTransport::with_client(web(), config);
    let client = serve_client_with_lifecycle((), transport, ClientLifecycleMode::Initialize).await.unwrap();
    let asked = Instant::now();
    let stopped = call(&client, "cancel_run", json!({"run_id": run})).await;
    assert_eq!(stopped["structuredContent"]["run"], run, "{stopped}");
    until(&mut events, "interrupted", &mut numbers).await;
    until(&mut events, "end", &mut numbers).await;
    assert!(asked.elapsed() < Duration::from_secs(1), "{:?}", asked.elapsed());
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>(), "no gap, nothing twice");

    // Every door says the same of it in the end.
    let over_http: Value = house.get(&format!("/api/v1/runs/{run}")).send().await.unwrap().json().await.unwrap();
    let over_mcp = call(&client, "get_run", json!({"run_id": run})).await;
    let over_grpc = runs.get_run(GetRunRequest { run: run.clone() }).await.unwrap().into_inner();
    assert_eq!(over_http["status"], "interrupted");
    assert_eq!(over_mcp["structuredContent"]["status"], "interrupted", "{over_mcp}");
    assert_eq!(over_grpc.status(), RunStatus::Interrupted);
    drop(client);
    house.go().await;
}

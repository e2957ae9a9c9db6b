//! Traces as a collector gets them.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use axum::Json;
use axum::routing::post;
use qingyu_server::traces::TraceTarget;
use serde_json::Value;

use crate::house::{House, home};

type Collected = Arc<Mutex<Vec<Value>>>;

/// A collector that is busy at first. It refuses everything but JSON.
async fn collector() -> (String, Collected) {
    let collected = Collected::default();
    let keep = Arc::clone(&collected);
    let busy = Arc::new(Mutex::new(Some(())));
    let take = move |Json(request): Json<Value>| async move {
        if busy.lock().unwrap().take().is_some() {
            return http::StatusCode::SERVICE_UNAVAILABLE;
        }
        keep.lock().unwrap().push(request);
        http::StatusCode::OK
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let router = axum::Router::new().route("/v1/traces", post(take));
    tokio::spawn(async move { axum::serve(listener, router).await });
    (url, collected)
}

/// The text of an attribute of a span or a resource.
fn word<'s>(owner: &'s Value, key: &str) -> Option<&'s str> {
    let attributes = owner["attributes"].as_array()?;
    attributes.iter().find(|attribute| attribute["key"] == key)?["value"]["stringValue"].as_str()
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_a_trace_of_its_agents_and_their_calls() {
    let (endpoint, collected) = collector().await;
    let variable = |name: &str| (name == "OTEL_EXPORTER_OTLP_ENDPOINT").then(|| endpoint.clone());
    let home = home();
    let house = House::traced(&home, TraceTarget::from_variables(variable).unwrap().unwrap()).await;
    let run = house.begin("一个灯塔看守人收到自己三十年前寄出的信").await;
    let told = house.follow(&run, 0).await;
    // What was not sent yet is sent before the server ends.
    house.go().await;

    let requests = std::mem::take(&mut *collected.lock().unwrap());
    assert_eq!(word(&requests[0]["resourceSpans"][0]["resource"], "service.name"), Some("qingyu"));
    let spans: Vec<Value> = requests
        .iter()
        .flat_map(|request| list(&request["resourceSpans"]))
        .flat_map(|spans| list(&spans["scopeSpans"]))
        .flat_map(|spans| list(&spans["spans"]))
        .collect();
    let id = |span: &Value| span["spanId"].as_str().unwrap().to_owned();
    let by_id: HashMap<String, &Value> = spans.iter().map(|span| (id(span), span)).collect();
    assert_eq!(by_id.len(), spans.len(), "every span is sent once");
    let traces: HashSet<&str> = spans.iter().map(|span| span["traceId"].as_str().unwrap()).collect();
    assert_eq!(traces.iter().map(|trace| trace.len()).collect::<Vec<_>>(), [32], "{traces:?}");

    let roots: Vec<&Value> = spans.iter().filter(|span| span.get("parentSpanId").is_none()).collect();
    assert_eq!(roots.len(), 1);
    assert_eq!(word(roots[0], "qingyu.run"), Some(&*run));
    let counted = |kind: &str| told.iter().filter(|told| told.data["kind"] == kind).count();
    let named = |operation: &str| {
        let is_so = |span: &&Value| word(span, "gen_ai.operation.name") == Some(operation);
        spans.iter().filter(is_so).collect::<Vec<_>>()
    };
    let chats = named("chat");
    let ended = counted("agent_finished") + counted("reviewed");
    assert_eq!((chats.len(), named("invoke_agent").len()), (counted("called"), ended + 1));
    let nanos = |span: &Value, end: &str| span[end].as_str().unwrap().parse::<u64>().unwrap();
    for chat in chats {
        assert_eq!(word(chat, "gen_ai.request.model"), Some("offline-rules-1"));
        assert!(nanos(chat, "startTimeUnixNano") <= nanos(chat, "endTimeUnixNano"), "{chat}");
        let parent = by_id[chat["parentSpanId"].as_str().unwrap()];
        let of_agent = word(parent, "gen_ai.agent.name");
        assert!(of_agent == word(chat, "gen_ai.agent.name") || of_agent == Some("qingyu"), "{chat}");
    }
}

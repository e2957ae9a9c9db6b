//! Traces as a collector gets them.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use axum::routing::post;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value::Value};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use qingyu_server::traces::Target;

use crate::house::{House, home};

type Collected = Arc<Mutex<Vec<ExportTraceServiceRequest>>>;

/// A collector that is busy at first.
async fn collector() -> (String, Collected) {
    let collected = Collected::default();
    let keep = Arc::clone(&collected);
    let busy = Arc::new(Mutex::new(Some(())));
    let take = move |body: Bytes| async move {
        if busy.lock().unwrap().take().is_some() {
            return http::StatusCode::SERVICE_UNAVAILABLE;
        }
        keep.lock().unwrap().push(ExportTraceServiceRequest::decode(body).unwrap());
        http::StatusCode::OK
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let router = axum::Router::new().route("/v1/traces", post(take));
    tokio::spawn(async move { axum::serve(listener, router).await });
    (url, collected)
}

fn word<'s>(attributes: &'s [KeyValue], key: &str) -> Option<&'s str> {
    let value = &attributes.iter().find(|attribute| attribute.key == key)?.value;
    match value.as_ref()?.value.as_ref()? {
        Value::StringValue(word) => Some(word),
        _ => None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_a_trace_of_its_agents_and_their_calls() {
    let (endpoint, collected) = collector().await;
    let variable = |name: &str| (name == "OTEL_EXPORTER_OTLP_ENDPOINT").then(|| endpoint.clone());
    let home = home();
    let house = House::traced(&home, Target::from_variables(variable).unwrap().unwrap()).await;
    let run = house.begin("一个灯塔看守人收到自己三十年前寄出的信").await;
    let told = house.follow(&run, 0).await;
    // What was not sent yet is sent before the server ends.
    house.go().await;

    let requests = std::mem::take(&mut *collected.lock().unwrap());
    let resource = requests[0].resource_spans[0].resource.as_ref().unwrap();
    assert_eq!(word(&resource.attributes, "service.name"), Some("qingyu"));
    let spans: Vec<Span> = requests
        .into_iter()
        .flat_map(|request| request.resource_spans)
        .flat_map(|spans| spans.scope_spans)
        .flat_map(|spans| spans.spans)
        .collect();
    let by_id: HashMap<&[u8], &Span> = spans.iter().map(|span| (&*span.span_id, span)).collect();
    assert_eq!(by_id.len(), spans.len(), "every span is sent once");
    assert_eq!(spans.iter().map(|span| &span.trace_id).collect::<HashSet<_>>().len(), 1);

    let roots: Vec<&Span> = spans.iter().filter(|span| span.parent_span_id.is_empty()).collect();
    assert_eq!(roots.len(), 1);
    assert_eq!(word(&roots[0].attributes, "qingyu.run"), Some(&*run));
    let counted = |kind: &str| told.iter().filter(|told| told.data["kind"] == kind).count();
    let named = |operation: &str| {
        let is_so = |span: &&Span| word(&span.attributes, "gen_ai.operation.name") == Some(operation);
        spans.iter().filter(is_so).collect::<Vec<_>>()
    };
    let chats = named("chat");
    let ended = counted("agent_finished") + counted("reviewed");
    assert_eq!((chats.len(), named("invoke_agent").len()), (counted("called"), ended + 1));
    for chat in chats {
        assert_eq!(word(&chat.attributes, "gen_ai.request.model"), Some("offline-rules-1"));
        assert!(chat.start_time_unix_nano <= chat.end_time_unix_nano);
        let parent = by_id[&*chat.parent_span_id];
        let of_agent = word(&parent.attributes, "gen_ai.agent.name");
        assert!(of_agent == word(&chat.attributes, "gen_ai.agent.name") || of_agent == Some("qingyu"), "{chat:?}");
    }
}

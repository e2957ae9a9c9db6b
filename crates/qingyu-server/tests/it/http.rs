//! The protocol over HTTP: whose projects, whose sessions, and when it ends.

use std::time::Duration;

use qingyu_server::mcp::http::{Settings, routes};
use qingyu_studio::CreateRequest;
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::time::timeout;

use crate::foreign::ODD;
use crate::rig::{BOTH, Generation};
use crate::web::{Site, answer, call, post, web};

fn initialize() -> String {
    let params =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}});
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).to_string()
}

/// Begins a session; gives its id.
async fn session(site: &Site) -> String {
    let begun = post(&site.url("/mcp")).body(initialize()).send().await.unwrap();
    let id = begun.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    assert_eq!(answer(begun).await["result"]["serverInfo"]["name"], "qingyu");
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
    let taken = post(&site.url("/mcp")).header("mcp-session-id", &id).body(initialized).send().await.unwrap();
    assert_eq!(taken.status(), StatusCode::ACCEPTED);
    id
}

#[tokio::test]
async fn both_generations_work_on_the_projects_of_who_asks() {
    let site = Site::open(Settings::default()).await;
    for generation in BOTH {
        let client = site.connect((), "/mcp", generation).await;
        let created =
            call(&client, "project_tool", json!({"action": "create", "title": "雨夜", "premise": "雨夜的来客"})).await;
        assert_eq!(created["structuredContent"]["project"]["title"], "雨夜", "{created}");
        let names: Vec<String> =
            client.list_all_tools().await.unwrap().iter().map(|tool| tool.name.to_string()).collect();
        assert!(["character_tool", "start_run", "cancel_run"].iter().all(|tool| names.iter().any(|name| name == tool)));
        let prompts = client.list_all_prompts().await.unwrap();
        assert!(prompts.iter().any(|prompt| prompt.name == "outline_agent_generate"), "{prompts:?}");
        client.cancel().await.unwrap();
    }
    assert_eq!(site.studio.projects().await.unwrap().len(), 2);
}

#[tokio::test]
async fn the_address_can_name_the_project_that_is_meant() {
    let site = Site::open(Settings::default()).await;
    let mut projects = Vec::new();
    for premise in ["灯塔", "雨夜"] {
        let run = site.studio.create(CreateRequest::new(premise)).await.unwrap();
        projects.push(run.project().to_owned());
        run.finish().await;
    }
    let [first, second] = projects.as_slice() else { panic!("two projects were made") };
    for (path, project) in [(format!("/mcp/{first}"), first), (format!("/mcp?project={second}"), second)] {
        for generation in BOTH {
            let client = site.connect((), &path, generation).await;
            let resources = client.list_all_resources().await.unwrap();
            assert!(!resources.is_empty(), "{path}");
            let own = format!("qingyu://project/{project}/");
            assert!(resources.iter().all(|resource| resource.uri.starts_with(&own)), "{path}: {resources:?}");
            let seen = call(&client, "character_tool", json!({"action": "list"})).await;
            assert_ne!(seen["isError"], true, "{path}: {seen}");
        }
    }
    let client = site.connect((), "/mcp", Generation::Stateless).await;
    let wholes = client.list_all_resources().await.unwrap();
    let is_whole = |uri: &str| uri.ends_with("/story") || uri.ends_with("/report");
    assert!(wholes.len() == 4 && wholes.iter().all(|resource| is_whole(&resource.uri)), "{wholes:?}");
    let unclear = call(&client, "character_tool", json!({"action": "list"})).await;
    assert_eq!(unclear["structuredContent"]["error"]["code"], "no_project", "{unclear}");
}

#[tokio::test]
async fn the_language_is_that_of_the_request() {
    let site = Site::open(Settings::default()).await;
    for (wanted, title) in [("zh-CN,en;q=0.5", "青羽写作台"), ("en", "Qingyu writing studio")] {
        let begun = post(&site.url("/mcp")).header("accept-language", wanted).body(initialize()).send().await.unwrap();
        assert_eq!(answer(begun).await["result"]["serverInfo"]["title"], title);
    }
}

#[tokio::test]
async fn a_session_ends_when_its_client_says_so() {
    let site = Site::open(Settings::default()).await;
    let id = session(&site).await;
    let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}).to_string();
    let ask =
        async |id: &str| post(&site.url("/mcp")).header("mcp-session-id", id).body(list.clone()).send().await.unwrap();
    assert!(answer(ask(&id).await).await["result"]["tools"].is_array());
    assert_eq!(ask("somebody-elses").await.status(), StatusCode::NOT_FOUND);
    let deleted = web().delete(site.url("/mcp")).header("mcp-session-id", &id).send().await.unwrap();
    assert_eq!(deleted.status(), StatusCode::NO_CONTENT, "the client in Python takes any other for a failure");
    assert_eq!(ask(&id).await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_stream_needs_a_session_and_every_type_is_accepted() {
    let site = Site::open(Settings::default()).await;
    for (version, accept) in [("2025-06-18", "text/event-stream"), ("2026-07-28", "*/*")] {
        let stream = web().get(site.url("/mcp")).header("accept", accept).header("mcp-protocol-version", version);
        let refused = stream.send().await.unwrap();
        assert_eq!(refused.status(), StatusCode::METHOD_NOT_ALLOWED, "{version}");
        assert_eq!(refused.headers()["allow"], "POST", "{version}");
    }
    let begun = web().post(site.url("/mcp")).header("content-type", "application/json").header("accept", "*/*");
    let begun = begun.body(initialize()).send().await.unwrap();
    assert_eq!(begun.status(), StatusCode::OK);
    assert_eq!(answer(begun).await["result"]["serverInfo"]["name"], "qingyu");
}

#[tokio::test]
async fn what_is_no_message_is_answered_in_the_protocol() {
    let site = Site::open(Settings::default()).await;
    for (body, code) in [("{\"jsonrpc\": ", -32700), ("{\"jsonrpc\": \"1.0\", \"id\": 1}", -32600)] {
        let refused = post(&site.url("/mcp")).body(body).send().await.unwrap();
        assert_eq!(refused.status(), StatusCode::BAD_REQUEST, "{body}");
        assert_eq!(answer(refused).await["error"]["code"], code, "{body}");
    }
}

#[tokio::test]
async fn older_clients_get_no_event_without_data() {
    let site = Site::open(Settings::default()).await;
    for (version, has_empty) in [("2025-06-18", false), ("2025-11-25", true)] {
        let begun = post(&site.url("/mcp")).body(initialize().replace("2025-11-25", version)).send().await.unwrap();
        let text = begun.text().await.unwrap();
        let is_empty = |line: &str| line.strip_prefix("data:").is_some_and(|data| data.trim().is_empty());
        assert_eq!(text.lines().any(is_empty), has_empty, "{text}");
        assert!(text.contains("serverInfo"), "{text}");
    }
}

#[tokio::test]
async fn sessions_without_end_are_refused() {
    let site = Site::open(Settings::default()).await;
    for _ in 0..64 {
        session(&site).await;
    }
    let refused = post(&site.url("/mcp")).body(initialize()).send().await.unwrap();
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.headers().contains_key("retry-after"));
    // Without sessions there is still room.
    let listed = site.ask("tools/list", json!({}), json!({})).await;
    assert!(listed["result"]["tools"].is_array(), "{listed}");
}

#[tokio::test]
async fn hosts_and_origins_are_looked_at_if_it_is_asked_for() {
    let strict =
        Settings { hosts: vec!["127.0.0.1".into()], origins: vec!["http://127.0.0.1:*".into()], ..Settings::default() };
    for (serving, host, origin, expected) in [
        (Settings::default(), "evil.example", "http://evil.example", StatusCode::OK),
        (strict.clone(), "127.0.0.1", "http://127.0.0.1:1234", StatusCode::OK),
        (strict.clone(), "evil.example", "http://127.0.0.1:1234", StatusCode::FORBIDDEN),
        (strict, "127.0.0.1", "http://evil.example", StatusCode::FORBIDDEN),
    ] {
        let site = Site::open(serving).await;
        let request = post(&site.url("/mcp")).header("host", host).header("origin", origin).body(initialize());
        assert_eq!(request.send().await.unwrap().status(), expected, "{host} {origin}");
    }
}

#[tokio::test]
async fn streams_end_when_the_server_stops() {
    let serving = Settings::default();
    let site = Site::open(serving.clone()).await;
    let id = session(&site).await;
    let stream = web().get(site.url("/mcp")).header("accept", "text/event-stream").header("mcp-session-id", &id);
    let stream = stream.send().await.unwrap();
    assert_eq!(stream.status(), StatusCode::OK);
    serving.stop.cancel();
    timeout(Duration::from_secs(10), stream.text()).await.expect("the stream ends").unwrap();
}

#[tokio::test]
async fn nobody_is_served_without_a_studio() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, routes(Settings::default())).await.unwrap() });
    let refused = post(&url).body(initialize()).send().await.unwrap();
    assert_eq!(refused.status(), StatusCode::INTERNAL_SERVER_ERROR);
}

#[tokio::test]
async fn what_is_too_large_is_refused() {
    let site = Site::open(Settings { largest: 1 << 10, ..Settings::default() }).await;
    let large: Value = json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"filler": "雨".repeat(1 << 10)}});
    let refused = post(&site.url("/mcp")).body(large.to_string()).send().await.unwrap();
    assert_eq!(refused.status(), StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn tools_of_other_servers_are_offered_and_started_once() {
    let folder = tempfile::tempdir().unwrap();
    let starts = folder.path().join("starts");
    let odd = json!({"command": "sh", "args": ["-c", ODD], "env": {"STARTS": starts}, "permission": "write"});
    let flags = toml::Table::try_from(json!({"mcp_servers": {"odd": odd}})).unwrap();
    let site = Site::with(&flags.to_string()).await;
    for generation in BOTH {
        for path in ["/mcp", "/mcp/p-1"] {
            let client = site.connect((), path, generation).await;
            let told = call(&client, "odd__count_starts", json!({})).await["structuredContent"].clone();
            assert_eq!((&told["untrusted"], &told["source"]), (&json!(true), &json!("odd")), "{told}");
            assert!(told["result"]["text"].as_str().unwrap().contains("starts: 1 "), "{told}");
        }
    }
}

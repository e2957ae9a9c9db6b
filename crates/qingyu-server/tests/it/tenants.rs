//! What belongs to one user, asked for by others over the protocol.

use qingyu_server::mcp::http::Settings;
use qingyu_studio::{CreateRequest, Right, RunStatus, Studio};
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::web::{Site, answer, post};

fn tasks() -> Value {
    json!({"elicitation": {"form": {}}, "extensions": {"io.modelcontextprotocol/tasks": {}}})
}

/// What a call of a tool by the owner of that key gives: its result, or the error in its place.
async fn call(site: &Site, key: &str, tool: &str, arguments: Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    let answer = site.ask_as(Some(key), "tools/call", params, json!({})).await;
    if answer["error"].is_null() { answer["result"]["structuredContent"].clone() } else { answer }
}

/// A run of that user that waits for an answer, and its project.
async fn waiting(site: &Site, key: &str) -> (String, String) {
    let arguments = json!({"kind": "produce", "requirement": "一门关于定价的短课程", "wait_seconds": 60});
    let run = call(site, key, "start_run", arguments).await;
    assert_eq!(run["status"], "waiting", "{run}");
    (run["run"].as_str().unwrap().to_owned(), run["project"].as_str().unwrap().to_owned())
}

async fn owner(site: &Site, key: &str) -> Studio {
    site.studio.of(&site.studio.access().authenticate(key).await.unwrap())
}

#[tokio::test]
async fn a_session_is_gone_on_with_by_nobody_but_who_began_it() {
    let site = Site::open(Settings::default()).await;
    let anna = site.key("anna", Right::Write, &[]).await;
    let ben = site.key("ben", Right::Write, &[]).await;
    let reads = site.key("anna", Right::Read, &[]).await;
    let params =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}});
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).to_string();
    let begun = post(&site.url("/mcp")).bearer_auth(&anna).body(initialize).send().await.unwrap();
    let session = begun.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    answer(begun).await;
    let ask = async |key: Option<&str>, method: reqwest::Method| {
        let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}).to_string();
        let request = crate::web::web().request(method, site.url("/mcp"));
        let request = request.header("content-type", "application/json");
        let request =
            request.header("accept", "application/json, text/event-stream").header("mcp-session-id", &session);
        let request = match key {
            Some(key) => request.bearer_auth(key),
            None => request,
        };
        request.body(list).send().await.unwrap().status()
    };
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
    let taken = post(&site.url("/mcp")).bearer_auth(&anna).header("mcp-session-id", &session).body(initialized);
    assert_eq!(taken.send().await.unwrap().status(), StatusCode::ACCEPTED);
    for other in [Some(ben.as_str()), Some(reads.as_str()), None] {
        for method in [reqwest::Method::POST, reqwest::Method::GET] {
            assert_eq!(ask(other, method.clone()).await, StatusCode::NOT_FOUND, "{method}");
        }
        ask(other, reqwest::Method::DELETE).await;
    }
    assert_eq!(ask(Some(&anna), reqwest::Method::POST).await, StatusCode::OK, "nobody has ended it");
}

#[tokio::test]
async fn nothing_of_another_user_is_seen_or_changed() {
    let site = Site::open(Settings::default()).await;
    let (anna, ben) = (site.key("anna", Right::Write, &[]).await, site.key("ben", Right::Write, &[]).await);
    let (run, project) = waiting(&site, &anna).await;

    // Every tool, of a project that is not the caller's, is told that there is none.
    let tools = site.ask_as(Some(&ben), "tools/list", json!({}), json!({})).await["result"]["tools"].clone();
    let mut unknown = 0;
    for tool in tools.as_array().unwrap() {
        let properties = &tool["inputSchema"]["properties"];
        let name = tool["name"].as_str().unwrap();
        let mut arguments = json!({});
        if properties["project_id"].is_object() {
            arguments["project_id"] = project.as_str().into();
        }
        if properties["run_id"].is_object() {
            arguments["run_id"] = run.as_str().into();
        }
        if arguments == json!({}) {
            continue;
        }
        let actions = properties["action"].to_string();
        let words: Vec<&str> =
            actions.split('"').filter(|word| word.chars().all(|c| c == '_' || c.is_ascii_lowercase())).collect();
        let words = if properties["action"].is_null() { vec![""] } else { words };
        for word in words {
            let mut arguments = arguments.clone();
            if !word.is_empty() {
                arguments["action"] = word.into();
            }
            if name == "start_run" {
                arguments["kind"] = "create".into();
                arguments["requirement"] = "雨夜".into();
            }
            let refused = call(&site, &ben, name, arguments).await;
            let code = refused["error"]["code"].as_str().unwrap_or_else(|| panic!("{name} {word}: {refused}"));
            let is_unknown = ["no_project", "unknown_project", "unknown_run"].contains(&code);
            assert!(is_unknown || code == "invalid_arguments", "{name} {word}: {code}");
            assert!(!refused.to_string().contains("定价"), "{name} {word}: {refused}");
            unknown += usize::from(is_unknown);
        }
    }
    assert!(unknown > 40, "most calls came as far as the project: {unknown}");

    let listed = call(&site, &ben, "list_runs", json!({})).await;
    assert_eq!(listed["total"], 0, "{listed}");
    let read = json!({"uri": format!("qingyu://project/{project}/story")});
    let read = site.ask_as(Some(&ben), "resources/read", read, json!({})).await;
    assert_eq!(read["error"]["code"], -32602, "{read}");
    for (method, more) in
        [("tasks/get", json!({})), ("tasks/cancel", json!({})), ("tasks/update", json!({"inputResponses": {}}))]
    {
        let mut params = more;
        params["taskId"] = run.as_str().into();
        let refused = site.ask_as(Some(&ben), method, params, tasks()).await;
        assert_eq!(refused["error"]["code"], -32602, "{method}: {refused}");
    }

    // What anna's client was given to come back with is of no use to ben.
    let key =
        site.ask_as(Some(&anna), "tasks/get", json!({"taskId": run}), tasks()).await["result"]["inputRequests"].clone();
    let key = key.as_object().unwrap().keys().next().unwrap().clone();
    let params = json!({"name": "get_run", "arguments": {"run_id": run, "wait_seconds": 5},
        "requestState": format!("{run}/{key}"),
        "inputResponses": {key: {"action": "accept", "content": {"advance": true}}}});
    let refused = site.ask_as(Some(&ben), "tools/call", params, json!({"elicitation": {"form": {}}})).await;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    let events = owner(&site, &anna).await.events(&run, 0).await.unwrap();
    let asked = events.iter().filter(|event| event.kind.is_last()).count();
    assert_eq!((asked, owner(&site, &anna).await.outcome(&run).await.unwrap().status), (1, RunStatus::Waiting));
}

#[tokio::test]
async fn a_key_that_reads_changes_nothing_of_its_own_user() {
    let site = Site::open(Settings::default()).await;
    let (writes, reads) = (site.key("anna", Right::Write, &[]).await, site.key("anna", Right::Read, &[]).await);
    let (run, _) = waiting(&site, &writes).await;
    let seen =
        call(&site, &reads, "get_run", json!({"run_id": run, "wait_seconds": 1, "cancel_with_call": true})).await;
    assert_eq!(seen["error"]["code"], "invalid_arguments", "who looks has nothing to cancel: {seen}");
    assert_eq!(call(&site, &reads, "get_run", json!({"run_id": run})).await["run"], *run);
    let key = format!("question-{}", owner(&site, &writes).await.events(&run, 0).await.unwrap().len());
    let said = json!({"taskId": run, "inputResponses": {key: {"action": "accept", "content": {"advance": true}}}});
    for (method, params) in [("tasks/cancel", json!({"taskId": run})), ("tasks/update", said)] {
        let refused = site.ask_as(Some(&reads), method, params, tasks()).await;
        assert_eq!(refused["error"]["data"]["code"], "forbidden", "{method}: {refused}");
    }
    for tool in ["answer_run", "cancel_run"] {
        let refused = call(&site, &reads, tool, json!({"run_id": run})).await;
        assert_eq!(refused["error"]["code"], "forbidden", "{tool}: {refused}");
    }
    assert_eq!(owner(&site, &writes).await.outcome(&run).await.unwrap().status, RunStatus::Waiting);
}

#[tokio::test]
async fn a_key_of_one_project_sees_that_project_alone() {
    let site = Site::open(Settings::default()).await;
    let whole = site.key("anna", Right::Write, &[]).await;
    let anna = owner(&site, &whole).await;
    let mut made = Vec::new();
    for premise in ["灯塔", "雨夜"] {
        let run = anna.create(CreateRequest::new(premise)).await.unwrap();
        made.push((run.run().to_owned(), run.project().to_owned()));
        run.finish().await;
    }
    let [(_, shown), (hidden_run, hidden)] = made.as_slice() else { panic!("two were made") };
    let narrow = site.key("anna", Right::Write, &[shown]).await;
    let listed = call(&site, &narrow, "project_tool", json!({"action": "list"})).await;
    assert_eq!((&listed["total"], &listed["projects"][0]["project"]), (&json!(1), &json!(shown)), "{listed}");
    let refused = call(&site, &narrow, "get_run", json!({"run_id": hidden_run})).await;
    assert_eq!(refused["error"]["code"], "unknown_run", "{refused}");
    let refused = call(&site, &narrow, "character_tool", json!({"action": "list", "project_id": hidden})).await;
    assert_eq!(refused["error"]["code"], "no_project", "{refused}");
    let new = call(&site, &narrow, "start_run", json!({"kind": "create", "requirement": "第三本"})).await;
    assert_eq!(new["error"]["code"], "forbidden", "it may not make another: {new}");
}

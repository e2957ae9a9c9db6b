//! What the bindings owe to the protocol, whatever is asked.

use axum::body::Body;
use http::Request;
use serde_json::{Value, json};

use crate::rig::{Rig, message};

#[tokio::test]
async fn the_card_says_where_the_agent_is_and_is_cached() {
    let rig = Rig::new().await;
    let ask = |tag: &str| {
        let request = Request::get("/.well-known/agent-card.json").header("host", "studio.example:8080");
        request.header("if-none-match", tag).body(Body::empty()).unwrap()
    };
    let answered = rig.send(ask("")).await;
    let card = answered.json();
    let interfaces = card["supportedInterfaces"].as_array().unwrap();
    let urls: Vec<_> =
        interfaces.iter().map(|one| (one["protocolBinding"].as_str().unwrap(), one["url"].as_str().unwrap())).collect();
    assert_eq!(
        urls,
        [
            ("JSONRPC", "http://studio.example:8080/a2a"),
            ("HTTP+JSON", "http://studio.example:8080/a2a/v1"),
            ("GRPC", "studio.example:8080")
        ]
    );
    assert!(interfaces.iter().all(|one| one["protocolVersion"] == "1.0"));
    assert_eq!(card["skills"].as_array().unwrap().len(), 6);
    assert_eq!(card["securityRequirements"][0]["schemes"]["bearer"]["list"], json!([]));
    for name in ["cache-control", "etag", "last-modified"] {
        assert!(answered.headers.contains_key(name), "{name}");
    }
    let again = rig.send(ask(answered.headers["etag"].to_str().unwrap())).await;
    assert_eq!((again.status.as_u16(), again.body.as_str()), (304, ""));
}

/// A request and what is wrong with it: status, code and reason.
struct RejectedRequest {
    request: Request<Body>,
    status: u16,
    code: i64,
    reason: &'static str,
}

#[tokio::test]
async fn json_rpc_refuses_as_the_protocol_says() {
    let rig = Rig::new().await;
    let post = |version: &str, kind: &str, body: &str| {
        let request = Request::post("/a2a/").header("a2a-version", version).header("content-type", kind);
        request.body(Body::from(body.to_owned())).unwrap()
    };
    let call = |method: &str, params: Value| {
        json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string()
    };
    let json = "application/json";
    let get = call("GetTask", json!({"id": "nobody"}));
    let wrong = |request, code, reason| RejectedRequest { request, status: 200, code, reason };
    for RejectedRequest { request, status, code, reason } in [
        wrong(post("1.0", json, &get), -32001, "TASK_NOT_FOUND"),
        wrong(post("99.0", json, &get), -32009, "VERSION_NOT_SUPPORTED"),
        wrong(post("", json, &get), -32009, "VERSION_NOT_SUPPORTED"),
        wrong(post("1.0", "text/plain", &get), -32005, "CONTENT_TYPE_NOT_SUPPORTED"),
        wrong(post("1.0", json, "{"), -32700, "PARSE_ERROR"),
        wrong(post("1.0", json, "{\"id\": 1}"), -32600, "INVALID_REQUEST"),
        wrong(post("1.0", json, &call("Dance", json!({}))), -32601, "METHOD_NOT_FOUND"),
        wrong(post("1.0", json, &call("GetTask", json!([]))), -32602, "INVALID_PARAMS"),
        wrong(post("1.0", json, &call("SendMessage", json!({}))), -32602, "INVALID_PARAMS"),
        wrong(post("1.0", json, &call("SendMessage", message(json!([]), json!({})))), -32602, "INVALID_PARAMS"),
        wrong(
            post("1.0", json, &call("SendMessage", message(json!([{"text": "x"}]), json!({"messageId": ""})))),
            -32602,
            "INVALID_PARAMS",
        ),
        wrong(post("1.0", json, &call("ListTasks", json!({"pageSize": 1000}))), -32602, "INVALID_PARAMS"),
        wrong(post("1.0", json, &call("SubscribeToTask", json!({"id": "nobody"}))), -32001, "TASK_NOT_FOUND"),
    ] {
        let answered = rig.send(request).await;
        let error = &answered.json()["error"];
        assert_eq!((answered.status.as_u16(), error["code"].as_i64()), (status, Some(code)), "{}", answered.body);
        let info = error["data"].as_array().unwrap().last().unwrap();
        assert_eq!((&info["reason"], &info["domain"]), (&json!(reason), &json!("a2a-protocol.org")));
    }
}

#[tokio::test]
async fn http_json_refuses_with_a_status_and_details() {
    let rig = Rig::new().await;
    for (method, path, body, status, name) in [
        ("GET", "/tasks/nobody", None, 404, "NOT_FOUND"),
        ("GET", "/somebodys/tasks/nobody", None, 404, "NOT_FOUND"),
        ("POST", "/tasks/nobody:cancel", None, 404, "NOT_FOUND"),
        ("GET", "/tasks/nobody:subscribe", None, 404, "NOT_FOUND"),
        ("GET", "/tasks?pageSize=101", None, 400, "INVALID_ARGUMENT"),
        ("POST", "/message:send", Some(json!({})), 400, "INVALID_ARGUMENT"),
        ("GET", "/tasks/nobody?A2A-Version=1.0", None, 404, "NOT_FOUND"),
    ] {
        let answered = rig.rest(method, path, body).await;
        let error = &answered.json()["error"];
        assert_eq!((answered.status.as_u16(), &error["status"]), (status, &json!(name)), "{}", answered.body);
        assert_eq!(error["code"], status);
        assert_eq!(error["details"][0]["@type"], "type.googleapis.com/google.rpc.ErrorInfo");
    }
    let bare = |version: &str, accept: &str| {
        let request = Request::get("/a2a/v1/tasks").header("a2a-version", version).header("accept", accept);
        request.body(Body::empty()).unwrap()
    };
    let unspoken = rig.send(bare("0.3", "*/*")).await;
    assert_eq!(
        (unspoken.status.as_u16(), &unspoken.json()["error"]["details"][0]["reason"]),
        (400, &json!("VERSION_NOT_SUPPORTED"))
    );
    for (accept, kind) in [("application/a2a+json", "application/a2a+json"), ("*/*", "application/json")] {
        assert_eq!(rig.send(bare("1.0", accept)).await.headers["content-type"], kind);
    }
    let text = Request::post("/a2a/v1/message:send").header("a2a-version", "1.0").header("content-type", "text/plain");
    let answered = rig.send(text.body(Body::from("{}")).unwrap()).await;
    assert_eq!(answered.json()["error"]["details"][0]["reason"], "CONTENT_TYPE_NOT_SUPPORTED");
}

#[tokio::test]
async fn who_is_not_known_is_asked_for_a_key() {
    let rig = Rig::new().await.asked_by_nobody();
    let answered = rig.rest("GET", "/tasks", None).await;
    assert_eq!((answered.status.as_u16(), &answered.json()["error"]["status"]), (401, &json!("UNAUTHENTICATED")));
    let card = Request::get("/.well-known/agent-card.json").body(Body::empty()).unwrap();
    assert_eq!(rig.send(card).await.status.as_u16(), 200);
}

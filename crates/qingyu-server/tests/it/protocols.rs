//! What the clients of other protocols meet before any route of theirs: keys, errors, pages.

use qingyu_studio::Right;
use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::examples::{answer, examples, request};
use crate::house::{House, home};
use crate::matrix::described;
use crate::web::web;

/// The status, the media type and the body of an error.
async fn told(answer: Response) -> (u16, String, Value) {
    let status = answer.status().as_u16();
    let kind = answer.headers()["content-type"].to_str().unwrap().to_owned();
    assert!(answer.headers().contains_key("x-request-id"));
    (status, kind, answer.json().await.unwrap())
}

#[tokio::test]
async fn a_placeholder_is_no_key_where_none_is_needed() {
    let home = home();
    let house = House::open(&home).await;
    let key = house.key("anna", Right::Read).await;
    let models = || house.get("/v1/models");
    for (shown, request, expected) in [
        ("nothing", models(), 200),
        ("a placeholder", models().bearer_auth("x"), 200),
        ("the key of another service", models().bearer_auth("sk-0123456789"), 200),
        ("one in the other header", house.get("/langgraph/ok").header("x-api-key", "lsv2_1"), 200),
        ("a wrong key of ours", models().bearer_auth("qy_nonsense"), 401),
        ("a key of ours", models().bearer_auth(&key), 200),
        // A page needs what only our own page is told.
        ("a placeholder from a page", models().bearer_auth("x").header("origin", house.url("")), 401),
    ] {
        assert_eq!(request.send().await.unwrap().status(), expected, "{shown}");
    }
    house.go().await;
}

#[tokio::test]
async fn beyond_this_machine_a_placeholder_is_refused() {
    let home = home();
    let (house, key) = House::guarded(&home).await;
    for (shown, expected) in [("x", 401), (key.as_str(), 200)] {
        let answer = house.get("/v1/models").bearer_auth(shown).send().await.unwrap();
        assert_eq!(answer.status(), expected, "{shown:.3}");
    }
    house.go().await;
}

#[tokio::test]
async fn errors_leave_in_the_format_of_their_protocol() {
    let home = home();
    let house = House::open(&home).await;
    let chat = "/v1/chat/completions";
    let large = json!({"model": "x".repeat((2 << 20) + 1), "messages": []});
    let posted = |path: &str, body: &str| {
        web().post(house.url(path)).header("content-type", "application/json").body(body.to_owned())
    };
    for (request, status, code) in [
        (house.get("/v1/models").bearer_auth("qy_nonsense"), 401, "unauthorized"),
        (house.get("/v1/nothing"), 404, "unknown_route"),
        (web().request(Method::DELETE, house.url("/v1/models")), 405, "method_not_allowed"),
        (house.get("/v1/models").header("host", "evil.example.com"), 403, "bad_host"),
        (posted(chat, "{"), 400, "invalid_value"),
        (house.post(chat, &large), 413, "too_large"),
        (house.get("/v1/models/gpt-4o"), 404, "model_not_found"),
    ] {
        let (found, kind, body) = told(request.send().await.unwrap()).await;
        let error = &body["error"];
        assert_eq!((found, kind.as_str(), &error["code"]), (status, "application/json", &json!(code)), "{body}");
        assert!(error["message"].is_string() && error["type"].is_string() && error.get("param").is_some(), "{body}");
    }
    for (request, status, code) in [
        (house.get("/langgraph/threads/x").bearer_auth("qy_nonsense"), 401, "unauthorized"),
        (house.get("/langgraph/nothing"), 404, "unknown_route"),
        (web().request(Method::DELETE, house.url("/langgraph/info")), 405, "method_not_allowed"),
        (house.get("/langgraph/info").header("origin", "http://evil.example.com"), 403, "bad_origin"),
        (posted("/langgraph/runs/wait", "{"), 400, "bad_json"),
        (posted("/langgraph/runs/wait", "[]"), 422, "bad_request"),
        (house.post("/langgraph/runs/wait", &large), 413, "too_large"),
        (web().post(house.url("/langgraph/threads")).body("{}"), 415, "bad_media_type"),
        (house.get("/langgraph/threads/p-none"), 404, "unknown_project"),
    ] {
        let (found, kind, body) = told(request.send().await.unwrap()).await;
        assert_eq!((found, kind.as_str()), (status, "application/json"), "{body}");
        let detail = body["detail"].as_str().unwrap_or_default();
        assert!(detail.starts_with(&format!("{code}: ")), "{body}");
    }
    house.go().await;
}

#[tokio::test]
async fn a_page_may_send_the_headers_its_client_sends() {
    let home = home();
    let house = House::with(&home, &[("server.origins", "[\"http://localhost:3000\"]")]).await;
    let preflight = async |origin: &'static str, headers: &'static str| {
        let request = web().request(Method::OPTIONS, house.url("/v1/chat/completions")).header("origin", origin);
        let request = request.header("access-control-request-method", "POST");
        request.header("access-control-request-headers", headers).send().await.unwrap()
    };
    let asked = "authorization,content-type,x-stainless-os,x-qingyu-project";
    let allowed = preflight("http://localhost:3000", asked).await;
    assert_eq!(
        (allowed.status().as_u16(), allowed.headers()["access-control-allow-headers"].to_str().unwrap()),
        (204, asked)
    );
    let varies: Vec<_> = allowed.headers().get_all("vary").iter().map(|value| value.to_str().unwrap()).collect();
    assert!(varies.join(",").contains("access-control-request-headers"), "{varies:?}");
    let usual = preflight("http://localhost:3000", "not a header").await;
    let usual = usual.headers()["access-control-allow-headers"].to_str().unwrap().to_owned();
    assert!(["x-qingyu-project", "a2a-version", "traceparent"].iter().all(|name| usual.contains(name)), "{usual}");
    let foreign = preflight("http://evil.example.com", asked).await;
    assert!(foreign.status() == 403 && !foreign.headers().contains_key("access-control-allow-headers"));
    house.go().await;
}

#[tokio::test]
async fn a_session_is_named_in_a_header_by_the_clients_of_any_protocol() {
    let home = home();
    let house = House::open(&home).await;
    let example = examples().into_iter().find(|example| example["name"] == "import_story").unwrap();
    let asked = request(&house, &described(&example["name"]), example["input"].clone());
    let project = answer("a story", asked).await["project"]["project"].as_str().unwrap().to_owned();
    let question = |words: &str| {
        let messages = json!([{"role": "user", "content": words}]);
        let asked = json!({"model": format!("qingyu@{project}"), "messages": messages});
        // Not every name is ASCII.
        house.post("/v1/chat/completions", &asked).header("x-qingyu-session", "夜谈".as_bytes())
    };
    for words in ["信封上是谁的笔迹？", "后来呢？"] {
        assert_eq!(question(words).send().await.unwrap().status(), 200, "{words}");
    }
    let session = "/api/v1/sessions/%E5%A4%9C%E8%B0%88";
    let turns = answer("the session", house.get(session)).await;
    let said: Vec<&str> = turns.as_array().unwrap().iter().map(|turn| turn["said"].as_str().unwrap()).collect();
    assert_eq!(said, ["信封上是谁的笔迹？", "后来呢？"]);
    let key = house.key("ben", Right::Write).await;
    assert_eq!(answer("of another user", house.get(session).bearer_auth(&key)).await, json!([]));
    assert_eq!(answer("it is forgotten", web().delete(house.url(session))).await, json!(2));
    house.go().await;
}

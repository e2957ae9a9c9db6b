//! Every operation and every route, asked for by those who may not: made from the lists of them, so that none is forgotten.

use std::path::Path;

use prost::Message;
use prost_types::FileDescriptorSet;
use qingyu_server::http::openapi;
use qingyu_studio::Right;
use qingyu_studio::operations::{self, OperationDescription};
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};

use crate::examples::{Names, answer, course, examples, request};
use crate::house::{House, home};
use crate::web::web;

/// What only Anna's texts say.
pub(crate) const CANARY: &str = "只有安娜知道的那座灯塔";
/// Nobody needs a key for these.
const OPEN: &[&str] =
    &["/livez", "/readyz", "/version", "/openapi.json", "/.well-known/agent-card.json", "/grpc.health.v1.Health/Check"];

pub(crate) fn described(name: &Value) -> OperationDescription {
    operations::all().into_iter().find(|described| *name == described.name).unwrap()
}

/// A book, a run, a production and a memory of the owner of `key`, under the names of the examples.
pub(crate) async fn belongings(house: &House, key: &str) -> Names {
    let begun = answer("a course", house.post("/api/v1/runs", &course()).bearer_auth(key)).await;
    wait(house, key, &begun).await;
    let mut known = Names::of_course(begun["project"].as_str().unwrap().to_owned());
    for mut example in examples() {
        let name = example["name"].as_str().unwrap().to_owned();
        if !["import_story", "start_run", "check_story", "remember", "begin_project"].contains(&name.as_str()) {
            continue;
        }
        match name.as_str() {
            "import_story" => {
                example["input"]["title"] = CANARY.into();
                example["input"]["file"]["story"]["premise"] = CANARY.into();
                example["input"]["file"]["story"]["documents"][0]["text"] = format!("{CANARY}。林青推开了门。").into();
            }
            "start_run" => example["input"]["start"]["requirement"] = format!("写一写{CANARY}").into(),
            "remember" => example["input"]["text"] = CANARY.into(),
            _ => {}
        }
        let asked = request(house, &described(&example["name"]), known.here(&example["input"])).bearer_auth(key);
        let told = answer(&name, asked).await;
        if name == "start_run" {
            wait(house, key, &told).await;
        }
        known.learn(&name, &told);
    }
    known
}

async fn wait(house: &House, key: &str, begun: &Value) {
    let path = format!("/api/v1/runs/{}/events", begun["run"].as_str().unwrap());
    house.get(&path).bearer_auth(key).send().await.unwrap().text().await.unwrap();
}

/// Everything that the owner of `key` has.
pub(crate) async fn everything(house: &House, key: &str) -> Vec<Value> {
    let mut all = Vec::new();
    for path in ["/projects", "/runs", "/memories"] {
        all.push(answer(path, house.get(&format!("/api/v1{path}")).bearer_auth(key)).await);
    }
    for project in all[0].as_array().unwrap().clone() {
        for part in ["view", "story", "changes", "branches"] {
            let path = format!("/api/v1/projects/{}/{part}", project["project"].as_str().unwrap());
            all.push(answer(&path, house.get(&path).bearer_auth(key)).await);
        }
    }
    all
}

/// The routes of the document beside the operations, with the names in them filled in.
fn beside(known: &Names) -> Vec<(Method, String)> {
    let document = openapi::document(None);
    let ours: Vec<&str> = operations::all().iter().map(|described| described.name).collect();
    let mut routes = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        let path = path.replace("{run}", "r-lighthouse").replace("{project}", "p-lighthouse");
        let path = known.here(&json!(path)).as_str().unwrap().to_owned();
        let beside = methods.as_object().unwrap().iter();
        let beside = beside.filter(|(_, operation)| !ours.contains(&operation["operationId"].as_str().unwrap()));
        routes.extend(beside.map(|(method, _)| (method.to_uppercase().parse().unwrap(), path.clone())));
    }
    routes
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_another_user_is_given_or_changed() {
    let home = home();
    let house = House::open(&home).await;
    let (anna, ben) = (house.key("anna", Right::Write).await, house.key("ben", Right::Write).await);
    let known = belongings(&house, &anna).await;
    let before = everything(&house, &anna).await;
    assert!(format!("{before:?}").contains(CANARY));
    for example in examples() {
        let described = described(&example["name"]);
        let asked = known.here(&example["input"]);
        let is_of_anna = asked != example["input"];
        let given = request(&house, &described, asked).bearer_auth(&ben).send().await.unwrap();
        let status = given.status();
        let text = given.text().await.unwrap();
        let name = described.name;
        assert!(!text.contains(CANARY), "{name}: {text}");
        if described.right > Right::Write {
            assert_eq!(status, StatusCode::FORBIDDEN, "{name}: {text}");
        } else if is_of_anna {
            assert_eq!(status, StatusCode::NOT_FOUND, "{name}: {text}");
            assert!(text.contains("\"code\":\"unknown_"), "{name}: {text}");
        } else {
            assert!(status.is_success(), "{name}: {status} {text}");
            assert!(known.all_here().all(|here| !text.contains(here)), "{name}: {text}");
        }
    }
    for (method, path) in beside(&known) {
        let given = web().request(method.clone(), house.url(&path)).bearer_auth(&ben).send().await.unwrap();
        assert_eq!(given.status(), StatusCode::NOT_FOUND, "{method} {path}");
        assert!(!given.text().await.unwrap().contains(CANARY), "{method} {path}");
    }
    assert_eq!(everything(&house, &anna).await, before);
    house.go().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_reads_is_refused_whatever_changes_anything() {
    let home = home();
    let house = House::open(&home).await;
    let (writes, reads) = (house.key("anna", Right::Write).await, house.key("anna", Right::Read).await);
    let known = belongings(&house, &writes).await;
    let before = everything(&house, &writes).await;
    refuses_what_is_above(&house, &known, Right::Read, &reads).await;
    assert_eq!(everything(&house, &writes).await, before);
    house.go().await;
}

#[tokio::test]
async fn a_key_that_comments_is_refused_whatever_else_changes_anything() {
    let home = home();
    let house = House::open(&home).await;
    let (writes, comments) = (house.key("anna", Right::Write).await, house.key("anna", Right::Comment).await);
    let known = belongings(&house, &writes).await;
    refuses_what_is_above(&house, &known, Right::Comment, &comments).await;
    house.go().await;
}

/// The book of an administrator, and a member of it with the role; gives the keys of both.
pub(crate) async fn with_member(house: &House, role: Right) -> (Names, String) {
    let chief = house.key("chief", Right::Admin).await;
    let known = belongings(house, &chief).await;
    let project = known.here(&json!("p-lighthouse"));
    let path = format!("/api/v1/projects/{}/members", project.as_str().unwrap());
    let asked = json!({"request": {"name": "林梅", "role": role}});
    let added = answer("a member", house.post(&path, &asked).bearer_auth(&chief)).await;
    assert_eq!((&added["name"], &added["role"]), (&json!("林梅"), &json!(role)));
    (known, added["secret"].as_str().unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn every_role_of_a_member_is_refused_what_is_above_it() {
    for role in [Right::Read, Right::Comment, Right::Suggest, Right::Write, Right::Approve] {
        let home = home();
        let house = House::open(&home).await;
        let (known, key) = with_member(&house, role).await;
        for example in examples() {
            let described = described(&example["name"]);
            let asked = request(&house, &described, known.here(&example["input"])).bearer_auth(&key);
            let given = asked.send().await.unwrap();
            let (name, status) = (described.name, given.status());
            let told = given.text().await.unwrap();
            if described.right > role {
                assert_eq!(status, StatusCode::FORBIDDEN, "{name} as {role:?}: {told}");
            } else if status == StatusCode::FORBIDDEN {
                assert!(told.contains("all_projects"), "{name} as {role:?}: {told}");
            }
        }
        house.go().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_door_lets_only_writing_members_begin_work() {
    for role in [Right::Read, Right::Comment, Right::Suggest, Right::Write, Right::Approve] {
        let home = home();
        let house = House::open(&home).await;
        let (known, key) = with_member(&house, role).await;
        let project = known.here(&json!("p-lighthouse")).as_str().unwrap().to_owned();
        let words = "第一章写了什么？";
        let messages = json!([{"role": "user", "content": words}]);
        let parts = json!([{"text": words}, {"data": {"skill": "task", "project": project}}]);
        for (path, body) in [
            ("/v1/chat/completions".to_owned(), json!({"model": format!("qingyu@{project}"), "messages": messages})),
            (
                "/agui".to_owned(),
                json!({"threadId": project, "runId": "u", "state": {}, "tools": [], "context": [], "forwardedProps": {},
                    "messages": [{"id": "1", "role": "user", "content": words}]}),
            ),
            (
                format!("/langgraph/threads/{project}/runs"),
                json!({"assistant_id": "task", "input": {"messages": messages}}),
            ),
            (
                "/a2a/v1/message:send".to_owned(),
                json!({"message": {"messageId": "m-1", "role": "ROLE_USER", "parts": parts},
                    "configuration": {"returnImmediately": true}}),
            ),
        ] {
            let asked = house.post(&path, &body).bearer_auth(&key).header("a2a-version", "1.0");
            let given = asked.send().await.unwrap();
            let is_refused = given.status() == StatusCode::FORBIDDEN;
            assert_eq!(is_refused, role < Right::Write, "{path} as {role:?}: {}", given.status());
        }
        house.go().await;
    }
}

async fn refuses_what_is_above(house: &House, known: &Names, right: Right, key: &str) {
    for example in examples() {
        let described = described(&example["name"]);
        let asked = request(house, &described, known.here(&example["input"])).bearer_auth(key);
        let status = asked.send().await.unwrap().status();
        let is_refused = status == StatusCode::FORBIDDEN;
        assert_eq!(is_refused, described.right > right, "{}: {status}", described.name);
    }
}

/// Every route of every door, as a request of its method.
pub(crate) fn routes(house: &House) -> Vec<(String, RequestBuilder)> {
    let mut routes = Vec::new();
    let mut add = |method: Method, path: &str| {
        let filled = path.split('/').map(|part| if part.starts_with('{') { "x" } else { part });
        let path = filled.collect::<Vec<_>>().join("/");
        let request = web().request(method.clone(), house.url(&path));
        routes.push((format!("{method} {path}"), request));
    };
    let document = openapi::document(None);
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            add(method.to_uppercase().parse().unwrap(), path);
        }
    }
    for (door, prefix) in [("agui", ""), ("openai", ""), ("langgraph", "/langgraph"), ("mcp", "")] {
        for path in written(door) {
            for method in [Method::GET, Method::POST, Method::DELETE] {
                add(method, &format!("{prefix}{path}"));
            }
        }
    }
    add(Method::GET, "/metrics");
    for path in ["/a2a", "/a2a/v1/message:send", "/a2a/v1/tasks", "/a2a/v1/x/tasks/x", "/a2a/v1/extendedAgentCard"] {
        add(Method::POST, path);
    }
    let services = FileDescriptorSet::decode(qingyu_grpc::DESCRIPTOR).unwrap();
    for file in &services.file {
        for service in &file.service {
            for method in &service.method {
                add(Method::POST, &format!("/{}.{}/{}", file.package(), service.name(), method.name()));
            }
        }
    }
    add(Method::POST, "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo");
    add(Method::POST, "/lf.a2a.v1.A2AService/ListTasks");
    routes
}

/// The paths that stand in the code of a door.
pub(crate) fn written(door: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(door)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let code = std::fs::read_to_string(path).unwrap();
                let named = code.split(".route(\"").skip(1).filter_map(|rest| rest.split('"').next());
                paths.extend(named.map(str::to_owned));
            }
        }
    }
    assert!(!paths.is_empty(), "{door} has no routes");
    paths
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_gets_in_without_a_key_that_holds() {
    let home = home();
    let (house, key) = House::guarded(&home).await;
    let cut = &key[..key.len() - 1];
    let other = format!("{cut}{}", if key.ends_with('a') { 'b' } else { 'a' });
    let mut count = 0;
    for (name, request) in routes(&house) {
        let is_grpc = name.contains("/qingyu.v1") || name.contains("/grpc.") || name.contains("/lf.a2a");
        let kind = if is_grpc { "application/grpc" } else { "application/json" };
        let request = request.header("content-type", kind);
        let with = |request: RequestBuilder, header: &str, value: &str| request.header(header, value);
        for (shown, request) in [
            ("nothing", request.try_clone().unwrap()),
            ("no key", with(request.try_clone().unwrap(), "authorization", "Bearer qy_nonsense")),
            ("a cut key", with(request.try_clone().unwrap(), "x-api-key", cut)),
            ("another key", with(request.try_clone().unwrap(), "authorization", &format!("Bearer {other}"))),
            ("a key in another way", with(request.try_clone().unwrap(), "authorization", &format!("Basic {key}"))),
        ] {
            let given = request.send().await.unwrap();
            let refused = match is_grpc {
                true => given.headers().get("grpc-status").is_some_and(|status| status == "16"),
                // The paths in the code are asked for with every method.
                false if given.status() == StatusCode::METHOD_NOT_ALLOWED => true,
                false => given.status() == StatusCode::UNAUTHORIZED && given.headers().contains_key("www-authenticate"),
            };
            assert!(refused, "{name} with {shown}: {given:?}");
        }
        count += 1;
    }
    assert!(count > 100, "only {count} routes");
    for path in OPEN.iter().filter(|path| !path.contains("grpc")) {
        assert!(house.get(path).send().await.unwrap().status().is_success(), "{path}");
    }
    for (header, value) in [("authorization", format!("Bearer {key}")), ("x-api-key", key.clone())] {
        let given = house.get("/api/v1/projects").header(header, value).send().await.unwrap();
        assert_eq!(given.status(), StatusCode::OK, "{header}");
    }
    house.go().await;
}

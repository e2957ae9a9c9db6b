//! The examples of the workspace's routes: each is asked as it says, on a server of its own, and what is answered fits the
//! document.
//!
//! With `QINGYU_UPDATE_FILES` in the environment the answers are put into the file of the examples.

use std::collections::BTreeSet;

use qingyu_server::http::openapi;
use qingyu_studio::StoryFile;
use serde_json::{Map, Value, json};

use crate::examples::{escaped, fits, query, short};
use crate::house::{House, home};
use crate::web::web;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/workspace/examples.json");
/// The project of the examples, as it is called there.
const PROJECT: &str = "p-lighthouse";

fn story() -> StoryFile {
    let story = serde_json::from_str(include_str!("workspace_story.json")).unwrap();
    StoryFile { story, unknown: Vec::new() }
}

#[tokio::test]
async fn every_route_of_a_workspace_answers_its_example() {
    let mut examples: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(FILE).unwrap()).unwrap();
    let document = openapi::document(None);
    let of_workspace = |operation: &Value| operation["tags"] == json!(["workspace"]);
    let mut routes = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, _) in methods.as_object().unwrap().iter().filter(|(_, operation)| of_workspace(operation)) {
            routes.insert(format!("{method} {}", path.strip_prefix("/api/v1").unwrap()));
        }
    }
    let named =
        |example: &Value| format!("{} {}", example["method"].as_str().unwrap(), example["path"].as_str().unwrap());
    assert_eq!(examples.iter().map(named).collect::<BTreeSet<_>>(), routes, "an example for each route");

    let home = home();
    let house = House::open(&home).await;
    let project = house.studio.import(story(), None).await.unwrap().project.project;
    for example in &mut examples {
        let name = named(example);
        let answer = ask(&house, example, &project).await;
        let path = format!("/api/v1{}", example["path"].as_str().unwrap());
        let responses = &document["paths"][&path][example["method"].as_str().unwrap()]["responses"];
        fits(&document, &responses["200"]["content"]["application/json"]["schema"], &answer, &name);
        if std::env::var_os("QINGYU_UPDATE_FILES").is_some() {
            let text = short(&answer).to_string().replace(&project, PROJECT);
            example["answer"] = serde_json::from_str(&text).unwrap();
        }
        fits(&document, &responses["200"]["content"]["application/json"]["schema"], &example["answer"], &name);
    }
    house.go().await;
    if std::env::var_os("QINGYU_UPDATE_FILES").is_some() {
        let lines: Vec<String> = examples.iter().map(Value::to_string).collect();
        std::fs::write(FILE, format!("[\n{}\n]\n", lines.join(",\n"))).unwrap();
    }
}

async fn ask(house: &House, example: &Value, project: &str) -> Value {
    let mut path = format!("/api/v1{}", example["path"].as_str().unwrap()).replace("{project}", project);
    for (name, value) in example["params"].as_object().into_iter().flatten() {
        path = path.replace(&format!("{{{name}}}"), &escaped(value.as_str().unwrap()));
    }
    let method = example["method"].as_str().unwrap().to_uppercase();
    let nothing = Map::new();
    let asked = query(example["query"].as_object().unwrap_or(&nothing));
    let mut request = web().request(method.parse().unwrap(), house.url(&path)).query(&asked);
    for (name, value) in example["headers"].as_object().into_iter().flatten() {
        request = request.header(name, value.as_str().unwrap());
    }
    if let Some(body) = example.get("body") {
        request = request.json(body);
    }
    let answer = request.send().await.unwrap();
    let status = answer.status();
    let text = answer.text().await.unwrap();
    assert!(status.is_success(), "{method} {path}: {status} {text}");
    serde_json::from_str(&text).unwrap()
}

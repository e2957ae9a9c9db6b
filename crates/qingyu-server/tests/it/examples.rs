//! The examples of the OpenAPI document: each operation is asked for as its example says, on a server of its own, and what is
//! answered fits the document.
//!
//! With `QINGYU_UPDATE_FILES` in the environment the answers are put into the file of the examples.

use std::path::Path;
use std::time::Duration;

use qingyu_server::http::openapi;
use qingyu_studio::operations::{self, Method, OperationDescription};
use reqwest::RequestBuilder;
use serde_json::{Map, Value, json};

use crate::house::{House, home};
use crate::web::web;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/http/openapi/examples.json");

/// What ids of the examples stand for: in the answer to which operation, and where there.
const GIVEN: &[(&str, &str, &str)] = &[
    ("import_story", "/project/project", "p-lighthouse"),
    ("start_run", "/run", "r-lighthouse"),
    ("start_run", "/project", "p-letter"),
    ("check_story", "/findings/0/issue/id", "QY911-e81e91"),
    ("remember", "/id", "m-exclamation"),
    ("begin_project", "/project", "p-brass-key"),
    ("begin_sample", "/project", "p-sample"),
    ("make_key", "/key", "k-reader"),
    ("add_member", "/key", "k-mei"),
];
const COURSE: &str = "p-course";

/// How much of a list and of a text stands in an example.
const ITEMS: usize = 2;
const CHARACTERS: usize = 160;
/// When everything in the examples happens, and where.
const THEN: &str = "2026-11-23T08:30:00Z";
const FOLDER: &str = "/srv/qingyu";

/// The ids of the examples, and what they are on this server.
pub(crate) struct Names(Vec<(String, String)>);

impl Names {
    /// Those of which only a production is known.
    pub(crate) fn of_course(course: String) -> Self {
        Self(vec![(COURSE.to_owned(), course)])
    }

    /// What is here for the ids of examples.
    pub(crate) fn all_here(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(_, here)| here.as_str())
    }

    /// What is asked here if the example asks this.
    pub(crate) fn here(&self, asked: &Value) -> Value {
        self.replaced(asked, |(example, here)| (example, here))
    }

    /// What stands in the example if this is answered here.
    fn in_example(&self, answered: &Value) -> Value {
        self.replaced(answered, |(example, here)| (here, example))
    }

    fn replaced(&self, value: &Value, way: impl Fn(&(String, String)) -> (&String, &String)) -> Value {
        let text = self.0.iter().map(way).fold(value.to_string(), |text, (from, to)| text.replace(from, to));
        serde_json::from_str(&text).unwrap()
    }

    /// Learns what the answer to an example names.
    pub(crate) fn learn(&mut self, operation: &str, answer: &Value) {
        for (_, pointer, example) in GIVEN.iter().filter(|(of, ..)| *of == operation) {
            let here = answer.pointer(pointer).and_then(Value::as_str);
            let here = here.unwrap_or_else(|| panic!("{operation} has no {pointer}: {answer}"));
            self.0.push(((*example).to_owned(), here.to_owned()));
        }
    }
}

#[tokio::test]
async fn every_operation_answers_its_example() {
    let mut examples = examples();
    let document = openapi::document(None);
    let all = operations::all();
    let names = |of: &mut dyn Iterator<Item = &str>| {
        let mut names: Vec<String> = of.map(str::to_owned).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(
        names(&mut examples.iter().filter_map(|example| example["name"].as_str())),
        names(&mut all.iter().map(|described| described.name)),
        "one example for each operation"
    );

    let home = home();
    // Mirrors are written when an example asks for them, and not beside.
    let mirrors = format!("[mirror]\nfolder = {:?}\non = false\n", home.path().join("mirrors"));
    std::fs::write(home.path().join("config.toml"), mirrors).unwrap();
    let house = House::open(&home).await;
    let folder = home.path().to_str().unwrap().to_owned();
    let begun = answer("a course", house.post("/api/v1/runs", &course())).await;
    house.follow(begun["run"].as_str().unwrap(), 0).await;
    let mut known = Names::of_course(begun["project"].as_str().unwrap().to_owned());
    known.0.push((FOLDER.to_owned(), folder));
    for example in &mut examples {
        let described = all.iter().find(|described| example["name"] == described.name).unwrap();
        let answer = answer(described.name, request(&house, described, known.here(&example["input"]))).await;
        known.learn(described.name, &answer);
        if described.name == "start_run" {
            house.follow(answer["run"].as_str().unwrap(), 0).await;
        }
        let schema = answered(&document, described);
        fits(&document, schema, &answer, described.name);
        if std::env::var_os("QINGYU_UPDATE_FILES").is_some() {
            example["output"] = known.in_example(&short(&answer));
        }
        fits(&document, schema, &example["output"], described.name);
    }
    house.go().await;
    if std::env::var_os("QINGYU_UPDATE_FILES").is_some() {
        let lines: Vec<String> = examples.iter().map(Value::to_string).collect();
        std::fs::write(Path::new(FILE), format!("[\n{}\n]\n", lines.join(",\n"))).unwrap();
    }
}

/// Begins a production of which some fields are there when its run has ended.
pub(crate) fn course() -> Value {
    let premise = "为独立开发者写一门关于定价的短课程";
    json!({"start": {"kind": "produce", "premise": premise, "autonomy": [["all", "auto"]]}})
}

/// The examples, in their order.
pub(crate) fn examples() -> Vec<Value> {
    serde_json::from_str(&std::fs::read_to_string(FILE).unwrap()).unwrap()
}

/// What is asked, as a request.
pub(crate) fn request(house: &House, described: &OperationDescription, asked: Value) -> RequestBuilder {
    let Value::Object(mut asked) = asked else { panic!("{}: {asked}", described.name) };
    let mut path = format!("/api/v1{}", described.path);
    for field in described.path_fields() {
        let value = asked.remove(field).unwrap_or_else(|| panic!("{} needs {field}", described.name));
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        path = path.replace(&format!("{{{field}}}"), &escaped(&value));
    }
    match described.method {
        Method::Get => web().get(house.url(&path)).query(&query(&asked)),
        Method::Delete => web().delete(house.url(&path)).query(&query(&asked)),
        Method::Post => web().post(house.url(&path)).json(&asked),
        Method::Put => web().put(house.url(&path)).json(&asked),
        Method::Patch => web().patch(house.url(&path)).json(&asked),
    }
}

/// What is answered, which must be no refusal.
pub(crate) async fn answer(name: &str, request: RequestBuilder) -> Value {
    let answer = request.timeout(Duration::from_secs(60)).send().await.unwrap();
    let status = answer.status();
    let text = answer.text().await.unwrap();
    assert!(status.is_success(), "{name}: {status} {text}");
    serde_json::from_str(&text).unwrap()
}

/// A part of a path, with what is no letter or digit escaped.
pub(crate) fn escaped(part: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-' || *byte == b'_';
    part.bytes().map(|byte| if plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

pub(crate) fn query(asked: &Map<String, Value>) -> Vec<(&str, String)> {
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let all = |value: &Value| match value {
        Value::Array(values) => values.iter().map(plain).collect(),
        value => vec![plain(value)],
    };
    asked.iter().flat_map(|(name, value)| all(value).into_iter().map(move |value| (name.as_str(), value))).collect()
}

/// The schema of what the document says is answered.
fn answered<'d>(document: &'d Value, described: &OperationDescription) -> &'d Value {
    let method = described.method.name().to_lowercase();
    let responses = &document["paths"][format!("/api/v1{}", described.path)][method]["responses"];
    let done = responses.get("200").or_else(|| responses.get("201")).unwrap();
    &done["content"]["application/json"]["schema"]
}

pub(crate) fn fits(document: &Value, schema: &Value, value: &Value, name: &str) {
    // Where anything fits, the schema is only a `true`.
    let Value::Object(mut schema) = schema.clone() else { return };
    schema.insert("components".into(), document["components"].clone());
    let validator = jsonschema::validator_for(&Value::Object(schema)).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{name}: {errors:#?}\n{value}");
}

/// The beginning of lists and texts, and always the same time.
pub(crate) fn short(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().take(ITEMS).map(short).collect(),
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), short(value))).collect(),
        Value::String(text) if text.parse::<jiff::Timestamp>().is_ok() => Value::String(THEN.to_owned()),
        Value::String(text) if text.chars().count() > CHARACTERS => {
            let beginning: String = text.chars().take(CHARACTERS - 1).collect();
            Value::String(beginning + "…")
        }
        value => value.clone(),
    }
}

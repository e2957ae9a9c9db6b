//! The OpenAPI 3.1 document of the API, generated from the operations of the studio.

use axum::Json;
use axum::extract::State as Shared;
use axum::http::{HeaderValue, header};
use axum::response::IntoResponse;
use qingyu_client::ProblemDocument;
use qingyu_studio::operations::{self, Method, OperationDescription};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::ServerState;
use crate::workspace;

/// Paths besides the operations: streams and downloads.
const BESIDE: &str = include_str!("openapi/beside.json");
/// Example requests and responses, in an executable order. `tests/it/examples.rs` runs the list.
const EXAMPLES: &str = include_str!("openapi/examples.json");

pub(super) async fn serve(Shared(state): Shared<ServerState>) -> impl IntoResponse {
    let url = state.settings().public_url.clone();
    let kind = (header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    ([kind], Json(document(url.as_deref())))
}

/// Returns the document; `url` is the public address of the server, if different from the request's address.
pub fn document(url: Option<&str>) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = settings.into_generator();
    let problem = generator.subschema_for::<ProblemDocument>();
    let examples: Vec<Value> = serde_json::from_str(EXAMPLES).expect("it is compiled in");
    let mut paths: Map<String, Value> = Map::new();
    for described in operations::all() {
        let example = examples.iter().find(|example| example["name"] == described.name);
        let operation = operation(&described, example, &mut generator);
        let path = paths.entry(format!("/api/v1{}", described.path)).or_insert_with(|| json!({}));
        path[described.method.name().to_lowercase()] = operation;
    }
    let beside: Map<String, Value> = serde_json::from_str(BESIDE).expect("it is compiled in");
    paths.extend(beside);
    for (path, methods) in workspace::paths(&mut generator) {
        let Value::Object(methods) = methods else { continue };
        let known = paths.entry(path).or_insert_with(|| json!({}));
        known.as_object_mut().expect("paths hold objects").extend(methods);
    }
    let mut schemas = generator.take_definitions(true);
    schemas.insert("Problem".into(), problem.to_value());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Qingyu",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Projects, stories, runs and content of Qingyu. Every failure is a problem document (RFC 9457) with a stable `code`.",
            "license": {"name": "Apache-2.0 OR MIT", "identifier": "Apache-2.0 OR MIT"},
        },
        "servers": [{"url": url.unwrap_or("/")}],
        "security": [{"key": []}, {}],
        "tags": tags(),
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer", "description": "A key of `qingyu keys make`. On the machine of the server none is needed."}},
            "responses": {"Problem": {
                "description": "What went wrong.",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}},
            }},
        },
    })
}

fn tags() -> Value {
    let mut names: Vec<&str> = operations::all().iter().map(|described| tag(described.path)).collect();
    names.push(workspace::TAG);
    names.sort_unstable();
    names.dedup();
    names.into_iter().map(|name| json!({"name": name})).collect()
}

/// Returns the tag of a path: the first segment not a parameter; default `projects`.
fn tag(path: &'static str) -> &'static str {
    let mut segments = path.split('/').filter(|segment| !segment.is_empty() && !segment.starts_with('{'));
    segments.next().unwrap_or("projects")
}

fn operation(described: &OperationDescription, example: Option<&Value>, generator: &mut SchemaGenerator) -> Value {
    let input = (described.input)(generator).to_value();
    let output = (described.output)(generator).to_value();
    let properties = input.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let required: Vec<&str> =
        input.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let in_path: Vec<&str> = described.path_fields().collect();
    let asked = example.and_then(|example| example.get("input"));
    let parameter = |name: &str, place: &str, schema: &Value| {
        let mut parameter = json!({
            "name": name,
            "in": place,
            "required": place == "path" || required.contains(&name),
            "description": schema["description"],
            "schema": without_description(schema),
        });
        if let Some(value) = asked.and_then(|asked| asked.get(name)) {
            parameter["example"] = value.clone();
        }
        parameter
    };
    let mut parameters: Vec<Value> =
        in_path.iter().map(|name| parameter(name, "path", properties.get(*name).unwrap_or(&Value::Null))).collect();
    let mut operation = json!({
        "operationId": described.name,
        "summary": described.about.trim(),
        "tags": [tag(described.path)],
        "x-right": described.right.name(),
        "responses": responses(described, &output, example.and_then(|example| example.get("output"))),
    });
    let rest = properties.iter().filter(|(name, _)| !in_path.contains(&name.as_str()));
    if described.method.has_body() {
        let rest: Map<String, Value> = rest.map(|(name, schema)| (name.clone(), schema.clone())).collect();
        let required: Vec<&str> = required.into_iter().filter(|name| !in_path.contains(name)).collect();
        let is_needed = !required.is_empty();
        let mut content = json!({"schema": {"type": "object", "properties": rest, "required": required}});
        if let Some(Value::Object(asked)) = asked {
            let body: Map<String, Value> = asked
                .iter()
                .filter(|(name, _)| !in_path.contains(&name.as_str()))
                .map(|(n, v)| (n.clone(), v.clone()))
                .collect();
            content["example"] = Value::Object(body);
        }
        operation["requestBody"] = json!({"required": is_needed, "content": {"application/json": content}});
    } else {
        parameters.extend(rest.map(|(name, schema)| parameter(name, "query", schema)));
    }
    if described.method == Method::Post {
        parameters.push(json!({
            "name": "Idempotency-Key",
            "in": "header",
            "description": "Does this once however often it is sent: for 24 hours the same key is answered the same, with `Idempotency-Replayed: true`. 409 while it is worked on, 422 for another request with the same key.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
        }));
    }
    operation["parameters"] = Value::Array(parameters);
    operation
}

/// Returns the OpenAPI links from a response to further operations.
fn links(name: &str) -> Value {
    let link = |id: &str, field: &str, place: &str| {
        (id.to_owned(), json!({"operationId": id, "parameters": {field: format!("$response.body#/{place}")}}))
    };
    let of_run = ["read_run", "find_run", "read_events", "cancel_run"];
    let of_project = ["show_project", "read_chapter", "check_story", "read_statistics", "list_changes"];
    let of_memory = ["edit_memory", "forget_memory"];
    let links: Map<String, Value> = match name {
        "start_run" => of_run.iter().map(|id| link(id, "run", "run")).collect(),
        "list_runs" => of_run.iter().map(|id| link(id, "run", "0/run")).collect(),
        "import_story" => of_project.iter().map(|id| link(id, "project", "project/project")).collect(),
        "list_projects" => of_project.iter().map(|id| link(id, "project", "0/project")).collect(),
        "remember" => of_memory.iter().map(|id| link(id, "memory", "id")).collect(),
        _ => Map::new(),
    };
    Value::Object(links)
}

fn without_description(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Value::Object(fields) = &mut schema {
        fields.remove("description");
    }
    schema
}

fn responses(described: &OperationDescription, output: &Value, example: Option<&Value>) -> Value {
    let status = if described.name == "start_run" { "201" } else { "200" };
    let mut content = json!({"schema": output});
    if let Some(example) = example {
        content["example"] = example.clone();
    }
    let problem = json!({"$ref": "#/components/responses/Problem"});
    let mut responses = json!({});
    responses[status] = json!({"description": "Done.", "content": {"application/json": content}});
    if status == "201" {
        let location = json!({"description": "The run.", "schema": {"type": "string"}});
        responses[status]["headers"] = json!({"Location": location});
    }
    responses[status]["links"] = links(described.name);
    for status in ["400", "401", "402", "403", "404", "409", "413", "415", "422", "429", "500", "502", "503", "507"] {
        responses[status] = problem.clone();
    }
    responses
}

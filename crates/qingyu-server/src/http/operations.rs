//! The routes of the API, one per operation of the studio.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, RawPathParams, RawQuery, Request, State as Shared};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{self, MethodRouter};
use axum::{Json, Router};
use qingyu_studio::operations::{self, Method, OperationDescription};
use qingyu_studio::{IdempotentOutcome, Studio};
use serde_json::{Map, Value};

use super::listen::Peer;
use super::{HttpCaller, HttpProblem, ServerState, audit};

/// The request header making an operation idempotent; `idempotency-replayed` marks a replayed response.
const KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
const LONGEST_KEY: usize = 255;

/// The operations whose responses are never stored, neither by the studio nor for replay.
const TOLD_ONCE: &[&str] = &["make_key", "add_member"];

/// The operations that are sent a whole manuscript, with a higher size limit.
const MANUSCRIPTS: [&str; 2] = ["import_manuscript", "tear_down"];

/// Returns the routes of all operations except those that are sent a manuscript.
pub(super) fn routes(_: &ServerState) -> Router<ServerState> {
    let described = operations::all().into_iter().filter(|described| !MANUSCRIPTS.contains(&described.name));
    described.fold(Router::new(), |router, described| router.route(described.path, route(described)))
}

/// Returns the routes that are sent a manuscript.
pub(super) fn manuscripts(_: &ServerState) -> Router<ServerState> {
    let described = operations::all().into_iter().filter(|described| MANUSCRIPTS.contains(&described.name));
    described.fold(Router::new(), |router, described| router.route(described.path, route(described)))
}

fn route(described: OperationDescription) -> MethodRouter<ServerState> {
    // Computed on first use: the schemas of all operations touch most of the program, wasting memory in an idle server.
    let asked = Arc::new(LazyLock::new(move || OperationFields::of(&described)));
    let handler =
        move |caller: HttpCaller, Shared(state): Shared<ServerState>, path: RawPathParams, request: Request| {
            let asked = Arc::clone(&asked);
            async move { carry_out(described, &asked, caller, &state, path, request).await }
        };
    match described.method {
        Method::Get => routing::get(handler),
        Method::Post => routing::post(handler),
        Method::Put => routing::put(handler),
        Method::Patch => routing::patch(handler),
        Method::Delete => routing::delete(handler),
    }
}

async fn carry_out(
    described: OperationDescription,
    asked: &OperationFields,
    caller: HttpCaller,
    state: &ServerState,
    path: RawPathParams,
    request: Request,
) -> Result<Response, HttpProblem> {
    caller.demand(described.right)?;
    let key = key(request.headers())?;
    let peer = request.extensions().get::<Peer>().copied();
    let starts = described.name == "start_run";
    let mut values = if described.method.has_body() {
        body(request, state).await?
    } else {
        asked.query(RawQuery::from_request(request, state).await.ok().and_then(|RawQuery(query)| query).as_deref())?
    };
    for (name, value) in &path {
        values.insert(name.to_owned(), asked.value(name, value)?);
    }
    let asked = Value::Object(values);
    let object = audit::object(&asked);
    let answered = match (key, described.method) {
        (Some(key), Method::Post) if !TOLD_ONCE.contains(&described.name) => {
            once(described, caller.0.clone(), asked, &key).await
        }
        _ => described.call(caller.0.clone(), asked).await.map(|answer| (answer, false)).map_err(HttpProblem::from),
    };
    if audit::is_kept(&described) {
        let made = answered.as_ref().ok().and_then(|(answer, _)| audit::object(answer));
        let object = object.or(made).unwrap_or_default();
        audit::record(&caller.0, described.name, &object, &answered, peer).await;
    }
    let (answer, is_again) = answered?;
    let mut response = if starts { started(answer) } else { Json(answer).into_response() };
    if is_again {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}

/// Returns the idempotency key of a request.
fn key(headers: &HeaderMap) -> Result<Option<String>, HttpProblem> {
    let Some(key) = headers.get(&KEY) else { return Ok(None) };
    let is_plain =
        |key: &&str| (1..=LONGEST_KEY).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    let key = key.to_str().ok().filter(is_plain);
    let refused = || {
        let message = format!("`Idempotency-Key` must be 1 to {LONGEST_KEY} letters, digits or marks");
        HttpProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_idempotency_key", message)
    };
    key.map(|key| Some(key.to_owned())).ok_or_else(refused)
}

/// Returns the response to a request with a key, and whether the response is a replay.
async fn once(
    described: OperationDescription,
    studio: Studio,
    asked: Value,
    key: &str,
) -> Result<(Value, bool), HttpProblem> {
    match studio.call_once(described, asked, key).await? {
        IdempotentOutcome::Answered { answer, is_again } => Ok((answer, is_again)),
        IdempotentOutcome::AtWork => {
            let busy =
                HttpProblem::new(StatusCode::CONFLICT, "request_at_work", "the request with this key is worked on");
            Err(busy.retry_after(1))
        }
        IdempotentOutcome::OtherRequest => {
            let message = "this `Idempotency-Key` was used for another request";
            Err(HttpProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "idempotency_mismatch", message))
        }
    }
}

/// Returns 201 with the URI of the run.
fn started(answer: Value) -> Response {
    let address = answer["run"].as_str().and_then(|run| HeaderValue::from_str(&format!("/api/v1/runs/{run}")).ok());
    let mut response = (StatusCode::CREATED, Json(answer)).into_response();
    if let Some(address) = address {
        response.headers_mut().insert(header::LOCATION, address);
    }
    response
}

/// Parses the request body as an object; an empty body is an empty object.
pub(crate) async fn body(request: Request, state: &ServerState) -> Result<Map<String, Value>, HttpProblem> {
    let is_empty = request.headers().get(header::CONTENT_LENGTH).is_some_and(|length| length == "0")
        || (!request.headers().contains_key(header::CONTENT_LENGTH)
            && !request.headers().contains_key(header::TRANSFER_ENCODING)
            && !request.headers().contains_key(header::CONTENT_TYPE));
    if is_empty {
        return Ok(Map::new());
    }
    match Json::<Value>::from_request(request, state).await {
        Ok(Json(Value::Object(values))) => Ok(values),
        Ok(Json(_)) => {
            Err(HttpProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_request", "the body must be an object"))
        }
        Err(rejection) => Err(rejected(&rejection)),
    }
}

fn rejected(rejection: &JsonRejection) -> HttpProblem {
    let code = match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => "too_large",
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "bad_media_type",
        _ => "bad_json",
    };
    HttpProblem::new(rejection.status(), code, rejection.body_text())
}

/// The field types of an operation, since paths and queries contain only strings.
struct OperationFields {
    types: HashMap<String, QueryType>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum QueryType {
    Word,
    Number,
    Truth,
    /// A list of strings, sent as repeated parameters.
    List,
}

impl OperationFields {
    fn of(described: &OperationDescription) -> Self {
        let mut generator = schemars::SchemaGenerator::default();
        let schema = (described.input)(&mut generator);
        let definitions = generator.take_definitions(false);
        let properties = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
        let typed = |(name, schema): (String, Value)| (name, type_of(&schema, &definitions));
        Self { types: properties.into_iter().map(typed).collect() }
    }

    /// Parses a query. Unknown parameters are ignored.
    fn query(&self, query: Option<&str>) -> Result<Map<String, Value>, HttpProblem> {
        let mut values = Map::new();
        for (name, value) in url::form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
            let value = match self.types.get(&*name) {
                None => continue,
                Some(QueryType::List) => match values.remove(&*name) {
                    Some(Value::Array(mut before)) => {
                        before.push(value.into());
                        Value::Array(before)
                    }
                    _ => Value::Array(vec![value.into()]),
                },
                Some(_) => self.value(&name, &value)?,
            };
            values.insert(name.into_owned(), value);
        }
        Ok(values)
    }

    /// Parses a string as the field's type.
    fn value(&self, name: &str, word: &str) -> Result<Value, HttpProblem> {
        let value = match self.types.get(name) {
            Some(QueryType::Number) => word.parse().ok().map(Value::Number),
            Some(QueryType::Truth) => word.parse().ok().map(Value::Bool),
            Some(QueryType::Word | QueryType::List) | None => Some(word.into()),
        };
        value.ok_or_else(|| {
            let message = format!("the request does not fit at {name}: `{word}` is not of the right type");
            let problem = HttpProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_request", message);
            problem.with("path", name).with("message", "it is not of the right type")
        })
    }
}

/// Returns the type of a field by its schema; `null` as an alternative only makes the field optional.
fn type_of(schema: &Value, definitions: &Map<String, Value>) -> QueryType {
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        let name = name.rsplit('/').next().unwrap_or_default();
        return definitions.get(name).map_or(QueryType::Word, |schema| type_of(schema, definitions));
    }
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => {
            let any = schema.get("anyOf").and_then(Value::as_array);
            let first = any.and_then(|any| any.iter().find(|schema| schema["type"] != "null"));
            return first.map_or(QueryType::Word, |schema| type_of(schema, definitions));
        }
    };
    match types.iter().find(|name| **name != "null") {
        Some(&"integer" | &"number") => QueryType::Number,
        Some(&"boolean") => QueryType::Truth,
        Some(&"array") => QueryType::List,
        _ => QueryType::Word,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn asked(name: &str) -> OperationFields {
        OperationFields::of(&operations::all().into_iter().find(|described| described.name == name).unwrap())
    }

    #[test]
    fn words_of_addresses_have_the_types_of_their_fields() {
        let query = |name: &str, query: &str| asked(name).query(Some(query)).map(Value::Object);
        assert_eq!(query("read_story", "change=7&other=1").unwrap(), json!({"change": 7}));
        assert_eq!(query("check_story", "only=QY1&only=QY2").unwrap(), json!({"only": ["QY1", "QY2"]}));
        assert_eq!(query("list_memories", "words=%E7%81%AF+x").unwrap(), json!({"words": "灯 x"}));
        assert_eq!(query("read_graph", "most=3").unwrap(), json!({"most": 3}));
        let refused = query("read_story", "change=seven").unwrap_err();
        assert_eq!((refused.document().status, &*refused.document().code), (422, "bad_request"));
    }

    #[test]
    fn numbers_of_paths_are_numbers() {
        assert_eq!(asked("restore_version").value("version", "3").unwrap(), json!(3));
        assert_eq!(asked("read_chapter").value("chapter", "3").unwrap(), json!("3"));
    }
}

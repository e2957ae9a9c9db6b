//! The routes of the API, one for each operation of the studio.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, RawPathParams, RawQuery, Request, State as Shared};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{self, MethodRouter};
use axum::{Json, Router};
use qingyu_studio::operations::{self, Described, Method};
use qingyu_studio::{Once, Studio};
use serde_json::{Map, Value};

use super::listen::Peer;
use super::{Caller, Problem, State, audit};

/// Names a request that is to be carried out once however often it is sent, and says that its answer was given before.
const KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
const LONGEST_KEY: usize = 255;

/// Answers with what is kept nowhere, so that its answers are not kept either.
const TOLD_ONCE: &str = "make_key";

/// Brings a whole manuscript, and may be larger than others.
const MANUSCRIPT: &str = "import_manuscript";

/// The routes of all operations but those that bring manuscripts.
pub(super) fn routes(_: &State) -> Router<State> {
    let described = operations::all().into_iter().filter(|described| described.name != MANUSCRIPT);
    described.fold(Router::new(), |router, described| router.route(described.path, route(described)))
}

/// The routes of operations that bring manuscripts.
pub(super) fn manuscripts(_: &State) -> Router<State> {
    let described = operations::all().into_iter().filter(|described| described.name == MANUSCRIPT);
    described.fold(Router::new(), |router, described| router.route(described.path, route(described)))
}

fn route(described: Described) -> MethodRouter<State> {
    // Made when it is first asked for: the schemas of all operations touch most of the program, which a server at rest need not hold.
    let asked = Arc::new(LazyLock::new(move || Asked::of(&described)));
    let handler = move |caller: Caller, Shared(state): Shared<State>, path: RawPathParams, request: Request| {
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
    described: Described,
    asked: &Asked,
    caller: Caller,
    state: &State,
    path: RawPathParams,
    request: Request,
) -> Result<Response, Problem> {
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
        (Some(key), Method::Post) if described.name != TOLD_ONCE => {
            once(described, caller.0.clone(), asked, &key).await
        }
        _ => described.call(caller.0.clone(), asked).await.map(|answer| (answer, false)).map_err(Problem::from),
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

/// The key under which a request is carried out once.
fn key(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let Some(key) = headers.get(&KEY) else { return Ok(None) };
    let is_plain =
        |key: &&str| (1..=LONGEST_KEY).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    let key = key.to_str().ok().filter(is_plain);
    let refused = || {
        let message = format!("`Idempotency-Key` must be 1 to {LONGEST_KEY} letters, digits or marks");
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_idempotency_key", message)
    };
    key.map(|key| Some(key.to_owned())).ok_or_else(refused)
}

/// What is answered to a request with a key, and whether it was answered before.
async fn once(described: Described, studio: Studio, asked: Value, key: &str) -> Result<(Value, bool), Problem> {
    match studio.call_once(described, asked, key).await? {
        Once::Answered { answer, is_again } => Ok((answer, is_again)),
        Once::AtWork => {
            let busy = Problem::new(StatusCode::CONFLICT, "request_at_work", "the request with this key is worked on");
            Err(busy.retry_after(1))
        }
        Once::OtherRequest => {
            let message = "this `Idempotency-Key` was used for another request";
            Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "idempotency_mismatch", message))
        }
    }
}

/// 201, with the address of the run.
fn started(answer: Value) -> Response {
    let address = answer["run"].as_str().and_then(|run| HeaderValue::from_str(&format!("/api/v1/runs/{run}")).ok());
    let mut response = (StatusCode::CREATED, Json(answer)).into_response();
    if let Some(address) = address {
        response.headers_mut().insert(header::LOCATION, address);
    }
    response
}

/// The object that a request brings; an empty one if it brings nothing.
pub(crate) async fn body(request: Request, state: &State) -> Result<Map<String, Value>, Problem> {
    let is_empty = request.headers().get(header::CONTENT_LENGTH).is_some_and(|length| length == "0")
        || (!request.headers().contains_key(header::CONTENT_LENGTH)
            && !request.headers().contains_key(header::TRANSFER_ENCODING)
            && !request.headers().contains_key(header::CONTENT_TYPE));
    if is_empty {
        return Ok(Map::new());
    }
    match Json::<Value>::from_request(request, state).await {
        Ok(Json(Value::Object(values))) => Ok(values),
        Ok(Json(_)) => Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_request", "the body must be an object")),
        Err(rejection) => Err(rejected(&rejection)),
    }
}

fn rejected(rejection: &JsonRejection) -> Problem {
    let code = match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => "too_large",
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "bad_media_type",
        _ => "bad_json",
    };
    Problem::new(rejection.status(), code, rejection.body_text())
}

/// Of which type each field of an operation is, since addresses hold nothing but words.
struct Asked {
    types: HashMap<String, Type>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Word,
    Number,
    Truth,
    /// Of words; each is named by itself.
    List,
}

impl Asked {
    fn of(described: &Described) -> Self {
        let mut generator = schemars::SchemaGenerator::default();
        let schema = (described.input)(&mut generator);
        let definitions = generator.take_definitions(false);
        let properties = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
        let typed = |(name, schema): (String, Value)| (name, type_of(&schema, &definitions));
        Self { types: properties.into_iter().map(typed).collect() }
    }

    /// What a query asks. A name that the operation does not have is left out.
    fn query(&self, query: Option<&str>) -> Result<Map<String, Value>, Problem> {
        let mut values = Map::new();
        for (name, value) in url::form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
            let value = match self.types.get(&*name) {
                None => continue,
                Some(Type::List) => match values.remove(&*name) {
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

    /// A word as the field's type has it.
    fn value(&self, name: &str, word: &str) -> Result<Value, Problem> {
        let value = match self.types.get(name) {
            Some(Type::Number) => word.parse().ok().map(Value::Number),
            Some(Type::Truth) => word.parse().ok().map(Value::Bool),
            Some(Type::Word | Type::List) | None => Some(word.into()),
        };
        value.ok_or_else(|| {
            let message = format!("the request does not fit at {name}: `{word}` is not of the right type");
            let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_request", message);
            problem.with("path", name).with("message", "it is not of the right type")
        })
    }
}

/// The type of a field by its schema; `null` beside it means only that it may be left out.
fn type_of(schema: &Value, definitions: &Map<String, Value>) -> Type {
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        let name = name.rsplit('/').next().unwrap_or_default();
        return definitions.get(name).map_or(Type::Word, |schema| type_of(schema, definitions));
    }
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => {
            let any = schema.get("anyOf").and_then(Value::as_array);
            let first = any.and_then(|any| any.iter().find(|schema| schema["type"] != "null"));
            return first.map_or(Type::Word, |schema| type_of(schema, definitions));
        }
    };
    match types.iter().find(|name| **name != "null") {
        Some(&"integer" | &"number") => Type::Number,
        Some(&"boolean") => Type::Truth,
        Some(&"array") => Type::List,
        _ => Type::Word,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn asked(name: &str) -> Asked {
        Asked::of(&operations::all().into_iter().find(|described| described.name == name).unwrap())
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

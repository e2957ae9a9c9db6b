//! The routes.

use std::convert::Infallible;
use std::time::Duration;

use async_stream::stream;
use axum::extract::Path;
use axum::extract::rejection::JsonRejection;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use jiff::Timestamp;
use qingyu_studio::llm::Usage;
use qingyu_studio::{AskRequest, Right, RunStatus, Studio};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::agents::{AGENTS, Agent, meant};
use super::wire::{Failure, Heading, Request};
use crate::chat::{self, Kind};
use crate::http::{Caller, Problem};

/// After how long a silent stream says that it is there.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// Names the project where a client cannot change the model's name.
const PROJECT: &str = "x-qingyu-project";

/// The routes, under `/v1`.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/v1/models", get(models))
        .route("/v1/models/{model}", get(model))
        .route("/v1/chat/completions", post(complete))
}

async fn models(caller: Result<Caller, Problem>) -> Result<Json<Value>, Failure> {
    let Caller(studio) = caller?;
    let projects = studio.projects().await?;
    let named = projects.iter().flat_map(|project| AGENTS.map(|agent| format!("{}@{}", agent.model, project.project)));
    let all = AGENTS.map(|agent| agent.model.to_owned()).into_iter().chain(named);
    Ok(Json(json!({"object": "list", "data": all.map(|name| card(&name)).collect::<Vec<_>>()})))
}

async fn model(caller: Result<Caller, Problem>, Path(name): Path<String>) -> Result<Json<Value>, Failure> {
    let Caller(studio) = caller?;
    let (_, project) = meant(&name).ok_or_else(|| Failure::no_model(&name))?;
    if let Some(project) = project {
        studio.project(project).await?;
    }
    Ok(Json(card(&name)))
}

fn card(name: &str) -> Value {
    json!({"id": name, "object": "model", "created": 0, "owned_by": "qingyu"})
}

async fn complete(
    caller: Result<Caller, Problem>,
    headers: HeaderMap,
    request: Result<Json<Request>, JsonRejection>,
) -> Result<Response, Failure> {
    let Caller(studio) = caller?;
    let Json(request) = request.map_err(|error| Failure::wrong("messages", &error.body_text()))?;
    let (agent, project) = meant(&request.model).ok_or_else(|| Failure::no_model(&request.model))?;
    let header = headers.get(PROJECT).and_then(|project| project.to_str().ok());
    let project = project_of(&studio, project.or(header)).await?;
    let id = format!("chatcmpl-{}", Uuid::now_v7().simple());
    let heading = Heading { id, created: Timestamp::now().as_second(), model: request.model.clone() };
    // What is wrong with the question is said before the answer begins.
    request.question()?;
    studio.scope().demand(Right::Write)?;
    let (is_stream, wants_usage) = (request.stream, request.wants_usage());
    let said = said(studio, agent, project, request);
    if is_stream {
        return Ok(streamed(heading, said, wants_usage));
    }
    let Said { words, usage, more } = said.await?;
    Ok(Json(heading.answer(&words, usage, &more)).into_response())
}

/// The project that is named, or the only one.
async fn project_of(studio: &Studio, named: Option<&str>) -> Result<String, Failure> {
    if let Some(named) = named {
        return Ok(studio.project(named).await?.project);
    }
    match studio.projects().await?.as_slice() {
        [only] => Ok(only.project.clone()),
        _ => Err(Failure::wrong("model", "name a project: `qingyu@<project>`, or the header X-Qingyu-Project")),
    }
}

/// What an agent says, what it cost, and what it rests on.
struct Said {
    words: String,
    usage: Usage,
    more: Value,
}

/// Has the agent answer. Pieces of a draft are not given out: what is said here stays said.
async fn said(studio: Studio, agent: Agent, project: String, request: Request) -> Result<Said, Failure> {
    let (question, earlier) = (request.question()?, request.earlier());
    let Some(agent) = agent.agent else {
        let question = if earlier.is_empty() { question } else { format!("{question}\n\n{earlier}") };
        let asked = AskRequest { question, before: None, budget: None };
        let answered = studio.ask(&project, &asked).await?;
        let more = json!({"project": project, "holds": answered.holds, "citations": answered.citations,
            "passages": answered.passages});
        return Ok(Said { words: answered.answer, usage: answered.usage, more });
    };
    let task = json!({"description": question, "agent": agent, "context": {"previous_content": earlier}});
    let more = Map::from_iter([("task".to_owned(), task), ("options".to_owned(), json!({"writes": "never"}))]);
    let start = chat::start(Kind::Task, Some(&project), &question, more);
    let start = start.map_err(|error| Failure::wrong("messages", &error.to_string()))?;
    let outcome = studio.start(start).await?.finish().await;
    if let (RunStatus::Failed | RunStatus::Interrupted, Some(failure)) = (outcome.status, outcome.errors.first()) {
        return Err(failure.clone().into());
    }
    let usage = Usage {
        input: outcome.usage.input,
        cached: outcome.usage.cached,
        output: outcome.usage.output,
        estimated: outcome.usage.estimated,
        ..Usage::default()
    };
    Ok(Said { words: chat::said(&outcome), usage, more: json!({"project": project, "run": outcome.run}) })
}

fn streamed(
    heading: Heading,
    said: impl Future<Output = Result<Said, Failure>> + Send + 'static,
    wants_usage: bool,
) -> Response {
    let frames = stream! {
        let frame = |value: Value| Ok::<_, Infallible>(Event::default().data(value.to_string()));
        yield frame(heading.chunk(&json!({"role": "assistant", "content": ""}), false));
        match said.await {
            Ok(Said { words, usage, .. }) => {
                yield frame(heading.chunk(&json!({"content": words}), false));
                yield frame(heading.chunk(&json!({}), true));
                if wants_usage {
                    yield frame(heading.counted(usage));
                }
                yield Ok(Event::default().data("[DONE]"));
            }
            Err(failure) => yield frame(failure.document()),
        }
    };
    Sse::new(frames).keep_alive(KeepAlive::new().interval(HEARTBEAT)).into_response()
}

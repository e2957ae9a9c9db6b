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

use super::agents::{AGENTS, ModelAgent, meant};
use super::citations::annotations;
use super::pieces::pieces;
use super::wire::{CompletionHeader, CompletionRequest, OpenAiError};
use crate::chat::{self, ChatKind};
use crate::http::{HttpCaller, HttpProblem};

/// Interval of heartbeats on a silent stream.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// The header naming the project, for clients with a fixed model name.
const PROJECT: &str = "x-qingyu-project";

/// Returns the routes, under `/v1`.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/v1/models", get(models))
        .route("/v1/models/{model}", get(model))
        .route("/v1/chat/completions", post(complete))
}

async fn models(caller: Result<HttpCaller, HttpProblem>) -> Result<Json<Value>, OpenAiError> {
    let HttpCaller(studio) = caller?;
    let projects = studio.projects().await?;
    let named = projects.iter().flat_map(|project| AGENTS.map(|agent| format!("{}@{}", agent.model, project.project)));
    let all = AGENTS.map(|agent| agent.model.to_owned()).into_iter().chain(named);
    Ok(Json(json!({"object": "list", "data": all.map(|name| card(&name)).collect::<Vec<_>>()})))
}

async fn model(caller: Result<HttpCaller, HttpProblem>, Path(name): Path<String>) -> Result<Json<Value>, OpenAiError> {
    let HttpCaller(studio) = caller?;
    let (_, project) = meant(&name).ok_or_else(|| OpenAiError::no_model(&name))?;
    if let Some(project) = project {
        studio.project(project).await?;
    }
    Ok(Json(card(&name)))
}

fn card(name: &str) -> Value {
    json!({"id": name, "object": "model", "created": 0, "owned_by": "qingyu"})
}

async fn complete(
    caller: Result<HttpCaller, HttpProblem>,
    headers: HeaderMap,
    request: Result<Json<CompletionRequest>, JsonRejection>,
) -> Result<Response, OpenAiError> {
    let HttpCaller(studio) = caller?;
    let Json(request) = request.map_err(|rejection| OpenAiError::unread(&rejection))?;
    let (agent, project) = meant(&request.model).ok_or_else(|| OpenAiError::no_model(&request.model))?;
    let header = headers.get(PROJECT).and_then(|project| project.to_str().ok());
    let project = project_of(&studio, project.or(header)).await?;
    let id = format!("chatcmpl-{}", Uuid::now_v7().simple());
    let heading = CompletionHeader { id, created: Timestamp::now().as_second(), model: request.model.clone() };
    // Validate the question before the response starts.
    request.question()?;
    studio.scope().demand(Right::Write)?;
    let (is_stream, wants_usage) = (request.stream, request.wants_usage());
    let said = said(studio, agent, project, request);
    if is_stream {
        return Ok(streamed(heading, said, wants_usage));
    }
    let AgentReply { words, annotations, usage, more } = said.await?;
    Ok(Json(heading.answer(&words, &annotations, usage, &more)).into_response())
}

/// Returns the named project, or the caller's only project.
async fn project_of(studio: &Studio, named: Option<&str>) -> Result<String, OpenAiError> {
    if let Some(named) = named {
        return Ok(studio.project(named).await?.project);
    }
    match studio.projects().await?.as_slice() {
        [only] => Ok(only.project.clone()),
        _ => Err(OpenAiError::wrong("model", "name a project: `qingyu@<project>`, or the header X-Qingyu-Project")),
    }
}

/// The reply of an agent, with its usage and sources.
struct AgentReply {
    words: String,
    annotations: Vec<Value>,
    usage: Usage,
    more: Value,
}

/// Runs the agent and returns its reply. Drafts are not streamed, since sent text cannot be retracted.
async fn said(
    studio: Studio,
    agent: ModelAgent,
    project: String,
    request: CompletionRequest,
) -> Result<AgentReply, OpenAiError> {
    let (question, earlier) = (request.question()?, request.earlier());
    let Some(agent) = agent.agent else {
        let told = if earlier.is_empty() { question.clone() } else { format!("{question}\n\n{earlier}") };
        let asked = AskRequest { question: told, before: None, budget: None, series: false };
        let answered = studio.ask_in_conversation(&project, &asked, &question).await?;
        let more = json!({"project": project, "holds": answered.holds, "citations": answered.citations,
            "passages": answered.passages});
        let annotations = annotations(&project, &answered);
        return Ok(AgentReply { words: answered.answer, annotations, usage: answered.usage, more });
    };
    let task = json!({"description": question, "agent": agent, "context": {"previous_content": earlier}});
    let more = Map::from_iter([("task".to_owned(), task), ("options".to_owned(), json!({"writes": "never"}))]);
    let start = chat::start(ChatKind::Task, Some(&project), &question, more);
    let start = start.map_err(|error| OpenAiError::wrong("messages", &error.to_string()))?;
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
    let more = json!({"project": project, "run": outcome.run});
    Ok(AgentReply { words: chat::said(&outcome), annotations: Vec::new(), usage, more })
}

fn streamed(
    heading: CompletionHeader,
    said: impl Future<Output = Result<AgentReply, OpenAiError>> + Send + 'static,
    wants_usage: bool,
) -> Response {
    let frames = stream! {
        let frame = |value: Value| Ok::<_, Infallible>(Event::default().data(value.to_string()));
        yield frame(heading.chunk(&json!({"role": "assistant", "content": ""}), false));
        match said.await {
            Ok(AgentReply { words, annotations, usage, more }) => {
                for piece in pieces(&words) {
                    yield frame(heading.chunk(&json!({"content": piece}), false));
                }
                if !annotations.is_empty() {
                    yield frame(heading.chunk(&json!({"annotations": annotations}), false));
                }
                let mut last = heading.chunk(&json!({}), true);
                last["qingyu"] = more;
                yield frame(last);
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

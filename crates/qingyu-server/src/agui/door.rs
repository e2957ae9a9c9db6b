//! The route: starts or resumes a run and streams its events. A client's disconnect does not stop the run.

use std::convert::Infallible;
use std::pin::pin;
use std::time::Duration;

use async_stream::stream;
use axum::extract::Path;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::response::sse::{Event as Frame, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use futures::{Stream, StreamExt};
use qingyu_studio::{AskRequest, Error, ProjectRow, Right, RunHandle, Studio};
use serde_json::{Value, json};

use super::event::{self, AguiEvent, TokenUsage};
use super::input::{AguiInput, InterruptResponse, Resolution};
use super::mapper::AguiMapper;
use crate::chat::{self, ChatKind};
use crate::http::{HttpCaller, HttpProblem};

/// Interval of heartbeats on a silent stream.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// Returns the route, with and without a project.
pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route("/agui", post(run)).route("/agui/projects/{project}", post(run))
}

async fn run(
    HttpCaller(studio): HttpCaller,
    project: Option<Path<String>>,
    input: Result<Json<AguiInput>, JsonRejection>,
) -> Result<Response, HttpProblem> {
    let Json(input) = input.map_err(|error| HttpProblem::new(error.status(), "bad_request", error.body_text()))?;
    if let Some([answer, ..]) = input.resume.as_deref() {
        return go_on(studio, &input, answer).await;
    }
    let project = project_of(&studio, &input, project.map(|Path(project)| project)).await?;
    let kind = input.kind(project.is_some())?;
    let words = input.words();
    // A question changes nothing, but costs money.
    studio.scope().demand(Right::Write)?;
    if kind == ChatKind::Ask {
        let Some(project) = project else {
            return Err(refused("no_project", "a question needs a project"));
        };
        return Ok(sent(answer(studio, input, project, words)));
    }
    let project = project.as_ref().map(|project| project.project.as_str());
    let start = chat::start(kind, project, &words, input.more());
    let start = start.map_err(|error| refused("bad_request", &error.to_string()))?;
    let handle = studio.start(start).await?;
    Ok(sent(run_events(studio, input, handle)))
}

/// Returns the selected project; `None` if the thread id is the client's own invention.
async fn project_of(
    studio: &Studio,
    input: &AguiInput,
    named: Option<String>,
) -> Result<Option<ProjectRow>, HttpProblem> {
    if let Some(named) = named.as_deref().or(input.project()) {
        return Ok(Some(studio.project(named).await?));
    }
    let threads = studio.projects().await?;
    Ok(threads.into_iter().find(|project| project.project == input.thread_id))
}

/// Resumes a waiting run with an answer.
async fn go_on(studio: Studio, input: &AguiInput, given: &InterruptResponse) -> Result<Response, HttpProblem> {
    studio.scope().demand(Right::Write)?;
    let run = &given.interrupt_id;
    let outcome = studio.outcome(run).await?;
    let status = outcome.status;
    let question = outcome.question.as_ref().ok_or_else(|| Error::NotWaiting { run: run.clone(), status })?;
    if given.status == Resolution::Cancelled {
        return Err(refused("cancelled", "a question that is not answered keeps waiting"));
    }
    let unclear = || refused("bad_answer", "this is no answer to what the run asks");
    let said = chat::answer(question, &given.payload).ok_or_else(unclear)?;
    let handle = studio.answer(&outcome, said).await?;
    Ok(sent(run_events(studio, input.clone(), handle)))
}

fn refused(code: &str, why: &str) -> HttpProblem {
    HttpProblem::new(StatusCode::UNPROCESSABLE_ENTITY, code, why)
}

/// Returns the events of a run.
fn run_events(studio: Studio, input: AguiInput, handle: RunHandle) -> impl Stream<Item = AguiEvent> + Send {
    let (run, project) = (handle.run().to_owned(), handle.project().to_owned());
    stream! {
        let mut mapper = AguiMapper::new(&input.thread_id, &input.run_id);
        let state = json!({"project": project, "run": run, "status": "running", "story": story(&studio, &project).await});
        for event in mapper.begin(state) {
            yield event;
        }
        let events = match chat::follow(&studio, handle).await {
            Ok(events) => events,
            Err(error) => {
                yield failed(&error);
                return;
            }
        };
        let mut events = pin!(events);
        while let Some(event) = events.next().await {
            let event = match event {
                Ok(event) => event,
                Err(error) => {
                    yield failed(&error);
                    return;
                }
            };
            for frame in mapper.frames(&event) {
                yield frame;
            }
            if AguiMapper::wants_story(&event) {
                for frame in mapper.story(story(&studio, &project).await) {
                    yield frame;
                }
            }
            if event.kind.is_last() {
                match studio.outcome(&run).await {
                    Ok(outcome) => {
                        for frame in mapper.end(&event, &outcome) {
                            yield frame;
                        }
                    }
                    Err(error) => yield failed(&error),
                }
                return;
            }
        }
    }
}

/// Answers a question about a project from its material.
fn answer(
    studio: Studio,
    input: AguiInput,
    project: ProjectRow,
    question: String,
) -> impl Stream<Item = AguiEvent> + Send {
    stream! {
        let mut mapper = AguiMapper::new(&input.thread_id, &input.run_id);
        let story = story(&studio, &project.project).await;
        for event in mapper.begin(json!({"project": project.project, "status": "running", "story": story})) {
            yield event;
        }
        match studio.ask(&project.project, &AskRequest { question, before: None, budget: None, series: false }).await {
            Ok(answered) => {
                for event in mapper.say(&answered.answer) {
                    yield event;
                }
                let value = json!({"citations": answered.citations, "passages": answered.passages});
                yield AguiEvent::Custom { name: "qingyu.sources".into(), value };
                let usage = TokenUsage {
                    input_tokens: answered.usage.input,
                    output_tokens: answered.usage.output,
                    total_tokens: answered.usage.input + answered.usage.output,
                    cached_input_tokens: answered.usage.cached,
                };
                yield mapper.finished(event::AguiOutcome::Success, usage);
            }
            Err(error) => yield failed(&error),
        }
    }
}

/// Returns the story of a project; null if empty.
async fn story(studio: &Studio, project: &str) -> Value {
    let view = studio.show(project).await.ok();
    view.map_or(Value::Null, |view| json!(view.story))
}

fn failed(error: &Error) -> AguiEvent {
    AguiEvent::RunError { message: error.to_string(), code: error.code().to_owned() }
}

fn sent(events: impl Stream<Item = AguiEvent> + Send + 'static) -> Response {
    let frame = |event: AguiEvent| {
        let json = serde_json::to_string(&event).expect("events serialise");
        Ok::<_, Infallible>(Frame::default().data(json))
    };
    Sse::new(events.map(frame)).keep_alive(KeepAlive::new().interval(HEARTBEAT)).into_response()
}

//! Runs: begun, gone on with, followed, waited for, stopped.

use std::convert::Infallible;
use std::pin::pin;
use std::time::Duration;

use async_stream::stream;
use axum::extract::{Path, Query};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures::StreamExt;
use qingyu_studio::{Error, Outcome, Right, RunHandle, RunRow, RunStatus, RunsRequest, Studio};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::mapper::{self, Mode};
use super::threads::{newest, told, values};
use super::{assistants, wire};
use crate::chat;
use crate::http::{Caller, Problem};
use wire::Failure;

/// After how long a silent stream says that it is there.
const HEARTBEAT: Duration = Duration::from_secs(5);

pub(super) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/runs", post(create))
        .route("/runs/stream", post(stream))
        .route("/runs/wait", post(wait))
        .route("/threads/{thread}/runs", get(list).post(create))
        .route("/threads/{thread}/runs/stream", post(stream))
        .route("/threads/{thread}/runs/wait", post(wait))
        .route("/threads/{thread}/runs/{run}", get(one))
        .route("/threads/{thread}/runs/{run}/join", get(join))
        .route("/threads/{thread}/runs/{run}/stream", get(join_stream))
        .route("/threads/{thread}/runs/{run}/cancel", post(cancel))
}

/// What is to run, and how it is looked at. What is not named here is not minded.
#[derive(Debug, Deserialize)]
struct Order {
    assistant_id: String,
    #[serde(default)]
    input: Value,
    #[serde(default)]
    command: Option<Command>,
    #[serde(default)]
    stream_mode: Value,
    #[serde(default)]
    multitask_strategy: Option<String>,
    #[serde(default)]
    webhook: Option<Value>,
    #[serde(default)]
    interrupt_before: Option<Value>,
    #[serde(default)]
    interrupt_after: Option<Value>,
    #[serde(default)]
    after_seconds: Option<f64>,
}

#[derive(Debug, Deserialize)]
struct Command {
    #[serde(default)]
    resume: Option<Value>,
    #[serde(default)]
    goto: Option<Value>,
    #[serde(default)]
    update: Option<Value>,
}

impl Order {
    fn check(&self) -> Result<(), Failure> {
        let command = self.command.as_ref();
        let unsupported = [
            ("webhook", self.webhook.is_some()),
            ("interrupt_before", self.interrupt_before.is_some()),
            ("interrupt_after", self.interrupt_after.is_some()),
            ("after_seconds", self.after_seconds.is_some()),
            ("command.goto", command.is_some_and(|command| command.goto.is_some())),
            ("command.update", command.is_some_and(|command| command.update.is_some())),
        ];
        match unsupported.into_iter().find(|(_, is_there)| *is_there) {
            Some((name, _)) => Err(Failure::unprocessable(format!("{name} is not supported"))),
            None => Ok(()),
        }
    }

    fn modes(&self) -> Result<Vec<Mode>, Failure> {
        modes(&self.stream_mode)
    }
}

fn modes(given: &Value) -> Result<Vec<Mode>, Failure> {
    let names = match given {
        Value::Null => vec![json!("values")],
        Value::Array(names) => names.clone(),
        name => vec![name.clone()],
    };
    let mode = |name: &Value| {
        let mode = name.as_str().and_then(Mode::named);
        mode.ok_or_else(|| {
            let known = "values, updates, custom and messages-tuple";
            Failure::unprocessable(format!("the stream mode {name} is not supported; {known} are"))
        })
    };
    names.iter().map(mode).collect()
}

/// Sets to work what is ordered.
async fn begin(studio: &Studio, thread: Option<&str>, order: &Order) -> Result<RunHandle, Failure> {
    studio.scope().demand(Right::Write)?;
    order.check()?;
    order.modes()?;
    let kind = assistants::kind(&order.assistant_id)?;
    let project = match thread {
        Some(thread) => Some(studio.project(thread).await?.project),
        None => None,
    };
    let running = match &project {
        Some(project) => newest(studio, project).await?,
        None => None,
    };
    if let Some(given) = order.command.as_ref().and_then(|command| command.resume.as_ref()) {
        return go_on(studio, running.as_ref(), given).await;
    }
    if let Some(run) = running.filter(|run| run.status == RunStatus::Running) {
        give_way(studio, &run.run, order.multitask_strategy.as_deref()).await?;
    }
    let mut more: Map<String, Value> = match &order.input {
        Value::Object(input) => input.clone(),
        Value::Null => Map::new(),
        _ => return Err(Failure::unprocessable("input is no object")),
    };
    let messages = more.remove("messages").unwrap_or_default();
    let is_person = |message: &&Value| message["role"] == "user" || message["type"] == "human";
    let last = messages.as_array().and_then(|messages| messages.iter().rfind(is_person));
    let words = last.map(|message| chat::words(&message["content"])).unwrap_or_default();
    let start = chat::start(kind, project.as_deref(), &words, more);
    let start = start.map_err(|error| Failure::unprocessable(format!("input: {error}")))?;
    Ok(studio.start(start).await?)
}

/// Goes on with the run that waits.
async fn go_on(studio: &Studio, newest: Option<&RunRow>, given: &Value) -> Result<RunHandle, Failure> {
    let nothing = || Failure::new(StatusCode::CONFLICT, "no run of the thread waits for an answer");
    let run = &newest.ok_or_else(nothing)?.run;
    let outcome = studio.outcome(run).await?;
    let question = outcome.question.as_ref().ok_or_else(nothing)?;
    let unclear = || Failure::unprocessable("resume is no answer to what the run asks");
    let answer = chat::answer(question, given).ok_or_else(unclear)?;
    Ok(studio.answer(&outcome, answer).await?)
}

/// Makes room for another run of the thread, as the client wants it.
async fn give_way(studio: &Studio, run: &str, strategy: Option<&str>) -> Result<(), Failure> {
    match strategy {
        None | Some("enqueue") => ended(studio, run).await?,
        Some("reject") => return Err(Failure::new(StatusCode::CONFLICT, "the thread is busy")),
        Some("interrupt") => {
            studio.cancel(run).await?;
            ended(studio, run).await?;
        }
        Some("rollback") => {
            return Err(Failure::unprocessable(
                "a run is not undone by another one; take its changes back in the project",
            ));
        }
        Some(other) => return Err(Failure::unprocessable(format!("there is no multitask_strategy {other}"))),
    }
    Ok(())
}

/// Waits until a run works no more.
async fn ended(studio: &Studio, run: &str) -> Result<(), Error> {
    let mut events = pin!(studio.watch(run, 0).await?);
    while let Some(event) = events.next().await {
        event?;
    }
    Ok(())
}

async fn create(
    caller: Result<Caller, Problem>,
    thread: Option<Path<String>>,
    Json(order): Json<Order>,
) -> Result<Response, Failure> {
    let Caller(studio) = caller?;
    let handle = begin(&studio, thread.as_deref().map(String::as_str), &order).await?;
    let (run, project) = (handle.run().to_owned(), handle.project().to_owned());
    let row = row(&studio, &project, &run).await?;
    Ok(located(Json(wire::run(&row)).into_response(), &project, &run))
}

async fn wait(
    caller: Result<Caller, Problem>,
    thread: Option<Path<String>>,
    Json(order): Json<Order>,
) -> Result<Response, Failure> {
    let Caller(studio) = caller?;
    let handle = begin(&studio, thread.as_deref().map(String::as_str), &order).await?;
    let (run, project) = (handle.run().to_owned(), handle.project().to_owned());
    let outcome = handle.finish().await;
    Ok(located(Json(result(&outcome)).into_response(), &project, &run))
}

async fn stream(
    caller: Result<Caller, Problem>,
    thread: Option<Path<String>>,
    Json(order): Json<Order>,
) -> Result<Response, Failure> {
    let Caller(studio) = caller?;
    let mut handle = begin(&studio, thread.as_deref().map(String::as_str), &order).await?;
    let after = handle.next().await.map_or(0, |event| event.seq.saturating_sub(1));
    let (run, project) = (handle.run().to_owned(), handle.project().to_owned());
    Ok(located(follow(studio, run.clone(), after, order.modes()?), &project, &run))
}

/// What a wait ends with: the state, or the error as the SDK raises it.
fn result(outcome: &Outcome) -> Value {
    match (outcome.status, outcome.errors.first()) {
        (RunStatus::Failed, Some(failure)) => {
            json!({"__error__": {"error": failure.code, "message": failure.message}})
        }
        _ => told(outcome),
    }
}

/// A run as a stream, from its log and as it happens.
fn follow(studio: Studio, run: String, after: u64, modes: Vec<Mode>) -> Response {
    let frames = stream! {
        yield mapper::begin(&run);
        match studio.watch(&run, after).await {
            Err(error) => yield mapper::error(error.code(), &error.to_string()),
            Ok(events) => {
                let mut events = pin!(events);
                while let Some(event) = events.next().await {
                    let event = match event {
                        Ok(event) => event,
                        Err(error) => {
                            yield mapper::error(error.code(), &error.to_string());
                            break;
                        }
                    };
                    let state = if modes.contains(&Mode::Values) && mapper::is_milestone(&event) {
                        values(&studio, &run).await.ok()
                    } else {
                        None
                    };
                    for frame in mapper::frames(&modes, &event, state.as_ref()) {
                        yield frame;
                    }
                }
            }
        }
        yield mapper::end();
    };
    let frames = frames.map(|frame| {
        let event = Event::default().event(frame.event).data(frame.data.to_string());
        Ok::<_, Infallible>(match frame.id {
            Some(id) => event.id(id.to_string()),
            None => event,
        })
    });
    Sse::new(frames).keep_alive(KeepAlive::new().interval(HEARTBEAT).text("heartbeat")).into_response()
}

/// With the addresses by which the SDK knows the run and comes back to it.
fn located(mut response: Response, project: &str, run: &str) -> Response {
    let place = format!("/langgraph/threads/{project}/runs/{run}");
    let headers = response.headers_mut();
    if let (Ok(stream), Ok(place)) = (HeaderValue::from_str(&format!("{place}/stream")), HeaderValue::from_str(&place))
    {
        headers.insert(header::LOCATION, stream);
        headers.insert(header::CONTENT_LOCATION, place);
    }
    response
}

async fn list(caller: Result<Caller, Problem>, Path(thread): Path<String>) -> Result<Json<Value>, Failure> {
    let Caller(studio) = caller?;
    let theirs = RunsRequest { project: Some(thread), ..RunsRequest::default() };
    Ok(Json(studio.runs_by(&theirs).await?.iter().map(wire::run).collect()))
}

async fn row(studio: &Studio, thread: &str, run: &str) -> Result<RunRow, Failure> {
    let found = match studio.run(run).await {
        Ok(row) => Some(row).filter(|row| row.run == run && row.project == thread),
        Err(Error::UnknownRun { .. } | Error::Ambiguous { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    found.ok_or_else(|| Failure::new(StatusCode::NOT_FOUND, format!("the thread has no run {run}")))
}

async fn one(
    caller: Result<Caller, Problem>,
    Path((thread, run)): Path<(String, String)>,
) -> Result<Json<Value>, Failure> {
    let Caller(studio) = caller?;
    Ok(Json(wire::run(&row(&studio, &thread, &run).await?)))
}

async fn join(
    caller: Result<Caller, Problem>,
    Path((thread, run)): Path<(String, String)>,
) -> Result<Json<Value>, Failure> {
    let Caller(studio) = caller?;
    row(&studio, &thread, &run).await?;
    ended(&studio, &run).await?;
    let outcome = studio.outcome(&run).await?;
    Ok(Json(result(&outcome)))
}

/// How a stream is looked at again. One mode in the address; all that it has to give if there is none.
#[derive(Debug, Deserialize)]
struct Look {
    stream_mode: Option<String>,
}

async fn join_stream(
    caller: Result<Caller, Problem>,
    Path((thread, run)): Path<(String, String)>,
    Query(look): Query<Look>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let Caller(studio) = caller?;
    row(&studio, &thread, &run).await?;
    let modes = match look.stream_mode {
        Some(mode) => modes(&json!(mode))?,
        None => vec![Mode::Values, Mode::Updates, Mode::Custom, Mode::MessagesTuple],
    };
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()).and_then(|id| id.parse().ok());
    Ok(follow(studio, run, last.unwrap_or_default(), modes))
}

#[derive(Debug, Deserialize)]
struct Stop {
    #[serde(default)]
    wait: Option<String>,
    #[serde(default)]
    action: Option<String>,
}

async fn cancel(
    caller: Result<Caller, Problem>,
    Path((thread, run)): Path<(String, String)>,
    Query(stop): Query<Stop>,
) -> Result<Response, Failure> {
    let Caller(studio) = caller?;
    row(&studio, &thread, &run).await?;
    if stop.action.as_deref() == Some("rollback") {
        return Err(Failure::unprocessable("a run is stopped, not undone; take its changes back in the project"));
    }
    studio.cancel(&run).await?;
    if stop.wait.is_some_and(|wait| matches!(wait.as_str(), "1" | "true" | "True")) {
        ended(&studio, &run).await?;
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    Ok(StatusCode::ACCEPTED.into_response())
}

//! Runs: start, resume, follow, wait and cancel.

use std::convert::Infallible;
use std::pin::pin;
use std::time::Duration;

use async_stream::stream;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures::StreamExt;
use qingyu_studio::operations::ResumeRequest;
use qingyu_studio::{Error, Outcome, Right, RunHandle, RunRow, RunStatus, RunsRequest, Studio};
use serde_json::{Value, json};

use super::assistants;
use super::disconnect::CancelOnDisconnect;
use super::error::LangGraphError;
use super::fields::{Fields, Parameters, check_select, selected};
use super::mapper::{self, Mapper, StreamMode};
use super::order::{Multitask, NO_ROLLBACK, Order};
use super::outcome::{newest, row, told, values};
use super::thread::{NewThread, Thread, checked_id};
use super::wire;
use crate::chat;
use crate::http::{HttpCaller, HttpProblem};

/// Interval of heartbeats on a silent stream.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// Maximum number of runs in a page.
const MOST: usize = 1_000;

pub(super) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/runs", post(create))
        .route("/runs/stream", post(stream))
        .route("/runs/wait", post(wait))
        .route("/threads/{thread}/runs", get(list).post(create))
        .route("/threads/{thread}/runs/stream", post(stream))
        .route("/threads/{thread}/runs/wait", post(wait))
        .route("/threads/{thread}/runs/{run}", get(one).delete(delete))
        .route("/threads/{thread}/runs/{run}/join", get(join))
        .route("/threads/{thread}/runs/{run}/stream", get(join_stream))
        .route("/threads/{thread}/runs/{run}/cancel", post(cancel))
}

/// A started or resumed run.
struct Begun {
    handle: RunHandle,
    thread: Thread,
    run: String,
}

/// Starts or resumes the requested run.
async fn begin(
    studio: &Studio,
    given: Option<&str>,
    parameters: Parameters,
    order: &Order,
) -> Result<Begun, LangGraphError> {
    studio.scope().demand(Right::Write)?;
    parameters.finish()?;
    let thread = match given {
        Some(given) => Some(thread_of(studio, given, order).await?),
        None => None,
    };
    let mut newest = newest_of(studio, thread.as_ref()).await?;
    order.check_place(thread.as_ref(), newest.as_ref())?;
    if order.resume.is_none()
        && let Some(run) = newest.clone().filter(|run| run.status == RunStatus::Running)
    {
        give_way(studio, &run.run, order.multitask).await?;
        newest = newest_of(studio, thread.as_ref()).await?;
    }
    let handle = match newest.as_ref().filter(|run| order.resumes(run)) {
        Some(run) => go_on(studio, run, order).await?,
        None if order.resume.is_some() => return Err(nothing_waits()),
        None => studio.start(order.start(thread.as_ref(), newest.as_ref())?).await?,
    };
    let run = handle.run().to_owned();
    let thread = match thread {
        Some(thread) => thread,
        None => Thread::find(studio, handle.project()).await?,
    };
    let thread = order.keep(studio, thread, &run).await?;
    Ok(Begun { handle, thread, run })
}

/// Returns the named thread, creating it if the request says so.
async fn thread_of(studio: &Studio, given: &str, order: &Order) -> Result<Thread, LangGraphError> {
    match Thread::find(studio, given).await {
        Err(failure) if failure.is_missing() && order.creates_thread => {
            let own = Some(checked_id(given)?);
            let words = Some(order.asked()).filter(|words| !words.trim().is_empty());
            Thread::create(studio, NewThread { own, words, ..NewThread::default() }).await
        }
        found => found,
    }
}

/// Returns the newest run of a thread, if there is one.
async fn newest_of(studio: &Studio, thread: Option<&Thread>) -> Result<Option<RunRow>, LangGraphError> {
    match thread {
        Some(thread) => Ok(newest(studio, &thread.project.project).await?),
        None => Ok(None),
    }
}

/// Resumes a run, with the answer of the request. The answer may be given under the id of the interrupt, which is that of
/// the run.
async fn go_on(studio: &Studio, run: &RunRow, order: &Order) -> Result<RunHandle, LangGraphError> {
    let mut request = ResumeRequest { run: run.run.clone(), ..ResumeRequest::default() };
    if let Some(given) = &order.resume {
        let outcome = studio.outcome(&run.run).await?;
        let question = outcome.question.as_ref().ok_or_else(nothing_waits)?;
        let unclear = || {
            let message = match question.is_breakpoint() {
                true => "the run stopped at a breakpoint: pass `true`, or neither `command` nor `input`",
                false => "it is no answer to what the run asks",
            };
            LangGraphError::invalid("command.resume", message)
        };
        let answer = chat::answer(question, given.get(&run.run).unwrap_or(given)).ok_or_else(unclear)?;
        (request.answer, request.question) = (Some(answer), outcome.question_id.clone());
    }
    let stops = order.stops.of_resumed(studio, &run.project, assistants::kind(run.kind.name())?).await?;
    request.overrides = serde_json::from_value(stops)
        .map_err(|error| LangGraphError::invalid("interrupt_before", &error.to_string()))?;
    Ok(studio.resume_with(request).await?)
}

/// Returns the error for an answer without a question.
fn nothing_waits() -> LangGraphError {
    LangGraphError::conflict("no run of the thread waits for an answer")
}

/// Applies the client's multitask strategy to the active run of the thread.
async fn give_way(studio: &Studio, run: &str, strategy: Multitask) -> Result<(), LangGraphError> {
    match strategy {
        Multitask::Enqueue => {}
        Multitask::Reject => return Err(LangGraphError::conflict("the thread is busy")),
        Multitask::Interrupt => {
            studio.cancel(run).await?;
        }
    }
    Ok(ended(studio, run).await?)
}

/// Waits until a run is no longer working.
async fn ended(studio: &Studio, run: &str) -> Result<(), Error> {
    let mut events = pin!(studio.watch(run, 0).await?);
    while let Some(event) = events.next().await {
        event?;
    }
    Ok(())
}

async fn create(
    caller: Result<HttpCaller, HttpProblem>,
    thread: Option<Path<String>>,
    parameters: Parameters,
    fields: Fields,
) -> Result<Response, LangGraphError> {
    let HttpCaller(studio) = caller?;
    let order = Order::read(fields)?;
    if order.ends_with_client {
        let advice = "a run in the background has no client: leave it out, or pass `continue`";
        return Err(LangGraphError::unsupported("on_disconnect", advice));
    }
    let Begun { thread, run, .. } = begin(&studio, thread.as_deref().map(String::as_str), parameters, &order).await?;
    let row = row(&studio, &thread, &run).await?;
    Ok(located(Json(wire::run(&row, &thread)).into_response(), &thread, &run))
}

async fn wait(
    caller: Result<HttpCaller, HttpProblem>,
    thread: Option<Path<String>>,
    parameters: Parameters,
    fields: Fields,
) -> Result<Response, LangGraphError> {
    let HttpCaller(studio) = caller?;
    let order = Order::read(fields)?;
    let begun = begin(&studio, thread.as_deref().map(String::as_str), parameters, &order).await?;
    let Begun { handle, thread, run } = begun;
    let guard = CancelOnDisconnect::new(&studio, &run, order.ends_with_client);
    let outcome = handle.finish().await;
    guard.disarm();
    Ok(located(Json(result(&outcome)).into_response(), &thread, &run))
}

async fn stream(
    caller: Result<HttpCaller, HttpProblem>,
    thread: Option<Path<String>>,
    parameters: Parameters,
    fields: Fields,
) -> Result<Response, LangGraphError> {
    let HttpCaller(studio) = caller?;
    let order = Order::read(fields)?;
    let begun = begin(&studio, thread.as_deref().map(String::as_str), parameters, &order).await?;
    let Begun { mut handle, thread, run } = begun;
    let guard = CancelOnDisconnect::new(&studio, &run, order.ends_with_client);
    let after = handle.next().await.map_or(0, |event| event.seq.saturating_sub(1));
    let mapper = Mapper::new(&thread.id, order.modes);
    Ok(located(follow(studio, run.clone(), after, mapper, guard), &thread, &run))
}

/// Returns the response to a wait: the state, or an error in the form expected by the SDK.
fn result(outcome: &Outcome) -> Value {
    match (outcome.status, outcome.errors.first()) {
        (RunStatus::Failed, Some(failure)) => {
            json!({"__error__": {"error": failure.code, "message": failure.message}})
        }
        _ => told(outcome),
    }
}

/// Returns a run as a stream, from its log and then live.
fn follow(studio: Studio, run: String, after: u64, mut mapper: Mapper, guard: CancelOnDisconnect) -> Response {
    let frames = stream! {
        yield mapper.begin(&run);
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
                    let state = if mapper.wants_state(&event) { values(&studio, &run).await.ok() } else { None };
                    for frame in mapper.frames(&event, state.as_ref()) {
                        yield frame;
                    }
                }
            }
        }
        guard.disarm();
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

/// Inserts the location headers by which the SDK identifies and rejoins the run.
fn located(mut response: Response, thread: &Thread, run: &str) -> Response {
    let place = format!("/langgraph/threads/{}/runs/{run}", thread.id);
    let headers = response.headers_mut();
    if let (Ok(stream), Ok(place)) = (HeaderValue::from_str(&format!("{place}/stream")), HeaderValue::from_str(&place))
    {
        headers.insert(header::LOCATION, stream);
        headers.insert(header::CONTENT_LOCATION, place);
    }
    response
}

async fn list(
    caller: Result<HttpCaller, HttpProblem>,
    Path(thread): Path<String>,
    mut parameters: Parameters,
) -> Result<Json<Value>, LangGraphError> {
    let HttpCaller(studio) = caller?;
    let thread = Thread::find(&studio, &thread).await?;
    let limit = parameters.number("limit", MOST)?.unwrap_or(10);
    let offset = parameters.number("offset", usize::MAX)?.unwrap_or_default();
    let status = parameters.word("status", wire::RUN_STATUS)?;
    let select = parameters.list("select");
    parameters.finish()?;
    check_select(&select, wire::RUN)?;
    let theirs = RunsRequest { project: Some(thread.project.project.clone()), ..RunsRequest::default() };
    let rows = studio.runs_by(&theirs).await?;
    let wanted = rows.iter().filter(|row| status.is_none_or(|status| wire::run_status(row.status) == status));
    let page = wanted.skip(offset).take(limit);
    let page: Result<Value, LangGraphError> =
        page.map(|row| selected(wire::run(row, &thread), &select, wire::RUN)).collect();
    Ok(Json(page?))
}

async fn one(
    caller: Result<HttpCaller, HttpProblem>,
    Path((thread, run)): Path<(String, String)>,
) -> Result<Json<Value>, LangGraphError> {
    let HttpCaller(studio) = caller?;
    let thread = Thread::find(&studio, &thread).await?;
    Ok(Json(wire::run(&row(&studio, &thread, &run).await?, &thread)))
}

async fn delete() -> LangGraphError {
    LangGraphError::unprocessable("runs are kept with their project: delete the thread, or leave the run")
}

async fn join(
    caller: Result<HttpCaller, HttpProblem>,
    Path((thread, run)): Path<(String, String)>,
    mut parameters: Parameters,
) -> Result<Json<Value>, LangGraphError> {
    let HttpCaller(studio) = caller?;
    let thread = Thread::find(&studio, &thread).await?;
    row(&studio, &thread, &run).await?;
    let ends_with_client = parameters.flag("cancel_on_disconnect")?;
    parameters.finish()?;
    let guard = CancelOnDisconnect::new(&studio, &run, ends_with_client);
    ended(&studio, &run).await?;
    guard.disarm();
    let outcome = studio.outcome(&run).await?;
    Ok(Json(result(&outcome)))
}

/// Rejoins a stream after the event named by `Last-Event-ID`; other values mean the beginning.
async fn join_stream(
    caller: Result<HttpCaller, HttpProblem>,
    Path((thread, run)): Path<(String, String)>,
    mut parameters: Parameters,
    headers: HeaderMap,
) -> Result<Response, LangGraphError> {
    let HttpCaller(studio) = caller?;
    let thread = Thread::find(&studio, &thread).await?;
    row(&studio, &thread, &run).await?;
    let modes = StreamMode::named(&parameters.list("stream_mode"))?;
    let modes = if modes.is_empty() { StreamMode::REJOINED.to_vec() } else { modes };
    let ends_with_client = parameters.flag("cancel_on_disconnect")?;
    if parameters.one("checkpoint_id")?.is_some_and(|given| given != run) {
        return Err(LangGraphError::unsupported("checkpoint_id", "a stream shows its own run: leave it out"));
    }
    parameters.finish()?;
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()).and_then(|id| id.parse().ok());
    let guard = CancelOnDisconnect::new(&studio, &run, ends_with_client);
    Ok(follow(studio, run, last.unwrap_or_default(), Mapper::new(&thread.id, modes), guard))
}

async fn cancel(
    caller: Result<HttpCaller, HttpProblem>,
    Path((thread, run)): Path<(String, String)>,
    mut parameters: Parameters,
) -> Result<Response, LangGraphError> {
    let HttpCaller(studio) = caller?;
    let thread = Thread::find(&studio, &thread).await?;
    row(&studio, &thread, &run).await?;
    let waits = parameters.flag("wait")?;
    if parameters.word("action", &["interrupt", "rollback"])? == Some("rollback") {
        return Err(LangGraphError::unsupported("action", NO_ROLLBACK));
    }
    parameters.finish()?;
    studio.cancel(&run).await?;
    if waits {
        ended(&studio, &run).await?;
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    Ok(StatusCode::ACCEPTED.into_response())
}

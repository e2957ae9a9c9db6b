//! Projects as threads.

use std::collections::HashMap;

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use qingyu_studio::{Right, RunRow, RunStatus, RunsRequest, Studio};
use serde_json::{Value, json};

use super::error::LangGraphError;
use super::fields::{Fields, Parameters, check_select, contains, selected};
use super::interrupt;
use super::notes::Notes;
use super::outcome::{newest, row, told, values};
use super::thread::{NewThread, Thread, checked_id, taken_title};
use super::{update, wire};
use crate::chat::is_empty;
use crate::http::{HttpCaller, HttpProblem};

/// Maximum number of threads or states in a page.
const MOST: usize = 1_000;

/// The fields of a state.
const STATE: &[&str] =
    &["values", "next", "tasks", "checkpoint", "metadata", "created_at", "parent_checkpoint", "interrupts"];

pub(super) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/threads", post(create))
        .route("/threads/search", post(search))
        .route("/threads/count", post(count))
        .route("/threads/prune", post(prune))
        .route("/threads/{thread}", get(one).patch(change).delete(delete))
        .route("/threads/{thread}/copy", post(copy))
        .route("/threads/{thread}/state", get(state).post(update::update).patch(update::patch))
        .route("/threads/{thread}/state/checkpoint", post(state_of))
        .route("/threads/{thread}/state/{run}", get(state_at))
        .route("/threads/{thread}/history", get(recent).post(history))
}

async fn create(caller: Result<HttpCaller, HttpProblem>, mut fields: Fields) -> Result<Json<Value>, LangGraphError> {
    let HttpCaller(studio) = caller?;
    studio.scope().demand(Right::Write)?;
    let given = fields.read::<String>("thread_id")?.filter(|given| !given.is_empty());
    let keeps_old = fields.word("if_exists", &["raise", "do_nothing"])? == Some("do_nothing");
    fields.refuse("ttl", "threads stay until they are deleted: leave it out")?;
    fields.refuse("supersteps", "a thread begins empty: copy another one, or import a story at /api/v1")?;
    let mut metadata = fields.metadata("metadata")?.unwrap_or_default();
    fields.finish()?;
    let own = match &given {
        Some(given) => match Thread::find(&studio, given).await {
            Ok(thread) if keeps_old && thread.is_named(given) => return Ok(Json(shown(&studio, &thread).await?)),
            Ok(thread) if thread.is_named(given) => return Err(Thread::exists(given)),
            Err(failure) if !failure.is_missing() => return Err(failure),
            _ => Some(checked_id(given)?),
        },
        None => None,
    };
    let title = taken_title(&mut metadata)?;
    if metadata.remove("premise").is_some_and(|premise| !is_empty(&premise)) {
        let advice = "the premise is set by the first run, or when the project is made at /api/v1";
        return Err(LangGraphError::unsupported("metadata.premise", advice));
    }
    let new = NewThread { own, title, metadata, words: None };
    let thread = Thread::create(&studio, new).await?;
    Ok(Json(wire::thread(&thread, None)))
}

/// Returns a thread with its state.
async fn shown(studio: &Studio, thread: &Thread) -> Result<Value, LangGraphError> {
    let newest = newest(studio, &thread.project.project).await?;
    let mut told = wire::thread(thread, newest.as_ref());
    if let Some(run) = newest {
        let values = values(studio, &run.run).await?;
        if let Some(interrupts) = values.get("__interrupt__").filter(|interrupts| !is_empty(interrupts)) {
            told["interrupts"] = json!({&run.run: interrupts});
        }
        told["values"] = values;
    }
    Ok(told)
}

/// The conditions of a search.
#[derive(Debug, Default)]
struct Wanted {
    ids: Option<Vec<String>>,
    metadata: Option<Value>,
    status: Option<&'static str>,
}

impl Wanted {
    fn read(fields: &mut Fields) -> Result<Self, LangGraphError> {
        let ids = fields.read::<Vec<String>>("ids")?.filter(|ids| !ids.is_empty());
        let metadata = fields.metadata("metadata")?.map(Value::from);
        let status = fields.word("status", wire::THREAD_STATUS)?;
        fields.refuse("values", "states are not searched: leave it out, and look into the threads you get")?;
        Ok(Self { ids, metadata, status })
    }

    /// Returns the threads that meet the conditions, the newest project first, with their newest runs.
    async fn find(&self, studio: &Studio) -> Result<Vec<(Thread, Option<RunRow>)>, LangGraphError> {
        let (projects, runs) = (studio.projects().await?, studio.newest_runs().await?);
        let mut newest: HashMap<String, RunRow> = runs.into_iter().map(|run| (run.project.clone(), run)).collect();
        let mut notes = Notes::of(studio).all().await?;
        let threads = projects.into_iter().map(|project| {
            let note = notes.remove(&project.project).unwrap_or_default();
            let run = newest.remove(&project.project);
            (Thread::new(project, note, None), run)
        });
        Ok(threads.filter(|(thread, run)| self.is_met(thread, run.as_ref())).collect())
    }

    fn is_met(&self, thread: &Thread, newest: Option<&RunRow>) -> bool {
        let is_named = self.ids.as_ref().is_none_or(|ids| ids.iter().any(|id| thread.is_named(id)));
        let status = self.status.is_none_or(|status| status == wire::thread_status(newest));
        let metadata = self.metadata.as_ref();
        is_named && status && metadata.is_none_or(|wanted| contains(&thread.metadata(), wanted))
    }
}

async fn search(caller: Result<HttpCaller, HttpProblem>, mut fields: Fields) -> Result<Json<Value>, LangGraphError> {
    let HttpCaller(studio) = caller?;
    let wanted = Wanted::read(&mut fields)?;
    let limit = fields.number("limit", MOST)?.unwrap_or(10);
    let offset = fields.number("offset", usize::MAX)?.unwrap_or_default();
    let keys = ["thread_id", "status", "created_at", "updated_at", "state_updated_at"];
    let sort = fields.word("sort_by", &keys)?;
    let order = fields.word("sort_order", &["asc", "desc"])?;
    let select = fields.read::<Vec<String>>("select")?.unwrap_or_default();
    fields.refuse("extract", "pass `select`, and take the values out of the threads you get")?;
    fields.finish()?;
    check_select(&select, wire::THREAD)?;
    let mut threads = wanted.find(&studio).await?;
    sorted(&mut threads, sort, order);
    let page = threads.iter().skip(offset).take(limit);
    let page = page.map(|(thread, run)| selected(wire::thread(thread, run.as_ref()), &select, wire::THREAD));
    Ok(Json(page.collect::<Result<Value, LangGraphError>>()?))
}

/// Sorts threads by a field, the last or newest first unless `order` is `asc`; without both, threads stay as they are.
fn sorted(threads: &mut [(Thread, Option<RunRow>)], sort: Option<&str>, order: Option<&str>) {
    match sort.or(order.map(|_| "created_at")) {
        None => return,
        Some("thread_id") => threads.sort_by(|(a, _), (b, _)| a.id.cmp(&b.id)),
        Some("status") => {
            threads.sort_by_key(|(_, run)| wire::thread_status(run.as_ref()));
        }
        Some("created_at") => threads.sort_by_key(|(thread, _)| thread.project.created),
        Some(_) => threads.sort_by_key(|(thread, _)| thread.project.updated),
    }
    if order != Some("asc") {
        threads.reverse();
    }
}

async fn count(caller: Result<HttpCaller, HttpProblem>, mut fields: Fields) -> Result<Json<usize>, LangGraphError> {
    let HttpCaller(studio) = caller?;
    let wanted = Wanted::read(&mut fields)?;
    fields.finish()?;
    Ok(Json(wanted.find(&studio).await?.len()))
}

async fn one(
    caller: Result<HttpCaller, HttpProblem>,
    Path(thread): Path<String>,
    mut parameters: Parameters,
) -> Result<Json<Value>, LangGraphError> {
    let HttpCaller(studio) = caller?;
    let include = parameters.list("include");
    if include.iter().any(|name| name != "ttl") {
        return Err(LangGraphError::invalid("include", "there is nothing to include but `ttl`, which no thread has"));
    }
    parameters.finish()?;
    let thread = Thread::find(&studio, &thread).await?;
    Ok(Json(shown(&studio, &thread).await?))
}

/// Adds metadata and replaces those of the same name; the response has no body for `Prefer: return=minimal`.
async fn change(
    caller: Result<HttpCaller, HttpProblem>,
    Path(thread): Path<String>,
    headers: HeaderMap,
    mut fields: Fields,
) -> Result<Response, LangGraphError> {
    let HttpCaller(studio) = caller?;
    studio.scope().demand(Right::Write)?;
    let mut thread = Thread::find(&studio, &thread).await?;
    fields.refuse("ttl", "threads stay until they are deleted: leave it out")?;
    let changes = fields.metadata("metadata")?.unwrap_or_default();
    fields.finish()?;
    thread.update(&studio, changes).await?;
    if headers.get("prefer").is_some_and(|prefer| prefer == "return=minimal") {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    Ok(Json(shown(&studio, &thread).await?).into_response())
}

async fn delete(
    caller: Result<HttpCaller, HttpProblem>,
    Path(thread): Path<String>,
) -> Result<StatusCode, LangGraphError> {
    let HttpCaller(studio) = caller?;
    Thread::find(&studio, &thread).await?.delete(&studio).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes several threads; those that do not exist are passed over.
async fn prune(caller: Result<HttpCaller, HttpProblem>, mut fields: Fields) -> Result<Json<Value>, LangGraphError> {
    let HttpCaller(studio) = caller?;
    studio.scope().demand(Right::Write)?;
    let ids = fields.read::<Vec<String>>("thread_ids")?.unwrap_or_default();
    if fields.word("strategy", &["delete", "keep_latest"])? == Some("keep_latest") {
        return Err(LangGraphError::unsupported("strategy", "the history of a project is kept: pass `delete`"));
    }
    fields.finish()?;
    let mut pruned = 0;
    for id in ids {
        match Thread::find(&studio, &id).await {
            Ok(thread) => thread.delete(&studio).await?,
            Err(failure) if failure.is_missing() => continue,
            Err(failure) => return Err(failure),
        }
        pruned += 1;
    }
    Ok(Json(json!({"pruned_count": pruned})))
}

async fn copy(
    caller: Result<HttpCaller, HttpProblem>,
    Path(thread): Path<String>,
) -> Result<Json<Value>, LangGraphError> {
    let HttpCaller(studio) = caller?;
    let thread = Thread::find(&studio, &thread).await?.copy(&studio).await?;
    Ok(Json(wire::thread(&thread, None)))
}

async fn state(
    caller: Result<HttpCaller, HttpProblem>,
    Path(thread): Path<String>,
    mut parameters: Parameters,
) -> Result<Json<Value>, LangGraphError> {
    let HttpCaller(studio) = caller?;
    parameters.flag("subgraphs")?;
    let select = parameters.list("select");
    parameters.finish()?;
    let thread = Thread::find(&studio, &thread).await?;
    let newest = newest(&studio, &thread.project.project).await?;
    one_state(&studio, &thread, newest.as_ref(), &select).await
}

/// Returns the state after a run, which is the checkpoint of that id.
async fn state_at(
    caller: Result<HttpCaller, HttpProblem>,
    Path((thread, run)): Path<(String, String)>,
    mut parameters: Parameters,
) -> Result<Json<Value>, LangGraphError> {
    let HttpCaller(studio) = caller?;
    parameters.flag("subgraphs")?;
    let select = parameters.list("select");
    parameters.finish()?;
    let thread = Thread::find(&studio, &thread).await?;
    let run = row(&studio, &thread, &run).await?;
    one_state(&studio, &thread, Some(&run), &select).await
}

/// Returns the state of a checkpoint; without an id, the newest.
async fn state_of(
    caller: Result<HttpCaller, HttpProblem>,
    Path(thread): Path<String>,
    mut fields: Fields,
) -> Result<Json<Value>, LangGraphError> {
    let HttpCaller(studio) = caller?;
    let mut checkpoint = fields.object("checkpoint")?;
    fields.read::<bool>("subgraphs")?;
    let select = fields.read::<Vec<String>>("select")?.unwrap_or_default();
    fields.finish()?;
    let thread = Thread::find(&studio, &thread).await?;
    let run = match id_of(&mut checkpoint, &thread)? {
        Some(run) => Some(row(&studio, &thread, &run).await?),
        None => newest(&studio, &thread.project.project).await?,
    };
    checkpoint.finish()?;
    one_state(&studio, &thread, run.as_ref(), &select).await
}

/// Reads a checkpoint of a thread; returns its id, if it has one.
pub(super) fn id_of(checkpoint: &mut Fields, thread: &Thread) -> Result<Option<String>, LangGraphError> {
    checkpoint.refuse_subgraphs()?;
    if checkpoint.read::<String>("thread_id")?.is_some_and(|given| !thread.is_named(&given)) {
        return Err(LangGraphError::invalid(&checkpoint.path("thread_id"), "it is not the thread of the request"));
    }
    Ok(checkpoint.read::<String>("checkpoint_id")?.filter(|id| !id.is_empty()))
}

async fn one_state(
    studio: &Studio,
    thread: &Thread,
    run: Option<&RunRow>,
    select: &[String],
) -> Result<Json<Value>, LangGraphError> {
    let before = match run {
        Some(run) => page(studio, thread, Some(&run.run), 1).await?.pop(),
        None => None,
    };
    Ok(Json(selected(snapshot(studio, thread, run, before.as_ref()).await?, select, STATE)?))
}

/// Returns runs of a thread, newest first, after the run `after` in that order.
async fn page(
    studio: &Studio,
    thread: &Thread,
    after: Option<&str>,
    limit: usize,
) -> Result<Vec<RunRow>, LangGraphError> {
    let request = RunsRequest {
        project: Some(thread.project.project.clone()),
        after: after.map(str::to_owned),
        limit: u32::try_from(limit).ok(),
        ..RunsRequest::default()
    };
    Ok(studio.runs_by(&request).await?)
}

async fn recent(
    caller: Result<HttpCaller, HttpProblem>,
    Path(thread): Path<String>,
    mut parameters: Parameters,
) -> Result<Json<Value>, LangGraphError> {
    let HttpCaller(studio) = caller?;
    let limit = parameters.number("limit", MOST)?.unwrap_or(10);
    let before = parameters.one("before")?;
    parameters.finish()?;
    let thread = Thread::find(&studio, &thread).await?;
    states(&studio, &thread, limit, before.as_deref(), &[]).await
}

async fn history(
    caller: Result<HttpCaller, HttpProblem>,
    Path(thread): Path<String>,
    mut fields: Fields,
) -> Result<Json<Value>, LangGraphError> {
    let HttpCaller(studio) = caller?;
    let thread = Thread::find(&studio, &thread).await?;
    let limit = fields.number("limit", MOST)?.unwrap_or(10);
    fields.refuse("metadata", "states are not searched: leave it out, and look into the states you get")?;
    let mut checkpoint = fields.object("checkpoint")?;
    if id_of(&mut checkpoint, &thread)?.is_some() {
        return Err(LangGraphError::unsupported("checkpoint.checkpoint_id", "pass it as `before`, or get its state"));
    }
    checkpoint.finish()?;
    let before = before(&mut fields, &thread)?;
    let select = fields.read::<Vec<String>>("select")?.unwrap_or_default();
    fields.finish()?;
    states(&studio, &thread, limit, before.as_deref(), &select).await
}

/// Reads the checkpoint before which a history ends: its id, the checkpoint, or a configuration with it.
fn before(fields: &mut Fields, thread: &Thread) -> Result<Option<String>, LangGraphError> {
    let given = match fields.take("before") {
        Value::Null => return Ok(None),
        Value::String(id) => return Ok(Some(id).filter(|id| !id.is_empty())),
        Value::Object(given) => given,
        _ => return Err(LangGraphError::invalid("before", "it is no checkpoint and no id of one")),
    };
    let mut before = fields.below("before", given);
    let mut configurable = before.object("configurable")?;
    let id = id_of(&mut configurable, thread)?;
    configurable.finish()?;
    let id = id.or(id_of(&mut before, thread)?);
    before.finish()?;
    Ok(id)
}

/// Returns the states of the thread after each of its runs, newest first.
async fn states(
    studio: &Studio,
    thread: &Thread,
    limit: usize,
    before: Option<&str>,
    select: &[String],
) -> Result<Json<Value>, LangGraphError> {
    check_select(select, STATE)?;
    if let Some(before) = before
        && let Err(failure) = row(studio, thread, before).await
    {
        let message = "the thread has no checkpoint of that id";
        return Err(if failure.is_missing() { LangGraphError::invalid("before", message) } else { failure });
    }
    let runs = page(studio, thread, before, limit.saturating_add(1)).await?;
    let mut states = Vec::new();
    for (place, run) in runs.iter().take(limit).enumerate() {
        let state = snapshot(studio, thread, Some(run), runs.get(place + 1)).await?;
        states.push(selected(state, select, STATE)?);
    }
    Ok(Json(states.into()))
}

/// Returns the nodes with which a stopped run continues.
async fn due(studio: &Studio, run: &str) -> Result<Vec<String>, LangGraphError> {
    let newest = studio.checkpoints(run, None, Some(1)).await?.pop();
    let next = newest.map(|newest| newest.next).unwrap_or_default();
    // Tasks of one node have its name and a number.
    Ok(next.iter().map(|task| task.split('#').next().unwrap_or(task).to_owned()).collect())
}

/// Returns the state of a thread after a run; `before` is the run before it.
async fn snapshot(
    studio: &Studio,
    thread: &Thread,
    run: Option<&RunRow>,
    before: Option<&RunRow>,
) -> Result<Value, LangGraphError> {
    let outcome = match run {
        Some(run) => Some(studio.outcome(&run.run).await?),
        None => None,
    };
    let values = outcome.as_ref().map_or_else(|| json!({}), told);
    let interrupts = values.get("__interrupt__").cloned().unwrap_or_else(|| json!([]));
    let question = outcome.as_ref().and_then(|outcome| outcome.question.as_ref());
    let question = question.filter(|_| run.is_some_and(|run| run.status == RunStatus::Waiting));
    let next = match (run, question) {
        (_, Some(question)) => interrupt::next(question),
        (Some(run), None) if run.status == RunStatus::Interrupted => due(studio, &run.run).await?,
        _ => Vec::new(),
    };
    let tasks = run.map(|run| interrupt::tasks(&run.run, &next, question)).unwrap_or_default();
    let checkpoint = |run: Option<&RunRow>| wire::checkpoint(thread, run.map(|run| run.run.as_str()));
    Ok(json!({
        "values": values, "next": next, "tasks": tasks, "interrupts": interrupts, "checkpoint": checkpoint(run),
        "metadata": {"run_id": run.map(|run| &run.run), "thread_id": thread.id},
        "created_at": run.map(|run| run.ended.unwrap_or(run.started)),
        "parent_checkpoint": before.map(|before| checkpoint(Some(before))),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thread() -> Thread {
        let project = json!({
            "project": "p-1", "title": "灯塔", "language": "zh", "premise": "", "version": 1,
            "created": "2026-01-01T00:00:00Z", "updated": "2026-01-02T00:00:00Z",
        });
        let note =
            json!({"project": "p-1", "thread": "0192e4a0-0000-7000-8000-000000000001", "metadata": {"user": "a"}});
        Thread::new(serde_json::from_value(project).unwrap(), serde_json::from_value(note).unwrap(), None)
    }

    #[test]
    fn threads_are_found_by_ids_metadata_and_status() {
        let own = "0192E4A0-0000-7000-8000-000000000001";
        for (search, is_met) in [
            (json!({}), true),
            (json!({"ids": ["p-1"]}), true),
            (json!({"ids": [own]}), true),
            (json!({"ids": ["p-2"]}), false),
            (json!({"metadata": {"user": "a", "title": "灯塔"}}), true),
            (json!({"metadata": {"user": "b"}}), false),
            (json!({"status": "idle"}), true),
            (json!({"status": "busy"}), false),
        ] {
            let mut fields = Fields::from(search.as_object().unwrap().clone());
            assert_eq!(Wanted::read(&mut fields).unwrap().is_met(&thread(), None), is_met, "{search}");
        }
        let unknown = json!({"status": "asleep"}).as_object().unwrap().clone();
        assert!(Wanted::read(&mut Fields::from(unknown)).is_err());
    }

    #[test]
    fn a_checkpoint_is_named_in_each_of_its_forms() {
        let named = |before: Value| {
            let mut fields = Fields::from(json!({"before": before}).as_object().unwrap().clone());
            super::before(&mut fields, &thread())
        };
        for given in [
            json!("r-1"),
            json!({"checkpoint_id": "r-1", "checkpoint_ns": "", "thread_id": "p-1"}),
            json!({"configurable": {"checkpoint_id": "r-1"}}),
        ] {
            assert_eq!(named(given.clone()).unwrap().as_deref(), Some("r-1"), "{given}");
        }
        assert_eq!(named(Value::Null).unwrap(), None);
        for wrong in [json!(7), json!({"checkpoint_id": "r-1", "x": 1}), json!({"thread_id": "p-2"})] {
            assert!(named(wrong.clone()).is_err(), "{wrong}");
        }
    }
}

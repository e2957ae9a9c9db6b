//! One task: a node with its attempts.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::FutureExt;
use serde_json::json;
use uuid::Uuid;

use crate::any_state::{AnyState, AnyUpdate};
use crate::cache::NodeCache;
use crate::command::{NodeOutput, NodeSend};
use crate::compiled::CompiledParts;
use crate::context::{Context, TaskScope};
use crate::error::{Error, SharedError};
use crate::event::{EventKind, Question};
use crate::node::{NodeError, NodeFailure};
use crate::stop::StopReason;
use crate::store::JoinedWrite;
use crate::superstep::{TaskRoute, TaskWrites};
use crate::task_id::TaskId;

/// A task that has ended.
pub(super) struct EndedTask {
    pub(super) task: TaskId,
    pub(super) end: TaskEnd,
}

/// The end of a task.
pub(super) enum TaskEnd {
    Finished {
        writes: TaskWrites,
        joined: Vec<JoinedWrite>,
    },
    Asked(Vec<Question>),
    Failed {
        message: String,
        source: Option<SharedError>,
    },
    /// The engine refused a call of the node.
    Refused(Error),
    /// A subgraph has stopped early.
    Stopped(StopReason),
}

/// The end of one attempt.
enum AttemptEnd {
    Last(TaskEnd),
    Retryable(Box<dyn std::error::Error + Send + Sync>),
}

/// Runs a task until the last attempt.
pub(super) async fn execute(graph: Arc<CompiledParts>, state: AnyState, scope: Arc<TaskScope>) -> EndedTask {
    if let Some(end) = cached(&graph, &state, &scope).await {
        return EndedTask { task: scope.id.clone(), end };
    }
    let mut number = 1;
    let end = loop {
        let context = Context::new(Arc::clone(&scope), number);
        scope.tell(EventKind::TaskStarted { attempt: number }).await;
        let working = AssertUnwindSafe(attempt(&graph, state.clone(), context.clone()));
        let ended = working.catch_unwind().await;
        context.end();
        let end = match ended {
            Ok(AttemptEnd::Last(end)) => end,
            Ok(AttemptEnd::Retryable(source)) => match pause(&graph, &scope, number, &source.to_string()).await {
                true => {
                    number += 1;
                    continue;
                }
                false => failed(source),
            },
            Err(panic) => TaskEnd::Failed { message: panic_message(panic.as_ref()), source: None },
        };
        if let TaskEnd::Failed { message, .. } = &end {
            tell_failure(&scope, number, message, false).await;
        }
        break hand_over(&graph, &scope, end);
    };
    EndedTask { task: scope.id.clone(), end }
}

/// Returns the end of a task whose result is in the cache; `None` for a cache miss.
async fn cached(graph: &CompiledParts, state: &AnyState, scope: &TaskScope) -> Option<TaskEnd> {
    let node = &scope.id.node;
    let cache = graph.executable(node).ok()?.cache.as_ref()?;
    let key = match cache.key(node, state, scope.payload.as_deref()) {
        Ok(key) => key,
        Err(error) => return Some(TaskEnd::Refused(error)),
    };
    let output = cache.get(&key)?;
    scope.tell(EventKind::TaskCached).await;
    Some(match resolve(graph, state, scope, output) {
        Ok(writes) => TaskEnd::Finished { writes, joined: Vec::new() },
        Err(error) => TaskEnd::Refused(error),
    })
}

/// Inserts a result into the cache.
fn keep(cache: &NodeCache, state: &AnyState, context: &Context, output: &NodeOutput) -> Result<(), Error> {
    let key = cache.key(context.node(), state, context.task.payload.as_deref())?;
    cache.put(key, output.clone());
    Ok(())
}

async fn attempt(graph: &CompiledParts, state: AnyState, context: Context) -> AttemptEnd {
    let executable = match graph.executable(context.node()) {
        Ok(executable) => executable,
        Err(error) => return AttemptEnd::Last(TaskEnd::Refused(error)),
    };
    let working = (executable.run)(state.clone(), context.clone());
    let result = tokio::select! {
        biased;
        result = working => result,
        limit = executable.time_limits.passed(|| context.last_sign_of_life()) => Err(NodeError::retryable(limit)),
    };
    if let Err(NodeError::Engine(error)) = result {
        return AttemptEnd::Last(TaskEnd::Refused(error));
    }
    // A question counts even if the node continued after the error.
    let asked = context.take_asked();
    match context.stopped() {
        Some(StopReason::Paused) if !asked.is_empty() => {}
        Some(stopped) => return AttemptEnd::Last(TaskEnd::Stopped(stopped)),
        None => {}
    }
    if !asked.is_empty() {
        return AttemptEnd::Last(TaskEnd::Asked(asked));
    }
    match result {
        Ok(output) => {
            let joined = context.take_joined();
            let memories = context.take_remembered();
            let kept = match &executable.cache {
                Some(cache) if joined.is_empty() && memories.is_empty() => keep(cache, &state, &context, &output),
                _ => Ok(()),
            };
            let resolved = kept.and_then(|()| resolve(graph, &state, &context.task, output));
            AttemptEnd::Last(match resolved {
                Ok(writes) => TaskEnd::Finished { writes: TaskWrites { memories, ..writes }, joined },
                Err(error) => TaskEnd::Refused(error),
            })
        }
        Err(NodeError::Failed { retryable: true, source }) => AttemptEnd::Retryable(source),
        Err(NodeError::Failed { retryable: false, source }) => AttemptEnd::Last(failed(source)),
        Err(NodeError::Engine(error)) => AttemptEnd::Last(TaskEnd::Refused(error)),
        Err(NodeError::Interrupted) => AttemptEnd::Last(TaskEnd::Failed {
            message: "it was interrupted without a question".to_owned(),
            source: None,
        }),
    }
}

/// Resolves the targets of an output.
fn resolve(
    graph: &CompiledParts,
    state: &AnyState,
    scope: &TaskScope,
    output: NodeOutput,
) -> Result<TaskWrites, Error> {
    let node = &scope.id.node;
    let writes = graph.resolve(node, output)?;
    if scope.frame.is_single { Ok(writes) } else { graph.route(node, state, writes) }
}

/// Converts a failure into a send to the node's error handler, if there is one.
fn hand_over(graph: &CompiledParts, scope: &TaskScope, end: TaskEnd) -> TaskEnd {
    let handler = graph.executable(&scope.id.node).ok().and_then(|executable| executable.handler.clone());
    match (end, handler) {
        (TaskEnd::Failed { message, .. }, Some(node)) => {
            let payload = Arc::new(json!(NodeFailure { node: scope.id.to_string(), message }));
            let writes =
                TaskWrites::new(AnyUpdate::default(), TaskRoute::Goto(Vec::new()), vec![NodeSend { node, payload }]);
            TaskEnd::Finished { writes, joined: Vec::new() }
        }
        (end, _) => end,
    }
}

/// Waits before a retry; returns `false` if no attempt is left.
async fn pause(graph: &CompiledParts, scope: &TaskScope, attempt: u32, message: &str) -> bool {
    let Ok(executable) = graph.executable(&scope.id.node) else { return false };
    if attempt >= executable.retry.max_attempts {
        return false;
    }
    tell_failure(scope, attempt, message, true).await;
    let random = u32::from_le_bytes(*Uuid::new_v4().as_bytes().first_chunk().expect("a UUID has 16 bytes"));
    tokio::time::sleep(executable.retry.pause(attempt, random)).await;
    true
}

async fn tell_failure(scope: &TaskScope, attempt: u32, message: &str, will_retry: bool) {
    scope.tell(EventKind::TaskFailed { attempt, message: message.to_owned(), will_retry }).await;
}

fn failed(source: Box<dyn std::error::Error + Send + Sync>) -> TaskEnd {
    let message = source.to_string();
    TaskEnd::Failed { message, source: Some(SharedError::new(source)) }
}

pub(super) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("it panicked: {}", text.unwrap_or("no message"))
}

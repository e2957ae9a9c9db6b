//! One task: a node with its attempts.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::FutureExt;
use serde_json::json;
use uuid::Uuid;

use crate::cache::Cache;
use crate::command::Sent;
use crate::context::{Stopped, TaskScope};
use crate::error::SharedError;
use crate::event::{EventKind, Question};
use crate::store::JoinedWrite;
use crate::superstep::{TaskId, TaskWrites, Way};
use crate::{Command, CompiledGraph, Context, Error, Failure, NodeError, State};

/// A task that has ended.
pub(super) struct Ended<S: State> {
    pub(super) task: TaskId,
    pub(super) end: End<S>,
}

/// How it ended.
pub(super) enum End<S: State> {
    Finished {
        writes: TaskWrites<S::Update>,
        joined: Vec<JoinedWrite>,
    },
    Asked(Vec<Question>),
    Failed {
        message: String,
        source: Option<SharedError>,
    },
    /// The engine refused something that the node asked of it.
    Refused(Error),
    /// A subgraph has stopped without an end.
    Stopped(Stopped),
}

/// How one attempt ended.
enum Attempt<S: State> {
    Last(End<S>),
    Retryable(Box<dyn std::error::Error + Send + Sync>),
}

/// Runs a task until an attempt is its last.
pub(super) async fn execute<S: State>(graph: CompiledGraph<S>, state: Arc<S>, scope: Arc<TaskScope>) -> Ended<S> {
    if let Some(end) = cached(&graph, &state, &scope).await {
        return Ended { task: scope.id.clone(), end };
    }
    let mut number = 1;
    let end = loop {
        let context = Context::new(Arc::clone(&scope), number);
        scope.tell(EventKind::TaskStarted { attempt: number }).await;
        let working = AssertUnwindSafe(attempt(&graph, Arc::clone(&state), context.clone()));
        let ended = working.catch_unwind().await;
        context.end();
        let end = match ended {
            Ok(Attempt::Last(end)) => end,
            Ok(Attempt::Retryable(source)) => match pause(&graph, &scope, number, &source.to_string()).await {
                true => {
                    number += 1;
                    continue;
                }
                false => failed(source),
            },
            Err(panic) => End::Failed { message: panic_message(panic.as_ref()), source: None },
        };
        if let End::Failed { message, .. } = &end {
            tell_failure(&scope, number, message, false).await;
        }
        break hand_over(&graph, &scope, end);
    };
    Ended { task: scope.id.clone(), end }
}

/// The end of a task whose result is already known.
async fn cached<S: State>(graph: &CompiledGraph<S>, state: &S, scope: &TaskScope) -> Option<End<S>> {
    let node = &scope.id.node;
    let cache = graph.inner.executable(node).ok()?.cache.as_ref()?;
    let key = match cache.key(node, state, scope.payload.as_deref()) {
        Ok(key) => key,
        Err(error) => return Some(End::Refused(error)),
    };
    let command = cache.get(&key)?;
    scope.tell(EventKind::TaskCached).await;
    Some(match resolve(graph, state, scope, command) {
        Ok(writes) => End::Finished { writes, joined: Vec::new() },
        Err(error) => End::Refused(error),
    })
}

/// Keeps a result for later executions that depend on the same.
fn keep<S: State>(cache: &Cache<S>, state: &S, context: &Context, command: &Command<S>) -> Result<(), Error> {
    let key = cache.key(context.node(), state, context.task.payload.as_deref())?;
    cache.put(key, command.clone());
    Ok(())
}

async fn attempt<S: State>(graph: &CompiledGraph<S>, state: Arc<S>, context: Context) -> Attempt<S> {
    let executable = match graph.inner.executable(context.node()) {
        Ok(executable) => executable,
        Err(error) => return Attempt::Last(End::Refused(error)),
    };
    let working = (executable.run)(Arc::clone(&state), context.clone());
    let result = tokio::select! {
        biased;
        result = working => result,
        limit = executable.time_limits.passed(&context) => Err(NodeError::retryable(limit)),
    };
    if let Err(NodeError::Engine(error)) = result {
        return Attempt::Last(End::Refused(error));
    }
    // A question counts even if the node went on as if it had been answered.
    let asked = context.take_asked();
    match context.stopped() {
        Some(Stopped::Paused) if !asked.is_empty() => {}
        Some(stopped) => return Attempt::Last(End::Stopped(stopped)),
        None => {}
    }
    if !asked.is_empty() {
        return Attempt::Last(End::Asked(asked));
    }
    match result {
        Ok(command) => {
            let joined = context.take_joined();
            let memories = context.take_remembered();
            let kept = match &executable.cache {
                Some(cache) if joined.is_empty() && memories.is_empty() => keep(cache, &state, &context, &command),
                _ => Ok(()),
            };
            let resolved = kept.and_then(|()| resolve(graph, &state, &context.task, command));
            Attempt::Last(match resolved {
                Ok(writes) => End::Finished { writes: TaskWrites { memories, ..writes }, joined },
                Err(error) => End::Refused(error),
            })
        }
        Err(NodeError::Failed { retryable: true, source }) => Attempt::Retryable(source),
        Err(NodeError::Failed { retryable: false, source }) => Attempt::Last(failed(source)),
        Err(NodeError::Engine(error)) => Attempt::Last(End::Refused(error)),
        Err(NodeError::Interrupted) => {
            Attempt::Last(End::Failed { message: "it was interrupted without a question".to_owned(), source: None })
        }
    }
}

/// Decides where a command leads.
fn resolve<S: State>(
    graph: &CompiledGraph<S>,
    state: &S,
    scope: &TaskScope,
    command: Command<S>,
) -> Result<TaskWrites<S::Update>, Error> {
    let node = &scope.id.node;
    let writes = graph.inner.resolve(node, command)?;
    if scope.frame.is_single { Ok(writes) } else { graph.inner.route(node, state, writes) }
}

/// Turns a failure into a send to the node's error handler, if it has one.
fn hand_over<S: State>(graph: &CompiledGraph<S>, scope: &TaskScope, end: End<S>) -> End<S> {
    let handler = graph.inner.executable(&scope.id.node).ok().and_then(|executable| executable.handler.clone());
    match (end, handler) {
        (End::Failed { message, .. }, Some(node)) => {
            let payload = Arc::new(json!(Failure { node: scope.id.to_string(), message }));
            let writes = TaskWrites::new(S::Update::default(), Way::Goto(Vec::new()), vec![Sent { node, payload }]);
            End::Finished { writes, joined: Vec::new() }
        }
        (end, _) => end,
    }
}

/// Waits before another attempt; `false` if there is none left.
async fn pause<S: State>(graph: &CompiledGraph<S>, scope: &TaskScope, attempt: u32, message: &str) -> bool {
    let Ok(executable) = graph.inner.executable(&scope.id.node) else { return false };
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

fn failed<S: State>(source: Box<dyn std::error::Error + Send + Sync>) -> End<S> {
    let message = source.to_string();
    End::Failed { message, source: Some(SharedError::new(source)) }
}

pub(super) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("it panicked: {}", text.unwrap_or("no message"))
}

//! A model with scripted answers.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::{self, StreamExt};

use crate::{ChatEvent, ChatModel, ChatRequest, Error, EventStream, Reply};

/// Characters per text event of a scripted stream.
const PIECE: usize = 8;

/// A scripted answer.
#[derive(Debug, Clone)]
pub enum ModelScript {
    /// A complete answer, streamed in fragments of eight characters.
    Reply(Box<Reply>),
    /// The given items unchanged; the stream ends after the last.
    Items(Vec<Result<ChatEvent, Error>>),
    /// Returns an error from the call itself.
    Refuse(Error),
}

impl From<Reply> for ModelScript {
    fn from(reply: Reply) -> Self {
        Self::Reply(Box::new(reply))
    }
}

impl From<&str> for ModelScript {
    fn from(text: &str) -> Self {
        Self::from(Reply { text: text.into(), ..Reply::default() })
    }
}

impl From<String> for ModelScript {
    fn from(text: String) -> Self {
        Self::from(Reply { text, ..Reply::default() })
    }
}

impl From<Error> for ModelScript {
    fn from(error: Error) -> Self {
        Self::Refuse(error)
    }
}

type ScriptResponder = dyn Fn(&ChatRequest) -> ModelScript + Send + Sync;

/// A [`ChatModel`] that answers from a queue per purpose, or from a closure, and records every request.
///
/// A request without a scripted answer fails with [`Error::Unsupported`], so a test never gets an accidental answer.
///
/// ```
/// use qingyu_llm::testing::ScriptedModel;
/// use qingyu_llm::{ChatModel, ChatRequest, model::drain};
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let model = ScriptedModel::new("scripted").on("outline.generate", "雪夜");
/// let request = ChatRequest { purpose: "outline.generate".into(), ..ChatRequest::default() };
/// let reply = drain(model.stream(&request).await.unwrap()).await.unwrap();
/// assert_eq!(reply.text, "雪夜");
/// assert_eq!(model.requests(), [request]);
/// # });
/// ```
#[derive(Clone)]
pub struct ScriptedModel {
    name: String,
    latency: Duration,
    responder: Option<Arc<ScriptResponder>>,
    state: Arc<Mutex<ScriptState>>,
}

#[derive(Default)]
struct ScriptState {
    queues: BTreeMap<String, VecDeque<ModelScript>>,
    requests: Vec<ChatRequest>,
}

impl ScriptedModel {
    /// Returns a model called `name` without scripted answers. Clones share their queues and records.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), latency: Duration::ZERO, responder: None, state: Arc::default() }
    }

    /// Returns a model that calls `responder` whenever the queue of the purpose is empty.
    pub fn responding(
        name: impl Into<String>,
        responder: impl Fn(&ChatRequest) -> ModelScript + Send + Sync + 'static,
    ) -> Self {
        Self { responder: Some(Arc::new(responder)), ..Self::new(name) }
    }

    /// Delays the first event of every answer by `latency`.
    #[must_use]
    pub fn with_latency(mut self, latency: Duration) -> Self {
        self.latency = latency;
        self
    }

    /// Appends an answer for `purpose` and returns the model.
    #[must_use]
    pub fn on(self, purpose: &str, script: impl Into<ModelScript>) -> Self {
        self.push(purpose, script);
        self
    }

    /// Appends an answer for `purpose`.
    pub fn push(&self, purpose: &str, script: impl Into<ModelScript>) {
        self.state().queues.entry(purpose.into()).or_default().push_back(script.into());
    }

    /// Returns every request so far, oldest first.
    pub fn requests(&self) -> Vec<ChatRequest> {
        self.state().requests.clone()
    }

    /// Returns the number of unused scripted answers.
    pub fn left(&self) -> usize {
        self.state().queues.values().map(VecDeque::len).sum()
    }

    fn next(&self, request: &ChatRequest) -> ModelScript {
        let queued = {
            let mut state = self.state();
            state.requests.push(request.clone());
            state.queues.get_mut(&request.purpose).and_then(VecDeque::pop_front)
        };
        match (queued, &self.responder) {
            (Some(script), _) => script,
            (None, Some(responder)) => responder(request),
            (None, None) => ModelScript::Refuse(Error::Unsupported {
                model: self.name.clone(),
                purpose: request.purpose.clone(),
                hint: "no scripted answer is left".into(),
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, ScriptState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for ScriptedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptedModel").field("name", &self.name).finish_non_exhaustive()
    }
}

impl ChatModel for ScriptedModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn stream<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<EventStream, Error>> {
        Box::pin(async move {
            let script = self.next(request);
            if !self.latency.is_zero() {
                tokio::time::sleep(self.latency).await;
            }
            let items = match script {
                ModelScript::Reply(reply) => pieces(*reply, &self.name).into_iter().map(Ok).collect(),
                ModelScript::Items(items) => items,
                ModelScript::Refuse(error) => return Err(error),
            };
            Ok(stream::iter(items).boxed())
        })
    }
}

/// Returns the events a provider would send for `reply`.
fn pieces(mut reply: Reply, model: &str) -> Vec<ChatEvent> {
    let mut events = Vec::new();
    if !reply.reasoning.is_empty() {
        events.push(ChatEvent::Reasoning(reply.reasoning.clone()));
    }
    events.extend(split(&reply.text).into_iter().map(ChatEvent::Text));
    for (slot, call) in reply.tool_calls.iter().enumerate() {
        let (name, arguments) = (Some(call.name.clone()), call.arguments.clone());
        events.push(ChatEvent::ToolDelta { slot, name, arguments });
    }
    events.push(ChatEvent::Usage(reply.usage));
    if reply.model.is_empty() {
        reply.model = model.into();
    }
    events.push(ChatEvent::Done(Box::new(reply)));
    events
}

/// Splits `text` into parts of [`PIECE`] characters.
pub(super) fn split(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(PIECE).map(|piece| piece.iter().collect()).collect()
}

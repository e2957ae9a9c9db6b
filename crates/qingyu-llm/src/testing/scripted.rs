//! A model whose answers are written beforehand.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::{self, StreamExt};

use crate::{ChatModel, Error, Event, EventStream, Reply, Request};

/// Characters in one text piece of a scripted stream.
const PIECE: usize = 8;

/// One scripted answer.
#[derive(Debug, Clone)]
pub enum Script {
    /// A whole answer, streamed in pieces of eight characters.
    Reply(Box<Reply>),
    /// These items, as they are; the stream ends after the last, whatever it is.
    Items(Vec<Result<Event, Error>>),
    /// The call itself fails.
    Refuse(Error),
}

impl From<Reply> for Script {
    fn from(reply: Reply) -> Self {
        Self::Reply(Box::new(reply))
    }
}

impl From<&str> for Script {
    fn from(text: &str) -> Self {
        Self::from(Reply { text: text.into(), ..Reply::default() })
    }
}

impl From<String> for Script {
    fn from(text: String) -> Self {
        Self::from(Reply { text, ..Reply::default() })
    }
}

impl From<Error> for Script {
    fn from(error: Error) -> Self {
        Self::Refuse(error)
    }
}

type Responder = dyn Fn(&Request) -> Script + Send + Sync;

/// A [`ChatModel`] that answers from a queue per purpose, or from a closure, and keeps every request.
///
/// A request for which nothing is scripted fails with [`Error::Unsupported`]: a test never gets an answer by chance.
///
/// ```
/// use qingyu_llm::testing::ScriptedModel;
/// use qingyu_llm::{ChatModel, Request, model::drain};
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let model = ScriptedModel::new("scripted").on("outline.generate", "雪夜");
/// let request = Request { purpose: "outline.generate".into(), ..Request::default() };
/// let reply = drain(model.stream(&request).await.unwrap()).await.unwrap();
/// assert_eq!(reply.text, "雪夜");
/// assert_eq!(model.requests(), [request]);
/// # });
/// ```
#[derive(Clone)]
pub struct ScriptedModel {
    name: String,
    latency: Duration,
    responder: Option<Arc<Responder>>,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    queues: BTreeMap<String, VecDeque<Script>>,
    requests: Vec<Request>,
}

impl ScriptedModel {
    /// A model called `name` with nothing scripted yet. Clones share their queues and records.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), latency: Duration::ZERO, responder: None, state: Arc::default() }
    }

    /// A model that asks `responder` whenever the queue of the purpose is empty.
    pub fn responding(name: impl Into<String>, responder: impl Fn(&Request) -> Script + Send + Sync + 'static) -> Self {
        Self { responder: Some(Arc::new(responder)), ..Self::new(name) }
    }

    /// Every answer takes this long before its first piece.
    #[must_use]
    pub fn with_latency(mut self, latency: Duration) -> Self {
        self.latency = latency;
        self
    }

    /// Appends an answer for `purpose`; for chaining.
    #[must_use]
    pub fn on(self, purpose: &str, script: impl Into<Script>) -> Self {
        self.push(purpose, script);
        self
    }

    /// Appends an answer for `purpose`.
    pub fn push(&self, purpose: &str, script: impl Into<Script>) {
        self.state().queues.entry(purpose.into()).or_default().push_back(script.into());
    }

    /// Every request so far, oldest first.
    pub fn requests(&self) -> Vec<Request> {
        self.state().requests.clone()
    }

    /// How many scripted answers nobody has asked for yet.
    pub fn left(&self) -> usize {
        self.state().queues.values().map(VecDeque::len).sum()
    }

    fn next(&self, request: &Request) -> Script {
        let queued = {
            let mut state = self.state();
            state.requests.push(request.clone());
            state.queues.get_mut(&request.purpose).and_then(VecDeque::pop_front)
        };
        match (queued, &self.responder) {
            (Some(script), _) => script,
            (None, Some(responder)) => responder(request),
            (None, None) => Script::Refuse(Error::Unsupported {
                model: self.name.clone(),
                purpose: request.purpose.clone(),
                hint: "no scripted answer is left".into(),
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
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

    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<EventStream, Error>> {
        Box::pin(async move {
            let script = self.next(request);
            if !self.latency.is_zero() {
                tokio::time::sleep(self.latency).await;
            }
            let items = match script {
                Script::Reply(reply) => pieces(*reply, &self.name).into_iter().map(Ok).collect(),
                Script::Items(items) => items,
                Script::Refuse(error) => return Err(error),
            };
            Ok(stream::iter(items).boxed())
        })
    }
}

/// The events a provider would send for `reply`.
fn pieces(mut reply: Reply, model: &str) -> Vec<Event> {
    let mut events = Vec::new();
    if !reply.reasoning.is_empty() {
        events.push(Event::Reasoning(reply.reasoning.clone()));
    }
    events.extend(split(&reply.text).into_iter().map(Event::Text));
    for (slot, call) in reply.tool_calls.iter().enumerate() {
        let (name, arguments) = (Some(call.name.clone()), call.arguments.clone());
        events.push(Event::ToolDelta { slot, name, arguments });
    }
    events.push(Event::Usage(reply.usage));
    if reply.model.is_empty() {
        reply.model = model.into();
    }
    events.push(Event::Done(Box::new(reply)));
    events
}

/// `text` in pieces of [`PIECE`] characters.
pub(super) fn split(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(PIECE).map(|piece| piece.iter().collect()).collect()
}

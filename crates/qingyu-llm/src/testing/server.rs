//! An HTTP server on loopback for the providers' protocols.
//!
//! Serves `/v1/chat/completions` (OpenAI, and Ollama with [`Server::speak_like_ollama`]), `/v1/messages` (Anthropic),
//! `/v1/embeddings` and `/v1/models`; paths are matched by their end, so any base URL works. Answers come from a queue
//! ([`Server::push`]) or from a closure over the request ([`Server::responding`]); each is a [`Reply`] rendered in the
//! request's protocol, or raw bytes in parts that may stop anywhere. Every request is recorded.
//!
//! ```
//! use qingyu_llm::testing::server::{Scripted, Server};
//! use qingyu_llm::{LlmClient, ClientLimits, ChatMessage, ChatRequest, Wire, model::drain};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let server = Server::responding(|asked| Scripted::text(format!("you said {}", asked.prompt()))).await;
//! let model = LlmClient::new(ClientLimits::default()).chat(&server.provider(Wire::OpenAi), "any", None).unwrap();
//! let request = ChatRequest { messages: vec![ChatMessage::user("雪")], ..ChatRequest::default() };
//! let reply = drain(model.stream(&request).await.unwrap()).await.unwrap();
//! assert_eq!(reply.text, "you said 雪");
//! assert_eq!(server.requests()[0].body["model"], "any");
//! # });
//! ```
//!
//! [`Reply`]: crate::Reply

mod answer;
mod embedding;
mod http;
mod recorded;
mod render;

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

pub use answer::{AnswerGate, BodyEnding, BodyPiece, RawAnswer, Scripted};
pub use recorded::{Recorded, RecordedEndpoint};

use crate::{Provider, Wire};
use answer::AnswerContent;

type ServerResponder = dyn Fn(&Recorded) -> Scripted + Send + Sync;

/// A fake provider. Dropping the server stops it and closes its connections.
pub struct Server {
    address: SocketAddr,
    shared: Arc<FakeProviderShared>,
    accepting: JoinHandle<()>,
}

struct FakeProviderShared {
    responder: Option<Box<ServerResponder>>,
    state: Mutex<FakeProviderState>,
}

#[derive(Default)]
struct FakeProviderState {
    queues: BTreeMap<RecordedEndpoint, VecDeque<Scripted>>,
    requests: Vec<Recorded>,
    latency: Duration,
    ollama: bool,
    hung_up: usize,
}

impl Server {
    /// Returns a server that answers chats from a queue, initially `answers`. With an empty queue the server returns
    /// 500.
    ///
    /// Must be called inside a tokio runtime. Panics if loopback cannot be bound.
    pub async fn scripted(answers: impl IntoIterator<Item = Scripted>) -> Self {
        let server = Self::start(None).await;
        for answer in answers {
            server.push(answer);
        }
        server
    }

    /// Returns a server that calls `responder` for every chat without a queued answer.
    pub async fn responding(responder: impl Fn(&Recorded) -> Scripted + Send + Sync + 'static) -> Self {
        Self::start(Some(Box::new(responder))).await
    }

    async fn start(responder: Option<Box<ServerResponder>>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let shared = Arc::new(FakeProviderShared { responder, state: Mutex::default() });
        let accepting = tokio::spawn(accept(listener, Arc::clone(&shared)));
        Self { address, shared, accepting }
    }

    /// Delays every status line by `latency`, in addition to the script's delays.
    pub fn set_latency(&self, latency: Duration) {
        self.shared.state().latency = latency;
    }

    /// Sends thinking in Ollama's field `reasoning` instead of `reasoning_content` from now on.
    pub fn speak_like_ollama(&self) {
        self.shared.state().ollama = true;
    }

    /// Appends an answer for the next chat in either protocol.
    pub fn push(&self, answer: Scripted) {
        self.push_for(RecordedEndpoint::Chat, answer);
    }

    /// Appends an answer for the next request to `endpoint`; both chat endpoints share a queue.
    pub fn push_for(&self, endpoint: RecordedEndpoint, answer: Scripted) {
        self.shared.state().queues.entry(queue_of(endpoint)).or_default().push_back(answer);
    }

    /// Returns `http://127.0.0.1:port`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns a provider row for the server, named `server`: JSON-schema mode on the OpenAI wire, forced tool on
    /// Anthropic's.
    pub fn provider(&self, wire: Wire) -> Provider {
        Provider::local("server", &format!("{}/v1", self.url()), wire)
    }

    /// Returns every request so far, in the order of arrival.
    pub fn requests(&self) -> Vec<Recorded> {
        self.shared.state().requests.clone()
    }

    /// Returns the number of answers interrupted because the client closed the connection.
    pub fn hung_up(&self) -> usize {
        self.shared.state().hung_up
    }

    /// Returns the number of requests to `endpoint`.
    pub fn count(&self, endpoint: RecordedEndpoint) -> usize {
        self.shared.state().requests.iter().filter(|it| it.endpoint() == endpoint).count()
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl FakeProviderShared {
    fn state(&self) -> MutexGuard<'_, FakeProviderState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the request and returns its answer.
    fn answer(&self, mut request: Recorded) -> (Scripted, Recorded) {
        let endpoint = request.endpoint();
        let queued = {
            let mut state = self.state();
            request.sequence = state.requests.len();
            state.requests.push(request.clone());
            state.queues.get_mut(&queue_of(endpoint)).and_then(VecDeque::pop_front)
        };
        let answer = match (queued, endpoint) {
            (Some(answer), _) => answer,
            (None, RecordedEndpoint::Models) => Scripted::status(200, render::MODELS),
            (None, RecordedEndpoint::Embeddings) => Scripted::status(200, &embedding::answer(&request.body)),
            (None, RecordedEndpoint::Other) => Scripted::status(404, r#"{"error":{"message":"no such path"}}"#),
            (None, RecordedEndpoint::Chat | RecordedEndpoint::Messages) => match &self.responder {
                Some(responder) => responder(&request),
                None => Scripted::status(500, r#"{"error":{"message":"no scripted answer is left"}}"#),
            },
        };
        (answer, request)
    }
}

fn queue_of(endpoint: RecordedEndpoint) -> RecordedEndpoint {
    if endpoint == RecordedEndpoint::Messages { RecordedEndpoint::Chat } else { endpoint }
}

/// Accepts connections until aborted; connections are dropped with the task.
async fn accept(listener: TcpListener, shared: Arc<FakeProviderShared>) {
    let mut connections = JoinSet::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else { return };
        connections.spawn(serve(stream, Arc::clone(&shared)));
        while connections.try_join_next().is_some() {}
    }
}

/// Serves a connection until the client closes it or an answer breaks it.
async fn serve(stream: TcpStream, shared: Arc<FakeProviderShared>) {
    // Each part must be sent as its own packet.
    let _best_effort = stream.set_nodelay(true);
    let mut connection = http::FakeProviderConnection::new(stream);
    while let Ok(Some(request)) = connection.read_request().await {
        let (answer, request) = shared.answer(request);
        let (latency, ollama) = {
            let state = shared.state();
            (state.latency, state.ollama)
        };
        let held = async {
            http::pause(latency + answer.wait).await;
            if let Some(gate) = &answer.gate {
                gate.pass().await;
            }
        };
        let raw = match answer.content {
            AnswerContent::Raw(raw) => raw,
            AnswerContent::Reply(reply) => render::render(*reply, &request, ollama),
        };
        let sent = match connection.unless_closed(held).await {
            Ok(()) => connection.write_answer(&raw).await,
            Err(closed) => Err(closed),
        };
        match sent {
            Ok(BodyEnding::Whole) => {}
            Ok(BodyEnding::Cut | BodyEnding::Hang) => return,
            Err(_closed) => {
                shared.state().hung_up += 1;
                return;
            }
        }
    }
}

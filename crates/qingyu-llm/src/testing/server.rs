//! An HTTP server on loopback that speaks the providers' protocols.
//!
//! It serves `/v1/chat/completions` (OpenAI, and Ollama with [`Server::speak_like_ollama`]), `/v1/messages` (Anthropic),
//! `/v1/embeddings` and `/v1/models`; paths are told apart by their end, so any base URL will do. Answers come from a
//! queue ([`Server::push`]) or from a closure that sees the request ([`Server::responding`]); each is a [`Reply`] put
//! into the protocol that was spoken, or raw bytes in pieces that may stop anywhere. Every request is kept.
//!
//! ```
//! use qingyu_llm::testing::server::{Scripted, Server};
//! use qingyu_llm::{Client, Limits, Message, Request, Wire, model::drain};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let server = Server::responding(|asked| Scripted::text(format!("you said {}", asked.prompt()))).await;
//! let model = Client::new(Limits::default()).chat(&server.provider(Wire::OpenAi), "any", None).unwrap();
//! let request = Request { messages: vec![Message::user("雪")], ..Request::default() };
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

pub use answer::{Ending, Gate, Piece, Raw, Scripted};
pub use recorded::{Endpoint, Recorded};

use crate::{Provider, Wire};
use answer::Content;

type Responder = dyn Fn(&Recorded) -> Scripted + Send + Sync;

/// The server. It stops, and closes its connections, when it is dropped.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: JoinHandle<()>,
}

struct Shared {
    responder: Option<Box<Responder>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    queues: BTreeMap<Endpoint, VecDeque<Scripted>>,
    requests: Vec<Recorded>,
    latency: Duration,
    ollama: bool,
    hung_up: usize,
}

impl Server {
    /// A server that answers chats from a queue, which starts as `answers`. With an empty queue it answers 500.
    ///
    /// Must be called inside a tokio runtime, which then serves it. Panics if loopback cannot be bound.
    pub async fn scripted(answers: impl IntoIterator<Item = Scripted>) -> Self {
        let server = Self::start(None).await;
        for answer in answers {
            server.push(answer);
        }
        server
    }

    /// A server that asks `responder` for every chat for which nothing is queued.
    pub async fn responding(responder: impl Fn(&Recorded) -> Scripted + Send + Sync + 'static) -> Self {
        Self::start(Some(Box::new(responder))).await
    }

    async fn start(responder: Option<Box<Responder>>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let shared = Arc::new(Shared { responder, state: Mutex::default() });
        let accepting = tokio::spawn(accept(listener, Arc::clone(&shared)));
        Self { address, shared, accepting }
    }

    /// Every answer takes this long before its status line, beside what its script says.
    pub fn set_latency(&self, latency: Duration) {
        self.shared.state().latency = latency;
    }

    /// From now on thinking is sent as Ollama sends it, in `reasoning` instead of `reasoning_content`.
    pub fn speak_like_ollama(&self) {
        self.shared.state().ollama = true;
    }

    /// Appends an answer for the next chat, in either protocol.
    pub fn push(&self, answer: Scripted) {
        self.push_for(Endpoint::Chat, answer);
    }

    /// Appends an answer for the next request to `endpoint`; both chat endpoints share one queue.
    pub fn push_for(&self, endpoint: Endpoint, answer: Scripted) {
        self.shared.state().queues.entry(queue_of(endpoint)).or_default().push_back(answer);
    }

    /// `http://127.0.0.1:port`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// A provider row for this server, named `server`: JSON-schema mode on the OpenAI wire, forced tool on Anthropic's.
    pub fn provider(&self, wire: Wire) -> Provider {
        Provider::local("server", &format!("{}/v1", self.url()), wire)
    }

    /// Every request so far, in the order of arrival.
    pub fn requests(&self) -> Vec<Recorded> {
        self.shared.state().requests.clone()
    }

    /// How many answers were not taken to their end, because the client closed the connection.
    pub fn hung_up(&self) -> usize {
        self.shared.state().hung_up
    }

    /// How many requests reached `endpoint`.
    pub fn count(&self, endpoint: Endpoint) -> usize {
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

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the request and decides its answer.
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
            (None, Endpoint::Models) => Scripted::status(200, render::MODELS),
            (None, Endpoint::Embeddings) => Scripted::status(200, &embedding::answer(&request.body)),
            (None, Endpoint::Other) => Scripted::status(404, r#"{"error":{"message":"no such path"}}"#),
            (None, Endpoint::Chat | Endpoint::Messages) => match &self.responder {
                Some(responder) => responder(&request),
                None => Scripted::status(500, r#"{"error":{"message":"no scripted answer is left"}}"#),
            },
        };
        (answer, request)
    }
}

fn queue_of(endpoint: Endpoint) -> Endpoint {
    if endpoint == Endpoint::Messages { Endpoint::Chat } else { endpoint }
}

/// Accepts until aborted; the connections die with this task.
async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else { return };
        connections.spawn(serve(stream, Arc::clone(&shared)));
        while connections.try_join_next().is_some() {}
    }
}

/// Answers the requests of one connection until it is closed or an answer breaks it.
async fn serve(stream: TcpStream, shared: Arc<Shared>) {
    // Pieces must leave as they are written, not be joined into one packet.
    let _best_effort = stream.set_nodelay(true);
    let mut connection = http::Connection::new(stream);
    while let Ok(Some(request)) = connection.read_request().await {
        let (answer, request) = shared.answer(request);
        let (latency, ollama) = {
            let state = shared.state();
            (state.latency, state.ollama)
        };
        let held = async {
            pause(latency + answer.wait).await;
            if let Some(gate) = &answer.gate {
                gate.pass().await;
            }
        };
        let raw = match answer.content {
            Content::Raw(raw) => raw,
            Content::Reply(reply) => render::render(*reply, &request, ollama),
        };
        let sent = match connection.unless_closed(held).await {
            Ok(()) => connection.write_answer(&raw).await,
            Err(closed) => Err(closed),
        };
        match sent {
            Ok(Ending::Whole) => {}
            Ok(Ending::Cut | Ending::Hang) => return,
            Err(_closed) => {
                shared.state().hung_up += 1;
                return;
            }
        }
    }
}

async fn pause(duration: Duration) {
    if !duration.is_zero() {
        tokio::time::sleep(duration).await;
    }
}

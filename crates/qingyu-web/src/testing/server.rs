//! A minimal HTTP/1.1 server on loopback, with a request per connection.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::engine::{jina, words};
use super::{EngineReply, FakeAnswer};
use crate::WebSettings;

/// Maximum request size in bytes.
const LARGEST: usize = 1 << 20;

/// A fake site: serves pages by path, simulates search engines and Jina Reader, and records its requests. Stops when
/// dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    shared: Arc<Mutex<FakeSiteShared>>,
    task: JoinHandle<()>,
}

/// A received request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedRequest {
    /// `GET` or `POST`.
    pub method: String,
    /// The path with the query.
    pub path: String,
    /// The headers; their names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body.
    pub body: Vec<u8>,
}

#[derive(Debug, Default)]
struct FakeSiteShared {
    pages: BTreeMap<String, FakeAnswer>,
    says: BTreeMap<String, EngineReply>,
    asked: Vec<ReceivedRequest>,
}

impl Server {
    /// Starts a server without pages, which returns 404 for every path.
    ///
    /// # Panics
    ///
    /// Panics if there is no free port.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
        let address = listener.local_addr().expect("a listener has an address");
        let shared = Arc::<Mutex<FakeSiteShared>>::default();
        let known = shared.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let known = known.clone();
                tokio::spawn(async move {
                    // A client that disconnects early is expected in some tests.
                    let _gone = serve(stream, &known).await;
                });
            }
        });
        Self { address, shared, task }
    }

    /// Serves `answer` at `path`, which may have a query.
    pub fn page(&self, path: &str, answer: FakeAnswer) -> &Self {
        self.lock().pages.insert(path.to_owned(), answer);
        self
    }

    /// As an engine, answers `words` with `says`, and all other words without hits.
    pub fn says(&self, words: &str, says: EngineReply) -> &Self {
        self.lock().says.insert(words.to_owned(), says);
        self
    }

    /// Returns the address of `path`.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Returns the address without a path, for the settings' endpoints.
    pub fn endpoint(&self) -> String {
        self.url("")
    }

    /// Returns the server's row for the allow list.
    pub fn allow(&self) -> String {
        self.address.to_string()
    }

    /// Returns the listening port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Returns settings with the server allowed, no rate limits, and short timeouts.
    pub fn settings(&self) -> WebSettings {
        WebSettings {
            search_endpoint: Some(self.endpoint()),
            reader_endpoint: Some(self.endpoint()),
            timeout_ms: 3_000,
            first_byte_ms: 1_000,
            requests_per_minute: 0,
            parallel_per_host: 16,
            allow: vec![self.allow()],
            ..WebSettings::default()
        }
    }

    /// Returns the requests so far, in order.
    pub fn asked(&self) -> Vec<ReceivedRequest> {
        self.lock().asked.clone()
    }

    /// Returns the number of requests for `path`.
    pub fn count(&self, path: &str) -> usize {
        self.lock().asked.iter().filter(|asked| asked.path == path).count()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, FakeSiteShared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(mut stream: TcpStream, shared: &Mutex<FakeSiteShared>) -> io::Result<()> {
    let asked = read(&mut stream).await?;
    let answer = {
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        shared.asked.push(asked.clone());
        shared.answer(&asked)
    };
    tokio::time::sleep(answer.delay).await;
    write(&mut stream, &answer).await
}

impl FakeSiteShared {
    fn answer(&self, asked: &ReceivedRequest) -> FakeAnswer {
        if let Some(answer) = self.pages.get(&asked.path) {
            return answer.clone();
        }
        if let Some((kind, words)) = words(&asked.path, &asked.body) {
            return self.says.get(&words).unwrap_or(&EngineReply::Hits(Vec::new())).as_answer(kind);
        }
        if let Some(rest) = asked.path.strip_prefix("/http://") {
            let path = rest.find('/').map_or("/", |at| &rest[at..]);
            return jina(&asked.path[1..], self.pages.get(path));
        }
        FakeAnswer::status(404)
    }
}

async fn read(stream: &mut TcpStream) -> io::Result<ReceivedRequest> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at;
        }
        if stream.read_buf(&mut bytes).await? == 0 || bytes.len() > LARGEST {
            return Err(io::Error::other("no whole request"));
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut body = bytes.split_off(end + 4);
    let mut lines = head.lines();
    let mut first = lines.next().unwrap_or_default().split(' ').map(str::to_owned);
    let (method, path) = (first.next().unwrap_or_default(), first.next().unwrap_or_default());
    let pairs = lines.filter_map(|line| line.split_once(':'));
    let headers: BTreeMap<_, _> =
        pairs.map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned())).collect();
    let length = headers.get("content-length").and_then(|it| it.parse().ok()).unwrap_or(0_usize).min(LARGEST);
    while body.len() < length {
        if stream.read_buf(&mut body).await? == 0 {
            break;
        }
    }
    Ok(ReceivedRequest { method, path, headers, body })
}

async fn write(stream: &mut TcpStream, answer: &FakeAnswer) -> io::Result<()> {
    let mut head = format!("HTTP/1.1 {} Test\r\nConnection: close\r\n", answer.status);
    for (name, value) in &answer.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    let length = answer.claimed.or_else(|| Some(answer.times? * answer.body.len() as u64));
    if let Some(length) = length {
        head.push_str(&format!("Content-Length: {length}\r\n"));
    }
    stream.write_all(format!("{head}\r\n").as_bytes()).await?;
    let mut sent = 0;
    while answer.times.is_none_or(|times| sent < times) {
        let piece = if answer.pause.is_zero() { answer.body.len() } else { 100 };
        for piece in answer.body.chunks(piece.max(1)) {
            stream.write_all(piece).await?;
            tokio::time::sleep(answer.pause).await;
        }
        sent += 1;
    }
    stream.shutdown().await
}

//! A server on loopback: just enough HTTP/1.1, one request per connection.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::engine::{jina, words};
use super::{Answer, Says};
use crate::WebSettings;

/// The largest request that is read.
const LARGEST: usize = 1 << 20;

/// Serves pages by their paths, plays search engines and Jina Reader, and remembers what it was asked. Ends when dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    shared: Arc<Mutex<Shared>>,
    task: JoinHandle<()>,
}

/// One request as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// `GET` or `POST`.
    pub method: String,
    /// The path with its query.
    pub path: String,
    /// The headers; their names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body.
    pub body: Vec<u8>,
}

#[derive(Debug, Default)]
struct Shared {
    pages: BTreeMap<String, Answer>,
    says: BTreeMap<String, Says>,
    asked: Vec<Asked>,
}

impl Server {
    /// Starts a server without pages; it answers 404 to everything.
    ///
    /// # Panics
    ///
    /// Panics if there is no free port.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
        let address = listener.local_addr().expect("a listener has an address");
        let shared = Arc::<Mutex<Shared>>::default();
        let known = shared.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let known = known.clone();
                tokio::spawn(async move {
                    // A client that goes away early is what some tests are about.
                    let _gone = serve(stream, &known).await;
                });
            }
        });
        Self { address, shared, task }
    }

    /// Serves `answer` at `path`, which may have a query.
    pub fn page(&self, path: &str, answer: Answer) -> &Self {
        self.lock().pages.insert(path.to_owned(), answer);
        self
    }

    /// As an engine, says this to `words`; to all other words it says that there are no hits.
    pub fn says(&self, words: &str, says: Says) -> &Self {
        self.lock().says.insert(words.to_owned(), says);
        self
    }

    /// The address of `path`.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The address without a path, for the settings' endpoints.
    pub fn endpoint(&self) -> String {
        self.url("")
    }

    /// The row of the allowed that names this server.
    pub fn allow(&self) -> String {
        self.address.to_string()
    }

    /// The port on which it listens.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Settings that allow this server, hold nothing back, and wait no longer than a test should.
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

    /// What was asked so far, in order.
    pub fn asked(&self) -> Vec<Asked> {
        self.lock().asked.clone()
    }

    /// How often `path` was asked for.
    pub fn count(&self, path: &str) -> usize {
        self.lock().asked.iter().filter(|asked| asked.path == path).count()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(mut stream: TcpStream, shared: &Mutex<Shared>) -> io::Result<()> {
    let asked = read(&mut stream).await?;
    let answer = {
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        shared.asked.push(asked.clone());
        shared.answer(&asked)
    };
    tokio::time::sleep(answer.delay).await;
    write(&mut stream, &answer).await
}

impl Shared {
    fn answer(&self, asked: &Asked) -> Answer {
        if let Some(answer) = self.pages.get(&asked.path) {
            return answer.clone();
        }
        if let Some((kind, words)) = words(&asked.path, &asked.body) {
            return self.says.get(&words).unwrap_or(&Says::Hits(Vec::new())).as_answer(kind);
        }
        if let Some(rest) = asked.path.strip_prefix("/http://") {
            let path = rest.find('/').map_or("/", |at| &rest[at..]);
            return jina(&asked.path[1..], self.pages.get(path));
        }
        Answer::status(404)
    }
}

async fn read(stream: &mut TcpStream) -> io::Result<Asked> {
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
    Ok(Asked { method, path, headers, body })
}

async fn write(stream: &mut TcpStream, answer: &Answer) -> io::Result<()> {
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

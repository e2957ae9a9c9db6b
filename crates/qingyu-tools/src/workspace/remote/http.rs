//! HTTP requests and their errors.

use qingyu_story::Provenance;
use std::time::Duration;

use qingyu_llm::error::chain;
use reqwest::header::{AUTHORIZATION, ETAG, HeaderMap, HeaderValue, IF_MATCH, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Method, RequestBuilder, Response, StatusCode, Url};
use serde_json::Value;

use super::super::Error;
use super::operation::Operation;
use super::routes::escaped;

/// Limits of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemoteLimits {
    /// Connect timeout.
    pub connect: Duration,
    /// Timeout of a complete response.
    pub answer: Duration,
    /// Maximum response size in bytes.
    pub max_bytes: usize,
}

impl Default for RemoteLimits {
    /// Returns 10 s, 60 s, 64 MiB.
    fn default() -> Self {
        Self { connect: Duration::from_secs(10), answer: Duration::from_secs(60), max_bytes: 64 << 20 }
    }
}

/// A connection to a server.
#[derive(Debug, Clone)]
pub(super) struct RemoteConnection {
    client: reqwest::Client,
    base: String,
    headers: HeaderMap,
    limits: RemoteLimits,
}

/// The target of a request.
#[derive(Debug, Clone, Copy)]
pub(super) struct RemotePath<'a> {
    /// The project; `None` for all projects.
    pub(super) project: Option<&'a str>,
    /// The path below the project.
    pub(super) path: &'a str,
}

impl RemotePath<'_> {
    /// All projects.
    pub(super) const PROJECTS: RemotePath<'static> = RemotePath { project: None, path: "" };
}

/// Maximum characters of a sent note: servers accept headers of a few kilobytes.
const NOTE: usize = 300;

/// Statuses of an unsupported route.
const ABSENT: [StatusCode; 3] = [StatusCode::NOT_FOUND, StatusCode::METHOD_NOT_ALLOWED, StatusCode::NOT_IMPLEMENTED];

/// A server's response.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RemoteAnswer {
    pub(super) data: Value,
    pub(super) version: Option<u64>,
}

/// The parameters of every write.
#[derive(Debug, Clone, Copy)]
pub(super) struct WriteParams<'a> {
    pub(super) expected: u64,
    pub(super) key: &'a str,
    pub(super) provenance: &'a Provenance,
}

/// An error status.
struct HttpRefusal {
    status: StatusCode,
    body: Value,
    retry_after: Option<Duration>,
}

impl RemoteConnection {
    pub(super) fn new(base: &str, key: Option<&str>, limits: RemoteLimits) -> Result<Self, Error> {
        let refused = |message: String| Error::Refused { message };
        let url = Url::parse(base).map_err(|error| refused(format!("{base} is no address: {error}")))?;
        let is_http = matches!(url.scheme(), "http" | "https");
        let host =
            url.host_str().filter(|_| is_http).ok_or_else(|| refused(format!("{base} is no address of a server")))?;
        let mut headers = HeaderMap::new();
        if let Some(key) = key {
            let value = HeaderValue::try_from(format!("Bearer {}", key.trim()));
            let mut value = value.map_err(|_| refused("the key has characters that no key has".into()))?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        // The first caller in the process wins; an earlier caller installed a provider too.
        let _already = rustls::crypto::ring::default_provider().install_default();
        let mut builder = reqwest::Client::builder();
        if matches!(host, "127.0.0.1" | "localhost" | "[::1]") {
            // Loopback needs neither a proxy nor the system's certificates, which a bare container lacks.
            builder = builder.no_proxy().tls_certs_only([]);
        }
        let builder = builder.connect_timeout(limits.connect).timeout(limits.answer).redirect(Policy::none());
        let client = builder.user_agent(concat!("qingyu/", env!("CARGO_PKG_VERSION"))).build();
        let client = client.map_err(|error| refused(format!("cannot set up connections: {}", chain(&error))))?;
        Ok(Self { client, base: base.trim_end_matches('/').to_owned(), headers, limits })
    }

    /// Fetches a resource; `None` if missing.
    pub(super) async fn get(&self, place: &RemotePath<'_>) -> Result<Option<RemoteAnswer>, Error> {
        self.offered(self.request(Method::GET, place)).await
    }

    /// Posts a body independent of a project version; `None` if the route is unsupported.
    pub(super) async fn post(&self, place: &RemotePath<'_>, body: &Value) -> Result<Option<RemoteAnswer>, Error> {
        self.offered(self.request(Method::POST, place).json(body)).await
    }

    async fn offered(&self, request: RequestBuilder) -> Result<Option<RemoteAnswer>, Error> {
        match self.ask(request).await? {
            Ok(answer) => Ok(Some(answer)),
            Err(refusal) if ABSENT.contains(&refusal.status) => Ok(None),
            Err(refusal) => Err(refusal.into_error()),
        }
    }

    /// Sends a change.
    pub(super) async fn send(
        &self,
        project: &str,
        operation: &Operation,
        write: &WriteParams<'_>,
    ) -> Result<RemoteAnswer, Error> {
        match self.ask(self.write(project, operation, write)?).await? {
            Ok(answer) => Ok(answer),
            Err(refusal) => Err(self.refused(project, refusal, write).await?),
        }
    }

    /// Sends a change over an optional route; `None` if unsupported.
    pub(super) async fn send_if_offered(
        &self,
        project: &str,
        operation: &Operation,
        write: &WriteParams<'_>,
    ) -> Result<Option<RemoteAnswer>, Error> {
        match self.ask(self.write(project, operation, write)?).await? {
            Ok(answer) => Ok(Some(answer)),
            Err(refusal) if ABSENT.contains(&refusal.status) => Ok(None),
            Err(refusal) => Err(self.refused(project, refusal, write).await?),
        }
    }

    /// Converts the refusal of a write. For a conflict without the current version, the version is fetched.
    async fn refused(&self, project: &str, refusal: HttpRefusal, write: &WriteParams<'_>) -> Result<Error, Error> {
        if !matches!(refusal.status, StatusCode::CONFLICT | StatusCode::PRECONDITION_FAILED) {
            return Ok(refusal.into_error());
        }
        let expected = write.expected;
        let told = ["/version", "/data/found"].into_iter().find_map(|place| refusal.body.pointer(place)?.as_u64());
        let found = match told {
            Some(found) => Some(found),
            None => self.get(&RemotePath { project: Some(project), path: "" }).await?.and_then(|head| head.version),
        };
        let conflict = found.filter(|found| *found != expected).map(|found| Error::Conflict { expected, found });
        Ok(conflict.unwrap_or_else(|| refusal.into_error()))
    }

    fn write(&self, project: &str, operation: &Operation, write: &WriteParams<'_>) -> Result<RequestBuilder, Error> {
        let header = |value: String| {
            let refused = |_| Error::Refused { message: "the change is named by characters that no header has".into() };
            HeaderValue::try_from(value).map_err(refused)
        };
        let method = Method::from_bytes(operation.method.name().as_bytes()).expect("our methods are methods");
        let position = operation.position.map(|position| format!("?position={position}")).unwrap_or_default();
        let path = format!("{}{position}", operation.path);
        let mut request = self.request(method, &RemotePath { project: Some(project), path: &path });
        request = request.header(IF_MATCH, header(format!("\"{}\"", write.expected))?);
        request = request.header("idempotency-key", header(write.key.to_owned())?);
        request = request.header("x-provenance", header(ascii_json(write.provenance))?);
        Ok(if operation.body.is_null() { request } else { request.json(&operation.body) })
    }

    fn request(&self, method: Method, place: &RemotePath<'_>) -> RequestBuilder {
        let mut url = format!("{}/api/v1/projects", self.base);
        let project = place.project.map(escaped);
        for part in project.as_deref().into_iter().chain([place.path]).filter(|part| !part.is_empty()) {
            url.push('/');
            url.push_str(part);
        }
        self.client.request(method, url).headers(self.headers.clone())
    }

    async fn ask(&self, request: RequestBuilder) -> Result<Result<RemoteAnswer, HttpRefusal>, Error> {
        let unavailable = |message| Error::Unavailable { message, retry_after: None };
        let response = request.send().await.map_err(|error| unavailable(chain(&error.without_url())))?;
        let status = response.status();
        let etag = version_of(response.headers());
        let retry_after = retry_after(response.headers());
        let body = self.body(response).await?;
        if !status.is_success() {
            let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
            return Ok(Err(HttpRefusal { status, body, retry_after }));
        }
        if body.is_empty() {
            return Ok(Ok(RemoteAnswer { data: Value::Null, version: etag }));
        }
        let damaged = |error: serde_json::Error| Error::Damaged {
            what: "the server's answer".into(),
            message: error.to_string(),
        };
        let mut body: Value = serde_json::from_slice(&body).map_err(damaged)?;
        let version = body.get("version").and_then(Value::as_u64).or(etag);
        let data = body.get_mut("data").map(Value::take).unwrap_or(body);
        Ok(Ok(RemoteAnswer { data, version }))
    }

    async fn body(&self, mut response: Response) -> Result<Vec<u8>, Error> {
        let unavailable = |message| Error::Unavailable { message, retry_after: None };
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| unavailable(chain(&error.without_url())))? {
            body.extend_from_slice(&chunk);
            if body.len() > self.limits.max_bytes {
                let message = format!("it has more than {} bytes", self.limits.max_bytes);
                return Err(Error::Damaged { what: "the server's answer".into(), message });
            }
        }
        Ok(body)
    }
}

impl HttpRefusal {
    /// Converts the status.
    fn into_error(self) -> Error {
        let told = ["detail", "message", "title", "error"].into_iter().find_map(|field| self.body.get(field)?.as_str());
        let status = self.status.as_u16();
        let message = told.map_or_else(|| format!("status {status}"), |told| told.chars().take(500).collect());
        match status {
            408 | 425 | 429 | 500..=599 => Error::Unavailable { message, retry_after: self.retry_after },
            _ => Error::Refused { message },
        }
    }
}

fn version_of(headers: &HeaderMap) -> Option<u64> {
    let tag = headers.get(ETAG)?.to_str().ok()?;
    tag.trim_start_matches("W/").trim_matches('"').parse().ok()
}

fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds: f64 = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// Returns JSON for a header: non-ASCII characters are escaped, and a long note is truncated.
fn ascii_json(provenance: &Provenance) -> String {
    let note = provenance.note.chars().take(NOTE).collect();
    let text = serde_json::to_string(&Provenance { note, ..provenance.clone() }).expect("a provenance is plain data");
    let mut ascii = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            ascii.push(c);
        } else {
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().for_each(|unit| ascii.push_str(&format!("\\u{unit:04x}")));
        }
    }
    ascii
}

//! Requests and the interpretation of their responses.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::Duration;

use qingyu_studio::{Error, FailureRecord};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Method, RequestBuilder, Response, Url};
use serde_json::{Value, json};

use crate::problem::ProblemDocument;

/// Timeout for connecting.
const CONNECT: Duration = Duration::from_secs(10);
/// Read timeout. Streams send heartbeats more often, but responses of models can be slow.
const SILENCE: Duration = Duration::from_secs(600);

/// The header naming a session.
const SESSION: &str = "x-qingyu-session";

/// The transports allowed for sending a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// TLS; unencrypted only to the local machine.
    Encrypted,
    /// Plain HTTP as well: the network can read the key.
    Plain,
}

/// A connection to a server.
#[derive(Debug, Clone)]
pub(super) struct ServerConnection {
    client: reqwest::Client,
    base: Url,
    session: Option<HeaderValue>,
}

impl ServerConnection {
    pub(super) fn new(server: &str, key: Option<&str>, transport: Transport) -> Result<Self, Error> {
        let refused = |message: String| failure("bad_server", server, &message);
        let mut base = Url::parse(server).map_err(|error| refused(error.to_string()))?;
        let host = base.host_str().filter(|_| matches!(base.scheme(), "http" | "https"));
        let host = host.ok_or_else(|| refused("it does not begin with http:// or https://".into()))?;
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        let is_here = host == "localhost" || address.is_ok_and(|address| address.is_loopback());
        if key.is_some() && base.scheme() == "http" && !is_here && transport == Transport::Encrypted {
            let message = "the key would be sent without encryption; use https://, or allow plain HTTP";
            return Err(failure("plain_http", host, message));
        }
        if !base.username().is_empty() || base.password().is_some() {
            return Err(failure("bad_server", host, "a user or password in it is not used"));
        }
        let path = format!("{}/api/v1", base.path().trim_end_matches('/'));
        base.set_path(&path);
        base.set_query(None);
        base.set_fragment(None);
        let mut headers = HeaderMap::new();
        if let Some(key) = key {
            let value = HeaderValue::try_from(format!("Bearer {}", key.trim()));
            let mut value = value.map_err(|_| refused("the key has characters that no key has".into()))?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        // The first provider installed in the process wins; an error means a provider is already installed.
        let _already = rustls::crypto::ring::default_provider().install_default();
        let mut builder = reqwest::Client::builder().default_headers(headers);
        if is_here {
            // The local machine is reached without a proxy and without the system's certificates, which a minimal
            // container lacks.
            builder = builder.no_proxy().tls_certs_only([]);
        }
        let builder = builder.connect_timeout(CONNECT).read_timeout(SILENCE).redirect(Policy::none());
        let client = builder.user_agent(concat!("qingyu/", env!("CARGO_PKG_VERSION"))).build();
        let client = client.map_err(|error| refused(error.to_string()))?;
        Ok(Self { client, base, session: None })
    }

    /// Returns the connection with a session named in every request.
    pub(super) fn in_session(&self, session: &str) -> Result<Self, Error> {
        let refused = |_| failure("bad_memory", "session", "a session has no control characters");
        let session = HeaderValue::from_bytes(session.trim().as_bytes()).map_err(refused)?;
        Ok(Self { session: Some(session), ..self.clone() })
    }

    /// Returns a request for a path below the API.
    pub(super) fn request(&self, method: Method, path: &str, query: &[(String, String)]) -> RequestBuilder {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path()));
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let request = self.client.request(method, url);
        match &self.session {
            Some(session) => request.header(SESSION, session),
            None => request,
        }
    }

    /// Sends a request and returns the response; an error status is converted to an error.
    pub(super) async fn send(&self, request: RequestBuilder) -> Result<Response, Error> {
        let response = request.send().await.map_err(|error| self.unreachable(error))?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let body = response.bytes().await.map_err(|error| self.unreachable(error))?;
        let problem: ProblemDocument = serde_json::from_slice(&body)
            .map_err(|_| self.damaged(&format!("status {status} without a problem that could be read")))?;
        Err(Error::Remote(problem.failure()))
    }

    /// Sends a request and parses the response as JSON.
    pub(super) async fn ask(&self, request: RequestBuilder) -> Result<Value, Error> {
        let body = self.send(request).await?.bytes().await.map_err(|error| self.unreachable(error))?;
        serde_json::from_slice(&body).map_err(|error| self.damaged(&error.to_string()))
    }

    pub(super) fn unreachable(&self, error: reqwest::Error) -> Error {
        let error = error.without_url();
        let mut message = error.to_string();
        let mut cause = std::error::Error::source(&error);
        while let Some(error) = cause {
            message = format!("{message}: {error}");
            cause = error.source();
        }
        failure(UNREACHABLE, self.server(), &message)
    }

    pub(super) fn damaged(&self, message: &str) -> Error {
        failure("bad_answer", self.server(), message)
    }

    /// Returns the server's address without the API path.
    fn server(&self) -> &str {
        self.base.as_str().trim_end_matches("/api/v1")
    }
}

/// The error code of an unreachable server.
pub(super) const UNREACHABLE: &str = "server_unreachable";

fn failure(code: &str, server: &str, message: &str) -> Error {
    let text = format!("{server}: {message}");
    let data = BTreeMap::from([("url".to_owned(), json!(server)), ("message".to_owned(), json!(message))]);
    Error::Remote(FailureRecord { code: code.into(), message: text, data })
}

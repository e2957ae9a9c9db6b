//! A client for JSON over HTTP, for engines with a REST interface.

use std::fmt;
use std::time::Duration;

use qingyu_knowledge::engine::Error;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, StatusCode, Url};
use serde_json::Value;

/// Timeout of connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Timeout of a whole request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// A client of a server. Cheap to clone; clones share a pool of connections.
#[derive(Clone)]
pub(crate) struct Http {
    client: Client,
    base: Url,
    engine: &'static str,
    /// Host and port.
    address: String,
}

/// A response read in full.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: StatusCode,
    #[cfg(feature = "neo4j")]
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// Omits the secrets of the address and the headers.
impl fmt::Debug for Http {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Http").field("engine", &self.engine).field("address", &self.address).finish()
    }
}

impl Http {
    /// Returns a client of the server at `address`, such as `http://host:6333`. Every request has the header `secret`,
    /// if any.
    ///
    /// Returns [`Error::BadAddress`] for an invalid address; nothing is sent yet.
    pub(crate) fn new(
        engine: &'static str,
        address: &str,
        secret: Option<(&'static str, String)>,
    ) -> Result<Self, Error> {
        let bad = |reason: &str| Error::BadAddress { engine, reason: reason.to_owned() };
        let base = Url::parse(address).map_err(|_| bad("it is not http://host:port"))?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err(bad("it is not http://host:port"));
        }
        let host = base.host_str().ok_or_else(|| bad("it names no host"))?;
        let address = format!("{host}:{}", base.port_or_known_default().unwrap_or_default());
        let mut headers = HeaderMap::new();
        if let Some((name, secret)) = secret {
            let mut value = HeaderValue::from_str(&secret).map_err(|_| bad("the key cannot stand in a header"))?;
            value.set_sensitive(true);
            headers.insert(HeaderName::from_static(name), value);
        }
        // Fails if another part of the program has already installed a provider, which works as well.
        let _already = rustls::crypto::ring::default_provider().install_default();
        let client =
            Client::builder().default_headers(headers).connect_timeout(CONNECT_TIMEOUT).timeout(REQUEST_TIMEOUT);
        // A local server is never reached through a proxy.
        let is_local = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
        let client = if is_local { client.no_proxy().tls_certs_only([]) } else { client };
        let client = client.build().map_err(|error| bad(&error.without_url().to_string()))?;
        Ok(Self { client, base, engine, address })
    }

    /// Sends a request and returns the status and the JSON of the response, whatever the status.
    ///
    /// An error response without JSON is returned as `null`. Returns [`Error::Unreachable`], or [`Error::BadAnswer`] if
    /// a successful response is not JSON.
    #[cfg(any(feature = "qdrant", feature = "milvus"))]
    pub(crate) async fn ask(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<(StatusCode, Value), Error> {
        let Response { status, body, .. } = self.send(method, path, HeaderMap::new(), body).await?;
        match serde_json::from_slice(&body) {
            Ok(body) => Ok((status, body)),
            Err(_) if !status.is_success() => Ok((status, Value::Null)),
            Err(error) => Err(self.unexpected(error.to_string())),
        }
    }

    /// Sends a request with additional headers and returns the response, whatever the status.
    ///
    /// Returns [`Error::Unreachable`] if no complete response arrives before the timeout.
    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        headers: HeaderMap,
        body: Option<&Value>,
    ) -> Result<Response, Error> {
        let url = self.base.join(path).map_err(|error| self.unexpected(error.to_string()))?;
        let mut request = self.client.request(method, url).headers(headers);
        if let Some(body) = body {
            request = request.json(body);
        }
        let response = request.send().await.map_err(|error| self.unreachable(error))?;
        let status = response.status();
        #[cfg(feature = "neo4j")]
        let headers = response.headers().clone();
        let body = response.bytes().await.map_err(|error| self.unreachable(error))?.into();
        Ok(Response {
            status,
            #[cfg(feature = "neo4j")]
            headers,
            body,
        })
    }

    fn unreachable(&self, error: reqwest::Error) -> Error {
        let error = error.without_url();
        // The cause is more specific than `error sending request`.
        let mut cause: &dyn std::error::Error = &error;
        while let Some(next) = cause.source() {
            cause = next;
        }
        Error::Unreachable { engine: self.engine, address: self.address.clone(), reason: cause.to_string() }
    }

    /// Maps an HTTP error status to an [`Error`].
    pub(crate) fn refused(&self, status: StatusCode, reason: &str) -> Error {
        let (engine, address) = (self.engine, self.address.clone());
        let reason = if reason.is_empty() { status.to_string() } else { format!("{status}: {reason}") };
        match status {
            StatusCode::TOO_MANY_REQUESTS => Error::Busy { engine, address },
            status if status.is_server_error() => Error::Unreachable { engine, address, reason },
            _ => Error::Refused { engine, address, reason },
        }
    }

    /// Returns the error for a response which cannot be parsed.
    pub(crate) fn unexpected(&self, reason: impl Into<String>) -> Error {
        Error::BadAnswer { engine: self.engine, address: self.address.clone(), reason: reason.into() }
    }

    /// Returns the host and port of the server.
    #[cfg(feature = "neo4j")]
    pub(crate) fn address(&self) -> &str {
        &self.address
    }
}

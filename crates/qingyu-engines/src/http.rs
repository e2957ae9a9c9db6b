//! Asking a server in JSON over HTTP.

use std::fmt;
use std::time::Duration;

use qingyu_knowledge::engine::Error;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, StatusCode, Url};
use serde_json::Value;

/// How long a server may take to let us in.
const CONNECT: Duration = Duration::from_secs(5);
/// How long it may take for an answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// One server.
#[derive(Clone)]
pub(crate) struct Http {
    client: Client,
    base: Url,
    engine: &'static str,
    /// Host and port.
    address: String,
}

/// Keeps the secrets of the address and of the headers to itself.
impl fmt::Debug for Http {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Http").field("engine", &self.engine).field("address", &self.address).finish()
    }
}

impl Http {
    /// The server at `address`, such as `http://host:6333`, which is sent `secret` in a header, if there is one.
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
        // Fails if another part of the program has chosen one, which is as good.
        let _already = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().default_headers(headers).connect_timeout(CONNECT).timeout(PATIENCE);
        // A server of the team next door is not asked for by way of a proxy.
        let is_local = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
        let client = if is_local { client.no_proxy().tls_certs_only([]) } else { client };
        let client = client.build().map_err(|error| bad(&error.without_url().to_string()))?;
        Ok(Self { client, base, engine, address })
    }

    /// Asks, and reads the answer whatever its status.
    pub(crate) async fn ask(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<(StatusCode, Value), Error> {
        let url = self.base.join(path).map_err(|error| self.unexpected(error.to_string()))?;
        let mut request = self.client.request(method, url);
        if let Some(body) = body {
            request = request.json(body);
        }
        let answer = request.send().await.map_err(|error| self.away(error))?;
        let status = answer.status();
        let bytes = answer.bytes().await.map_err(|error| self.away(error))?;
        match serde_json::from_slice(&bytes) {
            Ok(body) => Ok((status, body)),
            Err(_) if !status.is_success() => Ok((status, Value::Null)),
            Err(error) => Err(self.unexpected(error.to_string())),
        }
    }

    fn away(&self, error: reqwest::Error) -> Error {
        let error = error.without_url();
        // The cause says more than `error sending request`.
        let mut cause: &dyn std::error::Error = &error;
        while let Some(next) = cause.source() {
            cause = next;
        }
        Error::Unreachable { engine: self.engine, address: self.address.clone(), reason: cause.to_string() }
    }

    /// Sorts an answer that is none.
    pub(crate) fn refused(&self, status: StatusCode, reason: &str) -> Error {
        let (engine, address) = (self.engine, self.address.clone());
        let reason = if reason.is_empty() { status.to_string() } else { format!("{status}: {reason}") };
        match status {
            StatusCode::TOO_MANY_REQUESTS => Error::Busy { engine, address },
            status if status.is_server_error() => Error::Unreachable { engine, address, reason },
            _ => Error::Refused { engine, address, reason },
        }
    }

    /// An answer that cannot be understood.
    pub(crate) fn unexpected(&self, reason: impl Into<String>) -> Error {
        Error::BadAnswer { engine: self.engine, address: self.address.clone(), reason: reason.into() }
    }
}

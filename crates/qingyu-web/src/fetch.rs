//! A request and its response, within limits.
//!
//! The client follows no redirects, stores no cookies and uses no proxy from the environment. The caller follows
//! redirects step by step, and each step passes the guard.

mod body;
mod limits;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use serde_json::Value;
use tokio::time::{Instant, timeout};

use crate::error::chain;
use crate::guard::FetchTarget;
use crate::{Error, Guard, WebSettings};
use limits::failure;

pub(crate) use limits::FetchLimits;

/// The user agent of page requests, and the product name in robots.txt.
pub(crate) const PRODUCT: &str = "qingyu-web";

/// Maximum redirects followed.
pub(crate) const MOST_REDIRECTS: usize = 5;

/// A client for targets accepted by the guard.
#[derive(Debug)]
pub(crate) struct Fetcher {
    pub(crate) guard: Guard,
    pub(crate) limits: FetchLimits,
    /// Indexed by whether targets are allowed, and whether TLS is used: root certificates are needed only for TLS.
    clients: [OnceLock<Result<Client, String>>; 4],
}

/// Parameters of a request, besides the address.
#[derive(Debug, Default)]
pub(crate) struct FetchOptions<'a> {
    pub(crate) accept: &'a str,
    pub(crate) headers: HeaderMap,
    /// The body, sent by POST if present.
    pub(crate) body: Option<Value>,
}

/// The result of a request.
#[derive(Debug)]
pub(crate) enum FetchStep {
    /// The target of a redirect, not yet validated.
    Redirect(String),
    /// The head of a response without redirect.
    Answer(ResponseHead),
}

/// A response with an unread body.
#[derive(Debug)]
pub(crate) struct ResponseHead {
    response: Response,
    host: String,
    limits: FetchLimits,
}

impl Fetcher {
    pub(crate) fn new(guard: Guard, settings: &WebSettings) -> Arc<Self> {
        let limits = FetchLimits {
            bytes: settings.max_bytes,
            whole: Duration::from_millis(settings.timeout_ms),
            first_byte: Duration::from_millis(settings.first_byte_ms.min(settings.timeout_ms)),
        };
        Arc::new(Self { guard, limits, clients: Default::default() })
    }

    /// Sends a request; resolves with the head of its response.
    pub(crate) async fn step(&self, target: &FetchTarget, ask: &FetchOptions<'_>) -> Result<FetchStep, Error> {
        let client = self.client(target)?;
        let url = target.url.clone();
        let request = match &ask.body {
            Some(body) => client.post(url).json(body),
            None => client.get(url),
        };
        let request = request
            .headers(ask.headers.clone())
            .header(ACCEPT, ask.accept)
            .header(ACCEPT_ENCODING, HeaderValue::from_static("gzip, deflate"));
        let limit = self.limits.first_byte;
        let response = timeout(limit, request.send())
            .await
            .map_err(|_elapsed| Error::Timeout { limit })?
            .map_err(|error| failure(&target.host, error, limit))?;
        let location = response.headers().get(LOCATION);
        if response.status().is_redirection()
            && let Some(location) = location
        {
            return Ok(FetchStep::Redirect(String::from_utf8_lossy(location.as_bytes()).into_owned()));
        }
        Ok(FetchStep::Answer(ResponseHead { response, host: target.host.clone(), limits: self.limits }))
    }

    /// Sends a request to a service and returns the complete response, whatever its status. Services do not redirect.
    pub(crate) async fn ask(
        &self,
        target: &FetchTarget,
        ask: &FetchOptions<'_>,
    ) -> Result<(ResponseHead, Vec<u8>), Error> {
        let limit = self.limits.whole;
        let whole = async {
            match self.step(target, ask).await? {
                FetchStep::Redirect(_) => {
                    Err(Error::BadAnswer { name: target.host.clone(), message: "a redirect".into() })
                }
                FetchStep::Answer(mut head) => {
                    let body = head.read().await?;
                    Ok((head, body))
                }
            }
        };
        timeout(limit, whole).await.map_err(|_elapsed| Error::Timeout { limit })?
    }

    fn client(&self, target: &FetchTarget) -> Result<&Client, Error> {
        let is_tls = target.url.scheme() == "https";
        let slot = usize::from(target.is_allowed) * 2 + usize::from(is_tls);
        let built = self.clients[slot].get_or_init(|| {
            // The first caller in the process wins; an earlier caller installed a provider too.
            let _already = rustls::crypto::ring::default_provider().install_default();
            let builder = Client::builder()
                .no_proxy()
                .redirect(Policy::none())
                .referer(false)
                .connect_timeout(self.limits.first_byte)
                .dns_resolver(Arc::new(self.guard.resolver(target.is_allowed)))
                .user_agent(concat!("qingyu-web/", env!("CARGO_PKG_VERSION")));
            // Without TLS no root certificates are needed, which a bare container lacks.
            let builder = if is_tls { builder.https_only(true) } else { builder.tls_certs_only([]) };
            builder.build().map_err(|error| chain(&error))
        });
        let broken = |why: &String| Error::Unreachable { host: target.host.clone(), message: why.clone() };
        built.as_ref().map_err(broken)
    }
}

impl ResponseHead {
    pub(crate) fn status(&self) -> u16 {
        self.response.status().as_u16()
    }

    /// Returns the declared content type in lower case; empty by default.
    pub(crate) fn content_type(&self) -> String {
        let value = self.response.headers().get(CONTENT_TYPE);
        value.map(|value| String::from_utf8_lossy(value.as_bytes()).to_lowercase()).unwrap_or_default()
    }

    /// Returns the wait requested by the server, in seconds.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        let value = self.response.headers().get(RETRY_AFTER)?.to_str().ok()?;
        value.trim().parse().ok().map(Duration::from_secs)
    }

    /// Reads and decompresses the whole body, up to the limit.
    pub(crate) async fn read(&mut self) -> Result<Vec<u8>, Error> {
        body::read(&mut self.response, &self.host, self.limits).await
    }
}

/// Returns the remaining time since `began`, or a timeout error.
pub(crate) fn left(limit: Duration, began: Instant, waited: Duration) -> Result<Duration, Error> {
    let spent = began.elapsed().saturating_sub(waited);
    limit.checked_sub(spent).filter(|left| !left.is_zero()).ok_or(Error::Timeout { limit })
}

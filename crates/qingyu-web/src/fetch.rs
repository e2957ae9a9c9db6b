//! One request and its answer, within limits.
//!
//! A client follows nothing, keeps no cookies and takes no proxy from the environment. Whoever asks follows redirects step by step,
//! and each step passes the guard.

mod body;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use serde_json::Value;
use tokio::time::{Instant, timeout};

use crate::error::{chain, shown};
use crate::guard::Target;
use crate::{Error, Guard, WebSettings};

/// The name under which pages are asked for, and by which robots.txt may speak of us.
pub(crate) const PRODUCT: &str = "qingyu-web";

/// The most redirects that are followed.
pub(crate) const MOST_REDIRECTS: usize = 5;

/// What one request may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) bytes: u64,
    pub(crate) whole: Duration,
    pub(crate) first_byte: Duration,
}

/// Sends requests to targets that passed the guard.
#[derive(Debug)]
pub(crate) struct Fetcher {
    pub(crate) guard: Guard,
    pub(crate) limits: Limits,
    /// By whether targets are allowed, and whether they speak TLS: the roots of trust are only needed then.
    clients: [OnceLock<Result<Client, String>>; 4],
}

/// What is asked of a target, beyond its address.
#[derive(Debug, Default)]
pub(crate) struct Ask<'a> {
    pub(crate) accept: &'a str,
    pub(crate) headers: HeaderMap,
    /// Posted if there is one.
    pub(crate) body: Option<Value>,
}

/// What a target answered.
#[derive(Debug)]
pub(crate) enum Step {
    /// Look there instead; not yet judged.
    Redirect(String),
    /// The head of an answer that is none.
    Answer(Head),
}

/// An answer whose body is still to be read.
#[derive(Debug)]
pub(crate) struct Head {
    response: Response,
    host: String,
    limits: Limits,
}

impl Fetcher {
    pub(crate) fn new(guard: Guard, settings: &WebSettings) -> Arc<Self> {
        let limits = Limits {
            bytes: settings.max_bytes,
            whole: Duration::from_millis(settings.timeout_ms),
            first_byte: Duration::from_millis(settings.first_byte_ms.min(settings.timeout_ms)),
        };
        Arc::new(Self { guard, limits, clients: Default::default() })
    }

    /// Sends one request; resolves with the head of its answer.
    pub(crate) async fn step(&self, target: &Target, ask: &Ask<'_>) -> Result<Step, Error> {
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
            return Ok(Step::Redirect(String::from_utf8_lossy(location.as_bytes()).into_owned()));
        }
        Ok(Step::Answer(Head { response, host: target.host.clone(), limits: self.limits }))
    }

    /// Asks a service and reads its whole answer, whatever its status. Services do not redirect.
    pub(crate) async fn ask(&self, target: &Target, ask: &Ask<'_>) -> Result<(Head, Vec<u8>), Error> {
        let limit = self.limits.whole;
        let whole = async {
            match self.step(target, ask).await? {
                Step::Redirect(_) => Err(Error::BadAnswer { name: target.host.clone(), message: "a redirect".into() }),
                Step::Answer(mut head) => {
                    let body = head.read().await?;
                    Ok((head, body))
                }
            }
        };
        timeout(limit, whole).await.map_err(|_elapsed| Error::Timeout { limit })?
    }

    fn client(&self, target: &Target) -> Result<&Client, Error> {
        let is_tls = target.url.scheme() == "https";
        let slot = usize::from(target.is_allowed) * 2 + usize::from(is_tls);
        let built = self.clients[slot].get_or_init(|| {
            // The first in the process wins; whoever came before us chose a provider too, so either way there is one.
            let _already = rustls::crypto::ring::default_provider().install_default();
            let builder = Client::builder()
                .no_proxy()
                .redirect(Policy::none())
                .referer(false)
                .connect_timeout(self.limits.first_byte)
                .dns_resolver(Arc::new(self.guard.resolver(target.is_allowed)))
                .user_agent(concat!("qingyu-web/", env!("CARGO_PKG_VERSION")));
            // Without TLS no roots are needed, which a bare container lacks.
            let builder = if is_tls { builder.https_only(true) } else { builder.tls_certs_only([]) };
            builder.build().map_err(|error| chain(&error))
        });
        let broken = |why: &String| Error::Unreachable { host: target.host.clone(), message: why.clone() };
        built.as_ref().map_err(broken)
    }
}

impl Head {
    pub(crate) fn status(&self) -> u16 {
        self.response.status().as_u16()
    }

    /// The content type as it was declared, in lower case; empty if it was not.
    pub(crate) fn content_type(&self) -> String {
        let value = self.response.headers().get(CONTENT_TYPE);
        value.map(|value| String::from_utf8_lossy(value.as_bytes()).to_lowercase()).unwrap_or_default()
    }

    /// The seconds that the server asks to wait.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        let value = self.response.headers().get(RETRY_AFTER)?.to_str().ok()?;
        value.trim().parse().ok().map(Duration::from_secs)
    }

    /// Reads and decompresses the whole body; it has at most as many bytes as the limits say.
    pub(crate) async fn read(&mut self) -> Result<Vec<u8>, Error> {
        body::read(&mut self.response, &self.host, self.limits).await
    }
}

/// How much of a time is left since `began`, or the error that it is used up.
pub(crate) fn left(limit: Duration, began: Instant, waited: Duration) -> Result<Duration, Error> {
    let spent = began.elapsed().saturating_sub(waited);
    limit.checked_sub(spent).filter(|left| !left.is_zero()).ok_or(Error::Timeout { limit })
}

/// The error of a request that failed: ours, if the guard's resolver refused.
pub(super) fn failure(host: &str, error: reqwest::Error, limit: Duration) -> Error {
    let error = error.without_url();
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&error);
    while let Some(inner) = cause {
        if let Some(ours) = inner.downcast_ref::<Error>() {
            return ours.clone();
        }
        cause = inner.source();
    }
    if error.is_timeout() {
        return Error::Timeout { limit };
    }
    Error::Unreachable { host: host.to_owned(), message: shown(&chain(&error)) }
}

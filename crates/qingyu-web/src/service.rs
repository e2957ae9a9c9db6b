//! A client of an HTTP service: address, key, and the meaning of error statuses.

use std::sync::Arc;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use crate::error::shown;
use crate::fetch::{FetchOptions, Fetcher, ResponseHead};
use crate::guard::FetchTarget;
use crate::manners::CrawlPolicy;
use crate::{Error, WebApiKey};

/// The client of a service.
#[derive(Debug)]
pub(crate) struct WebService {
    pub(crate) name: &'static str,
    pub(crate) fetcher: Arc<Fetcher>,
    manners: Arc<CrawlPolicy>,
    endpoint: String,
    headers: HeaderMap,
    key: Option<WebApiKey>,
}

impl WebService {
    /// Returns a client of the service at `endpoint`, the setting `field`. Fails with [`Error::Settings`] if the
    /// address is not allowed.
    pub(crate) fn new(
        name: &'static str,
        (field, endpoint): (&'static str, &str),
        fetcher: &Arc<Fetcher>,
        manners: &Arc<CrawlPolicy>,
    ) -> Result<Self, Error> {
        let endpoint = endpoint.trim().trim_end_matches('/').to_owned();
        let target = fetcher
            .guard
            .parse(&endpoint)
            .map_err(|error| Error::Settings { field: field.into(), why: error.to_string() })?;
        if target.url.query().is_some() {
            return Err(Error::Settings { field: field.into(), why: "an endpoint has no query".into() });
        }
        Ok(Self {
            name,
            fetcher: fetcher.clone(),
            manners: manners.clone(),
            endpoint,
            headers: HeaderMap::new(),
            key: None,
        })
    }

    /// Adds `header` to every request.
    pub(crate) fn with_header(mut self, header: &'static str, value: &'static str) -> Self {
        self.headers.insert(HeaderName::from_static(header), HeaderValue::from_static(value));
        self
    }

    /// Adds the key in `header`, after `scheme`. Fails with [`Error::Settings`] if the key is no valid header value.
    pub(crate) fn with_key(
        mut self,
        header: &'static str,
        scheme: &str,
        (field, key): (&'static str, &WebApiKey),
    ) -> Result<Self, Error> {
        let wrong = || Error::Settings { field: field.into(), why: "it has characters that no key has".into() };
        let mut value = HeaderValue::try_from(format!("{scheme}{}", key.reveal())).map_err(|_| wrong())?;
        value.set_sensitive(true);
        self.key = Some(key.clone());
        self.headers.insert(HeaderName::from_static(header), value);
        Ok(self)
    }

    /// Fetches `path`, which may have a query.
    pub(crate) async fn get(&self, path: &str, accept: &str) -> Result<(ResponseHead, Vec<u8>), Error> {
        self.send(path, FetchOptions { accept, headers: self.headers.clone(), body: None }).await
    }

    /// Fetches `path` as JSON.
    pub(crate) async fn get_json(&self, path: &str) -> Result<Value, Error> {
        let (head, body) = self.get(path, "application/json").await?;
        self.json(&head, &body)
    }

    /// Posts `body` and parses the JSON response.
    pub(crate) async fn post_json(&self, path: &str, body: Value) -> Result<Value, Error> {
        let ask = FetchOptions { accept: "application/json", headers: self.headers.clone(), body: Some(body) };
        let (head, body) = self.send(path, ask).await?;
        self.json(&head, &body)
    }

    /// Returns the error of a response's status, if any.
    pub(crate) fn refusal(&self, head: &ResponseHead) -> Option<Error> {
        let name = || self.name.to_owned();
        Some(match head.status() {
            200..=299 => return None,
            // The last two are Tavily's: the plan's quota is exhausted.
            status @ (401..=403 | 432 | 433) => Error::Key { name: name(), status },
            429 => self.busy(head),
            status => Error::HttpStatus { status },
        })
    }

    /// Returns the error of a rate limit.
    pub(crate) fn busy(&self, head: &ResponseHead) -> Error {
        Error::RateLimited { name: self.name.to_owned(), retry_after: head.retry_after() }
    }

    /// Returns the error of an invalid response.
    pub(crate) fn bad_answer(&self, message: &str) -> Error {
        Error::BadAnswer { name: self.name.to_owned(), message: shown(message) }
    }

    async fn send(&self, path: &str, ask: FetchOptions<'_>) -> Result<(ResponseHead, Vec<u8>), Error> {
        let target: FetchTarget = self.fetcher.guard.parse(&format!("{}{path}", self.endpoint))?;
        let _turn = self.manners.turn(&target.host).await;
        let (head, body) = self.fetcher.ask(&target, &ask).await?;
        let body = match &self.key {
            Some(key) => key.mask(body),
            None => body,
        };
        Ok((head, body))
    }

    fn json(&self, head: &ResponseHead, body: &[u8]) -> Result<Value, Error> {
        match self.refusal(head) {
            Some(error) => Err(error),
            None => serde_json::from_slice(body).map_err(|error| self.bad_answer(&error.to_string())),
        }
    }
}

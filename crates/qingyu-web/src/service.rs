//! A service that is asked over HTTP: its address, its key, and what its refusals mean.

use std::sync::Arc;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use crate::error::shown;
use crate::fetch::{Ask, Fetcher, Head};
use crate::guard::Target;
use crate::manners::Manners;
use crate::{Error, Key};

/// Where a service is, and how it is spoken to.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) name: &'static str,
    pub(crate) fetcher: Arc<Fetcher>,
    manners: Arc<Manners>,
    endpoint: String,
    headers: HeaderMap,
    key: Option<Key>,
}

impl Service {
    /// A service at `endpoint`, the setting `field`. Fails with [`Error::Settings`] if it may not be reached.
    pub(crate) fn new(
        name: &'static str,
        (field, endpoint): (&'static str, &str),
        fetcher: &Arc<Fetcher>,
        manners: &Arc<Manners>,
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

    /// Sends `header` with every request.
    pub(crate) fn with_header(mut self, header: &'static str, value: &'static str) -> Self {
        self.headers.insert(HeaderName::from_static(header), HeaderValue::from_static(value));
        self
    }

    /// Sends the key in `header`, after `scheme`. Fails with [`Error::Settings`] if it is no header's value.
    pub(crate) fn with_key(
        mut self,
        header: &'static str,
        scheme: &str,
        (field, key): (&'static str, &Key),
    ) -> Result<Self, Error> {
        let wrong = || Error::Settings { field: field.into(), why: "it has characters that no key has".into() };
        let mut value = HeaderValue::try_from(format!("{scheme}{}", key.reveal())).map_err(|_| wrong())?;
        value.set_sensitive(true);
        self.key = Some(key.clone());
        self.headers.insert(HeaderName::from_static(header), value);
        Ok(self)
    }

    /// Gets `path`, which may have a query.
    pub(crate) async fn get(&self, path: &str, accept: &str) -> Result<(Head, Vec<u8>), Error> {
        self.send(path, Ask { accept, headers: self.headers.clone(), body: None }).await
    }

    /// Gets `path` as JSON.
    pub(crate) async fn get_json(&self, path: &str) -> Result<Value, Error> {
        let (head, body) = self.get(path, "application/json").await?;
        self.json(&head, &body)
    }

    /// Posts `body` and reads JSON.
    pub(crate) async fn post_json(&self, path: &str, body: Value) -> Result<Value, Error> {
        let ask = Ask { accept: "application/json", headers: self.headers.clone(), body: Some(body) };
        let (head, body) = self.send(path, ask).await?;
        self.json(&head, &body)
    }

    /// What the status of an answer means, if it is a refusal.
    pub(crate) fn refusal(&self, head: &Head) -> Option<Error> {
        let name = || self.name.to_owned();
        Some(match head.status() {
            200..=299 => return None,
            // The last two are Tavily's: what the plan holds is used up.
            status @ (401..=403 | 432 | 433) => Error::Key { name: name(), status },
            429 => self.busy(head),
            status => Error::HttpStatus { status },
        })
    }

    /// The service wants fewer requests.
    pub(crate) fn busy(&self, head: &Head) -> Error {
        Error::RateLimited { name: self.name.to_owned(), retry_after: head.retry_after() }
    }

    /// The answer cannot be understood.
    pub(crate) fn bad_answer(&self, message: &str) -> Error {
        Error::BadAnswer { name: self.name.to_owned(), message: shown(message) }
    }

    async fn send(&self, path: &str, ask: Ask<'_>) -> Result<(Head, Vec<u8>), Error> {
        let target: Target = self.fetcher.guard.parse(&format!("{}{path}", self.endpoint))?;
        let _turn = self.manners.turn(&target.host).await;
        let (head, body) = self.fetcher.ask(&target, &ask).await?;
        let body = match &self.key {
            Some(key) => key.mask(body),
            None => body,
        };
        Ok((head, body))
    }

    fn json(&self, head: &Head, body: &[u8]) -> Result<Value, Error> {
        match self.refusal(head) {
            Some(error) => Err(error),
            None => serde_json::from_slice(body).map_err(|error| self.bad_answer(&error.to_string())),
        }
    }
}

//! Posts small messages to configured addresses, such as webhooks.

use std::sync::Arc;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use crate::fetch::{FetchOptions, FetchStep, Fetcher};
use crate::guard::SystemNames;
use crate::{Error, Guard, WebSettings};

/// Posts messages to addresses allowed by the settings. Follows no redirects: the recipient must configure the final
/// address.
#[derive(Debug, Clone)]
pub struct MessagePoster {
    fetcher: Arc<Fetcher>,
}

impl MessagePoster {
    /// Returns a client with the limits and allowed addresses of `settings`.
    ///
    /// Fails with [`Error::Settings`] if a row of the allow list is not `host:port`.
    pub fn new(settings: &WebSettings) -> Result<Self, Error> {
        let guard = Guard::new(settings, Arc::new(SystemNames))?;
        Ok(Self { fetcher: Fetcher::new(guard, settings) })
    }

    /// Validates the address like [`post`](Self::post), without sending.
    pub async fn check(&self, url: &str) -> Result<(), Error> {
        self.fetcher.guard.check(url).await.map(drop)
    }

    /// Posts `message` as JSON with the given headers. Fails with [`Error::HttpStatus`] unless the response is a
    /// success.
    ///
    /// An invalid header, such as a value with a line break, fails with [`Error::Settings`].
    pub async fn post(&self, url: &str, headers: &[(&str, String)], message: &Value) -> Result<(), Error> {
        let target = self.fetcher.guard.parse(url)?;
        let headers = headers.iter().map(|(name, value)| header(name, value)).collect::<Result<HeaderMap, _>>()?;
        let ask = FetchOptions { accept: "*/*", headers, body: Some(message.clone()) };
        match self.fetcher.step(&target, &ask).await? {
            FetchStep::Answer(head) if (200..300).contains(&head.status()) => Ok(()),
            FetchStep::Answer(head) => Err(Error::HttpStatus { status: head.status() }),
            FetchStep::Redirect(_) => Err(Error::BadAnswer { name: target.host, message: "a redirect".into() }),
        }
    }
}

fn header(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), Error> {
    let bad = || Error::Settings { field: name.to_owned().into(), why: "it cannot stand in a request".into() };
    let name = HeaderName::try_from(name).map_err(|_| bad())?;
    let mut value = HeaderValue::try_from(value).map_err(|_| bad())?;
    value.set_sensitive(true);
    Ok((name, value))
}

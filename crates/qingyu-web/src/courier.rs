//! Small messages posted to addresses that somebody else has named, such as webhooks.

use std::sync::Arc;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use crate::fetch::{Ask, Fetcher, Step};
use crate::guard::SystemNames;
use crate::{Error, Guard, WebSettings};

/// Posts messages where the [`Guard`] lets them go. It follows no redirect: who wants messages names where they go.
#[derive(Debug, Clone)]
pub struct Courier {
    fetcher: Arc<Fetcher>,
}

impl Courier {
    /// A courier within the limits and to the addresses that `settings` allow.
    ///
    /// Fails with [`Error::Settings`] as [`Guard::new`] does.
    pub fn new(settings: &WebSettings) -> Result<Self, Error> {
        let guard = Guard::new(settings, Arc::new(SystemNames))?;
        Ok(Self { fetcher: Fetcher::new(guard, settings) })
    }

    /// Fails as [`post`](Self::post) would for the address alone.
    pub async fn check(&self, url: &str) -> Result<(), Error> {
        self.fetcher.guard.check(url).await.map(drop)
    }

    /// Posts `message` as JSON with these headers. Fails with [`Error::HttpStatus`] unless the answer says that it was taken.
    ///
    /// A header that cannot stand in a request, such as one with a line break, fails with [`Error::Settings`].
    pub async fn post(&self, url: &str, headers: &[(&str, String)], message: &Value) -> Result<(), Error> {
        let target = self.fetcher.guard.parse(url)?;
        let headers = headers.iter().map(|(name, value)| header(name, value)).collect::<Result<HeaderMap, _>>()?;
        let ask = Ask { accept: "*/*", headers, body: Some(message.clone()) };
        match self.fetcher.step(&target, &ask).await? {
            Step::Answer(head) if (200..300).contains(&head.status()) => Ok(()),
            Step::Answer(head) => Err(Error::HttpStatus { status: head.status() }),
            Step::Redirect(_) => Err(Error::BadAnswer { name: target.host, message: "a redirect".into() }),
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

//! Sends requests and receives response bytes, within limits.

use std::time::{Duration, SystemTime};

use reqwest::header::{DATE, HeaderMap, LOCATION, RETRY_AFTER};
use reqwest::{RequestBuilder, Response};
use serde_json::Value;
use tokio::time::timeout;

use super::report::{self, SHOWN};
use super::secrets::{MaskedBytes, Secrets};
use crate::Error;
use crate::error::chain;

/// Maximum shown characters of an invalid response body.
pub(super) const SHOWN_OF_NO_ANSWER: usize = 200;

/// Limits of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientLimits {
    /// Connect timeout.
    pub connect: Duration,
    /// Idle timeout of a response, before the first byte and between bytes.
    pub idle: Duration,
    /// Maximum response size in bytes.
    pub max_bytes: usize,
}

impl Default for ClientLimits {
    /// Returns 10 s, 120 s, 32 MiB.
    fn default() -> Self {
        Self { connect: Duration::from_secs(10), idle: Duration::from_secs(120), max_bytes: 32 << 20 }
    }
}

/// A provider URL with all data needed for a call.
#[derive(Debug)]
pub(super) struct ModelEndpoint {
    pub(super) http: reqwest::Client,
    /// The model's full name, for errors.
    pub(super) name: String,
    pub(super) url: String,
    /// URL of the provider's model list.
    pub(super) listing: String,
    pub(super) headers: HeaderMap,
    /// Secrets to be masked in responses.
    pub(super) masking: Secrets,
    pub(super) limits: ClientLimits,
}

/// Timeout of the model list fetched to explain an error.
const LISTING: Duration = Duration::from_secs(5);

/// Maximum suggested models for a missing model.
const NAMED: usize = 20;

/// Returns the names in a model list, in its order.
pub(super) fn listed(listing: &Value) -> Vec<String> {
    let models = listing["data"].as_array().into_iter().flatten();
    models.filter_map(|model| model["id"].as_str()).map(Into::into).collect()
}

/// The reason a body ended prematurely.
#[derive(Debug, Clone, Copy)]
pub(super) enum Interruption {
    /// The connection was lost.
    Cut,
    /// The idle timeout elapsed.
    Silent(Duration),
    /// The body exceeded the limit.
    TooLarge(usize),
}

impl Interruption {
    /// Returns the error of a body interrupted after `partial`.
    pub(super) fn into_error(self, model: &str, partial: String) -> Error {
        let message = match self {
            Self::Cut => return Error::Truncated { partial },
            Self::Silent(idle) => format!("nothing came for {} s", idle.as_secs_f32()),
            Self::TooLarge(limit) => format!("the answer has more than {limit} bytes"),
        };
        Error::Transport { model: model.to_owned(), message }
    }
}

/// The body of an accepted request.
pub(super) struct ResponseBody {
    response: Response,
    limits: ClientLimits,
    received: usize,
    masked: MaskedBytes,
    is_over: bool,
}

impl ModelEndpoint {
    /// Posts `body`; resolves once the status is successful.
    pub(super) async fn post(&self, body: &Value) -> Result<ResponseBody, Error> {
        self.send(self.http.post(&self.url).json(body)).await
    }

    /// Fetches a JSON document.
    pub(super) async fn get(&self) -> Result<Value, Error> {
        let mut body = self.send(self.http.get(&self.url)).await?;
        self.read_json(&mut body, Vec::new()).await
    }

    /// Posts `body` and returns the complete response, which must be JSON and no error.
    pub(super) async fn post_for_json(&self, body: &Value) -> Result<Value, Error> {
        let mut body = self.post(body).await?;
        self.read_json(&mut body, Vec::new()).await
    }

    /// Returns the URL for messages: without user, password and query.
    pub(super) fn shown(&self) -> String {
        let plain = self.url.split(['?', '#']).next().unwrap_or_default();
        match plain.split_once("://") {
            Some((scheme, rest)) => {
                let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
                let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
                format!("{scheme}://{host}/{path}")
            }
            None => plain.to_owned(),
        }
    }

    /// Fetches the models listed by the provider, names similar to `model` first; returns an empty list after a few
    /// seconds without a response.
    pub(super) async fn available(&self, model: &str) -> Vec<String> {
        let request = self.send(self.http.get(&self.listing));
        let listing = timeout(LISTING, async { self.read_json(&mut request.await?, Vec::new()).await }).await;
        let Ok(Ok(listing)) = listing else { return Vec::new() };
        let mut models = listed(&listing);
        let shared =
            |name: &str| name.chars().zip(model.chars()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
        models.sort_by_key(|name| std::cmp::Reverse(shared(name)));
        models.truncate(NAMED);
        models
    }

    /// Reads the rest of a JSON body; `begun` is the part already read.
    pub(super) async fn read_json(&self, body: &mut ResponseBody, mut begun: Vec<u8>) -> Result<Value, Error> {
        while let Some(chunk) = body.chunk().await.map_err(|why| why.into_error(&self.name, String::new()))? {
            begun.extend_from_slice(&chunk);
        }
        document(&begun, &self.name)
    }

    async fn send(&self, request: RequestBuilder) -> Result<ResponseBody, Error> {
        let transport = |message| Error::Transport { model: self.name.clone(), message };
        let response = timeout(self.limits.idle, request.headers(self.headers.clone()).send())
            .await
            .map_err(|_elapsed| Interruption::Silent(self.limits.idle).into_error(&self.name, String::new()))?
            .map_err(|error| transport(chain(&error.without_url())))?;
        let status = response.status();
        let retry_after = retry_after(response.headers(), SystemTime::now());
        let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let masked = self.masking.bytes();
        let mut body = ResponseBody { response, limits: self.limits, received: 0, masked, is_over: false };
        if status.is_success() {
            return Ok(body);
        }
        let mut text = Vec::new();
        // A refusal is reported even if its body cannot be read completely.
        while let Ok(Some(chunk)) = body.chunk().await
            && text.len() < 4 * SHOWN
        {
            text.extend_from_slice(&chunk);
        }
        let mut text = String::from_utf8_lossy(&text).into_owned();
        if let Some(location) = location.filter(|_| status.is_redirection()) {
            text = format!("it has moved to {location}");
            self.masking.mask(&mut text);
        }
        Err(report::refusal(self.name.clone(), status.as_u16(), &text, retry_after))
    }
}

impl ResponseBody {
    /// Returns the next bytes, or `None` at the proper end.
    pub(super) async fn chunk(&mut self) -> Result<Option<Vec<u8>>, Interruption> {
        let chunk = match timeout(self.limits.idle, self.response.chunk()).await {
            Err(_elapsed) => return Err(Interruption::Silent(self.limits.idle)),
            Ok(Err(_broken)) => return Err(Interruption::Cut),
            Ok(Ok(None)) if self.is_over => return Ok(None),
            Ok(Ok(None)) => {
                self.is_over = true;
                return Ok(Some(self.masked.finish()).filter(|rest| !rest.is_empty()));
            }
            Ok(Ok(Some(chunk))) => chunk,
        };
        self.received += chunk.len();
        if self.received > self.limits.max_bytes {
            return Err(Interruption::TooLarge(self.limits.max_bytes));
        }
        Ok(Some(self.masked.push(&chunk)))
    }
}

/// Parses a complete body, which must be JSON and no error.
pub(super) fn document(body: &[u8], model: &str) -> Result<Value, Error> {
    let Ok(value) = serde_json::from_slice(body) else {
        let text = String::from_utf8_lossy(body);
        if let Some(page) = report::page(&text) {
            return Err(Error::BadAddress {
                model: model.to_owned(),
                status: Some(200),
                message: page,
                url: Box::default(),
            });
        }
        let begin: String = text.trim().chars().take(SHOWN_OF_NO_ANSWER).collect();
        let message = format!("the body is not JSON: {begin}");
        return Err(Error::Provider { model: model.to_owned(), message });
    };
    match report::find(&value) {
        Some(report) => Err(report.into_error(model)),
        None => Ok(value),
    }
}

/// Returns the wait requested by the provider: `retry-after-ms`, or `retry-after` in seconds or as a date.
///
/// A date is compared with the provider's own clock if given, because the local clock may be wrong.
fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let number = |text: &str| text.parse::<f64>().ok();
    if let Some(millis) = text("retry-after-ms").and_then(number) {
        return Duration::try_from_secs_f64(millis / 1000.0).ok();
    }
    let value = text(RETRY_AFTER.as_str())?;
    if let Some(seconds) = number(value) {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let now = text(DATE.as_str()).and_then(http_date).unwrap_or(now);
    http_date(value).map(|until| until.duration_since(now).unwrap_or(Duration::ZERO))
}

/// Parses `Wed, 21 Oct 2015 07:28:00 GMT`.
fn http_date(text: &str) -> Option<SystemTime> {
    let time = jiff::fmt::rfc2822::parse(text).ok()?;
    Some(time.timestamp().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    type Headers = &'static [(&'static str, &'static str)];

    #[test]
    fn the_wait_is_read_in_every_form() {
        let now = http_date("Wed, 21 Oct 2015 07:28:00 GMT").unwrap();
        let cases: [(Headers, Option<u64>); 8] = [
            (&[], None),
            (&[("retry-after", "7")], Some(7_000)),
            (&[("retry-after", " 1.5 ")], Some(1_500)),
            (&[("retry-after-ms", "250"), ("retry-after", "7")], Some(250)),
            (&[("retry-after", "Wed, 21 Oct 2015 07:28:30 GMT")], Some(30_000)),
            (&[("retry-after", "Wed, 21 Oct 2015 07:00:00 GMT")], Some(0)),
            (
                &[("retry-after", "Thu, 22 Oct 2015 07:28:05 GMT"), ("date", "Thu, 22 Oct 2015 07:28:00 GMT")],
                Some(5_000),
            ),
            (&[("retry-after", "soon")], None),
        ];
        for (pairs, expected) in cases {
            let mut headers = HeaderMap::new();
            for (name, value) in pairs {
                headers.insert(*name, value.parse().unwrap());
            }
            assert_eq!(retry_after(&headers, now), expected.map(Duration::from_millis), "{pairs:?}");
        }
        let mut headers = HeaderMap::new();
        headers.insert("retry-after", "-3".parse().unwrap());
        assert_eq!(retry_after(&headers, now), None);
    }
}

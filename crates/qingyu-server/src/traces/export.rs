//! Export of spans by OTLP over HTTP, as JSON. <https://opentelemetry.io/docs/specs/otlp/#otlphttp>

use std::time::Duration;

use http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::otlp::{KeyValue, OtlpExportRequest, OtlpSpan, Resource};

/// Maximum spans per request, and maximum time a span is buffered.
const BATCH: usize = 512;
const PAUSE: Duration = Duration::from_secs(1);
/// Timeout of a request.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Delays before retries.
const AGAIN: [Duration; 3] = [Duration::from_millis(200), Duration::from_secs(1), Duration::from_secs(5)];

/// A reason why traces cannot be sent.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An environment variable is invalid.
    #[error("{variable} is not understood: {message}")]
    Variable {
        /// The variable.
        variable: &'static str,
        /// The reason.
        message: String,
    },
    /// The HTTP client cannot be created.
    #[error("traces cannot be sent: {message}")]
    Client {
        /// The reason.
        message: String,
    },
}

/// The destination of traces.
#[derive(Debug, Clone)]
pub struct TraceTarget {
    url: url::Url,
    headers: HeaderMap,
}

impl TraceTarget {
    /// Reads the target from `OTEL_EXPORTER_OTLP_ENDPOINT` and `OTEL_EXPORTER_OTLP_HEADERS`, looked up with `variable`;
    /// returns `None` if unset.
    ///
    /// Fails with [`Error::Variable`] if a variable is invalid, or `OTEL_EXPORTER_OTLP_PROTOCOL` is not `http/json`.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, Error> {
        const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
        const HEADERS: &str = "OTEL_EXPORTER_OTLP_HEADERS";
        const PROTOCOL: &str = "OTEL_EXPORTER_OTLP_PROTOCOL";
        let Some(endpoint) = variable(ENDPOINT).filter(|endpoint| !endpoint.is_empty()) else { return Ok(None) };
        match variable(PROTOCOL).as_deref() {
            None | Some("" | "http/json") => {}
            Some(other) => {
                let message = format!(
                    "'{other}' is not supported; set {PROTOCOL}=http/json, and {ENDPOINT} to where the collector takes OTLP \
                     over HTTP (port 4318)"
                );
                return Err(refused(PROTOCOL, &message));
            }
        }
        let url = format!("{}/v1/traces", endpoint.trim_end_matches('/'));
        let url = url.parse().map_err(|error: url::ParseError| refused(ENDPOINT, &error))?;
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for pair in variable(HEADERS).unwrap_or_default().split(',').filter(|pair| !pair.trim().is_empty()) {
            let (name, value) = pair.split_once('=').ok_or_else(|| refused(HEADERS, &"it must be name=value"))?;
            let name = name.trim().parse::<HeaderName>().map_err(|error| refused(HEADERS, &error))?;
            let value = percent_encoding::percent_decode_str(value.trim()).decode_utf8_lossy().into_owned();
            let mut value = HeaderValue::try_from(value).map_err(|error| refused(HEADERS, &error))?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        Ok(Some(Self { url, headers }))
    }
}

fn refused(variable: &'static str, error: &dyn std::fmt::Display) -> Error {
    Error::Variable { variable, message: error.to_string() }
}

/// An exporter sending spans in batches.
pub(super) struct Exporter {
    client: reqwest::Client,
    target: TraceTarget,
    resource: Resource,
}

impl Exporter {
    pub(super) fn new(target: TraceTarget, server: &str) -> Result<Self, Error> {
        // Fails only if a provider is already installed.
        let _already = rustls::crypto::ring::default_provider().install_default();
        let mut builder = reqwest::Client::builder().timeout(TIMEOUT);
        if target.url.scheme() == "http" {
            builder = builder.no_proxy().tls_certs_only([]);
        }
        let client = builder.build().map_err(|error| Error::Client { message: error.to_string() })?;
        let attributes = vec![
            KeyValue::string("service.name", "qingyu"),
            KeyValue::string("service.version", env!("CARGO_PKG_VERSION")),
            KeyValue::string("service.instance.id", server),
        ];
        Ok(Self { client, target, resource: Resource { attributes } })
    }

    /// Sends spans until `stop` or until all senders are dropped; then sends the buffered spans.
    pub(super) async fn run(self, mut spans: mpsc::Receiver<OtlpSpan>, stop: CancellationToken) {
        let mut batch = Vec::new();
        loop {
            let is_last = tokio::select! {
                () = stop.cancelled() => true,
                received = spans.recv_many(&mut batch, BATCH) => received == 0,
            };
            if is_last {
                while let Ok(span) = spans.try_recv() {
                    batch.push(span);
                }
                self.send(batch).await;
                return;
            }
            if batch.len() < BATCH {
                tokio::select! {
                    () = tokio::time::sleep(PAUSE) => {}
                    () = stop.cancelled() => {}
                }
                while batch.len() < BATCH
                    && let Ok(span) = spans.try_recv()
                {
                    batch.push(span);
                }
            }
            self.send(std::mem::take(&mut batch)).await;
        }
    }

    async fn send(&self, spans: Vec<OtlpSpan>) {
        if spans.is_empty() {
            return;
        }
        let count = spans.len();
        let request = OtlpExportRequest::new(&self.resource, &spans);
        let body = bytes::Bytes::from(serde_json::to_vec(&request).expect("it has text and numbers alone"));
        let mut pauses = AGAIN.iter();
        loop {
            let request = self.client.post(self.target.url.clone()).headers(self.target.headers.clone());
            let problem = match request.body(body.clone()).send().await {
                Ok(answer) if answer.status().is_success() => return,
                Ok(answer) => {
                    let status = answer.status();
                    // The protocol allows retries only for these statuses.
                    if !matches!(status.as_u16(), 429 | 502 | 503 | 504) {
                        tracing::warn!(%status, count, "the collector of traces refused spans");
                        return;
                    }
                    status.to_string()
                }
                Err(error) => error.without_url().to_string(),
            };
            let Some(pause) = pauses.next() else {
                tracing::warn!(problem, count, "failed to send spans");
                return;
            };
            tokio::time::sleep(*pause).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(endpoint: &str, headers: &str) -> Result<Option<TraceTarget>, Error> {
        TraceTarget::from_variables(|name| match name {
            "OTEL_EXPORTER_OTLP_ENDPOINT" => Some(endpoint.to_owned()),
            "OTEL_EXPORTER_OTLP_HEADERS" => Some(headers.to_owned()),
            _ => None,
        })
    }

    #[test]
    fn the_target_is_as_the_variables_say() {
        assert!(target("", "a=b").unwrap().is_none());
        let target = target("http://127.0.0.1:4318/", "x-key=a%20b, x-other=2").unwrap().unwrap();
        assert_eq!(target.url.as_str(), "http://127.0.0.1:4318/v1/traces");
        assert_eq!(
            (&target.headers["x-key"], &target.headers["x-other"]),
            (&"a b".parse().unwrap(), &"2".parse().unwrap())
        );
        assert!(!format!("{target:?}").contains("a b"), "keys are not told");
    }

    #[test]
    fn other_protocols_are_refused() {
        let target = |endpoint: &'static str, protocol: &'static str| {
            TraceTarget::from_variables(|name| match name {
                "OTEL_EXPORTER_OTLP_ENDPOINT" => Some(endpoint.to_owned()),
                "OTEL_EXPORTER_OTLP_PROTOCOL" => Some(protocol.to_owned()),
                _ => None,
            })
        };
        for protocol in ["", "http/json"] {
            assert!(target("http://127.0.0.1:4318", protocol).unwrap().is_some(), "{protocol}");
        }
        for protocol in ["http/protobuf", "grpc"] {
            let error = target("http://127.0.0.1:4318", protocol).unwrap_err().to_string();
            assert!(error.contains(protocol), "{error}");
            assert!(error.contains("set OTEL_EXPORTER_OTLP_PROTOCOL=http/json"), "{error}");
            assert!(target("", protocol).unwrap().is_none(), "it is of no concern while nothing is sent");
        }
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (endpoint, headers, variable) in [
            ("nowhere", "", "OTEL_EXPORTER_OTLP_ENDPOINT"),
            ("http://localhost", "x-key", "OTEL_EXPORTER_OTLP_HEADERS"),
            ("http://localhost", "a b=c", "OTEL_EXPORTER_OTLP_HEADERS"),
        ] {
            let error = target(endpoint, headers).unwrap_err().to_string();
            assert!(error.starts_with(variable), "{error}");
        }
    }
}

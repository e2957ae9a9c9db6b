//! Opens models on the wires.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;

use super::http::{Endpoint, listed};
use super::secrets::Secrets;
use super::{anthropic, embeddings, openai};
use crate::provider::{Key, Provider, Wire};
use crate::{ChatModel, Embedder, Error};

/// What a connection may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How long a connection may take to come about.
    pub connect: Duration,
    /// How long an answer may stay silent, before its first byte and between two.
    pub idle: Duration,
    /// The most bytes of one answer.
    pub max_bytes: usize,
}

impl Default for Limits {
    /// 10 s, 120 s, 32 MiB.
    fn default() -> Self {
        Self { connect: Duration::from_secs(10), idle: Duration::from_secs(120), max_bytes: 32 << 20 }
    }
}

/// Opens models and embedders, which then share its connections. Clones are the same client.
#[derive(Debug, Clone)]
pub struct Client(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    limits: Limits,
    loopback: OnceLock<Built>,
    network: OnceLock<Built>,
}

type Built = Result<reqwest::Client, String>;

impl Client {
    /// A client that keeps to `limits`.
    pub fn new(limits: Limits) -> Self {
        Self(Arc::new(Inner { limits, loopback: OnceLock::new(), network: OnceLock::new() }))
    }

    /// The model `model` of `provider`, named `provider/model`. Nothing is sent yet.
    ///
    /// Fails with [`Error::Settings`] if the provider needs a key and there is none, or TLS cannot be set up.
    pub fn chat(&self, provider: &Provider, model: &str, key: Option<&Key>) -> Result<Arc<dyn ChatModel>, Error> {
        let quirks = provider.quirks_of(model);
        Ok(match provider.wire {
            Wire::OpenAi => {
                let endpoint = self.endpoint(provider, model, "chat/completions", key)?;
                Arc::new(openai::Chat::new(endpoint, provider, model, quirks))
            }
            Wire::Anthropic => {
                let endpoint = self.endpoint(provider, model, "messages", key)?;
                Arc::new(anthropic::Chat::new(endpoint, provider, model, quirks))
            }
        })
    }

    /// The embedding model `model` of `provider`, named `provider/model`.
    ///
    /// Fails with [`Error::Settings`] as [`Client::chat`] does, and for providers whose protocol has no embeddings.
    pub fn embedder(&self, provider: &Provider, model: &str, key: Option<&Key>) -> Result<Arc<dyn Embedder>, Error> {
        if provider.wire == Wire::Anthropic {
            return Err(Error::Settings(format!("provider {} has no embeddings", provider.name)));
        }
        let endpoint = self.endpoint(provider, model, "embeddings", key)?;
        Ok(Arc::new(embeddings::Embeddings::new(endpoint, model, provider.quirks_of(model))))
    }

    /// The models that `provider` says it has, in its order.
    pub async fn models(&self, provider: &Provider, key: Option<&Key>) -> Result<Vec<String>, Error> {
        let endpoint = self.endpoint(provider, "models", "models", key)?;
        let listing = endpoint.get().await.map_err(|error| error.located(&endpoint.shown(), "models"))?;
        Ok(listed(&listing))
    }

    fn endpoint(&self, provider: &Provider, model: &str, path: &str, key: Option<&Key>) -> Result<Endpoint, Error> {
        Ok(Endpoint {
            http: self.http(provider)?,
            name: format!("{}/{model}", provider.name),
            url: format!("{}/{path}", provider.base_url.trim_end_matches('/')),
            listing: format!("{}/models", provider.base_url.trim_end_matches('/')),
            headers: headers(provider, model, key)?,
            masking: secrets(provider, model, key),
            limits: self.0.limits,
        })
    }

    fn http(&self, provider: &Provider) -> Result<reqwest::Client, Error> {
        let limits = self.0.limits;
        let built = if provider.is_loopback() {
            self.0.loopback.get_or_init(|| build(loopback(), limits))
        } else {
            self.0.network.get_or_init(|| build(reqwest::Client::builder(), limits))
        };
        built.clone().map_err(|why| Error::Settings(format!("cannot set up connections: {why}")))
    }
}

impl Default for Client {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

/// This machine is reached without a proxy, and without the system's certificates, which a bare container lacks.
fn loopback() -> reqwest::ClientBuilder {
    reqwest::Client::builder().no_proxy().tls_certs_only([])
}

fn build(builder: reqwest::ClientBuilder, limits: Limits) -> Built {
    // The first in the process wins; whoever came before us chose a provider too, so either way there is one.
    let _already = rustls::crypto::ring::default_provider().install_default();
    let builder = builder.connect_timeout(limits.connect).redirect(Policy::none());
    builder
        .user_agent(concat!("qingyu/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| crate::error::chain(&error))
}

/// The key, and the headers of the settings that are as long as one.
fn secrets(provider: &Provider, model: &str, key: Option<&Key>) -> Secrets {
    const AS_LONG_AS_A_KEY: usize = 16;
    let headers = provider.quirks_of(model).headers.values().cloned().collect::<Vec<String>>();
    let headers = headers.into_iter().filter(|value| value.len() >= AS_LONG_AS_A_KEY);
    Secrets::new(key.map(|key| key.reveal().to_owned()).into_iter().chain(headers))
}

fn headers(provider: &Provider, model: &str, key: Option<&Key>) -> Result<HeaderMap, Error> {
    let mut headers = HeaderMap::new();
    for (name, value) in &provider.quirks_of(model).headers {
        let pair = (HeaderName::try_from(name), HeaderValue::try_from(value));
        let (Ok(name), Ok(value)) = pair else {
            return Err(Error::Settings(format!("provider {}: {name:?} is not a header", provider.name)));
        };
        headers.insert(name, value);
    }
    match (key, &provider.key_variable) {
        (Some(key), _) => {
            let (name, value) = match provider.wire {
                Wire::OpenAi => (AUTHORIZATION, format!("Bearer {}", key.reveal())),
                Wire::Anthropic => (HeaderName::from_static("x-api-key"), key.reveal().to_owned()),
            };
            let mut value = HeaderValue::try_from(value).map_err(|_| {
                Error::Settings(format!("the key of provider {} has characters that no key has", provider.name))
            })?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        (None, Some(variable)) => {
            return Err(Error::Settings(format!("provider {} needs a key: set {variable}", provider.name)));
        }
        (None, None) => {}
    }
    Ok(headers)
}

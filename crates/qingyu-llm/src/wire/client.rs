//! The client that opens models over the wire protocols.

use std::sync::{Arc, OnceLock};

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;

use super::http::{ClientLimits, ModelEndpoint, listed};
use super::secrets::Secrets;
use super::{anthropic, embeddings, openai};
use crate::provider::{Provider, ProviderKey, Wire};
use crate::{ChatModel, Embedder, Error};

/// A client that opens models and embedders with shared connections. Clones share the client.
#[derive(Debug, Clone)]
pub struct LlmClient(Arc<LlmClientInner>);

#[derive(Debug)]
struct LlmClientInner {
    limits: ClientLimits,
    loopback: OnceLock<HttpClientResult>,
    network: OnceLock<HttpClientResult>,
}

type HttpClientResult = Result<reqwest::Client, String>;

impl LlmClient {
    /// Returns a client with `limits`.
    pub fn new(limits: ClientLimits) -> Self {
        Self(Arc::new(LlmClientInner { limits, loopback: OnceLock::new(), network: OnceLock::new() }))
    }

    /// Returns the model `model` of `provider`, named `provider/model`. Sends nothing yet.
    ///
    /// Fails with [`Error::Settings`] if a required key is missing, or TLS cannot be set up.
    pub fn chat(
        &self,
        provider: &Provider,
        model: &str,
        key: Option<&ProviderKey>,
    ) -> Result<Arc<dyn ChatModel>, Error> {
        let quirks = provider.quirks_of(model);
        Ok(match provider.wire {
            Wire::OpenAi => {
                let endpoint = self.endpoint(provider, model, "chat/completions", key)?;
                Arc::new(openai::CompletionsModel::new(endpoint, provider, model, quirks))
            }
            Wire::Anthropic => {
                let endpoint = self.endpoint(provider, model, "messages", key)?;
                Arc::new(anthropic::MessagesModel::new(endpoint, provider, model, quirks))
            }
        })
    }

    /// Returns the embedding model `model` of `provider`, named `provider/model`.
    ///
    /// Fails with [`Error::Settings`] like [`LlmClient::chat`], and for providers without embeddings in their protocol.
    pub fn embedder(
        &self,
        provider: &Provider,
        model: &str,
        key: Option<&ProviderKey>,
    ) -> Result<Arc<dyn Embedder>, Error> {
        if provider.wire == Wire::Anthropic {
            return Err(Error::Settings(format!("provider {} has no embeddings", provider.name)));
        }
        let endpoint = self.endpoint(provider, model, "embeddings", key)?;
        Ok(Arc::new(embeddings::EmbeddingsModel::new(endpoint, model, provider.quirks_of(model))))
    }

    /// Fetches the models listed by `provider`, in its order.
    pub async fn models(&self, provider: &Provider, key: Option<&ProviderKey>) -> Result<Vec<String>, Error> {
        let endpoint = self.endpoint(provider, "models", "models", key)?;
        let listing = endpoint.get().await.map_err(|error| error.located(&endpoint.shown(), "models"))?;
        Ok(listed(&listing))
    }

    fn endpoint(
        &self,
        provider: &Provider,
        model: &str,
        path: &str,
        key: Option<&ProviderKey>,
    ) -> Result<ModelEndpoint, Error> {
        Ok(ModelEndpoint {
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

impl Default for LlmClient {
    fn default() -> Self {
        Self::new(ClientLimits::default())
    }
}

/// Loopback needs neither a proxy nor the system's certificates, which a bare container lacks.
fn loopback() -> reqwest::ClientBuilder {
    reqwest::Client::builder().no_proxy().tls_certs_only([])
}

fn build(builder: reqwest::ClientBuilder, limits: ClientLimits) -> HttpClientResult {
    // The first caller in the process wins; an earlier caller installed a provider too.
    let _already = rustls::crypto::ring::default_provider().install_default();
    let builder = builder.connect_timeout(limits.connect).redirect(Policy::none());
    builder
        .user_agent(concat!("qingyu/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| crate::error::chain(&error))
}

/// Returns the key, and header values from the settings as long as a key.
fn secrets(provider: &Provider, model: &str, key: Option<&ProviderKey>) -> Secrets {
    const AS_LONG_AS_A_KEY: usize = 16;
    let headers = provider.quirks_of(model).headers.values().cloned().collect::<Vec<String>>();
    let headers = headers.into_iter().filter(|value| value.len() >= AS_LONG_AS_A_KEY);
    Secrets::new(key.map(|key| key.reveal().to_owned()).into_iter().chain(headers))
}

fn headers(provider: &Provider, model: &str, key: Option<&ProviderKey>) -> Result<HeaderMap, Error> {
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

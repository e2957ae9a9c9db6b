//! Anthropic's Messages API.

mod body;
mod decode;
mod schema;

use std::sync::Mutex;

use futures::future::BoxFuture;

use super::http::ModelEndpoint;
use super::stream;
use crate::provider::{Provider, Quirks};
use crate::{ChatModel, ChatRequest, Error, EventStream};

/// A model behind the Messages API.
#[derive(Debug)]
pub(super) struct MessagesModel {
    endpoint: ModelEndpoint,
    /// The provider whose blocks may be sent back.
    provider: String,
    model: String,
    /// The model's quirks, as learned so far.
    quirks: Mutex<Quirks>,
}

impl MessagesModel {
    pub(super) fn new(endpoint: ModelEndpoint, provider: &Provider, model: &str, quirks: Quirks) -> Self {
        Self { endpoint, provider: provider.name.clone(), model: model.into(), quirks: Mutex::new(quirks) }
    }
}

impl ChatModel for MessagesModel {
    fn name(&self) -> &str {
        &self.endpoint.name
    }

    fn stream<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<EventStream, Error>> {
        Box::pin(async move {
            let build = |quirks: &Quirks| body::build(request, &self.model, &self.provider, quirks);
            let decoder = |quirks: &Quirks| {
                decode::MessagesDecoder::new(&self.endpoint.name, &self.provider, body::output_tool(request, quirks))
            };
            stream::ask(&self.endpoint, request, &self.quirks, build, decoder).await
        })
    }
}

/// Returns a decoder without an output tool, for tests.
#[cfg(any(test, feature = "testing"))]
pub(super) fn decoder(model: &str, provider: &str) -> impl stream::WireDecoder {
    decode::MessagesDecoder::new(model, provider, None)
}

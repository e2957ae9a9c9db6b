//! Anthropic's Messages.

mod body;
mod decode;

use futures::future::BoxFuture;

use super::http::Endpoint;
use super::stream;
use crate::provider::{Provider, Quirks};
use crate::{ChatModel, Error, EventStream, Request};

/// A model behind Messages.
#[derive(Debug)]
pub(super) struct Chat {
    endpoint: Endpoint,
    /// Whose blocks may be sent back to it.
    provider: String,
    model: String,
    quirks: Quirks,
}

impl Chat {
    pub(super) fn new(endpoint: Endpoint, provider: &Provider, model: &str, quirks: Quirks) -> Self {
        Self { endpoint, provider: provider.name.clone(), model: model.into(), quirks }
    }
}

impl ChatModel for Chat {
    fn name(&self) -> &str {
        &self.endpoint.name
    }

    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<EventStream, Error>> {
        Box::pin(async move {
            let body = body::build(request, &self.model, &self.provider, &self.quirks);
            let tool = body::output_tool(request, &self.quirks);
            let decoder = decode::Decoder::new(&self.endpoint.name, &self.provider, tool);
            stream::open(&self.endpoint, &body, decoder).await
        })
    }
}

/// A decoder without an output tool, for tests of what drives it.
#[cfg(any(test, feature = "testing"))]
pub(super) fn decoder(model: &str, provider: &str) -> impl stream::Decoder {
    decode::Decoder::new(model, provider, None)
}

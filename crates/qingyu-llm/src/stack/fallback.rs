//! Fallback to the next model.

use std::collections::VecDeque;
use std::sync::Arc;

use futures::StreamExt;
use futures::future::BoxFuture;

use crate::{ChatEvent, ChatModel, ChatRequest, Error, EventStream, Substitution};

/// Calls the next model when a model fails before its first visible token.
///
/// [`Reply::model`](crate::Reply::model) names the answering model, [`Reply::substitution`](crate::Reply::substitution)
/// the reason of the fallback. If all models fail, the error of the first, requested model is returned. An exhausted
/// budget causes no fallback.
#[derive(Debug)]
pub(super) struct FallbackModel {
    models: Vec<Arc<dyn ChatModel>>,
}

impl FallbackModel {
    /// Calls `first`, then the others in order.
    pub(super) fn new(first: Arc<dyn ChatModel>, others: impl IntoIterator<Item = Arc<dyn ChatModel>>) -> Self {
        Self { models: std::iter::once(first).chain(others).collect() }
    }
}

impl ChatModel for FallbackModel {
    fn name(&self) -> &str {
        self.models[0].name()
    }

    fn stream<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<EventStream, Error>> {
        Box::pin(async move {
            let (wanted, left) = (self.name().to_owned(), self.models.iter().cloned().collect());
            let mut chain = FallbackChain { wanted, left, request: request.clone(), first_error: None };
            let opened = chain.open().await?;
            Ok(chain.run(opened))
        })
    }
}

/// A started answer.
struct OpenedStream {
    model: Arc<dyn ChatModel>,
    stream: EventStream,
}

/// Maximum length of an error reported with an answer, in characters.
const TOLD: usize = 300;

fn shorten(error: &str) -> String {
    let mut shown: String = error.chars().take(TOLD).collect();
    if shown.len() < error.len() {
        shown.push('…');
    }
    shown
}

/// The untried models of a call.
struct FallbackChain {
    wanted: String,
    left: VecDeque<Arc<dyn ChatModel>>,
    request: ChatRequest,
    first_error: Option<Error>,
}

impl FallbackChain {
    async fn open(&mut self) -> Result<OpenedStream, Error> {
        while let Some(model) = self.left.pop_front() {
            match model.stream(&self.request).await {
                Ok(stream) => return Ok(OpenedStream { model, stream }),
                Err(error) => self.failed(&*model, error)?,
            }
        }
        Err(self.first_error.take().expect("a chain has at least one model, and it failed"))
    }

    fn run(mut self, mut opened: OpenedStream) -> EventStream {
        let events = async_stream::try_stream! {
            let mut shown = false;
            loop {
                let error = match opened.stream.next().await {
                    Some(Ok(ChatEvent::Done(mut reply))) => {
                        opened.model.name().clone_into(&mut reply.model);
                        reply.substitution = self.substitution();
                        yield ChatEvent::Done(reply);
                        break;
                    }
                    Some(Ok(event)) => {
                        shown |= event.is_visible();
                        yield event;
                        continue;
                    }
                    Some(Err(error)) => error,
                    None if shown => break,
                    None => Error::Truncated { partial: String::new() },
                };
                if shown {
                    Err(error)?;
                    break;
                }
                self.failed(&*opened.model, error)?;
                opened = self.open().await?;
            }
        };
        events.boxed()
    }

    /// Returns the reason of the fallback, if the first model failed.
    fn substitution(&self) -> Option<Substitution> {
        let error = self.first_error.as_ref()?;
        Some(Substitution { wanted: self.wanted.clone(), error: shorten(&error.to_string()) })
    }

    fn failed(&mut self, model: &dyn ChatModel, error: Error) -> Result<(), Error> {
        if matches!(error, Error::Budget { .. }) {
            return Err(error);
        }
        tracing::warn!(model = model.name(), purpose = self.request.purpose, %error, "asking the next model");
        self.first_error.get_or_insert(error);
        Ok(())
    }
}

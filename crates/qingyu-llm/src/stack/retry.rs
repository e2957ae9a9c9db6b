//! Retries.

use std::sync::Arc;
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use futures::StreamExt;
use futures::future::BoxFuture;

use crate::{ChatEvent, ChatModel, ChatRequest, Error, EventStream, FinishReason, Reply};

/// Maximum obeyed Retry-After.
const LONGEST_ASKED: Duration = Duration::from_secs(60);

/// Settings of retries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryModel {
    /// Maximum attempts; at least 1.
    pub attempts: u32,
    /// Wait before the second attempt; doubles each time, plus up to as much again at random.
    pub first_wait: Duration,
    /// Maximum of these waits; a provider's Retry-After may be longer, up to a minute.
    pub longest_wait: Duration,
}

impl Default for RetryModel {
    fn default() -> Self {
        Self { attempts: 4, first_wait: Duration::from_secs(1), longest_wait: Duration::from_secs(20) }
    }
}

/// Retries a call on transient errors before the first visible token.
///
/// Later errors are returned: shown text cannot be retracted, and the caller may request the rest. An empty answer is
/// retried once, then returned as an [`Error::Empty`].
#[derive(Debug)]
pub struct ModelRetrySettings {
    model: Arc<dyn ChatModel>,
    retrying: RetryModel,
}

impl ModelRetrySettings {
    /// Retries calls of `model`.
    pub fn new(model: Arc<dyn ChatModel>, retrying: RetryModel) -> Self {
        Self { model, retrying }
    }
}

impl ChatModel for ModelRetrySettings {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn stream<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<EventStream, Error>> {
        Box::pin(async move {
            let mut tries = RetryAttempts::new(Arc::clone(&self.model), request.clone(), self.retrying);
            let stream = tries.open().await?;
            Ok(tries.run(stream))
        })
    }
}

/// The attempts at a call.
struct RetryAttempts {
    model: Arc<dyn ChatModel>,
    request: ChatRequest,
    waits: ExponentialBackoff,
    /// Whether an answer was already empty.
    empty: bool,
}

impl RetryAttempts {
    fn new(model: Arc<dyn ChatModel>, request: ChatRequest, retrying: RetryModel) -> Self {
        let waits = ExponentialBuilder::new()
            .with_min_delay(retrying.first_wait)
            .with_max_delay(retrying.longest_wait)
            .with_max_times(retrying.attempts.saturating_sub(1) as usize)
            .with_jitter()
            .build();
        Self { model, request, waits, empty: false }
    }

    async fn open(&mut self) -> Result<EventStream, Error> {
        loop {
            match self.model.stream(&self.request).await {
                Ok(stream) => return Ok(stream),
                Err(error) => self.wait(error).await?,
            }
        }
    }

    fn run(mut self, mut stream: EventStream) -> EventStream {
        let events = async_stream::try_stream! {
            let mut shown = false;
            loop {
                let error = match stream.next().await {
                    Some(Ok(ChatEvent::Done(reply))) if !shown && is_nothing(&reply) => {
                        Error::empty(&reply, &self.request.purpose)
                    }
                    Some(Ok(event)) => {
                        shown |= event.is_visible();
                        let done = matches!(event, ChatEvent::Done(_));
                        yield event;
                        if done {
                            break;
                        }
                        continue;
                    }
                    Some(Err(error)) => error,
                    // The caller has seen the text; a retry would repeat the text.
                    None if shown => break,
                    None => Error::Truncated { partial: String::new() },
                };
                if shown {
                    Err(error)?;
                    break;
                }
                self.wait(error).await?;
                stream = self.open().await?;
            }
        };
        events.boxed()
    }

    /// Waits until the next attempt; returns `error` if there is none.
    async fn wait(&mut self, error: Error) -> Result<(), Error> {
        let may_pass = match &error {
            Error::Empty { .. } => !std::mem::replace(&mut self.empty, true),
            error => error.is_transient(),
        };
        if !may_pass {
            return Err(error);
        }
        let Some(wait) = self.waits.next() else { return Err(error) };
        let wait = asked(&error).map_or(wait, |asked| wait.max(asked.min(LONGEST_ASKED)));
        tracing::warn!(model = self.model.name(), purpose = self.request.purpose, ?wait, %error, "retrying a request");
        tokio::time::sleep(wait).await;
        Ok(())
    }
}

/// Returns whether an answer is empty. A filtered answer has an explanation and does not count.
fn is_nothing(reply: &Reply) -> bool {
    reply.is_empty() && reply.finish != FinishReason::Filtered
}

/// Returns the wait requested by the provider.
fn asked(error: &Error) -> Option<Duration> {
    match error {
        Error::Http { retry_after, .. } => *retry_after,
        _ => None,
    }
}

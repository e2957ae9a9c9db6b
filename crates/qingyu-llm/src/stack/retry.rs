//! Trying again.

use std::sync::Arc;
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use futures::StreamExt;
use futures::future::BoxFuture;

use super::is_visible;
use crate::{ChatModel, Error, Event, EventStream, Finish, Reply, Request};

/// The longest a provider's Retry-After is obeyed.
const LONGEST_ASKED: Duration = Duration::from_secs(60);

/// How often and how patiently [`Retry`] tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retrying {
    /// Attempts in all; at least one is made.
    pub attempts: u32,
    /// The wait before the second attempt; it doubles each time, with up to as much again at random.
    pub first_wait: Duration,
    /// The longest of these waits; a provider's own wish may be longer, up to a minute.
    pub longest_wait: Duration,
}

impl Default for Retrying {
    fn default() -> Self {
        Self { attempts: 4, first_wait: Duration::from_secs(1), longest_wait: Duration::from_secs(20) }
    }
}

/// Tries a call again when it fails for a passing reason before the first visible token.
///
/// Afterwards the error is passed on: what was shown cannot be taken back, and the caller may ask for the rest. An empty
/// answer is asked for once more, then it is an [`Error::Empty`].
#[derive(Debug)]
pub struct Retry {
    model: Arc<dyn ChatModel>,
    retrying: Retrying,
}

impl Retry {
    /// Tries calls of `model` again.
    pub fn new(model: Arc<dyn ChatModel>, retrying: Retrying) -> Self {
        Self { model, retrying }
    }
}

impl ChatModel for Retry {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<EventStream, Error>> {
        Box::pin(async move {
            let mut tries = Tries::new(Arc::clone(&self.model), request.clone(), self.retrying);
            let stream = tries.open().await?;
            Ok(tries.run(stream))
        })
    }
}

/// The attempts at one call.
struct Tries {
    model: Arc<dyn ChatModel>,
    request: Request,
    waits: ExponentialBackoff,
    /// Whether an answer was empty already.
    empty: bool,
}

impl Tries {
    fn new(model: Arc<dyn ChatModel>, request: Request, retrying: Retrying) -> Self {
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
                    Some(Ok(Event::Done(reply))) if !shown && is_nothing(&reply) => {
                        Error::empty(&reply, &self.request.purpose)
                    }
                    Some(Ok(event)) => {
                        shown |= is_visible(&event);
                        let done = matches!(event, Event::Done(_));
                        yield event;
                        if done {
                            break;
                        }
                        continue;
                    }
                    Some(Err(error)) => error,
                    // Whoever has seen text knows what is there; nobody has, if this is tried again.
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

    /// Waits as long as the next attempt is to be put off; fails with `error` if there is none.
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
        tracing::warn!(model = self.model.name(), purpose = self.request.purpose, ?wait, %error, "trying again");
        tokio::time::sleep(wait).await;
        Ok(())
    }
}

/// Whether an answer is none. One that a filter ended says why it is empty.
fn is_nothing(reply: &Reply) -> bool {
    reply.is_empty() && reply.finish != Finish::Filtered
}

/// What the provider asks for.
fn asked(error: &Error) -> Option<Duration> {
    match error {
        Error::Http { retry_after, .. } => *retry_after,
        _ => None,
    }
}

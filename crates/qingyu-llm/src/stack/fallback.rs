//! Going to the next model.

use std::collections::VecDeque;
use std::sync::Arc;

use futures::StreamExt;
use futures::future::BoxFuture;

use super::is_visible;
use crate::{ChatModel, Error, Event, EventStream, Request, Substitution};

/// Asks the next model when one fails before its first visible token.
///
/// [`Reply::model`](crate::Reply::model) says which one answered, [`Reply::substitution`](crate::Reply::substitution) why
/// it was not the first. If all fail, the first one's error is returned: that
/// is the model that was wanted. A used-up budget is no reason to ask elsewhere.
#[derive(Debug)]
pub struct Fallback {
    models: Vec<Arc<dyn ChatModel>>,
}

impl Fallback {
    /// Asks `first`, then the others in their order.
    pub fn new(first: Arc<dyn ChatModel>, others: impl IntoIterator<Item = Arc<dyn ChatModel>>) -> Self {
        Self { models: std::iter::once(first).chain(others).collect() }
    }
}

impl ChatModel for Fallback {
    fn name(&self) -> &str {
        self.models[0].name()
    }

    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<EventStream, Error>> {
        Box::pin(async move {
            let (wanted, left) = (self.name().to_owned(), self.models.iter().cloned().collect());
            let mut chain = Chain { wanted, left, request: request.clone(), first_error: None };
            let opened = chain.open().await?;
            Ok(chain.run(opened))
        })
    }
}

/// An answer that has begun.
struct Opened {
    model: Arc<dyn ChatModel>,
    stream: EventStream,
}

/// How much of an error is told beside an answer, in characters.
const TOLD: usize = 300;

fn shorten(error: &str) -> String {
    let mut shown: String = error.chars().take(TOLD).collect();
    if shown.len() < error.len() {
        shown.push('…');
    }
    shown
}

/// The models one call has not tried yet.
struct Chain {
    wanted: String,
    left: VecDeque<Arc<dyn ChatModel>>,
    request: Request,
    first_error: Option<Error>,
}

impl Chain {
    async fn open(&mut self) -> Result<Opened, Error> {
        while let Some(model) = self.left.pop_front() {
            match model.stream(&self.request).await {
                Ok(stream) => return Ok(Opened { model, stream }),
                Err(error) => self.failed(&*model, error)?,
            }
        }
        Err(self.first_error.take().expect("a chain has at least one model, and it failed"))
    }

    fn run(mut self, mut opened: Opened) -> EventStream {
        let events = async_stream::try_stream! {
            let mut shown = false;
            loop {
                let error = match opened.stream.next().await {
                    Some(Ok(Event::Done(mut reply))) => {
                        opened.model.name().clone_into(&mut reply.model);
                        reply.substitution = self.substitution();
                        yield Event::Done(reply);
                        break;
                    }
                    Some(Ok(event)) => {
                        shown |= is_visible(&event);
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

    /// Why the first model does not answer, if it does not.
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

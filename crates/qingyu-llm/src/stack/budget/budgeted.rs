//! Requests on their way through a ledger.

use std::sync::Arc;

use futures::StreamExt;
use futures::future::BoxFuture;

use super::{Amount, Ledger};
use crate::{ChatModel, Error, Event, EventStream, Reply, Request, Usage};

/// Counts the requests to a model into a [`Ledger`] and refuses those over its budget.
#[derive(Debug)]
pub struct Budgeted {
    model: Arc<dyn ChatModel>,
    ledger: Arc<Ledger>,
}

impl Budgeted {
    /// Counts the calls of `model` into `ledger`.
    pub fn new(model: Arc<dyn ChatModel>, ledger: Arc<Ledger>) -> Self {
        Self { model, ledger }
    }
}

impl ChatModel for Budgeted {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<EventStream, Error>> {
        Box::pin(async move {
            let held = Held::new(Arc::clone(&self.ledger), self.name(), request).await?;
            let mut running = Running::new(held, request.clone());
            let mut stream = self.model.stream(request).await.inspect_err(|_| running.refused())?;
            let events = async_stream::stream! {
                while let Some(mut event) = stream.next().await {
                    running.saw(&mut event);
                    yield event;
                }
            };
            Ok(events.boxed())
        })
    }
}

/// What one request has set aside; released when it is over.
struct Held {
    ledger: Arc<Ledger>,
    model: String,
    amount: Amount,
}

impl Held {
    async fn new(ledger: Arc<Ledger>, model: &str, request: &Request) -> Result<Self, Error> {
        let amount = ledger.set_aside(model, request).await?;
        Ok(Self { ledger, model: model.to_owned(), amount })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.ledger.release(self.amount);
    }
}

/// A request that is sent; charged once unless it is refused, at the latest when it is given up.
struct Running {
    /// What is set aside; none once it is charged.
    held: Option<Held>,
    request: Request,
    /// The estimate of what has arrived.
    output: u64,
    reported: Usage,
    /// Whether the model itself said that it used no tokens; a provider's zeros never become an event.
    uses_none: bool,
}

impl Running {
    fn new(held: Held, request: Request) -> Self {
        Self { held: Some(held), request, output: 0, reported: Usage::default(), uses_none: false }
    }

    fn saw(&mut self, event: &mut Result<Event, Error>) {
        let Some(held) = &self.held else { return };
        match event {
            Ok(Event::Text(piece) | Event::Reasoning(piece) | Event::ToolDelta { arguments: piece, .. }) => {
                self.output += held.ledger.estimator.text(&held.model, piece);
            }
            Ok(Event::Usage(usage)) => {
                self.uses_none |= *usage == Usage::default();
                self.reported = *usage;
            }
            Ok(Event::Done(reply)) => self.done(reply),
            Err(error) if self.output == 0 && self.reported == Usage::default() && is_refusal(error) => self.refused(),
            Err(_) => self.broke(),
        }
    }

    /// Charges nothing: there was an error in the place of an answer.
    fn refused(&mut self) {
        self.held = None;
    }

    /// Charges the whole answer, and puts the estimate where the provider reported nothing.
    fn done(&mut self, reply: &mut Reply) {
        let Some(held) = self.held.take() else { return };
        if reply.model.is_empty() {
            reply.model.clone_from(&held.model);
        }
        if reply.replayed {
            return;
        }
        self.reported = reply.usage;
        if !reply.usage.estimated {
            held.ledger.estimator.learn(&reply.model, &self.request, reply.usage.input);
        }
        reply.usage = self.usage(&held.ledger, &reply.model, Length::Whole);
        held.ledger.charge(&self.request, &reply.model, reply.usage);
    }

    /// Charges what has arrived.
    fn broke(&mut self) {
        if let Some(held) = self.held.take() {
            let usage = self.usage(&held.ledger, &held.model, Length::Part);
            held.ledger.charge(&self.request, &held.model, usage);
        }
    }

    /// What was reported; an estimate where nothing was, or less than has arrived of an answer that broke off.
    fn usage(&self, ledger: &Ledger, model: &str, length: Length) -> Usage {
        let Usage { input, cached, written, output, estimated } = self.reported;
        if self.uses_none && self.reported == Usage::default() && ledger.is_without_tokens(model) {
            return self.reported;
        }
        let counted_input = if input > 0 { input } else { ledger.estimator.request(model, &self.request) };
        let counted_output = match length {
            Length::Whole if output > 0 => output,
            Length::Whole | Length::Part => output.max(self.output),
        };
        let estimated = estimated || (counted_input, counted_output) != (input, output);
        Usage { input: counted_input, cached, written, output: counted_output, estimated }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.broke();
    }
}

/// How much of an answer there is.
#[derive(Clone, Copy)]
enum Length {
    Whole,
    Part,
}

/// Whether a provider gave this in the place of an answer.
fn is_refusal(error: &Error) -> bool {
    matches!(
        error,
        Error::Http { .. }
            | Error::Provider { .. }
            | Error::PromptTooLong { .. }
            | Error::NoCredit { .. }
            | Error::BadKey { .. }
            | Error::BadAddress { .. }
            | Error::NoSuchModel { .. }
            | Error::Filtered { .. }
    )
}

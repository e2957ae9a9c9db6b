//! Charging of requests to a ledger.

use std::sync::Arc;

use futures::StreamExt;
use futures::future::BoxFuture;

use super::ledger::{BudgetLedger, TokensAndMoney};
use crate::{ChatEvent, ChatModel, ChatRequest, Error, EventStream, Reply, Usage};

/// Charges the requests of a model to a [`BudgetLedger`] and refuses requests over its budget.
#[derive(Debug)]
pub(in crate::stack) struct BudgetedModel {
    model: Arc<dyn ChatModel>,
    ledger: Arc<BudgetLedger>,
}

impl BudgetedModel {
    /// Charges the calls of `model` to `ledger`.
    pub(in crate::stack) fn new(model: Arc<dyn ChatModel>, ledger: Arc<BudgetLedger>) -> Self {
        Self { model, ledger }
    }
}

impl ChatModel for BudgetedModel {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn stream<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<EventStream, Error>> {
        Box::pin(async move {
            let held = Reservation::new(Arc::clone(&self.ledger), self.name(), request).await?;
            let mut running = ChargedRequest::new(held, request.clone());
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

/// The reserved amount of a request; released on drop.
struct Reservation {
    ledger: Arc<BudgetLedger>,
    model: String,
    amount: TokensAndMoney,
}

impl Reservation {
    async fn new(ledger: Arc<BudgetLedger>, model: &str, request: &ChatRequest) -> Result<Self, Error> {
        let amount = ledger.set_aside(model, request).await?;
        Ok(Self { ledger, model: model.to_owned(), amount })
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.ledger.release(self.amount);
    }
}

/// A sent request; charged once unless refused, on drop at the latest.
struct ChargedRequest {
    /// The reservation; `None` once charged.
    held: Option<Reservation>,
    request: ChatRequest,
    /// Estimated tokens received so far.
    output: u64,
    reported: Usage,
    /// Whether the model itself reported zero tokens; a provider's zeros never become an event.
    uses_none: bool,
}

impl ChargedRequest {
    fn new(held: Reservation, request: ChatRequest) -> Self {
        Self { held: Some(held), request, output: 0, reported: Usage::default(), uses_none: false }
    }

    fn saw(&mut self, event: &mut Result<ChatEvent, Error>) {
        let Some(held) = &self.held else { return };
        match event {
            Ok(
                ChatEvent::Text(piece) | ChatEvent::Reasoning(piece) | ChatEvent::ToolDelta { arguments: piece, .. },
            ) => {
                self.output += held.ledger.estimator.text(&held.model, piece);
            }
            Ok(ChatEvent::Usage(usage)) => {
                self.uses_none |= *usage == Usage::default();
                self.reported = *usage;
            }
            Ok(ChatEvent::Done(reply)) => self.done(reply),
            Err(error) if self.output == 0 && self.reported == Usage::default() && is_refusal(error) => self.refused(),
            Err(_) => self.broke(),
        }
    }

    /// Releases the reservation without a charge: an error was returned instead of an answer.
    fn refused(&mut self) {
        self.held = None;
    }

    /// Charges the complete answer, with the estimate inserted where the provider reported nothing.
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
        reply.usage = self.usage(&held.ledger, &reply.model, ReplyExtent::Whole);
        held.ledger.charge(&self.request, &reply.model, reply.usage);
    }

    /// Charges the received part.
    fn broke(&mut self) {
        if let Some(held) = self.held.take() {
            let usage = self.usage(&held.ledger, &held.model, ReplyExtent::Part);
            held.ledger.charge(&self.request, &held.model, usage);
        }
    }

    /// Returns the reported usage; the estimate if nothing was reported, or less than was received of an interrupted
    /// answer.
    fn usage(&self, ledger: &BudgetLedger, model: &str, length: ReplyExtent) -> Usage {
        let Usage { input, cached, written, output, estimated } = self.reported;
        if self.uses_none && self.reported == Usage::default() && ledger.is_without_tokens(model) {
            return self.reported;
        }
        let counted_input = if input > 0 { input } else { ledger.estimator.request(model, &self.request) };
        let counted_output = match length {
            ReplyExtent::Whole if output > 0 => output,
            ReplyExtent::Whole | ReplyExtent::Part => output.max(self.output),
        };
        let estimated = estimated || (counted_input, counted_output) != (input, output);
        Usage { input: counted_input, cached, written, output: counted_output, estimated }
    }
}

impl Drop for ChargedRequest {
    fn drop(&mut self) {
        self.broke();
    }
}

/// The extent of an answer.
#[derive(Clone, Copy)]
enum ReplyExtent {
    Whole,
    Part,
}

/// Returns whether a provider returned `error` instead of an answer.
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

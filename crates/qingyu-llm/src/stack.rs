//! Layers around a model, each a [`ChatModel`] itself.
//!
//! From outside in: the cassette records whole answers; the fallback goes to the next model; and for each model its
//! breaker leaves it alone after repeated failures, retries wait and try again, the rate limit holds back every single
//! request, and the ledger stops what would go over the budget and books what is sent. The rate limit is within the retries
//! because a provider counts these too, and per model because its quota is; the ledger is innermost because every request
//! that is sent is paid for, whatever comes of its answer.
//!
//! ```
//! use std::sync::Arc;
//! use qingyu_llm::stack::{Breaking, Budget, Ledger, Retrying, Stack};
//! use qingyu_llm::{ChatModel, Prices};
//!
//! fn assemble(main: Arc<dyn ChatModel>, spare: Arc<dyn ChatModel>) -> Arc<dyn ChatModel> {
//!     let ledger = Arc::new(Ledger::new(Budget { tokens: Some(500_000), money: None }, Prices::built_in()));
//!     let spare = Stack::new(spare).budget(Arc::clone(&ledger)).retry(Retrying::default()).build();
//!     Stack::new(main)
//!         .budget(ledger)
//!         .retry(Retrying::default())
//!         .breaker(Breaking::default())
//!         .fallback([spare])
//!         .build()
//! }
//! ```

mod breaker;
mod budget;
mod effort;
mod fallback;
mod rate;
mod replay;
mod retry;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::cassette::Recorder;
use crate::{ChatModel, Event};

pub use breaker::{Breaker, Breaking};
pub use budget::{Bookkeeper, Budget, Budgeted, Charge, Day, Elsewhere, FreeModels, Ledger, Overdraft, Scope, Spent};
pub use effort::Efforts;
pub use fallback::Fallback;
pub use rate::{Rate, RateLimited};
pub use replay::{Fresh, Recorded, ReplayLog, Replayed, ReplayedCall, Reuse};
pub use retry::{Retry, Retrying};

/// Puts layers around one model in the order of the [module](self).
#[derive(Debug)]
pub struct Stack {
    model: Arc<dyn ChatModel>,
    rate: Option<Rate>,
    retry: Option<Retrying>,
    breaker: Option<Breaking>,
    fallbacks: Vec<Arc<dyn ChatModel>>,
    ledger: Option<Arc<Ledger>>,
    recorder: Option<Arc<Recorder>>,
}

impl Stack {
    /// A model without layers.
    pub fn new(model: Arc<dyn ChatModel>) -> Self {
        Self { model, rate: None, retry: None, breaker: None, fallbacks: Vec::new(), ledger: None, recorder: None }
    }

    /// Holds requests back to a rate.
    #[must_use]
    pub fn rate(self, rate: Rate) -> Self {
        Self { rate: Some(rate), ..self }
    }

    /// Tries again before the first visible token.
    #[must_use]
    pub fn retry(self, retrying: Retrying) -> Self {
        Self { retry: Some(retrying), ..self }
    }

    /// Leaves the model alone after repeated failures.
    #[must_use]
    pub fn breaker(self, breaking: Breaking) -> Self {
        Self { breaker: Some(breaking), ..self }
    }

    /// Goes to these models, each with layers of its own, when this one fails.
    #[must_use]
    pub fn fallback(self, fallbacks: impl IntoIterator<Item = Arc<dyn ChatModel>>) -> Self {
        Self { fallbacks: fallbacks.into_iter().collect(), ..self }
    }

    /// Counts every request into `ledger` and obeys its budget.
    #[must_use]
    pub fn budget(self, ledger: Arc<Ledger>) -> Self {
        Self { ledger: Some(ledger), ..self }
    }

    /// Records every answer.
    #[must_use]
    pub fn record(self, recorder: Arc<Recorder>) -> Self {
        Self { recorder: Some(recorder), ..self }
    }

    /// The model in its layers.
    pub fn build(self) -> Arc<dyn ChatModel> {
        let mut model = self.model;
        if let Some(ledger) = self.ledger {
            model = Arc::new(Budgeted::new(model, ledger));
        }
        if let Some(rate) = self.rate {
            model = Arc::new(RateLimited::new(model, rate));
        }
        if let Some(retrying) = self.retry {
            model = Arc::new(Retry::new(model, retrying));
        }
        if let Some(breaking) = self.breaker {
            model = Arc::new(Breaker::new(model, breaking));
        }
        if !self.fallbacks.is_empty() {
            model = Arc::new(Fallback::new(model, self.fallbacks));
        }
        if let Some(recorder) = self.recorder {
            model = Arc::new(Recorded::new(model, recorder));
        }
        model
    }
}

/// Whether an event shows a part of the answer, so that the answer cannot be begun again unseen.
///
/// Thinking does not count: it is shown while it lasts and is no part of what is kept.
fn is_visible(event: &Event) -> bool {
    match event {
        Event::Text(text) => !text.trim().is_empty(),
        Event::ToolDelta { .. } | Event::Done(_) => true,
        Event::Reasoning(_) | Event::Usage(_) => false,
    }
}

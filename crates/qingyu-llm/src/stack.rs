//! Layers around a model, each a [`ChatModel`] itself.
//!
//! From outside in: the cassette records complete answers; the fallback switches to the next model; for each model, the
//! breaker refuses calls after repeated failures, the retry layer waits and retries, the rate limit delays every
//! request, and the ledger refuses requests over the budget and registers sent requests. The rate limit is inside the
//! retry layer because providers count retries too, and per model because quotas are per model; the ledger is innermost
//! because every sent request is paid for, whatever the result.
//!
//! ```
//! use std::sync::Arc;
//! use qingyu_llm::stack::{BreakerSettings, SpendingBudget, BudgetLedger, RetryModel, Stack};
//! use qingyu_llm::{ChatModel, Prices};
//!
//! fn assemble(main: Arc<dyn ChatModel>, spare: Arc<dyn ChatModel>) -> Arc<dyn ChatModel> {
//!     let ledger = Arc::new(BudgetLedger::new(SpendingBudget { tokens: Some(500_000), money: None }, Prices::built_in()));
//!     let spare = Stack::new(spare).budget(Arc::clone(&ledger)).retry(RetryModel::default()).build();
//!     Stack::new(main)
//!         .budget(ledger)
//!         .retry(RetryModel::default())
//!         .breaker(BreakerSettings::default())
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

use crate::ChatModel;
use crate::cassette::Recorder;
use breaker::Breaker;
use budget::BudgetedModel;
use fallback::FallbackModel;
use rate::RateLimitedModel;

pub use breaker::BreakerSettings;
pub use budget::{
    Bookkeeper, BudgetLedger, Charge, DailyBudget, FreeModels, ModelSpending, Overdraft, Scope, SpendingBudget,
    SpendingSource,
};
pub use effort::EffortModel;
pub use rate::RateLimit;
pub use replay::{Fresh, Recorded, ReplayLog, Replayed, ReplayedCall, Reuse};
pub use retry::{ModelRetrySettings, RetryModel};

/// A builder of the layers around a model, in the order of the [module](self).
#[derive(Debug)]
pub struct Stack {
    model: Arc<dyn ChatModel>,
    rate: Option<RateLimit>,
    retry: Option<RetryModel>,
    breaker: Option<BreakerSettings>,
    fallbacks: Vec<Arc<dyn ChatModel>>,
    ledger: Option<Arc<BudgetLedger>>,
    recorder: Option<Arc<Recorder>>,
}

impl Stack {
    /// Returns a stack without layers.
    pub fn new(model: Arc<dyn ChatModel>) -> Self {
        Self { model, rate: None, retry: None, breaker: None, fallbacks: Vec::new(), ledger: None, recorder: None }
    }

    /// Adds a rate limit.
    #[must_use]
    pub fn rate(self, rate: RateLimit) -> Self {
        Self { rate: Some(rate), ..self }
    }

    /// Adds retries before the first visible token.
    #[must_use]
    pub fn retry(self, retrying: RetryModel) -> Self {
        Self { retry: Some(retrying), ..self }
    }

    /// Adds a circuit breaker for repeated failures.
    #[must_use]
    pub fn breaker(self, breaking: BreakerSettings) -> Self {
        Self { breaker: Some(breaking), ..self }
    }

    /// Adds fallback models, each with layers of its own.
    #[must_use]
    pub fn fallback(self, fallbacks: impl IntoIterator<Item = Arc<dyn ChatModel>>) -> Self {
        Self { fallbacks: fallbacks.into_iter().collect(), ..self }
    }

    /// Charges every request to `ledger` and enforces its budget.
    #[must_use]
    pub fn budget(self, ledger: Arc<BudgetLedger>) -> Self {
        Self { ledger: Some(ledger), ..self }
    }

    /// Records every answer with `recorder`.
    #[must_use]
    pub fn record(self, recorder: Arc<Recorder>) -> Self {
        Self { recorder: Some(recorder), ..self }
    }

    /// Returns the model with its layers.
    pub fn build(self) -> Arc<dyn ChatModel> {
        let mut model = self.model;
        if let Some(ledger) = self.ledger {
            model = Arc::new(BudgetedModel::new(model, ledger));
        }
        if let Some(rate) = self.rate {
            model = Arc::new(RateLimitedModel::new(model, rate));
        }
        if let Some(retrying) = self.retry {
            model = Arc::new(ModelRetrySettings::new(model, retrying));
        }
        if let Some(breaking) = self.breaker {
            model = Arc::new(Breaker::new(model, breaking));
        }
        if !self.fallbacks.is_empty() {
            model = Arc::new(FallbackModel::new(model, self.fallbacks));
        }
        if let Some(recorder) = self.recorder {
            model = Arc::new(Recorded::new(model, recorder));
        }
        model
    }
}

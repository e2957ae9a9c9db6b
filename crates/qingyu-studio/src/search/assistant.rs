//! The model answering questions about a project.

use std::sync::Arc;

use qingyu_agents::assistant::StoryAssistant;
use qingyu_llm::stack::{BudgetLedger, SpendingBudget, Stack};
use qingyu_llm::{ModelRoutes, Prices};

use crate::error::Error;
use crate::runs::setup::RunSetup;
use crate::spending::calls::{ChargeSender, Charges, Pricing};
use crate::spending::ledger::ChargeBooker;
use crate::studio::Studio;

impl Studio {
    /// Returns the assistant, and the recorder of its charges.
    pub(super) async fn assistant(&self, project: &str) -> Result<(StoryAssistant, ChargeBooker), Error> {
        let effective = self.settings().effective(Some(project))?;
        let RunSetup { models, prompts, answer_tokens, pricing, charges, .. } = self.set_up(&effective, None).await?;
        let (models, charges) = match self.given_models() {
            Some(_) => counted(&models, &pricing),
            None => (models, charges),
        };
        let books = ChargeBooker::open(self.runs_table().clone(), project.to_owned(), pricing, charges);
        Ok((StoryAssistant { models, prompts, answer_tokens }, books))
    }

    pub(super) fn failed(&self, error: &qingyu_agents::Error) -> Error {
        let message = error.to_string();
        self.place("").known(error).unwrap_or(Error::Internal { message })
    }
}

/// Wraps unmetered models in a ledger; returns the models and the channel of their charges.
fn counted(models: &ModelRoutes, pricing: &Pricing) -> (ModelRoutes, Charges) {
    let (bookkeeper, charges) = ChargeSender::new();
    let ledger = BudgetLedger::new(SpendingBudget::default(), Prices::clone(&pricing.0)).with_bookkeeper(bookkeeper);
    let ledger = Arc::new(ledger);
    let models = models.wrapped(|model| Stack::new(Arc::clone(model)).budget(Arc::clone(&ledger)).build());
    (models, charges)
}

//! Ledgers of runs, and the recording of charges outside runs.

use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use qingyu_llm::Prices;
use qingyu_llm::stack::{BudgetLedger, DailyBudget, ModelSpending, Scope as Whose, SpendingSource};
use qingyu_store::{Runs, SpendingQuery};
use tokio::task::JoinHandle;

use crate::error::Error;
use crate::models::roster::ModelRoster;
use crate::spending::account::OtherSpending;
use crate::spending::account::today;
use crate::spending::calls;
use crate::spending::calls::{Charges, Pricing, TokenCount};
use crate::spending::key::{BillableWork, KeySpending};
use crate::studio::Studio;

/// The task recording charges outside runs, even if the caller stops waiting for the answer.
pub(crate) struct ChargeBooker(JoinHandle<()>);

impl ChargeBooker {
    /// Records the `charges` of a project until all senders are dropped.
    pub(crate) fn open(runs: Runs, project: String, pricing: Pricing, mut charges: Charges) -> Self {
        Self(tokio::spawn(async move {
            while let Some(charge) = charges.recv().await {
                let call = pricing.charged(charge);
                // The offline model uses no tokens.
                if call.input + call.output == 0 {
                    continue;
                }
                // The answer exists; a failure to record its price must not discard the answer.
                if let Err(error) = runs.record_outside(Some(&project), call, Timestamp::now()).await {
                    tracing::error!(%error, "failed to book a charge");
                }
            }
        }))
    }

    /// Drops `charged` and waits until all its charges are recorded.
    pub(crate) async fn close<T>(self, charged: T) {
        drop(charged);
        if let Err(error) = self.0.await {
            tracing::error!(%error, "failed to book charges");
        }
    }
}

impl Studio {
    /// Returns the ledger of a run, including earlier spending of a resumed run.
    pub(crate) async fn ledger(
        &self,
        roster: &ModelRoster<'_>,
        prices: Prices,
        run: Option<&str>,
    ) -> Result<(BudgetLedger, Arc<OtherSpending>), Error> {
        self.refuse_over_limits(BillableWork::Call).await?;
        let bad = |error| self.place(run.unwrap_or_default()).store(error);
        let runs = self.runs_table();
        let count = TokenCount { prices: prices.clone(), free_models: roster.free_models() };
        let account = Arc::new(OtherSpending { runs: runs.clone(), count: count.clone(), run: OnceLock::new() });
        let (mut before, mut before_today) = (ModelSpending::default(), ModelSpending::default());
        if let Some(run) = run {
            account.belongs_to(run);
            let of_run = SpendingQuery { run: Some(run.to_owned()), paid: true, ..SpendingQuery::default() };
            before = calls::spent(&runs.spending(of_run).await.map_err(bad)?, &count);
            let of_today = SpendingQuery { run: Some(run.to_owned()), ..today() };
            before_today = calls::spent(&runs.spending(of_today).await.map_err(bad)?, &count);
        }
        let mut ledger = BudgetLedger::resumed(roster.budget(), prices, before).with_free_models(count.free_models);
        if let Some(budget) = self.scope().day_budget() {
            // A resumed run counts towards the current key, whichever key started the run.
            let elsewhere: Arc<dyn SpendingSource> = Arc::new(KeySpending::new(self, account.clone()));
            ledger =
                ledger.with_day(DailyBudget { scope: Whose::Key, budget, before: before_today.clone(), elsewhere });
        }
        if let Some(budget) = roster.day_budget() {
            let elsewhere: Arc<dyn SpendingSource> = account.clone();
            ledger = ledger.with_day(DailyBudget { scope: Whose::Day, budget, before: before_today, elsewhere });
        }
        Ok((ledger, account))
    }
}

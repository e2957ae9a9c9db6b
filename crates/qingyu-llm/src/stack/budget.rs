//! Accounting and limits of a run's spending.

mod budgeted;
mod ledger;
mod overdraft;

pub(super) use budgeted::BudgetedModel;
pub use ledger::{
    Bookkeeper, BudgetLedger, Charge, DailyBudget, FreeModels, ModelSpending, SpendingBudget, SpendingSource,
};
pub use overdraft::{Overdraft, Scope};

//! Spending: for the budgets of runs, keys and days, for reports, and estimated in advance.
//!
//! Modules, lowest first: `usage`, `calls`; `account` and `key`, the spending outside a run; `ledger`; `report`, `forecast`
//! and `estimate`.

pub(crate) mod account;
pub(crate) mod calls;
pub(crate) mod estimate;
pub(crate) mod forecast;
pub(crate) mod key;
pub(crate) mod ledger;
pub(crate) mod report;
pub(crate) mod usage;

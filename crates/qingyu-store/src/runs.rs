//! Runs: their state, event log and paid calls.
//!
//! `row`, `calls` and `events` read and write rows; `repository` imports them, `accounting` and `list` import all of
//! these.

mod accounting;
mod calls;
mod events;
mod list;
mod repository;
mod row;

pub use calls::{AgentUsage, Call, ChargeKey};
pub use events::LoggedEvent;
pub use list::{ListedRun, RunQuery, Standing};
pub use repository::{NewRun, Runs};
pub use row::{Run, RunStatus};

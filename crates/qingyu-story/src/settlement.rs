//! Settling a chapter: what its prose says becomes facts, events, promises and cards of the story.
//!
//! - [`extraction`]: what a chapter says, as a model or the rules report it
//! - [`settle`]: puts it into the story; [`withdraw`]: takes it back; a [`Settled`] record travels with the document
//! - `reconcile`: what of it is new; `cast`: who is meant; `quotes`: where it says so; `time_of`: when it holds
//! - `apply`, `references`, `work`: the steps that are done, as one change

mod apply;
mod cast;
pub mod extraction;
mod outcome;
mod passing;
mod quotes;
mod reconcile;
mod record;
mod references;
mod settle;
mod time_of;
mod work;

pub use cast::Candidate;
pub use extraction::Extraction;
pub use outcome::{Config, Doubt, Kept, Question, Reason, Rejected, Settlement, Stays, Told};
pub(crate) use record::kept_up;
pub use record::{Added, Gone, Made, Retold, Settled, digest};
pub use settle::{Withdrawal, settle, withdraw};

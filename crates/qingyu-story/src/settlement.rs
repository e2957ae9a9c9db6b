//! Settling a chapter: what its prose says becomes facts, events, promises and cards of the story.
//!
//! - [`extraction`]: what a chapter says, as a model or the rules report it
//! - [`settle`]: puts it into the story; [`withdraw`]: takes it back; a [`Settled`] record travels with the document
//! - `reconcile`: what of it is new; `cast`: who is meant; `quotes`: where it says so; `time_of`: when it holds
//! - [`follow`]: what an edit by hand means for it; [`rebuild`]: all chapters again
//! - [`recall`]: what is on record of a chapter, as a reading of it
//! - [`extract`], [`extract_with`]: what can be read without a model; [`check_extraction`]: where a model's reading disagrees with that
//! - `standing`: what an earlier reading told and the text still says
//! - `apply`, `references`, `work`: the steps that are done, as one change

mod apply;
mod cast;
mod compare;
pub mod extraction;
mod follow;
mod outcome;
mod passing;
mod quotes;
mod rebuild;
mod recall;
mod reconcile;
mod record;
mod references;
mod rules;
mod settle;
mod standing;
mod time_of;
mod work;

pub use cast::Candidate;
pub use compare::{Disagreement, check_extraction, complete};
pub use extraction::Extraction;
pub use follow::{Following, follow, follow_all};
pub use outcome::{Config, Doubt, Kept, Question, Reason, Rejected, Settlement, Stays, Told};
pub use rebuild::{Difference, Rebuilt, rebuild};
pub use recall::recall;
pub(crate) use record::kept_up;
pub use record::{Added, Differs, Gone, Made, Retold, Settled, digest};
pub use rules::{extract, extract_with};
pub use settle::{Withdrawal, settle, withdraw};

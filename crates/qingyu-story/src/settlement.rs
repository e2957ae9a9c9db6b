//! Settlement of a chapter: its prose is converted into facts, events, promises and cards of the story.
//!
//! - [`extraction`]: a chapter's statements, as reported by a model or by the rules
//! - [`settle`]: inserts an extraction into the story; [`withdraw`]: removes its pieces; a [`Settled`] record is stored
//!   in the document
//! - `reconcile`: detection of new statements; `cast`: name resolution; `quotes`: positions in the text; `time_of`:
//!   validity periods, and times that are told from the day of the chapter
//! - [`follow`]: updates after an edit by hand; [`rebuild`]: settlement of all chapters again
//! - [`recall`]: returns the record of a chapter as an extraction
//! - [`told_events`]: planned events as the texts tell them, where the two differ; `still_told`: whether an edited text still
//!   does; `told_place`: whether a told place is certainly another one than the planned place
//! - [`extract`]: extraction without a model; [`BookReader`]: of consecutive chapters; [`complete`]: a model's extraction
//!   with what the rules find
//! - `told_days`: the times of the events told so far, for times of `that evening`; `memory_days`: the days of memories, for
//!   their weekdays; `told_aloud`: weekdays of which somebody speaks
//! - `standing`: statements of an earlier reading still in the text
//! - `remaining`, `changed_sentence`, `changed_words`, `likely_words`, `requote`: what is left of a quote after an edit;
//!   `word_roles`: words that may change; `extent`: parts of a text as long as a quote; `edited_text`: the part
//!   of a text that an edit changed
//! - `named_cards`: cards named by the text
//! - `ahead`: plans told as if they happened
//! - `fact_index`: facts by subject and predicate; `names_cache`: the index of names, both kept from chapter to chapter
//! - `likeness`: one event or promise under two names; `heads`: one thing or place under two names
//! - [`likely_items`]: items that a text may speak of in other words
//! - [`outdated`]: the pieces whose date an edit has taken out; `changed_counts`: counts that it gives otherwise, and where the
//!   old one still stands
//! - [`withdrawn`]: the pieces that a new text no longer tells, with their sentences
//! - [`mark_unsupported`]: sentences of later texts that rest on words taken out of an earlier one
//! - `apply`, `references`, `work`: the resulting steps, as one change

mod ahead;
mod apply;
mod cast;
mod changed_counts;
mod changed_sentence;
mod changed_words;
mod compare;
mod date_words;
mod differing;
mod digest;
mod edited_text;
mod extent;
pub mod extraction;
mod fact_index;
mod follow;
mod heads;
mod likely_words;
mod likeness;
mod memory_days;
mod named_cards;
mod names_cache;
mod outcome;
mod outdated;
mod passing;
mod quotes;
mod reader;
mod rebuild;
mod recall;
mod reconcile;
mod record;
mod references;
mod remaining;
mod reported;
mod requote;
mod rules;
mod settle;
mod standing;
mod still_told;
mod time_of;
mod told_aloud;
mod told_back;
mod told_days;
mod told_place;
mod unsupported;
mod upkeep;
mod withdrawn;
mod word_roles;
mod work;

pub use cast::Candidate;
pub use compare::complete;
pub(crate) use differing::told_otherwise;
pub use differing::{as_described, as_told, open_differences, told_description, told_events};
pub use digest::digest;
pub use extraction::Extraction;
pub use follow::{EditReport, follow, follow_all};
pub use heads::likely_items;
pub use outcome::{Config, Doubt, Kept, Question, Reason, Rejected, Settlement, Stays, Told};
pub use outdated::outdated;
pub use reader::BookReader;
pub use rebuild::{RebuildOutcome, StoryDifference, rebuild};
pub use recall::recall;
pub use record::{Added, Differs, Made, Retold, Revealed, Settled, ToldHere};
pub use rules::extract;
pub(crate) use rules::{Presence, PresenceText};
pub use settle::{settle, withdraw};
pub use unsupported::{UnsupportedPassage, mark_unsupported};
pub(crate) use upkeep::kept_up;
pub use withdrawn::{WithdrawnPiece, withdrawn};

//! Edits of single pieces, as plain commands with logging and undo.
//!
//! - [`Edit`]: creates, updates or deletes one piece; executed by [`apply`]
//! - [`AppliedEdit`]: the effect of an edit, with before and after; reverted by [`AppliedEdit::inverse`]
//! - [`from_instruction`]: parses the parameters of a correction instruction into an edit
//! - [`incremental`]: the guard restricting an agent's answer to the changes named by its instructions
//!
//! From bottom to top: `error` and `command`; `change` and `replacement`; `locate`, `lists` and `renaming`; [`apply`];
//! `instruction`, `scope` and `matching`; [`incremental`].

mod apply;
mod blank;
mod change;
mod command;
mod error;
mod incremental;
mod instruction;
mod lists;
mod locate;
mod matching;
mod renaming;
mod replacement;
mod scope;
#[cfg(test)]
mod tests;

pub use apply::apply;
pub use blank::is_blank;
pub use change::{AppliedEdit, EditStep};
pub use command::{Edit, EditTarget};
pub use error::Error;
pub use incremental::{Outcome, RefusedChange, incremental};
pub use instruction::{changed_fields, from_instruction, is_plain_update};
pub use replacement::{Replacement, replace};

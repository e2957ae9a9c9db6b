//! Readable mirrors: a folder of Markdown for each book, kept up to date, and edits made there read back.
//!
//! Modules, lowest first: `folder` (the files), `git` (their history), `mirror` (the operations), `keeper` (after each save).

mod folder;
mod git;
mod keeper;
pub(crate) mod mirror;

pub use git::MirrorCommit;
pub use mirror::{MirrorConflict, MirrorEdit, MirrorReading, MirrorRefusal, MirrorRefusalReason, MirrorUpdate};

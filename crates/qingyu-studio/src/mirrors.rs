//! Readable mirrors: a folder of Markdown for each book, kept up to date, and edits made there read back.
//!
//! Modules, lowest first: `folder` (the files), `git` (their history), `mirror` (writing), `reading` (edits of chapters) and
//! `cards` (edits of cards), `status` (state and switches), `keeper` (after each save).

mod cards;
mod folder;
mod git;
mod keeper;
pub(crate) mod mirror;
pub(crate) mod reading;
pub(crate) mod status;

pub use git::MirrorCommit;
pub use mirror::MirrorUpdate;
pub use reading::{MirrorCardEdit, MirrorConflict, MirrorEdit, MirrorReading, MirrorRefusal, MirrorRefusalReason};
pub use status::{MirrorReadingRecord, MirrorRun, MirrorStatus, MirrorUpdateRecord};

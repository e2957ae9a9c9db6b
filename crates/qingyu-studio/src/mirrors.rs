//! Readable mirrors: a folder of Markdown for each book, kept up to date, and edits made there read back.
//!
//! Modules, lowest first: `outcome` (types), `folder` (the files), `git` (their history), `mirror` (writing), `reading`
//! (edits of chapters) and `cards` (edits of cards), `status` (state and switches), `keeper` (after each save).

mod cards;
mod folder;
mod git;
mod keeper;
mod mirror;
mod outcome;
mod reading;
mod status;

pub use outcome::{
    MirrorCardEdit, MirrorCommit, MirrorConflict, MirrorEdit, MirrorReading, MirrorRefusal, MirrorRefusalReason,
    MirrorUpdate,
};
pub use status::{MirrorRun, MirrorStatus};

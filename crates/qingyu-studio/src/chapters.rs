//! Chapters: listing and editing, texts and their versions, reconciliation with the story, export as a book.
//!
//! Modules, lowest first: `names`, `compare`, `removed`; `list`, `edit`, `comments`, `reconcile`, `versions`, `book`.

pub(crate) mod book;
pub(crate) mod comments;
pub(crate) mod compare;
pub(crate) mod edit;
pub(crate) mod list;
pub(crate) mod names;
pub(crate) mod reconcile;
pub(crate) mod removed;
pub(crate) mod versions;

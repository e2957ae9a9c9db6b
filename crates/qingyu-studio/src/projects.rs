//! Projects: the shelf with archive and bin, covers, branches, the guide, the sample books.
//!
//! Modules, lowest first: `row`, `draft`; `find`; `list`, `view`, `cover`, `shelf`; `branches`, `guide`, `samples`.

pub(crate) mod branches;
pub(crate) mod cover;
pub(crate) mod draft;
pub(crate) mod find;
pub(crate) mod guide;
pub(crate) mod list;
pub(crate) mod row;
pub(crate) mod samples;
pub(crate) mod shelf;
pub(crate) mod view;

//! Projects: the shelf with archive and bin, pictures, branches, the guide, the sample books.
//!
//! Modules, lowest first: `row`, `draft`; `find`; `list`, `view`, `pictures`, `shelf`; `branches`, `guide`, `samples`.

pub(crate) mod branches;
pub(crate) mod draft;
pub(crate) mod find;
pub(crate) mod guide;
pub(crate) mod list;
pub(crate) mod pictures;
pub(crate) mod row;
pub(crate) mod samples;
pub(crate) mod shelf;
pub(crate) mod view;

//! Stories: import, checks, fixes, facts and history of a project's story.
//!
//! Modules, lowest first: `ends`, `saved`; `rules`, `genres`, `series`; `changes`, `import`, `check`, `facts`.

pub(crate) mod changes;
pub(crate) mod check;
pub(crate) mod ends;
pub(crate) mod facts;
pub(crate) mod genres;
pub(crate) mod import;
pub(crate) mod rules;
pub(crate) mod saved;
pub(crate) mod series;

//! Analysis and review of texts without a model: a file, a chapter, a whole project.
//!
//! Modules, lowest first: `examiner`; `lists`; `reviews`; `progress`.

pub(crate) mod examiner;
pub(crate) mod lists;
pub(crate) mod progress;
pub(crate) mod reviews;

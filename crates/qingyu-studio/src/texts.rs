//! Analysis and review of texts without a model: a file, a chapter, a whole project; references taken apart.
//!
//! Modules, lowest first: `examiner`; `lists`; `reviews`; `progress`, `teardown`.

pub(crate) mod examiner;
pub(crate) mod lists;
pub(crate) mod progress;
pub(crate) mod reviews;
pub(crate) mod teardown;

//! Projects: creation, lookup, renaming, archive, bin and deletion.
//!
//! `row` reads and writes the rows of projects; `repository` imports it, `cover`, `series` and `deletion` import both.

mod cover;
mod deletion;
mod repository;
mod row;
mod series;

pub use cover::Cover;
pub(crate) use deletion::delete;
pub use repository::Projects;
pub use row::{Project, ProjectBranch, ProjectDraft, ProjectStatus};
pub(crate) use row::{get, insert, to_write};
pub use series::EarlierProject;

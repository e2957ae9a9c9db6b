//! Projects: creation, lookup, renaming, archive, bin and deletion.
//!
//! `row` reads and writes the rows of projects; `repository` imports it, `picture`, `schedule`, `series` and `deletion`
//! import both.

mod deletion;
mod picture;
mod repository;
mod row;
mod schedule;
mod series;

pub(crate) use deletion::delete;
pub use picture::{CardPictureRow, Picture, PicturePlace};
pub(crate) use picture::{add_card_pictures, copy_card_pictures};
pub use repository::Projects;
pub use row::{Project, ProjectBranch, ProjectDraft, ProjectStatus};
pub(crate) use row::{get, insert, to_write};
pub use schedule::{ProductionSchedule, ScheduledProject, ScheduledTurn};
pub use series::EarlierProject;

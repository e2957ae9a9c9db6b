//! Properties of edits, the guard and the checker over random stories.

mod arbitrary;
mod checker;
mod format;
mod guard;
mod incremental;
mod prose;
mod undo;

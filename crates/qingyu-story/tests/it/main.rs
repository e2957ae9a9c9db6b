//! Properties of edits, the guard and the checker over random stories.

mod arbitrary;
mod checker;
mod guard;
mod prose;
mod undo;

//! Properties of edits, the guard and the checker over random stories.

mod arbitrary;
mod borders;
mod checker;
#[path = "../../../qingyu-graph/tests/it/extent.rs"]
mod extent;
mod format;
mod guard;
mod incremental;
#[path = "../labelled/mod.rs"]
mod labelled;
#[path = "../planted/mod.rs"]
mod planted;
mod planted_errors;
mod prose;
mod published;
mod recorded;
mod sequences;
mod settlement;
mod taken_back;
mod undo;

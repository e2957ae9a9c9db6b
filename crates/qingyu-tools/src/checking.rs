//! Tools that look at the story as a whole: the checker, the ground truth, what a change touches.

pub mod ask_facts;
pub mod check;
pub mod impact;

//! Nodes of the writing, one file each.

pub(super) mod assess;
pub(super) mod below_floor;
pub(super) mod error_handler;
pub(super) mod extract;
pub(super) mod finalize;
pub(super) mod gate;
pub(super) mod generation;
pub(super) mod keep;
pub(super) mod mark;
pub(super) mod next_chapter;
pub(super) mod plan_ahead;
pub(super) mod questions;
pub(super) mod record;
pub(super) mod regenerate;
pub(super) mod retrieval;
pub(super) mod review;
pub(super) mod settle;
pub(super) mod understand;

//! Planning a long book on four levels: the book, its volumes, its arcs, the chapters of the next arcs.
//!
//! - `step`: the next step, computed from the outline alone, so that an interrupted plan resumes where it stopped
//! - `material`: the content of the prompts, of constant size
//! - `accept`: validates the numbers of an answer and inserts the valid part into the outline
//! - [`later`]: changes of later plans that the written text contradicts; `fields`: the fields that can be changed
//! - `facts`: facts of the written text, those about the planned parts first
//! - `known`: what a planner knows of the story as it is now
//! - `asking`: the model calls; `summary`: the planned levels of a book, in a line
//!
//! Planning only adds nodes. Nodes that exist stay as they are; only their `order` moves if the author has put nodes into
//! the places kept free.

pub(crate) mod accept;
pub(crate) mod asking;
mod facts;
mod fields;
mod known;
pub mod later;
pub(crate) mod material;
pub(crate) mod step;
pub(crate) mod summary;

pub(crate) use known::SpentTwists;
pub use step::{PlanTarget, planned_length};

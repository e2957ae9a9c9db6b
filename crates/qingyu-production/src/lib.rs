//! Rules for the phases and fields of a content production. Plain values, no I/O.
//!
//! The fields are defined in [`qingyu_story::production`] and stored by a project beside its story. Modules:
//!
//! - [`board`]: the fields of a project as a view: dependencies, status, and what to make next; `digest`: digests to
//!   compare values
//! - [`change`]: setting, confirming and removing values; expanding lists to fields
//! - [`input`]: inputs of a field as declared; [`notes`]: the findings of a research that concern a field
//! - [`citation`]: marks such as `[2]` in prose, and the numbered sources of a project; [`topic`]: words in common
//! - [`sizes`]: how many entries and how long texts the user asks for, in place of the template's sizes
//! - [`golden`]: the context in every prompt: creator, intent and consumers
//! - [`progress`]: the order of phases
//! - [`template`]: initial productions
//! - [`router`]: detection of the user's intent by words
//! - `reference`: `@` references to fields in the user's words
//! - [`research`]: research reports with their sources
//! - [`export`](mod@export): export to files; [`text`]: a value as readable text
//! - [`content`]: fields and chapters as numbered paragraphs
//! - [`simulation`]: reactions of simulated consumers, aggregated with their disagreement
//! - [`evaluation`]: evaluation by criteria, deviation between runs, comparison of two versions; `statistics`: means,
//!   deviations and intervals
//! - [`reports`]: research, simulation and evaluation as readable reports
//! - [`voice`]: forbidden words and the glossary of a creator
//! - [`error`]: the error type, sorted by how the caller can react

pub mod board;
pub mod change;
pub mod citation;
pub mod content;
mod digest;
pub mod error;
pub mod evaluation;
pub mod export;
pub mod golden;
pub mod input;
pub mod notes;
pub mod progress;
mod reference;
pub mod reports;
pub mod research;
pub mod router;
pub mod simulation;
pub mod sizes;
mod statistics;
pub mod template;
pub mod text;
pub mod topic;
pub mod voice;

pub use board::{FieldBoard, Row, Status};
pub use error::Error;
pub use export::export;
pub use golden::{GoldenContext, SaidLine};
pub use router::{Intent, Routing, RoutingContext, route};
pub use template::{Template, Templates};

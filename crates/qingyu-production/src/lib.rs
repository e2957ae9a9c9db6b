//! What follows from the phases and fields of a content production. Plain values, no I/O.
//!
//! The fields themselves are [`qingyu_story::production`]; a project keeps them beside its story. Here is what they mean:
//!
//! - [`board`]: the fields of a project as one view: what each is made from, how it stands, what is made next
//! - [`change`]: values put in, confirmed, taken out; lists that become fields
//! - [`golden`]: what every model is told of creator, intent and consumers
//! - [`progress`]: which phase comes next
//! - [`template`]: what a production begins as
//! - [`router`]: what the user wants, by the words they use
//! - [`reference`](mod@reference): `@` references to fields in these words
//! - [`research`]: what a research found out, and from which pages
//! - [`export`](mod@export): what is handed out; [`text`]: a value as people read it
//! - [`content`]: what is read: fields and chapters as numbered paragraphs
//! - [`simulation`]: what simulated consumers do with it, put together with their disagreement
//! - [`evaluation`]: what is judged by criteria, how much runs differ, two versions compared
//! - [`reports`]: research, simulation and evaluation as people read them
//! - [`error`]: failures, sorted by what the caller can do

pub mod board;
pub mod change;
pub mod content;
mod digest;
pub mod error;
pub mod evaluation;
pub mod export;
pub mod golden;
pub mod progress;
pub mod reference;
pub mod reports;
pub mod research;
pub mod router;
pub mod simulation;
mod statistics;
pub mod template;
pub mod text;

pub use board::{Board, Row, Status};
pub use error::Error;
pub use export::export;
pub use golden::GoldenContext;
pub use reference::references;
pub use router::{Intent, Routing, Situation, route};
pub use template::{Template, Templates};

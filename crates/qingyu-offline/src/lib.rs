//! The offline model: plans and structures by rules, without pretending to write prose.
//!
//! Implements the same [`ChatModel`](qingyu_llm::ChatModel) trait as every other model and answers from the typed
//! context of a request. The user's own words come first; gaps are filled with draws from seeded tables and labelled as
//! such; countable results are computed; requests for a language model are refused. Equal input returns equal bytes.
//!
//! Modules, in the order of processing:
//!
//! - [`mod@model`]: the model itself: dispatch by purpose, streaming
//! - `brief`: parsing of requirements by rules; `matching`: matching of sentences to questions by form
//! - `tables`, `draw`, `fill`: the seeded tables in both languages, random draws, templates
//! - `person`, `cast`, `frame`: people, casting of parts, and values for templates
//! - `directions`: possible directions of a new book; `planner`, `worldview`, `outline`, `character`, `plot`, `style`,
//!   `review`: one file per agent
//! - `beats`: chapters for any kind of story; `levels`: volumes, arcs and chapters of long books
//! - `chapter`: plans of chapters from the outline, with gaps; chapter prose is refused
//! - `assistant`: answers by quotation; `service`: splits tasks and phrases figures
//! - `consumer`, `judge`: countable properties for simulated readers and criteria
//! - `production`: content outside stories, as frames with gaps
//! - `research`: quotations from pages, without weighing evidence
//! - `correct`: literal execution of correction instructions
//!
//! ```
//! use qingyu_llm::{ChatModel, ChatRequest, model::drain};
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let request = ChatRequest {
//!     purpose: "plan.create".into(),
//!     context: serde_json::json!({
//!         "requirement": "A heist on a space station", "language": "en", "story": {},
//!         "agents": [], "tools": [], "max_steps": 20,
//!     }),
//!     ..ChatRequest::default()
//! };
//! let reply = drain(qingyu_offline::model().stream(&request).await?).await?;
//! assert!(reply.text.contains("outline_agent"));
//! # Ok::<_, qingyu_llm::Error>(()) }).unwrap();
//! ```

pub mod model;

mod assistant;
mod beats;
mod brief;
mod cast;
mod chapter;
mod character;
mod consumer;
mod correct;
mod directions;
mod draw;
mod fill;
mod frame;
mod judge;
mod levels;
mod matching;
mod outline;
mod person;
mod planner;
mod plot;
mod production;
mod research;
mod review;
mod service;
mod style;
mod tables;
mod worldview;

pub use model::{NAME, model};

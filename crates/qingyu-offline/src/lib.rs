//! The honest offline model: plans and structures by rules, never pretends to write.
//!
//! It sits behind the same [`ChatModel`](qingyu_llm::ChatModel) trait as every other model and answers from the typed
//! context of a request. It uses the user's own words first, fills gaps with draws from seeded tables and says which
//! is which, computes what can be computed, and refuses what needs a language model. Equal input gives equal bytes.
//!
//! The map, in the order in which an answer comes about:
//!
//! - [`mod@model`]: the [`OfflineModel`] itself: which purposes it knows, how it streams
//! - `brief`: what the requirement says, by rules
//! - `tables`, `draw`, `fill`: the seeded tables in both languages, the dice, the templates
//! - `cast`, `frame`: who plays which part, and the slots that templates are filled from
//! - `directions`: what a new book could become; `planner`, `worldview`, `outline`, `character`, `plot`, `style`, `review`: one file per agent
//! - `chapter`: plans of chapters from the outline, with gaps; their prose it refuses
//! - `assistant`: answers questions by quoting; `service`: takes tasks apart and tells figures
//! - `consumer`, `judge`: what can be counted for simulated readers and criteria
//! - `production`: content that is no story, as frames with gaps
//! - `research`: quotes pages that were read, and says that it weighs nothing
//! - `correct`: obeys correction instructions to the letter
//!
//! ```
//! use qingyu_llm::{ChatModel, Request, model::drain};
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let request = Request {
//!     purpose: "plan.create".into(),
//!     context: serde_json::json!({
//!         "requirement": "A heist on a space station", "language": "en", "story": {},
//!         "agents": [], "tools": [], "max_steps": 20,
//!     }),
//!     ..Request::default()
//! };
//! let reply = drain(qingyu_offline::model().stream(&request).await?).await?;
//! assert!(reply.text.contains("outline_agent"));
//! # Ok::<_, qingyu_llm::Error>(()) }).unwrap();
//! ```

pub mod model;

mod assistant;
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
mod matching;
mod outline;
mod planner;
mod plot;
mod production;
mod research;
mod review;
mod service;
mod style;
mod tables;
mod worldview;

pub use model::{NAME, OfflineModel, model};

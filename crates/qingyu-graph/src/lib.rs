//! A durable state graph: typed state, supersteps, checkpoints, interrupts, steps paid for once.
//!
//! A [`Graph`] is nodes (async functions of a shared view of the state) and the ways between them. It works in
//! *supersteps*: the nodes that are due run side by side, their updates are folded into the state in declaration order,
//! a checkpoint is stored, and the edges say what is due next. A [`Thread`] is a graph's lasting conversation in a
//! [`Store`]; whatever stops it, [`Thread::resume`] goes on from the last checkpoint. Nothing stored is rewritten:
//! [`Thread::history`] lists every checkpoint, and [`Thread::at`] goes on from any of them on a new branch.
//!
//! | module | what it answers |
//! |---|---|
//! | `state`, `fold`, `command` | what is a state, how do writes become one value, what does a node return |
//! | `graph`, `check`, `compiled`, `topology` | how is a graph built, checked and kept |
//! | `superstep` | the pure heart: which tasks are due, and what do their writes lead to |
//! | `driver`, `run`, `event` | who spawns and waits, and what do others see of it |
//! | `node`, `context`, `subgraph` | what is a node, what may it do, and how does it run a graph inside of itself |
//! | `retry`, `time_limits`, `cache` | how often and how long is it tried, and when need it not run |
//! | `thread`, `journal`, `lease`, [`store`] | what is stored, by whom, and how is it read back |
//! | [`workers`] | how do steps that compute leave the threads that serve everybody |
//! | [`drawing`], `blueprint`, `migration` | how does a graph look, what changed since it was stored, and how do old threads go on |
//!
//! Features: `sqlite` (default) keeps threads in one SQLite file, `postgres` on a PostgreSQL server; `testing` offers the
//! suite that every store runs, and a store that a test can stand in front of.
//!
//! ```
//! use std::sync::Arc;
//! use qingyu_graph::{Context, END, Graph, NodeError, Outcome, START, State, store::MemoryStore};
//!
//! #[derive(Debug, Clone, Default, PartialEq, State)]
//! struct Draft {
//!     topic: String,
//!     #[channel(append)]
//!     notes: Vec<String>,
//! }
//!
//! async fn write(draft: Arc<Draft>, context: Context) -> Result<DraftUpdate, NodeError> {
//!     // Carried out once, whatever happens afterwards.
//!     let text = context.step("text", &draft.topic, || async { Ok::<_, NodeError>(format!("about {}", draft.topic)) });
//!     Ok(Draft::update().notes(vec![text.await?]))
//! }
//!
//! async fn review(_: Arc<Draft>, context: Context) -> Result<DraftUpdate, NodeError> {
//!     let verdict: String = context.ask("verdict", "is it good?").await?;
//!     Ok(Draft::update().notes(vec![verdict]))
//! }
//!
//! # tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(async {
//! let graph = Graph::<Draft>::new("draft")
//!     .node("write", write)
//!     .node("review", review)
//!     .edge(START, "write")
//!     .edge("write", "review")
//!     .edge("review", END)
//!     .compile()?;
//! let thread = graph.thread(Arc::new(MemoryStore::new()), "novel-1");
//! let outcome = thread.start(Draft::update().topic("rain".to_owned())).await?.finish().await?;
//! assert!(matches!(outcome, Outcome::Waiting { .. }));
//! let draft = thread.answer("yes").await?.finish().await?.into_state();
//! assert_eq!(draft.notes, ["about rain", "yes"]);
//! # Ok::<_, qingyu_graph::Error>(())
//! # }).unwrap();
//! ```
//!
//! Fields that are marked as input or output make views of the state for those who start runs and read their results;
//! the others are private to the nodes:
//!
//! ```
//! # use std::sync::Arc;
//! # use qingyu_graph::{Context, END, Graph, NodeError, START, State};
//! #[derive(Debug, Clone, Default, State)]
//! struct Draft {
//!     #[channel(input)]
//!     topic: String,
//!     plan: String,
//!     #[channel(output)]
//!     text: String,
//! }
//! # async fn plan(draft: Arc<Draft>, _: Context) -> Result<DraftUpdate, NodeError> {
//! #     Ok(Draft::update().plan(format!("about {}", draft.topic)))
//! # }
//! # async fn write(draft: Arc<Draft>, _: Context) -> Result<DraftUpdate, NodeError> {
//! #     Ok(Draft::update().text(draft.plan.to_uppercase()))
//! # }
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! # let graph = Graph::<Draft>::new("draft").node("plan", plan).node("write", write);
//! # let graph = graph.edge(START, "plan").edge("plan", "write").edge("write", END).compile()?;
//! let draft = graph.run(DraftInput { topic: "rain".to_owned() }).await?;
//! assert_eq!(DraftOutput::from(draft).text, "ABOUT RAIN");
//! # Ok::<_, qingyu_graph::Error>(())
//! # }).unwrap();
//! ```
//!
//! A field that does not exist does not compile:
//!
//! ```compile_fail,E0599
//! #[derive(Debug, Clone, Default, qingyu_graph::State)]
//! struct Draft {
//!     topic: String,
//! }
//! Draft::update().title(String::new());
//! ```

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

// The derive macro names this crate by its public name, also in its own tests.
extern crate self as qingyu_graph;

mod blueprint;
mod cache;
mod check;
mod clock;
mod command;
mod compiled;
mod context;
mod digest;
pub mod drawing;
mod driver;
mod error;
mod event;
mod fold;
mod graph;
mod journal;
mod lease;
mod migration;
mod node;
mod retry;
mod run;
mod state;
pub mod store;
mod subgraph;
mod superstep;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod thread;
mod time_limits;
mod topology;
pub mod workers;

pub use check::{Problem, Warning};
pub use clock::{Clock, SystemClock};
pub use command::{Command, Goto};
pub use compiled::CompiledGraph;
pub use context::Context;
pub use drawing::Drawing;
pub use error::{Error, Mismatch, SharedError};
pub use event::{Event, EventKind, Mode, Question};
pub use graph::{END, Graph, START};
pub use journal::{Durability, Source};
pub use migration::Migration;
pub use node::NodeError;
pub use qingyu_graph_derive::State;
pub use retry::RetryPolicy;
pub use run::{Outcome, Run};
pub use state::{Channel, Delta, State, Update, Values, Write};
pub use store::{JoinedWrite, Store, ThreadId};
pub use subgraph::Memory;
pub use thread::{Call, CheckpointId, Failure, Moment, OnUnfinished, Page, Past, Snapshot, Thread};
pub use time_limits::{TimeLimits, TimedOut};
pub use tokio_util::sync::CancellationToken;

/// What derived code calls. Not part of the API.
#[doc(hidden)]
pub mod __private {
    pub use crate::fold::{add, decode, encode, extend, last, reduce};
    pub use serde;
}

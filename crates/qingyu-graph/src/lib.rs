//! A durable state graph: typed state, supersteps, checkpoints, interrupts, steps paid for once.
//!
//! A [`Graph`] is nodes (async functions of a shared view of the state) and the edges between them. Execution proceeds
//! in *supersteps*: the nodes that are due run concurrently, their updates are folded into the state in declaration
//! order, a checkpoint is committed, and the edges decide the next nodes. A [`Thread`] is a durable conversation with a
//! graph in a [`Store`]; whatever stops the run, [`Thread::resume`] continues from the last checkpoint. Stored records
//! are never rewritten: [`Thread::history`] returns every checkpoint, and [`Thread::at`] continues from any of them on
//! a new branch.
//!
//! The modules from the top down; a module uses only modules below it:
//!
//! | module | contents |
//! |---|---|
//! | `thread`, `subgraph` | stored threads with their history, and graphs inside nodes |
//! | `run`, `driver` | the handle of a run; spawning and waiting |
//! | `ready`, `loaded`, `outcome` | a thread before a run and as loaded from the journal; the end of a run |
//! | `compiled`, `check` | the compiled graph, compilation and validation |
//! | `graph` | the graph builder |
//! | `context`, `settings`, `breakpoint`, `reuse`, `stop` | the API for nodes, the settings of runs, their breakpoints, steps of other threads, and their stop |
//! | `migration`, `journal`, `blueprint` | migrating old threads, the records of threads, and detecting changes |
//! | `lease`, [`store`] | the leases of writers, and the stores |
//! | `superstep`, `topology` | the pure core: the tasks of a checkpoint, and the checkpoint after their writes |
//! | `cache`, `retry`, `time_limits` | reuse of results, retries and timeouts |
//! | `command`, `event`, [`drawing`] | the return value of a node, the events of a run, and rendering a graph |
//! | `any_state` | states and updates of any type, for all modules above |
//! | `state`, `fold` | the state, and the reducers that fold writes into values |
//! | `node`, `error`, `problem` | the failures of nodes, runs and graphs |
//! | `task_id`, `call_path`, `endpoints`, `clock`, `digest` | names, paths, time and fingerprints |
//! | [`workers`] | computation off the worker threads of the runtime |
//!
//! Features: `sqlite` (default) stores threads in one SQLite file, `postgres` on a PostgreSQL server; `testing`
//! contains the test suite for stores, and a store with hooks for tests.
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
//! Fields marked as input or output make views of the state for callers who start runs and read their results; the
//! other fields are private to the nodes:
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
//! An unknown field does not compile:
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

// The derive macro names this crate by the public name, also in the crate's own tests.
extern crate self as qingyu_graph;

mod any_state;
mod blueprint;
mod breakpoint;
mod cache;
mod call_path;
mod check;
mod clock;
mod command;
mod compiled;
mod context;
mod digest;
pub mod drawing;
mod driver;
mod endpoints;
mod error;
mod event;
mod fold;
mod graph;
mod journal;
mod lease;
mod loaded;
mod migration;
mod node;
mod outcome;
mod problem;
mod ready;
mod retry;
mod reuse;
mod run;
mod settings;
mod state;
mod stop;
pub mod store;
mod subgraph;
mod superstep;
mod task_id;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod thread;
mod time_limits;
mod topology;
pub mod workers;

pub use clock::{RunClock, SystemClock};
pub use command::{Command, Goto};
pub use compiled::{CompiledGraph, Memory};
pub use context::Context;
pub use drawing::GraphDrawing;
pub use endpoints::{END, START};
pub use error::{Error, Mismatch, SharedError};
pub use event::{EventKind, Mode, Question, RunEvent};
pub use graph::Graph;
pub use journal::{Durability, ReachedBreakpoint, Source};
pub use migration::Migration;
pub use node::{NodeError, NodeFailure};
pub use outcome::Outcome;
pub use problem::{GraphProblem, GraphWarning};
pub use qingyu_graph_derive::State;
pub use retry::RetryPolicy;
pub use reuse::ReusableSteps;
pub use run::GraphRun;
pub use settings::OnUnfinished;
pub use state::{Delta, State, StateChannel, Update, Values, Write};
pub use store::{JoinedWrite, Store, ThreadId};
pub use thread::{Call, CheckpointId, Page, PastCheckpoint, Snapshot, Thread, ThreadMoment};
pub use time_limits::{TimeLimits, TimedOut};
pub use tokio_util::sync::CancellationToken;

/// The functions called by derived code. Not part of the API.
#[doc(hidden)]
pub mod __private {
    pub use crate::fold::{add, decode, encode, extend, last, reduce};
    pub use serde;
}

//! Production of content other than stories, in phases, with the user.
//!
//! ```text
//! begin → enter → interview → listen ⇄ router → make ⟲ · research · simulate · evaluate → checkpoint → enter → …
//!                                ↑        ↓                                                  ↓ a person confirms
//!                                └── query · chat ←──────────── listen ←─────────────────────┘   no phase left → END
//! ```
//!
//! The map:
//!
//! - [`order`]: messages between the user and a production; `routed`: the user's intent, as parsed by a model; `notice`:
//!   messages in the language of the work
//! - [`config`]: limits; [`state`]: the state of a run
//! - [`context`]: contexts of the prompts; `material`: the same, built from a project
//! - `carry_out`: execution of orders; `cost`: the estimated cost of making fields
//! - `desk`: functions shared by the nodes; `field_search`: passages for a question
//! - `report`: reports of the next three, stored in fields
//! - `research`: web search with citations; `judging`: scores by criteria
//! - `consumers`: simulated readers; `expectations`: what they expect of a book of its genre
//! - `nodes`: one file each; `names`: their names; `resources`: what they work with
//!
//! The nodes import all other modules, and only the graph in this file imports the nodes.
//!
//! Phases and fields are never in the state: nodes load them from the workspace of the [`ProductionResources`], where people
//! and tools change them concurrently. The context of a prompt is the result of a stored step taken before the model
//! call, so a retried node sends the same bytes, whatever was changed meanwhile.

use std::sync::Arc;

use futures::future::BoxFuture;
use qingyu_graph::{Command, CompiledGraph, Context, END, Graph, Migration, NodeError, START};

mod carry_out;
pub mod config;
pub mod consumers;
pub mod context;
mod cost;
mod desk;
mod expectations;
mod field_search;
pub mod judging;
mod material;
mod names;
mod nodes;
mod notice;
pub mod order;
mod report;
pub mod research;
mod resources;
mod routed;
pub mod state;

pub use config::ProductionConfig;
pub use context::Who;
pub use material::inputs;
pub use names::SPEAKER;
pub use order::{Asks, Order, Turn};
pub use resources::ProductionResources;
pub(crate) use routed::Routed;
pub use state::{ContentProductionState, ContentProductionStateUpdate, Spoken};

use self::names::{
    BEGIN, CHAT, CHECKPOINT, ENTER, EVALUATE, INTERVIEW, LISTEN, MAKE, QUERY, RESEARCH, ROUTER, SIMULATE,
};

type Node = BoxFuture<'static, Result<Command<ContentProductionState>, NodeError>>;

/// Builds the graph that produces content in `room`.
///
/// A run starts from [`ContentProductionState::input`]. It waits with an interrupt: the payload is a [`Turn`], the
/// answer an [`Order`]. The run ends when all phases are done, or when the user ends it.
///
/// An unreachable model or workspace fails the run with [`crate::Error`]. A resumed run repeats no stored call, and
/// loses no answer of the user.
pub fn production(room: ProductionResources) -> Result<CompiledGraph<ContentProductionState>, qingyu_graph::Error> {
    let room = Arc::new(room);
    let orders = [ROUTER, ENTER, MAKE, RESEARCH, SIMULATE, EVALUATE, LISTEN, END];
    let routed = [ENTER, MAKE, RESEARCH, SIMULATE, EVALUATE, QUERY, CHAT, INTERVIEW, LISTEN, END];
    Graph::<ContentProductionState>::new("production")
        // Threads of 0.1.0 lack the number of told errors; it defaults to zero.
        .version("2")
        .migrate(Migration::new("7e4b9bbc6dba733c1fb2924f7d0fc69c", "2"))
        .node(BEGIN, on(&room, |room, state, context| Box::pin(nodes::begin::run(room, state, context))))
        .targets(BEGIN, orders)
        .node(ENTER, on(&room, |room, state, context| Box::pin(nodes::enter::run(room, state, context))))
        .targets(ENTER, [INTERVIEW, MAKE, RESEARCH, SIMULATE, EVALUATE, CHECKPOINT, END])
        .node(INTERVIEW, on(&room, |room, state, context| Box::pin(nodes::interview::run(room, state, context))))
        .targets(INTERVIEW, [LISTEN])
        .node(LISTEN, on(&room, |room, state, context| Box::pin(nodes::listen::run(room, state, context))))
        .targets(LISTEN, orders)
        .node(ROUTER, on(&room, |room, state, context| Box::pin(nodes::router::run(room, state, context))))
        .targets(ROUTER, routed)
        .node(MAKE, on(&room, |room, state, context| Box::pin(nodes::make::run(room, state, context))))
        .targets(MAKE, [MAKE, CHECKPOINT, LISTEN])
        .node(RESEARCH, on(&room, |room, state, context| Box::pin(nodes::research::run(room, state, context))))
        .targets(RESEARCH, [CHECKPOINT, LISTEN])
        .node(SIMULATE, on(&room, |room, state, context| Box::pin(nodes::simulate::run(room, state, context))))
        .targets(SIMULATE, [CHECKPOINT, LISTEN])
        .node(EVALUATE, on(&room, |room, state, context| Box::pin(nodes::evaluate::run(room, state, context))))
        .targets(EVALUATE, [CHECKPOINT, LISTEN])
        .node(QUERY, on(&room, |room, state, context| Box::pin(nodes::query::run(room, state, context))))
        .targets(QUERY, [LISTEN])
        .node(CHAT, on(&room, |room, state, context| Box::pin(nodes::chat::run(room, state, context))))
        .targets(CHAT, [LISTEN])
        .node(CHECKPOINT, on(&room, |room, state, context| Box::pin(nodes::checkpoint::run(room, state, context))))
        .targets(CHECKPOINT, [ENTER, LISTEN])
        .edge(START, BEGIN)
        .compile()
}

/// Returns a node function with access to `room`.
fn on(
    room: &Arc<ProductionResources>,
    run: impl Fn(Arc<ProductionResources>, Arc<ContentProductionState>, Context) -> Node + Send + Sync + 'static,
) -> impl Fn(Arc<ContentProductionState>, Context) -> Node + Send + Sync + 'static {
    let room = Arc::clone(room);
    move |state, context| run(Arc::clone(&room), state, context)
}

//! Producing content that is no story, in phases, with the user.
//!
//! ```text
//! begin → enter → interview → listen ⇄ router → make ⟲ · research · simulate · evaluate → checkpoint → enter → …
//!                                ↑        ↓                                                  ↓ a person confirms
//!                                └── query · chat ←──────────── listen ←─────────────────────┘   no phase left → END
//! ```
//!
//! The map:
//!
//! - [`order`]: what the user says to it, and what it says to the user; [`config`]: limits; [`state`]: what a run knows
//! - [`context`]: what the prompts are filled from; `material`: out of a project
//! - `carry_out`: where an order leads; `desk`: what the nodes share
//! - `report`: what these three say, kept in a field
//! - `research`: the web searched, read and cited; `consumers`: simulated readers; `judging`: content judged by criteria
//! - `nodes`: one file each
//!
//! Phases and fields are never in the state: nodes load them from the workspace of the [`ProductionRoom`], where people and
//! tools change them too. What a prompt is filled from is the result of a stored step before the model is asked, so that a
//! node that runs again asks for the same bytes, whatever was changed meanwhile.

use std::sync::Arc;

use futures::future::BoxFuture;
use qingyu_graph::{Command, CompiledGraph, Context, END, Graph, NodeError, START};
use qingyu_tools::Workspace;
use qingyu_web::Web;

mod carry_out;
pub mod config;
pub mod consumers;
pub mod context;
mod desk;
pub mod judging;
mod material;
mod nodes;
mod notice;
pub mod order;
mod report;
pub mod research;
mod routed;
pub mod state;

pub use config::ProductionConfig;
pub use order::{Asks, Order, Turn};
pub use routed::Routed;
pub use state::{ContentProductionState, ContentProductionStateUpdate, Spoken};

use crate::Workshop;

/// The name of the agent that makes fields, in events, calls and provenance.
pub const PRODUCER: &str = "production_agent";
/// The name of the agent that searches, reads and cites.
pub const RESEARCHER: &str = "research_agent";
/// The name of the agent that speaks with the user: what it streams is meant for their eyes.
pub const SPEAKER: &str = "conversation_agent";

/// Looks at the project.
pub const BEGIN: &str = "begin";
/// Enters the phase that is due.
pub const ENTER: &str = "enter";
/// Asks the next question.
pub const INTERVIEW: &str = "interview";
/// Waits for the user.
pub const LISTEN: &str = "listen";
/// Finds out what they want.
pub const ROUTER: &str = "router";
/// Makes fields.
pub const MAKE: &str = "make";
/// Searches and reads the web.
pub const RESEARCH: &str = "research";
/// Has simulated consumers read.
pub const SIMULATE: &str = "simulate";
/// Judges content.
pub const EVALUATE: &str = "evaluate";
/// Shows what is there.
pub const QUERY: &str = "query";
/// Talks.
pub const CHAT: &str = "chat";
/// The end of a phase.
pub const CHECKPOINT: &str = "checkpoint";

/// What a production works with. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ProductionRoom {
    /// Models, prompts, prices.
    pub workshop: Workshop,
    /// The project.
    pub workspace: Arc<dyn Workspace>,
    /// How the web is searched and read.
    pub web: Arc<Web>,
}

type Node = BoxFuture<'static, Result<Command<ContentProductionState>, NodeError>>;

/// The graph that produces content in `room`.
///
/// A run starts from [`ContentProductionState::input`]. It waits with an interrupt whose payload is a [`Turn`] and whose
/// answer is an [`Order`], and ends when all phases are done, or when the user ends it.
///
/// A model or a workspace that cannot be reached fails the run with [`crate::Error`]; when it is resumed, nothing that was
/// stored is asked again, and no answer of the user is lost.
pub fn production(room: ProductionRoom) -> Result<CompiledGraph<ContentProductionState>, qingyu_graph::Error> {
    let room = Arc::new(room);
    let orders = [ROUTER, ENTER, MAKE, RESEARCH, SIMULATE, EVALUATE, LISTEN, END];
    let routed = [ENTER, MAKE, RESEARCH, SIMULATE, EVALUATE, QUERY, CHAT, INTERVIEW, LISTEN, END];
    Graph::<ContentProductionState>::new("production")
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

/// A node that works in `room`.
fn on(
    room: &Arc<ProductionRoom>,
    run: impl Fn(Arc<ProductionRoom>, Arc<ContentProductionState>, Context) -> Node + Send + Sync + 'static,
) -> impl Fn(Arc<ContentProductionState>, Context) -> Node + Send + Sync + 'static {
    let room = Arc::clone(room);
    move |state, context| run(Arc::clone(&room), state, context)
}

//! The creation pipeline: planner, specialists, review, corrections, a person.
//!
//! ```text
//! planner_agent ⇄ directions (if they are wanted: a person chooses one)
//!      ↓
//! dispatch ⇄ worldview, outline, character, plot, style (those that are ready, side by side)
//!                    ↓
//!              review_agent → meta_scheduler → dispatch (correction) | human_review | END
//! ```
//!
//! What comes next is decided by pure functions ([`crate::plan`], [`crate::meta_scheduler`]); the nodes here ask models,
//! keep what comes back and say what happened. Every model call is a step of the engine and so paid for once.

use std::sync::Arc;

use futures::future::BoxFuture;
use qingyu_graph::{Command, CompiledGraph, Context, END, Graph, Migration, NodeError, START};
use qingyu_story::Agent;

mod dispatch;
mod human;
mod lookup;
mod nodes;
mod scope;
mod state;

pub use human::{HumanAnswer, HumanReviewRequest};
pub use state::{Assignment, PipelineState, PipelineStateUpdate};

use crate::Workshop;
use crate::plan::REVIEW_AGENT;
use crate::specialist::character::Character;
use crate::specialist::outline::Outline;
use crate::specialist::plot::Plot;
use crate::specialist::style::Style;
use crate::specialist::worldview::Worldview;

/// The node that offers directions of a new book, if they are wanted.
pub const DIRECTIONS: &str = "directions";
/// The node that makes the plan.
pub const PLANNER: &str = "planner_agent";
/// The node that sends out what is ready.
pub const DISPATCH: &str = "dispatch";
/// The node that decides what follows from a report.
pub const META_SCHEDULER: &str = "meta_scheduler";
/// The node that asks a person.
pub const HUMAN_REVIEW: &str = "human_review";

type Node = BoxFuture<'static, Result<Command<PipelineState>, NodeError>>;

/// The pipeline, working with `workshop`.
///
/// A run starts from [`PipelineState::input`] and takes at most
/// [`PipelineConfig::supersteps`](crate::PipelineConfig::supersteps) supersteps; set the thread's recursion limit to it.
pub fn pipeline(workshop: Workshop) -> Result<CompiledGraph<PipelineState>, qingyu_graph::Error> {
    let workshop = Arc::new(workshop);
    let specialists = Agent::ALL.map(Agent::name);
    let mut graph = Graph::<PipelineState>::new("pipeline")
        // Threads of 0.1.0 lack the wishes and the reasons of failed steps, which begin empty.
        .version("2")
        .migrate(Migration::new("6efb6cd2b13e44d85b3eaa2d57878db2", "2"))
        .node(
            PLANNER,
            on(&workshop, |workshop, state, context| Box::pin(nodes::planner::run(workshop, state, context))),
        )
        .node(
            DIRECTIONS,
            on(&workshop, |workshop, state, context| Box::pin(nodes::directions::run(workshop, state, context))),
        )
        .targets(DIRECTIONS, [DIRECTIONS, PLANNER])
        .node(DISPATCH, |state: Arc<PipelineState>, context: Context| async move { dispatch::run(&state, &context) })
        .targets(DISPATCH, specialists.into_iter().chain([REVIEW_AGENT]))
        .node(Agent::Worldview.name(), specialist::<Worldview>(&workshop))
        .node(Agent::Outline.name(), specialist::<Outline>(&workshop))
        .node(Agent::Character.name(), specialist::<Character>(&workshop))
        .node(Agent::Plot.name(), specialist::<Plot>(&workshop))
        .node(Agent::Style.name(), specialist::<Style>(&workshop))
        .node(
            REVIEW_AGENT,
            on(&workshop, |workshop, state, context| Box::pin(nodes::review::run(workshop, state, context))),
        )
        .targets(REVIEW_AGENT, [META_SCHEDULER, HUMAN_REVIEW, DISPATCH, END])
        .node(
            META_SCHEDULER,
            on(&workshop, |workshop, state, context| Box::pin(nodes::meta::run(workshop, state, context))),
        )
        .targets(META_SCHEDULER, [DISPATCH, HUMAN_REVIEW, END])
        .node(
            HUMAN_REVIEW,
            on(&workshop, |workshop, state, context| Box::pin(nodes::human::run(workshop, state, context))),
        )
        .targets(HUMAN_REVIEW, [META_SCHEDULER, HUMAN_REVIEW, END])
        .edge(START, PLANNER)
        .targets(PLANNER, [DIRECTIONS])
        .edge(PLANNER, DISPATCH);
    for specialist in specialists {
        graph = graph.edge(specialist, DISPATCH);
    }
    graph.compile()
}

fn specialist<S: crate::specialist::Specialist>(
    workshop: &Arc<Workshop>,
) -> impl Fn(Arc<PipelineState>, Context) -> Node + Send + Sync + 'static {
    on(workshop, |workshop, state, context| Box::pin(nodes::specialist::run::<S>(workshop, state, context)))
}

/// A node that works in `workshop`.
fn on(
    workshop: &Arc<Workshop>,
    run: impl Fn(Arc<Workshop>, Arc<PipelineState>, Context) -> Node + Send + Sync + 'static,
) -> impl Fn(Arc<PipelineState>, Context) -> Node + Send + Sync + 'static {
    let workshop = Arc::clone(workshop);
    move |state, context| run(Arc::clone(&workshop), state, context)
}

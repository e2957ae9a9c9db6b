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
//! Pure functions decide on the next step ([`crate::plan`], [`crate::meta_scheduler`]); the nodes call models, store
//! the answers and emit progress. Every model call is a stored step of the engine, and so paid for once.

use std::sync::Arc;

use futures::future::BoxFuture;
use qingyu_graph::{Command, CompiledGraph, Context, END, Graph, Migration, NodeError, START};
use qingyu_story::Agent;

mod consult;
mod dispatch;
mod hidden;
mod human;
mod lookup;
mod names;
mod nodes;
mod scope;
mod state;

pub use human::{HumanReviewAnswer, HumanReviewRequest};
pub use names::{HUMAN_REVIEW, PLANNER};
pub use state::{PipelineState, PipelineStateUpdate};

use self::names::{DIRECTIONS, DISPATCH, META_SCHEDULER};
use crate::plan::REVIEW_AGENT;
use crate::specialist::character::CharacterSpecialist;
use crate::specialist::outline::OutlineSpecialist;
use crate::specialist::plot::PlotSpecialist;
use crate::specialist::style::StyleSpecialist;
use crate::specialist::worldview::WorldviewSpecialist;
use crate::workshop::PipelineResources;

type Node = BoxFuture<'static, Result<Command<PipelineState>, NodeError>>;

/// Builds the pipeline with the resources of `workshop`.
///
/// A run starts from [`PipelineState::input`] and takes at most
/// [`PipelineConfig::supersteps`](crate::PipelineConfig::supersteps) supersteps; set the thread's recursion limit to
/// this number.
pub fn pipeline(workshop: PipelineResources) -> Result<CompiledGraph<PipelineState>, qingyu_graph::Error> {
    let workshop = Arc::new(workshop);
    let specialists = Agent::ALL.map(Agent::name);
    let mut graph = Graph::<PipelineState>::new("pipeline")
        // Threads of 0.1.0 lack wishes and failure reasons, those of version 2 what agents were shown; all default to empty.
        .version("3")
        .migrate(Migration::new("6efb6cd2b13e44d85b3eaa2d57878db2", "2"))
        .migrate(Migration::new("2", "3"))
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
        .node(Agent::Worldview.name(), specialist::<WorldviewSpecialist>(&workshop))
        .node(Agent::Outline.name(), specialist::<OutlineSpecialist>(&workshop))
        .node(Agent::Character.name(), specialist::<CharacterSpecialist>(&workshop))
        .node(Agent::Plot.name(), specialist::<PlotSpecialist>(&workshop))
        .node(Agent::Style.name(), specialist::<StyleSpecialist>(&workshop))
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
    workshop: &Arc<PipelineResources>,
) -> impl Fn(Arc<PipelineState>, Context) -> Node + Send + Sync + 'static {
    on(workshop, |workshop, state, context| Box::pin(nodes::specialist::run::<S>(workshop, state, context)))
}

/// Returns a node function with access to `workshop`.
fn on(
    workshop: &Arc<PipelineResources>,
    run: impl Fn(Arc<PipelineResources>, Arc<PipelineState>, Context) -> Node + Send + Sync + 'static,
) -> impl Fn(Arc<PipelineState>, Context) -> Node + Send + Sync + 'static {
    let workshop = Arc::clone(workshop);
    move |state, context| run(Arc::clone(&workshop), state, context)
}

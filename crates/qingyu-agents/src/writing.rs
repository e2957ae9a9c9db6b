//! Writing the book chapter by chapter.
//!
//! ```text
//! next_chapter → understand → rag_retrieval → generation → review → finalize → settle → keep → next_chapter → …
//!                    ↑                            ↑          ⇅ regenerate                        ↓ no chapter left
//!                    └──────── restart (< 40) ────┴──────────┘                                questions → END
//!                                                   regenerate ← settle, if the facts of the draft contradict the story
//!                                                 └→ below_floor (a person decides) → finalize, or END
//!
//! answers that say what to do instead: questions → next_chapter (a correction)
//!
//! chapters that are not planned yet: next_chapter ⇄ plan_ahead; at a gate: next_chapter ⇄ gate (a person decides)
//!
//! chapters that are only read: next_chapter → extract (each) → record → assess (each) → mark → next_chapter
//! ```
//!
//! The map:
//!
//! - [`task`]: tasks of the writing; [`config`]: limits; [`state`]: the state of a run
//! - [`book`]: the chapters of a story, by number; `card`: the context card of a chapter, of constant size
//! - [`plan`]: the plan of a chapter; [`brief`]: the same for a human writer
//! - `floor`: minimum requirements for a draft, whatever a reviewer says; [`review`]: one forced checklist, and its
//!   verdict; `fix`: fixes by find and replace
//! - `reading`: chapters read concurrently
//! - `clean`, `seams`: removal of model chatter, and the seams between scenes
//! - [`gate`]: where a long run waits for the author; [`questions`]: questions to the author; `answered`: answers kept with
//!   the text; `own_words`: sentences that the author wrote by hand; `author_words`: the author's instructions for a
//!   correction
//! - `route`: the next node after a review; `nodes`: one file each; `asking`: functions shared by the nodes
//! - `settling`: insertion of a chapter into its story; `trial`: what a draft would contradict if it were settled; `notice`: messages in the language of the book
//! - `names`: names of agents and nodes; `resources`: what the nodes work with; `accepted`, `trouble`, `context_card`:
//!   parts of the state
//!
//! Imports: the graph in this file, the nodes, [`state`], the parts of the state, each from those behind it only.
//!
//! The story is never in the state: nodes load it from the workspace of the [`WritingResources`], and `keep` saves a
//! chapter's prose together with its settlement, in one change under a key. The context of a prompt is in the state, or
//! is the result of a stored step, before the model is called: a retried node sends the same bytes.

use std::sync::Arc;

use futures::future::BoxFuture;
use qingyu_graph::{Command, CompiledGraph, Context, END, Graph, Migration, NodeError, START};

mod accepted;
mod answered;
mod asking;
mod author_words;
pub mod book;
pub mod brief;
pub(crate) mod card;
pub(crate) mod clean;
pub mod config;
mod context_card;
pub(crate) mod fix;
mod floor;
pub mod gate;
mod names;
mod nodes;
mod notice;
mod own_words;
pub mod plan;
pub mod questions;
mod reading;
mod refusal;
mod resources;
pub mod review;
mod route;
pub(crate) mod seams;
mod settling;
pub mod state;
pub mod task;
mod trial;
pub(crate) mod trouble;

pub use accepted::AcceptedChapter;
pub use config::WritingConfig;
pub use gate::{GateReason, WritingGate};
pub(crate) use names::PLAN_AHEAD;
pub use names::{KEEP, WRITER};
pub use plan::{ChapterPlan, ScenePlan};
pub use questions::{AuthorAnswers, AuthorQuestion, AuthorQuestions, Decision};
pub use resources::WritingResources;
pub use state::{WritingState, WritingStateUpdate};
pub use task::{Part, WritingTask};

use self::names::{
    ASSESS, BELOW_FLOOR, ERROR_HANDLER, EXTRACT, FINALIZE, GATE, GENERATION, MARK, NEXT_CHAPTER, QUESTIONS,
    RAG_RETRIEVAL, RECORD, REGENERATE, REVIEW, SETTLE, UNDERSTAND,
};

type Node = BoxFuture<'static, Result<Command<WritingState>, NodeError>>;
type Reading = BoxFuture<'static, Result<WritingStateUpdate, NodeError>>;

/// Builds the graph that writes chapters in `room`.
///
/// A run starts from [`WritingState::input`] and takes at most [`WritingConfig::supersteps`] supersteps for its
/// chapters; set the thread's recursion limit to this number. The run interrupts at a chapter below the floor after the
/// last retry, and may end with an interrupt: the payload is an [`AuthorQuestions`], the answer an [`AuthorAnswers`].
///
/// An unreachable model or workspace fails the run with [`crate::Error`]; a resumed run repeats no stored call. Errors
/// that resuming cannot fix end the run in `error_handler`, and it [has failed](WritingState::has_failed); accepted
/// chapters stay.
pub fn writing(room: WritingResources) -> Result<CompiledGraph<WritingState>, qingyu_graph::Error> {
    let room = Arc::new(room);
    Graph::<WritingState>::new("writing")
        // Threads of 0.1.0 have no readings and no floor, those of version 2 no plan ahead and no gates; all default to empty.
        .version("3")
        .migrate(Migration::new("62fc4fde419ce13ed043edd5fffd509c", "2"))
        .migrate(Migration::new("2", "3"))
        .node(NEXT_CHAPTER, on(&room, |room, state, context| Box::pin(nodes::next_chapter::run(room, state, context))))
        .targets(
            NEXT_CHAPTER,
            [UNDERSTAND, RAG_RETRIEVAL, REVIEW, EXTRACT, PLAN_AHEAD, GATE, QUESTIONS, ERROR_HANDLER, END],
        )
        .node(PLAN_AHEAD, on(&room, |room, state, context| Box::pin(nodes::plan_ahead::run(room, state, context))))
        .targets(PLAN_AHEAD, [PLAN_AHEAD, NEXT_CHAPTER, ERROR_HANDLER])
        .node(GATE, on(&room, |room, state, context| Box::pin(nodes::gate::run(room, state, context))))
        .targets(GATE, [NEXT_CHAPTER])
        .node(UNDERSTAND, on(&room, |room, state, context| Box::pin(nodes::understand::run(room, state, context))))
        .targets(UNDERSTAND, [RAG_RETRIEVAL, ERROR_HANDLER])
        .node(RAG_RETRIEVAL, on(&room, |room, state, context| Box::pin(nodes::retrieval::run(room, state, context))))
        .targets(RAG_RETRIEVAL, [GENERATION, NEXT_CHAPTER])
        .node(GENERATION, on(&room, |room, state, context| Box::pin(nodes::generation::run(room, state, context))))
        .targets(GENERATION, [REVIEW, ERROR_HANDLER])
        .node(REVIEW, on(&room, |room, state, context| Box::pin(nodes::review::run(room, state, context))))
        .targets(REVIEW, [FINALIZE, REGENERATE, UNDERSTAND, NEXT_CHAPTER, BELOW_FLOOR, ERROR_HANDLER])
        .node(REGENERATE, on(&room, |room, state, context| Box::pin(nodes::regenerate::run(room, state, context))))
        .targets(REGENERATE, [REVIEW, GENERATION, FINALIZE])
        .node(BELOW_FLOOR, on(&room, |room, state, context| Box::pin(nodes::below_floor::run(room, state, context))))
        .targets(BELOW_FLOOR, [FINALIZE, ERROR_HANDLER])
        .node(FINALIZE, on(&room, |room, state, context| Box::pin(nodes::finalize::run(room, state, context))))
        .node(SETTLE, on(&room, |room, state, context| Box::pin(nodes::settle::run(room, state, context))))
        .targets(SETTLE, [KEEP, REGENERATE])
        .node(KEEP, on(&room, |room, state, context| Box::pin(nodes::keep::run(room, state, context))))
        .node(QUESTIONS, on(&room, |room, state, context| Box::pin(nodes::questions::run(room, state, context))))
        .targets(QUESTIONS, [NEXT_CHAPTER, END])
        .node(
            ERROR_HANDLER,
            on(&room, |room, state, context| Box::pin(nodes::error_handler::run(room, state, context))),
        )
        .targets(ERROR_HANDLER, [GENERATION, REVIEW, FINALIZE, END])
        .edge(START, NEXT_CHAPTER)
        .node(EXTRACT, reads(&room, |room, state, context| Box::pin(nodes::extract::run(room, state, context))))
        .node(RECORD, on(&room, |room, state, context| Box::pin(nodes::record::run(room, state, context))))
        .targets(RECORD, [ASSESS, ERROR_HANDLER])
        .node(ASSESS, reads(&room, |room, state, context| Box::pin(nodes::assess::run(room, state, context))))
        .node(MARK, on(&room, |room, state, context| Box::pin(nodes::mark::run(room, state, context))))
        .edge(EXTRACT, RECORD)
        .edge(ASSESS, MARK)
        .edge(MARK, NEXT_CHAPTER)
        .edge(FINALIZE, SETTLE)
        .edge(KEEP, NEXT_CHAPTER)
        .compile()
}

/// Returns a node function that reads one of several chapters in `room`.
fn reads(
    room: &Arc<WritingResources>,
    run: impl Fn(Arc<WritingResources>, Arc<WritingState>, Context) -> Reading + Send + Sync + 'static,
) -> impl Fn(Arc<WritingState>, Context) -> Reading + Send + Sync + 'static {
    let room = Arc::clone(room);
    move |state, context| run(Arc::clone(&room), state, context)
}

/// Returns a node function with access to `room`.
fn on(
    room: &Arc<WritingResources>,
    run: impl Fn(Arc<WritingResources>, Arc<WritingState>, Context) -> Node + Send + Sync + 'static,
) -> impl Fn(Arc<WritingState>, Context) -> Node + Send + Sync + 'static {
    let room = Arc::clone(room);
    move |state, context| run(Arc::clone(&room), state, context)
}

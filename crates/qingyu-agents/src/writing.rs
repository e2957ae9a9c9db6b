//! Writing the book chapter by chapter.
//!
//! ```text
//! next_chapter → understand → rag_retrieval → generation → review → finalize → settle → keep → next_chapter → …
//!                    ↑                            ↑          ⇅ regenerate                        ↓ no chapter left
//!                    └──────── restart (< 40) ────┴──────────┘                                questions → END
//!                                                 └→ below_floor (a person decides) → finalize, or END
//!
//! chapters that are only read: next_chapter → extract (each) → record → assess (each) → mark → next_chapter
//! ```
//!
//! The map:
//!
//! - [`task`]: what can be asked for; [`config`]: limits; [`state`]: what a run knows
//! - [`book`]: the chapters of a story, by number; `card`: what a chapter is written from, of constant size
//! - [`plan`]: what is to happen in a chapter; [`brief`]: the same for a person who writes it
//! - `floor`: what a draft must have whatever a reviewer says; [`review`]: one forced checklist, and what follows from it; [`fix`]: mending by finding and replacing
//! - [`reading`]: chapters that are read side by side
//! - `clean`, [`seams`]: what a model leaves in and between texts
//! - [`questions`]: what the author is asked at the end
//! - `route`: where it goes from here; `nodes`: one file each
//!
//! The story is never in the state: nodes load it from the workspace of the [`WritingRoom`], and `keep` saves a chapter's
//! prose together with what is settled from it, in one change under a key. What a prompt is filled from is in the state,
//! or is the result of a stored step, before the model is asked: a node that runs again asks for the same bytes.

use std::sync::Arc;

use futures::future::BoxFuture;
use qingyu_graph::{Command, CompiledGraph, Context, END, Graph, Migration, NodeError, START};
use qingyu_tools::{Engine, Workspace};

mod asking;
pub mod book;
pub mod brief;
pub(crate) mod card;
pub(crate) mod clean;
pub mod config;
pub mod fix;
mod floor;
mod nodes;
mod notice;
pub mod plan;
pub mod questions;
pub mod reading;
pub mod review;
mod route;
pub mod seams;
mod settling;
pub mod state;
pub mod task;

pub use config::WritingConfig;
pub use plan::{ChapterPlan, ScenePlan};
pub use questions::{AuthorAnswers, AuthorQuestion, AuthorQuestions, Decision};
pub use state::{AcceptedChapter, WritingState, WritingStateUpdate};
pub use task::{Part, WritingTask};

use crate::Workshop;

/// The name of the agent that writes, in events, calls and provenance.
pub const WRITER: &str = "writer_agent";
/// The name of the agent that reviews chapters.
pub const CRITIC: &str = "chapter_review_agent";
/// The name of the agent that reads what is so from a chapter.
pub const SETTLER: &str = "settlement_agent";

/// Takes the next chapter from the queue.
pub const NEXT_CHAPTER: &str = "next_chapter";
/// Understands what the chapter must do.
pub const UNDERSTAND: &str = "understand";
/// Gathers what it is written from.
pub const RAG_RETRIEVAL: &str = "rag_retrieval";
/// Writes the prose.
pub const GENERATION: &str = "generation";
/// Reviews it.
pub const REVIEW: &str = "review";
/// Mends it.
pub const REGENERATE: &str = "regenerate";
/// Asks a person about a chapter below the floor.
pub const BELOW_FLOOR: &str = "below_floor";
/// Takes it as it is.
pub const FINALIZE: &str = "finalize";
/// Reads what it says to be so.
pub const SETTLE: &str = "settle";
/// Keeps prose and settlement in one change.
pub const KEEP: &str = "keep";
/// Asks the author what settlement could not decide.
pub const QUESTIONS: &str = "questions";
/// Reads what one of several chapters says to be so.
pub const EXTRACT: &str = "extract";
/// Puts what was read from several chapters into the story.
pub const RECORD: &str = "record";
/// Reviews one of several chapters.
pub const ASSESS: &str = "assess";
/// Marks the chapters that were read.
pub const MARK: &str = "mark";
/// Goes on in a simpler way, or ends the run with a clear answer.
pub const ERROR_HANDLER: &str = "error_handler";

/// The tools that gather what a chapter is written or reviewed from.
const TOOLS: [&str; 2] = ["workspace_context_tool", "rag_tool"];

/// What the writing works with. Cheap to clone.
#[derive(Debug, Clone)]
pub struct WritingRoom {
    /// Models, prompts, prices, rules.
    pub workshop: Workshop,
    /// The project that is written.
    pub workspace: Arc<dyn Workspace>,
    /// The tools; `workspace_context_tool` and `rag_tool` are called, if they are there.
    pub tools: Arc<Engine>,
}

type Node = BoxFuture<'static, Result<Command<WritingState>, NodeError>>;
type Reading = BoxFuture<'static, Result<WritingStateUpdate, NodeError>>;

/// The graph that writes chapters in `room`.
///
/// A run starts from [`WritingState::input`] and takes at most [`WritingConfig::supersteps`] supersteps for its
/// chapters; set the thread's recursion limit to that. It stops with an interrupt at a chapter below the floor that no
/// retry has mended, and may end with one: the payload is an [`AuthorQuestions`], the answer an [`AuthorAnswers`].
///
/// A model or a workspace that cannot be reached fails the run with [`crate::Error`]; when it is resumed, nothing that was
/// stored is asked again. What resuming cannot help ends the run in [`ERROR_HANDLER`] with
/// [`OutputMetadata::error`](state::OutputMetadata::error) set; chapters that were accepted before stay.
pub fn writing(room: WritingRoom) -> Result<CompiledGraph<WritingState>, qingyu_graph::Error> {
    let room = Arc::new(room);
    Graph::<WritingState>::new("writing")
        // Threads of 0.1.0 know neither readings nor the floor; what these keep begins empty.
        .version("2")
        .migrate(Migration::new("62fc4fde419ce13ed043edd5fffd509c", "2"))
        .node(NEXT_CHAPTER, on(&room, |room, state, context| Box::pin(nodes::next_chapter::run(room, state, context))))
        .targets(NEXT_CHAPTER, [UNDERSTAND, RAG_RETRIEVAL, REVIEW, EXTRACT, QUESTIONS, ERROR_HANDLER, END])
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
        .node(KEEP, on(&room, |room, state, context| Box::pin(nodes::keep::run(room, state, context))))
        .node(QUESTIONS, on(&room, |room, state, context| Box::pin(nodes::questions::run(room, state, context))))
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
        .edge(SETTLE, KEEP)
        .edge(KEEP, NEXT_CHAPTER)
        .edge(QUESTIONS, END)
        .compile()
}

/// A node that reads one of several chapters in `room`.
fn reads(
    room: &Arc<WritingRoom>,
    run: impl Fn(Arc<WritingRoom>, Arc<WritingState>, Context) -> Reading + Send + Sync + 'static,
) -> impl Fn(Arc<WritingState>, Context) -> Reading + Send + Sync + 'static {
    let room = Arc::clone(room);
    move |state, context| run(Arc::clone(&room), state, context)
}

/// A node that works in `room`.
fn on(
    room: &Arc<WritingRoom>,
    run: impl Fn(Arc<WritingRoom>, Arc<WritingState>, Context) -> Node + Send + Sync + 'static,
) -> impl Fn(Arc<WritingState>, Context) -> Node + Send + Sync + 'static {
    let room = Arc::clone(room);
    move |state, context| run(Arc::clone(&room), state, context)
}

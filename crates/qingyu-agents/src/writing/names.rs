//! Names of the agents, the nodes and the tools of the writing.

/// Name of the agent that writes, in events, calls and provenance.
pub const WRITER: &str = "writer_agent";
/// Name of the agent that reviews chapters.
pub(crate) const CRITIC: &str = "chapter_review_agent";
/// Name of the agent that extracts facts from a chapter.
pub(crate) const SETTLER: &str = "settlement_agent";

/// Name of the node that takes the next chapter from the queue.
pub(crate) const NEXT_CHAPTER: &str = "next_chapter";
/// Name of the node that plans the levels of the book and the chapters of its next arcs.
pub(crate) const PLAN_AHEAD: &str = "plan_ahead";
/// Name of the node that waits for the author at a gate.
pub(crate) const GATE: &str = "gate";
/// Name of the node that plans the chapter.
pub(crate) const UNDERSTAND: &str = "understand";
/// Name of the node that collects the context card.
pub(crate) const RAG_RETRIEVAL: &str = "rag_retrieval";
/// Name of the node that writes the prose.
pub(crate) const GENERATION: &str = "generation";
/// Name of the node that reviews the chapter.
pub(crate) const REVIEW: &str = "review";
/// Name of the node that fixes the chapter.
pub(crate) const REGENERATE: &str = "regenerate";
/// Name of the node that asks a person about a chapter below the floor.
pub(crate) const BELOW_FLOOR: &str = "below_floor";
/// Name of the node that accepts the chapter.
pub(crate) const FINALIZE: &str = "finalize";
/// Name of the node that extracts facts from the chapter.
pub(crate) const SETTLE: &str = "settle";
/// Name of the node that saves prose and settlement in one change.
pub const KEEP: &str = "keep";
/// Name of the node that asks the author about open settlement questions.
pub(crate) const QUESTIONS: &str = "questions";
/// Name of the author's decision about a plan of their own, in its provenance.
pub(crate) const OWN_PLAN: &str = "own_plan";
/// Name of the node that extracts facts from one of several chapters.
pub(crate) const EXTRACT: &str = "extract";
/// Name of the node that inserts extracted facts into the story.
pub(crate) const RECORD: &str = "record";
/// Name of the node that reviews one of several chapters.
pub(crate) const ASSESS: &str = "assess";
/// Name of the node that marks read chapters.
pub(crate) const MARK: &str = "mark";
/// Name of the node that continues with a fallback, or ends the run with a clear error.
pub(crate) const ERROR_HANDLER: &str = "error_handler";

/// Tools to collect the context of a chapter.
pub(super) const TOOLS: [&str; 2] = ["workspace_context_tool", "rag_tool"];

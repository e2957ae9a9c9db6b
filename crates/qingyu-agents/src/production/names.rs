//! Names of the agents and the nodes of a production.

/// Name of the agent that makes fields, in events, calls and provenance.
pub(crate) const PRODUCER: &str = "production_agent";
/// Name of the agent that searches, reads and cites.
pub(crate) const RESEARCHER: &str = "research_agent";
/// Name of the agent that talks to the user; its stream is meant for display.
pub const SPEAKER: &str = "conversation_agent";

/// Name of the node that loads the project.
pub(crate) const BEGIN: &str = "begin";
/// Name of the node that enters the next phase.
pub(crate) const ENTER: &str = "enter";
/// Name of the node that asks the next question.
pub(crate) const INTERVIEW: &str = "interview";
/// Name of the node that waits for the user.
pub(crate) const LISTEN: &str = "listen";
/// Name of the node that determines the user's intent.
pub(crate) const ROUTER: &str = "router";
/// Name of the node that makes fields.
pub(crate) const MAKE: &str = "make";
/// Name of the node that searches and reads the web.
pub(crate) const RESEARCH: &str = "research";
/// Name of the node that runs simulated consumers.
pub(crate) const SIMULATE: &str = "simulate";
/// Name of the node that scores content.
pub(crate) const EVALUATE: &str = "evaluate";
/// Name of the node that shows fields.
pub(crate) const QUERY: &str = "query";
/// Name of the node that chats with the user.
pub(crate) const CHAT: &str = "chat";
/// Name of the node that ends a phase.
pub(crate) const CHECKPOINT: &str = "checkpoint";

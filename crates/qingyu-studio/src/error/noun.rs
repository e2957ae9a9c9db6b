//! Names that nothing has.

use std::fmt;

/// The kind of object that was requested by an unknown name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noun {
    /// A project.
    Project,
    /// A run.
    Run,
    /// A graph.
    Graph,
    /// An agent for tasks.
    Agent,
    /// A field of the state of a run that can be edited.
    StateField,
    /// A node of the graph of a run.
    Node,
    /// A user.
    User,
    /// A key.
    Key,
    /// A member of a project, by name or key.
    Member,
    /// A person who may approve in a project.
    Approver,
    /// A rule, by the beginning of its code.
    Rule,
    /// A genre, by id or name.
    Genre,
    /// A finding, by id, or the code of a rule.
    Finding,
    /// A comment.
    Comment,
    /// Exactly one piece of the story, by id or name.
    Piece,
    /// A platform with rules.
    Platform,
    /// A field of a search condition that any piece has.
    SearchField,
    /// A kind of pieces.
    PieceKind,
    /// Exactly one memory.
    Memory,
    /// A text, by id, title or position.
    Document,
    /// A prompt.
    Prompt,
    /// A tool server of the settings.
    ToolServer,
}

impl fmt::Display for Noun {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Project => "project",
            Self::Run => "run",
            Self::Graph => "graph",
            Self::Agent => "agent",
            Self::StateField => "editable field",
            Self::Node => "node",
            Self::User => "user",
            Self::Key => "key",
            Self::Member => "member",
            Self::Approver => "approver",
            Self::Rule => "rule",
            Self::Genre => "genre",
            Self::Finding => "finding",
            Self::Comment => "comment",
            Self::Piece => "piece of the story",
            Self::Platform => "platform",
            Self::SearchField => "field",
            Self::PieceKind => "kind",
            Self::Memory => "memory",
            Self::Document => "text",
            Self::Prompt => "prompt",
            Self::ToolServer => "tool server",
        })
    }
}

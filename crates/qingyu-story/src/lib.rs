//! The story as data and its checker: plain values, no I/O.
//!
//! The map:
//!
//! - [`story`]: the [`Story`] and all it holds
//! - [`outline`], [`character`], [`plot`], [`world`], [`style`]: the pieces
//! - [`language`]: the language a story is told in
//! - [`piece`]: the smallest parts of a story that can be edited by themselves
//! - [`names`]: looking names up, and finding them in text
//! - [`ids`]: stable ids for pieces
//! - [`edit`]: edits of pieces as commands, undo, and the guard of incremental corrections
//! - [`time`]: story time, exactly
//! - [`check`]: running the rules; [`rules`]: the rules themselves, with explanations and examples
//! - [`report`]: findings, the diagnostic report, correction instructions

pub mod character;
pub mod check;
pub mod edit;
pub mod ids;
pub mod language;
pub mod names;
pub mod outline;
mod part;
pub mod piece;
pub mod plot;
pub mod report;
pub mod rules;
pub mod story;
pub mod style;
pub mod time;
pub mod world;

pub use character::{Character, CharacterRelation, RelationKind, RoleType};
pub use check::{Config, Finding, check, findings, score};
pub use edit::{Change, Edit, Target};
pub use language::Language;
pub use names::Names;
pub use outline::{OutlineNode, OutlineNodeKind};
pub use piece::{Piece, PieceKind, WorldFrame};
pub use plot::{Mode, PlotKind, PlotNode, TimelineEvent};
pub use report::{
    Action, Agent, Category, CorrectionInstruction, DiagnosticReport, Evidence, Issue, Severity, Source, Strategy,
};
pub use story::Story;
pub use style::StyleGuide;
pub use world::{Item, Location, Organisation, WorldRule, Worldview};

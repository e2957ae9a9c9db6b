//! The story as data and its checker: plain values, no I/O.
//!
//! The map:
//!
//! - [`story`]: the [`Story`] and all it holds
//! - [`outline`], [`character`], [`plot`], [`world`], [`style`]: the pieces
//! - [`language`]: the language a story is told in
//! - [`report`]: findings, the diagnostic report, correction instructions

pub mod character;
pub mod language;
pub mod outline;
pub mod plot;
pub mod report;
pub mod story;
pub mod style;
pub mod world;

pub use character::{Character, CharacterRelation, RelationKind, RoleType};
pub use language::Language;
pub use outline::{OutlineNode, OutlineNodeKind};
pub use plot::{Mode, PlotKind, PlotNode, TimelineEvent};
pub use report::{
    Action, Agent, Category, CorrectionInstruction, DiagnosticReport, Evidence, Issue, Severity, Source, Strategy,
};
pub use story::Story;
pub use style::StyleGuide;
pub use world::{Item, Location, Organisation, WorldRule, Worldview};

//! The ground truth of a story as one view: all statements from facts, cards, relations and events, each with period,
//! text position, knowers and source sentence.
//!
//! From bottom to top: `timeline`, `entity`, `attendance` and `scenes`; `frame`, `statement` and `knowledge`; `ground`;
//! `derive`, which fills it; `evidence`, `clock`, `sequence`; `claim`, `answer`, `ask` and `ledger`.

mod answer;
mod ask;
mod attendance;
mod claim;
mod clock;
mod derive;
mod entity;
mod event_dates;
mod evidence;
mod frame;
mod ground;
mod knowledge;
mod ledger;
mod scenes;
mod sequence;
mod statement;
#[cfg(test)]
mod tests;
mod timeline;

pub use answer::{Answer, KnownBy, Question, UnknownWord};
pub use ask::ask;
pub(crate) use attendance::Attendance;
pub use claim::{Claim, Party};
pub use clock::{Clock, Time};
pub(crate) use derive::turned;
pub(crate) use entity::{Entity, Registry};
pub(crate) use frame::{Extract, StoryFrame, positions};
pub use ground::GroundTruth;
pub(crate) use knowledge::{KnowledgeSource, KnownFact};
pub use ledger::{CharacterPanel, PanelRow, RowKind};
pub(crate) use ledger::{LedgerNumber, ledger_number, plain, signed};
pub(crate) use scenes::Scenes;
pub(crate) use statement::{PointSpan, PredicateTerm, StatementBasis, TruthStatement};
pub use timeline::PointId;

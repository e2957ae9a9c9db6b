//! Builds the temporal network of a story: the stated times of events and cards, and their consequences.
//!
//! Every narrated event or flashback has a start, an end and a start day; every card has a birth and a death. Dreams,
//! hearsay, beliefs and plans have no story time. Each calendar has an origin point of its own; nothing relates two
//! calendars.

mod beginning;
mod order;
mod read;
mod references;
mod said;
#[cfg(test)]
mod tests;
mod travel;

pub(crate) use beginning::{beginning, era_of};
pub(crate) use order::EventBeginning;
pub(crate) use order::{Chronology, EventPoints, SecondsRange};
pub(crate) use said::{BoundOrigin, BoundSource};
pub(crate) use travel::TravelConflict;

//! The facts to check together: everything a changed fact contributes to the rules, and everything the rules then read
//! alongside.
//!
//! A rule reading statements compares few at a time: statements of one subject and word, about one thing, or about
//! knowledge of one fact. Facts comparable in such a way are neighbours. All neighbours of a changed fact and of the
//! fact before the change are enough to find all differences; other findings among the neighbours occur before and
//! after the change, so they cancel out. Names match widely: facts are neighbours if their names may mean the same.

mod around;
mod entries;
mod index;
mod keys;

pub(super) use entries::FactEntry;
pub(super) use index::FactIndex;
pub(super) use keys::Slot;

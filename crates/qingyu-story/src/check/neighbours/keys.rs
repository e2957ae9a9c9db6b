//! The numbers of facts, names and spellings.

/// A stable handle of a fact, independent of its list index.
pub(in crate::check) type Slot = u32;

/// A possible meaning of a name, as an index into all registered meanings.
pub(super) type Key = u32;

/// A spelling of a name, as an index into all registered spellings.
pub(super) type Spelling = u32;

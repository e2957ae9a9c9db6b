//! The direction of a told time.

/// Which way a time lies from the text that tells it, if its own words do not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimeDirection {
    /// On the day of the text or before: what has begun, or is told by somebody.
    Before,
    /// On the day of the text or after: what happens next, or is planned.
    After,
    /// On the nearest day: what happens in the text.
    Around,
    /// Not known: a weekday is only that of a day of the text.
    Open,
    /// In a memory: a day without a year is the last one, and a weekday may be any.
    Memory,
    /// In a memory of another year: neither is known.
    OtherYear,
}

impl TimeDirection {
    /// Returns whether the time is one of a memory.
    pub(crate) fn is_memory(self) -> bool {
        matches!(self, Self::Memory | Self::OtherYear)
    }
}

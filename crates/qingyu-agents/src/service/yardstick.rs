//! Lists and rules for counting and review.

use std::sync::LazyLock;

use qingyu_text::report::Reviewer;
use qingyu_text::{Meter, OriginalityRules};

/// The lists and rules of text counting and review: the built-in ones, or the author's.
#[derive(Debug, Clone)]
pub struct Yardstick {
    /// Counter of texts.
    pub meter: Meter,
    /// Finder of listed words and broken rules.
    pub reviewer: Reviewer,
    /// Thresholds for copied passages.
    pub originality: OriginalityRules,
}

impl Yardstick {
    /// Returns the built-in lists and rules, parsed on first use.
    pub fn builtin() -> &'static Self {
        static BUILTIN: LazyLock<Yardstick> = LazyLock::new(Yardstick::default);
        &BUILTIN
    }
}

impl Default for Yardstick {
    fn default() -> Self {
        let (meter, reviewer) = (Meter::default(), Reviewer::default());
        Self { meter, reviewer, originality: OriginalityRules::builtin() }
    }
}

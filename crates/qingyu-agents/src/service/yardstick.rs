//! What texts are counted and reviewed by.

use std::sync::LazyLock;

use qingyu_text::report::Reviewer;
use qingyu_text::{Meter, OriginalityRules};

/// The lists and rules by which agents count and review texts: the built-in ones, or those of the author.
#[derive(Debug, Clone)]
pub struct Yardstick {
    /// What counts.
    pub meter: Meter,
    /// What finds words and broken rules.
    pub reviewer: Reviewer,
    /// When a passage counts as copied.
    pub originality: OriginalityRules,
}

impl Yardstick {
    /// The built-in one, made when it is first asked for.
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

//! How a script separates words.

use crate::analysis::is_unbordered;

/// How a script separates words.
#[derive(PartialEq, Eq)]
pub(super) enum Script {
    /// By characters in between.
    Bordered,
    /// Not at all: Chinese characters and kana.
    Unbordered,
    /// No words.
    None,
}

impl Script {
    pub(super) fn of(c: char) -> Self {
        if is_unbordered(c) {
            Self::Unbordered
        } else if c.is_alphanumeric() {
            Self::Bordered
        } else {
            Self::None
        }
    }
}

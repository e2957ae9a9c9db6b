//! Reasons a chapter could not continue as planned.

use serde::{Deserialize, Serialize};

/// The reason a chapter could not continue as planned.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Trouble {
    /// Name of the failed node.
    pub(crate) node: String,
    /// Stable error code.
    pub(crate) code: TroubleCode,
    /// Error message.
    pub(crate) message: String,
}

/// The kind of a trouble.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TroubleCode {
    /// The outline has no chapters.
    NoOutline,
    /// The chapter does not exist, or has no text.
    UnknownChapter,
    /// Nothing says how many chapters the book has.
    NoLength,
    /// The book has no such arc.
    UnknownArc,
    /// No usable answer came for a part of the plan.
    PlanStopped,
    /// The part to rewrite was not found in the chapter.
    UnknownPart,
    /// The model cannot write prose.
    CannotWrite,
    /// The model refuses to write, or returns nothing.
    #[default]
    Refused,
    /// The prompt is too long for the model.
    TooLong,
    /// The review is invalid.
    NoReview,
    /// The model cannot read chapters.
    CannotRead,
    /// The chapter is below the floor, and a person rejected it.
    BelowFloor,
}

impl TroubleCode {
    /// Returns whether no fallback is left.
    pub(crate) fn is_critical(self) -> bool {
        !matches!(self, Self::TooLong | Self::NoReview)
    }
}

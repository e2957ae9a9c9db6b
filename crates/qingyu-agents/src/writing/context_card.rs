//! The context card of a chapter, as text.

use serde::{Deserialize, Serialize};

/// The context of a chapter in two parts; the first is the same for all chapters.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ContextCard {
    /// Style guide, world, rules.
    pub(crate) stable: String,
    /// Context of this chapter.
    pub(crate) chapter: String,
    /// Estimated tokens of both parts.
    pub(crate) tokens: u64,
}

//! Waivers: findings accepted by the author, for good or until a chapter.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A finding, or all findings of a rule, that somebody has looked at and lets stand.
///
/// It holds only with a reason and an owner. What it covers is still reported, as waived, and costs nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Waiver {
    /// The id of the finding, such as `QS011-5f2a91`, or the code of a rule, such as `QS011`.
    pub finding: String,
    /// Only where this piece is touched: its name, title or id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<String>,
    /// Why it may stand.
    pub reason: String,
    /// Who says so.
    pub owner: String,
    /// When, such as `2026-11-22`; may be left empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub date: String,
    /// The chapter by which what it covers is to be mended: its number, title or id. Once a text tells this chapter or a
    /// later one, the waiver no longer holds. Without one, it holds for good.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due: Option<String>,
}

impl Waiver {
    /// Returns whether reason and owner are present.
    pub fn holds(&self) -> bool {
        !self.reason.trim().is_empty() && !self.owner.trim().is_empty()
    }
}

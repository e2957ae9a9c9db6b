//! What the author knows about and wants to keep.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Issue;
use crate::names::fold;

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
}

impl Waiver {
    /// Whether it has a reason and an owner.
    pub fn holds(&self) -> bool {
        !self.reason.trim().is_empty() && !self.owner.trim().is_empty()
    }

    /// Whether it is about `issue`.
    pub fn covers(&self, issue: &Issue) -> bool {
        let finding = self.finding.trim();
        let is_meant = issue.id.eq_ignore_ascii_case(finding)
            || issue.code.as_deref().is_some_and(|code| code.eq_ignore_ascii_case(finding));
        is_meant && self.piece.as_deref().is_none_or(|piece| touches(issue, piece))
    }
}

/// Whether `issue` names the piece, or quotes from it.
fn touches(issue: &Issue, piece: &str) -> bool {
    let piece = fold(piece);
    let is_quoted = |anchor: &str| anchor.split('/').any(|part| fold(part) == piece);
    issue.affected_entities.iter().any(|name| fold(name) == piece)
        || issue.evidence.iter().any(|evidence| is_quoted(&evidence.anchor))
}

//! An issue: something found in the material, with evidence.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::names::fold;
use crate::waiver::Waiver;

/// One thing that was found.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Issue {
    /// Stable over reviews of the same material, such as `QY101-5f2a91` or `model-03ab77`.
    pub id: String,
    /// How bad it is.
    pub severity: Severity,
    /// What it touches.
    pub category: Category,
    /// Whose work: `outline`, `character`, `relation`, `plot`, `timeline`, `worldview`, `style`.
    pub sub_category: String,
    /// In a line.
    pub title: String,
    /// Why it is so, not only that it is so.
    pub root_cause: String,
    /// Names of the pieces it touches.
    pub affected_entities: Vec<String>,
    /// What it does to the story.
    pub impact: String,
    /// Who found it.
    pub source: Source,
    /// The rule's code, if a rule found it.
    pub code: Option<String>,
    /// Quotes from the material, both sides of a contradiction.
    pub evidence: Vec<Evidence>,
    /// The waiver that lets it stand, if there is one. Set by the checker, never by a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub waived: Option<Waiver>,
    /// Why an agent that was to mend it holds it to be wrong; the author decides. Set by the checker, never by a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub disputed: Option<String>,
}

/// A quote from the material.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Evidence {
    /// Where: a piece and its field, such as `outline_nodes/o-3/description`.
    pub anchor: String,
    /// The words.
    pub quote: String,
}

/// How bad an issue is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Could be better.
    Low,
    /// Should be mended.
    #[default]
    Medium,
    /// Must be mended.
    High,
    /// The material cannot stand.
    Critical,
}

/// What an issue touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// Two pieces do not fit.
    #[default]
    Consistency,
    /// Something is missing.
    Completeness,
    /// Something cannot be.
    Rationality,
    /// Something is weak.
    Quality,
}

/// Who found an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// A rule of the checker.
    Rule,
    /// The reviewer model's judgement.
    #[default]
    Model,
    /// A person.
    Human,
}

impl Waiver {
    /// Returns whether the waiver applies to `issue`.
    pub fn covers(&self, issue: &Issue) -> bool {
        let finding = self.finding.trim();
        let is_meant = issue.id.eq_ignore_ascii_case(finding)
            || issue.code.as_deref().is_some_and(|code| code.eq_ignore_ascii_case(finding));
        is_meant && self.piece.as_deref().is_none_or(|piece| touches(issue, piece))
    }
}

/// Returns whether `issue` names or quotes the piece.
fn touches(issue: &Issue, piece: &str) -> bool {
    let piece = fold(piece);
    let is_quoted = |anchor: &str| anchor.split('/').any(|part| fold(part) == piece);
    issue.affected_entities.iter().any(|name| fold(name) == piece)
        || issue.evidence.iter().any(|evidence| is_quoted(&evidence.anchor))
}

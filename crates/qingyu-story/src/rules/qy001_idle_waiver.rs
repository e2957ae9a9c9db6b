//! QY001: an unused waiver.

use super::{CheckedStory, FindingDraft, Rule};
use crate::{Category, Severity, Waiver};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy001_idle_waiver.toml");
    Rule::on_findings("QY001", (Severity::Low, Category::Consistency, "style"), texts, run)
}

fn run(checked: &CheckedStory<'_>) -> Vec<FindingDraft> {
    let is_idle =
        |waiver: &&Waiver| !waiver.holds() || !checked.findings.iter().any(|finding| waiver.covers(&finding.issue));
    checked.story.waivers.iter().filter(is_idle).filter(|waiver| runs(checked, waiver)).map(draft).collect()
}

/// Returns whether the waiver's rule has run; a disabled rule proves nothing.
fn runs(checked: &CheckedStory<'_>, waiver: &Waiver) -> bool {
    let code = waiver.finding.trim().split('-').next().unwrap_or_default();
    let rule = checked.rules.iter().find(|rule| rule.code.eq_ignore_ascii_case(code));
    rule.is_none_or(|rule| checked.config.severity(rule.code, rule.severity).is_some())
}

fn draft(waiver: &Waiver) -> FindingDraft {
    let finding = waiver.finding.trim();
    let piece = waiver.piece.as_deref().unwrap_or_default();
    let says = [&waiver.reason, &waiver.owner, &waiver.date].map(|text| text.trim());
    FindingDraft::about([finding, piece])
        .say("finding", finding)
        .affects(if finding.is_empty() { "waivers" } else { finding })
        .affects(piece)
        .quote(format!("waivers/{finding}"), says.join(" · "))
}

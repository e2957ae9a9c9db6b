//! QY001: a waiver lets nothing stand.

use super::{Checked, Draft, Rule};
use crate::{Category, Severity, Waiver};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy001_idle_waiver.toml");
    Rule::on_findings("QY001", (Severity::Low, Category::Consistency, "style"), texts, run)
}

fn run(checked: &Checked<'_>) -> Vec<Draft> {
    let is_idle = |waiver: &&Waiver| {
        !waiver.holds() || !checked.findings.iter().any(|finding| waiver.covers(&finding.issue))
    };
    checked.story.waivers.iter().filter(is_idle).filter(|waiver| runs(checked, waiver)).map(draft).collect()
}

/// Whether the rule that the waiver is about has been run at all; one that is switched off tells nothing.
fn runs(checked: &Checked<'_>, waiver: &Waiver) -> bool {
    let code = waiver.finding.trim().split('-').next().unwrap_or_default();
    super::rule(code).is_none_or(|rule| checked.config.severity(rule.code, rule.severity).is_some())
}

fn draft(waiver: &Waiver) -> Draft {
    let finding = waiver.finding.trim();
    let piece = waiver.piece.as_deref().unwrap_or_default();
    let says = [&waiver.reason, &waiver.owner, &waiver.date].map(|text| text.trim());
    Draft::about([finding, piece])
        .say("finding", finding)
        .affects(if finding.is_empty() { "waivers" } else { finding })
        .affects(piece)
        .quote(format!("waivers/{finding}"), says.join(" · "))
}

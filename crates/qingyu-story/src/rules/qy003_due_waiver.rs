//! QY003: a waiver that has fallen due, and its finding is still there.

use super::{CheckedStory, FindingDraft, Rule};
use crate::due::due_and_in_force;
use crate::{Category, Severity, Waiver};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy003_due_waiver.toml");
    Rule::on_findings("QY003", (Severity::Low, Category::Consistency, "style"), texts, run)
}

fn run(checked: &CheckedStory<'_>) -> Vec<FindingDraft> {
    let is_unpaid = |waiver: &&Waiver| {
        checked.findings.iter().any(|finding| waiver.covers(&finding.issue) && finding.issue.waived.is_none())
    };
    let (due, _) = due_and_in_force(checked.story);
    due.into_iter().filter(is_unpaid).map(draft).collect()
}

fn draft(waiver: &Waiver) -> FindingDraft {
    let finding = waiver.finding.trim();
    let (piece, due) = (waiver.piece.as_deref().unwrap_or_default(), waiver.due.as_deref().unwrap_or_default());
    FindingDraft::about([finding, piece, due.trim()])
        .say("finding", finding)
        .say("due", due.trim())
        .say("owner", waiver.owner.trim())
        .say("reason", waiver.reason.trim())
        .affects(finding)
        .affects(piece)
        .quote(format!("waivers/{finding}"), [&waiver.reason, &waiver.owner].map(|text| text.trim()).join(" · "))
}

//! QY411: a character rises past a step of a ladder.

use serde_json::json;

use super::claims::contradiction;
use super::climbing::{Climb, Rung, beginning, climbs, may_explain, shown};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::piece::PieceKind;
use crate::predicate::PredicateRole;
use crate::{Action, Category, RoleType, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy411_step_skipped.toml");
    Rule::new("QY411", (Severity::Medium, Category::Consistency, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for climb in climbs(material).into_iter().filter(|climb| !climb.ladder.may_skip && !climb.ladder.steps.is_empty()) {
        for (at, pair) in climb.rungs.windows(2).enumerate() {
            let [before, after]: [Rung<'_, '_>; 2] = [pair[0], pair[1]];
            let both = (before.statement, after.statement);
            let skips = after.standing.step > before.standing.step + 1;
            // A person who has been there before comes back faster.
            let was_there = || climb.rungs[..at].iter().any(|rung| rung.standing.step >= after.standing.step);
            let is_explained = || may_explain(truth, climb.subject, &[PredicateRole::Leap, PredicateRole::Seal], both);
            if !skips || was_there() || !is_told_whole(material, &climb, (before, after)) || is_explained() {
                continue;
            }
            let steps = &climb.ladder.steps[before.standing.step as usize + 1..after.standing.step as usize];
            let leap = json!({
                "subject": truth.registry.name(climb.subject), "predicate": "leaps_to", "value": shown(truth, after),
                "from": beginning(truth, after.statement),
            });
            let draft = contradiction(truth, both)
                .say("ladder", climb.ladder.name.trim())
                .say("before", shown(truth, before))
                .say("after", shown(truth, after))
                .list("steps", steps.iter().map(|step| step.name.trim().to_owned()));
            drafts.push(draft.fix("leap", Action::Create, PieceKind::Fact, leap));
        }
    }
    drafts
}

/// Returns whether a step between two places would have been told: the two stand in one chapter or in neighbouring ones, or
/// the character is the protagonist and every chapter between them is settled.
fn is_told_whole(
    material: &RuleMaterial<'_>,
    climb: &Climb<'_, '_>,
    (before, after): (Rung<'_, '_>, Rung<'_, '_>),
) -> bool {
    let orders = before.statement.order.zip(after.statement.order);
    if let Some((from, to)) = orders
        && from.abs_diff(to) <= 1
    {
        return true;
    }
    let character = material.story.characters.get(climb.subject.index);
    let is_lead = climb.subject.kind == Some(PieceKind::Character)
        && character.is_some_and(|character| character.role_type == RoleType::Protagonist);
    let between = |order: u32| orders.is_none_or(|(from, to)| from < order && order < to);
    let documents = material.story.documents.iter().filter(|document| document.order > 0);
    is_lead && documents.filter(|document| between(document.order)).all(|document| document.settled.is_some())
}

//! QY413: somebody far below on a ladder wins, and no reason is told.

use serde_json::json;

use super::claims::contradiction;
use super::climbing::{Climb, Rung, beginning, climbs, is_placed, shown};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::piece::PieceKind;
use crate::predicate::PredicateRole;
use crate::truth::{Entity, GroundTruth, TruthStatement};
use crate::{Action, Category, Mode, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy413_win_over_steps.toml");
    Rule::new("QY413", (Severity::Medium, Category::Consistency, "plot"), texts, run)
}

/// So many chapters before a fight a place on a ladder still counts if none is known after it.
const RECENT: u32 = 3;

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    if !material.story.ladders().iter().any(|ladder| ladder.upset_limit > 0) {
        return Vec::new();
    }
    let truth = material.truth();
    let climbs = climbs(material);
    let fights = truth.with_role(PredicateRole::Victory);
    let fights = fights.filter(|one| one.is_narrated() && !one.is_denied() && is_placed(one));
    let mut drafts = Vec::new();
    for fight in fights {
        let Some(loser) = fight.object else { continue };
        for winning in climbs.iter().filter(|climb| climb.subject == fight.subject && climb.ladder.upset_limit > 0) {
            let of_loser =
                |climb: &&Climb<'_, '_>| climb.subject == loser && std::ptr::eq(climb.ladder, winning.ladder);
            let Some(losing) = climbs.iter().find(of_loser) else { continue };
            // The winner may have risen since, and the loser fallen: take the highest and the lowest that is possible.
            let (Some(mut low), Some(mut high)) = (around(truth, winning, fight), around(truth, losing, fight)) else {
                continue;
            };
            low.sort_by_key(|rung| rung.standing.step);
            high.sort_by_key(|rung| rung.standing.step);
            let (Some(low), Some(high)) = (low.last(), high.first()) else { continue };
            let steps = high.standing.step.saturating_sub(low.standing.step);
            if steps < winning.ladder.upset_limit || is_explained(truth, fight, loser, winning) {
                continue;
            }
            let names = [fight.subject, loser].map(|entity| truth.registry.name(entity).to_owned());
            let wound = json!({
                "subject": names[1], "predicate": "weakened", "value": true, "from": beginning(truth, fight),
            });
            let evidence = [low, high].map(|rung| rung.statement.evidence(truth));
            let draft = contradiction(truth, (low.statement, fight))
                .say("winner", names[0].clone())
                .say("loser", names[1].clone())
                .say("low", shown(truth, *low))
                .say("high", shown(truth, *high))
                .say("steps", steps.to_string())
                .say("fight", fight.evidence(truth).quote)
                .list("places", evidence.iter().map(|one| one.quote.clone()))
                .quotes(evidence.into_iter().map(|one| (one.anchor, one.quote)));
            drafts.push(draft.fix("weaken", Action::Create, PieceKind::Fact, wound));
        }
    }
    drafts
}

/// Returns the last place before a fight and the first after it; `None` if the place at the fight is not known.
fn around<'t, 's>(
    truth: &GroundTruth<'s>,
    climb: &Climb<'t, 's>,
    fight: &TruthStatement<'s>,
) -> Option<Vec<Rung<'t, 's>>> {
    let is_after = |rung: &&Rung<'_, 's>| truth.begins_earlier(fight, rung.statement);
    let before = climb.rungs.iter().rev().find(|rung| !is_after(rung))?;
    let is_at_once = before.statement.span.from.is_some() && before.statement.span.from == fight.span.from;
    if !is_at_once && !truth.begins_earlier(before.statement, fight) {
        return None;
    }
    let after = climb.rungs.iter().find(is_after);
    let is_recent = || {
        let orders = before.statement.order.zip(fight.order);
        is_at_once || orders.is_some_and(|(told, fought)| fought.abs_diff(told) <= RECENT)
    };
    (after.is_some() || is_recent()).then(|| [Some(before), after].into_iter().flatten().copied().collect())
}

/// Returns whether something may explain the victory: the loser was weakened, sealed or beaten by several; the winner used
/// something, or hid what they are.
fn is_explained<'s>(
    truth: &GroundTruth<'s>,
    fight: &TruthStatement<'s>,
    loser: Entity,
    winning: &Climb<'_, 's>,
) -> bool {
    let at_fight = |one: &TruthStatement<'s>| !truth.begins_earlier(fight, one) || one.span.from == fight.span.from;
    let is_close =
        |one: &TruthStatement<'s>| at_fight(one) && (!truth.begins_earlier(one, fight) || is_near(one, fight));
    let of = |who: Entity, roles: &[PredicateRole]| -> Vec<&TruthStatement<'s>> {
        roles.iter().flat_map(|role| truth.of_role_by(who, *role)).filter(|one| !one.is_denied()).collect()
    };
    let weak = of(loser, &[PredicateRole::Weakness, PredicateRole::Seal, PredicateRole::Fall]);
    let means = of(fight.subject, &[PredicateRole::Means, PredicateRole::Use]);
    let allies = truth.of_role(loser, PredicateRole::Victory).filter(|one| one.subject != fight.subject);
    let hides =
        |one: &&TruthStatement<'s>| one.mode == Mode::Disguised && winning.ladder.is_called(truth.word(one.predicate));
    let hidden = truth.by_subject().filter(|(subject, ..)| *subject == fight.subject);
    let mut hidden = hidden.flat_map(|(_, _, group)| group).map(|index| &truth.statements[*index]);
    weak.into_iter().any(at_fight)
        || means.into_iter().any(is_close)
        || allies.into_iter().any(is_close)
        || !of(fight.subject, &[PredicateRole::Seal]).is_empty()
        || hidden.any(|one| hides(&one))
}

/// Returns whether two statements may be of one fight: told in one chapter or in neighbouring ones, or without chapters.
fn is_near(one: &TruthStatement<'_>, fight: &TruthStatement<'_>) -> bool {
    one.order.zip(fight.order).is_some_and(|(told, fought)| told.abs_diff(fought) <= 1)
}

//! QY507: a character believes something known to be untrue.

use serde_json::json;

use super::claims::{differ, fix_fact};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::piece::PieceKind;
use crate::predicate::PredicateRole;
use crate::truth::{Entity, PointId, TruthStatement};
use crate::{Category, Knower, Mode, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy507_believes_against_knowledge.toml");
    Rule::new("QY507", (Severity::High, Category::Consistency, "plot"), texts, run)
}

/// A character believing an untrue statement.
struct Believer<'s> {
    who: Entity,
    since: PointId,
    /// The entry of `known_by`; `None` if the whole statement is the character's belief.
    entry: Option<&'s Knower>,
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    let is_false = |one: &&TruthStatement<'_>| matches!(one.mode, Mode::Lied | Mode::Believed);
    for lie in truth.statements[..truth.story.facts.len()].iter().filter(is_false) {
        for believer in believers(material, lie) {
            let known = truths(material, lie, &believer).into_iter().find_map(|position| {
                let mut known: Vec<_> = truth.knowledge_of(believer.who, position).collect();
                known.retain(|known| known.since.is_some_and(|since| truth.timeline.is_before(since, believer.since)));
                known.sort_by_cached_key(|known| known.evidence(truth).quote);
                known.first().copied()
            });
            let forgets = truth.of_role_by(believer.who, PredicateRole::Forgetting).next().is_some();
            if let Some(known) = known.filter(|_| !forgets) {
                drafts.push(draft(material, lie, &believer, known));
            }
        }
    }
    drafts
}

fn believers<'s>(material: &RuleMaterial<'s>, lie: &TruthStatement<'s>) -> Vec<Believer<'s>> {
    let truth = material.truth();
    let Some(fact) = truth.asserting(lie) else { return Vec::new() };
    let listed = fact.known_by.iter().filter_map(|knower| {
        let who = truth.registry.known(&knower.who).filter(|who| Some(*who) != lie.by)?;
        Some(Believer { who, since: truth.timeline.known(&knower.since)?, entry: Some(knower) })
    });
    let own = lie.by.zip(lie.span.from).filter(|_| lie.mode == Mode::Believed);
    listed.chain(own.map(|(who, since)| Believer { who, since, entry: None })).collect()
}

/// Returns the facts certainly contradicting the believed lie, by content.
fn truths(material: &RuleMaterial<'_>, lie: &TruthStatement<'_>, believer: &Believer<'_>) -> Vec<usize> {
    let truth = material.truth();
    let word = truth.predicate(lie.predicate);
    let mut positions = Vec::new();
    if word.is_some_and(|word| word.role == Some(PredicateRole::Denial)) {
        let denied = lie.object.filter(|object| object.kind == Some(PieceKind::Fact)).map(|object| object.index);
        positions.extend(denied.filter(|position| truth.of_fact(*position).is_narrated()));
    }
    let Some(word) = word.filter(|word| word.single && truth.registry.is_clear(lie.subject)) else { return positions };
    let lasts = |one: &TruthStatement<'_>| {
        let is_steady = word.steady && one.span.is_open();
        word.immutable || is_steady || one.span.holds(believer.since, &truth.timeline)
    };
    let told = truth.about(lie.subject, lie.predicate).filter(|one| one.is_narrated() && lasts(one));
    let told = told.filter(|one| differ(material, one, lie)).filter_map(|one| match one.basis {
        crate::truth::StatementBasis::Fact(position) => Some(position),
        _ => None,
    });
    positions.extend(told);
    positions.sort_by_cached_key(|position| truth.of_fact(*position).basis.piece(truth.story));
    positions
}

fn draft(
    material: &RuleMaterial<'_>,
    lie: &TruthStatement<'_>,
    believer: &Believer<'_>,
    known: &crate::truth::KnownFact,
) -> FindingDraft {
    let truth = material.truth();
    let fact = truth.of_fact(known.fact);
    let who = truth.registry.name(believer.who);
    let [lied, so, knows] = [lie.evidence(truth), fact.evidence(truth), known.evidence(truth)];
    let draft = FindingDraft::about([lie.basis.piece(truth.story).1, fact.basis.piece(truth.story).1, who.to_owned()])
        .say("who", who)
        .say("lie", lied.quote.clone())
        .say("fact", so.quote.clone())
        .say("knows", knows.quote.clone())
        .affects(who)
        .affects(truth.registry.name(lie.subject))
        .quotes([lied, so, knows].map(|evidence| (evidence.anchor, evidence.quote)));
    match believer.entry {
        Some(entry) => fix_fact(draft, "doubt", truth.asserting(lie), json!({ "remove_known_by": [entry] })),
        None => fix_fact(draft, "doubt", truth.asserting(lie), json!({ "mode": "retconned" })),
    }
}

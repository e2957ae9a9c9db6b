//! QY801: a fact forbidden by a rule of the world.

use serde_json::json;

use super::clauses::{ResolvedClause, readings, shown};
use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::truth::{GroundTruth, StatementBasis, TruthStatement};
use crate::{Action, Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy801_forbidden_fact.toml");
    Rule::new("QY801", (Severity::High, Category::Consistency, "worldview"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for reading in readings(truth, |rule| rule.forbids.as_ref()) {
        let broken = reading.met(truth).into_iter().filter(|one| !one.is_denied());
        for statement in broken.filter(|one| !matches!(one.basis, StatementBasis::Event(..))) {
            drafts.push(except(truth, &reading, breach(truth, &reading, statement), statement));
        }
    }
    drafts
}

/// Returns the draft of a statement violating a rule.
pub(super) fn breach<'s>(
    truth: &GroundTruth<'s>,
    reading: &ResolvedClause<'s>,
    statement: &TruthStatement<'s>,
) -> FindingDraft {
    let evidence = statement.evidence(truth);
    let who = truth.registry.name(statement.subject);
    let (_, piece) = statement.basis.piece(truth.story);
    FindingDraft::about([handle(reading.rule), piece, who.to_owned()])
        .say("rule", reading.rule.name.trim())
        .say("who", who)
        .say("said", evidence.quote.clone())
        .say("clause", shown(reading.clause))
        .affects(reading.rule.name.trim())
        .affects(who)
        .quote(anchor(PieceKind::WorldRule, reading.rule, "statement"), law(reading))
        .quote(evidence.anchor, evidence.quote)
}

/// Adds a fix exempting the violator from the rule.
fn except<'s>(
    truth: &GroundTruth<'s>,
    reading: &ResolvedClause<'s>,
    draft: FindingDraft,
    statement: &TruthStatement<'s>,
) -> FindingDraft {
    let mut forbids = reading.clause.clone();
    let forbidding = truth.story.world_rules().iter().filter(|rule| handle(*rule) == handle(reading.rule)).count();
    forbids.unless.push(truth.registry.name(statement.subject).to_owned());
    let parameters = target(reading.rule, json!({ "forbids": forbids }));
    if forbidding > 1 {
        return draft;
    }
    draft.fix("except", Action::Update, PieceKind::WorldRule, parameters)
}

/// Returns the rule's own text, or as a fallback its clause in words.
pub(super) fn law(reading: &ResolvedClause<'_>) -> String {
    let statement = reading.rule.statement.trim();
    if statement.is_empty() { shown(reading.clause) } else { statement.to_owned() }
}

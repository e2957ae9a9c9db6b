//! QY801: a fact that a rule of the world forbids.

use serde_json::json;

use super::clauses::{Reading, readings, shown};
use super::material::{anchor, handle, target};
use super::{Draft, Material, Rule};
use crate::piece::PieceKind;
use crate::truth::{Basis, GroundTruth, Statement};
use crate::{Action, Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy801_forbidden_fact.toml");
    Rule::new("QY801", (Severity::High, Category::Consistency, "worldview"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for reading in readings(truth, |rule| rule.forbids.as_ref()) {
        let broken = reading.met(truth).into_iter().filter(|one| !one.is_denied());
        for statement in broken.filter(|one| !matches!(one.basis, Basis::Event(..))) {
            drafts.push(except(truth, &reading, breach(truth, &reading, statement), statement));
        }
    }
    drafts
}

/// The draft of a statement that breaks a rule.
pub(super) fn breach<'s>(truth: &GroundTruth<'s>, reading: &Reading<'s>, statement: &Statement<'s>) -> Draft {
    let evidence = statement.evidence(truth);
    let who = truth.registry.name(statement.subject);
    let (_, piece) = statement.basis.piece(truth.story);
    Draft::about([handle(reading.rule), piece, who.to_owned()])
        .say("rule", reading.rule.name.trim())
        .say("who", who)
        .say("said", evidence.quote.clone())
        .say("clause", shown(reading.clause))
        .affects(reading.rule.name.trim())
        .affects(who)
        .quote(anchor(PieceKind::WorldRule, reading.rule, "statement"), law(reading))
        .quote(evidence.anchor, evidence.quote)
}

/// Excepts who breaks the rule from it.
fn except<'s>(truth: &GroundTruth<'s>, reading: &Reading<'s>, draft: Draft, statement: &Statement<'s>) -> Draft {
    let mut forbids = reading.clause.clone();
    let forbidding = truth.story.world_rules().iter().filter(|rule| handle(*rule) == handle(reading.rule)).count();
    forbids.unless.push(truth.registry.name(statement.subject).to_owned());
    let parameters = target(reading.rule, json!({ "forbids": forbids }));
    if forbidding > 1 {
        return draft;
    }
    draft.fix("except", Action::Update, PieceKind::WorldRule, parameters)
}

/// The rule in its own words, or word by word.
pub(super) fn law(reading: &Reading<'_>) -> String {
    let statement = reading.rule.statement.trim();
    if statement.is_empty() { shown(reading.clause) } else { statement.to_owned() }
}

//! QY803: a rule of the world forbids an act demanded by another rule.

use serde_json::{Value, json};

use super::clauses::{ResolvedClause, readings, shown};
use super::material::target;
use super::qy801_forbidden_fact::law;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::names::fold;
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy803_rules_clash.toml");
    Rule::new("QY803", (Severity::High, Category::Rationality, "worldview"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let truth = material.truth();
    let demands = readings(truth, |rule| rule.demands.as_ref());
    let mut drafts = Vec::new();
    for forbids in readings(truth, |rule| rule.forbids.as_ref()) {
        for demand in demands.iter().filter(|demand| clash(&forbids, demand)) {
            let draft = FindingDraft::about([handle(forbids.rule), handle(demand.rule)])
                .say("one", forbids.rule.name.trim())
                .say("other", demand.rule.name.trim())
                .say("forbids", shown(forbids.clause))
                .say("demands", shown(demand.clause))
                .affects(forbids.rule.name.trim())
                .affects(demand.rule.name.trim())
                .quote(anchor(PieceKind::WorldRule, forbids.rule, "forbids"), law(&forbids))
                .quote(anchor(PieceKind::WorldRule, demand.rule, "demands"), law(demand))
                .fix(
                    "lift",
                    Action::Update,
                    PieceKind::WorldRule,
                    target(demand.rule, json!({ "demands": Value::Null })),
                );
            drafts.push(draft);
        }
    }
    drafts
}

/// Returns whether a character would certainly be required to do something forbidden.
fn clash(forbids: &ResolvedClause<'_>, demands: &ResolvedClause<'_>) -> bool {
    let (one, other) = (forbids.clause, demands.clause);
    let is_open = |word: &str| word.trim().is_empty();
    let meets = |a: &str, b: &str| is_open(a) || is_open(b) || fold(a) == fold(b);
    let text = |name: &Option<String>| name.clone().unwrap_or_default();
    let excepts = |clause: &crate::Clause, who: &str| clause.unless.iter().any(|word| fold(word) == fold(who));
    let shared = one.unless.iter().all(|word| excepts(other, word));
    forbids.predicate == demands.predicate
        && meets(&one.who, &other.who)
        && (is_open(&text(&one.object)) || fold(&text(&one.object)) == fold(&text(&other.object)))
        && meets(&text(&one.place), &text(&other.place))
        && shared
        && !excepts(other, &one.who)
}

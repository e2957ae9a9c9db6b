//! QY803: one rule of the world forbids what another demands.

use serde_json::{Value, json};

use super::clauses::{Reading, readings, shown};
use super::material::{anchor, handle, target};
use super::qy801_forbidden_fact::law;
use super::{Draft, Material, Rule};
use crate::names::fold;
use crate::piece::PieceKind;
use crate::{Action, Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy803_rules_clash.toml");
    Rule::new("QY803", (Severity::High, Category::Rationality, "worldview"), texts, run)
}

fn run(material: &Material<'_>) -> Vec<Draft> {
    let truth = material.truth();
    let demands = readings(truth, |rule| rule.demands.as_ref());
    let mut drafts = Vec::new();
    for forbids in readings(truth, |rule| rule.forbids.as_ref()) {
        for demand in demands.iter().filter(|demand| clash(&forbids, demand)) {
            let draft = Draft::about([handle(forbids.rule), handle(demand.rule)])
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

/// Whether somebody would certainly have to do what they must not.
fn clash(forbids: &Reading<'_>, demands: &Reading<'_>) -> bool {
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

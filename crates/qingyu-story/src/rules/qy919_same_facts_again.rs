//! QY919: two scenes with the same resulting facts.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::material::target;
use super::qy916_repeated_scene::{share, tell_the_same};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::truth::{Entity, PredicateTerm, StatementBasis};
use crate::{Action, Category, Mode, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy919_same_facts_again.toml");
    Rule::new("QY919", (Severity::Low, Category::Quality, "plot"), texts, run)
}

/// The minimum share of common facts for equal scenes.
const SHARED: f64 = 0.6;
/// The minimum number of facts.
const LEAST: usize = 3;

/// The content of a fact.
type FactKey = (Entity, PredicateTerm, Option<Entity>, String);

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let facts = facts(material);
    let mut drafts = Vec::new();
    for (first, mut next) in material.scenes().each() {
        let Some(told) = facts.get(&first) else { continue };
        let said: BTreeSet<&FactKey> = told.keys().collect();
        let again = next.find_map(|second| {
            let other = facts.get(&second)?;
            (share(&said, &other.keys().collect()) >= SHARED).then_some((second, other))
        });
        let events = &material.story.timeline_events;
        // Scenes in the same words are reported by QY916.
        if let Some((second, other)) = again.filter(|(second, _)| !tell_the_same(&events[first], &events[*second])) {
            let both: Vec<usize> =
                told.iter().filter_map(|(said, one)| Some([*one, *other.get(said)?])).flatten().collect();
            drafts.push(draft(material, [first, second], &both));
        }
    }
    drafts
}

/// Returns, by event, the contents of the facts starting with the event, each with the first such fact; only for
/// comparable scenes with enough meaningful facts.
fn facts(material: &RuleMaterial<'_>) -> BTreeMap<usize, BTreeMap<FactKey, usize>> {
    let truth = material.truth();
    let mut facts: BTreeMap<usize, BTreeMap<FactKey, usize>> = BTreeMap::new();
    let key = |fact: usize| handle(&material.story.facts[fact]);
    for one in truth.statements.iter().filter(|one| one.mode == Mode::Narrated) {
        let event = one.span.from.and_then(|from| truth.timeline.event(from));
        let event = event.filter(|event| material.scenes().is_compared(*event));
        if let (StatementBasis::Fact(fact), Some(event)) = (one.basis, event) {
            let value = if one.object.is_some() { String::new() } else { one.shown(truth) };
            let said = (one.subject, one.predicate, one.object, value);
            let first = facts.entry(event).or_default().entry(said).or_insert(fact);
            if key(fact) < key(*first) {
                *first = fact;
            }
        }
    }
    facts.retain(|_, said| said.len() >= LEAST);
    facts
}

fn draft(material: &RuleMaterial<'_>, scenes: [usize; 2], facts: &[usize]) -> FindingDraft {
    let [first, second] = scenes.map(|event| &material.story.timeline_events[event]);
    let facts: Vec<_> = facts.iter().map(|fact| &material.story.facts[*fact]).collect();
    let language = material.story.language;
    let labels: BTreeSet<String> = facts.iter().map(|fact| fact.sentence(language)).collect();
    FindingDraft::about([handle(first), handle(second)])
        .say("first", first.title.trim())
        .say("second", second.title.trim())
        .list("names", first.participants.iter().map(|name| name.trim().to_owned()))
        .list("facts", labels)
        .affects(first.title.trim())
        .affects(second.title.trim())
        .quotes(facts.iter().map(|fact| {
            (anchor(PieceKind::Fact, *fact, "from"), format!("{}: {}", fact.from.trim(), fact.sentence(language)))
        }))
        .fix("drop", Action::Delete, PieceKind::Event, target(second, json!({})))
}

//! QY919: two scenes come to the same facts.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::material::{anchor, handle, target};
use super::qy916_repeated_scene::{share, tell_the_same};
use super::{Draft, Material, Rule};
use crate::piece::PieceKind;
use crate::truth::{Basis, Entity, Term};
use crate::{Action, Category, Mode, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy919_same_facts_again.toml");
    Rule::new("QY919", (Severity::Low, Category::Quality, "plot"), texts, run)
}

/// The share of facts that makes two scenes the same.
const SHARED: f64 = 0.6;
/// Fewer say too little.
const LEAST: usize = 3;

/// What a fact says.
type Said = (Entity, Term, Option<Entity>, String);

fn run(material: &Material<'_>) -> Vec<Draft> {
    let facts = facts(material);
    let mut drafts = Vec::new();
    for (first, mut next) in material.scenes().each() {
        let Some(told) = facts.get(&first) else { continue };
        let said: BTreeSet<&Said> = told.keys().collect();
        let again = next.find_map(|second| {
            let other = facts.get(&second)?;
            (share(&said, &other.keys().collect()) >= SHARED).then_some((second, other))
        });
        let events = &material.story.timeline_events;
        // What is told in the same words is the business of QY916.
        if let Some((second, other)) = again.filter(|(second, _)| !tell_the_same(&events[first], &events[*second])) {
            let both: Vec<usize> = told.iter().filter_map(|(said, one)| Some([*one, *other.get(said)?])).flatten().collect();
            drafts.push(draft(material, [first, second], &both));
        }
    }
    drafts
}

/// What the facts that begin with each event say, and the first fact that says so; only scenes that are
/// compared, and with as many facts as say something.
fn facts(material: &Material<'_>) -> BTreeMap<usize, BTreeMap<Said, usize>> {
    let truth = material.truth();
    let mut facts: BTreeMap<usize, BTreeMap<Said, usize>> = BTreeMap::new();
    let key = |fact: usize| handle(&material.story.facts[fact]);
    for one in truth.statements.iter().filter(|one| one.mode == Mode::Narrated) {
        let event = one.span.from.and_then(|from| truth.timeline.event(from));
        let event = event.filter(|event| material.scenes().is_compared(*event));
        if let (Basis::Fact(fact), Some(event)) = (one.basis, event) {
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

fn draft(material: &Material<'_>, scenes: [usize; 2], facts: &[usize]) -> Draft {
    let [first, second] = scenes.map(|event| &material.story.timeline_events[event]);
    let facts: Vec<_> = facts.iter().map(|fact| &material.story.facts[*fact]).collect();
    let labels: BTreeSet<String> = facts.iter().map(|fact| fact.label()).collect();
    Draft::about([handle(first), handle(second)])
        .say("first", first.title.trim())
        .say("second", second.title.trim())
        .list("names", first.participants.iter().map(|name| name.trim().to_owned()))
        .list("facts", labels)
        .affects(first.title.trim())
        .affects(second.title.trim())
        .quotes(facts.iter().map(|fact| (anchor(PieceKind::Fact, *fact, "from"), format!("{}: {}", fact.from.trim(), fact.label()))))
        .fix("drop", Action::Delete, PieceKind::Event, target(second, json!({})))
}

//! QY916: two chapters tell the same scene.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::material::{anchor, handle, target};
use super::{Draft, Material, Rule};
use crate::language::is_han;
use crate::names::fold;
use crate::piece::PieceKind;
use crate::truth::{Basis, Entity, Term};
use crate::{Action, Category, Mode, Severity, TimelineEvent};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy916_repeated_scene.toml");
    Rule::new("QY916", (Severity::Low, Category::Quality, "plot"), texts, run)
}

/// Of many scenes of the same people each is compared with so many that are told next.
const NEXT: usize = 24;
/// The share of words, or of facts, that makes two scenes the same.
const SHARED: f64 = 0.6;
/// Shorter descriptions say too little.
const LEAST_WORDS: usize = 8;
const LEAST_FACTS: usize = 3;

fn run(material: &Material<'_>) -> Vec<Draft> {
    let mut scenes: BTreeMap<Vec<usize>, Vec<(u32, usize)>> = BTreeMap::new();
    for (position, event) in material.narrated() {
        let people: BTreeSet<usize> = event.participants.iter().filter_map(|name| material.character_position(name)).collect();
        let node = event.outline_node.as_deref().and_then(|name| material.outline_node(name));
        if let Some(node) = node.filter(|_| people.len() >= 2 && people.len() == event.participants.len()) {
            scenes.entry(people.into_iter().collect()).or_default().push((node.order, position));
        }
    }
    let facts = facts(material);
    let mut drafts = Vec::new();
    for mut scenes in scenes.into_values().filter(|scenes| scenes.len() > 1) {
        scenes.sort_by_cached_key(|(order, event)| (*order, handle(&material.story.timeline_events[*event])));
        for (place, (order, first)) in scenes.iter().enumerate() {
            let later = scenes[place + 1..].iter().take(NEXT).filter(|(other, _)| other != order);
            let again = later.map(|(_, second)| *second).find(|second| is_same(material, &facts, *first, *second));
            drafts.extend(again.map(|second| draft(material, *first, second)));
        }
    }
    drafts
}

/// What a fact says.
type Said = (Entity, Term, Option<Entity>, String);

/// What the facts that begin with each event say.
fn facts(material: &Material<'_>) -> BTreeMap<usize, BTreeSet<Said>> {
    let truth = material.truth();
    let mut facts: BTreeMap<usize, BTreeSet<Said>> = BTreeMap::new();
    for one in truth.statements.iter().filter(|one| matches!(one.basis, Basis::Fact(_)) && one.mode == Mode::Narrated) {
        if let Some(event) = one.span.from.and_then(|from| truth.timeline.event(from)) {
            let value = if one.object.is_some() { String::new() } else { one.shown(truth) };
            facts.entry(event).or_default().insert((one.subject, one.predicate, one.object, value));
        }
    }
    facts
}

fn is_same(material: &Material<'_>, facts: &BTreeMap<usize, BTreeSet<Said>>, first: usize, second: usize) -> bool {
    let [one, other] = [first, second].map(|event| &material.story.timeline_events[event]);
    let place = |event: &TimelineEvent| fold(event.location.as_deref().unwrap_or_default());
    if place(one) != place(other) {
        return false;
    }
    let words = [one, other].map(|event| runs(&event.description));
    let are_alike = words.iter().all(|words| words.len() >= LEAST_WORDS) && share(&words[0], &words[1]) >= SHARED;
    let told = facts.get(&first).zip(facts.get(&second));
    are_alike || told.is_some_and(|(a, b)| a.len() >= LEAST_FACTS && b.len() >= LEAST_FACTS && share(a, b) >= SHARED)
}

/// The pairs of neighbouring words (Chinese characters).
fn runs(text: &str) -> BTreeSet<String> {
    let folded = fold(text);
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    for c in folded.chars() {
        if is_han(c) {
            words.push(c.to_string());
        } else if c.is_alphanumeric() {
            match words.last_mut().filter(|_| is_open) {
                Some(word) => word.push(c),
                None => words.push(c.to_string()),
            }
        }
        is_open = c.is_alphanumeric() && !is_han(c);
    }
    words.windows(2).map(|pair| pair.join(" ")).collect()
}

/// Dice's coefficient, from 0 to 1.
fn share<T: Ord>(a: &BTreeSet<T>, b: &BTreeSet<T>) -> f64 {
    2.0 * a.intersection(b).count() as f64 / (a.len() + b.len()).max(1) as f64
}

fn draft(material: &Material<'_>, first: usize, second: usize) -> Draft {
    let [first, second] = [first, second].map(|event| &material.story.timeline_events[event]);
    let told = |event: &TimelineEvent| match event.description.trim() {
        "" => event.title.trim().to_owned(),
        text => text.to_owned(),
    };
    let names: Vec<String> = first.participants.iter().map(|name| name.trim().to_owned()).collect();
    Draft::about([handle(first), handle(second)])
        .say("first", first.title.trim())
        .say("second", second.title.trim())
        .list("names", names)
        .affects(first.title.trim())
        .affects(second.title.trim())
        .quote(anchor(PieceKind::Event, first, "description"), told(first))
        .quote(anchor(PieceKind::Event, second, "description"), told(second))
        .fix("drop", Action::Delete, PieceKind::Event, target(second, json!({})))
}

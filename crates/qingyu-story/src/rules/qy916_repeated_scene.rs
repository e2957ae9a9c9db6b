//! QY916: two chapters tell the same scene in almost the same words.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use serde_json::json;

use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::language::is_han;
use crate::names::fold;
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, Severity, TimelineEvent};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy916_repeated_scene.toml");
    Rule::new("QY916", (Severity::Low, Category::Quality, "plot"), texts, run)
}

/// The minimum share of common words for equal scenes.
const SHARED: f64 = 0.6;
/// The minimum length of a description in words.
const LEAST_WORDS: usize = 8;

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let words: Vec<OnceCell<BTreeSet<String>>> = vec![OnceCell::new(); material.story.timeline_events.len()];
    let words =
        |event: usize| words[event].get_or_init(|| word_pairs(&material.story.timeline_events[event].description));
    let scenes = material.scenes().each().filter_map(|(first, mut next)| {
        let second = next.find(|second| are_alike(words(first), words(*second)))?;
        Some(draft(material, first, second))
    });
    scenes.collect()
}

/// Returns whether two descriptions are almost equal in words.
pub(super) fn tell_the_same(first: &TimelineEvent, second: &TimelineEvent) -> bool {
    are_alike(&word_pairs(&first.description), &word_pairs(&second.description))
}

fn are_alike(a: &BTreeSet<String>, b: &BTreeSet<String>) -> bool {
    a.len() >= LEAST_WORDS && b.len() >= LEAST_WORDS && share(a, b) >= SHARED
}

/// Returns the pairs of neighbouring words (Chinese characters).
pub(super) fn word_pairs(text: &str) -> BTreeSet<String> {
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

/// Returns Dice's coefficient, from 0 to 1.
pub(super) fn share<T: Ord>(a: &BTreeSet<T>, b: &BTreeSet<T>) -> f64 {
    2.0 * a.intersection(b).count() as f64 / (a.len() + b.len()).max(1) as f64
}

fn draft(material: &RuleMaterial<'_>, first: usize, second: usize) -> FindingDraft {
    let [first, second] = [first, second].map(|event| &material.story.timeline_events[event]);
    let told = |event: &TimelineEvent| match event.description.trim() {
        "" => event.title.trim().to_owned(),
        text => text.to_owned(),
    };
    let names: Vec<String> = first.participants.iter().map(|name| name.trim().to_owned()).collect();
    FindingDraft::about([handle(first), handle(second)])
        .say("first", first.title.trim())
        .say("second", second.title.trim())
        .list("names", names)
        .affects(first.title.trim())
        .affects(second.title.trim())
        .quote(anchor(PieceKind::Event, first, "description"), told(first))
        .quote(anchor(PieceKind::Event, second, "description"), told(second))
        .fix("drop", Action::Delete, PieceKind::Event, target(second, json!({})))
}

//! QY916: two chapters tell the same scene in almost the same words.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use serde_json::json;

use super::material::{anchor, handle, target};
use super::{Draft, Material, Rule};
use crate::language::is_han;
use crate::names::fold;
use crate::piece::PieceKind;
use crate::{Action, Category, Severity, TimelineEvent};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy916_repeated_scene.toml");
    Rule::new("QY916", (Severity::Low, Category::Quality, "plot"), texts, run)
}

/// The share of words that makes two scenes the same.
const SHARED: f64 = 0.6;
/// Shorter descriptions say too little.
const LEAST_WORDS: usize = 8;

fn run(material: &Material<'_>) -> Vec<Draft> {
    let words: Vec<OnceCell<BTreeSet<String>>> = vec![OnceCell::new(); material.story.timeline_events.len()];
    let words = |event: usize| words[event].get_or_init(|| runs(&material.story.timeline_events[event].description));
    let scenes = material.scenes().each().filter_map(|(first, mut next)| {
        let second = next.find(|second| are_alike(words(first), words(*second)))?;
        Some(draft(material, first, second))
    });
    scenes.collect()
}

/// Whether two descriptions say almost the same, in words.
pub(super) fn tell_the_same(first: &TimelineEvent, second: &TimelineEvent) -> bool {
    are_alike(&runs(&first.description), &runs(&second.description))
}

fn are_alike(a: &BTreeSet<String>, b: &BTreeSet<String>) -> bool {
    a.len() >= LEAST_WORDS && b.len() >= LEAST_WORDS && share(a, b) >= SHARED
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
pub(super) fn share<T: Ord>(a: &BTreeSet<T>, b: &BTreeSet<T>) -> f64 {
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

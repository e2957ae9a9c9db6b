//! QY917: a chapter begins before the end of the previous chapter.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::keeping::is_place_clear;
use super::material::{target, when};
use super::qy313_outside_its_chapter::span;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::language::has_any;
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, OutlineNode, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy917_opening_before_ending.toml");
    Rule::new("QY917", (Severity::Low, Category::Consistency, "timeline"), texts, run)
}

/// Words for deliberate flashbacks.
const BACK: &[&str] = &[
    "回忆",
    "往事",
    "当年",
    "从前",
    "之前",
    "年前",
    "月前",
    "天前",
    "倒叙",
    "插叙",
    "前传",
    "序",
    "楔子",
    "同时",
    "另一边",
    "earlier",
    "before",
    "ago",
    "past",
    "memory",
    "memories",
    "remembers",
    "flashback",
    "prologue",
    "meanwhile",
    "back in",
];

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut told: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (position, event) in material.narrated() {
        if let Some(node) = event.outline_node.as_deref().and_then(|name| material.outline_node(name)) {
            told.entry(handle(node)).or_default().push(position);
        }
    }
    let nodes = material.reading_order();
    let pairs = nodes.windows(2).filter(|pair| pair.iter().all(|node| is_place_clear(material, node)));
    let back = pairs.filter_map(|pair| {
        let (before, after) = (told.get(&handle(pair[0]))?, told.get(&handle(pair[1]))?);
        let (who, ending, opening) = goes_back(material, before, after)?;
        let text = format!("{} {}", pair[1].name, pair[1].description);
        let is_meant = has_any(&text, BACK) || span(pair[1]).is_some();
        (!is_meant).then_some((pair[0], pair[1], who, ending, opening))
    });
    // A book with repeated time jumps uses them on purpose.
    match back.collect::<Vec<_>>().as_slice() {
        [one] => vec![draft(material, *one)],
        _ => Vec::new(),
    }
}

/// Returns a character whose dated events in the later chapter are all certainly before the dated events in the earlier
/// chapter, with one event of each.
fn goes_back(material: &RuleMaterial<'_>, before: &[usize], after: &[usize]) -> Option<(usize, usize, usize)> {
    let people = material.people();
    let dated = |events: &[usize], who: Option<usize>| -> Vec<usize> {
        let is_there = |event: &usize| who.is_none_or(|who| people[*event].contains(&who));
        events.iter().copied().filter(|event| material.times[*event].is_some()).filter(is_there).collect()
    };
    let all =
        |events: &[usize]| -> BTreeSet<usize> { events.iter().flat_map(|event| &people[*event]).copied().collect() };
    let (ends, begins) = (dated(before, None), dated(after, None));
    let mut shared: Vec<usize> = all(&ends).intersection(&all(&begins)).copied().collect();
    shared.sort_by_cached_key(|who| handle(&material.story.characters[*who]));
    shared.into_iter().find_map(|who| {
        let (mut ends, mut begins) = (dated(before, Some(who)), dated(after, Some(who)));
        for events in [&mut ends, &mut begins] {
            events.sort_by_cached_key(|event| handle(&material.story.timeline_events[*event]));
        }
        let is_back = begins.iter().all(|opening| ends.iter().all(|ending| material.is_earlier(*opening, *ending)));
        is_back.then(|| (who, ends[0], begins[0]))
    })
}

fn draft(
    material: &RuleMaterial<'_>,
    (before, after, who, ending, opening): (&OutlineNode, &OutlineNode, usize, usize, usize),
) -> FindingDraft {
    let [ending, opening] = [ending, opening].map(|event| &material.story.timeline_events[event]);
    let who = material.story.characters[who].name.trim();
    FindingDraft::about([handle(before), handle(after)])
        .say("before", before.name.trim())
        .say("after", after.name.trim())
        .say("who", who)
        .say("ending", ending.title.trim())
        .say("opening", opening.title.trim())
        .affects(after.name.trim())
        .affects(opening.title.trim())
        .affects(who)
        .quote(anchor(PieceKind::Event, ending, "timestamp"), when(ending).1)
        .quote(anchor(PieceKind::Event, opening, "timestamp"), when(opening).1)
        .fix("back", Action::Update, PieceKind::Event, target(opening, json!({ "mode": "flashback" })))
}

//! QY313: an event outside the time in its chapter's title.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::time::network::Limit;
use crate::time::{Moment, chronology::EventPoints, parse};
use crate::{Action, Category, OutlineNode, Severity, TimelineEvent};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy313_outside_its_chapter.toml");
    Rule::new("QY313", (Severity::Medium, Category::Consistency, "timeline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let spans: Vec<Option<Moment>> = material.story.outline_nodes.iter().map(span).collect();
    if spans.iter().all(Option::is_none) {
        return Vec::new();
    }
    let mut drafts = Vec::new();
    for (position, event) in material.narrated() {
        let Some(points) = material.chronology().event(position) else { continue };
        let around = around(material, event).into_iter();
        let mut spans = around.filter_map(|node| Some((&material.story.outline_nodes[node], spans[node].as_ref()?)));
        if let Some((node, _)) = spans.find(|(_, span)| is_outside(material, points, span)) {
            drafts.push(draft(event, node));
        }
    }
    drafts
}

/// Returns the outline node telling the event, and its ancestors, innermost first.
fn around(material: &RuleMaterial<'_>, event: &TimelineEvent) -> Vec<usize> {
    let find = |name: &str| material.names.resolve(PieceKind::OutlineNode, name).map(|named| named.position);
    let mut nodes = Vec::new();
    let mut seen = BTreeSet::new();
    let mut next = event.outline_node.as_deref().and_then(find);
    while let Some(node) = next.filter(|node| seen.insert(*node)) {
        nodes.push(node);
        next = material.story.outline_nodes[node].parent.as_deref().and_then(find);
    }
    nodes
}

/// Parses a title consisting only of a number and a time: `第三章 2077年3月5日`, `Day 3`. Returns `None` for a bare number,
/// since a number may mean anything.
pub(super) fn span(node: &OutlineNode) -> Option<Moment> {
    let name = node.name.trim();
    let parts = name.match_indices([' ', '：', ':', '　']).map(|(at, mark)| name[at + mark.len()..].trim());
    let titles = std::iter::once(name).chain(parts);
    titles.filter(|title| title.contains(|c: char| !c.is_ascii_digit())).find_map(|title| parse(title).moment())
}

/// Returns whether the event certainly begins after the span, ends before, or lasts longer.
fn is_outside(material: &RuleMaterial<'_>, points: EventPoints, span: &Moment) -> bool {
    let chronology = material.chronology();
    let begins_after = chronology.moment_like(points.start, span).is_some_and(|start| span.is_before(&start));
    let ends_before = chronology.moment_like(points.end, span).is_some_and(|end| end.is_before(span));
    let lasts = chronology.most(points.end, points.start).map(|most| -most);
    let is_longer = || lasts.is_some_and(|least| least > Limit::exactly(span.seconds()));
    begins_after || ends_before || is_longer()
}

fn draft(event: &TimelineEvent, node: &OutlineNode) -> FindingDraft {
    let said = [("timestamp", event.timestamp.trim()), ("duration", event.duration.trim())];
    let said: Vec<_> = said.into_iter().filter(|(_, words)| !words.is_empty()).collect();
    let quotes = said.iter().map(|(field, words)| (anchor(PieceKind::Event, event, field), (*words).to_owned()));
    FindingDraft::about([handle(event), handle(node)])
        .say("event", event.title.trim())
        .say("node", node.name.trim())
        .list("time", said.iter().map(|(_, words)| (*words).to_owned()))
        .affects(event.title.trim())
        .affects(node.name.trim())
        .quotes(quotes)
        .quote(anchor(PieceKind::OutlineNode, node, "name"), node.name.trim())
        .fix("move", Action::Update, PieceKind::Event, target(event, json!({ "outline_node": Value::Null })))
}

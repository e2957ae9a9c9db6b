//! The usable part of an answer, by its numbers, and its insertion into the outline.
//!
//! An answer that was cut, or that repeats or leaves out numbers, is noticed by the count: its usable part is taken, and
//! the rest is asked for again.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_story::chapters::heading;
use qingyu_story::levels::{LevelSizes, unnumbered};
use qingyu_story::numerals::chinese;
use qingyu_story::{Language, Levels, OutlineNode, OutlineNodeKind, Story, ids, says_something};

use super::step::{LevelStep, position};
use crate::output::{ArcPlan, ArcsPlan, BookPlan, ChapterOutline, ChaptersPlan, VolumePlan};

/// The part of an answer that was taken.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Accepted {
    /// The story with the new nodes.
    pub(crate) story: Story,
    /// Number of new volumes, arcs or chapters.
    pub(crate) taken: usize,
    /// Number of items that were left out: repeated, out of range, without content.
    pub(crate) refused: usize,
    /// Title of the work, if the answer has one.
    pub(crate) title: String,
}

/// Inserts the book and its volumes.
pub(crate) fn book(story: &Story, step: &LevelStep, answer: &BookPlan) -> Accepted {
    let (first, last) = step.range();
    let levels = Levels::of(story);
    if levels.as_ref().is_some_and(|levels| levels.without_volume() != first) {
        return nothing(story, answer.volumes.len());
    }
    let range = |volume: &VolumePlan| (volume.first, volume.last);
    let is_said = |volume: &VolumePlan| says_something(&volume.name) && says_something(&volume.description);
    let sizes = LevelSizes::of(story, levels.as_ref().map_or(0, |levels| levels.length).max(last));
    let (taken, refused) = in_a_row(&answer.volumes, (first, last), sizes.volume_limits(), range, is_said);
    let mut after = story.clone();
    let (count, mut order) =
        (levels.as_ref().map_or(0, |levels| levels.volumes.len()), next_order(story, levels.as_ref(), &sizes));
    let language = story.language;
    if !taken.is_empty() && levels.as_ref().is_none_or(|levels| levels.book.is_none()) {
        let (name, text) = match language {
            Language::Zh => ("全书", &answer.course),
            Language::En => ("The book", &answer.course),
        };
        after.outline_nodes.push(OutlineNode {
            kind: OutlineNodeKind::Book,
            order,
            name: name.into(),
            description: text.trim().to_owned(),
            payoff: answer.ending.trim().to_owned(),
            themes: trimmed(&answer.themes),
            rhythm: answer.rhythm.trim().to_owned(),
            chapters: Some(last),
            ..OutlineNode::default()
        });
        order += 1;
    }
    for (ordinal, volume) in (count + 1..).zip(&taken) {
        let size = volume.last - volume.first + 1;
        let name = bare(&volume.name);
        let ordinal = u32::try_from(ordinal).unwrap_or(u32::MAX);
        after.outline_nodes.push(OutlineNode {
            kind: OutlineNodeKind::Act,
            order,
            name: match language {
                Language::Zh => format!("第{}卷 {name}", chinese(ordinal)),
                Language::En => format!("Volume {ordinal}: {name}"),
            },
            description: volume.description.trim().to_owned(),
            goal: volume.goal.trim().to_owned(),
            opposition: volume.opposition.trim().to_owned(),
            price: volume.price.trim().to_owned(),
            reveals: trimmed(&volume.reveals),
            chapters: Some(size),
            ..OutlineNode::default()
        });
        order += reserve(size, &sizes);
    }
    let (taken, title) = (taken.len(), answer.title.trim().to_owned());
    finished(after, taken, refused, title)
}

/// Inserts the arcs of a volume.
pub(crate) fn arcs(story: &Story, step: &LevelStep, answer: &ArcsPlan) -> Accepted {
    let levels = Levels::of(story).unwrap_or_default();
    let LevelStep::Arcs { volume, first, last } = step else { return nothing(story, answer.arcs.len()) };
    let volume = position(story, volume);
    let level = levels.volumes.iter().find(|level| Some(level.node) == volume && level.without_arc() == *first);
    let Some(level) = level else { return nothing(story, answer.arcs.len()) };
    let (volume, ordinal, made) = (level.node, level.ordinal, level.arcs.len());
    let range = |arc: &ArcPlan| (arc.first, arc.last);
    let is_said = |arc: &ArcPlan| says_something(&arc.name) && says_something(&arc.description);
    let limits = LevelSizes::of(story, levels.length.max(*last)).arc_limits();
    let (taken, refused) = in_a_row(&answer.arcs, (*first, *last), limits, range, is_said);
    let mut order = match level.arcs.last() {
        Some(arc) => story.outline_nodes[arc.node].order + (arc.last - arc.first + 1) + 1,
        None => story.outline_nodes[volume].order + 1,
    };
    let mut after = story.clone();
    let end = taken.iter().fold(order, |end, arc| end + (arc.last - arc.first + 1) + 1);
    keep_behind(&mut after, story.outline_nodes[volume].order, end);
    for (number, arc) in (made + 1..).zip(&taken) {
        let (size, name) = (arc.last - arc.first + 1, bare(&arc.name));
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        make_room(&mut after, order);
        after.outline_nodes.push(OutlineNode {
            kind: OutlineNodeKind::Arc,
            order,
            name: match story.language {
                Language::Zh => format!("第{}卷第{}幕 {name}", chinese(ordinal), chinese(number)),
                Language::En => format!("Arc {number} of volume {ordinal}: {name}"),
            },
            parent: Some(story.outline_nodes[volume].name.clone()),
            description: arc.description.trim().to_owned(),
            function: arc.function.trim().to_owned(),
            hook: arc.hook.trim().to_owned(),
            turns: trimmed(&arc.turns),
            payoff: arc.payoff.trim().to_owned(),
            chapters: Some(size),
            ..OutlineNode::default()
        });
        order += size + 1;
    }
    finished(after, taken.len(), refused, String::new())
}

/// Inserts the chapters of an arc. Of the numbers asked for, those are taken that follow each other from the first on, so
/// that the chapters of the outline have no gap.
pub(crate) fn chapters(story: &Story, step: &LevelStep, answer: &ChaptersPlan) -> Accepted {
    let LevelStep::Chapters { arc, numbers } = step else { return nothing(story, answer.chapters.len()) };
    let levels = Levels::of(story).unwrap_or_default();
    let arc = position(story, arc);
    let level = levels.arcs().map(|(_, level)| level).find(|level| Some(level.node) == arc);
    let Some(level) = level else { return nothing(story, answer.chapters.len()) };
    let node = &story.outline_nodes[level.node];
    let is_said = |chapter: &&ChapterOutline| says_something(&chapter.name) && says_something(&chapter.description);
    let mut by_number: BTreeMap<u32, &ChapterOutline> = BTreeMap::new();
    for chapter in answer.chapters.iter().filter(is_said).filter(|chapter| numbers.contains(&chapter.number)) {
        by_number.entry(chapter.number).or_insert(chapter);
    }
    let shift = unnumbered(story);
    let mut after = story.clone();
    let mut taken = 0;
    for number in level.open() {
        let Some(chapter) = by_number.get(&number) else { break };
        let order = node.order + 1 + (number - level.first);
        make_room(&mut after, order);
        let (name, told_number) = (bare(&chapter.name), number.saturating_sub(shift).max(1));
        after.outline_nodes.push(OutlineNode {
            kind: OutlineNodeKind::Chapter,
            order,
            name: match story.language {
                Language::Zh => format!("第{}章 {name}", chinese(told_number)),
                Language::En => format!("Chapter {told_number}: {name}"),
            },
            parent: Some(node.name.clone()),
            description: chapter.description.trim().to_owned(),
            goal: chapter.goal.trim().to_owned(),
            function: chapter.function.trim().to_owned(),
            hook: chapter.hook.trim().to_owned(),
            opening: chapter.opening.trim().to_owned(),
            pressure: chapter.pressure.trim().to_owned(),
            payoff: chapter.payoff.trim().to_owned(),
            pulls: chapter.pulls.trim().to_owned(),
            tension: chapter.tension.filter(|tension| (1..=10).contains(tension)),
            participants: unique(&chapter.participants),
            location: chapter.location.clone().filter(|place| !place.trim().is_empty()),
            plants: trimmed(&chapter.plants),
            pays: trimmed(&chapter.pays),
            words: chapter.words.filter(|words| *words > 0),
            ..OutlineNode::default()
        });
        taken += 1;
    }
    let refused = answer.chapters.len() - taken;
    finished(after, taken, refused, String::new())
}

/// Returns the items that follow each other from the first number on, and the number of the others. An item has at least
/// and at most so many chapters; only the last may be smaller.
fn in_a_row<T>(
    items: &[T],
    (first, last): (u32, u32),
    (least, most): (u32, u32),
    range: impl Fn(&T) -> (u32, u32),
    is_said: impl Fn(&T) -> bool,
) -> (Vec<&T>, usize) {
    let mut sorted: Vec<&T> = items.iter().filter(|item| is_said(item)).collect();
    sorted.sort_by_key(|item| range(item));
    let (mut next, mut taken) = (first, Vec::new());
    for item in sorted {
        let (from, to) = range(item);
        // An item that repeats numbers is left out, and so is everything after a gap.
        if from != next || to < from || to > last {
            continue;
        }
        let size = to - from + 1;
        if size > most || size < least && to != last {
            continue;
        }
        taken.push(item);
        next = to + 1;
    }
    let refused = items.len() - taken.len();
    (taken, refused)
}

fn nothing(story: &Story, refused: usize) -> Accepted {
    Accepted { story: story.clone(), refused, ..Accepted::default() }
}

fn finished(mut story: Story, taken: usize, refused: usize, title: String) -> Accepted {
    story.outline_nodes.sort_by_key(|node| node.order);
    ids::assign(&mut story);
    Accepted { story, taken, refused, title }
}

/// Returns the places kept free for a volume, its arcs and its chapters.
fn reserve(chapters: u32, sizes: &LevelSizes) -> u32 {
    1 + chapters.div_ceil(sizes.arc.least.max(1)) + chapters
}

/// Returns the first order after all nodes and the places kept free for the last volumes.
fn next_order(story: &Story, levels: Option<&Levels>, sizes: &LevelSizes) -> u32 {
    let nodes = &story.outline_nodes;
    let used = nodes.iter().map(|node| node.order).max().unwrap_or_default() + 1;
    let volumes = levels.into_iter().flat_map(|levels| &levels.volumes);
    let kept = volumes.map(|volume| nodes[volume.node].order + reserve(volume.last + 1 - volume.first, sizes)).max();
    used.max(kept.unwrap_or_default())
}

/// Moves the volumes behind the one at `volume` so that the next begins at `end` or later: its places were kept free for
/// fewer arcs.
fn keep_behind(story: &mut Story, volume: u32, end: u32) {
    let volumes = story.outline_nodes.iter().filter(|node| node.kind == OutlineNodeKind::Act);
    let Some(next) = volumes.map(|node| node.order).filter(|order| *order > volume).min() else { return };
    let missing = end.saturating_sub(next);
    for node in story.outline_nodes.iter_mut().filter(|node| node.order >= next) {
        node.order += missing;
    }
}

/// Moves the nodes from `order` on by one if the place is taken.
fn make_room(story: &mut Story, order: u32) {
    if story.outline_nodes.iter().all(|node| node.order != order) {
        return;
    }
    let taken: BTreeSet<u32> = story.outline_nodes.iter().map(|node| node.order).collect();
    // Only the nodes up to the next free place move.
    let free = (order..).find(|place| !taken.contains(place)).unwrap_or(u32::MAX);
    for node in story.outline_nodes.iter_mut().filter(|node| (order..free).contains(&node.order)) {
        node.order += 1;
    }
}

/// Returns a name without the number that the model gave it.
fn bare(name: &str) -> &str {
    let name = name.trim();
    // A bare number may belong to the name: 一顿饭.
    let head = heading(name).filter(|head| !head.unit.is_empty());
    head.map(|head| head.rest.trim()).filter(|rest| !rest.is_empty()).unwrap_or(name)
}

fn trimmed(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).collect()
}

fn unique(names: &[String]) -> Vec<String> {
    let mut unique: Vec<String> = Vec::new();
    for name in trimmed(names) {
        if !unique.contains(&name) {
            unique.push(name);
        }
    }
    unique
}

#[cfg(test)]
mod tests;

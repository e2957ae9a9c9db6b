//! The content of the prompts about levels, of constant size for any length of the book.

use std::collections::BTreeMap;

use qingyu_story::genre::{Genre, Genres};
use qingyu_story::length::{book_length, usual_chapter};
use qingyu_story::levels::{ArcLevel, LevelSizes, VolumeLevel};
use qingyu_story::rules::{SettledDeath, dead_in_plan, settled_deaths};
use qingyu_story::settlement::as_told;
use qingyu_story::{Character, Config, Language, Levels, OutlineNode, RoleType, Story, TimelineEvent, says_something};

use super::facts::facts;
use super::fields::{LATER_FIELDS, PlanValue, has_plan};
use super::known;
use super::step::{LevelStep, position};
use crate::context::{LaterContext, LaterField, LaterNode, LevelContext, LevelMaterial};
use crate::labels;
use crate::preference;
use crate::writing::book::NumberedBook;
use crate::writing::card::{self, clip, fitting};
use crate::writing::task::Constraints;

/// Maximum tokens of each part.
mod limit {
    pub(super) const REQUIREMENT: u64 = 2_000;
    pub(super) const BOOK: u64 = 500;
    pub(super) const LINE: u64 = 140;
    pub(super) const PART: u64 = 400;
    pub(super) const EARLIER: u64 = 400;
    // Ten chapters that are planned and not written, with their events.
    pub(super) const UNWRITTEN: u64 = 1_200;
    pub(super) const GOAL: u64 = 40;
    pub(super) const EVENTS: u64 = 70;
    pub(super) const FACTS: u64 = 500;
    // The answer replaces the whole text, so the whole is shown.
    pub(super) const LATER: u64 = 400;
}

/// Number of parts shown from just before the ones to be planned.
const EARLIER: usize = 10;
/// Number of characters shown.
const CAST: usize = 14;
/// Number of later chapters, arcs and volumes looked at in one call, and the share of each if there are more of all.
const LATER: usize = 16;
const LATER_SHARES: [usize; 3] = [7, 7, 2];

/// The input of the prompts beside the story.
#[derive(Debug, Clone, Default)]
pub(crate) struct LevelRequest<'a> {
    /// The author's words.
    pub(crate) requirement: &'a str,
    /// Number of chapters of the whole book.
    pub(crate) length: u32,
    /// Known preferences of the author.
    pub(crate) preferences: &'a [String],
    /// The genres that the book may name, and earlier books.
    pub(crate) rules: Config,
    /// The problems of the last answer.
    pub(crate) feedback: String,
}

/// Returns the context of a step.
pub(crate) fn context(story: &Story, step: &LevelStep, request: &LevelRequest<'_>) -> LevelContext {
    let (first, last) = step.range();
    let book = NumberedBook::of(story);
    let levels = Levels::with(story, book.names()).unwrap_or_default();
    let nodes = &story.outline_nodes;
    let name = |node: usize| line(&nodes[node], story.language);
    let around = |items: &[(usize, u32, u32)]| -> Vec<String> {
        let at = items.iter().position(|(_, from, to)| (*from..=*to).contains(&first)).unwrap_or(items.len());
        let near = items.iter().enumerate().filter(|(index, _)| index.abs_diff(at) <= 1);
        near.map(|(_, (node, from, to))| ranged(&name(*node), (*from, *to), story.language)).collect()
    };
    let volume = |VolumeLevel { node, first, last, .. }: &VolumeLevel| (*node, *first, *last);
    let volumes: Vec<(usize, u32, u32)> = levels.volumes.iter().map(volume).collect();
    let arc = |ArcLevel { node, first, last, .. }: &ArcLevel| (*node, *first, *last);
    let arcs: Vec<(usize, u32, u32)> = levels.arcs().map(|(_, level)| arc(level)).collect();
    let part = match step {
        LevelStep::Book { .. } => None,
        LevelStep::Arcs { volume, .. } => position(story, volume),
        LevelStep::Chapters { arc, .. } => position(story, arc),
    };
    let own = volumes.iter().chain(&arcs).find(|(node, ..)| Some(*node) == part);
    let range = own.map_or((first, last), |(_, from, to)| (*from, *to));
    let earlier: Vec<usize> = match step {
        LevelStep::Book { .. } => volumes.iter().map(|(node, ..)| *node).collect(),
        LevelStep::Arcs { .. } => arcs.iter().filter(|(_, from, _)| *from < first).map(|(node, ..)| *node).collect(),
        LevelStep::Chapters { .. } => {
            let chapters = qingyu_story::chapters::nodes(story, book.names());
            chapters.into_iter().take(first.saturating_sub(1) as usize).collect()
        }
    };
    let earlier = earlier.iter().rev().take(EARLIER).rev();
    let earlier = earlier.map(|node| match book.number_at(*node).filter(|number| !is_written(&book, *number)) {
        Some(_) => with_events(&book, *node),
        None => short(&nodes[*node], story.language),
    });
    let earlier = match step {
        LevelStep::Chapters { .. } => fitting(earlier.collect(), limit::UNWRITTEN),
        LevelStep::Book { .. } | LevelStep::Arcs { .. } => fitting(earlier.collect(), limit::EARLIER),
    };
    let numbers = match step {
        LevelStep::Chapters { numbers, .. } => numbers.clone(),
        LevelStep::Book { .. } | LevelStep::Arcs { .. } => Vec::new(),
    };
    let written = book.written().0.last().copied().unwrap_or_default();
    let said = book_length(request.requirement, story.language).chapter_words;
    let words = said.unwrap_or(usual_chapter(story.language));
    let (people, deaths) = (cast(story), settled_deaths(story));
    let (volumes, arcs) = (around(&volumes), around(&arcs));
    let part_told = part.map(|node| part_lines(&nodes[node], range, story.language)).unwrap_or_default();
    let about = [volumes.as_slice(), &arcs, &part_told].concat().join("\n");
    let all: Vec<usize> = (0..story.characters.len()).collect();
    let in_earlier_books = card::earlier_people(story, book.names(), &request.rules.earlier, &all);
    let in_earlier_books = fitting(in_earlier_books, limit::EARLIER);
    let length = request.length.max(levels.length).max(last);
    let mut sizes = LevelSizes::of(story, length);
    let made = u32::try_from(levels.volumes.len()).unwrap_or(u32::MAX);
    sizes.volumes = sizes.volumes.map(|count| count.saturating_sub(made)).filter(|left| *left > 0);
    let shown = LevelMaterial {
        requirement: clip(request.requirement.trim(), limit::REQUIREMENT),
        language: story.language,
        length,
        sizes,
        first,
        last,
        numbers,
        words,
        book: levels.book.map(|node| book_lines(&nodes[node], story.language)).unwrap_or_default(),
        volumes,
        arcs,
        part: part_told,
        part_first: range.0,
        part_last: range.1,
        function: part.map(|node| nodes[node].function.clone()).unwrap_or_default(),
        earlier,
        stable: card::world_and_style(story, &request.rules),
        hidden: known::hidden(&book, first, &people),
        places: known::places(&book),
        things: known::things(&book, written),
        cast: card::cards(&people, &BTreeMap::new(), &dying(story, &deaths), story.language),
        before: if written > 0 { card::so_far(&book, written + 1) } else { Vec::new() },
        facts: facts(&book, &deaths, &about, limit::FACTS),
        in_earlier_books,
        dead: known::dead(story, &deaths),
        promises: known::promises(story, &book, written),
        planned: known::planned(story, &book),
        twists: known::twists(story, &book, &levels, first),
        notes: known::notes(story),
        preferences: preference::fitting(request.preferences).into_iter().map(str::to_owned).collect(),
        feedback: request.feedback.clone(),
    };
    LevelContext { shown, story: by_rules(story), genres: named(story, &request.rules.genres) }
}

/// Returns the genres that the book names, as files.
pub(crate) fn named(story: &Story, genres: &Genres) -> Vec<Genre> {
    genres.of(story).into_iter().cloned().collect()
}

/// Returns the parts of the story that a model that answers by rules reads: premise, world and cast.
pub(crate) fn by_rules(story: &Story) -> Story {
    Story {
        premise: story.premise.clone(),
        language: story.language,
        worldview: story.worldview.clone(),
        characters: story.characters.clone(),
        ..Story::default()
    }
}

/// Returns the context of the question which later plans still hold: the next part of those that are not among the ids
/// `seen`. `None` if nothing is written, or every plan beyond it is seen.
pub(crate) fn later(story: &Story, rules: &Config, seen: &[String]) -> Option<LaterContext> {
    let book = NumberedBook::of(story);
    let written = book.written().0.last().copied().filter(|last| *last > 0)?;
    let levels = Levels::with(story, book.names())?;
    let chapters = qingyu_story::chapters::nodes(story, book.names());
    let nodes = &story.outline_nodes;
    let told = |node: usize| LaterNode {
        id: nodes[node].id.clone(),
        name: nodes[node].name.clone(),
        fields: LATER_FIELDS.iter().filter_map(|field| shown_field(&nodes[node], field)).collect(),
    };
    let is_open = |node: &usize| {
        let id = &nodes[*node].id;
        !id.trim().is_empty() && !seen.contains(id) && has_plan(&nodes[*node])
    };
    // The rest of the planned chapters first, those with the dead before all, then the arcs, then the volumes.
    // Told once for both: a story with contradicted plans is copied.
    let as_told = as_told(story);
    let (deaths, planned) = (settled_deaths(&as_told), dead_in_plan(&as_told));
    let unwritten = (1_u32..).zip(&chapters).filter(|(number, _)| *number > written).map(|(_, node)| *node);
    let (with_dead, others): (Vec<usize>, Vec<usize>) =
        unwritten.filter(is_open).partition(|node| planned.iter().any(|one| one.node == *node));
    let unwritten: Vec<usize> = with_dead.into_iter().chain(others).collect();
    let arcs = levels.arcs().filter(|(_, arc)| arc.last > written).map(|(_, arc)| arc.node);
    let arcs: Vec<usize> = arcs.filter(is_open).collect();
    let volumes = levels.volumes.iter().filter(|volume| volume.last > written).map(|volume| volume.node);
    let volumes: Vec<usize> = volumes.filter(is_open).collect();
    let open = unwritten.len() + arcs.len() + volumes.len();
    let plans: Vec<LaterNode> = batch([&unwritten, &arcs, &volumes]).into_iter().map(told).collect();
    if plans.is_empty() {
        return None;
    }
    let texts = plans.iter().flat_map(|plan| {
        let said =
            plan.fields.iter().flat_map(|field| field.items.iter().map(String::as_str).chain([field.text.as_str()]));
        said.chain([plan.name.as_str()])
    });
    let about = texts.collect::<Vec<_>>().join("\n");
    let people = cast(story);
    Some(LaterContext {
        language: story.language,
        written,
        stable: card::stable(story, rules, &Constraints::default(), &[]),
        cast: card::cards(&people, &BTreeMap::new(), &dying(story, &deaths), story.language),
        hidden: known::hidden(&book, written + 1, &people),
        places: known::places(&book),
        things: known::things(&book, written),
        book: levels.book.map(|node| book_lines(&nodes[node], story.language)).unwrap_or_default(),
        before: card::so_far(&book, written + 1),
        facts: facts(&book, &deaths, &about, limit::FACTS),
        dead: known::dead_with_plans(story, &deaths, &planned),
        promises: known::promises(story, &book, written),
        notes: known::notes(story),
        left: open - plans.len(),
        plans,
    })
}

/// Returns the plans of one call: the share of each kind, filled up with what one kind has and another has not. A call
/// costs all of its material, so that what would be less than half of the next one is taken along.
fn batch(kinds: [&[usize]; 3]) -> Vec<usize> {
    let open: usize = kinds.iter().map(|kind| kind.len()).sum();
    if open <= LATER + LATER / 2 {
        return kinds.concat();
    }
    let shares = kinds.iter().zip(LATER_SHARES).map(|(kind, share)| kind.len().min(share));
    let mut free = LATER - shares.clone().sum::<usize>();
    let mut parts = Vec::with_capacity(LATER);
    for (kind, share) in kinds.iter().zip(shares) {
        let more = (kind.len() - share).min(free);
        free -= more;
        parts.extend_from_slice(&kind[..share + more]);
    }
    parts
}

/// Returns a field with a value; a list only if the whole of it fits.
fn shown_field(node: &OutlineNode, name: &str) -> Option<LaterField> {
    let (text, items) = match PlanValue::of(node, name)? {
        PlanValue::Text(text) => (clip(&text, limit::LATER), Vec::new()),
        PlanValue::List(items) if known::fits(&items, limit::LATER) => (String::new(), items),
        PlanValue::List(_) => return None,
    };
    let has_value = !text.is_empty() || !items.is_empty();
    has_value.then(|| LaterField { name: name.to_owned(), text, items })
}

/// Returns a node as a line: its name, its function or goal, and what happens.
fn line(node: &OutlineNode, language: Language) -> String {
    let texts = [&node.function, &node.goal, &node.description, &node.opposition, &node.payoff];
    clip(&labelled(&node.name, &joined(texts.map(String::as_str), language), language), limit::LINE)
}

/// Returns a node as a short line: its name and its goal.
fn short(node: &OutlineNode, language: Language) -> String {
    let goal = if says_something(&node.goal) { &node.goal } else { &node.description };
    clip(&labelled(&node.name, goal.trim(), language), limit::LATER)
}

/// Returns a chapter that is planned and not written as a line: its name, its goal, and its planned events, for the
/// chapters behind it are planned before its text tells them.
fn with_events(book: &NumberedBook<'_>, at: usize) -> String {
    let (story, node) = (book.story, &book.story.outline_nodes[at]);
    let timeline = || {
        let own =
            |event: &&TimelineEvent| event.outline_node.as_deref().and_then(|name| book.position(name)) == Some(at);
        joined(story.timeline_events.iter().filter(own).map(|event| event.title.as_str()), story.language)
    };
    let turns = node.turns.iter().chain(&node.reveals).chain([&node.payoff]).map(String::as_str);
    let events = match says_something(&node.description) {
        true => joined(std::iter::once(node.description.as_str()).chain(turns), story.language),
        false => joined([timeline().as_str()].into_iter().chain(turns), story.language),
    };
    let (goal, events) = (clip(&node.goal, limit::GOAL), clip(&events, limit::EVENTS));
    labelled(&node.name, &joined([goal.as_str(), events.as_str()], story.language), story.language)
}

fn is_written(book: &NumberedBook<'_>, number: u32) -> bool {
    book.document(number).is_some_and(|document| !document.text.trim().is_empty())
}

fn ranged(line: &str, (first, last): (u32, u32), language: Language) -> String {
    match language {
        Language::Zh => format!("（第 {first}～{last} 章）{line}"),
        Language::En => format!("(chapters {first} to {last}) {line}"),
    }
}

fn book_lines(node: &OutlineNode, language: Language) -> Vec<String> {
    let fields = [
        (("走向", "Course"), node.description.clone()),
        (("结局", "Ending"), node.payoff.clone()),
        (("主题", "Themes"), joined(node.themes.iter().map(String::as_str), language)),
        (("节奏", "Rhythm"), node.rhythm.clone()),
    ];
    fitting(fields_told(fields, language), limit::BOOK)
}

fn part_lines(node: &OutlineNode, range: (u32, u32), language: Language) -> Vec<String> {
    let list = |texts: &[String]| joined(texts.iter().map(String::as_str), language);
    let fields = [
        (("名字", "Name"), ranged(&node.name, range, language)),
        (("用处", "Function"), node.function.clone()),
        (("目标", "Goal"), node.goal.clone()),
        (("内容", "What happens"), node.description.clone()),
        (("勾住读者的问题", "Hook"), node.hook.clone()),
        (("转折", "Turns"), list(&node.turns)),
        (("对手", "Opposing force"), node.opposition.clone()),
        (("代价", "Price"), node.price.clone()),
        (("揭开", "Reveals"), list(&node.reveals)),
        (("兑现", "Payoff"), node.payoff.clone()),
    ];
    fitting(fields_told(fields, language), limit::PART)
}

fn fields_told<const N: usize>(fields: [((&str, &str), String); N], language: Language) -> Vec<String> {
    let told = fields.into_iter().filter(|(_, text)| says_something(text));
    told.map(|((zh, en), text)| labelled(if language == Language::Zh { zh } else { en }, text.trim(), language))
        .collect()
}

pub(super) fn labelled(label: &str, text: &str, language: Language) -> String {
    if text.is_empty() { label.to_owned() } else { labels::of(language).labelled(label, text) }
}

fn joined<'t>(texts: impl IntoIterator<Item = &'t str>, language: Language) -> String {
    let told = texts.into_iter().map(|text| text.trim().trim_end_matches('。')).filter(|text| !text.is_empty());
    told.collect::<Vec<_>>().join(labels::of(language).semicolon)
}

/// Returns a remark on each character who dies, by id: the chapter that tells the death, or else the time on the card.
fn dying(story: &Story, deaths: &[SettledDeath]) -> BTreeMap<String, String> {
    let words = labels::of(story.language);
    let space = words.space();
    let planned = story.characters.iter().filter_map(|card| {
        let time = card.death.as_deref().map(str::trim).filter(|time| !time.is_empty())?;
        Some((card.id.clone(), format!("{}{space}{time}", words.death)))
    });
    let told = deaths.iter().map(|death| {
        let chapter = story.documents[death.document].title.trim();
        (story.characters[death.character].id.clone(), words.dead_since(chapter))
    });
    planned.chain(told).collect()
}

/// Returns the most important characters.
fn cast(story: &Story) -> Vec<Character> {
    let mut cast: Vec<&Character> = story.characters.iter().collect();
    cast.sort_by_key(|card| match card.role_type {
        RoleType::Protagonist => 0,
        RoleType::Antagonist => 1,
        RoleType::Supporting => 2,
        RoleType::Minor => 3,
    });
    cast.into_iter().take(CAST).cloned().collect()
}

#[cfg(test)]
mod tests;

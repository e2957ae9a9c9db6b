//! The present state of the story for a planner, each part within its limit: the dead, promises and turns, secrets,
//! things and places, the author's notes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use qingyu_llm::estimate;
use qingyu_story::language::is_han;
use qingyu_story::names::fold;
use qingyu_story::rules::{DeadInPlan, SettledDeath};
use qingyu_story::{Character, Document, Language, Levels, OutlineNode, Story};

use super::material::labelled;
use crate::labels;
use crate::notice::counted;
use crate::writing::book::{NumberedBook, title};
use crate::writing::card::{self, clip, fitting};

/// Maximum tokens of each part.
mod limit {
    pub(super) const DEAD: u64 = 200;
    pub(super) const PROMISES: u64 = 450;
    pub(super) const PLANNED: u64 = 300;
    pub(super) const TWISTS: u64 = 350;
    pub(super) const HIDDEN: u64 = 500;
    pub(super) const THINGS: u64 = 260;
    pub(super) const PLACES: u64 = 220;
    pub(super) const NOTES: u64 = 400;
    pub(super) const NOTE: u64 = 150;
}

/// Minimum share of a turn's words in one told sentence, in tenths, for the turn to be told.
const TOLD: usize = 6;

/// Returns who is dead by the written text, a line each, the last first.
pub(super) fn dead(story: &Story, deaths: &[SettledDeath]) -> Vec<String> {
    let lines = deaths.iter().rev().map(|death| died(story, death));
    fitting(lines.collect(), limit::DEAD)
}

/// Returns the same lines with the later plans in which each still takes part; those with such plans first.
pub(super) fn dead_with_plans(story: &Story, deaths: &[SettledDeath], planned: &[DeadInPlan]) -> Vec<String> {
    let words = labels::of(story.language);
    let mut lines: Vec<(bool, String)> = Vec::new();
    for death in deaths.iter().rev() {
        let own = planned.iter().filter(|one| one.death.character == death.character);
        let plans: Vec<&str> = own.map(|one| title(&story.outline_nodes[one.node])).collect();
        let said = died(story, death);
        let plans = plans.join(words.comma);
        let line = match (plans.is_empty(), story.language) {
            (true, _) => said,
            (false, Language::Zh) => format!("{said}；这些计划里还有：{plans}"),
            (false, Language::En) => format!("{said}; still in these plans: {plans}"),
        };
        lines.push((plans.is_empty(), line));
    }
    lines.sort_by_key(|(is_clear, _)| *is_clear);
    fitting(lines.into_iter().map(|(_, line)| line).collect(), limit::DEAD)
}

fn died(story: &Story, death: &SettledDeath) -> String {
    let name = story.characters[death.character].name.trim();
    let chapter = story.documents[death.document].title.trim();
    match story.language {
        Language::Zh => format!("{name}，死在《{chapter}》"),
        Language::En => format!("{name}, dies in “{chapter}”"),
    }
}

/// The promises of a book by the chapters that tell them.
struct ToldPlaces<'b, 's> {
    book: &'b NumberedBook<'s>,
}

impl ToldPlaces<'_, '_> {
    /// Returns the number of the chapter that a document or outline node is of.
    fn number(&self, place: &str) -> Option<u32> {
        let book = self.book;
        let node = || {
            let node = book.position(place)?;
            let parent = || book.number_at(book.position(book.story.outline_nodes[node].parent.as_deref()?)?);
            book.number_at(node).or_else(parent)
        };
        book.number_of(place).or_else(node)
    }

    fn is_told(&self, number: u32) -> bool {
        self.book.document(number).is_some_and(|document| !document.text.trim().is_empty())
    }

    /// Returns the first of the chapters that is written.
    fn told(&self, places: &[String]) -> Option<u32> {
        places.iter().filter_map(|place| self.number(place)).filter(|number| self.is_told(*number)).min()
    }

    /// Returns the first of the chapters that is only planned.
    fn planned(&self, places: &[String]) -> Option<u32> {
        places.iter().filter_map(|place| self.number(place)).filter(|number| !self.is_told(*number)).min()
    }
}

/// Returns the promises that the written text has planted and not paid, the most important and the oldest first, with their
/// age in chapters, and the chapter planned to pay them.
pub(super) fn promises(story: &Story, book: &NumberedBook<'_>, written: u32) -> Vec<String> {
    let places = ToldPlaces { book };
    let chapters = |age: u32| counted(age, "chapter", "chapters");
    let line = |said: &str, planted: u32, paid: Option<u32>| {
        let age = written.saturating_sub(planted);
        match (story.language, paid) {
            (Language::Zh, None) => format!("{said}（第 {planted} 章埋下，已过 {age} 章）"),
            (Language::Zh, Some(paid)) => {
                format!("{said}（第 {planted} 章埋下，已过 {age} 章，排在第 {paid} 章兑现）")
            }
            (Language::En, None) => format!("{said} (planted in chapter {planted}, {} ago)", chapters(age)),
            (Language::En, Some(paid)) => {
                format!("{said} (planted in chapter {planted}, {} ago, to be paid in chapter {paid})", chapters(age))
            }
        }
    };
    let mut open: Vec<(u8, u32, String)> = Vec::new();
    let mut known: BTreeSet<String> = BTreeSet::new();
    for promise in &story.promises {
        known.extend(std::iter::once(&promise.name).chain(&promise.alias).map(|name| fold(name)));
        let planted = places.told(&promise.planted).filter(|_| places.told(&promise.paid).is_none());
        let Some(planted) = planted else { continue };
        let said = labelled(promise.name.trim(), promise.description.trim(), story.language);
        let line = line(&said, planted, places.planned(&promise.paid));
        open.push((promise.importance, written.saturating_sub(planted), line));
    }
    open.sort_by_key(|(importance, age, _)| Reverse((*importance, *age)));
    // Plants of the written outline that no written chapter pays.
    let nodes: Vec<(u32, &OutlineNode)> =
        story.outline_nodes.iter().filter_map(|node| Some((places.number(&node.id)?, node))).collect();
    let mut payments: BTreeMap<(String, bool), u32> = BTreeMap::new();
    for (number, node) in &nodes {
        for name in &node.pays {
            let first = payments.entry((fold(name), places.is_told(*number))).or_insert(*number);
            *first = (*first).min(*number);
        }
    }
    let paid = |plant: &str, is_told: bool| payments.get(&(fold(plant), is_told)).copied();
    let mut planned: Vec<String> = Vec::new();
    for (number, node) in nodes.iter().filter(|(number, _)| places.is_told(*number)) {
        for plant in node.plants.iter().filter(|plant| !plant.trim().is_empty()) {
            if paid(plant, true).is_none() && known.insert(fold(plant)) {
                planned.push(line(plant.trim(), *number, paid(plant, false)));
            }
        }
    }
    let open = open.into_iter().map(|(.., line)| line);
    fitting(open.chain(planned.into_iter().rev()).collect(), limit::PROMISES)
}

/// Returns what planned chapters without a text are to plant, with the chapter planned to pay it: what has no such chapter
/// first, then the newest.
pub(super) fn planned(story: &Story, book: &NumberedBook<'_>) -> Vec<String> {
    let places = ToldPlaces { book };
    let nodes: Vec<(u32, &OutlineNode)> =
        story.outline_nodes.iter().filter_map(|node| Some((places.number(&node.id)?, node))).collect();
    let mut payments: BTreeMap<String, u32> = BTreeMap::new();
    for (number, node) in &nodes {
        for name in &node.pays {
            let first = payments.entry(fold(name)).or_insert(*number);
            *first = (*first).min(*number);
        }
    }
    let mut plants: Vec<(Option<u32>, u32, String)> = Vec::new();
    let mut known: BTreeSet<String> = BTreeSet::new();
    for promise in &story.promises {
        known.extend(std::iter::once(&promise.name).chain(&promise.alias).map(|name| fold(name)));
        let is_told = places.told(&promise.planted).is_some();
        if let Some(planted) = places.planned(&promise.planted).filter(|_| !is_told) {
            let paid = places.planned(&promise.paid).or_else(|| payments.get(&fold(&promise.name)).copied());
            let said = labelled(promise.name.trim(), promise.description.trim(), story.language);
            plants.push((paid, planted, said));
        }
    }
    let (told, open): (Vec<_>, Vec<_>) = nodes.into_iter().partition(|(number, _)| places.is_told(*number));
    known.extend(told.iter().flat_map(|(_, node)| &node.plants).map(|plant| fold(plant)));
    for (number, node) in open {
        for plant in node.plants.iter().filter(|plant| !plant.trim().is_empty()) {
            if known.insert(fold(plant)) {
                plants.push((payments.get(&fold(plant)).copied(), number, plant.trim().to_owned()));
            }
        }
    }
    plants.sort_by_key(|(paid, planted, _)| (paid.is_some(), Reverse(*planted)));
    let line = |(paid, planted, said): (Option<u32>, u32, String)| match (story.language, paid) {
        (Language::Zh, None) => format!("{said}（排在第 {planted} 章埋下，还没有排兑现）"),
        (Language::Zh, Some(paid)) => format!("{said}（排在第 {planted} 章埋下，第 {paid} 章兑现）"),
        (Language::En, None) => format!("{said} (to be planted in chapter {planted}, not yet to be paid)"),
        (Language::En, Some(paid)) => format!("{said} (to be planted in chapter {planted}, paid in chapter {paid})"),
    };
    fitting(plants.into_iter().map(line).collect(), limit::PLANNED)
}

/// The turns and revelations that the written text has told, or that a planned chapter pays.
#[derive(Debug)]
pub(crate) struct SpentTwists {
    told: Vec<BTreeSet<String>>,
    planned: BTreeSet<String>,
}

impl SpentTwists {
    pub(crate) fn of(story: &Story, book: &NumberedBook<'_>) -> Self {
        let told = told_sentences(story, book).iter().map(|sentence| units(sentence)).collect();
        let planned = story.outline_nodes.iter().flat_map(|node| &node.pays).map(|paid| fold(paid)).collect();
        Self { told, planned }
    }

    /// Returns whether the twist is told or planned to be paid.
    pub(crate) fn contains(&self, twist: &str) -> bool {
        let words = units(twist);
        let has_most = |told: &BTreeSet<String>| words.intersection(told).count() * 10 >= words.len() * TOLD;
        self.planned.contains(&fold(twist)) || !words.is_empty() && self.told.iter().any(has_most)
    }
}

/// Returns the revelations of the volumes up to this one, and the turns of its arc, that the written text has not told
/// and no planned chapter pays.
pub(super) fn twists(story: &Story, book: &NumberedBook<'_>, levels: &Levels, first: u32) -> Vec<String> {
    let spent = SpentTwists::of(story, book);
    let volumes = levels.volumes.iter().rev().filter(|volume| volume.first <= first);
    let reveals = volumes.flat_map(|volume| &story.outline_nodes[volume.node].reveals);
    let turns = levels.arc_of(first).into_iter().flat_map(|(_, arc)| &story.outline_nodes[arc.node].turns);
    let mut seen = BTreeSet::new();
    let open = turns.chain(reveals).filter(|twist| !spent.contains(twist) && seen.insert(fold(twist)));
    fitting(open.cloned().collect(), limit::TWISTS)
}

/// Returns the sentences of what the written text has told: summaries, facts, promises paid, secrets given away, and what
/// its chapters were to pay and reveal.
fn told_sentences(story: &Story, book: &NumberedBook<'_>) -> Vec<String> {
    let places = ToldPlaces { book };
    let mut told: Vec<String> = Vec::new();
    let texts: Vec<&Document> =
        story.documents.iter().filter(|one| !one.text.trim().is_empty() && one.order > 0).collect();
    for document in &texts {
        let ends = |c: char| matches!(c, '。' | '！' | '？' | '；' | '.' | '!' | '?' | ';' | '\n');
        told.extend(document.summary.split(ends).map(str::to_owned));
        for secret in document.reveals() {
            told.push(secret.quote.clone());
            told.extend(secret_text(story, secret.of.trim()));
        }
    }
    told.extend(story.facts.iter().filter_map(|fact| Some(fact.source.as_ref()?.quote.clone())));
    let paid = story.promises.iter().filter(|promise| places.told(&promise.paid).is_some());
    told.extend(paid.flat_map(|promise| [promise.name.clone(), promise.description.clone()]));
    let nodes = story.outline_nodes.iter().filter(|node| !node.kind.is_group());
    for node in nodes.filter(|node| places.number(&node.id).is_some_and(|number| places.is_told(number))) {
        told.extend(node.pays.iter().chain(&node.reveals).chain(&node.turns).chain([&node.payoff]).cloned());
    }
    told.retain(|sentence| !sentence.trim().is_empty());
    told
}

/// Returns the secret of a character, or the truth of the book.
fn secret_text(story: &Story, of: &str) -> Option<String> {
    if of.is_empty() {
        return story.worldview.as_ref().map(|world| world.truth.clone());
    }
    let card = story.characters.iter().find(|card| card.id.trim() == of || card.name.trim() == of);
    card.map(|card| card.secret.clone())
}

/// Returns the pairs of Chinese characters and the Latin words of a text.
fn units(text: &str) -> BTreeSet<String> {
    let folded = fold(text);
    let letters: Vec<char> = folded.chars().collect();
    let pairs =
        letters.windows(2).filter(|pair| pair.iter().all(|c| is_han(*c))).map(|pair| pair.iter().collect::<String>());
    let words = folded.split(|c: char| !c.is_alphanumeric() || is_han(c)).filter(|word| word.len() > 3);
    pairs.chain(words.map(str::to_owned)).collect()
}

/// Returns what the reader must not know yet at chapter `first`: the truth of the book, then the secrets of the cast.
pub(super) fn hidden(book: &NumberedBook<'_>, first: u32, cast: &[Character]) -> Vec<String> {
    let people: Vec<String> = cast.iter().map(|card| card.name.clone()).collect();
    fitting(card::hidden(book, first, &people, &[]), limit::HIDDEN)
}

/// Returns the items and where they are after the written chapters, a line each.
pub(super) fn things(book: &NumberedBook<'_>, written: u32) -> Vec<String> {
    card::things(book, written + 1, limit::THINGS)
}

/// Returns the places, a line each.
pub(super) fn places(book: &NumberedBook<'_>) -> Vec<String> {
    card::places(book, limit::PLACES)
}

/// Returns the author's notes: texts that are no part of the book, the newest first.
pub(super) fn notes(story: &Story) -> Vec<String> {
    let notes = story.documents.iter().rev().filter(|document| document.order == 0);
    let lines = notes.map(|note| labelled(note.title.trim(), &clip(note.text.trim(), limit::NOTE), story.language));
    fitting(lines.collect(), limit::NOTES)
}

/// Returns whether a list fits where the whole of it must be shown.
pub(super) fn fits(entries: &[String], tokens: u64) -> bool {
    entries.iter().map(|entry| estimate::tokens(entry) + 2).sum::<u64>() <= tokens
}

#[cfg(test)]
mod tests;

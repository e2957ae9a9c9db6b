//! A genre with the structure of a reference, in the words of `data/structure.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use qingyu_story::Language;
use qingyu_story::genre::Genre;
use qingyu_story::genre::sequence::SequenceLimits;
use qingyu_story::prose::EndingKind;
use serde::Deserialize;

use super::Structure;
use super::chapter::TurnKind;
use crate::error::builtin;

/// The share of pulling ends from which every chapter is expected to pull.
const ALWAYS: f64 = 0.8;
/// Other books of the genre have a quarter fewer or more chapters than the reference.
const SPREAD: usize = 4;
/// The least number of chapters that make a row.
const ROW: usize = 3;
/// The greatest limit of a row, for references that are alike throughout.
const LONGEST_ROW: usize = 12;
/// The most hooks and payoffs.
const LISTED: usize = 4;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GenreWords {
    zh: GenreWording,
    en: GenreWording,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GenreWording {
    promise: String,
    pays: String,
    pays_never: String,
    hook: String,
    tension: String,
    climaxes: String,
    no_climax: String,
    separator: String,
    turns: BTreeMap<TurnKind, String>,
}

static WORDS: LazyLock<GenreWords> = LazyLock::new(|| builtin(include_str!("../../data/structure.toml")));

impl Structure {
    /// Returns a genre named `id` with the lengths, the cadence, the hooks and the tension of this structure.
    ///
    /// It holds numbers and words of the program alone; names, headings and sentences of the reference are left out.
    pub fn genre(&self, id: &str) -> Genre {
        let words = match self.language {
            Language::Zh => &WORDS.zh,
            Language::En => &WORDS.en,
        };
        let cadence = &self.cadence;
        let (least, most) = (round(cadence.chapter_words.0), round(cadence.chapter_words.1));
        let payoff = match cadence.payoff_every {
            Some(every) => fill(&words.pays, &[("every", number(every))]),
            None => words.pays_never.clone(),
        };
        let promise =
            fill(&words.promise, &[("least", least.to_string()), ("most", most.to_string()), ("payoff", payoff)]);
        let climax = match cadence.climax_every {
            Some(every) => fill(&words.climaxes, &[("every", number(every))]),
            None => words.no_climax.clone(),
        };
        let curve: Vec<String> = cadence.tension.iter().copied().map(number).collect();
        let tension = fill(&words.tension, &[("curve", curve.join(words.separator.as_str())), ("climax", climax)]);
        let hook = |(kind, count): (EndingKind, usize)| {
            let share = format!("{} %", (count * 100).div_ceil(self.chapters.len().max(1)));
            fill(&words.hook, &[("ending", kind.name(self.language).to_owned()), ("share", share)])
        };
        let pulling = cadence.endings.iter().filter(|ending| ending.kind.pulls()).map(|one| (one.kind, one.count));
        let chapters = self.chapters.len().max(1);
        Genre {
            id: id.to_owned(),
            language: self.language,
            name: id.to_owned(),
            names: vec![id.to_owned()],
            promise,
            chapter_words: (least, most),
            chapters: (small(chapters - chapters / SPREAD), small(chapters + chapters / SPREAD)),
            payoff_every: cadence.payoff_every.map_or(small(chapters), |every| (every.round() as u32).max(1)),
            hooks: pulling.take(LISTED).map(hook).collect(),
            payoffs: self.payoffs().into_iter().take(LISTED).map(|kind| words.turns[&kind].clone()).collect(),
            avoid: Vec::new(),
            tension,
            tired: Vec::new(),
            ladder: Vec::new(),
            audit: Vec::new(),
            sequence: SequenceLimits {
                same_function: row(cadence.same_function),
                same_ending: row(cadence.same_ending),
                flat_tension: row(cadence.flat_tension),
                every_ending_pulls: cadence.pulling >= ALWAYS,
            },
            ladders: Vec::new(),
        }
    }

    /// Returns the turns that pay, the most frequent first.
    fn payoffs(&self) -> Vec<TurnKind> {
        let mut counts: BTreeMap<TurnKind, usize> = BTreeMap::new();
        for turn in self.chapters.iter().flat_map(|chapter| &chapter.turns).filter(|turn| turn.kind.pays()) {
            *counts.entry(turn.kind).or_default() += turn.count;
        }
        let mut kinds: Vec<(TurnKind, usize)> = counts.into_iter().collect();
        kinds.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        kinds.into_iter().map(|(kind, _)| kind).collect()
    }
}

/// Replaces each `{name}` by its value.
fn fill(template: &str, values: &[(&str, String)]) -> String {
    values.iter().fold(template.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}

/// Returns a number with one decimal where it is not whole.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// Rounds a length to hundreds from 1,000 on, to tens below; at least 1.
fn round(length: usize) -> u32 {
    let step = if length >= 1_000 { 100 } else { 10 };
    small(((length + step / 2) / step * step).max(1))
}

/// Returns the limit of a row: one more than the reference has, within bounds.
fn row(longest: usize) -> u32 {
    small((longest + 1).clamp(ROW, LONGEST_ROW))
}

fn small(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

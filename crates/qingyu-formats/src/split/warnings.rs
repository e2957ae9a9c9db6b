//! What looks wrong in the chapters of a manuscript. Nothing of it stops an import.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Chapter, HeadingRule, Splitting};
use crate::Origin;

/// Something that looks wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "warning", rename_all = "snake_case")]
pub enum Warning {
    /// Numbers are missing between two chapters that follow each other.
    Missing {
        /// The first number that is missing.
        from: u32,
        /// The last one.
        until: u32,
        /// The chapter after them.
        before: String,
        /// Where that begins.
        origin: Origin,
    },
    /// A number stands twice.
    Twice {
        /// The number.
        number: u32,
        /// The chapter that has it again.
        title: String,
        /// Where that begins.
        origin: Origin,
    },
    /// A number is lower than the one before.
    Backwards {
        /// The number.
        number: u32,
        /// The one before.
        after: u32,
        /// The chapter.
        title: String,
        /// Where it begins.
        origin: Origin,
    },
    /// The whole manuscript is one chapter.
    OneChapter {
        /// How many characters it has, spaces not counted.
        characters: usize,
        /// Lines that read like headings, the first of them.
        suspects: Vec<String>,
    },
    /// Nothing tells for certain that these are the headings.
    Guessed {
        /// How many chapters they begin.
        count: usize,
        /// The first of them.
        example: String,
    },
    /// A chapter is far longer than the others: headings within it may have been missed.
    Long {
        /// The chapter.
        title: String,
        /// How many characters it has, spaces not counted.
        characters: usize,
        /// Where it begins.
        origin: Origin,
    },
    /// A chapter has no text.
    NoText {
        /// The chapter.
        title: String,
        /// Where it begins.
        origin: Origin,
    },
}

/// What looks wrong; `suspects` are lines that read like headings and were not taken for any.
pub(super) fn look(chapters: &[Chapter], is_guess: bool, suspects: &[String], splitting: &Splitting) -> Vec<Warning> {
    let mut warnings = as_a_whole(chapters, is_guess, suspects, splitting);
    let mut seen: BTreeMap<u32, ()> = BTreeMap::new();
    let (mut last, mut volume) = (None, None);
    for (place, chapter) in chapters.iter().enumerate() {
        let (title, origin) = (chapter.title.clone(), chapter.origin.clone());
        if chapter.characters == 0 {
            warnings.push(Warning::NoText { title: title.clone(), origin: origin.clone() });
        }
        let Some(number) = chapter.number else { continue };
        // A new volume may count from the beginning again.
        if volume != Some(&chapter.volume) && number <= 1 {
            seen.clear();
            last = None;
        }
        // So may another book in the same file; that is said once.
        let next = chapters[place + 1..].iter().find_map(|next| next.number);
        let is_again = number <= 1 && next == Some(number + 1) && last.is_some_and(|last| last > number);
        if let Some(after) = last.filter(|_| is_again) {
            warnings.push(Warning::Backwards { number, after, title, origin });
            seen = BTreeMap::from([(number, ())]);
            last = Some(number);
            volume = Some(&chapter.volume);
            continue;
        }
        volume = Some(&chapter.volume);
        let expected = last.map_or(1, |last: u32| last.saturating_add(1));
        if seen.insert(number, ()).is_some() {
            warnings.push(Warning::Twice { number, title, origin });
            continue;
        }
        if number > expected {
            warnings.push(Warning::Missing { from: expected, until: number - 1, before: title, origin });
        } else if let Some(after) = last.filter(|last| number < *last) {
            warnings.push(Warning::Backwards { number, after, title, origin });
        }
        last = Some(number);
    }
    warnings
}

/// What looks wrong with the chapters as a whole.
fn as_a_whole(chapters: &[Chapter], is_guess: bool, suspects: &[String], splitting: &Splitting) -> Vec<Warning> {
    /// A single chapter with more characters than this is hardly one.
    const LONG: usize = 20_000;
    /// So many lines that read like headings are hardly prose.
    const MANY: usize = 2;
    /// A chapter that is so many times as long as most is hardly one.
    const TIMES: usize = 12;
    const SHOWN: usize = 5;
    let is_asked = splitting.headings == HeadingRule::Off || splitting.cut.is_some();
    let mut warnings = Vec::new();
    if let [only] = chapters
        && !is_asked
        && (only.characters > LONG || suspects.len() >= MANY)
    {
        let suspects = suspects.iter().take(SHOWN).cloned().collect();
        warnings.push(Warning::OneChapter { characters: only.characters, suspects });
    }
    if is_guess && let Some(first) = chapters.iter().find(|chapter| !chapter.title.is_empty()) {
        warnings.push(Warning::Guessed { count: chapters.len(), example: first.title.clone() });
    }
    let mut lengths: Vec<usize> = chapters.iter().map(|chapter| chapter.characters).collect();
    lengths.sort_unstable();
    let usual = lengths.get(lengths.len() / 2).copied().unwrap_or_default();
    for chapter in chapters.iter().filter(|_| chapters.len() >= 3) {
        if chapter.characters > LONG && chapter.characters > TIMES * usual {
            let Chapter { title, characters, origin, .. } = chapter.clone();
            warnings.push(Warning::Long { title, characters, origin });
        }
    }
    warnings
}

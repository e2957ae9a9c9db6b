//! Compiles word lists to an automaton and scans texts.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::automaton::Automaton;
use super::hit::{Disguise, Hit};
use super::lists::{Variants, WordContext, WordLists};
use super::symbols::{FILLER, OTHER, Symbols};
use super::verify::{Bounds, WordPattern};
use crate::{Error, Level};

/// A scanner for listed words. Create once and reuse.
#[derive(Debug, Clone)]
pub struct Scanner {
    symbols: Symbols,
    automaton: Automaton,
    words: Vec<ScannerEntry>,
    bounds: Bounds,
}

/// A word pattern, with the report for a match.
#[derive(Debug, Clone)]
struct ScannerEntry {
    pattern: WordPattern,
    /// `None` for a harmless word, which suppresses matches within.
    says: Option<WordReport>,
}

#[derive(Debug, Clone)]
struct WordReport {
    word: String,
    category: String,
    level: Level,
    suggestion: Option<String>,
    surroundings: WordContext,
}

impl Scanner {
    /// Returns a scanner for the words of `lists` with the disguises in `variants`; without variants only the case of
    /// letters is ignored.
    ///
    /// Fails with [`Error::NoLetter`] if a word has no searchable letter.
    pub fn new(lists: &WordLists, variants: Option<&Variants>) -> Result<Self, Error> {
        let folds = variants.is_some();
        // Even without variants, punctuation may separate the words of a phrase.
        let builtin = Variants::builtin();
        let variants = variants.unwrap_or(&builtin);
        let words = entries(lists);
        // A preliminary alphabet folds the characters of the words; the final alphabet is built from the result.
        let bare = Symbols::new(&FxHashSet::default(), variants, folds);
        let mut patterns = Vec::with_capacity(words.len());
        for (word, says) in words {
            let may_vary = folds && says.is_some();
            let pattern = WordPattern::new(&word, &bare, may_vary).ok_or(Error::NoLetter { word })?;
            patterns.push(ScannerEntry { pattern, says });
        }
        let used = patterns.iter().flat_map(|entry| entry.pattern.letters.iter().copied()).collect();
        let symbols = Symbols::new(&used, variants, folds);
        let classes = |entry: &ScannerEntry| entry.pattern.letters.iter().map(|c| symbols.class(*c)).collect();
        let classes: Vec<Vec<u16>> = patterns.iter().map(classes).collect();
        let automaton = Automaton::new(&classes, FILLER + 1, symbols.latin_end, symbols.count);
        let bounds = Bounds { most_fillers: variants.most_fillers, sound_from: variants.alike.sound_from };
        Ok(Self { symbols, automaton, words: patterns, bounds })
    }

    /// Returns the scanner for the built-in lists and disguises.
    pub fn builtin() -> Self {
        let scanner = Self::new(&WordLists::builtin(), Some(&Variants::builtin()));
        scanner.expect("the built-in lists have letters: tested")
    }

    /// Returns the number of words.
    pub fn len(&self) -> usize {
        self.words.iter().filter(|word| word.says.is_some()).count()
    }

    /// Returns whether the scanner has no words.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the hits in `text` reported at `level`, in text order.
    ///
    /// Hits within another hit or within a harmless word are omitted. Linear in the length of the text.
    pub fn scan(&self, text: &str, level: Level) -> Vec<Hit> {
        let (mut found, mut harmless) = (Vec::new(), Vec::new());
        self.each(text, |entry, span, disguise| match &entry.says {
            Some(says) if says.level <= level && says.surroundings.fit(text, &span) => {
                found.push((span, says, disguise));
            }
            Some(_) => {}
            None => harmless.push(span),
        });
        harmless.sort_by_key(|span: &Range<usize>| (span.start, usize::MAX - span.end));
        found.sort_by_key(|(span, says, disguise)| (span.start, usize::MAX - span.end, *disguise, says.level));
        let mut covered = 0;
        let mut allowed = SpanCover::new(&harmless);
        found.retain(|(span, ..)| {
            let is_new = span.end > covered && !allowed.covers(span);
            if is_new {
                covered = span.end;
            }
            is_new
        });
        let hit = |(span, says, disguise): (Range<usize>, &WordReport, Option<Disguise>)| Hit {
            text: text[span.clone()].to_owned(),
            span,
            word: says.word.clone(),
            category: says.category.clone(),
            level: says.level,
            disguise,
            suggestion: says.suggestion.clone(),
        };
        found.into_iter().map(hit).collect()
    }

    /// Calls `take` with each word found.
    fn each<'s>(&'s self, text: &str, mut take: impl FnMut(&'s ScannerEntry, Range<usize>, Option<Disguise>)) {
        let mut chars = text.chars();
        let mut state = 0;
        let mut in_word = false;
        while let Some(c) = chars.next() {
            let is_letter = c.is_ascii_alphabetic();
            if is_letter && in_word && state == 0 {
                // No Latin word begins within another.
                continue;
            }
            let goes_on = is_letter && in_word;
            in_word = c.is_ascii_alphanumeric();
            let class = self.symbols.class(c);
            if class <= FILLER {
                if class == OTHER {
                    state = 0;
                }
                continue;
            }
            state = self.automaton.step(state, class);
            if goes_on && self.automaton.is_first(state, class) {
                state = 0;
            } else if self.automaton.is_end(state) {
                let at = text.len() - chars.as_str().len();
                for word in self.automaton.ends(state) {
                    let entry = &self.words[word];
                    if let Some((span, disguise)) = entry.pattern.prove(text, at, &self.symbols, self.bounds) {
                        take(entry, span, disguise);
                    }
                }
            }
        }
    }
}

/// Checks whether spans in ascending order lie within other spans.
struct SpanCover<'c> {
    spans: &'c [Range<usize>],
    /// The greatest end of the spans starting before.
    reach: usize,
}

impl<'c> SpanCover<'c> {
    fn new(spans: &'c [Range<usize>]) -> Self {
        Self { spans, reach: 0 }
    }

    fn covers(&mut self, span: &Range<usize>) -> bool {
        while let Some((first, rest)) = self.spans.split_first().filter(|(first, _)| first.start <= span.start) {
            self.reach = self.reach.max(first.end);
            self.spans = rest;
        }
        self.reach >= span.end
    }
}

/// Returns the words of `lists` without duplicates: the first list wins.
fn entries(lists: &WordLists) -> Vec<(String, Option<WordReport>)> {
    let mut seen: FxHashMap<String, ()> = FxHashMap::default();
    let mut entries = Vec::new();
    for word in &lists.allowed.words {
        if seen.insert(word.trim().to_lowercase(), ()).is_none() {
            entries.push((word.clone(), None));
        }
    }
    for list in &lists.lists {
        for word in &list.words {
            let text = word.text().trim();
            if seen.insert(text.to_lowercase(), ()).is_none() {
                let says = WordReport {
                    word: text.to_owned(),
                    category: list.category.clone(),
                    level: list.level,
                    suggestion: word.suggestion().or(list.suggestion.as_deref()).map(str::to_owned),
                    surroundings: word.surroundings(),
                };
                entries.push((text.to_owned(), Some(says)));
            }
        }
    }
    entries
}

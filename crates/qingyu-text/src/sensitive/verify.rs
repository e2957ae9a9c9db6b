//! What a find must prove: that the text really says the word, in one of the ways that are allowed.

use std::ops::Range;

use super::Disguise;
use super::symbols::{Between, Stands, Symbols};

/// A word as it is sought.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    /// Its characters, folded, without what stands between them.
    pub(super) letters: Vec<char>,
    /// After which characters the word itself has a space.
    pub(super) breaks: Vec<bool>,
    /// Whether it consists of Latin letters, digits and marks only.
    pub(super) is_latin: bool,
    /// Whether it may be disguised.
    pub(super) may_vary: bool,
}

/// How many fillers may stand in a row, and from which length sounds count.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) most_fillers: usize,
    pub(super) sound_from: usize,
}

impl Pattern {
    /// The pattern of `word`; `None` if it has no letter.
    pub(super) fn new(word: &str, symbols: &Symbols, may_vary: bool) -> Option<Self> {
        let (mut letters, mut breaks): (Vec<char>, Vec<bool>) = Default::default();
        for c in word.trim().chars() {
            if symbols.between(c).is_some() {
                if let Some(last) = breaks.last_mut() {
                    *last = true;
                }
            } else {
                letters.push(symbols.folded(c));
                breaks.push(false);
            }
        }
        *breaks.last_mut()? = false;
        let is_latin = letters.iter().all(char::is_ascii);
        Some(Self { letters, breaks, is_latin, may_vary })
    }

    /// The place of the word in `text` that ends at `end`, and how it is disguised.
    pub(super) fn prove(
        &self,
        text: &str,
        end: usize,
        symbols: &Symbols,
        bounds: Bounds,
    ) -> Option<(Range<usize>, Option<Disguise>)> {
        let mut found = Found::default();
        let mut before = text[..end].char_indices().rev();
        let mut at = self.letters.len();
        let mut gap = Gap::default();
        let start = loop {
            let (start, c) = before.next()?;
            match symbols.stands_for(c, self.letters[at - 1]) {
                Some(stands) => {
                    if at < self.letters.len() {
                        found.close(gap, self.breaks[at - 1]);
                    }
                    gap = Gap::default();
                    found.note(stands);
                    at -= 1;
                    if at == 0 {
                        break start;
                    }
                }
                None => gap.take(symbols.between(c).filter(|_| at < self.letters.len())?, bounds.most_fillers)?,
            }
        };
        let end = self.stands_alone(text, start, end)?;
        self.allows(&found, bounds).then_some((start..end, found.disguise))
    }

    /// Whether the word is no part of a longer Latin one; an `s` after it is taken along.
    fn stands_alone(&self, text: &str, start: usize, end: usize) -> Option<usize> {
        let is_latin = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        let starts_latin = self.letters.first().is_some_and(char::is_ascii_alphanumeric);
        if starts_latin && is_latin(text[..start].chars().next_back()) {
            return None;
        }
        if !self.letters.last().is_some_and(char::is_ascii_alphanumeric) {
            return Some(end);
        }
        let mut after = text[end..].chars();
        match after.next() {
            Some('s' | 'S') if self.is_latin && !is_latin(after.next()) => Some(end + 1),
            c if is_latin(c) => None,
            _ => Some(end),
        }
    }

    fn allows(&self, found: &Found, bounds: Bounds) -> bool {
        let count = self.letters.len();
        let all_breaks = self.breaks.iter().filter(|is_break| **is_break).count();
        let other_gaps = count - 1 - all_breaks;
        if found.new_lines_in_word > 0 || (found.new_lines > 0 && !self.is_latin) {
            return false;
        }
        if !self.may_vary {
            return found.filled_breaks == all_breaks && found.filled_gaps == 0 && found.disguise.is_none();
        }
        let everywhere = found.filled_gaps == other_gaps && (all_breaks == 0 || found.filled_breaks == all_breaks);
        let fits_gaps = match self.is_latin {
            true => found.filled_gaps == 0 || (everywhere && count > 2),
            false => true,
        };
        let fits_separators = found.separators == 0 || (everywhere && count > 2);
        let fits_sound = found.sounds == 0 || (count >= bounds.sound_from && found.sounds * 2 <= count);
        fits_gaps && fits_separators && fits_sound
    }
}

/// What stands between two characters of a word.
#[derive(Debug, Clone, Copy, Default)]
struct Gap {
    count: usize,
    separators: usize,
    new_lines: usize,
}

impl Gap {
    fn take(&mut self, between: Between, most: usize) -> Option<()> {
        self.count += 1;
        match between {
            Between::Filler => {}
            Between::Separator => self.separators += 1,
            Between::NewLine => self.new_lines += 1,
        }
        (self.count <= most.max(1)).then_some(())
    }
}

/// What was seen on the way through a find.
#[derive(Debug, Clone, Default)]
struct Found {
    filled_gaps: usize,
    filled_breaks: usize,
    separators: usize,
    new_lines: usize,
    new_lines_in_word: usize,
    sounds: usize,
    disguise: Option<Disguise>,
}

impl Found {
    fn close(&mut self, gap: Gap, is_break: bool) {
        if gap.count == 0 {
            return;
        }
        self.separators += gap.separators;
        if is_break {
            self.filled_breaks += 1;
            self.new_lines += gap.new_lines;
        } else {
            self.filled_gaps += 1;
            self.new_lines_in_word += gap.new_lines;
            self.disguise = self.disguise.max(Some(Disguise::Spaced));
        }
    }

    fn note(&mut self, stands: Stands) {
        let disguise = match stands {
            Stands::Itself => return,
            Stands::Width => Disguise::Width,
            Stands::Traditional => Disguise::Traditional,
            Stands::Leet => Disguise::Leet,
            Stands::Look => Disguise::LooksAlike,
            Stands::Sound => {
                self.sounds += 1;
                Disguise::SoundsAlike
            }
        };
        self.disguise = self.disguise.max(Some(disguise));
    }
}

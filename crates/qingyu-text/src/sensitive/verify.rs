//! Validates a match: whether the text contains the word in an allowed form.

use std::ops::Range;

use super::hit::Disguise;
use super::symbols::{CharacterMatch, GapCharacter, Symbols};

/// A word prepared for matching.
#[derive(Debug, Clone)]
pub(super) struct WordPattern {
    /// The folded characters, without fillers.
    pub(super) letters: Vec<char>,
    /// Whether the word has a space after each character.
    pub(super) breaks: Vec<bool>,
    /// Whether the word consists only of Latin letters, digits and punctuation.
    pub(super) is_latin: bool,
    /// Whether disguises are allowed.
    pub(super) may_vary: bool,
}

/// The most fillers in a row, and the least length for replacement by sound.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    pub(super) most_fillers: usize,
    pub(super) sound_from: usize,
}

impl WordPattern {
    /// Returns the pattern of `word`, or `None` without a letter.
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

    /// Returns the range of the word ending at `end` in `text`, with the disguise; `None` if the text does not match.
    pub(super) fn prove(
        &self,
        text: &str,
        end: usize,
        symbols: &Symbols,
        bounds: Bounds,
    ) -> Option<(Range<usize>, Option<Disguise>)> {
        let mut found = MatchEvidence::default();
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

    /// Returns the end of the word, including a plural `s`, or `None` if part of a longer Latin word.
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

    fn allows(&self, found: &MatchEvidence, bounds: Bounds) -> bool {
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

/// The fillers between two characters of a word.
#[derive(Debug, Clone, Copy, Default)]
struct Gap {
    count: usize,
    separators: usize,
    new_lines: usize,
}

impl Gap {
    fn take(&mut self, between: GapCharacter, most: usize) -> Option<()> {
        self.count += 1;
        match between {
            GapCharacter::Filler => {}
            GapCharacter::Separator => self.separators += 1,
            GapCharacter::NewLine => self.new_lines += 1,
        }
        (self.count <= most.max(1)).then_some(())
    }
}

/// The evidence collected while validating a match.
#[derive(Debug, Clone, Default)]
struct MatchEvidence {
    filled_gaps: usize,
    filled_breaks: usize,
    separators: usize,
    new_lines: usize,
    new_lines_in_word: usize,
    sounds: usize,
    disguise: Option<Disguise>,
}

impl MatchEvidence {
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

    fn note(&mut self, stands: CharacterMatch) {
        let disguise = match stands {
            CharacterMatch::Itself => return,
            CharacterMatch::Width => Disguise::Width,
            CharacterMatch::Traditional => Disguise::Traditional,
            CharacterMatch::Leet => Disguise::Leet,
            CharacterMatch::Look => Disguise::LooksAlike,
            CharacterMatch::Sound => {
                self.sounds += 1;
                Disguise::SoundsAlike
            }
        };
        self.disguise = self.disguise.max(Some(disguise));
    }
}

//! Where paragraphs, sentences and speech begin and end.

use super::{Paragraph, Prose, Sentence, SlipKind, Speech, Voice, layout, mix};
use crate::Language;
use crate::language::{is_han, is_letter};
use crate::marks::{self, Single};

/// Marks within marks; what goes deeper has no other half.
const DEEPEST: usize = 16;

/// Reads `text` from beginning to end, once.
pub(super) fn read(text: &str) -> Prose {
    let mut prose = Prose::default();
    let (mut han, mut words) = (0, 0);
    let mut at = 0;
    let mut open: Option<Open> = None;
    let manner = Manner { singles_quote: marks::singles_quote(text), dots_are_stops: marks::dots_are_stops(text) };
    for line in text.split_inclusive('\n') {
        let begin = at + (line.len() - line.trim_start().len());
        let line_text = line.trim();
        at += line.len();
        if line_text.is_empty() {
            continue;
        }
        if let Some(open) = open.take().filter(|open| !line_text.starts_with(open.mark)) {
            // A speech of several paragraphs opens each of them anew; any other must be closed where it began.
            open.report(&mut prose);
        }
        let first = prose.sentences.len();
        let mut reading = Line::new(text, begin, begin + line_text.len(), manner, &mut prose);
        reading.read();
        open = reading.unclosed();
        let (length, line_han) = (reading.length, reading.han);
        (han, words) = (han + line_han, words + length - line_han);
        let sentences = first..prose.sentences.len();
        prose.paragraphs.push(Paragraph { range: begin..begin + line_text.len(), sentences, length });
    }
    prose.open_at_end = open.map(|open| open.at);
    // Behind a whole sentence only the mark is missing; otherwise the text itself breaks off.
    let is_whole = prose.paragraphs.last().is_some_and(|last| marks::ends_sentence(&text[last.range.clone()]));
    if let Some(open) = open.filter(|_| is_whole) {
        open.report(&mut prose);
    }
    prose.length = han + words;
    prose.language = if words > han { Language::En } else { Language::Zh };
    join_over_lines(text, &mut prose);
    layout::dialogue_by_dashes(text, &mut prose);
    layout::set_apart(text, &mut prose);
    prose
}

/// A mark that opens in one line and closes in a later one, with no speech between, quotes several lines: verse, a letter.
const FURTHEST: usize = 1_200;

/// Takes the reports of such pairs back: neither mark lacks its other half.
fn join_over_lines(text: &str, prose: &mut Prose) {
    let mark = |at: usize| text[at..].chars().next();
    let unbalanced = prose.slips.iter().filter(|slip| slip.kind == SlipKind::Unbalanced);
    let mut places: Vec<usize> = unbalanced.map(|slip| slip.range.start).collect();
    places.sort_unstable();
    let mut joined = Vec::new();
    let mut pairs = places.windows(2);
    while let Some([open, close]) = pairs.next() {
        let is_pair =
            mark(*open).zip(mark(*close)).is_some_and(|(a, b)| marks::opens_only(a) && marks::closes_quote(a, b));
        let next = prose.speeches.partition_point(|speech| speech.range.start < *open);
        let is_alone = prose.speeches.get(next).is_none_or(|speech| speech.range.start > *close);
        if is_pair && is_alone && close - open <= FURTHEST {
            joined.extend([*open, *close]);
            pairs.next();
        }
    }
    prose.slips.retain(|slip| slip.kind != SlipKind::Unbalanced || joined.binary_search(&slip.range.start).is_err());
}

/// How the marks of a text that have several meanings are meant in it.
#[derive(Debug, Clone, Copy)]
struct Manner {
    singles_quote: bool,
    dots_are_stops: bool,
}

/// An opening mark that waits for its other half.
#[derive(Debug, Clone, Copy)]
struct Open {
    mark: char,
    at: usize,
}

impl Open {
    fn range(self) -> std::ops::Range<usize> {
        self.at..self.at + self.mark.len_utf8()
    }

    /// Reports that its other half is missing. Of a single mark nobody can say that: it may be an apostrophe.
    fn report(self, prose: &mut Prose) {
        if !matches!(self.mark, '‘' | '\'') {
            prose.slip(SlipKind::Unbalanced, self.range(), None);
        }
    }
}

/// How certainly a mark ends a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stop {
    /// An ellipsis: only before new speech or a capital.
    Weak,
    /// A half-width mark: only before white space that no small letter follows.
    Latin,
    /// A full-width mark.
    Full,
}

/// One line while it is read.
struct Line<'t, 'p> {
    text: &'t str,
    end: usize,
    prose: &'p mut Prose,
    begin: usize,
    manner: Manner,
    /// The single quotation marks of the line that quote, by their bytes in the text.
    singles: Vec<(usize, Single)>,
    length: usize,
    han: usize,
    open: Vec<Open>,
    /// The sentence that is being read.
    start: Option<usize>,
    sentence_length: usize,
    shape: u64,
    opening: u64,
    opening_letters: usize,
    voice: Voice,
    in_word: bool,
    /// The end that has been seen, where it is, and whether white space followed.
    stop: Option<(Stop, usize, bool)>,
}

impl<'t, 'p> Line<'t, 'p> {
    fn new(text: &'t str, begin: usize, end: usize, manner: Manner, prose: &'p mut Prose) -> Self {
        let singles = if manner.singles_quote { marks::singles(&text[begin..end]) } else { Vec::new() };
        Self {
            text,
            end,
            prose,
            begin,
            manner,
            singles: singles.into_iter().map(|(at, single)| (begin + at, single)).collect(),
            length: 0,
            han: 0,
            open: Vec::new(),
            start: None,
            sentence_length: 0,
            shape: 0,
            opening: 0,
            opening_letters: 0,
            voice: Voice::Narrated,
            in_word: false,
            stop: None,
        }
    }

    fn read(&mut self) {
        let mut letters = self.text[self.begin..self.end].char_indices().peekable();
        while let Some((offset, c)) = letters.next() {
            let at = self.begin + offset;
            if is_han(c) {
                self.before(at, c);
                self.in_word = false;
                self.han += 1;
                self.letter(c);
                self.count();
            } else if is_letter(c) {
                self.before(at, c);
                if !self.in_word {
                    self.count();
                }
                self.in_word = true;
                self.letter(c.to_ascii_lowercase());
            } else if self.in_word && is_joint(c) && letters.peek().is_some_and(|(_, next)| is_letter(*next)) {
                // `don't` and `well-worn` are one word each.
            } else {
                self.in_word = false;
                self.mark(at, c);
            }
        }
        if let Some(start) = self.start {
            self.finish(start, self.end);
        }
    }

    /// Takes note of a letter of the sentence.
    fn letter(&mut self, c: char) {
        self.shape = mix(self.shape, c);
        let is_opening = if is_han(c) { self.opening_letters < 2 } else { self.sentence_length <= 1 && self.in_word };
        if is_opening {
            self.opening = mix(self.opening, c);
            self.opening_letters += 1;
        }
    }

    fn count(&mut self) {
        self.length += 1;
        self.sentence_length += 1;
    }

    /// Decides whether the sentence before `at` has ended, now that `c` is seen to follow.
    fn before(&mut self, at: usize, c: char) {
        if let Some((stop, end, spaced)) = self.stop.take() {
            let is_opener = self.opens(at, c);
            let ends = match stop {
                Stop::Full => is_letter(c) || is_opener || (spaced && !is_inner(c)),
                Stop::Latin if is_han(c) || is_opener => spaced || is_han(c),
                Stop::Latin => spaced && !c.is_lowercase() && !is_inner(c),
                Stop::Weak => is_opener || (spaced && c.is_uppercase()),
            };
            if let (true, Some(start)) = (ends, self.start) {
                self.finish(start, end);
            }
        }
        if self.start.is_none() {
            self.begin(at, c);
        } else if self.opens_speech(at, c) && self.voice == Voice::Narrated {
            self.voice = Voice::Mixed;
        }
    }

    fn begin(&mut self, at: usize, c: char) {
        self.start = Some(at);
        let speaks = self.is_speaking() || self.opens_speech(at, c);
        self.voice = if speaks { Voice::Spoken } else { Voice::Narrated };
    }

    fn finish(&mut self, start: usize, end: usize) {
        if self.sentence_length > 0 {
            self.prose.sentences.push(Sentence {
                range: start..end,
                length: self.sentence_length,
                shape: self.shape,
                opening: self.opening,
                voice: self.voice,
                sketch: None,
            });
        }
        self.start = None;
        self.stop = None;
        (self.sentence_length, self.shape, self.opening, self.opening_letters) = (0, 0, 0, 0);
    }

    fn mark(&mut self, at: usize, c: char) {
        let end = at + c.len_utf8();
        if c.is_whitespace() {
            if let Some((_, _, spaced)) = &mut self.stop {
                *spaced = true;
            }
            return;
        }
        let closes = self.closes(at, c);
        if let (Some((_, stop_end, false)), true) = (&mut self.stop, closes) {
            *stop_end = end;
        } else if let Some(stop) = self.stop_of(at, c) {
            let stop = self.stop.map_or(stop, |(earlier, ..)| earlier.max(stop));
            if self.start.is_none() {
                self.begin(at, c);
            }
            self.stop = Some((stop, end, false));
        } else {
            self.before(at, c);
        }
        self.balance(at, c, closes);
    }

    /// Whether the mark at `at` is the other half of one that is open.
    fn closes(&self, at: usize, c: char) -> bool {
        self.open.iter().any(|open| self.is_half(open.mark, at, c))
    }

    fn is_half(&self, opener: char, at: usize, c: char) -> bool {
        let is_meant = !matches!(c, '’' | '\'') || self.single(at) == Some(Single::Closes);
        is_meant && marks::closes(opener, c)
    }

    fn single(&self, at: usize) -> Option<Single> {
        let place = self.singles.binary_search_by_key(&at, |(place, _)| *place).ok()?;
        Some(self.singles[place].1)
    }

    /// Whether the mark at `at` may open something.
    fn opens(&self, at: usize, c: char) -> bool {
        match c {
            '‘' | '\'' => self.single(at) == Some(Single::Opens),
            _ => marks::closer_of(c).is_some(),
        }
    }

    fn opens_speech(&self, at: usize, c: char) -> bool {
        self.opens(at, c) && is_speech_mark(c)
    }

    fn stop_of(&self, at: usize, c: char) -> Option<Stop> {
        match c {
            c if marks::is_full_stop(c) => Some(Stop::Full),
            '．' if self.text[at + c.len_utf8()..].starts_with(c) || self.text[..at].ends_with(c) => Some(Stop::Weak),
            '．' if self.manner.dots_are_stops && !self.is_within_number(at, c) => Some(Stop::Full),
            '…' => Some(Stop::Weak),
            '!' | '?' => Some(Stop::Latin),
            '.' if self.text[at + 1..].starts_with('.') || self.text[..at].ends_with('.') => Some(Stop::Weak),
            '.' if !self.is_abbreviation(at) => Some(Stop::Latin),
            _ => None,
        }
    }

    /// Whether the word before the full stop at `at` is shortened by it.
    fn is_abbreviation(&self, at: usize) -> bool {
        let before = &self.text.as_bytes()[self.begin..at];
        let letters = before.iter().rev().take(6).take_while(|byte| byte.is_ascii_alphabetic()).count();
        let word = &self.text[at - letters..at];
        (letters == 1 && word != "I" && word.as_bytes()[0].is_ascii_uppercase()) || marks::is_abbreviation(word)
    }

    /// Whether the mark at `at` stands between digits or Latin letters.
    fn is_within_number(&self, at: usize, c: char) -> bool {
        let is_latin = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_han(c));
        is_latin(self.text[..at].chars().next_back()) && is_latin(self.text[at + c.len_utf8()..].chars().next())
    }

    /// Keeps account of opening and closing marks.
    fn balance(&mut self, at: usize, c: char, closes: bool) {
        if closes {
            while let Some(open) = self.open.pop() {
                if self.is_half(open.mark, at, c) {
                    if is_speech_mark(open.mark) && !self.is_speaking() {
                        self.prose.speeches.push(Speech { range: open.at..at + c.len_utf8(), opener: open.mark });
                    }
                    break;
                }
                open.report(self.prose);
            }
        } else if self.opens(at, c) {
            if self.open.len() < DEEPEST {
                self.open.push(Open { mark: c, at });
            } else {
                Open { mark: c, at }.report(self.prose);
            }
        } else if marks::only_closes(c) {
            self.prose.slip(SlipKind::Unbalanced, at..at + c.len_utf8(), None);
        }
    }

    fn is_speaking(&self) -> bool {
        self.open.iter().any(|open| is_speech_mark(open.mark))
    }

    /// The quotation mark that the next line may carry on, after reporting all others.
    fn unclosed(&mut self) -> Option<Open> {
        let last = self.open.pop()?;
        for open in std::mem::take(&mut self.open) {
            open.report(self.prose);
        }
        if is_speech_mark(last.mark) {
            return Some(last);
        }
        last.report(self.prose);
        None
    }
}

/// Whether speech may stand behind `c`, if it opens anything.
fn is_speech_mark(c: char) -> bool {
    c == '\'' || marks::opens_quote(c)
}

fn is_joint(c: char) -> bool {
    matches!(c, '\'' | '’' | '-')
}

/// Whether `c` carries a sentence on.
fn is_inner(c: char) -> bool {
    matches!(c, '，' | '、' | '；' | '：' | '—' | ',' | ';' | ':' | '…' | '-')
}

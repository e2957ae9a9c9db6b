//! Detection of paragraphs, sentences and speech.

use super::{Prose, ProseParagraph, ProseSentence, SentenceVoice, SlipKind, Speech, layout, mix};
use crate::Language;
use crate::language::{is_han, is_letter};
use crate::marks::{self, SingleQuoteRole};

/// The maximum nesting depth of marks; deeper marks are not matched.
const DEEPEST: usize = 16;

/// Parses `text` in a single pass.
pub(super) fn read(text: &str) -> Prose {
    let mut prose = Prose::default();
    let (mut han, mut words) = (0, 0);
    let mut at = 0;
    let mut open: Option<OpenMark> = None;
    // The first paragraph of the quotation open now, and whether a quoted letter still lacks its closing mark.
    let mut quoted_from = 0;
    let mut is_owed = false;
    let manner = QuoteStyle { singles_quote: marks::singles_quote(text), dots_are_stops: marks::dots_are_stops(text) };
    for line in text.split_inclusive('\n') {
        let begin = at + (line.len() - line.trim_start().len());
        let line_text = line.trim();
        at += line.len();
        if line_text.is_empty() {
            continue;
        }
        let is_separator = !line_text.chars().any(char::is_alphanumeric);
        let carried = open.take();
        match carried.filter(|_| !is_separator) {
            // A speech of several paragraphs repeats its opening mark in each; any other speech must close in its
            // paragraph.
            Some(open) if !line_text.starts_with(open.mark) => {
                let is_end = prose.paragraphs.last().is_some_and(|last| open.range().end == last.range.end);
                if is_owed && open.mark == '"' && is_end {
                    is_owed = false;
                } else if is_quoted_document(text, &prose, quoted_from, open) {
                    is_owed = true;
                } else {
                    open.report(&mut prose);
                }
                quoted_from = prose.paragraphs.len();
            }
            Some(_) => {}
            None if is_separator && carried.is_some() => {}
            None => quoted_from = prose.paragraphs.len(),
        }
        let first = prose.sentences.len();
        let mut reading = LineReader::new(text, begin, begin + line_text.len(), manner, &mut prose);
        reading.is_owed = is_owed;
        reading.read();
        is_owed = reading.is_owed;
        open = reading.unclosed().or(carried.filter(|_| is_separator));
        let (length, line_han) = (reading.length, reading.han);
        (han, words) = (han + line_han, words + length - line_han);
        let sentences = first..prose.sentences.len();
        prose.paragraphs.push(ProseParagraph { range: begin..begin + line_text.len(), sentences, length });
    }
    prose.open_at_end = open.map(|open| open.at);
    // After a complete sentence only the mark is missing; otherwise the text itself breaks off.
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

/// Returns whether an unclosed mark opens a quoted letter, inscription or verse in Latin letters: such quotations often
/// end with a signature or a blank line instead of a mark.
///
/// The quotation begins with the mark at the start of the paragraph `from`, and is introduced by a colon or a dash, or a
/// salutation.
fn is_quoted_document(text: &str, prose: &Prose, from: usize, open: OpenMark) -> bool {
    const SALUTATION: usize = 80;
    let Some((first, last)) = prose.paragraphs.get(from).zip(prose.paragraphs.last()) else { return false };
    let is_latin = !text[last.range.clone()].chars().any(is_han);
    if !is_latin || open.at != last.range.start || !text[first.range.clone()].starts_with(open.mark) {
        return false;
    }
    let Some(before) = from.checked_sub(1).map(|before| &text[prose.paragraphs[before].range.clone()]) else {
        return false;
    };
    let greets = |line: &str| {
        let head: String = line.chars().take(SALUTATION).collect::<String>().to_lowercase();
        ["dear", "dearest", "sir,", "sir.", "madam,"].iter().any(|word| head.contains(word))
    };
    let is_dateline = first.length <= 8 && text[first.range.clone()].contains(|c: char| c.is_ascii_digit());
    let is_introduced = before.ends_with([':', '—', '-', ',']) || before.ends_with("*/");
    let is_salutation = before.chars().count() <= SALUTATION && greets(before);
    is_introduced || is_salutation || is_dateline || greets(&text[first.range.clone()])
}

/// The maximum distance in bytes between an opening mark and a closing mark in a later line, without speech between: a
/// multi-line quote such as verse or a letter.
const FURTHEST: usize = 1_200;
/// The same between lenticular brackets, which set apart whole passages with their speeches: a message, a page of another
/// book.
const FURTHEST_BRACKET: usize = 6_000;

/// Removes the reports of such pairs, since neither mark is unmatched.
fn join_over_lines(text: &str, prose: &mut Prose) {
    let mark = |at: usize| text[at..].chars().next();
    let is_alone = |open: usize, close: usize| {
        let next = prose.speeches.partition_point(|speech| speech.range.start < open);
        prose.speeches.get(next).is_none_or(|speech| speech.range.start > close)
    };
    let unbalanced = prose.slips.iter().filter(|slip| slip.kind == SlipKind::Unbalanced);
    let mut places: Vec<usize> = unbalanced.map(|slip| slip.range.start).collect();
    places.sort_unstable();
    let mut joined = Vec::new();
    let mut at = 0;
    while let Some(open) = places.get(at).copied() {
        at += 1;
        let Some(opener) = mark(open) else { continue };
        if opener == '"' {
            if let Some(close) = straight_end(text, prose, open).filter(|close| is_alone(open, *close)) {
                joined.extend([open, close]);
            }
            continue;
        }
        let Some((close, closer)) = places.get(at).and_then(|close| Some((*close, mark(*close)?))) else { continue };
        let is_quote = marks::opens_only(opener) && marks::closes_quote(opener, closer);
        let is_passage = (opener, closer) == ('【', '】');
        if is_quote && is_alone(open, close) && close - open <= FURTHEST
            || is_passage && close - open <= FURTHEST_BRACKET
        {
            joined.extend([open, close]);
            at += 1;
        }
    }
    joined.sort_unstable();
    prose.slips.retain(|slip| slip.kind != SlipKind::Unbalanced || joined.binary_search(&slip.range.start).is_err());
}

/// Returns the straight mark at the end of a later paragraph that closes the one at the beginning of the paragraph at `open`,
/// if no other straight mark stands between: verse.
fn straight_end(text: &str, prose: &Prose, open: usize) -> Option<usize> {
    let first = prose.paragraphs.binary_search_by(|paragraph| paragraph.range.start.cmp(&open)).ok()?;
    for paragraph in &prose.paragraphs[first + 1..] {
        if paragraph.range.end > open + FURTHEST {
            return None;
        }
        let found = text[paragraph.range.clone()].find('"').map(|at| paragraph.range.start + at);
        if let Some(close) = found {
            return (close + 1 == paragraph.range.end).then_some(close);
        }
    }
    None
}

/// The meaning of ambiguous marks in a text.
#[derive(Debug, Clone, Copy)]
struct QuoteStyle {
    singles_quote: bool,
    dots_are_stops: bool,
}

/// An unmatched opening mark.
#[derive(Debug, Clone, Copy)]
struct OpenMark {
    mark: char,
    at: usize,
}

impl OpenMark {
    fn range(self) -> std::ops::Range<usize> {
        self.at..self.at + self.mark.len_utf8()
    }

    /// Reports the unmatched mark, except a single quotation mark, possibly an apostrophe.
    fn report(self, prose: &mut Prose) {
        if !matches!(self.mark, '‘' | '\'') {
            prose.slip(SlipKind::Unbalanced, self.range(), None);
        }
    }
}

/// The certainty of a sentence end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum SentenceEnd {
    /// An ellipsis: only before new speech or a capital.
    Weak,
    /// A half-width mark: only before white space, without a small letter after.
    Latin,
    /// A full-width mark.
    Full,
}

/// The parser state of one line.
struct LineReader<'t, 'p> {
    text: &'t str,
    end: usize,
    prose: &'p mut Prose,
    begin: usize,
    manner: QuoteStyle,
    /// The quoting single quotation marks of the line, by byte index in the text.
    singles: Vec<(usize, SingleQuoteRole)>,
    length: usize,
    han: usize,
    open: Vec<OpenMark>,
    /// The start of the current sentence.
    start: Option<usize>,
    sentence_length: usize,
    shape: u64,
    opening: u64,
    opening_letters: usize,
    voice: SentenceVoice,
    in_word: bool,
    /// Whether a closing mark belongs to a letter quoted in earlier paragraphs.
    is_owed: bool,
    /// The last possible end, its position, and whether white space followed.
    stop: Option<(SentenceEnd, usize, bool)>,
}

impl<'t, 'p> LineReader<'t, 'p> {
    fn new(text: &'t str, begin: usize, end: usize, manner: QuoteStyle, prose: &'p mut Prose) -> Self {
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
            voice: SentenceVoice::Narrated,
            in_word: false,
            is_owed: false,
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

    /// Registers a letter of the sentence.
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

    /// Decides, from the following character `c`, whether the sentence before `at` has ended.
    fn before(&mut self, at: usize, c: char) {
        if let Some((stop, end, spaced)) = self.stop.take() {
            let is_opener = self.opens(at, c);
            let ends = match stop {
                SentenceEnd::Full => is_letter(c) || is_opener || (spaced && !is_inner(c)),
                SentenceEnd::Latin if is_han(c) || is_opener => spaced || is_han(c),
                SentenceEnd::Latin => spaced && !c.is_lowercase() && !is_inner(c),
                SentenceEnd::Weak => is_opener || (spaced && c.is_uppercase()),
            };
            if let (true, Some(start)) = (ends, self.start) {
                self.finish(start, end);
            }
        }
        if self.start.is_none() {
            self.begin(at, c);
        } else if self.opens_speech(at, c) && self.voice == SentenceVoice::Narrated {
            self.voice = SentenceVoice::Mixed;
        }
    }

    fn begin(&mut self, at: usize, c: char) {
        self.start = Some(at);
        let speaks = self.is_speaking() || self.opens_speech(at, c);
        self.voice = if speaks { SentenceVoice::Spoken } else { SentenceVoice::Narrated };
    }

    fn finish(&mut self, start: usize, end: usize) {
        if self.sentence_length > 0 {
            self.prose.sentences.push(ProseSentence {
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

    /// Returns whether the mark at `at` matches an open mark.
    fn closes(&self, at: usize, c: char) -> bool {
        self.open.iter().any(|open| self.is_half(open.mark, at, c))
    }

    fn is_half(&self, opener: char, at: usize, c: char) -> bool {
        let is_meant = !matches!(c, '’' | '\'') || self.single(at) == Some(SingleQuoteRole::Closes);
        is_meant && marks::closes(opener, c)
    }

    fn single(&self, at: usize) -> Option<SingleQuoteRole> {
        let place = self.singles.binary_search_by_key(&at, |(place, _)| *place).ok()?;
        Some(self.singles[place].1)
    }

    /// Returns whether the mark at `at` may open something.
    fn opens(&self, at: usize, c: char) -> bool {
        match c {
            '‘' | '\'' => self.single(at) == Some(SingleQuoteRole::Opens),
            _ => marks::closer_of(c).is_some(),
        }
    }

    fn opens_speech(&self, at: usize, c: char) -> bool {
        self.opens(at, c) && is_speech_mark(c)
    }

    fn stop_of(&self, at: usize, c: char) -> Option<SentenceEnd> {
        match c {
            c if marks::is_full_stop(c) => Some(SentenceEnd::Full),
            '．' if self.text[at + c.len_utf8()..].starts_with(c) || self.text[..at].ends_with(c) => {
                Some(SentenceEnd::Weak)
            }
            '．' if self.manner.dots_are_stops && !self.is_within_number(at, c) => Some(SentenceEnd::Full),
            '…' => Some(SentenceEnd::Weak),
            '!' | '?' => Some(SentenceEnd::Latin),
            '.' if self.text[at + 1..].starts_with('.') || self.text[..at].ends_with('.') => Some(SentenceEnd::Weak),
            '.' if !self.is_abbreviation(at) => Some(SentenceEnd::Latin),
            _ => None,
        }
    }

    /// Returns whether the full stop at `at` belongs to an abbreviation.
    fn is_abbreviation(&self, at: usize) -> bool {
        let before = &self.text.as_bytes()[self.begin..at];
        let letters = before.iter().rev().take(6).take_while(|byte| byte.is_ascii_alphabetic()).count();
        let word = &self.text[at - letters..at];
        (letters == 1 && word != "I" && word.as_bytes()[0].is_ascii_uppercase()) || marks::is_abbreviation(word)
    }

    /// Returns whether the mark at `at` is between digits or Latin letters.
    fn is_within_number(&self, at: usize, c: char) -> bool {
        let is_latin = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_han(c));
        is_latin(self.text[..at].chars().next_back()) && is_latin(self.text[at + c.len_utf8()..].chars().next())
    }

    /// Updates the stack of open marks.
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
                self.open.push(OpenMark { mark: c, at });
            } else {
                OpenMark { mark: c, at }.report(self.prose);
            }
        } else if self.is_owed && is_letter_end(c) {
            self.is_owed = false;
        } else if marks::only_closes(c) && !self.is_drop_capital() {
            self.prose.slip(SlipKind::Unbalanced, at..at + c.len_utf8(), None);
        }
    }

    /// Returns whether the line is the first of a chapter and its opening mark is missing: a drop capital takes no mark.
    fn is_drop_capital(&self) -> bool {
        let head = self.text[self.begin..self.end].chars().take(3);
        self.han == 0
            && self.prose.paragraphs.is_empty()
            && self.prose.speeches.is_empty()
            && head.filter(|c| c.is_uppercase()).count() >= 2
    }

    fn is_speaking(&self) -> bool {
        self.open.iter().any(|open| is_speech_mark(open.mark))
    }

    /// Returns the quotation mark possibly continued in the next line, and reports all others.
    fn unclosed(&mut self) -> Option<OpenMark> {
        let mut open = std::mem::take(&mut self.open).into_iter();
        let outer = open.next()?;
        open.for_each(|inner| inner.report(self.prose));
        if is_speech_mark(outer.mark) {
            return Some(outer);
        }
        outer.report(self.prose);
        None
    }
}

/// Returns whether the mark may close a quoted letter.
fn is_letter_end(c: char) -> bool {
    matches!(c, '”' | '’' | '»')
}

/// Returns whether a mark after `c` may open speech.
fn is_speech_mark(c: char) -> bool {
    c == '\'' || marks::opens_quote(c)
}

fn is_joint(c: char) -> bool {
    matches!(c, '\'' | '’' | '-')
}

/// Returns whether `c` continues a sentence.
fn is_inner(c: char) -> bool {
    matches!(c, '，' | '、' | '；' | '：' | '—' | ',' | ';' | ':' | '…' | '-')
}

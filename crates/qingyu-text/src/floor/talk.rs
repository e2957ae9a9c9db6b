//! Separates a model's own words from the prose: text before and after, frame lines, notes to readers.
//!
//! A clause is removed only if the opening is typical, the task is named, and hardly any word is untypical. Merely
//! similar text stays and is returned as a doubt.

use std::ops::Range;

use qingyu_story::language::is_han;
use qingyu_story::numerals::is_plain_numeral;
use qingyu_story::{Language, marks};

use super::lexicon::{TalkWords, begins_with, has, plain, talk as words_of, words};

/// The most characters of a removable clause.
const CLAUSE: usize = 120;
/// The most removable sentences before the prose, in a single line.
const SENTENCES: usize = 3;
/// The greatest percentage of untypical words in a removed clause.
const STRANGE: usize = 25;
/// The percentage of untypical words above which a clause is prose.
const FOREIGN: usize = 60;
/// The most lines and characters of a note to readers.
const NOTE: (usize, usize) = (6, 400);

/// An answer split into the prose and the surrounding text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SplitAnswer {
    /// The byte range of the prose.
    pub prose: Range<usize>,
    /// The removed text, in order.
    pub taken: Vec<String>,
    /// Doubtful text left in the prose.
    pub doubts: Vec<String>,
}

/// Splits `text`: a model's words before and after the prose, lines marking the beginning or end of the chapter, and
/// notes to readers are removed line by line and sentence by sentence.
pub fn part(text: &str) -> SplitAnswer {
    let mut parted = SplitAnswer { prose: 0..text.len(), ..SplitAnswer::default() };
    let mut behind = Vec::new();
    parted.trim(text);
    while let Some(line) = text[parted.prose.clone()].lines().next() {
        let cut = if is_frame(line) { line.len() } else { leading(line) };
        if cut == 0 {
            break;
        }
        parted.taken.push(line[..cut].trim().to_owned());
        parted.prose.start += cut;
        parted.trim(text);
    }
    while let Some(line) = text[parted.prose.clone()].lines().next_back() {
        let from = match note(&text[parted.prose.clone()]) {
            Some(from) => parted.prose.start + from,
            None if is_frame(line) => parted.prose.end - line.len(),
            None => parted.prose.end - line.len() + trailing(line),
        };
        if from == parted.prose.end {
            break;
        }
        behind.push(text[from..parted.prose.end].trim().to_owned());
        parted.prose.end = from;
        parted.trim(text);
    }
    parted.taken.extend(behind.into_iter().rev());
    parted.doubt(&text[parted.prose.clone()]);
    parted
}

impl SplitAnswer {
    /// Trims whitespace at both ends of the prose.
    fn trim(&mut self, text: &str) {
        let inside = &text[self.prose.clone()];
        self.prose.start += inside.len() - inside.trim_start().len();
        self.prose.end = self.prose.start + inside.trim().len();
    }

    /// Appends doubtful text at the edges of the prose.
    fn doubt(&mut self, prose: &str) {
        let first = prose.lines().next().unwrap_or_default();
        let clause = colon(first).map_or(first, |colon| &first[..colon]);
        if colon(first).is_some() && opening(clause, ClauseEnd::Colon) == WordsOrigin::Perhaps {
            self.doubts.push(clause.trim().to_owned());
        }
        let last = prose.lines().next_back().unwrap_or_default();
        if let Some(sentence) = sentences(last).last().map(|range| &last[range.clone()])
            && closing(sentence) == WordsOrigin::Perhaps
        {
            self.doubts.push(sentence.trim().to_owned());
        }
    }
}

/// Returns whether a sentence is a model's comment on the task, such as `请先提供大纲。`
pub(super) fn speaks_of_task(sentence: &str) -> bool {
    opening(sentence, ClauseEnd::Line) == WordsOrigin::Talk || closing(sentence) == WordsOrigin::Talk
}

/// The origin of words: prose, doubtful or the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WordsOrigin {
    Prose,
    Perhaps,
    Talk,
}

/// The context after a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ClauseEnd {
    /// A colon with announced text.
    Colon,
    /// The end of the line.
    Line,
    /// Another sentence in the same line.
    Sentence,
}

/// Returns the number of bytes to remove at the start of the line.
fn leading(line: &str) -> usize {
    if let Some(at) = colon(line)
        && opening(&line[..at], ClauseEnd::Colon) == WordsOrigin::Talk
    {
        let behind = line[at..].chars().next().map_or(0, char::len_utf8);
        let rest = &line[at + behind..];
        return line.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_')).len();
    }
    let mut cut = 0;
    for sentence in sentences(line).into_iter().take(SENTENCES) {
        let words = &line[sentence.clone()];
        let ends =
            if sentence.end == line.len() && sentence.start == 0 { ClauseEnd::Line } else { ClauseEnd::Sentence };
        match opening(words, ends) {
            WordsOrigin::Talk => cut = sentence.end,
            _ if acknowledges(words) => {}
            _ => break,
        }
    }
    cut
}

/// Returns the position from which to remove the end of the line; defaults to the length of the line.
fn trailing(line: &str) -> usize {
    let mut from = line.len();
    for sentence in sentences(line).into_iter().rev() {
        if closing(&line[sentence.clone()]) != WordsOrigin::Talk {
            break;
        }
        from = sentence.start;
    }
    from
}

fn opening(clause: &str, ends: ClauseEnd) -> WordsOrigin {
    let Some(look) = TalkClause::at(clause) else { return WordsOrigin::Prose };
    let lists = look.lists;
    let acknowledged = lists.acknowledges.iter().find_map(|word| {
        let rest = look.plain.strip_prefix(word.as_str())?;
        rest.starts_with(['，', ',', '！', '!', '。', '.', ' ', '、', '～', '~', '—']).then_some(rest)
    });
    let begins = acknowledged.is_some() || begins_with(&look.plain, &lists.opens);
    let names = has(&look.plain, &lists.task);
    let hints = has(&look.plain, &lists.perhaps_task);
    let is_announced = ends != ClauseEnd::Sentence;
    let is_enough = match acknowledged.is_some() {
        true => names || hints,
        false => is_announced && (names || (hints && ends == ClauseEnd::Colon && has(&look.plain, &lists.address))),
    };
    look.verdict(begins && (names || (acknowledged.is_some() && hints)), begins && is_enough)
}

fn closing(sentence: &str) -> WordsOrigin {
    let Some(look) = TalkClause::at(sentence) else { return WordsOrigin::Prose };
    let begins = begins_with(&look.plain, &look.lists.closes);
    let names = has(&look.plain, &look.lists.ends);
    let addresses = has(&look.plain, &look.lists.address);
    look.verdict(begins && (names || addresses), names && begins)
}

/// Returns whether the sentence is a mere acknowledgement.
fn acknowledges(sentence: &str) -> bool {
    let plain = plain(sentence);
    let bare = plain.trim_matches(|c: char| !c.is_alphanumeric());
    [Language::Zh, Language::En].iter().any(|language| words_of(*language).acknowledges.iter().any(|word| word == bare))
}

/// A clause of possibly the model's own words.
struct TalkClause {
    plain: String,
    lists: &'static TalkWords,
    /// The percentage of untypical words.
    strange: usize,
}

impl TalkClause {
    /// Returns `None` if the clause is empty, too long or contains a quotation.
    fn at(clause: &str) -> Option<Self> {
        let clause = clause.trim_matches(is_decoration);
        let is_quoted = clause.contains(marks::is_double_quote);
        if clause.is_empty() || is_quoted || clause.chars().count() > CLAUSE {
            return None;
        }
        let lists = words_of(Language::of(clause));
        let plain = plain(clause);
        let strange = strange(&plain, lists);
        Some(Self { plain, lists, strange })
    }

    fn verdict(&self, looks_so: bool, is_enough: bool) -> WordsOrigin {
        match self.strange {
            strange if is_enough && strange <= STRANGE => WordsOrigin::Talk,
            strange if looks_so && strange <= FOREIGN => WordsOrigin::Perhaps,
            _ => WordsOrigin::Prose,
        }
    }
}

/// Returns the percentage of untypical words in a clause; titles in 《》 and numbers are ignored.
fn strange(plain: &str, lists: &TalkWords) -> usize {
    let longest = lists.words.iter().map(|word| word.chars().count()).max().unwrap_or_default();
    let (mut all, mut unknown, mut rest) = (0, 0, plain);
    while let Some(c) = rest.chars().next() {
        if c == '《' {
            rest = rest.split_once('》').map_or("", |(_, rest)| rest);
            continue;
        }
        let word = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '\'').unwrap_or(rest.len());
        let step = match (is_han(c), word) {
            (true, _) if is_plain_numeral(c) => c.len_utf8(),
            (true, _) => {
                let ends: Vec<usize> = rest.char_indices().take(longest).map(|(at, c)| at + c.len_utf8()).collect();
                let known = ends.into_iter().rev().find(|end| lists.words.contains(&rest[..*end]));
                let step = known.unwrap_or(c.len_utf8());
                let count = rest[..step].chars().count();
                all += count;
                unknown += if known.is_some() { 0 } else { count };
                step
            }
            (false, 0) => c.len_utf8(),
            (false, word) => {
                let is_counted = !rest[..word].bytes().all(|byte| byte.is_ascii_digit());
                all += usize::from(is_counted);
                unknown += usize::from(is_counted && !lists.words.contains(&rest[..word]));
                word
            }
        };
        rest = &rest[step..];
    }
    (unknown * 100).checked_div(all).unwrap_or(100)
}

/// Returns whether the line only announces the prose, its end or its length.
fn is_frame(line: &str) -> bool {
    let line = line.trim();
    let plain = plain(line);
    let bare = plain.trim_matches(|c: char| !c.is_alphanumeric());
    let frames = &words().frames;
    if bare.is_empty() {
        return false;
    }
    let is_marked = bare != plain
        && !plain.ends_with(|c: char| c == '，' || marks::may_end_sentence(c) || marks::is_double_quote(c));
    if frames.begins.iter().any(|word| word == bare) {
        return is_marked;
    }
    let is_framed = line.starts_with(['（', '(', '【', '[', '*', '—', '-', '~', '～', '<', '《', '─', '=', '…']);
    let says = |word: &String| bare.contains(word.as_str());
    let is_said = frames.closing.iter().any(says) || (is_framed && bare.contains('字'));
    // `完` is the last word of a story as well as of an answer; so without brackets the line must name the chapter.
    let is_about_chapter = is_framed || frames.chapter.iter().any(says);
    is_said && is_about_chapter && is_made_of(bare)
}

/// Returns whether the line consists only of frame words and numbers.
fn is_made_of(bare: &str) -> bool {
    let known = &words().frames.words;
    let mut rest = bare;
    while let Some(c) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let step = if is_han(c) && !is_plain_numeral(c) {
            let ends: Vec<usize> = rest.char_indices().take(4).map(|(at, c)| at + c.len_utf8()).collect();
            match ends.into_iter().rev().find(|end| known.contains(&rest[..*end])) {
                Some(end) => end,
                None => return false,
            }
        } else if word > 0 {
            if !known.contains(&rest[..word]) {
                return false;
            }
            word
        } else {
            c.len_utf8()
        };
        rest = &rest[step..];
    }
    true
}

/// Returns the start of a note to readers at the end of the text.
fn note(text: &str) -> Option<usize> {
    let notes = &words().notes;
    let (mut at, mut found) = (text.len(), None);
    for line in text.lines().rev().take(NOTE.0) {
        at = line.as_ptr() as usize - text.as_ptr() as usize;
        let plain = plain(line);
        let bare = plain.trim_start_matches(|c: char| !c.is_alphanumeric());
        let is_told = line.contains(marks::is_double_quote);
        let heads = notes.begins.iter().find_map(|word| bare.strip_prefix(word.as_str()));
        let is_head = heads.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        let asks =
            line.chars().count() <= CLAUSE && !is_told && notes.asks.iter().any(|word| plain.contains(word.as_str()));
        if is_head || asks {
            found = Some(at);
        }
    }
    found.filter(|from| *from > 0 || at == 0).filter(|from| text[*from..].chars().count() <= NOTE.1)
}

/// Returns the first colon of the line, if near the start and before any speech.
fn colon(line: &str) -> Option<usize> {
    let at = line.char_indices().take(CLAUSE).find(|(_, c)| matches!(c, '：' | ':'))?.0;
    (!line[..at].contains(marks::is_double_quote)).then_some(at)
}

/// Splits a line into sentences, each with the closing marks and brackets.
fn sentences(line: &str) -> Vec<Range<usize>> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut letters = line.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        let is_end = match c {
            c if c != '.' && marks::may_end_sentence(c) => true,
            '.' => letters.peek().is_none_or(|(_, next)| next.is_whitespace() || is_closer(*next)),
            _ => false,
        };
        let goes_on = letters.peek().is_some_and(|(_, next)| is_closer(*next));
        if (is_end || (is_closer(c) && start < at && line[start..at].ends_with(['。', '！', '？', '!', '?', '…', '.'])))
            && !goes_on
        {
            sentences.push(start..at + c.len_utf8());
            start = at + c.len_utf8();
        }
    }
    if line[start..].chars().any(char::is_alphanumeric) {
        sentences.push(start..line.len());
    }
    sentences
}

fn is_closer(c: char) -> bool {
    matches!(c, '）' | ')' | '】' | ']' | '*' | '~' | '～')
        || marks::may_close_quote(c)
        || c != '.' && marks::may_end_sentence(c)
}

/// Returns whether a character around a clause is mere decoration.
fn is_decoration(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '（' | '）'
                | '('
                | ')'
                | '【'
                | '】'
                | '['
                | ']'
                | '*'
                | '_'
                | '#'
                | '>'
                | '`'
                | '-'
                | '—'
                | '─'
                | '='
                | '～'
                | '~'
        )
}

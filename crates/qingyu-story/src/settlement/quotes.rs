//! Search for quotes in a text, ignoring white space, marks of emphasis and the width of marks.

use std::cmp::Reverse;
use std::sync::{LazyLock, OnceLock};

use crate::language::is_han;
use crate::marks;
use crate::names::fold_char;
use crate::numerals::{TENS, WORDS, is_digit_or_numeral};
use crate::{Prose, Quotation};

/// A text indexed for finding quotes.
#[derive(Debug)]
pub(super) struct Quotable<'t> {
    text: &'t str,
    /// The normalized letters, without white space and marks of emphasis.
    folded: String,
    /// For each letter of `folded`, its byte index and its character index in the text.
    places: Vec<(usize, u32)>,
    /// The sentences, split on first use.
    sentences: OnceLock<Vec<&'t str>>,
    /// The words of each sentence, split on first use.
    sentence_words: OnceLock<Vec<Vec<String>>>,
}

impl<'t> Quotable<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let mut folded = String::with_capacity(text.len());
        let mut places = Vec::with_capacity(text.len() / 2);
        for (place, c) in letters(text) {
            places.push((folded.len(), place));
            folded.push(c);
        }
        Self { text, folded, places, sentences: OnceLock::new(), sentence_words: OnceLock::new() }
    }

    /// Returns the character range of `quote`; of several, the nearest to character `near`.
    ///
    /// Ignores marks at the quote's ends if missing in the text. The words of a short quote are only found between other marks,
    /// since they may be a part of any sentence.
    pub(super) fn find(&self, quote: &str, near: u32) -> Option<(u32, u32)> {
        self.nearest(quote, near, words(quote).len() <= SHORT)
    }

    /// Returns the number of places in which the quote stands with its marks.
    pub(super) fn count(&self, quote: &str) -> usize {
        let sought = folded(quote);
        if sought.is_empty() { 0 } else { self.folded.matches(sought.as_str()).count() }
    }

    /// Same as [`find`](Self::find), returned as a quotation of the document.
    pub(super) fn quotation(&self, document: &str, version: u32, quote: &str, near: u32) -> Option<Quotation> {
        self.find(quote, near).map(|span| self.quoted(document, version, span))
    }

    /// Returns the first place of a quote copied by a model, as a quotation of the document. Ignores the marks at its ends, which
    /// the model may have added.
    pub(super) fn citation(&self, document: &str, version: u32, quote: &str) -> Option<Quotation> {
        self.nearest(quote, 0, false).map(|span| self.quoted(document, version, span))
    }

    /// Returns the place of the quote nearest to character `near`, with or else without the marks at its ends; see [`places`].
    fn nearest(&self, quote: &str, near: u32, is_marked: bool) -> Option<(u32, u32)> {
        let sought = folded(quote);
        let bare = sought.trim_matches(|c: char| !c.is_alphanumeric());
        let spans = places(&self.folded, &sought, bare, is_marked).into_iter();
        spans.map(|(from, until)| self.span(from, until)).min_by_key(|(start, _)| start.abs_diff(near))
    }

    fn quoted(&self, document: &str, version: u32, (start, end): (u32, u32)) -> Quotation {
        let quote = self.words(start, end);
        Quotation { document: document.to_owned(), version, start: Some(start), end: Some(end), quote }
    }

    /// Returns the words of the text that are those of `quote` but for numbers, of several the nearest to character `near`;
    /// `None` if the quote has no number, or hardly anything else.
    ///
    /// Ignores marks at the quote's ends if missing in the text.
    pub(super) fn with_other_numbers(&self, quote: &str, near: u32) -> Option<String> {
        let (sought, _) = numberless(&folded(quote));
        let bare = sought.trim_matches(|c: char| !c.is_alphanumeric() && c != NUMBER);
        let letters = bare.chars().filter(|c| c.is_alphanumeric()).count();
        if letters < LETTERS || !bare.contains(NUMBER) {
            return None;
        }
        let (text, places) = numberless(&self.folded);
        let place = |at: usize| {
            let next = places.partition_point(|(masked, _)| *masked < at);
            places.get(next).map_or(self.folded.len(), |(_, folded)| *folded)
        };
        let spans = self::places(&text, &sought, bare, words(quote).len() <= SHORT).into_iter();
        let spans = spans.map(|(from, until)| self.span(place(from), place(until)));
        let (start, end) = spans.min_by_key(|(start, _)| start.abs_diff(near))?;
        Some(self.words(start, end))
    }

    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    /// Returns the sentences of the text, without white space at the ends.
    pub(super) fn sentences(&self) -> &[&'t str] {
        self.sentences.get_or_init(|| {
            let sentences = Prose::of(self.text).sentences;
            sentences.iter().map(|sentence| self.text[sentence.range.clone()].trim()).collect()
        })
    }

    /// Returns the words of each of the [`sentences`](Self::sentences), in their order.
    pub(super) fn sentence_words(&self) -> &[Vec<String>] {
        self.sentence_words.get_or_init(|| self.sentences().iter().map(|sentence| words(sentence)).collect())
    }

    fn words(&self, start: u32, end: u32) -> String {
        self.text.chars().skip(start as usize).take((end - start) as usize).collect()
    }

    fn span(&self, from: usize, until: usize) -> (u32, u32) {
        let letter = |at: usize| self.places.partition_point(|(begin, _)| *begin < at);
        let (first, last) = (letter(from), letter(until).saturating_sub(1));
        (self.places[first].1, self.places[last].1 + 1)
    }
}

/// Maximum number of words, or Chinese characters, of a short quote, which needs marks at its ends.
const SHORT: usize = 5;
/// The sign for a number in a text without numbers.
const NUMBER: char = '\0';
/// The sign for the point of a decimal number, which is no full stop.
const POINT: char = '\u{2}';
/// Minimum number of letters beside the numbers of a quote.
const LETTERS: usize = 5;
/// Numbers in English letters; of two that begin alike, the longer one first.
static IN_WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let mut words: Vec<&str> = WORDS[1..].iter().chain(&TENS).copied().chain(["hundred", "thousand"]).collect();
    words.sort_by_key(|word| Reverse(word.len()));
    words
});

/// Returns the byte ranges of `sought` in a text, or if there are none, those of `bare`, the same without the marks at its ends.
/// With `is_marked`, the text must not have a letter in the place of such a mark.
fn places(text: &str, sought: &str, bare: &str, is_marked: bool) -> Vec<(usize, usize)> {
    let ranges = |part: &str| -> Vec<(usize, usize)> {
        let found = text.match_indices(part).map(|(at, _)| (at, at + part.len()));
        found.filter(|(from, until)| from < until).collect()
    };
    let whole = ranges(sought);
    if !whole.is_empty() {
        return whole;
    }
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == NUMBER);
    let (at_start, at_end) = (!sought.starts_with(bare), !sought.ends_with(bare));
    let mut found = ranges(bare);
    found.retain(|(from, until)| {
        let (before, behind) = (text[..*from].chars().next_back(), text[*until..].chars().next());
        !is_marked || !(at_start && is_letter(before) || at_end && is_letter(behind))
    });
    found
}

/// Returns a folded text with one sign for each number in digits or words, and the byte index of each letter in both texts.
fn numberless(folded: &str) -> (String, Vec<(usize, usize)>) {
    let (mut masked, mut places, mut at) = (String::with_capacity(folded.len()), Vec::new(), 0);
    while let Some(c) = folded[at..].chars().next() {
        places.push((masked.len(), at));
        let length = number_length(&folded[at..]);
        masked.push(if length > 0 { NUMBER } else { c });
        at += length.max(c.len_utf8());
    }
    (masked, places)
}

/// Returns the length in bytes of the number at the beginning of a folded text; 0 without one.
fn number_length(text: &str) -> usize {
    let mut length = 0;
    loop {
        let (read, rest) = text.split_at(length);
        // `twenty-six` is one number, and so is 3.5.
        let is_joined = match rest.chars().next() {
            Some(POINT) => length > 0,
            Some('-') => TENS.iter().any(|ten| read.ends_with(ten)),
            _ => false,
        };
        let more = &rest[usize::from(is_joined)..];
        let digit = more.chars().next().filter(|c| is_digit_or_numeral(*c)).map(char::len_utf8);
        let word = || IN_WORDS.iter().find(|word| more.starts_with(**word)).map(|word| word.len());
        match digit.or_else(word) {
            Some(next) => length += usize::from(is_joined) + next,
            None => return length,
        }
    }
}

/// Returns the numbers of a text in the form for comparing quotes, each with the letter behind it.
pub(super) fn numbers(text: &str) -> Vec<(String, Option<char>)> {
    let folded = folded(text);
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(c) = folded[at..].chars().next() {
        let length = number_length(&folded[at..]);
        if length > 0 {
            found.push((folded[at..at + length].to_owned(), folded[at + length..].chars().next()));
        }
        at += length.max(c.len_utf8());
    }
    found
}

/// Returns a text in the form for comparing quotes.
pub(super) fn folded(text: &str) -> String {
    letters(text).map(|(_, c)| c).collect()
}

/// Returns the words of a sentence in the form for comparing quotes; each Chinese character is one, and an English
/// contraction is the words that it stands for.
pub(super) fn words(sentence: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    for c in sentence.chars() {
        let is_part = c.is_alphanumeric() || is_open && matches!(c, '\'' | '’' | '-');
        if !is_part || is_han(c) {
            is_open = false;
        }
        if !is_part {
            continue;
        }
        match words.last_mut() {
            Some(word) if is_open => word.push(c),
            _ => words.push(c.to_string()),
        }
        is_open = !is_han(c);
    }
    words.iter().flat_map(|word| spelled_out(folded(word))).collect()
}

/// Returns the words that an English contraction stands for; `'s` and `'d` stand for several, and stay.
fn spelled_out(word: String) -> Vec<String> {
    match word.as_str() {
        "can't" | "cannot" => return vec!["can".into(), "not".into()],
        "won't" => return vec!["will".into(), "not".into()],
        "shan't" => return vec!["shall".into(), "not".into()],
        _ => {}
    }
    let ends = [("n't", "not"), ("'re", "are"), ("'ve", "have"), ("'ll", "will"), ("'m", "am")];
    for (end, meant) in ends {
        if let Some(first) = word.strip_suffix(end).filter(|first| !first.is_empty()) {
            return vec![first.to_owned(), meant.to_owned()];
        }
    }
    vec![word]
}

/// Iterates over the letters of a text in the form for comparing quotes, each with its place among the characters.
fn letters(text: &str) -> impl Iterator<Item = (u32, char)> {
    let next = text.chars().skip(1).map(Some).chain([None]);
    let mut before = None;
    (0_u32..).zip(text.chars().zip(next)).filter_map(move |(place, (c, next))| {
        let is_point = is_point(before.replace(c), c, next);
        (!is_ignored(c)).then(|| (place, if is_point { POINT } else { plain(c) }))
    })
}

/// Returns whether a full stop stands within a decimal number: directly between digits of its own width.
fn is_point(before: Option<char>, c: char, next: Option<char>) -> bool {
    let digits = match c {
        '.' => '0'..='9',
        '．' => '０'..='９',
        _ => return false,
    };
    [before, next].into_iter().all(|c| c.is_some_and(|c| digits.contains(&c)))
}

/// Returns whether a character does not count in quotes: white space, and marks of emphasis.
fn is_ignored(c: char) -> bool {
    c.is_whitespace() || c == '*'
}

/// Returns the normalized form of a letter for comparing quotes.
fn plain(c: char) -> char {
    match c {
        c if marks::is_double_quote(c) => '"',
        '。' | '．' | '｡' => '.',
        '、' => ',',
        '—' | '–' => '-',
        other => fold_char(other),
    }
}

#[cfg(test)]
mod tests {
    use super::Quotable;

    #[track_caller]
    fn check(text: &str, quote: &str, expected: Option<&str>) {
        let found = Quotable::of(text).quotation("d-1", 1, quote, 0);
        assert_eq!(found.as_ref().map(|found| found.quote.as_str()), expected, "{text} / {quote}");
        if let Some(found) = found {
            let (start, end) = (found.start.unwrap() as usize, found.end.unwrap() as usize);
            assert_eq!(text.chars().skip(start).take(end - start).collect::<String>(), found.quote);
        }
    }

    #[test]
    fn quotes_are_found_whatever_the_spaces_and_widths() {
        check("雨停了。林深今年 二十六岁。", "林深今年二十六岁。", Some("林深今年 二十六岁。"));
        check("“走吧，”他说。", "\"走吧,\"他说", Some("“走吧，”他说"));
        check("林深二十六岁，是记者。", "林深二十六岁。", Some("林深二十六岁"));
        check("Mara was\nthirty-one.", "mara was thirty-one", Some("Mara was\nthirty-one"));
        check("林深二十六岁。", "林深三十一岁", None);
        check("雨。", "。", Some("。"));
        check("林深**今年**二十六岁。", "林深今年二十六岁", Some("林深**今年**二十六岁"));
        check("雨", "", None);
    }

    #[test]
    fn a_few_words_are_no_quote_within_a_sentence() {
        for (text, quote) in [
            ("“Eleven pounds. I borrowed it.” Nine pounds was a heifer.", "“Nine pounds."),
            ("“十一块。我借的。”他借了九块钱。", "“九块。"),
        ] {
            let text = Quotable::of(text);
            assert_eq!(text.find(quote, 0), None);
            assert!(text.citation("d-1", 1, quote).is_some(), "a model may have added the marks");
        }
        check("“Nine pounds,” she said.", "“Nine pounds.", Some("Nine pounds"));
        assert_eq!(Quotable::of("").find("雨。", 0), None);
        let text = Quotable::of("他笑了。雨停了。他笑了，走了。");
        assert_eq!((text.count("他笑了。"), text.count("他笑了"), text.count("")), (1, 2, 0));
    }

    #[test]
    fn a_number_may_have_changed() {
        let cases = [
            ("雨停了。他数了数，还剩十只鸡。", "他数了数，还剩九只鸡。", Some("他数了数，还剩十只鸡。")),
            (
                "She owed him twenty-six pounds, and paid.",
                "She owed him thirty pounds, and paid.",
                Some("She owed him twenty-six pounds, and paid."),
            ),
            ("他付了 3.5 两银子，转身就走。", "他付了二十两银子，转身就走。", Some("他付了 3.5 两银子，转身就走。")),
            (
                "他数了数，还剩十。一个人走了。",
                "他数了数，还剩九。一个人走了。",
                Some("他数了数，还剩十。一个人走了。"),
            ),
            (
                "他数了数，还剩 10。2 个人走了。",
                "他数了数，还剩 9。2 个人走了。",
                Some("他数了数，还剩 10。2 个人走了。"),
            ),
            ("他数了数，还剩十。一个人走了。", "他数了数，还剩九个人走了。", None),
            (
                "She still had ten. One man left.",
                "She still had nine. One man left.",
                Some("She still had ten. One man left."),
            ),
            ("She still had ten. One man left.", "She still had nine man left.", None),
            ("She still had 3. 2 men left.", "She still had 4 men left.", None),
            ("She still had ten—one man left.", "She still had nine man left.", None),
            ("他付了３．５两银子，转身就走。", "他付了 4 两银子，转身就走。", Some("他付了３．５两银子，转身就走。")),
            ("他数了数，还剩十只鸭。", "他数了数，还剩九只鸡。", None),
            ("雨停了，天亮了起来。", "雨停了，天黑了下去。", None),
            ("二十。", "三十。", None),
            ("他数了数，还剩十只鸡，都在。", "他数了数，还剩九只鸡。", Some("他数了数，还剩十只鸡")),
            ("“I borrowed it.” Ten pounds was a heifer.", "“Nine pounds.", None),
        ];
        for (text, quote, expected) in cases {
            assert_eq!(Quotable::of(text).with_other_numbers(quote, 0).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn numbers_are_listed_with_the_letter_behind() {
        let listed = |text: &str| -> Vec<(String, Option<char>)> { super::numbers(text) };
        assert_eq!(listed("付了八块钱，十二"), [("八".to_owned(), Some('块')), ("十二".to_owned(), None)]);
        assert_eq!(listed("He paid 8 pounds."), [("8".to_owned(), Some('p'))]);
    }

    #[test]
    fn of_several_places_the_nearest_is_meant() {
        let text = Quotable::of("他笑了。雨停了。他笑了。");
        assert_eq!(text.find("他笑了", 0), Some((0, 3)));
        assert_eq!(text.find("他笑了", 9), Some((8, 11)));
    }
}

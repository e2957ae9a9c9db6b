//! Search for quotes in a text, ignoring white space, marks of emphasis and the width of marks.

use crate::Quotation;
use crate::marks;
use crate::names::fold_char;

/// A text indexed for finding quotes.
#[derive(Debug)]
pub(super) struct Quotable<'t> {
    text: &'t str,
    /// The normalized letters, without white space and marks of emphasis.
    folded: String,
    /// For each letter of `folded`, its byte index and its character index in the text.
    places: Vec<(usize, u32)>,
}

impl<'t> Quotable<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let mut folded = String::with_capacity(text.len());
        let mut places = Vec::with_capacity(text.len() / 2);
        for (place, c) in (0_u32..).zip(text.chars()) {
            if !is_ignored(c) {
                places.push((folded.len(), place));
                folded.push(plain(c));
            }
        }
        Self { text, folded, places }
    }

    /// Returns the character range of `quote`; of several, the nearest to character `near`.
    ///
    /// Ignores marks at the quote's ends if missing in the text.
    pub(super) fn find(&self, quote: &str, near: u32) -> Option<(u32, u32)> {
        let sought: String = quote.chars().filter(|c| !is_ignored(*c)).map(plain).collect();
        let bare = sought.trim_matches(|c: char| !c.is_alphanumeric());
        [sought.as_str(), bare].into_iter().filter(|sought| !sought.is_empty()).find_map(|sought| {
            let found = self.folded.match_indices(sought).map(|(at, _)| self.span(at, at + sought.len()));
            found.min_by_key(|(start, _)| start.abs_diff(near))
        })
    }

    /// Same as [`find`](Self::find), returned as a quotation of the document.
    pub(super) fn quotation(&self, document: &str, version: u32, quote: &str, near: u32) -> Option<Quotation> {
        let (start, end) = self.find(quote, near)?;
        let words = self.words(start, end);
        Some(Quotation { document: document.to_owned(), version, start: Some(start), end: Some(end), quote: words })
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
    fn of_several_places_the_nearest_is_meant() {
        let text = Quotable::of("他笑了。雨停了。他笑了。");
        assert_eq!(text.find("他笑了", 0), Some((0, 3)));
        assert_eq!(text.find("他笑了", 9), Some((8, 11)));
    }
}

//! Emphasis in prose: `*italic*`, `**bold**`, `***both***`.
//!
//! Marks touch their words and are closed in the same line; an asterisk between Latin letters or digits, a line of
//! asterisks, and a mark without a counterpart are text.

use std::borrow::Cow;
use std::ops::Range;

/// The longest mark.
const LONGEST: usize = 3;

/// A stretch of a line with its face, without marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmphasisSpan {
    /// The bytes in the line.
    pub range: Range<usize>,
    /// Whether the stretch is bold.
    pub bold: bool,
    /// Whether the stretch is italic.
    pub italic: bool,
}

/// A pair of marks, by the first bytes of both.
struct MarkPair {
    length: usize,
    open: usize,
    close: usize,
}

/// Returns the stretches of a line in order, without the marks of emphasis.
pub fn emphasis(line: &str) -> Vec<EmphasisSpan> {
    let pairs = pairs(line);
    let mut marks: Vec<Range<usize>> = pairs
        .iter()
        .flat_map(|pair| [pair.open..pair.open + pair.length, pair.close..pair.close + pair.length])
        .collect();
    marks.sort_by_key(|mark| mark.start);
    marks.push(line.len()..line.len());
    let mut spans = Vec::new();
    let mut at = 0;
    for mark in marks {
        if at < mark.start {
            let mut around = pairs.iter().filter(|pair| pair.open < at && mark.start <= pair.close);
            let (mut bold, mut italic) = (false, false);
            around.by_ref().for_each(|pair| {
                bold |= pair.length != 1;
                italic |= pair.length != 2;
            });
            spans.push(EmphasisSpan { range: at..mark.start, bold, italic });
        }
        at = mark.end;
    }
    spans
}

/// Returns a text without the marks of emphasis.
pub fn without_emphasis(text: &str) -> Cow<'_, str> {
    if !text.contains('*') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let body = line.trim_end_matches(['\n', '\r']);
        emphasis(body).into_iter().for_each(|span| plain.push_str(&body[span.range]));
        plain.push_str(&line[body.len()..]);
    }
    Cow::Owned(plain)
}

fn pairs(line: &str) -> Vec<MarkPair> {
    let mut pairs = Vec::new();
    if !line.contains('*') || line.chars().all(|c| c == '*' || c.is_whitespace()) {
        return pairs;
    }
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (start, length) in runs(line).filter(|(_, length)| *length <= LONGEST) {
        let before = line[..start].chars().next_back();
        let after = line[start + length..].chars().next();
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        let is_within = is_word(before) && is_word(after);
        let touches = |c: Option<char>| !is_within && c.is_some_and(|c| !c.is_whitespace());
        let (mut at, mut left) = (start, length);
        while touches(before) && left > 0 {
            let Some(found) = open.iter().rposition(|(_, length)| *length <= left) else { break };
            let (from, length) = open[found];
            pairs.push(MarkPair { length, open: from, close: at });
            open.truncate(found);
            (at, left) = (at + length, left - length);
        }
        if touches(after) && left > 0 {
            open.push((at, left));
        }
    }
    pairs
}

/// Returns the runs of asterisks, as start and length.
fn runs(line: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + line[at..].find('*')?;
        let rest = &line[start..];
        let length = rest.len() - rest.trim_start_matches('*').len();
        at = start + length;
        Some((start, length))
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct Labelled {
        line: String,
        plain: String,
        spans: Vec<(String, String)>,
    }

    #[test]
    fn labelled_lines() {
        let cases: Vec<Labelled> = serde_json::from_str(include_str!("emphasis.cases.json")).unwrap();
        for case in &cases {
            let read: Vec<(String, String)> = emphasis(&case.line)
                .into_iter()
                .map(|EmphasisSpan { range, bold, italic }| {
                    let face = [(bold, "b"), (italic, "i")].into_iter().filter(|(is, _)| *is).map(|(_, name)| name);
                    (case.line[range].to_owned(), face.collect())
                })
                .collect();
            assert_eq!(read, case.spans, "{}", case.line);
            assert_eq!(without_emphasis(&case.line), case.plain, "{}", case.line);
        }
        let text: String = cases.iter().map(|case| format!("{}\n", case.line)).collect();
        let plain: String = cases.iter().map(|case| format!("{}\n", case.plain)).collect();
        assert_eq!(without_emphasis(&text), plain);
    }
}

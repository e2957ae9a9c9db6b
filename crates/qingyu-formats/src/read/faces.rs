//! Bold and italic of a paragraph while it is parsed, and the paragraph with their marks.

use std::ops::Range;

use qingyu_story::prose::{EmphasisSpan, emphasis};

/// Bold and italic at one place of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Face {
    pub(crate) bold: bool,
    pub(crate) italic: bool,
}

impl Face {
    /// Returns the face that is bold or italic where one of two is.
    pub(crate) fn or(self, other: Self) -> Self {
        Self { bold: self.bold || other.bold, italic: self.italic || other.italic }
    }
}

/// The emphasised stretches of the paragraph being parsed.
#[derive(Debug, Clone, Default)]
pub(crate) struct FaceTracker {
    now: Face,
    from: usize,
    spans: Vec<EmphasisSpan>,
}

impl FaceTracker {
    /// Sets the face of the text from byte `at` of the paragraph on.
    pub(crate) fn set(&mut self, at: usize, face: Face) {
        if face != self.now {
            self.close(at);
            self.now = face;
        }
    }

    /// Returns the emphasised stretches of a paragraph of `length` bytes, and begins the next with the same face.
    pub(crate) fn take(&mut self, length: usize) -> Vec<EmphasisSpan> {
        self.close(length);
        self.from = 0;
        std::mem::take(&mut self.spans)
    }

    fn close(&mut self, at: usize) {
        if self.now != Face::default() && self.from < at {
            let Face { bold, italic } = self.now;
            self.spans.push(EmphasisSpan { range: self.from..at, bold, italic });
        }
        self.from = at;
    }
}

/// Returns the stretches within a part of their paragraph, by the bytes of the part.
pub(crate) fn within(spans: &[EmphasisSpan], part: &Range<usize>) -> Vec<EmphasisSpan> {
    let clipped = spans.iter().map(|span| {
        let range = span.range.start.max(part.start)..span.range.end.min(part.end);
        EmphasisSpan { range, ..span.clone() }
    });
    let inside = clipped.filter(|span| !span.range.is_empty());
    inside
        .map(|span| EmphasisSpan { range: span.range.start - part.start..span.range.end - part.start, ..span })
        .collect()
}

/// A paragraph with the marks of its emphasis.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum MarkedLine {
    /// Nothing is emphasised.
    Plain,
    /// The paragraph with marks.
    Marked(String),
    /// No marks express the emphasis: within a Latin word, or around asterisks of the text.
    Unmarkable,
}

impl MarkedLine {
    /// Puts marks around the emphasised stretches of a line; spaces at their edges stay outside.
    pub(crate) fn of(line: &str, spans: &[EmphasisSpan]) -> Self {
        let spans = whole(line, spans);
        if spans.iter().all(|span| !span.bold && !span.italic) {
            return Self::Plain;
        }
        let marked = marked(line, &spans);
        let is_read = words(&marked, &emphasis(&marked)) == words(line, &spans);
        if is_read { Self::Marked(marked) } else { Self::Unmarkable }
    }
}

/// Returns stretches that cover a line, emphasised or not, with neither spaces at the edges of emphasis nor equal
/// neighbours.
fn whole(line: &str, spans: &[EmphasisSpan]) -> Vec<EmphasisSpan> {
    let mut all: Vec<EmphasisSpan> = Vec::new();
    let mut put = |range: Range<usize>, bold: bool, italic: bool| match all.last_mut() {
        _ if range.is_empty() => {}
        Some(last) if (last.bold, last.italic) == (bold, italic) => last.range.end = range.end,
        _ => all.push(EmphasisSpan { range, bold, italic }),
    };
    let mut at = 0;
    // A space between two equal stretches belongs to both.
    for (place, span) in spans.iter().enumerate() {
        let Some(text) = line.get(span.range.clone()) else { continue };
        let is_same = |other: &EmphasisSpan| (other.bold, other.italic) == (span.bold, span.italic);
        let goes_on = spans.get(place + 1).is_some_and(|next| next.range.start == span.range.end && is_same(next));
        let continues = place > 0 && spans[place - 1].range.end == span.range.start && is_same(&spans[place - 1]);
        let from = if continues { 0 } else { text.len() - text.trim_start().len() };
        let until = if goes_on { text.len() } else { text.trim_end().len() };
        if from < until {
            put(at..span.range.start + from, false, false);
            put(span.range.start + from..span.range.start + until, span.bold, span.italic);
            at = span.range.start + until;
        }
    }
    put(at..line.len(), false, false);
    all
}

/// Returns the words of stretches with their faces.
fn words(line: &str, spans: &[EmphasisSpan]) -> Vec<(String, bool, bool)> {
    let mut words: Vec<(String, bool, bool)> = Vec::new();
    for span in spans {
        let text = &line[span.range.clone()];
        match words.last_mut() {
            Some((last, bold, italic)) if (*bold, *italic) == (span.bold, span.italic) => last.push_str(text),
            _ => words.push((text.to_owned(), span.bold, span.italic)),
        }
    }
    words
}

/// Returns a line with marks, as if they could be read.
fn marked(line: &str, spans: &[EmphasisSpan]) -> String {
    let mut text = String::with_capacity(line.len() + 4 * spans.len());
    // The open marks, by their length.
    let mut open: Vec<usize> = Vec::new();
    let is_in = |span: &EmphasisSpan, length: usize| if length == 2 { span.bold } else { span.italic };
    for span in spans {
        while open.iter().any(|length| !is_in(span, *length)) {
            let length = open.pop().unwrap_or_default();
            text.push_str(&"*".repeat(length));
        }
        for length in [2, 1] {
            if is_in(span, length) && !open.contains(&length) {
                text.push_str(&"*".repeat(length));
                open.push(length);
            }
        }
        text.push_str(&line[span.range.clone()]);
    }
    open.iter().rev().for_each(|length| text.push_str(&"*".repeat(*length)));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(stretches: &[(&str, &str)]) -> MarkedLine {
        let (mut line, mut faces) = (String::new(), FaceTracker::default());
        for (text, face) in stretches {
            faces.set(line.len(), Face { bold: face.contains('b'), italic: face.contains('i') });
            line.push_str(text);
        }
        let spans = faces.take(line.len());
        MarkedLine::of(&line, &spans)
    }

    #[test]
    fn marks_stand_around_what_is_emphasised() {
        let cases: &[(&[(&str, &str)], &str)] = &[
            (&[("他", ""), ("没有", "i"), ("来。", "")], "他*没有*来。"),
            (&[("He ", ""), ("never ", "i"), ("came.", "")], "He *never* came."),
            (&[("He", ""), (" never", "b"), (" came.", "")], "He **never** came."),
            (&[("“", "i"), ("No", "i"), ("”", "i")], "*“No”*"),
            (&[("都", "bi")], "***都***"),
            (&[("雨", "b"), ("停", "bi"), ("了", "")], "**雨*停***了"),
            (&[("雨", "b"), ("停", "i")], "**雨***停*"),
            (&[("not ", "i"), ("again", "i")], "*not again*"),
            (&[("5 * 3", "i"), (" = 15*", "")], "*5 * 3* = 15*"),
        ];
        for (stretches, expected) in cases {
            assert_eq!(of(stretches), MarkedLine::Marked((*expected).into()), "{expected}");
        }
    }

    #[test]
    fn what_no_mark_expresses_is_told() {
        assert_eq!(of(&[("他来了。", "")]), MarkedLine::Plain);
        assert_eq!(of(&[("He", ""), (" ", "i"), ("came.", "")]), MarkedLine::Plain);
        assert_eq!(of(&[("un", ""), ("believ", "i"), ("able", "")]), MarkedLine::Unmarkable);
        assert_eq!(of(&[("雨", "bi"), ("停", "b"), ("了", "")]), MarkedLine::Unmarkable);
        assert_eq!(of(&[("甲*乙", "i"), ("丙", "")]), MarkedLine::Unmarkable);
    }

    #[test]
    fn a_part_has_its_own_stretches() {
        let spans = [EmphasisSpan { range: 2..8, bold: true, italic: false }];
        assert_eq!(within(&spans, &(1..5)), [EmphasisSpan { range: 1..4, bold: true, italic: false }]);
        assert!(within(&spans, &(8..10)).is_empty());
    }
}

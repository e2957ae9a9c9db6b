//! Locates the JSON in an answer.

use std::ops::Range;

use serde_json::Value;

use super::scan::{JsonScan, scan};
use crate::wire::think::last_close;

/// Maximum number of broken openings before the search stops; bounds the work on hostile text.
const BROKEN: usize = 16;

/// A part of an answer that is, or resembles, JSON.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JsonSpan<'a> {
    /// The text, starting with the first bracket.
    pub(super) text: &'a str,
    /// The parsed value, if the text is valid JSON.
    pub(super) value: Option<Value>,
    /// Whether the closing bracket is present.
    pub(super) whole: bool,
}

/// Returns the candidates in the order of trial: the whole answer if valid JSON, then fenced blocks, then other text
/// with an opening bracket.
pub(super) fn spans(answer: &str) -> Vec<JsonSpan<'_>> {
    let answer = answer.trim().trim_start_matches('\u{FEFF}');
    if let Ok(value) = serde_json::from_str(answer) {
        return vec![JsonSpan { text: answer, value: Some(value), whole: true }];
    }
    let body = after_thinking(answer);
    let mut found: Vec<JsonSpan<'_>> = fences(body).into_iter().filter_map(fenced).collect();
    if found.is_empty() {
        found = openings(body);
    }
    found
}

/// Returns the text after the last closing thinking marker, unless the marker is inside a JSON string.
fn after_thinking(answer: &str) -> &str {
    let Some((at, end)) = last_close(answer) else { return answer };
    if JsonRanges::in_text(answer).covers(at) { answer } else { &answer[end..] }
}

/// The ranges of complete JSON in a text; thinking tags and fences within are parts of strings.
struct JsonRanges(Vec<Range<usize>>);

impl JsonRanges {
    fn in_text(text: &str) -> Self {
        let whole = openings(text).into_iter().filter(|span| span.value.is_some());
        Self(
            whole
                .map(|span| {
                    let from = span.text.as_ptr() as usize - text.as_ptr() as usize;
                    from..from + span.text.len()
                })
                .collect(),
        )
    }

    fn covers(&self, at: usize) -> bool {
        let next = self.0.partition_point(|range| range.end <= at);
        self.0.get(next).is_some_and(|range| range.contains(&at))
    }
}

/// A fenced block: its content, and whether the closing fence is present.
#[derive(Clone, Copy)]
struct CodeFence<'a> {
    inside: &'a str,
    closed: bool,
}

/// Returns the fenced blocks outside of JSON strings.
fn fences(body: &str) -> Vec<CodeFence<'_>> {
    const MARK: &str = "```";
    if !body.contains(MARK) {
        return Vec::new();
    }
    let quoted = JsonRanges::in_text(body);
    let marks: Vec<usize> = body.match_indices(MARK).map(|(at, _)| at).filter(|&at| !quoted.covers(at)).collect();
    marks
        .chunks(2)
        .map(|pair| match *pair {
            [open, close] => CodeFence { inside: &body[open + MARK.len()..close], closed: true },
            _ => CodeFence { inside: &body[pair[0] + MARK.len()..], closed: false },
        })
        .collect()
}

fn fenced(fence: CodeFence<'_>) -> Option<JsonSpan<'_>> {
    let mut span = openings(fence.inside).into_iter().max_by_key(|span| span.text.len())?;
    // With a closed fence the model considered the answer complete: a bracket is missing, not the rest.
    if fence.closed && !span.whole {
        span.text = span.text.trim_end();
        span.whole = true;
    }
    Some(span)
}

/// Returns the parts of `text` starting with a bracket, outermost only.
fn openings(text: &str) -> Vec<JsonSpan<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut broken = 0;
    while let Some(next) = text[at..].find(['{', '[', '｛', '［']) {
        at += next;
        let rest = &text[at..];
        if let Some((value, length)) = strict(rest) {
            found.push(JsonSpan { text: &rest[..length], value: Some(value), whole: true });
            at += length;
            continue;
        }
        if !opens_json(rest) {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        }
        let JsonScan { length, whole, .. } = scan(rest);
        found.push(JsonSpan { text: &rest[..length], value: None, whole });
        at += length;
        broken += 1;
        if !whole || broken == BROKEN {
            break;
        }
    }
    found
}

/// Returns the JSON value at the start of `text` and its length.
fn strict(text: &str) -> Option<(Value, usize)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let value = values.next()?.ok()?;
    Some((value, values.byte_offset()))
}

/// Returns whether a bracket looks like JSON rather than prose.
fn opens_json(text: &str) -> bool {
    let mut characters = text.chars();
    let object = matches!(characters.next(), Some('{' | '｛'));
    let inside = characters.as_str().trim_start();
    let Some(first) = inside.chars().next() else { return true };
    match first {
        '"' | '“' | '”' | '＂' | '\'' | '/' | '#' | '}' | ']' | '｝' | '］' => true,
        '{' | '[' | '｛' | '［' | '-' => !object,
        c if c.is_ascii_digit() => !object,
        _ if object => super::scan::opens_bare_key(inside),
        _ => super::scan::opens_literal(inside),
    }
}

//! Where in an answer the JSON stands.

use std::ops::Range;

use serde_json::Value;

use super::scan::{Scan, scan};
use crate::wire::think::last_close;

/// Broken openings that are looked at before the search is given up; bounds the work on hostile text.
const BROKEN: usize = 16;

/// A piece of an answer that is JSON or was meant to be.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Span<'a> {
    /// The piece, from its first bracket on.
    pub(super) text: &'a str,
    /// What it says, if it is JSON as it stands.
    pub(super) value: Option<Value>,
    /// Whether its last bracket is there.
    pub(super) whole: bool,
}

/// Returns the pieces in the order in which they should be tried: the whole answer if it is JSON, then fenced blocks,
/// then what else opens a bracket.
pub(super) fn spans(answer: &str) -> Vec<Span<'_>> {
    let answer = answer.trim().trim_start_matches('\u{FEFF}');
    if let Ok(value) = serde_json::from_str(answer) {
        return vec![Span { text: answer, value: Some(value), whole: true }];
    }
    let body = after_thinking(answer);
    let mut found: Vec<Span<'_>> = fences(body).into_iter().filter_map(fenced).collect();
    if found.is_empty() {
        found = openings(body);
    }
    found
}

/// The answer proper: what follows the last mark that closes thinking, unless that stands inside a JSON string.
fn after_thinking(answer: &str) -> &str {
    let Some((at, end)) = last_close(answer) else { return answer };
    if Quoted::in_text(answer).covers(at) { answer } else { &answer[end..] }
}

/// Where in a text whole JSON stands; thinking tags and fences in there are parts of strings.
struct Quoted(Vec<Range<usize>>);

impl Quoted {
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

/// A fenced block: its inside, and whether the closing fence is there.
#[derive(Clone, Copy)]
struct Fence<'a> {
    inside: &'a str,
    closed: bool,
}

/// The fenced blocks outside of JSON strings.
fn fences(body: &str) -> Vec<Fence<'_>> {
    const MARK: &str = "```";
    if !body.contains(MARK) {
        return Vec::new();
    }
    let quoted = Quoted::in_text(body);
    let marks: Vec<usize> = body.match_indices(MARK).map(|(at, _)| at).filter(|&at| !quoted.covers(at)).collect();
    marks
        .chunks(2)
        .map(|pair| match *pair {
            [open, close] => Fence { inside: &body[open + MARK.len()..close], closed: true },
            _ => Fence { inside: &body[pair[0] + MARK.len()..], closed: false },
        })
        .collect()
}

fn fenced(fence: Fence<'_>) -> Option<Span<'_>> {
    let mut span = openings(fence.inside).into_iter().max_by_key(|span| span.text.len())?;
    // Whoever closed the fence thought the answer complete: a bracket is missing, not the rest.
    if fence.closed && !span.whole {
        span.text = span.text.trim_end();
        span.whole = true;
    }
    Some(span)
}

/// What opens a bracket in `text`, outermost only.
fn openings(text: &str) -> Vec<Span<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut broken = 0;
    while let Some(next) = text[at..].find(['{', '[', '｛', '［']) {
        at += next;
        let rest = &text[at..];
        if let Some((value, length)) = strict(rest) {
            found.push(Span { text: &rest[..length], value: Some(value), whole: true });
            at += length;
            continue;
        }
        if !opens_json(rest) {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        }
        let Scan { length, whole, .. } = scan(rest);
        found.push(Span { text: &rest[..length], value: None, whole });
        at += length;
        broken += 1;
        if !whole || broken == BROKEN {
            break;
        }
    }
    found
}

/// The JSON value at the beginning of `text` and its length.
fn strict(text: &str) -> Option<(Value, usize)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let value = values.next()?.ok()?;
    Some((value, values.byte_offset()))
}

/// Whether a bracket looks like that of JSON rather than of prose.
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

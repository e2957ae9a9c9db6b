//! Proposed changes of a text, not yet authorized.

use std::collections::BTreeSet;

use qingyu_story::digest::sha256;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A text as it is to be, and where that differs from what it is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Proposal {
    /// The document to be changed; none for a new one.
    pub document: Option<String>,
    /// Its title.
    pub title: String,
    /// Its place in reading order, for a new one.
    pub order: Option<u32>,
    /// The outline node that it tells, for a new one.
    pub outline_node: Option<String>,
    /// SHA-256 of the text that it was made for, in hexadecimal; empty for a new one.
    pub base: String,
    /// The whole text as it is to be.
    pub text: String,
    /// What changes, in order; what is between is the same byte for byte.
    pub spans: Vec<Span>,
}

/// A place that changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    /// The byte of the present text at which it begins.
    pub start: usize,
    /// The byte at which it ends.
    pub end: usize,
    /// What stands there.
    pub before: String,
    /// What is to stand there.
    pub after: String,
    /// Why.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

impl Proposal {
    /// Returns the proposal to change these places of `text`, after sorting them; `None` if places overlap or are not
    /// found.
    pub fn of(text: &str, mut spans: Vec<Span>) -> Option<Self> {
        spans.sort_by_key(|span| (span.start, span.end));
        let mut changed = String::with_capacity(text.len());
        let mut at = 0;
        for span in &spans {
            if span.start < at || text.get(span.start..span.end)? != span.before {
                return None;
            }
            changed.push_str(text.get(at..span.start)?);
            changed.push_str(&span.after);
            at = span.end;
        }
        changed.push_str(text.get(at..)?);
        Some(Self { base: digest(text), text: changed, spans, ..Self::default() })
    }

    /// Returns the proposal limited to some of its places, by index from 0; the others are reverted. `None` if no place
    /// is left.
    pub fn only(&self, places: &BTreeSet<usize>) -> Option<Self> {
        let mut text = String::with_capacity(self.text.len());
        let (mut rest, mut at) = (self.text.as_str(), 0);
        let mut spans = Vec::new();
        for (number, span) in self.spans.iter().enumerate() {
            let (same, changed) = rest.split_at_checked(span.start.checked_sub(at)?)?;
            rest = changed.strip_prefix(&span.after)?;
            at = span.end;
            text.push_str(same);
            if places.contains(&number) {
                text.push_str(&span.after);
                spans.push(span.clone());
            } else {
                text.push_str(&span.before);
            }
        }
        text.push_str(rest);
        (!spans.is_empty()).then(|| Self { text, spans, ..self.clone() })
    }

    /// Returns whether the proposal was made for `text`.
    pub fn fits(&self, text: &str) -> bool {
        self.base == digest(text)
    }
}

/// Returns the SHA-256 of a text, in hexadecimal.
pub fn digest(text: &str) -> String {
    sha256(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: usize, before: &str, after: &str) -> Span {
        let (before, after) = (before.to_owned(), after.to_owned());
        Span { start, end: start + before.len(), before, after, why: String::new() }
    }

    #[test]
    fn some_places_alone_leave_the_others_as_they_are() {
        let text = "雨停了。她走了。";
        let both = Proposal::of(text, vec![span(0, "雨", "大雪"), span(12, "她走了", "她没有走")]).unwrap();
        let only = |places: &[usize]| both.only(&places.iter().copied().collect());
        let second = only(&[1]).unwrap();
        assert_eq!((second.text.as_str(), second.spans.len()), ("雨停了。她没有走。", 1));
        assert_eq!(Some(&second), Proposal::of(text, vec![span(12, "她走了", "她没有走")]).as_ref());
        assert_eq!(only(&[0]).unwrap().text, "大雪停了。她走了。");
        assert_eq!(only(&[0, 1]).as_ref(), Some(&both));
        assert_eq!((only(&[]), only(&[2])), (None, None));
        let torn = Proposal { text: "别的".into(), ..both.clone() };
        assert_eq!(torn.only(&BTreeSet::from([1])), None, "its places are not in its text");
    }

    #[test]
    fn what_is_not_named_stays_as_it_is() {
        let text = "雨停了。她走了。";
        let proposal = Proposal::of(text, vec![span(12, "她走了", "她没有走"), span(0, "雨", "雪")]).unwrap();
        assert_eq!(proposal.text, "雪停了。她没有走。");
        assert!(proposal.fits(text) && !proposal.fits("雨停了。"));
        assert_eq!(Proposal::of(text, vec![span(0, "雪", "雨")]), None, "it does not stand there");
        assert_eq!(Proposal::of(text, vec![span(0, "雨停", "雪"), span(3, "停", "下")]), None, "they overlap");
        assert_eq!(Proposal::of(text, vec![span(1, "雨", "雪")]), None, "in the middle of a character");
    }
}

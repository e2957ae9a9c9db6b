//! Comparison of two texts: by paragraph, and within changed paragraphs by character in Chinese and by word in English.

use qingyu_story::language::is_han;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// The differences between two texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TextComparison {
    /// The differing places, in order.
    pub hunks: Vec<Hunk>,
    /// The number of added characters.
    pub added: usize,
    /// The number of removed characters.
    pub removed: usize,
}

/// A place with differing paragraphs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hunk {
    /// The first line in the older text, from 1; the insertion position for added lines.
    pub old_line: usize,
    /// The first line in the newer text.
    pub new_line: usize,
    /// The paragraphs, in spans.
    pub spans: Vec<DiffSpan>,
}

/// A span of characters with its operation. Unchanged and removed spans form the older text, unchanged and added spans
/// the newer text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DiffSpan {
    /// The operation.
    pub op: SpanChange,
    /// The characters.
    pub text: String,
}

/// The operation on a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SpanChange {
    /// Unchanged.
    Same,
    /// Added.
    Added,
    /// Removed.
    Removed,
}

/// Compares two texts.
pub(crate) fn compare(older: &str, newer: &str) -> TextComparison {
    let (old, new) = (lines(older), lines(newer));
    let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
    let mut hunks = Vec::new();
    let (mut added, mut removed) = (0, 0);
    for op in ops.into_iter().filter(|op| !matches!(op, DiffOp::Equal { .. })) {
        let (before, after) = (op.old_range(), op.new_range());
        let spans = within(&old[before.clone()].concat(), &new[after.clone()].concat());
        for span in &spans {
            let count = span.text.chars().filter(|c| !c.is_whitespace()).count();
            match span.op {
                SpanChange::Added => added += count,
                SpanChange::Removed => removed += count,
                SpanChange::Same => {}
            }
        }
        hunks.push(Hunk { old_line: before.start + 1, new_line: after.start + 1, spans });
    }
    TextComparison { hunks, added, removed }
}

/// Splits into lines including their line feeds, so no text is lost.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

fn within(old: &str, new: &str) -> Vec<DiffSpan> {
    let (before, after) = (words(old), words(new));
    let ops = capture_diff_slices(Algorithm::Myers, &before, &after);
    let same: usize = ops.iter().filter(|op| matches!(op, DiffOp::Equal { .. })).map(|op| op.old_range().len()).sum();
    let mut spans = Vec::new();
    let mut push = |op: SpanChange, words: &[&str]| {
        if !words.is_empty() {
            spans.push(DiffSpan { op, text: words.concat() });
        }
    };
    // Texts sharing only a few characters by chance are more readable as separate spans.
    if same * 4 < before.len().min(after.len()) {
        push(SpanChange::Removed, &before);
        push(SpanChange::Added, &after);
        return spans;
    }
    for op in ops {
        let (old, new) = (&before[op.old_range()], &after[op.new_range()]);
        if matches!(op, DiffOp::Equal { .. }) {
            push(SpanChange::Same, old);
        } else {
            push(SpanChange::Removed, old);
            push(SpanChange::Added, new);
        }
    }
    spans
}

/// Splits into words: a run of Latin letters, or any other single character.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_part = |c: char| c.is_alphanumeric() && !is_han(c);
        let end = if is_part(first) { rest.find(|c| !is_part(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (word, after) = rest.split_at(end);
        words.push(word);
        rest = after;
    }
    words
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn told(older: &str, newer: &str) -> String {
        let span = |span: &DiffSpan| match span.op {
            SpanChange::Same => span.text.clone(),
            SpanChange::Added => format!("[+{}]", span.text),
            SpanChange::Removed => format!("[-{}]", span.text),
        };
        let hunk = |hunk: &Hunk| {
            format!("{}/{}: {}", hunk.old_line, hunk.new_line, hunk.spans.iter().map(span).collect::<String>())
        };
        compare(older, newer).hunks.iter().map(hunk).collect::<Vec<_>>().join(" ; ").replace('\n', "|")
    }

    #[test]
    fn characters_in_chinese_and_words_in_english() {
        assert_eq!(told("雨下了一夜。\n他来了。", "雨下了一夜。\n她来了。"), "2/2: [-他][+她]来了。");
        assert_eq!(told("He came home late.", "He went home late."), "1/1: He [-came][+went] home late.");
        assert_eq!(told("甲\n乙\n", "甲\n丙\n乙\n"), "2/2: [+丙|]");
        assert_eq!(told("甲\n乙\n", "乙\n"), "1/1: [-甲|]");
        assert_eq!(told("同", "同"), "");
        assert_eq!(
            told("雨下了一夜，灯灭了。", "他推开门走进来坐下。"),
            "1/1: [-雨下了一夜，灯灭了。][+他推开门走进来坐下。]"
        );
        let counted = compare("", "雨 夜\n");
        assert_eq!((counted.added, counted.removed), (2, 0));
    }

    proptest! {
        #[test]
        fn both_texts_can_be_had_again(older in "[雨夜灯a-c \n]{0,40}", newer in "[雨夜灯a-c \n]{0,40}") {
            let hunks = compare(&older, &newer).hunks;
            let old_lines = lines(&older);
            let new_lines = lines(&newer);
            let side = |hunk: &Hunk, op: SpanChange| -> String {
                hunk.spans.iter().filter(|span| span.op == SpanChange::Same || span.op == op).map(|span| span.text.as_str()).collect()
            };
            let (mut old, mut new) = (0, 0);
            for hunk in &hunks {
                // The text between two hunks is the same on both sides.
                prop_assert_eq!(&old_lines[old..hunk.old_line - 1], &new_lines[new..hunk.new_line - 1]);
                let (removed, added) = (side(hunk, SpanChange::Removed), side(hunk, SpanChange::Added));
                old = hunk.old_line - 1 + lines(&removed).len();
                new = hunk.new_line - 1 + lines(&added).len();
                prop_assert_eq!(old_lines[hunk.old_line - 1..old].concat(), removed);
                prop_assert_eq!(new_lines[hunk.new_line - 1..new].concat(), added);
            }
            prop_assert_eq!(&old_lines[old..], &new_lines[new..]);
        }
    }
}

//! Accepted chapters, as short rows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::review::ChapterFinding;

/// A chapter that is done, as a short row.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AcceptedChapter {
    /// Its number.
    pub chapter: u32,
    /// Its title.
    pub title: String,
    /// The outline node.
    pub node: String,
    /// The document that has the prose.
    pub document: String,
    /// The length, as editors count.
    pub words: u32,
    /// The score of its last review; none if there was no review.
    pub score: Option<u8>,
    /// Whether it was taken although its review did not pass.
    pub forced: bool,
    /// How often it was corrected or rewritten.
    pub retries: u32,
    /// Whether its prose changed.
    pub changed: bool,
    /// Whether a model has read the text as it was kept.
    pub read: bool,
    /// What a reading found, worst first; for a chapter that was written, what was found and not mended on
    /// purpose, what contradicts the story, and the sentences of later chapters that rest on what it no longer
    /// tells.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<ChapterFinding>,
    /// Model calls for it.
    pub calls: u32,
    /// Their tokens.
    pub tokens: u64,
    /// Their price in millionths of the currency, as far as it is known.
    pub cost_micros: u64,
    /// The version of the project that holds it.
    pub version: u64,
    /// What settlement brought into the story.
    pub settled: SettledCounts,
}

impl AcceptedChapter {
    /// Returns one row per chapter, in the order in which the chapters were first accepted. A chapter corrected again
    /// has several rows: the last one is returned, with the calls, tokens and cost of all.
    pub fn latest(rows: Vec<Self>) -> Vec<Self> {
        let mut latest: Vec<Self> = Vec::with_capacity(rows.len());
        for row in rows {
            let Some(known) = latest.iter_mut().find(|known| known.chapter == row.chapter) else {
                latest.push(row);
                continue;
            };
            *known = Self {
                changed: known.changed || row.changed,
                calls: known.calls.saturating_add(row.calls),
                tokens: known.tokens.saturating_add(row.tokens),
                cost_micros: known.cost_micros.saturating_add(row.cost_micros),
                ..row
            };
        }
        latest
    }
}

/// What settlement brought into the story.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SettledCounts {
    /// New cards.
    pub cards: usize,
    /// Events that it tells, new ones and those of the plan.
    pub events: usize,
    /// Facts.
    pub facts: usize,
    /// Promises that were planted, kept alive or paid.
    pub promises: usize,
    /// What the author is asked.
    pub questions: usize,
    /// What was not believed.
    pub rejected: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chapter_that_was_corrected_again_has_one_row() {
        let row = |chapter, words, findings: Vec<ChapterFinding>| AcceptedChapter {
            chapter,
            words,
            findings,
            calls: 2,
            tokens: 10,
            ..AcceptedChapter::default()
        };
        let rows = vec![row(1, 933, vec![ChapterFinding::default()]), row(2, 500, vec![]), row(1, 934, vec![])];
        let latest = AcceptedChapter::latest(rows);
        let told: Vec<_> = latest.iter().map(|row| (row.chapter, row.words, row.findings.len(), row.calls)).collect();
        assert_eq!(told, [(1, 934, 0, 4), (2, 500, 0, 2)]);
        assert_eq!(latest[0].tokens, 20);
    }
}

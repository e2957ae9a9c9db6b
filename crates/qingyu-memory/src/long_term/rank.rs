//! Finding memories by their words.

use qingyu_knowledge::KeywordIndex;
use serde::Serialize;

use super::Memory;

/// A memory that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found {
    /// The memory.
    pub memory: Memory,
    /// How well it fits; comparable within one search only.
    pub score: f64,
}

/// Those of `memories` that share a word with `query`, best first, equal ones in their order; at most `limit`.
///
/// The analysis and the score (BM25) are those of the search in projects: pairs of Chinese characters, stems of Latin
/// words, traditional and simplified characters alike. The statistics are those of `memories`.
pub fn rank(query: &str, memories: Vec<Memory>, limit: usize) -> Vec<Found> {
    let index = KeywordIndex::new(memories.iter().map(|memory| memory.text.as_str()));
    let matches = index.search(query, limit);
    let mut memories: Vec<Option<Memory>> = memories.into_iter().map(Some).collect();
    let found = matches.into_iter().filter_map(|found| {
        let memory = memories.get_mut(found.row as usize)?.take()?;
        Some(Found { memory, score: found.score })
    });
    found.collect()
}

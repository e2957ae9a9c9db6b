//! Keyword search over memories.

use qingyu_knowledge::KeywordIndex;
use serde::Serialize;

use super::Memory;

/// A memory found by a search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MemoryMatch {
    /// The memory.
    pub memory: Memory,
    /// The score; comparable within one search only.
    pub score: f64,
}

/// Returns the `memories` that share a word with `query`, best first, equal scores in the given order; at most `limit`.
///
/// The analysis and the score (BM25) are shared with the search in projects: pairs of Chinese characters, stems of
/// Latin words, traditional and simplified characters alike. The statistics are over `memories`.
pub fn rank(query: &str, memories: Vec<Memory>, limit: usize) -> Vec<MemoryMatch> {
    let index = KeywordIndex::new(memories.iter().map(|memory| memory.text.as_str()));
    let matches = index.search(query, limit);
    let mut memories: Vec<Option<Memory>> = memories.into_iter().map(Some).collect();
    let found = matches.into_iter().filter_map(|found| {
        let memory = memories.get_mut(found.row as usize)?.take()?;
        Some(MemoryMatch { memory, score: found.score })
    });
    found.collect()
}

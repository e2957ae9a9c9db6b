//! BM25 over passages, in memory.

use std::collections::BTreeMap;

use crate::Passage;
use crate::segment::terms;

/// How fast further occurrences of a term stop to count.
const SATURATION: f64 = 1.2;
/// How much the length of a passage counts.
const LENGTH: f64 = 0.75;

/// An index over passages. Built anew when they change; a book's pieces take well under a millisecond per hundred.
#[derive(Debug, Clone, Default)]
pub struct KeywordIndex {
    passages: Vec<Passage>,
    lengths: Vec<usize>,
    /// For each term, the passages it occurs in and how often, in the order of the passages.
    postings: BTreeMap<String, Vec<(usize, usize)>>,
}

/// A passage that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit<'a> {
    /// The passage.
    pub passage: &'a Passage,
    /// How well it fits; comparable within one search only.
    pub score: f64,
}

impl KeywordIndex {
    /// Indexes `passages`.
    pub fn new(passages: Vec<Passage>) -> Self {
        let mut index = Self { lengths: Vec::with_capacity(passages.len()), ..Self::default() };
        for (position, passage) in passages.iter().enumerate() {
            let mut counts = BTreeMap::<String, usize>::new();
            let terms = terms(&passage.text);
            index.lengths.push(terms.len());
            for term in terms {
                *counts.entry(term).or_default() += 1;
            }
            for (term, count) in counts {
                index.postings.entry(term).or_default().push((position, count));
            }
        }
        index.passages = passages;
        index
    }

    /// The passages that fit `query` best, best first; equal ones in the order in which they were indexed.
    ///
    /// At most `limit`, and only passages that share a term with the query.
    pub fn search(&self, query: &str, limit: usize) -> Vec<Hit<'_>> {
        let mut wanted = terms(query);
        wanted.sort();
        wanted.dedup();
        let mut scores = BTreeMap::<usize, f64>::new();
        for term in &wanted {
            let Some(postings) = self.postings.get(term) else { continue };
            let weight = self.rarity(postings.len());
            for (position, count) in postings {
                *scores.entry(*position).or_default() += weight * self.frequency(*position, *count);
            }
        }
        let mut hits = scores
            .into_iter()
            .map(|(position, score)| Hit { passage: &self.passages[position], score })
            .collect::<Vec<_>>();
        hits.sort_by(|left, right| right.score.total_cmp(&left.score));
        hits.truncate(limit);
        hits
    }

    fn rarity(&self, passages_with_term: usize) -> f64 {
        let (all, with) = (self.passages.len() as f64, passages_with_term as f64);
        (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
    }

    fn frequency(&self, position: usize, count: usize) -> f64 {
        let average = self.lengths.iter().sum::<usize>() as f64 / self.lengths.len() as f64;
        let length = self.lengths[position] as f64 / average;
        let count = count as f64;
        count * (SATURATION + 1.0) / (count + SATURATION * (1.0 - LENGTH + LENGTH * length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(texts: &[&str], query: &str, limit: usize) -> String {
        let passages = texts.iter().enumerate().map(|(i, text)| Passage::new(i.to_string(), *text)).collect();
        let index = KeywordIndex::new(passages);
        index.search(query, limit).iter().map(|hit| hit.passage.id.as_str()).collect::<Vec<_>>().join(",")
    }

    #[test]
    fn best_first() {
        let chinese = ["苏曼回到星环塔顶层", "林深在旧港捡到芯片", "旧港的雨下了三天，林深没有走"];
        let english = ["The gardener finds the key", "Oxygen fails on deck nine", "A key, a key, and no gardener"];
        let cases: [(&[&str], &str, usize, &str); 7] = [
            (&chinese, "旧港芯片", 3, "1,2"),
            (&chinese, "星环塔", 3, "0"),
            (&chinese, "林深", 1, "1"),
            (&chinese, "无人知晓", 3, ""),
            (&english, "KEY", 3, "2,0"),
            (&english, "oxygen gardener", 1, "1"),
            (&[], "key", 3, ""),
        ];
        for (texts, query, limit, expected) in cases {
            assert_eq!(found(texts, query, limit), expected, "{query}");
        }
    }

    #[test]
    fn equal_passages_keep_their_order() {
        assert_eq!(found(&["同一句话", "同一句话", "同一句话"], "一句", 3), "0,1,2");
    }
}

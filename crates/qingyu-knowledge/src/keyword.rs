//! Keyword search: BM25 (Robertson and others, 1994) over the [terms](crate::analysis) of texts.
//!
//! [`score`] is the formula, the same for every engine; [`KeywordIndex`] is the in-memory engine.

use std::collections::{BTreeMap, HashMap};

use rustc_hash::FxBuildHasher;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::analysis::{QueryTerm, asked, each_term};

/// The saturation of repeated terms (`k1` of BM25).
const SATURATION: f64 = 1.2;
/// The influence of the text length (`b` of BM25).
const LENGTH: f64 = 0.75;
/// The minimum number of texts for a common term.
const NEVER_COMMON: usize = 100;

/// Statistics of the whole corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CorpusTotals {
    /// The number of texts.
    pub texts: usize,
    /// The number of terms in all texts.
    pub terms: u64,
}

impl CorpusTotals {
    /// Returns the maximum number of texts with a term that is not common: a tenth of all, and at least 100.
    ///
    /// Common terms are uninformative and expensive: ignoring them changes no ranking (measured) but takes a tenth of
    /// the time when words are the terms.
    pub fn common(self) -> usize {
        (self.texts / 10).max(NEVER_COMMON)
    }
}

/// A text that contains a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting {
    /// The row of the text.
    pub row: u32,
    /// The number of occurrences.
    pub count: u32,
    /// The total number of terms in the text.
    pub length: u32,
}

/// The texts that match a query term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostingList {
    /// The query term.
    pub asked: QueryTerm,
    /// The number of texts with the term, excluded texts too.
    pub having: usize,
    /// The texts that may be returned, sorted by row.
    pub postings: Vec<Posting>,
}

/// A matching text, with the reasons.
#[derive(Debug, Clone, PartialEq)]
pub struct KeywordMatch {
    /// The row of the text.
    pub row: u32,
    /// The score; comparable within one search only.
    pub score: f64,
    /// The matched terms, each with its part of the score.
    pub terms: Vec<MatchedTerm>,
}

/// A term of a query in a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MatchedTerm {
    /// The term.
    pub term: String,
    /// Its part of the score.
    pub score: f64,
}

/// Returns the best texts, best first; of equal scores the earlier row first. At most `limit`.
///
/// Scores are added up in the order of `postings`: pass them sorted. Rows are counted from 0 without large gaps. Common
/// terms are ignored, unless all are common.
pub fn score(totals: CorpusTotals, postings: &[PostingList], limit: usize) -> Vec<KeywordMatch> {
    let all_are_common = postings.iter().all(|one| one.having > totals.common());
    let average = if totals.texts == 0 { 1.0 } else { (totals.terms as f64 / totals.texts as f64).max(1.0) };
    let telling = || postings.iter().filter(|one| all_are_common || one.having <= totals.common());
    let rows = postings.iter().filter_map(|one| one.postings.last()).map(|last| last.row as usize + 1).max();
    let mut scores = vec![0.0; rows.unwrap_or(0)];
    for one in telling() {
        let weight = rarity(totals.texts, one.having);
        one.postings.iter().for_each(|posting| scores[posting.row as usize] += weight * frequency(posting, average));
    }
    // Matched terms are collected only for returned texts.
    let explained = |(row, score): (u32, f64)| {
        let term = |one: &PostingList| {
            let at = one.postings.binary_search_by_key(&row, |posting| posting.row).ok()?;
            let score = rarity(totals.texts, one.having) * frequency(&one.postings[at], average);
            Some(MatchedTerm { term: one.asked.to_string(), score })
        };
        KeywordMatch { row, score, terms: telling().filter_map(term).collect() }
    };
    best(scores, limit).into_iter().map(explained).collect()
}

/// Returns the rows with the highest scores above 0, best first; of equal scores the earlier row first.
fn best(scores: Vec<f64>, limit: usize) -> Vec<(u32, f64)> {
    let mut found: Vec<(u32, f64)> = (0..).zip(scores).filter(|(_, score)| *score > 0.0).collect();
    let order = |a: &(u32, f64), b: &(u32, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
    if limit < found.len() {
        found.select_nth_unstable_by(limit, order);
        found.truncate(limit);
    }
    found.sort_by(order);
    found
}

fn rarity(texts: usize, having: usize) -> f64 {
    let (texts, having) = (texts as f64, having as f64);
    (1.0 + (texts - having + 0.5).max(0.0) / (having + 0.5)).ln()
}

fn frequency(posting: &Posting, average: f64) -> f64 {
    let count = f64::from(posting.count);
    let length = f64::from(posting.length) / average;
    count * (SATURATION + 1.0) / (count + SATURATION * (1.0 - LENGTH + LENGTH * length))
}

/// An in-memory index of texts by terms, rebuilt after changes; a book's cards take well under a millisecond per
/// hundred.
#[derive(Debug, Clone, Default)]
pub struct KeywordIndex {
    lengths: Vec<u32>,
    /// For each term, the texts and the number of occurrences.
    postings: BTreeMap<String, Vec<(u32, u32)>>,
    totals: CorpusTotals,
}

impl KeywordIndex {
    /// Indexes `texts`; the row is the position.
    pub fn new<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut index = Self::default();
        for (row, text) in (0..).zip(texts) {
            let mut counts: HashMap<String, u32, FxBuildHasher> = HashMap::default();
            let mut length = 0;
            each_term(text, |term| {
                length += 1;
                match counts.get_mut(term) {
                    Some(count) => *count += 1,
                    None => drop(counts.insert(term.to_owned(), 1)),
                }
            });
            index.lengths.push(length);
            index.totals.texts += 1;
            index.totals.terms += u64::from(length);
            for (term, count) in counts {
                index.postings.entry(term).or_default().push((row, count));
            }
        }
        index
    }

    /// Returns the best texts for `query`, best first; equal texts in index order.
    ///
    /// At most `limit`, and only texts with a term of the query.
    pub fn search(&self, query: &str, limit: usize) -> Vec<KeywordMatch> {
        self.search_among(query, limit, |_| true)
    }

    /// Returns the same among the `allowed` texts.
    pub(crate) fn search_among(&self, query: &str, limit: usize, allowed: impl Fn(u32) -> bool) -> Vec<KeywordMatch> {
        let postings: Vec<PostingList> = asked(query).into_iter().map(|asked| self.postings(asked, &allowed)).collect();
        score(self.totals, &postings, limit)
    }

    fn postings(&self, asked: QueryTerm, allowed: &impl Fn(u32) -> bool) -> PostingList {
        let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
        match &asked {
            QueryTerm::Term(term) => counts.extend(self.postings.get(term).into_iter().flatten().copied()),
            QueryTerm::Character(first) => {
                let from = first.to_string();
                let terms = self.postings.range(from..).take_while(|(term, _)| term.starts_with(*first));
                terms.flat_map(|(_, rows)| rows).for_each(|(row, count)| *counts.entry(*row).or_default() += count);
            }
        }
        let posting =
            |(row, count): (&u32, &u32)| Posting { row: *row, count: *count, length: self.lengths[*row as usize] };
        let having = counts.len();
        let postings = counts.iter().filter(|(row, _)| allowed(**row)).map(posting).collect();
        PostingList { asked, having, postings }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(texts: &[&str], query: &str, limit: usize) -> String {
        let index = KeywordIndex::new(texts.iter().copied());
        index.search(query, limit).iter().map(|found| found.row.to_string()).collect::<Vec<_>>().join(",")
    }

    #[test]
    fn best_first() {
        let chinese = ["苏曼回到星环塔顶层", "林深在旧港捡到芯片", "旧港的雨下了三天，林深没有走"];
        let english = ["The gardener finds the key", "Oxygen fails on deck nine", "A key, a key, and no gardener"];
        let cases: [(&[&str], &str, usize, &str); 9] = [
            (&chinese, "旧港芯片", 3, "1,2"),
            (&chinese, "星环塔", 3, "0"),
            (&chinese, "林深", 1, "1"),
            (&chinese, "走", 3, "2"),
            (&chinese, "舊港芯片", 3, "1,2"),
            (&chinese, "无人知晓", 3, ""),
            (&english, "KEYS", 3, "2,0"),
            (&english, "oxygen gardener", 1, "1"),
            (&[], "key", 3, ""),
        ];
        for (texts, query, limit, expected) in cases {
            assert_eq!(found(texts, query, limit), expected, "{query}");
        }
    }

    #[test]
    fn equal_texts_keep_their_order() {
        assert_eq!(found(&["同一句话", "同一句话", "同一句话"], "一句", 3), "0,1,2");
    }

    #[test]
    fn common_terms_count_only_when_nothing_else_is_asked() {
        let texts: Vec<String> = (0..300).map(|at| format!("林深说了第{at}句")).collect();
        let index = KeywordIndex::new(texts.iter().map(String::as_str));
        let best = &index.search("林深 7", 500);
        assert_eq!(best.len(), 1);
        assert_eq!(best[0].terms.iter().map(|term| term.term.as_str()).collect::<Vec<_>>(), ["7"]);
        assert_eq!(index.search("林深", 500).len(), 300);
    }

    #[test]
    fn what_may_not_be_found_is_not_found() {
        let index = KeywordIndex::new(["旧港一", "旧港二", "旧港三"]);
        let rows: Vec<u32> = index.search_among("旧港", 9, |row| row != 1).iter().map(|found| found.row).collect();
        assert_eq!(rows, [0, 2]);
    }
}

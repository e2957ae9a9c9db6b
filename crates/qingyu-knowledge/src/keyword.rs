//! Keyword search: BM25 (Robertson and others, 1994) over the [terms](crate::analysis) of texts.
//!
//! [`score`] is the formula, the same for every engine; [`KeywordIndex`] is the engine in memory.

use std::collections::{BTreeMap, HashMap};

use rustc_hash::FxBuildHasher;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::analysis::{Asked, asked, each_term};

/// How fast further occurrences of a term stop to count.
const SATURATION: f64 = 1.2;
/// How much the length of a text counts.
const LENGTH: f64 = 0.75;
/// A term is never common before so many texts have it.
const NEVER_COMMON: usize = 100;

/// What there is to search, as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// How many texts.
    pub texts: usize,
    /// How many terms they have together.
    pub terms: u64,
}

impl Totals {
    /// How many texts may have a term before it is common: a tenth of all, and never less than 100.
    ///
    /// Common terms tell nothing and cost most: leaving them out changes no ranking (measured) but takes a tenth of the
    /// time when words are the terms.
    pub fn common(self) -> usize {
        (self.texts / 10).max(NEVER_COMMON)
    }
}

/// A text that has a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting {
    /// The text.
    pub row: u32,
    /// How often it has the term.
    pub count: u32,
    /// How many terms it has in all.
    pub length: u32,
}

/// The texts that have what is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Postings {
    /// What is asked for.
    pub asked: Asked,
    /// How many texts have it, those that may not be found too.
    pub having: usize,
    /// Those that may be found, sorted by row.
    pub postings: Vec<Posting>,
}

/// A text that was found, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// The text.
    pub row: u32,
    /// How well it fits; comparable within one search only.
    pub score: f64,
    /// What of the query it has, with what each gives to the score.
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

/// The texts that fit best, best first; of equal scores the earlier row. At most `limit`.
///
/// The order of `postings` is the order in which scores are added up: give them sorted. Rows are counted from 0 without large
/// gaps. Common terms are left out, unless
/// all are common.
pub fn score(totals: Totals, postings: &[Postings], limit: usize) -> Vec<Match> {
    let all_are_common = postings.iter().all(|one| one.having > totals.common());
    let average = if totals.texts == 0 { 1.0 } else { (totals.terms as f64 / totals.texts as f64).max(1.0) };
    let telling = || postings.iter().filter(|one| all_are_common || one.having <= totals.common());
    let rows = postings.iter().filter_map(|one| one.postings.last()).map(|last| last.row as usize + 1).max();
    let mut scores = vec![0.0; rows.unwrap_or(0)];
    for one in telling() {
        let weight = rarity(totals.texts, one.having);
        one.postings.iter().for_each(|posting| scores[posting.row as usize] += weight * frequency(posting, average));
    }
    // Why a text was found is told of those alone that are given.
    let explained = |(row, score): (u32, f64)| {
        let term = |one: &Postings| {
            let at = one.postings.binary_search_by_key(&row, |posting| posting.row).ok()?;
            let score = rarity(totals.texts, one.having) * frequency(&one.postings[at], average);
            Some(MatchedTerm { term: one.asked.to_string(), score })
        };
        Match { row, score, terms: telling().filter_map(term).collect() }
    };
    best(scores, limit).into_iter().map(explained).collect()
}

/// The rows with the highest scores above 0, best first; of equal scores the earlier row.
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

/// Texts by their terms, in memory. Made anew when they change; a book's cards take well under a millisecond per hundred.
#[derive(Debug, Clone, Default)]
pub struct KeywordIndex {
    lengths: Vec<u32>,
    /// For each term, the texts that have it and how often.
    postings: BTreeMap<String, Vec<(u32, u32)>>,
    totals: Totals,
}

impl KeywordIndex {
    /// Indexes `texts`; they are named by their place.
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

    /// The texts that fit `query` best, best first; equal ones in the order in which they were indexed.
    ///
    /// At most `limit`, and only texts that share a term with the query.
    pub fn search(&self, query: &str, limit: usize) -> Vec<Match> {
        self.search_among(query, limit, |_| true)
    }

    /// The same among the texts that are `allowed`.
    pub fn search_among(&self, query: &str, limit: usize, allowed: impl Fn(u32) -> bool) -> Vec<Match> {
        let postings: Vec<Postings> = asked(query).into_iter().map(|asked| self.postings(asked, &allowed)).collect();
        score(self.totals, &postings, limit)
    }

    fn postings(&self, asked: Asked, allowed: &impl Fn(u32) -> bool) -> Postings {
        let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
        match &asked {
            Asked::Term(term) => counts.extend(self.postings.get(term).into_iter().flatten().copied()),
            Asked::Character(first) => {
                let from = first.to_string();
                let terms = self.postings.range(from..).take_while(|(term, _)| term.starts_with(*first));
                terms.flat_map(|(_, rows)| rows).for_each(|(row, count)| *counts.entry(*row).or_default() += count);
            }
        }
        let posting =
            |(row, count): (&u32, &u32)| Posting { row: *row, count: *count, length: self.lengths[*row as usize] };
        let having = counts.len();
        let postings = counts.iter().filter(|(row, _)| allowed(**row)).map(posting).collect();
        Postings { asked, having, postings }
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

//! Fusion of two rankings into one, emphasis and diversity.
//!
//! [`fuse`] is reciprocal rank fusion (Cormack, Clarke, Büttcher 2009): each side adds `weight / (k + rank)`. Neither
//! the constant nor the weights changed the measured MRR by more than 0.006, so keep the defaults. [`emphasis`] returns
//! the factor for chunks relevant at the point of writing, `diverse` separates near duplicates.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Chunk;
use crate::keyword::{KeywordMatch, MatchedTerm};
use crate::vector::ScoredRow;

/// The parameters of the fusion.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Fusion {
    /// The constant added to every rank: the larger, the less the first ranks stand out.
    pub k: f64,
    /// The weight of keywords; 0 disables them.
    pub keyword: f64,
    /// The weight of vectors; 0 disables them.
    pub vector: f64,
    /// The weight of the graph's answers; 0 disables them.
    pub graph: f64,
    /// The number of results fused per side.
    pub depth: usize,
}

impl Default for Fusion {
    fn default() -> Self {
        Self { k: 60.0, keyword: 1.0, vector: 1.0, graph: 3.0, depth: 100 }
    }
}

/// What one side says of a text.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Side {
    /// Its rank there, from 1.
    pub rank: usize,
    /// Its score there: BM25, or the cosine.
    pub score: f64,
    /// The terms of the query that it has; of keywords only.
    pub terms: Vec<MatchedTerm>,
}

/// A text with the results of each side.
#[derive(Debug, Clone, PartialEq)]
pub struct Fused {
    /// The row of the text.
    pub row: u32,
    /// The sum over both sides.
    pub score: f64,
    /// The keyword result, if found by keywords.
    pub keyword: Option<Side>,
    /// The vector result, if found by vectors.
    pub vector: Option<Side>,
}

/// Fuses two rankings, each best first; of equal sums the earlier row comes first. A vector whose score is not above 0
/// has nothing in common with the query and is ignored.
pub fn fuse(fusion: &Fusion, keyword: Vec<KeywordMatch>, vector: &[ScoredRow]) -> Vec<Fused> {
    let mut fused: BTreeMap<u32, Fused> = BTreeMap::new();
    if fusion.keyword > 0.0 {
        for (rank, found) in (1..).zip(keyword.into_iter().take(fusion.depth)) {
            let side = Side { rank, score: found.score, terms: found.terms };
            entry(&mut fused, found.row, fusion.keyword / (fusion.k + rank as f64)).keyword = Some(side);
        }
    }
    if fusion.vector > 0.0 {
        for (rank, near) in (1..).zip(vector.iter().filter(|near| near.score > 0.0).take(fusion.depth)) {
            let side = Side { rank, score: near.score.into(), terms: Vec::new() };
            entry(&mut fused, near.row, fusion.vector / (fusion.k + rank as f64)).vector = Some(side);
        }
    }
    let mut fused: Vec<Fused> = fused.into_values().collect();
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.row.cmp(&b.row)));
    fused
}

fn entry(fused: &mut BTreeMap<u32, Fused>, row: u32, part: f64) -> &mut Fused {
    let one = fused.entry(row).or_insert(Fused { row, score: 0.0, keyword: None, vector: None });
    one.score += part;
    one
}

/// The point of writing.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct WritingFocus {
    /// The number of the chapter.
    pub chapter: u32,
    /// The names of the chapter's participants.
    pub participants: Vec<String>,
}

/// The recency weight of the chapter just before; halved every [`HALF_LIFE`] chapters.
const RECENT: f64 = 0.3;
const HALF_LIFE: f64 = 5.0;
/// The weight if all participants of the chapter appear in the chunk.
const SHARED_CAST: f64 = 0.3;
/// The weight of an open promise.
const OPEN_PROMISE: f64 = 0.3;

/// Returns the factor for a chunk's score at the point of writing: `1 + recency + cast + promise`.
///
/// Recency is 0.3, halved every five chapters of distance; cast is 0.3 times the share of the chapter's participants in
/// the chunk; a promise planted before the chapter and not paid before adds 0.3.
pub fn emphasis(focus: &WritingFocus, chunk: &Chunk) -> f64 {
    let now = f64::from(focus.chapter);
    let recency = chunk
        .numbers_of("chapter")
        .next()
        .map_or(0.0, |chapter| RECENT * 0.5_f64.powf((now - chapter).abs() / HALF_LIFE));
    let names: BTreeSet<&str> = chunk.texts_of("participants").chain(chunk.texts_of("name")).collect();
    let shared = focus.participants.iter().filter(|name| names.contains(name.as_str())).count();
    let cast = SHARED_CAST * shared as f64 / focus.participants.len().max(1) as f64;
    let is_open = chunk.text_of("doc_type") == "promise"
        && chunk.numbers_of("planted").any(|chapter| chapter < now)
        && !chunk.numbers_of("paid").any(|chapter| chapter < now);
    1.0 + recency + cast + if is_open { OPEN_PROMISE } else { 0.0 }
}

/// Returns the first `count` positions of an order of `items`, given as score and terms, with diversity: maximal
/// marginal relevance (Carbonell, Goldstein 1998) over the Jaccard overlap of the terms.
///
/// `variety` ranges from 0 (by score alone) to 1 (by difference alone).
pub(crate) fn diverse(items: &[(f64, BTreeSet<String>)], variety: f64, count: usize) -> Vec<usize> {
    let best = items.iter().map(|(score, _)| *score).fold(f64::MIN_POSITIVE, f64::max);
    let mut left: Vec<(usize, f64)> = (0..items.len()).map(|item| (item, 0.0)).collect();
    let mut order = Vec::new();
    while order.len() < count && !left.is_empty() {
        let worth = |(item, likeness): &(usize, f64)| (1.0 - variety) * items[*item].0 / best - variety * likeness;
        let place = (0..left.len()).reduce(|a, b| if worth(&left[b]) > worth(&left[a]) { b } else { a }).unwrap_or(0);
        let (chosen, _) = left.remove(place);
        order.push(chosen);
        for (item, likeness) in &mut left {
            *likeness = likeness.max(overlap(&items[*item].1, &items[chosen].1));
        }
    }
    order
}

fn overlap(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    let shared = a.intersection(b).count();
    let all = a.len() + b.len() - shared;
    if all == 0 { 0.0 } else { shared as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;
    use crate::analysis::terms;
    use crate::filter::{Fields, Value};

    fn matches(rows: &[u32]) -> Vec<KeywordMatch> {
        rows.iter().map(|row| KeywordMatch { row: *row, score: 1.0, terms: Vec::new() }).collect()
    }

    fn near(rows: &[u32]) -> Vec<ScoredRow> {
        rows.iter().map(|row| ScoredRow { row: *row, score: 0.5 }).collect()
    }

    fn rows(fusion: &Fusion, keyword: &[u32], vector: &[u32]) -> Vec<u32> {
        fuse(fusion, matches(keyword), &near(vector)).iter().map(|one| one.row).collect()
    }

    #[test]
    fn what_both_sides_find_comes_first() {
        let fusion = Fusion::default();
        assert_eq!(rows(&fusion, &[1, 2, 3], &[3, 4]), [3, 1, 2, 4]);
        assert_eq!(rows(&Fusion { vector: 0.0, ..fusion }, &[1, 2], &[3]), [1, 2]);
        assert_eq!(rows(&Fusion { vector: 2.0, ..fusion }, &[1], &[2]), [2, 1]);
        assert_eq!(rows(&Fusion { depth: 1, ..fusion }, &[1, 2], &[3, 4]), [1, 3]);
        let fused = fuse(&fusion, matches(&[7]), &near(&[7]));
        assert_eq!(fused[0].score, 2.0 / 61.0);
        assert_eq!(
            (fused[0].keyword.as_ref().map(|side| side.rank), fused[0].vector.as_ref().map(|side| side.score)),
            (Some(1), Some(0.5))
        );
    }

    fn chunk(doc_type: &str, fields: &[(&str, Value)]) -> Chunk {
        let mut all = Fields::from([("doc_type".to_owned(), vec![Value::from(doc_type)])]);
        for (field, value) in fields {
            all.entry((*field).to_owned()).or_default().push(value.clone());
        }
        let source = Source { kind: qingyu_story::PieceKind::Document, id: "x".into() };
        Chunk { source, part: 0, version: 0, range: None, text: String::new(), heading: String::new(), fields: all }
    }

    #[test]
    fn what_matters_for_a_chapter() {
        let focus = WritingFocus { chapter: 12, participants: vec!["林深".into(), "苏曼".into()] };
        let value = |chunk: Chunk| (emphasis(&focus, &chunk) * 1e3).round() / 1e3;
        assert_eq!(value(chunk("character", &[])), 1.0);
        assert_eq!(value(chunk("document", &[("chapter", 7.0.into())])), 1.15);
        assert_eq!(value(chunk("document", &[("participants", "林深".into())])), 1.15);
        assert_eq!(value(chunk("character", &[("name", "苏曼".into())])), 1.15);
        assert_eq!(value(chunk("promise", &[("planted", 3.0.into())])), 1.3);
        assert_eq!(value(chunk("promise", &[("planted", 3.0.into()), ("paid", 9.0.into())])), 1.0);
        assert_eq!(value(chunk("promise", &[("planted", 15.0.into())])), 1.0);
    }

    #[test]
    fn near_copies_do_not_stand_together() {
        let item = |score: f64, text: &str| (score, terms(text).into_iter().collect());
        let items = [item(1.0, "旧港的雨下了三天"), item(0.99, "旧港的雨下了四天"), item(0.8, "苏曼回到星环塔")];
        assert_eq!(diverse(&items, 0.0, 3), [0, 1, 2]);
        assert_eq!(diverse(&items, 0.5, 3), [0, 2, 1]);
        assert_eq!(diverse(&items, 0.5, 1), [0]);
        assert_eq!(diverse(&[], 0.5, 3), [0; 0]);
    }
}

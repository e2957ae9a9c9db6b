//! The difference between an index and a story.

use std::collections::BTreeMap;

use qingyu_story::Story;
use qingyu_story::digest::fnv;

use crate::chunk::{self, Chunker};
use crate::{Chunk, Source};

/// A piece to be indexed.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexedPiece {
    /// The source of the piece.
    pub source: Source,
    /// The fingerprint of the input of the chunks: equal fingerprints mean equal chunks. Stored, so identical in every
    /// release of one format.
    pub fingerprint: i64,
    /// The chunks, by part.
    pub chunks: Vec<Chunk>,
}

/// The changes to an index, applied in one transaction.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct IndexChanges {
    /// The pieces whose chunks replace the indexed chunks.
    pub put: Vec<IndexedPiece>,
    /// The pieces to remove.
    pub remove: Vec<Source>,
}

impl IndexChanges {
    /// Returns the changes from an index with the given fingerprints to the index of `story`.
    pub fn between(mut known: BTreeMap<Source, i64>, story: &Story) -> Self {
        let chunker = Chunker::new(story);
        let mut put = Vec::new();
        for (source, piece) in chunk::pieces(story) {
            let around = chunker.fingerprint(&piece);
            let fingerprint = fingerprint(around, &serde_json::to_vec(&piece).unwrap_or_default());
            if known.remove(&source) != Some(fingerprint) {
                let chunks = chunker.chunks(&source.id, &piece);
                put.push(IndexedPiece { source, fingerprint, chunks });
            }
        }
        Self { put, remove: known.into_keys().collect() }
    }

    /// Returns whether there are no changes.
    pub fn is_empty(&self) -> bool {
        self.put.is_empty() && self.remove.is_empty()
    }
}

/// Returns whether a replacing chunk has the same text and so the same vectors.
pub fn keeps_vectors(before: &Chunk, now: &Chunk) -> bool {
    before.text == now.text && before.heading == now.heading
}

/// Returns the FNV-1a hash of both, with a final mixing of bits.
fn fingerprint(around: u64, piece: &[u8]) -> i64 {
    let hash = fnv(around.to_le_bytes().into_iter().chain(piece.iter().copied()));
    let hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    (hash ^ (hash >> 33)).cast_signed()
}

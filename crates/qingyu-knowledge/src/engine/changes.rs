//! What has to change for an index to become that of a story.

use std::collections::BTreeMap;

use qingyu_story::Story;

use crate::chunk::{self, Chunker};
use crate::{Chunk, Source};

/// A piece to be indexed.
#[derive(Debug, Clone, PartialEq)]
pub struct Indexed {
    /// The piece.
    pub source: Source,
    /// What its chunks were made from; while it is the same, so are they. Kept, so the same in every release of one format.
    pub fingerprint: i64,
    /// Its chunks, by part.
    pub chunks: Vec<Chunk>,
}

/// What has to change, all at once.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Changes {
    /// The chunks of these pieces take the place of what is there of them.
    pub put: Vec<Indexed>,
    /// Nothing is left of these.
    pub remove: Vec<Source>,
}

impl Changes {
    /// What leads from an index with these fingerprints to that of `story`.
    pub fn between(mut known: BTreeMap<Source, i64>, story: &Story) -> Self {
        let chunker = Chunker::new(story);
        let mut put = Vec::new();
        for (source, piece) in chunk::pieces(story) {
            let around = chunker.fingerprint(&piece);
            let fingerprint = fingerprint(around, &serde_json::to_vec(&piece).unwrap_or_default());
            if known.remove(&source) != Some(fingerprint) {
                let chunks = chunker.chunks(&source.id, &piece);
                put.push(Indexed { source, fingerprint, chunks });
            }
        }
        Self { put, remove: known.into_keys().collect() }
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.put.is_empty() && self.remove.is_empty()
    }
}

/// Whether a chunk that takes the place of another one has the same words and the same vectors.
pub fn keeps_vectors(before: &Chunk, now: &Chunk) -> bool {
    before.text == now.text && before.heading == now.heading
}

/// FNV-1a over both, with a final mixing of bits.
fn fingerprint(around: u64, piece: &[u8]) -> i64 {
    let bytes = around.to_le_bytes();
    let hash = bytes
        .iter()
        .chain(piece)
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3));
    let hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    (hash ^ (hash >> 33)).cast_signed()
}

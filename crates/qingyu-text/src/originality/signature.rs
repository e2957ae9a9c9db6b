//! Selects texts worth comparing with MinHash signatures of blocks, in bands.
//!
//! A chapter copying a single paragraph hardly resembles the source as a whole, so signatures cover blocks of [`BLOCK`]
//! shingles rather than texts. Two blocks with a Jaccard similarity J agree in a value of the signature with
//! probability J, in a band of [`ROWS`] with J², in at least one of [`BANDS`] with 1 - (1 - J²)^8: 0.97 for J = 0.6,
//! 0.01 for J = 0.035. Blocks of the index begin every [`KEPT`] shingles, blocks of the given text every [`ASKED`], so
//! some pair of blocks begins at nearly the same word of a copied passage.

/// The number of shingles in a block.
const BLOCK: usize = 48;
/// The distance between block starts in the index.
pub(super) const KEPT: usize = BLOCK / 2;
/// The distance between block starts in the given text.
pub(super) const ASKED: usize = 6;
/// The number of bands in a signature.
const BANDS: usize = 8;
/// The number of values in a band.
const ROWS: usize = 2;

/// Calls `take` with the hashed bands of every block of `shingles`; a block begins every `step` shingles.
pub(super) fn each_band(shingles: &[u64], step: usize, mut take: impl FnMut(u32)) {
    if shingles.is_empty() {
        return;
    }
    let mut start = 0;
    loop {
        let block = &shingles[start..shingles.len().min(start + BLOCK)];
        for (number, band) in signature(block).chunks_exact(ROWS).enumerate() {
            let hash = band.iter().fold(number as u64 + 1, |hash, value| scramble(hash ^ value));
            take((hash >> 32) as u32);
        }
        if start + BLOCK >= shingles.len() {
            return;
        }
        start += step;
    }
}

/// Returns the least hash of the block under each hash function.
fn signature(block: &[u64]) -> [u64; BANDS * ROWS] {
    let mut least = [u64::MAX; BANDS * ROWS];
    for shingle in block {
        let mut hash = *shingle;
        for least in &mut least {
            // Each hash function is derived from the previous function.
            hash = hash.wrapping_mul(0xd129_0d3b_92c1_9d29).wrapping_add(0x9e37_79b9_7f4a_7c15);
            *least = (*least).min(hash ^ (hash >> 32));
        }
    }
    least
}

fn scramble(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 31)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 29)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn shingles(from: u64, count: u64) -> Vec<u64> {
        (from..from + count).map(|number| scramble(number.wrapping_mul(0x1234_5678_9abc_def1))).collect()
    }

    fn bands(shingles: &[u64]) -> BTreeSet<u32> {
        let mut bands = BTreeSet::new();
        each_band(shingles, KEPT, |band| bands.extend([band]));
        bands
    }

    #[test]
    fn the_functions_are_as_independent_as_the_chance_wants() {
        // 200 pairs of blocks sharing half of their 48 + 48 shingles: J = 1/3, so a share of 1 - (1 - 1/9)^8 = 0.61
        // should match.
        let mut met = 0;
        for pair in 0..200 {
            let a = shingles(pair * 1000, BLOCK as u64);
            let b = shingles(pair * 1000 + BLOCK as u64 / 2, BLOCK as u64);
            met += usize::from(!bands(&a).is_disjoint(&bands(&b)));
        }
        assert!((100..=145).contains(&met), "{met}");
    }

    #[test]
    fn strangers_do_not_meet() {
        assert!(bands(&shingles(0, 5000)).is_disjoint(&bands(&shingles(100_000, 5000))));
        assert_eq!(bands(&[]).len(), 0);
    }
}

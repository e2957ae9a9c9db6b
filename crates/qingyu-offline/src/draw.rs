//! Deterministic random draws: equal seeds give equal results on every machine.

use sha2::{Digest, Sha256};

/// A seeded random number generator.
#[derive(Debug, Clone)]
pub(crate) struct SeededDraw {
    state: u64,
}

impl SeededDraw {
    /// Returns a generator seeded by `parts`, including the boundaries between parts.
    pub(crate) fn new(parts: &[&str]) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        let digest = hash.finalize();
        let head: [u8; 8] = digest[..8].try_into().expect("a digest has 32 bytes");
        Self { state: u64::from_le_bytes(head) }
    }

    /// Returns a number below `limit`; 0 if `limit` is 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        // splitmix64
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        usize::try_from(mixed % (limit.max(1) as u64)).unwrap_or(0)
    }

    /// Returns a number from `low` to `high`, inclusive.
    pub(crate) fn between(&mut self, low: i32, high: i32) -> i32 {
        let span = usize::try_from(high - low + 1).unwrap_or(1);
        low + i32::try_from(self.below(span)).unwrap_or(0)
    }

    /// Returns a random element of `items`. Panics if `items` is empty.
    pub(crate) fn one<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Returns `items` in random order, without duplicates.
    pub(crate) fn shuffled<'a, T>(&mut self, items: &'a [T]) -> Vec<&'a T> {
        let mut order: Vec<&T> = items.iter().collect();
        for last in (1..order.len()).rev() {
            order.swap(last, self.below(last + 1));
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_parts_give_equal_throws() {
        let throws = |parts: &[&str]| {
            let mut draw = SeededDraw::new(parts);
            (0..20).map(|_| draw.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(throws(&["a", "b"]), throws(&["a", "b"]));
        assert_ne!(throws(&["a", "b"]), throws(&["ab"]));
    }

    #[test]
    fn a_shuffle_keeps_everything() {
        let items: Vec<u32> = (0..50).collect();
        let mut drawn: Vec<u32> = SeededDraw::new(&["x"]).shuffled(&items).into_iter().copied().collect();
        assert_ne!(drawn, items);
        drawn.sort_unstable();
        assert_eq!(drawn, items);
    }
}

//! The dice: the same parts give the same throws, on every machine.

use sha2::{Digest, Sha256};

/// A seeded sequence of throws.
#[derive(Debug, Clone)]
pub(crate) struct Draw {
    state: u64,
}

impl Draw {
    /// Dice whose throws depend on `parts` alone, and on where one part ends and the next begins.
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

    /// A number below `limit`; 0 when there is none.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        // splitmix64
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        usize::try_from(mixed % (limit.max(1) as u64)).unwrap_or(0)
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: i32, high: i32) -> i32 {
        let span = usize::try_from(high - low + 1).unwrap_or(1);
        low + i32::try_from(self.below(span)).unwrap_or(0)
    }

    /// One of `items`, which must not be empty.
    pub(crate) fn one<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// `items` in a drawn order; taking from the front never repeats one.
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
            let mut draw = Draw::new(parts);
            (0..20).map(|_| draw.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(throws(&["a", "b"]), throws(&["a", "b"]));
        assert_ne!(throws(&["a", "b"]), throws(&["ab"]));
    }

    #[test]
    fn a_shuffle_keeps_everything() {
        let items: Vec<u32> = (0..50).collect();
        let mut drawn: Vec<u32> = Draw::new(&["x"]).shuffled(&items).into_iter().copied().collect();
        assert_ne!(drawn, items);
        drawn.sort_unstable();
        assert_eq!(drawn, items);
    }
}

//! A hash of letters.

/// Mixes one letter into a hash. Not cryptographic; identical on every machine.
pub(crate) fn mix(hash: u64, letter: char) -> u64 {
    (hash.rotate_left(5) ^ u64::from(letter)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

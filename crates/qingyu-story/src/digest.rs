//! Digests of texts, in the form in which they are stored and shown.

use sha2::{Digest, Sha256};

/// Returns the SHA-256 of `bytes` in hexadecimal: 64 digits.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// Returns the first `N` bytes, at most 32, of the SHA-256 of `bytes`; for ids derived from names.
pub fn prefix<const N: usize>(bytes: &[u8]) -> [u8; N] {
    const { assert!(N <= 32, "a digest has 32 bytes") };
    let digest = Sha256::digest(bytes);
    std::array::from_fn(|place| digest[place])
}

/// Returns the FNV-1a hash (Fowler, Noll, Vo) of `bytes`, identical on every machine and in every release. Not
/// cryptographic.
pub fn fnv(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

/// Returns `bytes` in hexadecimal, two lower-case digits each.
pub fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).expect("half a byte is one digit");
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 0xf)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_have_two_digits_a_byte() {
        assert_eq!(hexadecimal(&[0, 10, 255]), "000aff");
        assert_eq!(hexadecimal(&prefix::<4>(b"abc")), "ba7816bf");
        assert_eq!(fnv(*b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}

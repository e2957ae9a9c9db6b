//! The format of keys: `qy_`, 8 characters of ID, 43 of secret, 6 of checksum.
//!
//! The secret has more than 256 random bits, so a plain digest is safe to store. The checksum detects a mistyped key
//! before a lookup.

use std::fmt;

use qingyu_story::digest::sha256;
use serde::{Serialize, Serializer};
use subtle::ConstantTimeEq;

use crate::error::Error;

const PREFIX: &str = "qy_";
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ID: usize = 8;
const SECRET: usize = 43;
const CHECK: usize = 6;

/// A whole key. `Debug` hides the value; serialization reveals it to the recipient.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Returns the key for display, once.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// A generated key: the ID and the digest to store, and the whole key not to be stored.
pub(crate) struct GeneratedKey {
    pub(crate) id: String,
    pub(crate) digest: String,
    pub(crate) whole: Secret,
}

impl GeneratedKey {
    /// Generates a key from the system's random source.
    pub(crate) fn new() -> Result<Self, Error> {
        let (id, secret) = (random(ID)?, random(SECRET)?);
        let digest = digest_of(&secret);
        let body = format!("{PREFIX}{id}_{secret}");
        let whole = Secret(format!("{body}{}", check_of(&body)));
        Ok(Self { id, digest, whole })
    }
}

/// A well-formed presented key.
pub(crate) struct PresentedKey<'a> {
    pub(crate) id: &'a str,
    digest: String,
}

impl<'a> PresentedKey<'a> {
    /// Parses a key; returns `None` for other text or a wrong checksum.
    pub(crate) fn read(given: &'a str) -> Option<Self> {
        let (id, rest) = given.strip_prefix(PREFIX)?.split_once('_')?;
        let is_key = id.len() == ID
            && rest.len() == SECRET + CHECK
            && [id, rest].iter().all(|part| part.bytes().all(|byte| ALPHABET.contains(&byte)));
        let (body, check) = given.split_at_checked(given.len().checked_sub(CHECK)?)?;
        (is_key && check_of(body) == check).then(|| Self { id, digest: digest_of(&rest[..SECRET]) })
    }

    /// Returns whether `kept` is the digest of the secret, in constant time.
    pub(crate) fn has_digest(&self, kept: &str) -> bool {
        self.digest.as_bytes().ct_eq(kept.as_bytes()).into()
    }
}

/// Returns a digest without a secret, for a constant-time comparison without a key.
pub(crate) fn nobodys_digest() -> String {
    "-".repeat(64)
}

fn digest_of(secret: &str) -> String {
    sha256(secret.as_bytes())
}

fn check_of(body: &str) -> String {
    let mut rest = crc32fast::hash(body.as_bytes()) as usize;
    let mut check = [0; CHECK];
    for digit in check.iter_mut().rev() {
        *digit = ALPHABET[rest % ALPHABET.len()];
        rest /= ALPHABET.len();
    }
    check.map(char::from).iter().collect()
}

/// Returns `length` uniformly random characters.
fn random(length: usize) -> Result<String, Error> {
    let mut text = String::with_capacity(length);
    let mut bytes = [0; 64];
    while text.len() < length {
        let failed = |error: getrandom::Error| Error::Internal { message: format!("no randomness: {error}") };
        getrandom::fill(&mut bytes).map_err(failed)?;
        let fitting = bytes.iter().filter_map(|byte| ALPHABET.get(usize::from(byte & 63)));
        text.extend(fitting.map(|byte| char::from(*byte)).take(length - text.len()));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_key_is_read_as_it_was_made() {
        let mut seen = BTreeSet::new();
        for _ in 0..200 {
            let GeneratedKey { id, digest, whole } = GeneratedKey::new().unwrap();
            let key = whole.reveal();
            assert_eq!((key.len(), &key[..3], &key[3..11], &key[11..12]), (61, "qy_", id.as_str(), "_"));
            let read = PresentedKey::read(key).unwrap();
            assert!(read.id == id && read.has_digest(&digest) && !read.has_digest(&nobodys_digest()));
            assert!(!key.contains(&digest) && seen.insert(key.to_owned()));
            assert_eq!(format!("{whole:?}"), "Secret(…)");
        }
    }

    #[test]
    fn what_is_no_key_is_not_looked_up() {
        let whole = GeneratedKey::new().unwrap().whole;
        let key = whole.reveal();
        for given in [
            "",
            "qy_",
            "qy__",
            "sk-0123456789",
            &key[1..],
            &key[..60],
            &format!("{key}0"),
            &format!(" {key}"),
            &format!("{key}\n"),
            &key.replace("qy_", "QY_"),
            &key.replace('_', "-"),
            &format!("qy_{}é_{}", &key[3..9], &key[12..]),
            &format!("qy_{}_{}é", &key[3..11], &key[12..59]),
            &"é".repeat(31),
            &"q".repeat(100_000),
        ] {
            assert!(PresentedKey::read(given).is_none(), "{given:.80}");
        }
    }

    #[test]
    fn every_slip_of_one_character_is_noticed() {
        let whole = GeneratedKey::new().unwrap().whole;
        let key = whole.reveal();
        for place in 0..key.len() {
            for other in ALPHABET.iter().map(|byte| char::from(*byte)).filter(|other| !key[place..].starts_with(*other))
            {
                let mistyped = format!("{}{other}{}", &key[..place], &key[place + 1..]);
                assert!(PresentedKey::read(&mistyped).is_none(), "{place} {other}");
            }
        }
        for place in 12..key.len() - 1 {
            let (one, other) = (&key[place..=place], &key[place + 1..place + 2]);
            let swapped = format!("{}{other}{one}{}", &key[..place], &key[place + 2..]);
            assert!(one == other || PresentedKey::read(&swapped).is_none(), "{place}");
        }
    }
}

//! Keys as they are shown: `qy_`, 8 characters that name the key, 43 that are its secret, 6 that check the rest.
//!
//! The secret has more than 256 random bits, so a plain digest of it is safe to keep. The check tells a mistyped key from one
//! that is worth looking up.

use std::fmt;

use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::Error;

const PREFIX: &str = "qy_";
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ID: usize = 8;
const SECRET: usize = 43;
const CHECK: usize = 6;

/// A whole key. `Debug` does not show it; it is serialised, for whoever it is made for.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The key, to be shown once.
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

/// A new key: the name and the digest that are kept, and the whole that is not.
pub(super) struct Fresh {
    pub(super) id: String,
    pub(super) digest: String,
    pub(super) whole: Secret,
}

impl Fresh {
    /// Of the system's randomness.
    pub(super) fn new() -> Result<Self, Error> {
        let (id, secret) = (random(ID)?, random(SECRET)?);
        let digest = digest_of(&secret);
        let body = format!("{PREFIX}{id}_{secret}");
        let whole = Secret(format!("{body}{}", check_of(&body)));
        Ok(Self { id, digest, whole })
    }
}

/// A key that somebody shows and that is well formed.
pub(super) struct Presented<'a> {
    pub(super) id: &'a str,
    digest: String,
}

impl<'a> Presented<'a> {
    /// None if it is no key at all, or a mistyped one.
    pub(super) fn read(given: &'a str) -> Option<Self> {
        let (id, rest) = given.strip_prefix(PREFIX)?.split_once('_')?;
        let is_key = id.len() == ID
            && rest.len() == SECRET + CHECK
            && [id, rest].iter().all(|part| part.bytes().all(|byte| ALPHABET.contains(&byte)));
        let (body, check) = given.split_at_checked(given.len().checked_sub(CHECK)?)?;
        (is_key && check_of(body) == check).then(|| Self { id, digest: digest_of(&rest[..SECRET]) })
    }

    /// Whether its secret is the one of which `kept` is the digest. Takes as long whatever the answer is.
    pub(super) fn has_digest(&self, kept: &str) -> bool {
        self.digest.as_bytes().ct_eq(kept.as_bytes()).into()
    }
}

/// A digest that no secret has, to compare with where there is no key.
pub(super) fn nobodys_digest() -> String {
    "-".repeat(64)
}

fn digest_of(secret: &str) -> String {
    Sha256::digest(secret.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
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

/// So many random characters, each as likely as the others.
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
            let Fresh { id, digest, whole } = Fresh::new().unwrap();
            let key = whole.reveal();
            assert_eq!((key.len(), &key[..3], &key[3..11], &key[11..12]), (61, "qy_", id.as_str(), "_"));
            let read = Presented::read(key).unwrap();
            assert!(read.id == id && read.has_digest(&digest) && !read.has_digest(&nobodys_digest()));
            assert!(!key.contains(&digest) && seen.insert(key.to_owned()));
            assert_eq!(format!("{whole:?}"), "Secret(…)");
        }
    }

    #[test]
    fn what_is_no_key_is_not_looked_up() {
        let whole = Fresh::new().unwrap().whole;
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
            assert!(Presented::read(given).is_none(), "{given:.80}");
        }
    }

    #[test]
    fn every_slip_of_one_character_is_noticed() {
        let whole = Fresh::new().unwrap().whole;
        let key = whole.reveal();
        for place in 0..key.len() {
            for other in ALPHABET.iter().map(|byte| char::from(*byte)).filter(|other| !key[place..].starts_with(*other))
            {
                let mistyped = format!("{}{other}{}", &key[..place], &key[place + 1..]);
                assert!(Presented::read(&mistyped).is_none(), "{place} {other}");
            }
        }
        for place in 12..key.len() - 1 {
            let (one, other) = (&key[place..=place], &key[place + 1..place + 2]);
            let swapped = format!("{}{other}{one}{}", &key[..place], &key[place + 2..]);
            assert!(one == other || Presented::read(&swapped).is_none(), "{place}");
        }
    }
}

//! Bytes become text: by a byte order mark, by what they can be, or by what they look like.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{GB18030, GBK, UTF_8, UTF_16BE, UTF_16LE};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Error;

/// As what the bytes of a text were taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Encoding {
    /// Its name, such as `UTF-8` or `GB18030`.
    pub name: String,
    /// Why it was taken.
    pub by: TakenBy,
    /// How many characters made no sense and are shown as `�`.
    pub bad: usize,
}

/// Why an encoding was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TakenBy {
    /// The caller said so.
    Told,
    /// A byte order mark says so.
    Mark,
    /// All bytes are valid in it, as they hardly are by chance.
    Valid,
    /// The bytes look like it; that is a guess.
    Look,
}

/// How many of a thousand characters may make no sense.
const BAD_IN_THOUSAND: usize = 5;

pub(crate) fn decode(bytes: &[u8], told: Option<&str>) -> Result<(String, Encoding), Error> {
    let (encoding, by) = match told {
        Some(label) => {
            let unknown = || Error::UnknownEncoding { given: label.to_owned() };
            (encoding_rs::Encoding::for_label(label.trim().as_bytes()).ok_or_else(unknown)?, TakenBy::Told)
        }
        None => detect(bytes),
    };
    // Every text in GBK is one in GB18030, and that is what its name says to most people.
    let encoding = if encoding == GBK { GB18030 } else { encoding };
    let (text, encoding, _) = encoding.decode(bytes);
    let characters = text.chars().count();
    let bad = text.chars().filter(|c| makes_no_sense(*c)).count();
    if bad * 1000 > characters * BAD_IN_THOUSAND {
        return Err(Error::NotText { encoding: encoding.name().into(), bad, characters });
    }
    Ok((text.into_owned(), Encoding { name: encoding.name().into(), by, bad }))
}

/// Whether no text holds the character: bytes that are none can be read in some encoding, but as such characters.
fn makes_no_sense(character: char) -> bool {
    let is_layout = matches!(character, '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1a}' | '\u{85}');
    character == '\u{fffd}' || (character.is_control() && !is_layout)
}

fn detect(bytes: &[u8]) -> (&'static encoding_rs::Encoding, TakenBy) {
    if let Some((encoding, _)) = encoding_rs::Encoding::for_bom(bytes) {
        return (encoding, TakenBy::Mark);
    }
    if let Some(wide) = without_mark(bytes) {
        return (wide, TakenBy::Look);
    }
    if std::str::from_utf8(bytes).is_ok() {
        return (UTF_8, TakenBy::Valid);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    (detector.guess(None, Utf8Detection::Allow), TakenBy::Look)
}

/// UTF-16 without its mark: line feeds and spaces tell on which side the zeros stand. Other characters do not: what is a
/// digit on one side is a wide space on the other.
fn without_mark(bytes: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() || !bytes.contains(&0) {
        return None;
    }
    let count = |wanted: fn(&[u8; 2]) -> bool| pairs.iter().filter(|pair| wanted(pair)).count();
    let little = count(|pair| matches!(pair, [b'\n' | b'\r' | b' ', 0]));
    let big = count(|pair| matches!(pair, [0, b'\n' | b'\r' | b' ']));
    if count(|pair| *pair == [0, 0]) > 0 || little == big {
        return None;
    }
    Some(if little > big { UTF_16LE } else { UTF_16BE })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_bytes_are_no_text() {
        // The generator of Park and Miller, so that the bytes are the same each time.
        let mut state = 42u64;
        let next = || {
            state = state * 48_271 % 0x7fff_ffff;
            (state >> 8) as u8
        };
        let bytes: Vec<u8> = std::iter::repeat_with(next).take(20_000).collect();
        for told in [None, Some("gb18030"), Some("windows-1252"), Some("utf-8"), Some("big5")] {
            assert!(matches!(decode(&bytes, told), Err(Error::NotText { .. })), "{told:?}");
        }
    }
}

//! Bytes become text: by a byte order mark, by what they can be, or by what they look like. A guess comes with its proof.

mod plausible;
mod samples;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, GB18030, GBK, UTF_8, UTF_16BE, UTF_16LE};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use plausible::Proof;
pub use samples::{BadPlace, Candidate};

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
    /// The first of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<BadPlace>,
    /// What speaks for the encoding, if it is a guess.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
    /// What else the bytes could be, if it is a guess, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
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
    /// Nearly all bytes are valid in it, as they hardly are by chance; the file is damaged.
    Nearly,
    /// The bytes look like it; that is a guess.
    Look,
}

/// A text without its byte order mark, and as what its bytes were taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// The text.
    pub text: String,
    /// As what its bytes were taken.
    pub encoding: Encoding,
}

/// Decodes a text of unknown encoding, or of the encoding that `told` names.
///
/// A few bytes that make no sense never refuse a text: they become `�` and are listed. Fails with
/// [`Error::UnknownEncoding`] if `told` names none, and with [`Error::NotText`] if the bytes are no text in the encoding,
/// or in any that was tried.
pub fn decode(bytes: &[u8], told: Option<&str>) -> Result<Decoded, Error> {
    if let Some(label) = told {
        let unknown = || Error::UnknownEncoding { given: label.to_owned() };
        let encoding = encoding_rs::Encoding::for_label(label.trim().as_bytes()).ok_or_else(unknown)?;
        return Reading::of(bytes, encoding).taken(bytes, TakenBy::Told, None);
    }
    if let Some((encoding, _)) = encoding_rs::Encoding::for_bom(bytes) {
        return Reading::of(bytes, encoding).taken(bytes, TakenBy::Mark, None);
    }
    if let Some(wide) = without_mark(bytes) {
        return Reading::of(bytes, wide).taken(bytes, TakenBy::Look, None);
    }
    let utf8 = Reading::of(bytes, UTF_8);
    let is_valid = std::str::from_utf8(bytes).is_ok();
    if is_valid && !plausible::may_be_short_gbk(&utf8.text) {
        return utf8.taken(bytes, TakenBy::Valid, None);
    }
    // In another encoding hardly one sequence of bytes is valid UTF-8 where four are; so this is damage.
    let sequences = utf8.text.chars().filter(|c| !c.is_ascii() && *c != '\u{fffd}').count();
    if !is_valid && sequences >= 4 * utf8.bad {
        let proof = Proof::Sequences { valid: sequences, broken: utf8.bad };
        return utf8.taken(bytes, TakenBy::Nearly, Some(proof));
    }
    guess(bytes, utf8, is_valid)
}

/// The encoding that the text looks most like, if it looks like any.
fn guess(bytes: &[u8], utf8: Reading, is_utf8: bool) -> Result<Decoded, Error> {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let looks_like = detector.guess(None, Utf8Detection::Deny);
    let chinese = [GB18030, BIG5].map(|encoding| Reading::of(bytes, encoding));
    let is_other = !is_utf8 && looks_like != GBK && looks_like != BIG5;
    let others = is_other.then(|| Reading::of(bytes, looks_like));
    let readings = chinese.into_iter().chain(others).filter_map(|reading| Some((reading.proof()?, reading)));
    let is_chinese = |encoding| encoding == GB18030 || encoding == BIG5;
    let proven = readings.filter(|(proof, reading)| {
        let is_wanted = !is_chinese(reading.encoding) || matches!(proof, Proof::CommonCharacters { .. });
        is_wanted && reading.is_text_within(tolerated(Some(*proof)))
    });
    match proven.max_by_key(|(proof, reading)| (proof.strength(), std::cmp::Reverse(reading.bad))) {
        Some((proof, reading)) => reading.taken(bytes, TakenBy::Look, Some(proof)),
        None if is_utf8 => utf8.taken(bytes, TakenBy::Valid, None),
        None => {
            let best = Reading::of(bytes, looks_like);
            Err(best.refused(bytes))
        }
    }
}

/// The share of characters that may make no sense where it is said or certain what the bytes are, in percent.
const MOST_BAD: usize = 8;

/// The share of characters that may make no sense, in percent, by what speaks for the encoding.
fn tolerated(proof: Option<Proof>) -> usize {
    match proof {
        Some(Proof::CommonCharacters { .. } | Proof::Sequences { .. }) => MOST_BAD,
        Some(Proof::Script | Proof::MarkedLetters { .. }) | None => 1,
    }
}

/// The text that bytes are in an encoding, right or wrong.
struct Reading {
    encoding: &'static encoding_rs::Encoding,
    text: String,
    bad: usize,
    characters: usize,
}

impl Reading {
    fn of(bytes: &[u8], encoding: &'static encoding_rs::Encoding) -> Self {
        // Every text in GBK is one in GB18030, and that is what its name says to most people.
        let encoding = if encoding == GBK { GB18030 } else { encoding };
        let (text, encoding) = match encoding {
            wide if wide == UTF_16LE || wide == UTF_16BE => (decode_wide(bytes, wide), wide),
            encoding => {
                let (text, encoding, _) = encoding.decode(bytes);
                (text.into_owned(), encoding)
            }
        };
        let (mut bad, mut characters) = (0, 0);
        for character in text.chars() {
            characters += 1;
            bad += usize::from(makes_no_sense(character));
        }
        Self { encoding, text, bad, characters }
    }

    /// Whether few enough characters make no sense.
    fn is_text_within(&self, percent: usize) -> bool {
        const FEW: usize = 3;
        self.bad * 100 <= self.characters * percent || self.bad <= FEW && self.bad * 4 <= self.characters
    }

    fn proof(&self) -> Option<Proof> {
        Proof::of(&self.text)
    }

    fn taken(self, bytes: &[u8], by: TakenBy, proof: Option<Proof>) -> Result<Decoded, Error> {
        let tolerated = match by {
            TakenBy::Told | TakenBy::Mark | TakenBy::Nearly => MOST_BAD,
            TakenBy::Valid | TakenBy::Look => tolerated(proof),
        };
        if !self.is_text_within(tolerated) {
            return Err(self.refused(bytes));
        }
        let candidates = match by {
            TakenBy::Look => samples::candidates(bytes, self.encoding),
            _ => Vec::new(),
        };
        let places = samples::bad_places(&self.text);
        let encoding = Encoding { name: self.encoding.name().into(), by, bad: self.bad, places, proof, candidates };
        Ok(Decoded { text: self.text, encoding })
    }

    fn refused(self, bytes: &[u8]) -> Error {
        Error::NotText {
            encoding: self.encoding.name().into(),
            bad: self.bad,
            characters: self.characters,
            candidates: samples::candidates(bytes, self.encoding),
        }
    }
}

/// Whether no text holds the character: bytes that are none can be read in some encoding, but as such characters.
fn makes_no_sense(character: char) -> bool {
    let is_layout = matches!(character, '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1a}' | '\u{85}');
    character == '\u{fffd}' || (character.is_control() && !is_layout)
}

/// UTF-16 without its mark: line feeds and spaces tell on which side the zeros stand. Other characters do not: what is a
/// digit on one side is a wide space on the other.
fn without_mark(bytes: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    let (pairs, _) = bytes.as_chunks::<2>();
    if !bytes.contains(&0) {
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

/// Decodes UTF-16 line by line, so that a lost byte spoils its line and not the rest of the book.
fn decode_wide(bytes: &[u8], encoding: &'static encoding_rs::Encoding) -> String {
    let line_feed: [u8; 2] = if encoding == UTF_16LE { [b'\n', 0] } else { [0, b'\n'] };
    let mut rest = match encoding_rs::Encoding::for_bom(bytes) {
        Some((marked, length)) if marked == encoding => &bytes[length..],
        _ => bytes,
    };
    let mut text = String::with_capacity(rest.len());
    while !rest.is_empty() {
        // A line feed at an odd place would be two characters of scripts that stand in no book beside this one.
        let end = rest.windows(2).position(|pair| pair == line_feed).map_or(rest.len(), |at| at + 2);
        let (line, after) = rest.split_at(end);
        let (body, feed) = line.split_at(if line.ends_with(&line_feed) { end - 2 } else { end });
        text.push_str(&encoding.decode_without_bom_handling(body).0);
        text.push_str(if feed.is_empty() { "" } else { "\n" });
        rest = after;
    }
    text
}

#[cfg(test)]
mod tests;

//! Detection and decoding of text encodings: by a byte order mark, by valid sequences, or by plausibility. A guess is
//! returned with its proof.

mod evidence;
mod plausible;
mod samples;
mod trial;

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, GB18030, GBK, UTF_8, UTF_16BE, UTF_16LE};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use evidence::{BadPlace, Candidate};
pub use plausible::Proof;

use crate::Error;
use trial::TrialDecoding;

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

/// A text without its byte order mark, with the encoding used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedText {
    /// The text.
    pub text: String,
    /// The encoding used to decode the bytes.
    pub encoding: Encoding,
}

/// Decodes a text of unknown encoding, or of the encoding named by `told`.
///
/// A few undecodable bytes do not fail the text: they become `�` and are listed. Returns [`Error::UnknownEncoding`] if
/// `told` names no encoding, and [`Error::NotText`] if the bytes are no text in the encoding, or in any encoding tried.
pub fn decode(bytes: &[u8], told: Option<&str>) -> Result<DecodedText, Error> {
    let bytes = &*without_holes(bytes);
    if let Some(label) = told {
        let unknown = || Error::UnknownEncoding { given: label.to_owned() };
        let encoding = encoding_rs::Encoding::for_label(label.trim().as_bytes()).ok_or_else(unknown)?;
        return TrialDecoding::of(bytes, encoding).taken(bytes, TakenBy::Told, None);
    }
    if let Some((encoding, _)) = encoding_rs::Encoding::for_bom(bytes) {
        return TrialDecoding::of(bytes, encoding).taken(bytes, TakenBy::Mark, None);
    }
    if let Some(wide) = without_mark(bytes) {
        return TrialDecoding::of(bytes, wide).taken(bytes, TakenBy::Look, None);
    }
    let utf8 = TrialDecoding::of(bytes, UTF_8);
    let is_valid = std::str::from_utf8(bytes).is_ok();
    if is_valid && !plausible::may_be_short_gbk(&utf8.text) {
        return utf8.taken(bytes, TakenBy::Valid, None);
    }
    // In another encoding hardly any byte sequence is valid UTF-8 where four are, so the invalid bytes are damage.
    let sequences = utf8.text.chars().filter(|c| !c.is_ascii() && *c != '\u{fffd}').count();
    if !is_valid && sequences >= 4 * utf8.bad {
        let proof = Proof::Sequences { valid: sequences, broken: utf8.bad };
        return utf8.taken(bytes, TakenBy::Nearly, Some(proof));
    }
    guess(bytes, utf8, is_valid)
}

/// Returns the most plausible encoding of the text; an error if none is plausible.
fn guess(bytes: &[u8], utf8: TrialDecoding, is_utf8: bool) -> Result<DecodedText, Error> {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let looks_like = detector.guess(None, Utf8Detection::Deny);
    let chinese = [GB18030, BIG5].map(|encoding| TrialDecoding::of(bytes, encoding));
    let is_other = !is_utf8 && looks_like != GBK && looks_like != BIG5;
    let others = is_other.then(|| TrialDecoding::of(bytes, looks_like));
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
            let best = TrialDecoding::of(bytes, looks_like);
            Err(best.refused(bytes))
        }
    }
}

/// The maximum share of undecodable characters where the encoding is given or certain, in percent.
const MOST_BAD: usize = 8;

/// Returns the maximum share of undecodable characters, in percent, by the proof for the encoding.
fn tolerated(proof: Option<Proof>) -> usize {
    match proof {
        Some(Proof::CommonCharacters { .. } | Proof::Sequences { .. }) => MOST_BAD,
        Some(Proof::Script | Proof::MarkedLetters { .. }) | None => 1,
    }
}

impl TrialDecoding {
    fn taken(self, bytes: &[u8], by: TakenBy, proof: Option<Proof>) -> Result<DecodedText, Error> {
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
        Ok(DecodedText { text: self.text, encoding })
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

/// Returns the bytes with each long run of zeros, as a broken disc leaves it, as a single bad character.
fn without_holes(bytes: &[u8]) -> Cow<'_, [u8]> {
    const HOLE: usize = 512;
    const BAD: &[u8] = &[0xff];
    let runs = || bytes.chunk_by(|one, next| (*one == 0) == (*next == 0));
    // Text with other zeros is UTF-16, where half a hole would move all characters behind it.
    if !bytes.contains(&0) || runs().any(|run| run[0] == 0 && run.len() < HOLE) {
        return Cow::Borrowed(bytes);
    }
    let parts: Vec<&[u8]> = runs().map(|run| if run[0] == 0 { BAD } else { run }).collect();
    Cow::Owned(parts.concat())
}

/// Returns the byte order of UTF-16 without a byte order mark, detected by the zeros of line feeds and spaces. Other
/// characters are no evidence: a digit in one byte order is a wide space in the other.
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

#[cfg(test)]
mod tests;

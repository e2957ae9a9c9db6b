//! Samples of a decoded text for error messages: undecodable places, and the text in other encodings.

use encoding_rs::{BIG5, GB18030, SHIFT_JIS, UTF_8, WINDOWS_1252};

use super::evidence::{BadPlace, Candidate};
use super::plausible::Proof;
use super::trial::{TrialDecoding, makes_no_sense};

/// Maximum number of places and candidates shown.
const SHOWN: usize = 5;
/// Number of characters shown before and after a bad place.
const AROUND: usize = 12;
/// Number of bytes of a line decoded for a sample.
const LINE: usize = 240;
/// Number of characters of a sample.
const SAMPLE: usize = 40;

/// Returns the first lines with undecodable characters.
pub(super) fn bad_places(text: &str) -> Vec<BadPlace> {
    let lines = text.split('\n').enumerate().filter_map(|(index, line)| {
        let at = line.find(makes_no_sense)?;
        let before = line[..at].char_indices().rev().nth(AROUND - 1).map_or(0, |(from, _)| from);
        let excerpt = line[before..].chars().take(2 * AROUND + 1);
        let excerpt = excerpt.map(|c| if makes_no_sense(c) { '\u{fffd}' } else { c }).collect::<String>();
        Some(BadPlace { line: index + 1, excerpt: excerpt.trim().to_owned() })
    });
    lines.take(SHOWN).collect()
}

/// Returns the first non-ASCII line decoded in encodings other than `taken`, the likeliest first.
pub(super) fn candidates(bytes: &[u8], taken: &'static encoding_rs::Encoding) -> Vec<Candidate> {
    let Some(line) = bytes.split(|byte| *byte == b'\n').find(|line| !line.is_ascii()) else { return Vec::new() };
    let line = &line[..line.len().min(LINE)];
    let others = [UTF_8, GB18030, BIG5, SHIFT_JIS, WINDOWS_1252].into_iter().filter(|other| *other != taken);
    let mut found: Vec<(usize, usize, Candidate)> = others
        .map(|encoding| {
            let reading = TrialDecoding::of(line, encoding);
            let strength = reading.proof().map_or(0, Proof::strength);
            let sample: String = reading.text.trim().chars().take(SAMPLE).collect();
            (strength, reading.bad, Candidate { name: encoding.name().into(), sample })
        })
        .collect();
    found.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    found.into_iter().map(|(_, _, candidate)| candidate).take(SHOWN - 2).collect()
}

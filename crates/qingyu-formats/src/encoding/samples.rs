//! What is shown of a decoded text: where it makes no sense, and how it reads in other encodings.

use encoding_rs::{BIG5, GB18030, SHIFT_JIS, UTF_8, WINDOWS_1252};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::plausible::Proof;
use super::{Reading, makes_no_sense};

/// How many places and candidates are shown.
const SHOWN: usize = 5;
/// How many characters stand before and behind a bad place.
const AROUND: usize = 12;
/// How many bytes of a line are read for a sample.
const LINE: usize = 240;
/// How many characters of it are shown.
const SAMPLE: usize = 40;

/// A place where characters make no sense.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BadPlace {
    /// The line, counted from 1.
    pub line: usize,
    /// What stands there, with `�` for what makes no sense.
    pub excerpt: String,
}

/// An encoding that the bytes could be in, and how they read in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Candidate {
    /// The name of the encoding.
    pub name: String,
    /// The first line beyond ASCII.
    pub sample: String,
}

/// The first lines of a text in which characters make no sense.
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

/// How the first telling line reads in encodings other than `taken`, the likeliest first.
pub(super) fn candidates(bytes: &[u8], taken: &'static encoding_rs::Encoding) -> Vec<Candidate> {
    let Some(line) = bytes.split(|byte| *byte == b'\n').find(|line| !line.is_ascii()) else { return Vec::new() };
    let line = &line[..line.len().min(LINE)];
    let others = [UTF_8, GB18030, BIG5, SHIFT_JIS, WINDOWS_1252].into_iter().filter(|other| *other != taken);
    let mut found: Vec<(usize, usize, Candidate)> = others
        .map(|encoding| {
            let reading = Reading::of(line, encoding);
            let strength = reading.proof().map_or(0, Proof::strength);
            let sample: String = reading.text.trim().chars().take(SAMPLE).collect();
            (strength, reading.bad, Candidate { name: encoding.name().into(), sample })
        })
        .collect();
    found.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    found.into_iter().map(|(_, _, candidate)| candidate).take(SHOWN - 2).collect()
}

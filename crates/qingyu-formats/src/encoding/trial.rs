//! Decoding of bytes in an encoding that may be wrong.

use encoding_rs::{GB18030, GBK, UTF_16BE, UTF_16LE};

use super::plausible::Proof;

/// The result of decoding bytes in a candidate encoding, right or wrong.
pub(super) struct TrialDecoding {
    pub(super) encoding: &'static encoding_rs::Encoding,
    pub(super) text: String,
    pub(super) bad: usize,
    pub(super) characters: usize,
}

impl TrialDecoding {
    pub(super) fn of(bytes: &[u8], encoding: &'static encoding_rs::Encoding) -> Self {
        // Every GBK text is valid GB18030, the better known name.
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

    /// Returns whether at most `percent` of the characters are undecodable.
    pub(super) fn is_text_within(&self, percent: usize) -> bool {
        const FEW: usize = 3;
        self.bad * 100 <= self.characters * percent || self.bad <= FEW && self.bad * 4 <= self.characters
    }

    pub(super) fn proof(&self) -> Option<Proof> {
        Proof::of(&self.text)
    }
}

/// Returns whether the character occurs in no text; some encodings decode arbitrary bytes to such characters.
pub(super) fn makes_no_sense(character: char) -> bool {
    let is_layout = matches!(character, '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1a}' | '\u{85}');
    character == '\u{fffd}' || (character.is_control() && !is_layout)
}

/// Decodes UTF-16 line by line, so that a lost byte damages only its line.
fn decode_wide(bytes: &[u8], encoding: &'static encoding_rs::Encoding) -> String {
    let line_feed: [u8; 2] = if encoding == UTF_16LE { [b'\n', 0] } else { [0, b'\n'] };
    let mut rest = match encoding_rs::Encoding::for_bom(bytes) {
        Some((marked, length)) if marked == encoding => &bytes[length..],
        _ => bytes,
    };
    let mut text = String::with_capacity(rest.len());
    while !rest.is_empty() {
        // A line feed at an odd offset would be two characters from scripts which no book combines.
        let end = rest.windows(2).position(|pair| pair == line_feed).map_or(rest.len(), |at| at + 2);
        let (line, after) = rest.split_at(end);
        let (body, feed) = line.split_at(if line.ends_with(&line_feed) { end - 2 } else { end });
        text.push_str(&encoding.decode_without_bom_handling(body).0);
        text.push_str(if feed.is_empty() { "" } else { "\n" });
        rest = after;
    }
    text
}

//! Removes invisible characters from text, and detects garbled text.

use crate::Error;

/// A text is garbled if more than 1 of this many characters is broken.
const BROKEN_SHARE: usize = 50;

/// Line terminators.
const BREAKS: [char; 5] = ['\n', '\r', '\u{c}', '\u{2028}', '\u{2029}'];

/// Markers of text decoded wrongly and encoded again: U+FFFD as GBK, and UTF-8 as Latin-1.
const MISREAD: [&str; 4] = ["锟斤拷", "ï¿½", "烫烫烫", "â€™"];

/// Fails with [`Error::Garbled`] if more than 1 of 50 characters is broken.
pub(super) fn refuse_garbled(text: &str) -> Result<(), Error> {
    let (mut all, mut broken) = (0_usize, 0_usize);
    for character in text.chars() {
        all += 1;
        broken += usize::from(is_broken(character));
    }
    broken += MISREAD.iter().map(|sign| text.matches(sign).count() * sign.chars().count()).sum::<usize>();
    match broken * BROKEN_SHARE > all {
        true => Err(Error::Garbled { why: format!("{broken} of {all} characters are broken") }),
        false => Ok(()),
    }
}

/// Returns whether `character` is broken: a replacement, a control character, private use, or unassigned.
fn is_broken(character: char) -> bool {
    let is_space = matches!(character, '\t' | '\n' | '\r' | '\u{c}');
    let is_private = matches!(character, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..);
    let is_none = u32::from(character) & 0xfffe == 0xfffe || matches!(character, '\u{fdd0}'..='\u{fdef}');
    character == '\u{fffd}' || is_private || is_none || (character.is_control() && !is_space)
}

/// Returns whether `character` is invisible: zero width, a direction mark, or a tag of another plane.
fn is_unseen(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Returns the non-empty lines of `text`, each with single spaces, and whether the text was truncated to `limit`
/// characters.
pub(super) fn lines(text: &str, limit: usize) -> (String, bool) {
    let mut kept = String::with_capacity(text.len().min(limit.saturating_mul(4)));
    let mut count = 0;
    for line in text.split(BREAKS) {
        let before = kept.len();
        for word in line.split_whitespace() {
            let mut word =
                word.chars().filter(|character| !is_unseen(*character) && !character.is_control()).peekable();
            if word.peek().is_none() {
                continue;
            }
            let gap = match kept.len() {
                0 => None,
                length if length == before => Some('\n'),
                _ => Some(' '),
            };
            for character in gap.into_iter().chain(word) {
                if count == limit {
                    return (kept.trim_end().to_owned(), true);
                }
                kept.push(character);
                count += 1;
            }
        }
    }
    (kept, false)
}

/// Returns all of `text` in a single line, at most `limit` characters.
pub(super) fn line(text: &str, limit: usize) -> String {
    lines(&text.replace(BREAKS, " "), limit).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_unseen_is_kept() {
        let cases = [
            ("  a \t b  \n\n\r\n c ", "a b\nc"),
            ("a\u{200b}b\u{202e}c\u{ad}", "abc"),
            ("夜\u{e0041}\u{e0042}市", "夜市"),
            ("\u{feff}\u{200b}\n\u{2060} x", "x"),
            ("a\u{3000}b\u{a0}c", "a b c"),
            ("a\u{7}b\u{1b}[0m", "ab[0m"),
            ("\n\n", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(lines(text, 100), (expected.to_owned(), false), "{text:?}");
        }
        assert_eq!(lines("夜市夜市", 3), ("夜市夜".to_owned(), true));
        assert_eq!(lines("夜市", 2), ("夜市".to_owned(), false));
        assert_eq!(line("a\n  b\u{c}c\u{2028}d\u{2029}\re", 10), "a b c d e");
    }

    #[test]
    fn broken_text_is_told_from_text() {
        let long = "夜市三更方散，五更又开。".repeat(10);
        assert_eq!(refuse_garbled(&long), Ok(()));
        assert_eq!(refuse_garbled(&format!("{long}\u{fffd}")), Ok(()), "one mistake is forgiven");
        assert_eq!(refuse_garbled(""), Ok(()));
        for broken in ["\u{fffd}\u{fffd}abc", "a\0b\0c\0", "锟斤拷锟斤拷是", "\u{e123}\u{e124}", "\u{80}\u{81}x"]
        {
            let text = format!("夜市{broken}");
            assert_eq!(refuse_garbled(&text).unwrap_err().code(), "garbled", "{text:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn lines_keep_their_promise(text in ".{0,200}", limit in 0_usize..60) {
            let (kept, is_cut) = lines(&text, limit);
            proptest::prop_assert!(kept.chars().count() <= limit);
            proptest::prop_assert!(!kept.contains("\n\n") && kept.trim() == kept);
            proptest::prop_assert!(kept.chars().all(|character| !is_unseen(character)));
            if !is_cut {
                proptest::prop_assert_eq!(lines(&kept, limit), (kept.clone(), false), "it is clean already");
            }
            proptest::prop_assert!(!line(&text, limit).contains('\n'));
        }
    }
}

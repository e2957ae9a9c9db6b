//! Wrapping of text to a width in terminal columns, where a Chinese character is two columns wide.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Returns the width of `text` in columns.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// Returns `text` in lines of at most `limit` columns.
///
/// Breaks at spaces, and between Chinese characters except before closing punctuation; longer words are split. Line
/// breaks of the text are kept. The result has at least one line.
pub(crate) fn wrap(text: &str, limit: usize) -> Vec<String> {
    let limit = limit.max(2);
    text.split('\n').flat_map(|paragraph| wrap_paragraph(paragraph.trim_end(), limit)).collect()
}

/// Returns `text` padded with spaces to `limit` columns.
pub(crate) fn pad(text: &str, limit: usize) -> String {
    format!("{text}{}", " ".repeat(limit.saturating_sub(width(text))))
}

/// Returns the first line of `text`, truncated with an ellipsis beyond `limit` columns.
pub(crate) fn shorten(text: &str, limit: usize) -> String {
    let line = text.lines().next().unwrap_or_default();
    if width(line) <= limit && line.len() == text.trim_end().len() {
        return line.to_owned();
    }
    let mut kept = String::new();
    let mut used = 1;
    for character in line.chars() {
        used += columns(character);
        if used > limit {
            break;
        }
        kept.push(character);
    }
    kept.push('…');
    kept
}

/// Returns the last `limit` columns of `text` on one line, for streamed text.
pub(crate) fn tail(text: &str, limit: usize) -> String {
    let mut kept: Vec<char> = Vec::new();
    let mut used = 0;
    for character in text.chars().rev().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| !c.is_control()) {
        used += columns(character);
        if used > limit {
            break;
        }
        kept.push(character);
    }
    kept.iter().rev().collect::<String>().trim_start().to_owned()
}

fn wrap_paragraph(paragraph: &str, limit: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for piece in pieces(paragraph) {
        if width(&line) + width(piece.trim_end()) <= limit {
            line.push_str(piece);
            continue;
        }
        if !line.trim().is_empty() {
            lines.push(line.trim_end().to_owned());
        }
        line.clear();
        line.push_str(&cut_long(piece, limit, &mut lines));
    }
    lines.push(line.trim_end().to_owned());
    lines
}

/// Appends full lines of an overlong piece to `lines` and returns the rest.
fn cut_long(piece: &str, limit: usize, lines: &mut Vec<String>) -> String {
    let mut rest = String::new();
    for character in piece.chars() {
        if width(&rest) + columns(character) > limit && !character.is_whitespace() {
            lines.push(std::mem::take(&mut rest));
        }
        rest.push(character);
    }
    rest
}

/// Returns the unbreakable pieces of a paragraph, each with its trailing spaces and closing punctuation.
fn pieces(paragraph: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut previous: Option<char> = None;
    for (index, character) in paragraph.char_indices() {
        if previous.is_some_and(|previous| may_break(previous, character)) {
            pieces.push(&paragraph[start..index]);
            start = index;
        }
        previous = Some(character);
    }
    pieces.push(&paragraph[start..]);
    pieces
}

fn may_break(before: char, after: char) -> bool {
    if after.is_whitespace() || is_closing(after) || is_opening(before) {
        return false;
    }
    before.is_whitespace() || columns(before) == 2 || columns(after) == 2
}

fn is_closing(character: char) -> bool {
    "，。、；：？！）》」』】〕”’…,.;:?!)]}%".contains(character)
}

fn is_opening(character: char) -> bool {
    "（《「『【〔“‘([{".contains(character)
}

fn columns(character: char) -> usize {
    character.width().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_at_spaces_and_between_chinese_characters() {
        let cases = [
            ("", 10, vec![""]),
            ("one two three", 8, vec!["one two", "three"]),
            ("雨夜来客敲门", 6, vec!["雨夜来", "客敲门"]),
            ("雨夜来客，敲门", 8, vec!["雨夜来", "客，敲门"]),
            ("他说「走」。", 8, vec!["他说", "「走」。"]),
            ("abcdefghij", 4, vec!["abcd", "efgh", "ij"]),
            ("用 Rust 写", 7, vec!["用 Rust", "写"]),
            ("a\n\nb", 4, vec!["a", "", "b"]),
        ];
        for (text, limit, expected) in cases {
            assert_eq!(wrap(text, limit), expected, "{text:?} at {limit}");
        }
    }

    #[test]
    fn no_line_is_wider_than_the_limit() {
        let text =
            "林雾（Lin Wu）在2077年3月5日22:00走进旧港，found a 〔待写〕 supercalifragilisticexpialidocious clue……";
        for limit in 2..60 {
            let lines = wrap(text, limit);
            assert!(lines.iter().all(|line| width(line) <= limit.max(4)), "{limit}: {lines:?}");
            let kept: String = lines.concat().chars().filter(|c| !c.is_whitespace()).collect();
            assert_eq!(kept, text.chars().filter(|c| !c.is_whitespace()).collect::<String>(), "{limit}");
        }
    }

    #[test]
    fn shortens_and_keeps_the_tail() {
        assert_eq!(shorten("雨夜来客", 8), "雨夜来客");
        assert_eq!(shorten("雨夜来客", 7), "雨夜来…");
        assert_eq!(shorten("one\ntwo", 20), "one…");
        assert_eq!(tail("雨夜\n来客", 5), "来客");
        assert_eq!(tail("abc\n def", 20), "abc  def");
    }
}

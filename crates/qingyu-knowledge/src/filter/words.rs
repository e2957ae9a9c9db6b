//! The words of conditions: keywords, numbers, and quotation.

use std::borrow::Cow;

pub(super) const KEYWORDS: [&str; 5] = ["and", "or", "not", "in", "contains"];

pub(super) fn is_word(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !matches!(c, '=' | '!' | '<' | '>' | '(' | ')' | ',' | '"' | '\\')
}

/// Parses digits with an optional sign and fraction; no `inf`, no `nan`.
pub(super) fn number(word: &str) -> Option<f64> {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
        && !digits.ends_with('.');
    word.parse().ok().filter(|number: &f64| is_number && number.is_finite())
}

/// Returns the plain form of full-width marks from a Chinese keyboard.
pub(super) fn narrow(c: char) -> char {
    match c {
        '（' => '(',
        '）' => ')',
        '，' | '、' => ',',
        '＝' => '=',
        '！' => '!',
        '＜' => '<',
        '＞' => '>',
        '“' | '”' | '＂' => '"',
        '\u{3000}' => ' ',
        other => other,
    }
}

/// Returns `text` quoted for a condition, if necessary.
pub(super) fn quoted(text: &str) -> Cow<'_, str> {
    let is_plain = !text.is_empty()
        && text.chars().all(|c| is_word(narrow(c)) && narrow(c) == c)
        && !(text.contains("..") || text.starts_with('.') || text.ends_with('.'))
        && number(text).is_none()
        && !KEYWORDS.contains(&text.to_lowercase().as_str());
    if is_plain {
        return Cow::Borrowed(text);
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted.push('"');
    Cow::Owned(quoted)
}

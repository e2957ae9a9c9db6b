//! Sanitizing untrusted text for a terminal: titles, names and prose may contain control characters moving the cursor,
//! setting the window title or changing the text direction.

use std::borrow::Cow;
use std::fmt::Write;

/// The escape sequences of our own pages and of the help: reset, bold, faint, underlined, inverted, and four colours.
const STYLES: [&str; 9] = [
    "\u{1b}[0m",
    "\u{1b}[1m",
    "\u{1b}[2m",
    "\u{1b}[4m",
    "\u{1b}[7m",
    "\u{1b}[31m",
    "\u{1b}[32m",
    "\u{1b}[33m",
    "\u{1b}[36m",
];

/// Returns whether a terminal interprets the character instead of displaying the character.
fn is_command(character: char) -> bool {
    let is_direction = matches!(
        character,
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    is_direction || (character.is_control() && !matches!(character, '\n' | '\t'))
}

/// Removes control characters from `text`, except line breaks and tabs.
pub(crate) fn foreign(text: &str) -> Cow<'_, str> {
    match text.contains(is_command) {
        true => text.chars().filter(|character| !is_command(*character)).collect(),
        false => text.into(),
    }
}

/// Removes control characters from a page, except line breaks, tabs and the styles of our own pages.
pub(crate) fn page(text: &str) -> Cow<'_, str> {
    if !text.contains(is_command) {
        return text.into();
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let style = STYLES.iter().find(|style| rest.starts_with(**style));
        let length = style.map_or(character.len_utf8(), |style| style.len());
        if style.is_some() || !is_command(character) {
            kept.push_str(&rest[..length]);
        }
        rest = &rest[length..];
    }
    kept.into()
}

/// Escapes control characters in serialized JSON, where they only occur inside strings; the document's value is
/// unchanged.
pub(crate) fn json(text: &str) -> Cow<'_, str> {
    if !text.contains(is_command) {
        return text.into();
    }
    let mut kept = String::with_capacity(text.len());
    for character in text.chars() {
        match is_command(character) {
            true => drop(write!(kept, "\\u{:04x}", u32::from(character))),
            false => kept.push(character),
        }
    }
    kept.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::page::{CARE, FAINT, GOOD, MARK, NAME, STRONG, WRONG, paint};

    const HOSTILE: &str = "A\u{1b}[2J\u{1b}]0;pwn\u{7}\u{9b}31m\u{202e}\r\u{1b}[8mB\tC\n";

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        assert_eq!(foreign(HOSTILE), "A[2J]0;pwn31m[8mB\tC\n");
        assert_eq!(page(HOSTILE), "A[2J]0;pwn31m[8mB\tC\n");
        assert_eq!(foreign("灯塔"), "灯塔");
    }

    #[test]
    fn our_own_styles_stay() {
        for style in [STRONG, STRONG.underline(), FAINT, NAME, GOOD, CARE, CARE.invert(), WRONG, MARK] {
            let painted = paint(style, "灯");
            assert_eq!(page(&painted), painted);
            assert_eq!(paint(style, "\u{1b}[31m灯"), paint(style, "[31m灯"), "no text brings styles of its own");
        }
    }

    #[test]
    fn json_stays_the_same_document() {
        let value = serde_json::json!({ HOSTILE: HOSTILE });
        let text = serde_json::to_string_pretty(&value).unwrap();
        let written = json(&text);
        assert!(!written.contains(is_command));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&written).unwrap(), value);
    }
}

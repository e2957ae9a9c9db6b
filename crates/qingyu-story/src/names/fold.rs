//! Normalization of names: case, width, dots and notes in brackets.

use crate::language::is_han;

/// Returns `name` in comparable form: trimmed, lower case, half width, one kind of middle dot.
pub fn fold(name: &str) -> String {
    name.trim().chars().map(fold_char).collect()
}

/// Returns a word of facts in comparable form: as returned by [`fold`], with words joined by `_`.
pub fn fold_word(name: &str) -> String {
    fold(name).replace([' ', '-'], "_")
}

/// English articles at the beginning of names.
pub(super) const ARTICLES: [&str; 3] = ["the ", "a ", "an "];

/// Returns a folded name without its English article.
pub(crate) fn without_article(folded: &str) -> &str {
    ARTICLES.iter().find_map(|article| folded.strip_prefix(article)).unwrap_or(folded).trim()
}

/// Returns a character in comparable form: lower case, half width, one kind of middle dot and apostrophe.
pub(crate) fn fold_char(c: char) -> char {
    let c = match c {
        '\0'..='\x7f' => return c.to_ascii_lowercase(),
        '\u{3400}'..='\u{9fff}' => return c,
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{3000}' | '\u{a0}' => ' ',
        '•' | '・' | '‧' | '∙' | '⋅' => '·',
        '’' | '‘' => '\'',
        other => other,
    };
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(single), None) => single,
        _ => c,
    }
}

/// Returns whether `c` belongs to a word of a script with word boundaries.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() && !is_han(c) && !matches!(c, '\u{3040}'..='\u{30ff}')
}

/// Returns the name with a trailing note in brackets removed, if present.
pub(super) fn without_note(name: &str) -> Option<&str> {
    let open = match name.chars().next_back()? {
        '）' | ')' => name.find(['（', '(']),
        '】' | ']' => name.find(['【', '[']),
        _ => None,
    }?;
    let bare = name[..open].trim();
    (!bare.is_empty()).then_some(bare)
}

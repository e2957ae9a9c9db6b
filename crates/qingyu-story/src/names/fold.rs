//! One form for names that look alike: case, width, dots and notes in brackets.

use crate::language::is_han;

/// `name` in the form in which names are compared: trimmed, lower case, half width, one kind of middle dot.
pub fn fold(name: &str) -> String {
    name.trim().chars().map(fold_char).collect()
}

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

/// Whether `c` belongs to a word of a script that puts borders between words.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() && !is_han(c) && !matches!(c, '\u{3040}'..='\u{30ff}')
}

/// The name without a note in brackets at its end, if it has one.
pub(super) fn without_note(name: &str) -> Option<&str> {
    let open = match name.chars().next_back()? {
        '）' | ')' => name.find(['（', '(']),
        '】' | ']' => name.find(['【', '[']),
        _ => None,
    }?;
    let bare = name[..open].trim();
    (!bare.is_empty()).then_some(bare)
}

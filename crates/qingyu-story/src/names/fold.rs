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

/// The number at the beginning of a chapter's title: `第三章` of `第三章 雨夜来客`, `Chapter 3` of `Chapter 3: Rain`.
///
/// `None` if the number is the whole title, or there is none.
pub(super) fn chapter_number(title: &str) -> Option<&str> {
    let title = title.trim();
    let end = chinese_number_end(title).or_else(|| latin_number_end(title))?;
    (end < title.len()).then(|| &title[..end])
}

fn chinese_number_end(title: &str) -> Option<usize> {
    let rest = title.strip_prefix('第')?;
    let unit = rest.find(['章', '卷', '幕', '节', '回', '部', '场', '集'])?;
    let number = &rest[..unit];
    let is_number = !number.is_empty()
        && number.chars().all(|c| c.is_ascii_digit() || "零〇一二三四五六七八九十百千两".contains(c));
    is_number.then(|| '第'.len_utf8() + unit + '章'.len_utf8())
}

fn latin_number_end(title: &str) -> Option<usize> {
    let (word, rest) = title.split_once(' ')?;
    let known = ["chapter", "act", "part", "scene", "book", "episode"].contains(&word.to_lowercase().as_str());
    let length = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    (known && length > 0).then_some(word.len() + 1 + length)
}

//! Chapters with a name instead of a number: `楔子`, `番外三 海边`, `Prologue`.

use qingyu_story::chapters::unnumbered::{CHINESE, ENGLISH};
use qingyu_story::numerals::is_numeral;

use super::label::BETWEEN;
use crate::spaces::trim;

/// Returns whether a line is a chapter name, alone or with a title.
pub(super) fn is_name(line: &str) -> bool {
    is_chinese(line) || is_english(line)
}

fn is_chinese(line: &str) -> bool {
    // Short names are spaced out over the line: 楔　子.
    let close: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    if close.chars().count() <= 3 && CHINESE.contains(&close.as_str()) {
        return true;
    }
    let Some(name) = CHINESE.iter().find(|name| line.starts_with(**name)) else { return false };
    let after = &line[name.len()..];
    let number_end = after.find(|c: char| !is_numeral(c)).unwrap_or(after.len());
    let behind = &after[number_end..];
    let is_parted = behind.is_empty() || behind.starts_with(BETWEEN) || behind.starts_with(['（', '(']);
    // A song can have such a name, followed by its words.
    is_parted && !behind.contains(['，', '。', '！', '？', '“', '「'])
}

fn is_english(line: &str) -> bool {
    if !line.starts_with(|c: char| c.is_ascii_uppercase()) {
        return false;
    }
    let first_end = line.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(line.len());
    let (first, after) = line.split_at(first_end);
    if !ENGLISH.contains(&first.to_ascii_lowercase().as_str()) {
        return false;
    }
    let behind = trim(after);
    let is_parted = behind.is_empty() || behind.starts_with(BETWEEN);
    // PREFACE TO THE SECOND EDITION
    let is_loud = !line.chars().any(char::is_lowercase);
    is_parted && !behind.ends_with([',', ';']) || is_loud
}

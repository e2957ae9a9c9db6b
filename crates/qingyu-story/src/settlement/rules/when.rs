//! Parses the date at the beginning of a sentence.

use crate::time;

/// Returns the date at the beginning of a Chinese sentence.
pub(super) fn chinese(text: &str) -> String {
    let Some(end) = text.find('，') else { return String::new() };
    let date = text[..end].trim_matches(|c: char| c == '\u{1}' || c.is_whitespace());
    // `这一年` is no year of an era.
    let points = date.starts_with(['这', '那', '同', '有', '某', '每', '头', '前', '后']);
    match time::parse(date).moment().filter(|_| !points) {
        Some(_) => date.to_owned(),
        None => String::new(),
    }
}

/// Returns the date at the beginning of an English sentence: `In March 2026, …`.
pub(super) fn english(text: &str) -> String {
    let Some((date, _)) = text.split_once(", ") else { return String::new() };
    let lower = date.trim_start().to_lowercase();
    let date = ["in ", "on ", "by "].iter().find_map(|word| lower.strip_prefix(word)).unwrap_or_default();
    match time::parse(date).moment() {
        Some(_) => date.to_owned(),
        None => String::new(),
    }
}

//! Parses the date at the beginning of a sentence.

use crate::{Language, time};

/// Returns the date at the beginning of a sentence; empty without one.
pub(super) fn date(language: Language, text: &str) -> String {
    match language {
        Language::Zh => chinese(text),
        Language::En => english(text),
    }
}

/// Returns a date without a season or the part of a year behind its year: `民国八年` of `民国八年冬天`.
pub(super) fn year_of_season(date: &str) -> &str {
    const PARTS: [&str; 12] = ["春天", "夏天", "秋天", "冬天", "开春", "入秋", "入冬", "春", "夏", "秋", "冬", "年底"];
    let year = PARTS.iter().find_map(|part| date.strip_suffix(part));
    year.filter(|year| year.ends_with('年')).unwrap_or(date)
}

/// Returns the date at the beginning of a Chinese sentence.
fn chinese(text: &str) -> String {
    let Some(end) = text.find('，') else { return String::new() };
    let date = year_of_season(text[..end].trim_matches(|c: char| c == '\u{1}' || c.is_whitespace()));
    // `这一年` is no year of an era.
    let points = date.starts_with(['这', '那', '同', '有', '某', '每', '头', '前', '后']);
    match time::parse(date).moment().filter(|_| !points) {
        Some(_) => date.to_owned(),
        None => String::new(),
    }
}

/// Returns the date at the beginning of an English sentence: `In March 2026, …`.
fn english(text: &str) -> String {
    let Some((date, _)) = text.split_once(", ") else { return String::new() };
    let lower = date.trim_start().to_lowercase();
    let date = ["in ", "on ", "by "].iter().find_map(|word| lower.strip_prefix(word)).unwrap_or_default();
    match time::parse(date).moment() {
        Some(_) => date.to_owned(),
        None => String::new(),
    }
}

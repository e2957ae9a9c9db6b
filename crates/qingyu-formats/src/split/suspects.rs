//! Lines that may be headings of an unknown form, for the warning about a book without chapters.

use std::collections::{BTreeSet, HashMap};

use qingyu_story::numerals::is_numeral;

use super::page::LineView;

/// Length of a text in characters, below which it may be a single chapter.
const LONG: usize = 20_000;
/// Minimum number of lines that are alike.
const ENOUGH: usize = 5;

/// Returns the short lines all over a long text that begin with the same ornament, or differ in their number only; of several
/// kinds the most frequent.
pub(super) fn alike(page: LineView<'_>) -> Vec<usize> {
    let all = page.characters(0..page.len());
    if all < LONG {
        return Vec::new();
    }
    let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
    for index in (0..page.len()).filter(|at| page.is_text(*at)) {
        if let Some(kind) = kind_of(page.line(index)) {
            groups.entry(kind).or_default().push(index);
        }
    }
    let is_likely = |found: &Vec<usize>| {
        let words: BTreeSet<&str> = found.iter().map(|at| page.line(*at)).collect();
        let reach = page.characters(found[0]..found[found.len() - 1]);
        words.len() >= ENOUGH && words.len() * 10 >= found.len() * 8 && reach * 2 >= all
    };
    let likely = groups.into_values().filter(|found| found.len() >= ENOUGH && is_likely(found));
    likely.max_by_key(|found| (found.len(), std::cmp::Reverse(found[0]))).unwrap_or_default()
}

/// Returns the common feature of lines that are alike: the ornament before the words, or the words around a number.
fn kind_of(line: &str) -> Option<String> {
    const LONGEST: usize = 30;
    if line.chars().count() > LONGEST || line.ends_with(['。', '，', '！', '？', '.', ',', '!', '?', '”', '"']) {
        return None;
    }
    let is_ornament = |c: &char| !c.is_alphanumeric() && !"“”‘’\"'「」『』（(—–-…*·".contains(*c);
    let ornament: String = line.chars().take_while(is_ornament).filter(|c| !c.is_whitespace()).collect();
    if !ornament.is_empty() {
        return Some(ornament);
    }
    let is_digit = |c: char| c.is_numeric() || is_numeral(c);
    if !line.contains(is_digit) {
        return None;
    }
    let mut kind = String::new();
    for c in line.chars().map(|c| if is_digit(c) { '0' } else { c }) {
        if c != '0' || !kind.ends_with('0') {
            kind.push(c);
        }
    }
    Some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split::line_mark::LineMark;

    fn found(heading: impl Fn(usize) -> String) -> Vec<String> {
        let prose = "他沿着河岸走了很久，灯一盏一盏地灭了。".repeat(40);
        let lines: Vec<String> = (1..=30).flat_map(|number| [heading(number), prose.clone()]).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let marks = vec![LineMark::Text; lines.len()];
        alike(LineView { lines: &lines, marks: &marks }).into_iter().map(|at| lines[at].to_owned()).collect()
    }

    #[test]
    fn lines_with_an_ornament_or_a_number_are_suspects() {
        assert_eq!(found(|number| format!("☆、夜雨{number}")).len(), 30);
        assert_eq!(found(|number| format!("渡{number}口")).len(), 30);
        assert_eq!(found(|_| "渡口".to_owned()), Vec::<String>::new());
        assert_eq!(found(|_| "☆".to_owned()), Vec::<String>::new(), "a rule is drawn again and again");
    }
}

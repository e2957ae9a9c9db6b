//! Page marks between the chapters: `===夜雨 第12节===`, inserted at equal distances by the site that paginated the book.
//! They have no title and count through the whole book, regardless of its chapters.

use std::collections::HashMap;

use super::page::LineView;
use crate::headings::{HeadingRank, SentenceDoubt, shape};

/// Minimum number of marks, and of the chapters beside them.
const ENOUGH: usize = 10;
/// Maximum length of a mark in bytes.
const LONGEST: usize = 120;

/// Returns the lines of page marks; none without real chapters between them.
pub(super) fn find(page: LineView<'_>) -> Vec<usize> {
    let mut groups: HashMap<String, Vec<(usize, u32)>> = HashMap::new();
    for index in (0..page.len()).filter(|at| page.is_text(*at)) {
        if let Some((words, number)) = counted(page.line(index)) {
            groups.entry(words).or_default().push((index, number));
        }
    }
    let mut marks: Vec<usize> = Vec::new();
    for found in groups.into_values().filter(|found| found.len() >= ENOUGH) {
        let lines: Vec<usize> = found.iter().map(|(index, _)| *index).collect();
        if counts_through(&found) && is_regular(page, &lines) && has_chapters_between(page, &lines) {
            marks.extend(lines);
        }
    }
    marks.sort_unstable();
    marks
}

/// Returns the words of a line around its only number, and the number.
fn counted(line: &str) -> Option<(String, u32)> {
    let is_digit = |c: char| c.is_ascii_digit();
    // A sentence or speech with a number is prose, however regularly it comes.
    let is_prose = line.contains(['。', '，', '！', '？', '“', '”', '「', '」', '：', '"', '!', '?', ';']);
    if line.len() > LONGEST || is_prose {
        return None;
    }
    let from = line.find(is_digit)?;
    let until = line[from..].find(|c| !is_digit(c)).map_or(line.len(), |at| from + at);
    let (before, after) = (&line[..from], &line[until..]);
    let has_words = before.chars().chain(after.chars()).any(char::is_alphabetic);
    let number = line[from..until].parse().ok().filter(|_| has_words && !after.contains(is_digit))?;
    Some((format!("{before}0{after}"), number))
}

/// Returns whether nearly all numbers are one more than the number before: marks never begin again.
fn counts_through(found: &[(usize, u32)]) -> bool {
    let rises = found.windows(2).filter(|pair| pair[0].1.checked_add(1) == Some(pair[1].1)).count();
    found[0].1 <= 2 && rises * 20 >= (found.len() - 1) * 19
}

/// Returns whether nearly all marks have the same distance, in lines or in characters.
fn is_regular(page: LineView<'_>, lines: &[usize]) -> bool {
    let are_equal = |distances: Vec<usize>| {
        let mut sorted = distances.clone();
        sorted.sort_unstable();
        let usual = sorted[sorted.len() / 2];
        let near = distances.iter().filter(|distance| distance.abs_diff(usual) * 10 <= usual).count();
        usual > 1 && near * 10 >= distances.len() * 8
    };
    are_equal(lines.windows(2).map(|pair| pair[1] - pair[0]).collect())
        || are_equal(lines.windows(2).map(|pair| page.characters(pair[0] + 1..pair[1])).collect())
}

/// Returns whether chapters with other headings begin between the marks, and not one at each of them.
fn has_chapters_between(page: LineView<'_>, marks: &[usize]) -> bool {
    let (first, last) = (marks[0], marks[marks.len() - 1]);
    let is_chapter = |at: &usize| {
        page.is_text(*at)
            && marks.binary_search(at).is_err()
            && shape(page.line(*at)).is_some_and(|form| {
                form.rank == HeadingRank::Chapter && form.is_certain && form.doubt == SentenceDoubt::None
            })
    };
    let chapters: Vec<usize> = (first..=last).filter(is_chapter).collect();
    let is_mark = |at: Option<usize>| at.is_some_and(|at| marks.binary_search(&at).is_ok());
    let is_at_mark = |at: &&usize| is_mark(page.text_before(**at)) || is_mark(page.next_text(**at));
    let at_marks = chapters.iter().filter(is_at_mark).count();
    chapters.len() >= ENOUGH && at_marks * 2 < chapters.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split::line_mark::LineMark;

    fn found(lines: &[String]) -> usize {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let marks = vec![LineMark::Text; lines.len()];
        find(LineView { lines: &lines, marks: &marks }).len()
    }

    /// A book with a chapter every seventeen lines and a page mark at these lines.
    fn book(is_marked: impl Fn(usize) -> bool) -> Vec<String> {
        let mut pages = 0;
        let lines = (0..400_usize).map(|line| {
            if is_marked(line) {
                pages += 1;
                return format!("===夜雨 第{pages}节===");
            }
            let is_heading = line % 17 == 5;
            if is_heading {
                format!("第{}章", line / 17 + 1)
            } else {
                format!("他走了{}里路，灯灭了。", "很多".repeat(line % 7))
            }
        });
        lines.collect()
    }

    #[test]
    fn sentences_that_count_are_prose() {
        let chapter = |number: usize| {
            let lines = ["第{}章 夜航", "船离了岸。", "“{}里路就到。”林青说。", "他数着浪。", "灯灭了。"];
            lines.map(|line| line.replace("{}", &number.to_string()))
        };
        let lines: Vec<String> = (1..=20).flat_map(chapter).collect();
        assert_eq!(found(&lines), 0);
    }

    #[test]
    fn marks_in_equal_distances_between_chapters_are_pages() {
        assert_eq!(found(&book(|line| line % 20 == 0)), 20);
        assert_eq!(found(&book(|line| line % 17 == 4)), 0, "a mark above each chapter is its second heading");
        assert_eq!(found(&book(|line| line % 17 == 6)), 0, "and so is one below");
        assert_eq!(found(&book(|line| line.is_power_of_two() || line % 61 == 7 || line % 43 == 1)), 0);
    }

    #[test]
    fn regular_chapters_without_others_are_no_pages() {
        let lines: Vec<String> = (0..400)
            .map(|line| if line % 20 == 0 { format!("第{}节", line / 20 + 1) } else { "他走了很久。".to_owned() })
            .collect();
        assert_eq!(found(&lines), 0);
    }
}

//! Matter before the first heading: title and author, front matter, or prose forming a chapter.

use super::contents;
use super::line_mark::LineMark;
use super::page::visible;
use crate::headings::ends_a_sentence;
use crate::spaces::{tidy, trim};
use qingyu_story::language::is_han;

/// Marks the lines before the first heading.
pub(super) fn mark(lines: &[&str], marks: &mut [LineMark]) {
    const TITLE: usize = 30;
    const LOUD_TITLE: usize = 80;
    let Some(first) = marks.iter().position(|mark| matches!(mark, LineMark::Heading { .. })) else { return };
    let mut titled = marks[..first].contains(&LineMark::Title);
    let rest: Vec<usize> =
        (0..first).filter(|index| matches!(marks[*index], LineMark::Text | LineMark::Separator)).collect();
    let mut left = Vec::new();
    // Below the heading of a blurb the title is known only by the author in the next line.
    let mut in_blurb = false;
    for (place, index) in rest.iter().copied().enumerate() {
        let line = trim(lines[index]);
        let count = line.chars().count();
        let is_loud =
            !line.chars().any(char::is_lowercase) && line.chars().any(char::is_uppercase) && count <= LOUD_TITLE;
        let is_above_author = || rest.get(place + 1).is_some_and(|next| author(trim(lines[*next])).is_some());
        in_blurb |= is_blurb_heading(line);
        if let Some(author) = author(line) {
            marks[index] = LineMark::Author(author);
        } else if contents::is_title(line) {
            marks[index] = LineMark::Contents;
        } else if !titled
            && marks[index] == LineMark::Text
            && (count <= TITLE || is_loud)
            && line.chars().any(char::is_alphanumeric)
            && (!in_blurb || !is_blurb_heading(line) && is_above_author())
            && !line.ends_with(['。', '，', '.', '！', '”'])
        {
            marks[index] = LineMark::Title;
            titled = true;
        } else {
            left.push(index);
            titled |= marks[index] == LineMark::Text && !in_blurb && line.chars().any(char::is_alphanumeric);
        }
    }
    if !is_prose(lines, &left) {
        left.into_iter().for_each(|index| marks[index] = LineMark::Front);
    }
}

/// The first words of matter around the book.
const BLURB: &[&str] = &[
    "简介",
    "簡介",
    "作品簡介",
    "作者簡介",
    "內容介紹",
    "書名",
    "书名",
    "內容簡介",
    "内容简介",
    "文案",
    "作品简介",
    "内容提要",
    "內容提要",
    "书籍简介",
    "作者简介",
    "内容标签",
    "搜索关键字",
    "作品相关",
    "编辑推荐",
    "内容介绍",
    "作品介绍",
    "本书简介",
    "献给",
    "題記",
    "题记",
    "版权",
    "ISBN",
    "Synopsis",
    "Copyright",
    "Dedicated",
    "Blurb",
    "[Transcriber",
    "Illustrat",
];

/// Returns whether a line is the heading of a blurb, and no more.
fn is_blurb_heading(line: &str) -> bool {
    BLURB.contains(&line.trim_matches(|c: char| !c.is_alphanumeric()))
}

/// Returns whether lines are narrative prose, not a blurb, dedication or title page.
fn is_prose(lines: &[&str], found: &[usize]) -> bool {
    let is_blurb = |index: &usize| {
        let line = trim(lines[*index]).trim_start_matches(['【', '[', '〖', '（', '(']);
        BLURB.iter().any(|sign| line.starts_with(sign))
    };
    if found.iter().any(is_blurb) {
        return false;
    }
    // Consecutive lines without a blank line are a single paragraph, or several with final punctuation.
    let (mut all, mut told, mut sentences, mut han) = (0, 0, 0, 0);
    for (place, index) in found.iter().enumerate() {
        let line = trim(lines[*index]);
        let count = visible(line);
        all += count;
        let goes_on = found.get(place + 1) == Some(&(index + 1));
        if ends_a_sentence(line) || goes_on && count > 30 {
            told += count;
        }
        sentences += line.chars().filter(|c| "。！？.!?".contains(*c)).count();
        han += line.chars().filter(|c| is_han(*c)).count();
    }
    let least = if han * 2 > all { 40 } else { 600 };
    all >= least && sentences >= 2 && told * 10 >= all * 7
}

fn author(line: &str) -> Option<String> {
    const BEFORE: &[&str] =
        &["作者：", "作者:", "作者 ", "著者：", "著者:", "原著：", "Author:", "author:", "By ", "by ", "BY "];
    const BEHIND: &[&str] = &[" 著", "　著", " 撰", " 编著", " 譯", " 译"];
    let named = BEFORE
        .iter()
        .find_map(|sign| line.strip_prefix(sign))
        .or_else(|| BEHIND.iter().find_map(|sign| line.strip_suffix(sign)));
    let name = named.map(tidy)?;
    (!name.is_empty() && name.chars().count() <= 40 && !name.ends_with(['.', '。']) && name.split(' ').count() <= 6)
        .then_some(name)
}

//! Text outside the book: licences, advertisements, update notices, captions. Such text is separated and listed, never
//! dropped silently.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use regex::{Regex, RegexSet};
use serde::Deserialize;

use super::line_mark::LineMark;
use super::page::LineView;
use super::parts::{Apart, ApartKind};
use crate::headings::{HeadingRank, SentenceDoubt, ends_a_sentence, shape, without_site};
use crate::read::{Origin, ParagraphRole};
use crate::spaces::trim;

/// Metadata from the header of an archive.
#[derive(Debug, Default)]
pub(super) struct ArchiveHeader {
    pub(super) title: Option<String>,
    pub(super) author: Option<String>,
}

/// Length in bytes beyond which a line is prose.
const LONGEST: usize = 600;

#[derive(Deserialize)]
struct ApartList {
    line: Vec<ApartEntry>,
}

#[derive(Deserialize)]
struct ApartEntry {
    kind: ApartKind,
    patterns: Vec<String>,
    #[cfg(test)]
    examples: Vec<String>,
    #[cfg(test)]
    counterexamples: Vec<String>,
}

fn list() -> Vec<ApartEntry> {
    toml::from_str::<ApartList>(include_str!("../../data/apart.toml")).expect("the list is tested").line
}

static LINES: LazyLock<(Vec<ApartKind>, RegexSet)> = LazyLock::new(|| {
    const SITE: &str = r"(?:https?://|www\.|wap\.|m\.)?[a-z0-9][a-z0-9-]{1,30}(?:\.[a-z0-9-]{2,20})*\.(?:com|net|org|cc|cn|la|info|me|tw|xyz|top|co)\b";
    let mut kinds = Vec::new();
    let mut patterns = Vec::new();
    for listed in list() {
        for pattern in listed.patterns {
            kinds.push(listed.kind);
            patterns.push(format!("(?i){}", pattern.replace("{site}", SITE)));
        }
    }
    (kinds, RegexSet::new(patterns).expect("the list is tested"))
});

/// Returns why a line is outside the book; `None` if the line may belong to the book.
fn kind_of(line: &str) -> Option<ApartKind> {
    let (kinds, set) = &*LINES;
    if line.is_empty() || line.len() > LONGEST {
        return None;
    }
    set.matches(line).into_iter().next().map(|index| kinds[index])
}

/// Marks text outside the book, and returns the metadata of an archive header.
pub(super) fn mark(lines: &[&str], roles: &[ParagraphRole], marks: &mut [LineMark]) -> ArchiveHeader {
    let (header, body) = archive(lines);
    for index in (0..lines.len()).filter(|index| !body.contains(index)) {
        if marks[index] != LineMark::Blank {
            marks[index] = LineMark::Apart(ApartKind::Licence);
        }
    }
    let mut index = body.start;
    while index < body.end {
        let line = trim(lines[index]);
        let kind = if matches!(marks[index], LineMark::Text | LineMark::Separator) { kind_of(line) } else { None };
        // 正文完 directly above prose is the heading of the matter after the end; above another heading it is none.
        let heads = kind == Some(ApartKind::End)
            && (index == 0 || marks[index - 1] == LineMark::Blank)
            && marks.get(index + 1) == Some(&LineMark::Text)
            && shape(line).is_some()
            && shape(lines[index + 1]).is_none();
        let is_kept = || begins_chapter(line) || is_heading_with_site(line) || is_prose_with_site(line);
        let is_tail = kind == Some(ApartKind::End)
            && index > 0
            && marks[index - 1] == LineMark::Text
            && ends_paragraph(trim(lines[index - 1]), line);
        let heads = heads || is_tail || kind.is_some_and(|kind| kind != ApartKind::End) && is_kept();
        let Some(kind) = kind.filter(|_| !heads) else {
            index += 1;
            continue;
        };
        marks[index] = LineMark::Apart(kind);
        // Captions and credits extend to the end of their bracket or paragraph.
        let goes_on = match kind {
            ApartKind::Caption => line.starts_with('[') && !line.ends_with(']'),
            ApartKind::Credits => true,
            _ => false,
        };
        index += 1;
        const MOST: usize = 12;
        let end = body.end.min(index + MOST);
        while goes_on && index < end && marks[index] == LineMark::Text {
            let ends = kind == ApartKind::Caption && trim(lines[index]).ends_with(']');
            marks[index] = LineMark::Apart(kind);
            index += 1;
            if ends {
                break;
            }
        }
    }
    repeated(lines, roles, marks, body);
    header
}

/// Returns whether a line in the form of an end mark is the last line of a wrapped paragraph; `above` is the line before it.
fn ends_paragraph(above: &str, line: &str) -> bool {
    let is_loud = !line.contains(char::is_lowercase);
    line.starts_with(char::is_lowercase) || !is_loud && !ends_a_sentence(above)
}

/// Returns whether a line is the heading of a chapter to which a site has appended its own words, such as the length of
/// the chapter or a request for votes.
fn begins_chapter(line: &str) -> bool {
    shape(line)
        .is_some_and(|form| form.is_certain && form.rank == HeadingRank::Chapter && form.doubt == SentenceDoubt::None)
}

/// Returns whether a line is a number with a title to which a site has appended its address: `12、夜雨(example.com)`.
fn is_heading_with_site(line: &str) -> bool {
    let is_titled = || shape(line).is_some_and(|form| form.number.is_some() && !form.title.is_empty());
    without_site(line).len() < line.len() && is_titled()
}

/// Returns whether a line is prose to which a site has appended its address: `他走了。[示例书网：www.example.com]`.
fn is_prose_with_site(line: &str) -> bool {
    let rest = without_site(line);
    rest.len() < line.len() && ends_a_sentence(rest) && kind_of(rest).is_none()
}

/// Returns whether a line has the same number twice, as in `12|【12】`: a heading of a site.
fn is_numbered_twice(line: &str) -> bool {
    let number = |line: &str| shape(line).and_then(|form| Some((form.number?, form.title)));
    number(line).is_some_and(|(first, title)| number(&title).is_some_and(|(second, _)| first == second))
}

/// Marks lines repeated with varying numbers only, as inserted by sites into every chapter. Headings may be alike but for
/// their numbers: `第3章 倒数：7天`; so may headings of the markup: `Day 3: morning`. A name and a value without an address may be
/// a line of the story, such as a message or a state: they are a notice only at the edge of chapters.
fn repeated(lines: &[&str], roles: &[ParagraphRole], marks: &mut [LineMark], body: Range<usize>) {
    const LEAST: usize = 5;
    const SHORT: usize = 80;
    /// How many lines may stand between a notice and the heading of a chapter, and one more.
    const NEAR: usize = 3;
    let is_likely = |line: &str| {
        line.contains(|c: char| c.is_ascii_digit())
            && (line.contains([':', '：', '/', '|', '@']) || line.contains("http"))
            && line.chars().count() <= SHORT
            && !line.contains(['“', '”', '"', '「', '。', '，', ','])
    };
    let mut seen: HashMap<String, Vec<usize>> = HashMap::new();
    for index in body {
        let line = trim(lines[index]);
        let is_marked = matches!(roles[index], ParagraphRole::Heading(_));
        let is_heading = || is_marked || is_numbered_twice(line) || begins_chapter(line) || is_heading_with_site(line);
        if marks[index] == LineMark::Text && is_likely(line) && !is_heading() && !is_scene_note(line) {
            let shape: String = line.chars().map(|c| if c.is_numeric() { '0' } else { c }).collect();
            seen.entry(squeezed(&shape)).or_default().push(index);
        }
    }
    let begins = |at: usize| matches!(roles[at], ParagraphRole::Heading(_)) || begins_chapter(trim(lines[at]));
    let is_certain = |at: &&usize| {
        let line = trim(lines[**at]);
        !line.contains([':', '：']) || line.contains('@') || line.contains("http") || {
            let page = LineView { lines, marks: &*marks };
            let above = (0..**at).rev().filter(|near| !page.is_blank(*near)).take(NEAR);
            let below = (**at + 1..lines.len()).filter(|near| !page.is_blank(*near)).take(NEAR);
            above.chain(below).any(begins)
        }
    };
    let mut notices: Vec<Vec<usize>> = seen.into_values().filter(|found| found.len() >= LEAST).collect();
    notices.retain(|found| found.iter().filter(is_certain).count() * 2 > found.len());
    for found in notices {
        found.into_iter().for_each(|index| marks[index] = LineMark::Apart(ApartKind::Update));
    }
}

/// Returns whether a line in brackets has several named values, as a writer notes the place and the view of a scene:
/// `[SCENE: CH02_S05 | POV: Ann]`.
fn is_scene_note(line: &str) -> bool {
    let inside = line.strip_prefix(['[', '【']).and_then(|rest| rest.strip_suffix([']', '】']));
    inside.is_some_and(|inside| inside.split(['|', '｜']).filter(|value| value.contains([':', '：'])).count() >= 2)
}

/// Returns the shape with each run of zeros reduced to a single zero.
fn squeezed(shape: &str) -> String {
    let mut text = String::with_capacity(shape.len());
    for c in shape.chars() {
        if c != '0' || !text.ends_with('0') {
            text.push(c);
        }
    }
    text
}

static BEGIN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)^\*\*\* ?START OF (?:THE|THIS) PROJECT GUTENBERG|^\*END\*? ?THE SMALL PRINT|^\*END THE SMALL PRINT",
    )
    .expect("constant")
});
static END: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^\*\*\* ?END OF (?:THE|THIS) PROJECT GUTENBERG|^End of (?:the )?Project Gutenberg|^\*\*\*START: FULL LICENSE")
        .expect("constant")
});

/// Returns the lines above an archive's header if they have more text than the lines between its marks: a book to which
/// the header and the licence were appended. A licence that begins the file is no such book.
fn above(lines: &[&str], begin: usize, between: &Range<usize>) -> Option<Range<usize>> {
    const HEADER: usize = 60;
    let count = |range: Range<usize>| lines[range].iter().map(|line| super::page::visible(line)).sum::<usize>();
    let from = begin.saturating_sub(HEADER);
    let names_archive = |line: &&str| line.to_ascii_lowercase().contains("project gutenberg");
    if lines[..from.min(HEADER)].iter().any(names_archive) {
        return None;
    }
    let header = lines[from..begin].iter().position(names_archive).map_or(begin, |at| from + at);
    (count(0..header) > 4 * count(between.clone())).then_some(0..header)
}

/// Returns the header of an archive, and the line range between header and licence.
fn archive(lines: &[&str]) -> (ArchiveHeader, Range<usize>) {
    let begin = lines.iter().position(|line| BEGIN.is_match(trim(line)));
    let from = begin.map_or(0, |begin| begin + 1);
    let until = lines[from..].iter().position(|line| END.is_match(trim(line))).map_or(lines.len(), |at| from + at);
    let mut header = ArchiveHeader::default();
    const NEAR: usize = 60;
    let is_archived = begin.is_some() || until < lines.len();
    if is_archived {
        for (index, line) in lines[..from].iter().take(NEAR).enumerate() {
            let said = |sign: &str| {
                let first = line.strip_prefix(sign)?.trim();
                // A long title continues in indented lines.
                let more = lines[index + 1..from.max(index + 1)].iter().take_while(|next| next.starts_with("  "));
                let words: Vec<&str> = std::iter::once(first).chain(more.map(|next| next.trim())).collect();
                Some(words.join(" ")).filter(|words| !words.is_empty())
            };
            header.title = header.title.take().or_else(|| said("Title:"));
            header.author = header.author.take().or_else(|| said("Author:"));
        }
    }
    let between = from..until;
    let book = begin.and_then(|begin| above(lines, begin, &between)).unwrap_or(between);
    (header, book)
}

/// Text outside the book, counted by kind, in order of appearance.
#[derive(Debug, Default)]
pub(super) struct ApartTally(Vec<Apart>);

impl ApartTally {
    pub(super) fn add(&mut self, kind: ApartKind, line: &str, origin: &Origin) {
        const SAMPLE: usize = 60;
        let characters = super::page::visible(line);
        match self.0.iter_mut().find(|known| known.kind == kind) {
            Some(known) => {
                known.lines += 1;
                known.characters += characters;
            }
            None => {
                let sample = trim(line).chars().take(SAMPLE).collect();
                self.0.push(Apart { kind, lines: 1, characters, sample, origin: origin.clone() });
            }
        }
    }

    pub(super) fn finish(self) -> Vec<Apart> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_finds_its_examples_and_not_the_others() {
        for listed in list() {
            for line in &listed.examples {
                assert_eq!(kind_of(line), Some(listed.kind), "{line}");
            }
            for line in &listed.counterexamples {
                assert_eq!(kind_of(line), None, "{line}");
            }
        }
    }

    #[test]
    fn prose_is_never_set_apart() {
        let prose = [
            "他走进来，看了看墙上的钟，十二点了。",
            "“更新？”她问，“哪里更新了？”",
            "欲知后事如何，且听下回分解。",
            "收藏的字画都卖了。",
            "订阅的报纸到了，他没有看。",
            "手机用户很多。",
            "全文完整地留了下来。",
            "He asked for the end of the story.",
            "I had it produced by evening, and we ate.",
            "第三章完了以后，他去睡觉。",
            "正文还没写完。",
            "（完）他说。",
        ];
        prose.iter().for_each(|line| assert_eq!(kind_of(line), None, "{line}"));
    }
}

//! Manuscripts in several files, joined in natural order; each file begins a chapter.

use std::sync::LazyLock;

use qingyu_story::numerals;
use serde::Deserialize;

use crate::headings;
use crate::spaces::trim;
use crate::{Extra, Ingested, LeftOut, Origin, ParagraphRole, SourceParagraph};

/// Returns a sort key for natural order: `第2章` before `第10章`.
fn natural_key(name: &str) -> Vec<(u32, String)> {
    let mut key = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let words = rest.find(numerals::is_numeral).unwrap_or(rest.len());
        let (before, after) = rest.split_at(words);
        let until = after.find(|c| !numerals::is_numeral(c)).unwrap_or(after.len());
        let number = numerals::read(&after[..until]).unwrap_or_default();
        key.push((0, before.to_lowercase()));
        key.push((number, String::new()));
        rest = &after[until..];
    }
    key
}

/// Joins files into one manuscript, in natural order of their names. Returns `None` without files.
///
/// The name of a file is inserted as its heading if the file does not begin with a heading. Title, author and language
/// are taken from the first file with such metadata. Files beside numbered chapters with the name of an outline, of notes or
/// the like, such as `README.md` and `大纲.md`, are left out and listed. In a file that is one chapter, deeper headings are
/// text.
pub fn join(mut files: Vec<(String, Ingested)>) -> Option<Ingested> {
    files.sort_by_cached_key(|(name, _)| natural_key(name));
    let left_out = leave_out(&mut files);
    if files.len() > 1 {
        files.iter_mut().for_each(|(name, file)| keep_one_heading(name, file));
    }
    for (name, file) in &mut files {
        for truncation in &mut file.truncated {
            let entry = truncation.place.take();
            truncation.place = Some(entry.map_or_else(|| name.clone(), |entry| format!("{name}: {entry}")));
        }
    }
    let mut files = files.into_iter();
    let (name, first) = files.next()?;
    let mut joined = Ingested { text: String::new(), paragraphs: Vec::new(), ..first.clone() };
    joined.left_out.extend(left_out);
    joined.add(&name, first);
    for (name, file) in files {
        joined.title = joined.title.take().or_else(|| file.title.clone());
        joined.author = joined.author.take().or_else(|| file.author.clone());
        joined.language = joined.language.take().or_else(|| file.language.clone());
        joined.truncated.extend(file.truncated.iter().cloned());
        for left_out in &file.left_out {
            match joined.left_out.iter_mut().find(|known| known.what == left_out.what) {
                Some(known) => known.count += left_out.count,
                None => joined.left_out.push(left_out.clone()),
            }
        }
        // Report the least certain encoding.
        if let Some(encoding) = &file.encoding
            && joined
                .encoding
                .as_ref()
                .is_none_or(|known| known.bad < encoding.bad || known.proof.is_none() && encoding.proof.is_some())
        {
            joined.encoding = Some(encoding.clone());
        }
        joined.add(&name, file);
    }
    Some(joined)
}

/// Returns the name of a file without folder and ending.
fn stem(name: &str) -> &str {
    let name = name.rsplit_once(['/', '\\']).map_or(name, |(_, name)| name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Removes the files with the name of an outline, of notes or the like, if nearly all others are numbered; returns them as
/// left out.
fn leave_out(files: &mut Vec<(String, Ingested)>) -> Option<LeftOut> {
    const ENOUGH: usize = 2;
    let (others, chapters): (Vec<&str>, Vec<&str>) =
        files.iter().map(|(name, _)| stem(name)).partition(|stem| is_beside_chapters(stem));
    let numbered = chapters.iter().filter(|stem| has_number(stem)).count();
    if others.is_empty() || numbered < ENOUGH || numbered * 10 < chapters.len() * 8 {
        return None;
    }
    let left_out = files.extract_if(.., |(name, _)| is_beside_chapters(stem(name)));
    let mut names: Vec<String> = left_out.map(|(name, _)| name).collect();
    let count = names.len();
    names.truncate(LeftOut::NAMES);
    Some(LeftOut { what: Extra::Research, count, names })
}

/// Returns whether the name of a file has the number of a chapter.
fn has_number(stem: &str) -> bool {
    stem.contains(|c: char| c.is_ascii_digit()) || headings::shape(stem).is_some_and(|form| form.number.is_some())
}

/// The names of files beside chapters, parsed from `data/beside.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BesideNames {
    english: Vec<String>,
    chinese: Vec<String>,
}

impl BesideNames {
    fn is_english(&self, word: &str) -> bool {
        self.english.iter().any(|name| name == word)
    }
}

/// Returns whether a file beside chapters has the name of a summary, of an outline, of notes or the like.
fn is_beside_chapters(stem: &str) -> bool {
    static NAMES: LazyLock<BesideNames> = LazyLock::new(|| {
        toml::from_str(include_str!("../data/beside.toml")).expect("the names are part of the program")
    });
    let words = stem.trim_matches(|c: char| !c.is_alphabetic());
    let lower = words.to_lowercase();
    let last = lower.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    // 00-outline has a number that orders the files; 第三章 总结 is a chapter.
    if has_number(stem) {
        return NAMES.is_english(&lower) || NAMES.chinese.iter().any(|name| name == words);
    }
    NAMES.is_english(last) || NAMES.chinese.iter().any(|name| words.ends_with(name))
}

/// Turns the headings within a file that is one chapter into text. In such a file, the first line or the name is the heading
/// of a chapter, and the other headings are deeper and begin no chapters.
fn keep_one_heading(name: &str, file: &mut Ingested) {
    let line = |one: &SourceParagraph| trim(&file.text[one.range.clone()]);
    let level = |one: &SourceParagraph| match one.role {
        ParagraphRole::Heading(level) if !line(one).is_empty() => Some(level),
        _ => None,
    };
    let Some(first) = file.paragraphs.iter().position(|one| !line(one).is_empty()) else { return };
    let Some(top) = level(&file.paragraphs[first]) else { return };
    let begins_chapter = |words: &str| headings::read(words).is_some_and(|heading| heading.chapter.is_some());
    let is_chapter =
        begins_chapter(line(&file.paragraphs[first])) || begins_chapter(&stem(name).replace(['-', '_'], " "));
    let is_section = |words: &str| {
        qingyu_story::chapters::heading(words).is_some_and(|heading| matches!(heading.class(), "section" | "scene"))
    };
    let is_inner = |one: &SourceParagraph| {
        let is_below = |words: &str| headings::read(words).is_none() || is_section(words);
        level(one).is_none_or(|level| level > top && is_below(line(one)))
    };
    if is_chapter && file.paragraphs[first + 1..].iter().all(is_inner) {
        for paragraph in &mut file.paragraphs[first + 1..] {
            if matches!(paragraph.role, ParagraphRole::Heading(_)) {
                paragraph.role = ParagraphRole::Text;
            }
        }
    }
}

impl Ingested {
    fn add(&mut self, name: &str, file: Ingested) {
        let stem = stem(name).to_owned();
        let is_marked = file.paragraphs.iter().any(|one| matches!(one.role, ParagraphRole::Heading(_)));
        let first = file.paragraphs.iter().find(|one| !trim(&file.text[one.range.clone()]).is_empty());
        let begins = first.is_some_and(|one| {
            matches!(one.role, ParagraphRole::Heading(_)) || headings::read(&file.text[one.range.clone()]).is_some()
        });
        let origin = |paragraph: usize| Origin::Entry { name: name.to_owned(), paragraph };
        if !begins {
            let from = self.text.len();
            self.text.push_str(&stem);
            let range = from..self.text.len();
            self.text.push('\n');
            self.paragraphs.push(SourceParagraph {
                range,
                origin: origin(0),
                role: ParagraphRole::Heading(1),
                continues: false,
                marked: None,
            });
        }
        let from = self.text.len();
        for (index, paragraph) in file.paragraphs.into_iter().enumerate() {
            let line = &file.text[paragraph.range.clone()];
            let reads = !is_marked && paragraph.role == ParagraphRole::Text && headings::read(line).is_some();
            let role = if reads { ParagraphRole::Heading(1) } else { paragraph.role };
            let range = paragraph.range.start + from..paragraph.range.end + from;
            self.paragraphs.push(SourceParagraph {
                range,
                origin: origin(index + 1),
                role,
                continues: paragraph.continues && index > 0,
                marked: paragraph.marked,
            });
        }
        self.text.push_str(&file.text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, ReadOptions, SplitOptions, read, split};

    fn joined(files: &[(&str, &str)]) -> Ingested {
        let reading = ReadOptions { format: Some(Format::Md), ..ReadOptions::default() };
        let read = |text: &str| read(&mut text.as_bytes(), &reading).unwrap();
        join(files.iter().map(|(name, text)| ((*name).to_owned(), read(text))).collect()).unwrap()
    }

    fn titles(files: &[(&str, &str)]) -> Vec<String> {
        let found = split(&joined(files), &SplitOptions::default()).unwrap();
        found.chapters.into_iter().map(|chapter| chapter.title).collect()
    }

    #[test]
    fn summaries_beside_numbered_chapters_are_left_out() {
        let chapters = [("第一章.md", "# 第一章 渡口\n\n雨停了。"), ("第二章 总结.md", "# 第二章 总结\n\n灯灭了。")];
        let others = [("README.md", "# 河灯\n\n## 章节"), ("情节总结.md", "# 总结"), ("00_outline.md", "# Outline")];
        let all: Vec<(&str, &str)> = others.into_iter().chain(chapters).collect();
        assert_eq!(titles(&all), ["第一章 渡口", "第二章 总结"]);
        let found = joined(&all);
        let left_out: Vec<&str> = found.left_out[0].names.iter().map(String::as_str).collect();
        assert_eq!((found.left_out[0].what, found.left_out[0].count), (Extra::Research, 3));
        assert!(left_out.contains(&"README.md") && left_out.contains(&"情节总结.md"), "{left_out:?}");
        // Without numbers, chapters cannot be distinguished from other files.
        assert_eq!(joined(&[("雨.md", "# 雨\n\n雨停了。"), ("notes.md", "# 灯\n\n灯灭了。")]).left_out, []);
    }

    #[test]
    fn sections_of_a_file_that_is_a_chapter_are_text() {
        let chapter =
            |number: &str| format!("# 第{number}章 渡口\n\n## 第一节 雨\n\n雨停了。\n\n## 第二节 灯\n\n灯灭了。");
        let (first, second) = (chapter("一"), chapter("二"));
        assert_eq!(
            titles(&[("第一章.md", first.as_str()), ("第二章.md", second.as_str())]),
            ["第一章 渡口", "第二章 渡口"]
        );
        // A file of several chapters has them.
        let volume = "# 第一卷\n\n## 第一章\n\n雨停了。\n\n## 第二章\n\n灯灭了。";
        assert_eq!(
            titles(&[("1.md", volume), ("2.md", "# 第二卷\n\n## 第三章\n\n天亮了。")]),
            ["第一章", "第二章", "第三章"]
        );
    }

    #[test]
    fn names_are_ordered_as_people_count() {
        let mut names = ["第10章 c.txt", "第1章 a.txt", "第二章 b.txt", "ch-3.md", "ch-12.md", "附录.txt", "ch-2b.md"];
        names.sort_by_cached_key(|name| natural_key(name));
        assert_eq!(
            names,
            ["ch-2b.md", "ch-3.md", "ch-12.md", "第1章 a.txt", "第二章 b.txt", "第10章 c.txt", "附录.txt"]
        );
    }
}

//! How long a book is said to be, read from the author's words.

mod counts;
mod parts;

use serde::{Deserialize, Serialize};

use self::counts::english_count;
use crate::Language;
use crate::numerals::{is_digit_or_numeral, read_between, read_chinese};

pub use self::counts::{chinese_range_at_end, english_range_at_end};
pub(crate) use self::parts::{PartLengths, part_lengths};

/// The usual length of a chapter in Chinese characters.
const CHAPTER_WORDS_ZH: u32 = 3_000;
/// The usual length of a chapter in English words.
const CHAPTER_WORDS_EN: u32 = 2_500;

/// The length of a book, as far as it is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BookLength {
    /// The number of chapters.
    pub chapters: Option<u32>,
    /// The length of a chapter, in Chinese characters or English words.
    pub chapter_words: Option<u32>,
}

/// A stated number or range: `800`, `three to five`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountRange {
    /// The least number.
    pub least: u32,
    /// The greatest number.
    pub most: u32,
}

impl CountRange {
    /// Returns the range of one number.
    pub fn exactly(count: u32) -> Self {
        Self { least: count, most: count }
    }

    /// Returns whether a number lies in the range.
    pub fn contains(self, count: u32) -> bool {
        (self.least..=self.most).contains(&count)
    }

    /// Returns the range that was read if it ends with `most`, or else the number alone.
    fn ending_with(most: u32, read: Option<(u32, u32)>) -> Self {
        let least = read.filter(|(_, end)| *end == most).map_or(most, |(least, _)| least);
        Self { least, most }
    }
}

/// The length of a work as a text states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LengthDemand {
    /// The number of chapters.
    pub chapters: Option<CountRange>,
    /// The length of a chapter, in Chinese characters or English words.
    pub chapter_words: Option<CountRange>,
    /// The length of the whole work, likewise.
    pub words: Option<CountRange>,
}

/// Returns the length stated in `text`; nothing is derived from the stated numbers.
pub fn length_demand(text: &str, language: Language) -> LengthDemand {
    let folded = text.to_ascii_lowercase();
    let (chapters, words) = match language {
        Language::Zh => (chinese_chapters(text), chinese_words(text)),
        Language::En => (english_chapters(&folded), english_words(&folded)),
    };
    let (of_chapter, of_work) = match words.filter(|words| words.count.most > 0) {
        Some(WorkLength { count, is_of_chapter: true }) => (Some(count), None),
        Some(WorkLength { count, .. }) => (None, Some(count)),
        None => (None, None),
    };
    LengthDemand { chapters, chapter_words: of_chapter, words: of_work }
}

/// Returns the usual length of a chapter, in Chinese characters or English words.
pub fn usual_chapter(language: Language) -> u32 {
    match language {
        Language::Zh => CHAPTER_WORDS_ZH,
        Language::En => CHAPTER_WORDS_EN,
    }
}

/// Returns the length said in `text`. A total without a number of chapters is divided into chapters of usual length;
/// `第121到125章` are five chapters.
pub fn book_length(text: &str, language: Language) -> BookLength {
    let LengthDemand { chapters, chapter_words, words } = length_demand(text, language);
    let most = |range: Option<CountRange>| range.map(|range| range.most);
    let chapters = most(chapters);
    match most(words) {
        None => BookLength { chapters, chapter_words: most(chapter_words) },
        Some(count) => {
            let chapters = chapters.unwrap_or((count / usual_chapter(language)).max(1));
            BookLength { chapters: Some(chapters), chapter_words: Some((count / chapters.max(1)).max(1)) }
        }
    }
}

/// The length of a work, in characters or words.
struct WorkLength {
    count: CountRange,
    /// Whether the length is per chapter, or for the whole.
    is_of_chapter: bool,
}

fn chinese_chapters(text: &str) -> Option<CountRange> {
    text.match_indices(['章', '回']).find_map(|(at, sign)| {
        let head = text[..at].trim_end_matches([' ', '个', '多', '来', '余']);
        // 每幕五章 is the length of an arc.
        let read = chinese_range_at_end(head, &["章"]);
        if read.is_some_and(|(before, _)| parts::chinese_part(before, &text[at + sign.len()..]).is_some()) {
            return None;
        }
        let (before, last) = number_at_end(head)?;
        // 第三章 is a chapter, not a number of chapters; 第三到五章 are three.
        if before.ends_with('第') {
            return range_before(before.trim_end_matches('第'), last).map(CountRange::exactly);
        }
        let range = before.trim_end_matches(['第', ' ']).strip_suffix(['到', '至', '-', '–', '—', '~', '～']);
        match range.and_then(|before| number_at_end(before.trim_end_matches(['章', ' ']))) {
            Some((before, first)) if before.ends_with('第') && first <= last => {
                Some(CountRange::exactly(last - first + 1))
            }
            _ => Some(CountRange::ending_with(last, read.map(|(_, range)| range))),
        }
    })
}

/// Returns the number of chapters of a range whose end is `last`, if `text` ends with its beginning: `第121章到`.
fn range_before(text: &str, last: u32) -> Option<u32> {
    let text = text.trim_end().strip_suffix(['到', '至', '-', '–', '—', '~', '～'])?;
    let (before, first) = number_at_end(text.trim_end_matches(['章', '回', ' ']))?;
    (before.ends_with('第') && first <= last).then(|| last - first + 1)
}

/// Splits a number, in digits or Chinese numerals, from the end of `text`.
fn number_at_end(text: &str) -> Option<(&str, u32)> {
    const NUMERALS: &str = "一二两三四五六七八九十百千〇零万";
    let text = text.trim_end();
    let is_digit = |c: char| c.is_ascii_digit();
    let digits = text.trim_end_matches(is_digit);
    if digits.len() < text.len() {
        return Some((digits, text[digits.len()..].parse().ok()?));
    }
    let before = text.trim_end_matches(|c| NUMERALS.contains(c));
    let number = Some(&text[before.len()..]).filter(|number| !number.is_empty())?;
    let (_, most) = read_between(number).or_else(|| read_chinese(number).map(|count| (count, count)))?;
    Some((before, u32::try_from(most).ok()?))
}

/// Parses the length of the work: 三千字, 10万字, 每章2500字; of 每章600到900字 the greater number.
fn chinese_words(text: &str) -> Option<WorkLength> {
    text.match_indices('字').find_map(|(at, _)| {
        let head = text[..at].trim_end_matches(['多', '余', '来', ' ', '左', '右']);
        let (before, (least, most)) = chinese_range_at_end(head, &["字"])?;
        let ends = ['，', '。', '；', '、', '！', '？', ',', ';', '\n'];
        let clause = before.rsplit(ends).next().unwrap_or_default();
        let has = |words: &[&str]| words.iter().any(|word| clause.contains(word));
        // Not of 二十一章 and 第一章.
        let is_any = clause
            .match_indices("一章")
            .any(|(at, _)| !clause[..at].ends_with(|c: char| is_digit_or_numeral(c) || c == '第'));
        let is_of_chapter = (is_any || has(&["每章", "单章", "各章"])) && !has(&["共", "全书", "全文", "总字数"]);
        Some(WorkLength { count: CountRange { least, most }, is_of_chapter })
    })
}

fn english_chapters(folded: &str) -> Option<CountRange> {
    folded.match_indices("chapter").filter(|(at, _)| *at > 0).find_map(|(at, _)| {
        let head = folded[..at].trim_end_matches([' ', '-']);
        // `arcs of 5 chapters` is the length of an arc.
        let (before, rest) = (parts::english_words(head), &folded[at + "chapter".len()..]);
        let behind = parts::english_words(rest.trim_start_matches('s'));
        let read = english_range_at_end(&before);
        let of_part = read
            .and_then(|(used, _)| parts::english_part(&before[..before.len() - used], &behind, !rest.starts_with('s')));
        if of_part.is_some() {
            return None;
        }
        let count = english_count(&head.split([' ', '-']).collect::<Vec<_>>())?;
        Some(CountRange::ending_with(count, read.map(|(_, range)| range)))
    })
}

/// Parses the length of the work: 3,000 words, three thousand words, 2500 words a chapter.
fn english_words(folded: &str) -> Option<WorkLength> {
    let words: Vec<&str> = folded.split([' ', '-']).filter(|word| !word.is_empty()).collect();
    let is_unit = |word: &str| matches!(word.trim_matches(|c: char| !c.is_alphabetic()), "words" | "word");
    words.iter().enumerate().filter(|(_, word)| is_unit(word)).find_map(|(at, _)| {
        let count = english_count(&words[..at])?;
        // The split at hyphens has divided a range in digits: `600-900 words`.
        let parted = at.checked_sub(2).map(|first| (words[first], words[first + 1]));
        let parted = parted.filter(|(first, last)| folded.contains(&format!("{first}-{last}")));
        let parted = parted.and_then(|(first, _)| english_count(&[first])).filter(|first| *first < count);
        let read = parted.map(|first| (first, count)).or_else(|| Some(english_range_at_end(&words[..at])?.1));
        let behind = words[at + 1..].iter().take(2).map(|word| word.trim_matches(|c: char| !c.is_alphabetic()));
        let behind: Vec<&str> = behind.collect();
        let is_of_chapter =
            matches!(behind[..], ["a" | "per" | "each", "chapter"] | ["each", ..] | ["chapter" | "chapters", ..]);
        Some(WorkLength { count: CountRange::ending_with(count, read), is_of_chapter })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chapters_are_counted_as_they_are_said() {
        for (text, language, chapters) in [
            ("写一部五百章的玄幻", Language::Zh, Some(500)),
            ("一千章", Language::Zh, Some(1_000)),
            ("写一部1200章的都市文", Language::Zh, Some(1_200)),
            ("写三百多章", Language::Zh, Some(300)),
            ("改写第三章", Language::Zh, None),
            ("续写第121到125章", Language::Zh, Some(5)),
            ("续写第121章到第125章", Language::Zh, Some(5)),
            ("续写第一百二十一至一百二十五章", Language::Zh, Some(5)),
            ("三百万字的仙侠", Language::Zh, Some(1_000)),
            ("a LitRPG of two hundred chapters", Language::En, Some(200)),
            ("a thousand chapters", Language::En, Some(1_000)),
            ("a 1,200-chapter saga", Language::En, Some(1_200)),
            ("每幕五章，全书60章", Language::Zh, Some(60)),
            ("十章一卷的悬疑", Language::Zh, None),
            ("arcs of 5 chapters, 60 chapters in all", Language::En, Some(60)),
            ("5-chapter arcs in a book of 40 chapters", Language::En, Some(40)),
            ("A man of few words", Language::En, None),
            ("rewrite this chapter", Language::En, None),
        ] {
            assert_eq!(book_length(text, language).chapters, chapters, "{text}");
        }
    }

    #[test]
    fn a_range_of_words_belongs_to_the_chapter_before_it() {
        for (text, count, is_of_chapter) in [
            ("写三千字", 3_000, false),
            ("全书10万字左右", 100_000, false),
            ("每章2,500字", 2_500, true),
            ("120章，每章600到900字", 900, true),
            ("每章六百至九百字", 900, true),
            ("每章约写600-900字", 900, true),
            ("写十二章，每章正文300到600字", 600, true),
            ("每一章的篇幅在两千字左右", 2_000, true),
            ("写二十一章两万字", 20_000, false),
            ("每章都有悬念，全书三十万字", 300_000, false),
        ] {
            let length = chinese_words(text).unwrap();
            assert_eq!((length.count.most, length.is_of_chapter), (count, is_of_chapter), "{text}");
        }
    }

    #[test]
    fn all_numbers_of_a_length_are_read_as_ranges() {
        let range = |least: u32, most: u32| Some(CountRange { least, most });
        for (text, language, chapters, chapter_words, words) in [
            ("写三章，每章约800字", Language::Zh, range(3, 3), range(800, 800), None),
            ("写三到五章，每章600到900字", Language::Zh, range(3, 5), range(600, 900), None),
            ("全书三万字", Language::Zh, None, None, range(30_000, 30_000)),
            ("three to five chapters", Language::En, range(3, 5), None, None),
            ("3 chapters of about 800 words each", Language::En, range(3, 3), range(800, 800), None),
            ("600-900 words a chapter", Language::En, None, range(600, 900), None),
            ("three 800-word chapters", Language::En, None, range(800, 800), None),
            ("a novella of 30,000 words", Language::En, None, None, range(30_000, 30_000)),
        ] {
            let expected = LengthDemand { chapters, chapter_words, words };
            assert_eq!(length_demand(text, language), expected, "{text}");
        }
    }

    #[test]
    fn numbers_and_ranges_are_split_from_the_end() {
        for (text, before, range) in [
            ("课程两", "课程", (2, 2)),
            ("每节2千", "每节", (2_000, 2_000)),
            ("三四", "", (3, 4)),
            ("约八百到一千", "约", (800, 1_000)),
            ("做三节到五", "做", (3, 5)),
            ("1.5万", "", (15_000, 15_000)),
        ] {
            assert_eq!(chinese_range_at_end(text, &["节"]), Some((before, range)), "{text}");
        }
        assert_eq!(chinese_range_at_end("几", &[]), None);
        for (text, range) in [
            ("only two", Some((1, (2, 2)))),
            ("about 1,200", Some((1, (1_200, 1_200)))),
            ("two hundred", Some((2, (200, 200)))),
            ("3-5", Some((1, (3, 5)))),
            ("three or four", Some((3, (3, 4)))),
            ("between 800 and 1000", Some((3, (800, 1_000)))),
            ("lesson 2 and 3", Some((1, (3, 3)))),
            ("the 2nd", None),
            ("second", None),
            ("a few", None),
        ] {
            assert_eq!(english_range_at_end(&text.split(' ').collect::<Vec<_>>()), range, "{text}");
        }
    }
}

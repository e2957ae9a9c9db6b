//! Parsing of the number at the beginning of a title.

use crate::language::is_han;
use crate::numerals::{is_heading_numeral, is_plain_numeral, read_english, read_heading_number};

/// The parsed beginning of a title: a number, with its counting word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChapterHeading<'t> {
    /// Whether the heading numbers a volume or a chapter.
    pub rank: HeadingLevel,
    /// The number.
    pub number: u32,
    /// The volume number before the chapter number: 2 for `第二卷 第三章`.
    pub volume: Option<u32>,
    /// The counting word, such as `章`; empty for a bare number.
    pub unit: &'t str,
    /// The title up to and including the number and the counting word: `第三章` for `第三章 夜雨`.
    pub words: &'t str,
    /// The rest of the title, without separators.
    pub rest: &'t str,
}

/// The level of a heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HeadingLevel {
    /// A volume, part or act.
    Volume,
    /// A chapter, or a part of a chapter.
    Chapter,
    /// A bare number.
    Bare,
}

impl ChapterHeading<'_> {
    /// Returns a normalized counting word, equal for both languages and all spellings; empty for a bare number.
    pub fn class(&self) -> &'static str {
        let classes: &[(&str, &[&str])] = &[
            ("chapter", &["章", "回", "话", "話", "折", "chapter", "ch"]),
            ("section", &["节", "節", "section"]),
            ("scene", &["场", "場", "scene"]),
            ("act", &["幕", "act"]),
            ("volume", &["卷", "volume", "vol"]),
            ("part", &["部", "part"]),
            ("book", &["册", "冊", "book"]),
            ("episode", &["集", "episode"]),
            ("lesson", &["讲", "講", "课", "課", "lesson"]),
            ("night", &["夜", "night"]),
            ("", &[""]),
        ];
        let known = classes.iter().find(|(_, words)| words.iter().any(|word| self.unit.eq_ignore_ascii_case(word)));
        let english = || ENGLISH_CHAPTERS.iter().find(|word| self.unit.eq_ignore_ascii_case(word)).copied();
        known.map(|(class, _)| *class).or_else(english).unwrap_or("other")
    }
}

/// Words for volumes; `true` if a name may follow without a separator.
const VOLUMES: &[(&str, bool)] = &[
    ("卷", true),
    ("部", false),
    ("篇", false),
    ("编", false),
    ("編", false),
    ("季", false),
    ("集", false),
    ("册", false),
    ("冊", false),
    ("辑", false),
    ("輯", false),
];
/// Words for chapters; `true` if a title may follow without a separator.
const CHAPTERS: &[(&str, bool)] = &[
    ("章", true),
    ("回", true),
    ("折", true),
    ("节", false),
    ("節", false),
    ("话", false),
    ("話", false),
    ("幕", false),
    ("场", false),
    ("場", false),
    ("讲", false),
    ("講", false),
    ("课", false),
    ("課", false),
    ("夜", false),
];
const ENGLISH_VOLUMES: &[&str] = &["volume", "vol", "book", "part", "act"];
const ENGLISH_CHAPTERS: &[&str] = &[
    "chapter",
    "ch",
    "letter",
    "stave",
    "adventure",
    "canto",
    "episode",
    "scene",
    "day",
    "lesson",
    "section",
    "fable",
    "night",
];
/// Prefixes of titles outside the book's chapter numbering.
const BESIDE: &[&str] = &["番外", "外传", "外傳", "前传", "前傳", "后传", "後傳", "特别篇", "特典", "附录", "附錄"];
/// Prefixes inserted by publishing sites before a title.
const PREFIXES: &[&str] = &["正文", "VIP", "vip"];
/// The maximum length in characters of a volume's name between the volume and chapter numbers.
const LONGEST_NAME: usize = 24;

/// Parses the Chinese or English number at the beginning of `title`, ignoring decoration before the number.
pub fn heading(title: &str) -> Option<ChapterHeading<'_>> {
    let text = title.trim_start_matches(|c: char| !c.is_alphanumeric());
    if BESIDE.iter().any(|word| text.starts_with(word)) {
        return None;
    }
    let text = PREFIXES.iter().find_map(|prefix| text.strip_prefix(prefix)).unwrap_or(text);
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let found = chinese(text).or_else(|| english(text)).or_else(|| bare(text)).or_else(|| behind_a_title(text))?;
    let end = title.len() - found.rest.len();
    let words = title[title.len() - text.len()..end].trim();
    let rest = found.rest.trim_start_matches(|c: char| !c.is_alphanumeric() && !opens(c)).trim();
    Some(ChapterHeading { words, rest, ..found })
}

/// Returns whether the mark belongs to the title after the mark.
pub(super) fn opens(c: char) -> bool {
    matches!(c, '“' | '「' | '『' | '《' | '"' | '‘' | '〈')
}

fn chinese(text: &str) -> Option<ChapterHeading<'_>> {
    let of = |rank, volume, (number, unit, rest)| ChapterHeading { rank, number, volume, unit, words: "", rest };
    if let Some((volume, unit, rest)) = counted(text, VOLUMES).or_else(|| volume_before_number(text)) {
        if let Some(chapter) = chapter_of_volume(rest) {
            return Some(of(HeadingLevel::Chapter, Some(volume), chapter));
        }
        let is_bordered = unit == "卷" || begins_apart(rest);
        return is_bordered.then(|| of(HeadingLevel::Volume, None, (volume, unit, rest)));
    }
    counted(text, CHAPTERS).map(|chapter| of(HeadingLevel::Chapter, None, chapter))
}

/// Parses the chapter after a volume number.
fn chapter_of_volume(rest: &str) -> Option<(u32, &str, &str)> {
    let ends = rest.char_indices().take_while(|(_, c)| !matches!(c, '章' | '回')).take(LONGEST_NAME);
    let starts = ends.filter(|(_, c)| *c == '第').map(|(at, _)| at);
    starts.into_iter().find_map(|at| counted(&rest[at..], CHAPTERS)).or_else(|| {
        let number = rest.strip_prefix([' ', '·', '\u{3000}'])?.trim_start();
        let end = number.find(|c| !is_plain_numeral(c)).unwrap_or(number.len());
        let is_apart = number[end..].is_empty() || number[end..].starts_with(|c: char| is_cut(c) || c.is_whitespace());
        Some((read(&number[..end])?, "", &number[end..])).filter(|_| is_apart)
    })
}

/// Parses `第三章`, and returns number, word and rest.
fn counted<'t>(text: &'t str, units: &[(&str, bool)]) -> Option<(u32, &'t str, &'t str)> {
    let (number, rest) = number(text.strip_prefix('第')?)?;
    let (unit, joins) = units.iter().find(|(unit, _)| rest.starts_with(unit))?;
    let (unit, rest) = rest.split_at(unit.len());
    let is_volume = std::ptr::eq(units, VOLUMES);
    (*joins || is_volume || begins_apart(rest)).then_some((number, unit, rest))
}

/// Parses `卷三`, `卷之三`, `上卷`.
fn volume_before_number(text: &str) -> Option<(u32, &str, &str)> {
    if let Some(rest) = text.strip_prefix('卷') {
        let (number, rest) = number(rest.trim_start_matches(['之', '第']))?;
        return begins_apart(rest).then(|| (number, &text[..'卷'.len_utf8()], rest));
    }
    let place = text.chars().next().and_then(|c| "上中下".chars().position(|place| place == c))?;
    let rest = &text['上'.len_utf8()..];
    let unit = ["卷", "部", "篇", "册", "集"].into_iter().find(|unit| rest.starts_with(unit))?;
    let (unit, rest) = rest.split_at(unit.len());
    begins_apart(rest).then(|| (u32::try_from(place).unwrap_or_default() + 1, unit, rest))
}

/// Parses a leading number, with optional spaces: `三`, `１２`, ` 一 百 `.
fn number(text: &str) -> Option<(u32, &str)> {
    let is_part = |c: char| is_heading_numeral(c) || matches!(c, ' ' | '\u{3000}' | '廿' | '卅');
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    Some((read(&text[..end])?, &text[end..]))
}

fn read(number: &str) -> Option<u32> {
    let close: String = number.chars().filter(|c| !c.is_whitespace()).collect();
    read_heading_number(&close)
}

fn english(text: &str) -> Option<ChapterHeading<'_>> {
    if let Some((volume, unit, rest)) = named(text, ENGLISH_VOLUMES) {
        let behind = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        let near = rest.len() - behind.len() <= 4;
        let chapter = Some(behind).filter(|_| near && behind.len() < rest.len());
        return Some(match chapter.and_then(|chapter| named(chapter, ENGLISH_CHAPTERS)) {
            Some((number, unit, rest)) => {
                ChapterHeading { rank: HeadingLevel::Chapter, number, volume: Some(volume), unit, words: "", rest }
            }
            None => ChapterHeading { rank: HeadingLevel::Volume, number: volume, volume: None, unit, words: "", rest },
        });
    }
    let (number, unit, rest) = named(text, ENGLISH_CHAPTERS)?;
    Some(ChapterHeading { rank: HeadingLevel::Chapter, number, volume: None, unit, words: "", rest })
}

/// Parses `Chapter 3`, `ch. 3`, `Chapter the First`, `Stave Twenty-One`.
fn named<'t>(text: &'t str, units: &[&str]) -> Option<(u32, &'t str, &'t str)> {
    let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (unit, rest) = text.split_at(end);
    units.iter().find(|known| unit.eq_ignore_ascii_case(known))?;
    let behind = rest.trim_start_matches([' ', '.', ':', '：', '-', '\u{a0}', '\u{3000}']);
    if let Some((number, rest)) = digits(behind) {
        let (suffix, is_ordinal) = (rest.get(..2).unwrap_or_default(), rest.len() > 1);
        let rest = if is_ordinal && ["st", "nd", "rd", "th"].contains(&suffix) { &rest[2..] } else { rest };
        return (!rest.starts_with(|c: char| c.is_ascii_alphanumeric())).then_some((number, unit, rest));
    }
    if behind.len() == rest.len() {
        return None;
    }
    let behind = behind.strip_prefix("the ").or_else(|| behind.strip_prefix("The ")).unwrap_or(behind);
    let behind = behind.strip_prefix("THE ").unwrap_or(behind);
    // The longest run of words forming a number: `one hundred and two`, `Twenty-One`.
    let is_word = |c: char| c.is_ascii_alphabetic() || c == '-';
    let ends = behind.char_indices().filter(|(at, c)| *at > 0 && !is_word(*c)).map(|(at, _)| at);
    let ends: Vec<usize> = ends.take(4).chain([behind.len()]).collect();
    ends.into_iter().rev().find_map(|end| {
        let word = &behind[..end];
        Some((read_english(word).filter(|_| !word.ends_with([' ', '-', '.']))?, unit, &behind[end..]))
    })
}

/// Parses leading digits of any width.
fn digits(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !matches!(c, '0'..='9' | '０'..='９')).unwrap_or(text.len());
    Some((read(&text[..end])?, &text[end..]))
}

/// Parses a bare number, or a number separated from the title by a mark: `12`, `001 夜雨`, `一、夜雨`, `IV. The Gate`,
/// `Twelve`.
fn bare(text: &str) -> Option<ChapterHeading<'_>> {
    let of = |number, rest| {
        Some(ChapterHeading { rank: HeadingLevel::Bare, number, volume: None, unit: "", words: "", rest })
    };
    if let Some((number, rest)) = digits(text).filter(|(number, _)| *number < 10_000) {
        let title = rest.trim_start();
        let is_spaced = title.len() < rest.len() && (text.starts_with('0') || title.starts_with(is_han));
        let is_decimal = rest.starts_with('.') && rest[1..].starts_with(|c: char| c.is_ascii_digit());
        return if rest.is_empty() || is_spaced || rest.starts_with(is_cut) && !is_decimal {
            of(number, rest)
        } else {
            None
        };
    }
    let end = text.find(|c| !is_plain_numeral(c)).unwrap_or(text.len());
    let (written, rest) = text.split_at(end);
    // `万 历` and `两 难` start no list.
    let is_number = !written.starts_with(['百', '千', '万', '萬', '亿', '億', '两', '兩']);
    if end > 0 && is_number && (rest.is_empty() || rest.starts_with(is_cut) || rest.starts_with(char::is_whitespace)) {
        return of(read(written)?, rest);
    }
    let end = text.find(|c: char| !c.is_ascii_alphabetic() && c != '-').unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let is_roman = word.chars().all(|c| "IVXLC".contains(c));
    let is_word = word.len() > 2 && !word.chars().all(|c| "IVXLCivxlc".contains(c)) && rest.trim().is_empty();
    let is_marked = rest.trim().is_empty() || rest.starts_with(['.', ':', '：', '—', '–']);
    if word.is_empty() || !(is_roman && is_marked || is_word) {
        return None;
    }
    of(read_english(word)?, rest)
}

/// Parses `十二把钥匙 第一章`: the number after the book's title.
fn behind_a_title(text: &str) -> Option<ChapterHeading<'_>> {
    let ends = |c: char| c.is_whitespace() || matches!(c, '_' | '-' | '—' | '·' | '|' | '》' | '】' | ']');
    let mut before = None;
    for (at, c) in text.char_indices().take(LONGEST_NAME) {
        if c == '第' && before.is_some_and(ends) {
            let units = &CHAPTERS[..2];
            let (number, unit, rest) = counted(&text[at..], units)?;
            return Some(ChapterHeading { rank: HeadingLevel::Chapter, number, volume: None, unit, words: "", rest });
        }
        if matches!(c, '，' | '。' | '！' | '？' | '：' | '；') {
            return None;
        }
        before = Some(c);
    }
    None
}

/// Returns whether `rest` is separated from the preceding text.
fn begins_apart(rest: &str) -> bool {
    !rest.starts_with(|c: char| is_han(c) || c.is_ascii_alphanumeric())
}

/// Returns whether `c` separates a number from its title.
fn is_cut(c: char) -> bool {
    matches!(c, '、' | '.' | '．' | ':' | '：' | ')' | '）' | ']' | '】' | '〕')
}

/// Returns the byte range of the first chapter number in `text`: `第三章` in `把第三章改短`, `chapter 3`.
pub fn mention(text: &str) -> Option<std::ops::Range<usize>> {
    let starts = text.char_indices().filter(|(at, c)| {
        let is_word_start = || !text[..*at].ends_with(|c: char| c.is_ascii_alphanumeric());
        *c == '第' || matches!(c, 'c' | 'C') && is_word_start()
    });
    starts.map(|(at, _)| at).find_map(|at| mention_at(&text[at..]).map(|(length, _)| at..at + length))
}

/// Parses a leading chapter name of `text`, and returns its length in bytes and the number. Words may follow without a
/// separator.
pub fn mention_at(text: &str) -> Option<(usize, u32)> {
    if let Some((number, rest)) = text.strip_prefix('第').and_then(number) {
        let unit = ["章", "回", "节", "節", "话", "話"].into_iter().find(|unit| rest.starts_with(unit))?;
        return Some((text.len() - rest.len() + unit.len(), number));
    }
    if let Some((number, _, rest)) = named(text, &["chapter", "chapters", "ch"]) {
        return Some((text.len() - rest.len(), number));
    }
    None
}

//! Headings told by their words: `第十二章 夜雨`, `卷二`, `楔子`, `Chapter Nine: Rain`.

use crate::numerals::{is_numeral, read_chinese, read_english};

/// A line longer than this is a sentence, in characters.
const LONGEST: usize = 60;
/// Marks that may stand between the number of a heading and its title.
const BETWEEN: &[char] = &[' ', '\t', '\u{3000}', '\u{a0}', ':', '：', '、', '.', '．', '·', '-', '—', '–', '|', '｜'];
/// Marks that a title which clings to its number cannot have: that is a sentence.
const NEVER_CLINGING: &[char] = &['，', '。', '；', ',', ';', '“', '”', '「', '」', '"', '…'];

/// What a line is the heading of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// The volume that begins, if one does.
    pub volume: Option<Label>,
    /// The chapter that begins, if one does.
    pub chapter: Option<Label>,
}

/// A volume or chapter, as its heading names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Its number, if it has one.
    pub number: Option<u32>,
    /// All its words, number and title.
    pub words: String,
}

impl Label {
    fn of(number: Option<u32>, words: &str) -> Self {
        Self { number, words: tidy(words) }
    }
}

/// Reads a line as a heading; `None` if it does not look like one.
pub fn read(line: &str) -> Option<Heading> {
    let line = trim(line);
    if line.is_empty() || line.chars().count() > LONGEST {
        return None;
    }
    let inner = line.strip_prefix(['【', '［', '[', '《']).and_then(|rest| rest.strip_suffix(['】', '］', ']', '》']));
    chinese(inner.unwrap_or(line)).or_else(|| english(line))
}

/// Reads a line that has only a number, or a number and a short title: `1`, `12. 夜雨`, `三、归来`.
///
/// Such lines are headings only if they count; the splitter looks at that.
pub(crate) fn read_bare(line: &str) -> Option<Label> {
    let line = trim(line);
    let end = line.find(|c: char| !is_numeral(c)).unwrap_or(line.len());
    let number = read_chinese(&line[..end])?;
    let rest = &line[end..];
    let title = trim(rest.trim_start_matches(BETWEEN));
    let parted = rest.is_empty() || rest.starts_with(BETWEEN);
    let short = title.chars().count() <= 30 && !title.contains(NEVER_CLINGING);
    (parted && short).then(|| Label::of(Some(number), line))
}

/// Without the spaces around it, wide ones included.
pub(crate) fn trim(line: &str) -> &str {
    line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}'))
}

/// With single spaces.
pub(crate) fn tidy(line: &str) -> String {
    line.split(|c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}'))
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

fn chinese(line: &str) -> Option<Heading> {
    if let Some((label, rest)) = chinese_volume(line) {
        let chapter = chapter_within(rest);
        let volume = Some(match &chapter {
            Some((at, _)) => Label::of(label.number, &line[..line.len() - rest.len() + at]),
            None => label,
        });
        return Some(Heading { volume, chapter: chapter.map(|(_, label)| label) });
    }
    let chapter = counted(line, &['章', '回', '节', '節', '话', '話', '幕', '折']).or_else(|| named(line));
    chapter.map(|label| Heading { volume: None, chapter: Some(label) })
}

/// A volume at the beginning of a line, and what stands behind its number.
fn chinese_volume(line: &str) -> Option<(Label, &str)> {
    if let Some(label) = counted(line, &['卷', '部', '集', '篇']) {
        let (_, rest) = line.split_once(['卷', '部', '集', '篇'])?;
        return Some((label, rest));
    }
    if let Some(rest) = line.strip_prefix('卷') {
        let end = rest.find(|c: char| !is_numeral(c)).unwrap_or(rest.len());
        let after = &rest[end..];
        let number = read_chinese(&rest[..end])?;
        return (after.is_empty() || after.starts_with(BETWEEN)).then(|| (Label::of(Some(number), line), after));
    }
    let rest = line.strip_prefix(['上', '中', '下', '正'])?.strip_prefix(['卷', '部', '篇'])?;
    (rest.is_empty() || rest.starts_with(BETWEEN)).then(|| (Label::of(None, line), rest))
}

/// A chapter that begins behind a volume on the same line.
fn chapter_within(rest: &str) -> Option<(usize, Label)> {
    let at = rest.match_indices('第').find_map(|(at, _)| {
        let parted = at == 0 || rest[..at].ends_with(BETWEEN);
        let label = counted(&rest[at..], &['章', '回', '节', '節', '话', '話'])?;
        parted.then_some((at, label))
    });
    at.filter(|(at, _)| *at > 0)
}

/// `第` number unit, then nothing, a mark and a title, or a title that clings.
fn counted(line: &str, units: &[char]) -> Option<Label> {
    let rest = line.strip_prefix('第')?.trim_start_matches(' ');
    let end = rest.find(|c: char| !is_numeral(c))?;
    let number = read_chinese(&rest[..end])?;
    let after = rest[end..].trim_start_matches(' ').strip_prefix(units)?;
    is_title(after).then(|| Label::of(Some(number), line))
}

fn is_title(after: &str) -> bool {
    if after.is_empty() {
        return true;
    }
    if after.starts_with(BETWEEN) || after.starts_with(['（', '(', '【', '《']) {
        return !after.ends_with(['。', '，', '；', ',', ';']);
    }
    let clings = !after.starts_with(['的', '里', '中', '是', '了', '在', '就', '都', '也', '才', '，', '。']);
    clings && after.chars().count() <= 20 && !after.contains(NEVER_CLINGING)
}

/// `楔子`, `番外三 海边`, `尾声`.
fn named(line: &str) -> Option<Label> {
    const NAMES: &[&str] = &[
        "序章",
        "序幕",
        "序言",
        "序曲",
        "序",
        "楔子",
        "引子",
        "引言",
        "前言",
        "开篇",
        "番外篇",
        "番外",
        "外传",
        "外篇",
        "特别篇",
        "终章",
        "终幕",
        "尾声",
        "尾聲",
        "后记",
        "後記",
        "跋",
        "附录",
        "附錄",
        "大结局",
        "完结感言",
        "作者的话",
    ];
    let name = NAMES.iter().find(|name| line.starts_with(**name))?;
    let after = &line[name.len()..];
    let number_end = after.find(|c: char| !is_numeral(c)).unwrap_or(after.len());
    let behind = &after[number_end..];
    let parted = behind.is_empty() || behind.starts_with(BETWEEN) || behind.starts_with(['（', '(']);
    (parted && !line.ends_with(['。', '，'])).then(|| Label::of(None, line))
}

fn english(line: &str) -> Option<Heading> {
    const ALONE: &[&str] = &[
        "prologue",
        "epilogue",
        "interlude",
        "foreword",
        "preface",
        "introduction",
        "afterword",
        "appendix",
        "coda",
        "postscript",
    ];
    let first_end = line.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(line.len());
    let (first, after) = line.split_at(first_end);
    let lower = first.to_ascii_lowercase();
    if !first.starts_with(|c: char| c.is_ascii_uppercase()) {
        return None;
    }
    let parted = |after: &str| after.is_empty() || trim(after).is_empty() || after.trim_start().starts_with(BETWEEN);
    if ALONE.contains(&lower.as_str()) {
        let chapter = Some(Label::of(None, line));
        return parted(after).then_some(Heading { volume: None, chapter });
    }
    let is_volume = match lower.as_str() {
        "chapter" => false,
        "volume" | "part" | "book" => true,
        _ => return None,
    };
    let after = after.strip_prefix([' ', '\u{a0}'])?.trim_start();
    let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(after.len());
    // A dash may part the number from the title, or stand inside of a number.
    let word = after[..end].trim_end_matches('-');
    let (word, rest) = match read_english(word) {
        Some(_) => (word, &after[word.len()..]),
        None => word.split_once('-').map(|(word, _)| (word, &after[word.len()..]))?,
    };
    let number = read_english(word)?;
    let plain_title = rest.starts_with(' ') && rest.trim_start().starts_with(|c: char| c.is_uppercase() || c == '“');
    let fits = parted(rest) || plain_title && !rest.ends_with(['.', ',', ';']);
    let label = Some(Label::of(Some(number), line));
    let heading =
        if is_volume { Heading { volume: label, chapter: None } } else { Heading { volume: None, chapter: label } };
    fits.then_some(heading)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> String {
        let Some(Heading { volume, chapter }) = read(line) else { return "text".into() };
        let label = |kind: &str, label: Option<Label>| {
            label.map(|l| format!("{kind}{} {}", l.number.map_or("-".into(), |n| n.to_string()), l.words))
        };
        [label("v", volume), label("c", chapter)].into_iter().flatten().collect::<Vec<_>>().join(" / ")
    }

    #[test]
    fn headings_are_told_from_sentences() {
        let cases = [
            ("第三章", "c3 第三章"),
            ("　　第十二章　夜雨", "c12 第十二章 夜雨"),
            ("第12章：归来", "c12 第12章：归来"),
            ("第 12 章 归来", "c12 第 12 章 归来"),
            ("第一百零三回 风雪", "c103 第一百零三回 风雪"),
            ("第三章雨夜来客", "c3 第三章雨夜来客"),
            ("【第五章 重逢】", "c5 第五章 重逢"),
            ("第三章的时候，他还不知道", "text"),
            ("第三章他写了三天，终于写完。", "text"),
            ("第三章 他写完了。", "text"),
            ("第一卷 风起", "v1 第一卷 风起"),
            ("卷二 云涌", "v2 卷二 云涌"),
            ("卷起袖子", "text"),
            ("上卷", "v- 上卷"),
            ("上部队去了", "text"),
            ("第一卷 风起 第三章 夜雨", "v1 第一卷 风起 / c3 第三章 夜雨"),
            ("楔子", "c- 楔子"),
            ("番外二 海边", "c- 番外二 海边"),
            ("番外的事他不管", "text"),
            ("序幕拉开了", "text"),
            ("尾声（上）", "c- 尾声（上）"),
            ("Chapter 12", "c12 Chapter 12"),
            ("CHAPTER IX. The Rain", "c9 CHAPTER IX. The Rain"),
            ("Chapter Twenty-One: Home", "c21 Chapter Twenty-One: Home"),
            ("Chapter Two Rain", "c2 Chapter Two Rain"),
            ("Chapter 3 - Rain", "c3 Chapter 3 - Rain"),
            ("Chapter 3-Rain", "c3 Chapter 3-Rain"),
            ("Chapter two was the longest of them.", "text"),
            ("Part One", "v1 Part One"),
            ("Part of him wanted to stay.", "text"),
            ("Book I", "v1 Book I"),
            ("Prologue", "c- Prologue"),
            ("Prologue to a war", "text"),
            ("他推开门。", "text"),
            ("", "text"),
        ];
        cases.iter().for_each(|(line, expected)| assert_eq!(told(line), *expected, "{line}"));
    }

    #[test]
    fn bare_numbers() {
        let number = |line| read_bare(line).and_then(|label| label.number);
        assert_eq!(number("12"), Some(12));
        assert_eq!(number("三、归来"), Some(3));
        assert_eq!(number("3. The Rain"), Some(3));
        assert_eq!(number("一个人走了"), None);
        assert_eq!(number("1、他来了，又走了。"), None);
    }
}

//! The forms of headings, parsed from `data/headings.toml`.

use std::sync::LazyLock;

use regex::{Regex, RegexSet};
use serde::Deserialize;

use super::doubt::{self, SentenceDoubt};
use super::label::{BETWEEN, HeadingLabel, ParsedHeading};
use super::names;
use crate::spaces::tidy;
use qingyu_story::language::is_han;
use qingyu_story::numerals;

/// Maximum length of a heading in bytes.
const LONGEST: usize = 480;

/// The rank of the text that a heading of a form begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum HeadingRank {
    /// A volume, part or act; a chapter if nothing is below.
    Volume,
    /// A chapter.
    Chapter,
    /// A chapter with a name instead of a number.
    Named,
    /// A section of a chapter; a chapter if nothing is above.
    Section,
    /// Any other unit: a chapter, if the numbers count up.
    Generic,
    /// A number alone, or with a title.
    Bare,
    /// A title followed by a number.
    Trailing,
    /// A misprinted heading, told only by a number that is missing between two others.
    Misprint,
}

/// A line parsed by a heading form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LineForm {
    /// The name of the form.
    pub(crate) form: &'static str,
    /// The rank of the text that the heading begins.
    pub(crate) rank: HeadingRank,
    /// Whether every line of the form is a heading.
    pub(crate) is_certain: bool,
    /// The family: form and unit.
    pub(crate) family: String,
    /// How much the line resembles a sentence.
    pub(crate) doubt: SentenceDoubt,
    /// The number.
    pub(crate) number: Option<u32>,
    /// A numeral that cannot be read as it is printed: `ll`, `XVIL`.
    pub(crate) misread: Option<String>,
    /// The title without the number; empty without a title.
    pub(crate) title: String,
    /// The full heading.
    pub(crate) words: String,
    /// The volume on the same line.
    pub(crate) volume: Option<HeadingLabel>,
    /// Words before the heading.
    pub(crate) prefix: Option<String>,
}

impl LineForm {
    /// Returns whether the misread numeral can mean a number: `ll` for 2 or 11, `XVIL` for 17. Letters and digits that look alike
    /// are the same.
    pub(crate) fn may_mean(&self, number: u32) -> bool {
        /// The highest number that is written in Roman numerals.
        const MOST: u32 = 399;
        let folded = |text: &str| -> String {
            let alike = |c: char| match c {
                'l' | 'L' | '1' | 'i' | '|' | '!' => 'I',
                '0' | 'o' => 'O',
                other => other.to_ascii_uppercase(),
            };
            text.chars().map(alike).collect()
        };
        let Some(misread) = self.misread.as_deref().filter(|_| number <= MOST) else { return false };
        [number.to_string(), numerals::in_roman(number)].iter().any(|meant| folded(meant) == folded(misread))
    }

    /// Returns the volume and the name behind it as one heading, `第五卷 终章`; `None` for another form. The headings around
    /// decide whether the name is that of a chapter instead.
    pub(crate) fn named_volume(&self) -> Option<HeadingLabel> {
        let volume = self.volume.as_ref().filter(|_| self.rank == HeadingRank::Named && !self.is_certain)?;
        Some(HeadingLabel { number: volume.number, words: format!("{} {}", volume.words, self.words) })
    }

    /// Returns the line as a heading.
    pub(crate) fn heading(&self) -> ParsedHeading {
        let label = || HeadingLabel { number: self.number, words: self.words.clone() };
        match self.rank {
            HeadingRank::Volume => ParsedHeading { volume: Some(label()), chapter: None },
            _ => ParsedHeading { volume: self.volume.clone(), chapter: Some(label()) },
        }
    }
}

/// Returns the heading form of a line; `None` if no form matches.
pub(crate) fn shape(line: &str) -> Option<LineForm> {
    let line = line.trim_matches(|c: char| c.is_whitespace() || is_unprintable(c));
    if line.is_empty() || line.len() > LONGEST {
        return None;
    }
    let tidied = with_numeral(tidy(without_note(without_site(line))));
    if is_book_title(&tidied) {
        return None;
    }
    let plain = undecorated(&tidied);
    let found = by_form(&tidied);
    // ☆、第三章 夜雨（上） is no title before a number.
    let is_decorated = found.as_ref().is_none_or(|found| found.rank == HeadingRank::Trailing);
    plain.as_deref().filter(|_| is_decorated).and_then(by_form).or(found)
}

/// Returns the line with the dash in its number read as a numeral: `第十—回`, a misprint of `第十一回`.
fn with_numeral(line: String) -> String {
    static DASH: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            "^第 ?(?:[一二三四五六七八九十百千]+[—―－-]|[—―－-][十百千])[一二三四五六七八九十百千]* ?[章回节節卷]",
        )
        .expect("constant")
    });
    match DASH.find(&line) {
        Some(head) => {
            let number = head.as_str().replace(['—', '―', '－', '-'], "一");
            format!("{number}{}", &line[head.end()..])
        }
        None => line,
    }
}

/// Returns whether a line is the title of a book with its author: `《第九章》作者：某甲`.
fn is_book_title(line: &str) -> bool {
    let after = line.strip_prefix('《').and_then(|rest| rest.split_once('》'));
    after.is_some_and(|(_, after)| after.trim_start().starts_with("作者"))
}

/// Returns whether a character has no form of its own: remains of fonts and of markup around a heading.
fn is_unprintable(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{fffc}')
}

/// Returns the line without the address of a site at its end, in brackets or behind a space: `第3章 夜雨(www.example.com)`.
pub(crate) fn without_site(line: &str) -> &str {
    const OPEN: &[char] = &['(', '（', '[', '［', '【', '〔'];
    const CLOSE: &[char] = &[')', '）', ']', '］', '】', '〕'];
    static SITE: LazyLock<Regex> = LazyLock::new(|| {
        const ENDS: &str = "com|net|org|cc|cn|la|info|me|tw|xyz|top|co";
        let site = format!(
            r"(?i)^[^。，]{{0,12}}?[a-z0-9][a-z0-9-]{{1,30}}(?:\.[a-z0-9-]{{2,20}})*\.(?:{ENDS})\b[^。，]{{0,12}}$"
        );
        Regex::new(&site).expect("constant")
    });
    if !line.contains('.') {
        return line;
    }
    if let Some((before, site)) = line.rsplit_once(' ').filter(|(before, _)| before.starts_with('第'))
        && site.starts_with(|c: char| c.is_ascii_alphanumeric())
        && SITE.is_match(site)
    {
        return before.trim_end();
    }
    let Some(inside) = line.strip_suffix(CLOSE) else { return line };
    match inside.rsplit_once(OPEN) {
        Some((before, site)) if !before.trim().is_empty() && SITE.is_match(site.trim()) => before.trim_end(),
        _ => line,
    }
}

/// Returns the line without what a site appends to a heading: the length of the chapter, or when it was published.
fn without_note(line: &str) -> &str {
    static NOTE: LazyLock<Regex> = LazyLock::new(|| {
        let told = "(?:本章|章节)?字[数數][:：] *[0-9]|(?:(?:最新|最后)?更新(?:时间|日期)|发布时间)[:：] *[0-9]|更新[:：] *[0-9]{2,4}[-/年]";
        Regex::new(&format!(r"\s*[\[【（(〔]?(?:{told}).*$|\s*[（(][0-9]{{3,5}}字[)）]$")).expect("constant")
    });
    if !line.contains('字') && !line.contains("时间") && !line.contains("更新") {
        return line;
    }
    let end = NOTE.find(line).map_or(line.len(), |note| note.start());
    if end == 0 { line } else { &line[..end] }
}

fn by_form(line: &str) -> Option<LineForm> {
    let table = &*TABLE;
    if names::is_name(line) {
        // 番外 第一章 differs from a chapter by the table.
        let mut extra = table.forms.iter().filter(|form| form.rank == HeadingRank::Named && form.is_certain);
        let extra = extra.find_map(|form| form.read(line));
        return Some(extra.unwrap_or_else(|| named(line)));
    }
    let mut found = may_have_form(line).then(|| table.set.matches(line)).into_iter().flatten();
    found.find_map(|index| table.forms[index].read(line))
}

/// Returns whether any form can match a line: rejects nearly all Chinese prose without the patterns, which are slow.
fn may_have_form(line: &str) -> bool {
    /// The first characters of forms in Chinese characters that do not contain 第.
    const FIRST: &str = "卷上中下正分单單封零〇○一二两三四五六七八九十百千万壹贰叁肆伍陆柒捌玖拾佰仟兩貳參陸萬廿卅";
    /// Length in bytes of a name below the title of the book: `长夜 后记`.
    const NAMED: usize = 120;
    const NAMES: &[&str] = &["序", "楔子", "引子", "前言", "尾声", "尾聲", "记", "記", "番外", "附录", "附錄", "跋"];
    const MISPRINTS: &str = "地弟笫我苐帝递";
    let mut characters = line.chars();
    let mut is_misprint = || {
        characters.next().is_some_and(|c| MISPRINTS.contains(c)) && characters.next().is_some_and(numerals::is_numeral)
    };
    let counts_behind = || {
        let before = line.trim_end_matches(numerals::is_numeral);
        before.ends_with(['之', '其']) || before.len() <= NAMED && before.trim_end().ends_with(['章', '篇', '卷', '部'])
    };
    line.contains('第')
        || line.len() <= NAMED && (line.contains("之章") || line.contains("之篇"))
        || line.len() <= NAMED && line.contains(['）', ')'])
        || line.ends_with(['）', ')'])
        || line.len() <= NAMED && counts_behind_word(line)
        || line.ends_with(numerals::is_numeral) && counts_behind()
        || line.len() <= NAMED && line.contains(' ') && NAMES.iter().any(|name| line.contains(name))
        || line.starts_with(|c: char| !is_han(c) || FIRST.contains(c))
        || is_misprint()
}

/// Returns whether a number stands behind the first characters of a line, at its end or before a mark: `记事三`.
fn counts_behind_word(line: &str) -> bool {
    /// Maximum length of the word in characters.
    const WORD: usize = 5;
    let before = line.chars().take(WORD + 1).position(numerals::is_numeral);
    if before.is_none_or(|before| before < 2) {
        return false;
    }
    let from = line.find(numerals::is_numeral).unwrap_or(line.len());
    let behind = line[from..].trim_start_matches(numerals::is_numeral);
    behind.is_empty() || behind.starts_with(BETWEEN)
}

fn named(line: &str) -> LineForm {
    LineForm {
        form: "named",
        rank: HeadingRank::Named,
        is_certain: true,
        family: "named".into(),
        doubt: SentenceDoubt::None,
        number: None,
        misread: None,
        title: line.to_owned(),
        words: line.to_owned(),
        volume: None,
        prefix: None,
    }
}

/// Returns the line without ornaments drawn around headings by sites and authors; `None` without ornaments.
fn undecorated(line: &str) -> Option<String> {
    const DRAWN: &[char] = &[
        '#', '＃', '=', '＝', '*', '＊', '☆', '★', '◆', '◇', '○', '●', '□', '■', '※', '~', '～', '_', '♥', '♡', '·',
        '•', '>', '＞', '-', '－', '—', '–', '─', '━', '+', '|', '§', '✦', '◎', '▲', '△', '▼', '▽', '❤', '→', '^',
    ];
    let inner = line.trim_start_matches(DRAWN);
    let was_drawn = inner.len() < line.len();
    let inner = if was_drawn { inner.trim_start_matches(['、', ' ', '，', '.', ':', '：']) } else { inner };
    // A trailing ornament may belong to the title, unless the same ornament is at the beginning.
    let inner = if was_drawn { inner.trim_end_matches(DRAWN).trim_end() } else { inner };
    let unbracketed = PAIRS.iter().find_map(|(open, close)| {
        let rest = inner.strip_prefix(*open)?;
        let (first, second) = rest.split_once(*close)?;
        let second = second.trim_start();
        let parted = if second.is_empty() { first.trim().to_owned() } else { format!("{} {second}", first.trim()) };
        Some(parted).filter(|_| !first.is_empty())
    });
    match unbracketed {
        Some(text) => Some(text),
        None => was_drawn.then(|| inner.to_owned()).filter(|text| !text.is_empty()),
    }
}

const PAIRS: &[(char, char)] = &[
    ('【', '】'),
    ('［', '］'),
    ('[', ']'),
    ('《', '》'),
    ('〖', '〗'),
    ('〈', '〉'),
    ('<', '>'),
    ('「', '」'),
    ('『', '』'),
    ('（', '）'),
    ('(', ')'),
    ('{', '}'),
];

/// Words before a number in sentences which are no counted units.
const NO_UNITS: &[&str] = &[
    "the", "a", "an", "in", "at", "of", "no", "and", "but", "on", "to", "he", "she", "it", "we", "i", "you", "they",
    "his", "her", "my", "this", "that", "not", "for", "as", "with", "from", "was", "is", "or", "if", "by", "only",
    "some", "about", "another",
];

struct FormTable {
    forms: Vec<FormPattern>,
    set: RegexSet,
}

/// A form as listed in the file.
#[derive(Deserialize)]
struct FormEntry {
    name: String,
    rank: HeadingRank,
    #[serde(default)]
    certain: bool,
    unit: Option<String>,
    pattern: String,
    #[cfg(test)]
    examples: Vec<(String, u32)>,
    #[cfg(test)]
    counterexamples: Vec<String>,
}

#[derive(Deserialize)]
struct FormList {
    form: Vec<FormEntry>,
}

struct FormPattern {
    name: &'static str,
    rank: HeadingRank,
    is_certain: bool,
    unit: Option<String>,
    pattern: Regex,
}

static TABLE: LazyLock<FormTable> = LazyLock::new(|| {
    let listed = list();
    let patterns: Vec<String> = listed.iter().map(|one| format!("^(?:{})$", filled(&one.pattern))).collect();
    let set = RegexSet::new(&patterns).expect("the forms are tested");
    let forms = listed.into_iter().zip(&patterns).map(|(one, pattern)| FormPattern {
        name: Box::leak(one.name.into_boxed_str()),
        rank: one.rank,
        is_certain: one.certain,
        unit: one.unit,
        pattern: Regex::new(pattern).expect("the forms are tested"),
    });
    FormTable { forms: forms.collect(), set }
});

fn list() -> Vec<FormEntry> {
    toml::from_str::<FormList>(include_str!("../../data/headings.toml")).expect("the list is tested").form
}

/// Returns a pattern with its placeholders expanded.
fn filled(pattern: &str) -> String {
    const CHINESE: &str = "0-9０-９零〇○一二两三四五六七八九十百千万壹贰叁肆伍陆柒捌玖拾佰仟兩貳參陸萬廿卅①-⑳⓪❶-❾⓿";
    // A number without spaces is tried first: 第四十八 四海归舟.
    let chinese = format!("(?:[{CHINESE}]{{1,12}}|[{CHINESE}](?: ?[{CHINESE}]){{1,11}})");
    let word = "(?:[零〇○一二两三四五六七八九十百千壹贰叁肆伍陆柒捌玖拾佰廿卅]{1,8})";
    let roman = r"(?:[IVXLC]{1,9}\b)";
    let words = numerals::english_pattern();
    let ordinal = format!(r"(?:(?:{}|[0-9]{{1,3}}(?:st|nd|rd|th))\b)", numerals::ordinal_pattern());
    let any = format!(r"(?:(?:[0-9]{{1,4}}|[IVXLC]{{1,9}}|{words})\b|{ordinal})");
    let before = "(?:(?:正文卷?|作品正文|VIP(?:章节|卷)?|vip|连载|公众章节|免费章节|《[^》]{1,30}》|[0-9０-９]{1,5}[.、．:：_ \\-]{1,2})[ _:：.\\-—]*){0,2}";
    let note = "(?: ?(?:[（(\\[［〔][^。，！？“”）)]+[）)\\]］〕]|【[^。，！？“”】]+】[ \\p{Han}]{0,8}|捉虫|改错字?|已?修改?|[大小精]修|双章合并|[二三四]合一|[双两三四]更合一|加更|补更))*";
    [
        ("{zh}", chinese.as_str()),
        ("{zhword}", word),
        ("{digits}", "(?:[0-9０-９]{1,4})"),
        ("{roman}", roman),
        ("{enword}", &format!(r"(?:(?:{words})\b)")),
        ("{ordinal}", &ordinal),
        ("{en}", &any),
        ("{sp}", " ?"),
        ("{cut}", "[ :：、.．·\\-—–|｜，,～~_]"),
        ("{pre}", before),
        ("{note}", note),
    ]
    .into_iter()
    .fold(pattern.to_owned(), |pattern, (sign, meaning)| pattern.replace(sign, meaning))
}

impl FormPattern {
    fn read(&self, line: &str) -> Option<LineForm> {
        let found = self.pattern.captures(line)?;
        let get = |name| found.name(name).map(|one| one.as_str());
        let rest = get("rest").unwrap_or_default();
        let written = get("n");
        let is_named = self.rank == HeadingRank::Named;
        let number = match written {
            Some(written) => Some(numerals::read(written)?),
            None => None,
        };
        let unit = self.unit.as_deref().or(get("unit")).unwrap_or_default().to_lowercase();
        let is_english = self.name.starts_with("en_");
        if self.rank == HeadingRank::Generic && NO_UNITS.contains(&unit.as_str()) {
            return None;
        }
        let doubt = match self.rank {
            HeadingRank::Bare => doubt::bare(written.unwrap_or_default(), rest)?,
            HeadingRank::Trailing => SentenceDoubt::None,
            HeadingRank::Misprint if is_english => {
                doubt::english(line, rest, false).filter(|doubt| *doubt == SentenceDoubt::None)?
            }
            HeadingRank::Misprint => Some(doubt::chinese(line, rest)).filter(|doubt| *doubt == SentenceDoubt::None)?,
            _ if is_english => doubt::english(line, rest, self.rank == HeadingRank::Generic)?,
            _ => doubt::chinese(line, rest),
        };
        let prefix = get("prefix").map(bare_prefix);
        let head = get("head").unwrap_or(line);
        let words = match self.rank {
            HeadingRank::Volume | HeadingRank::Chapter | HeadingRank::Misprint if prefix.is_none() => {
                without_prefix(head)
            }
            _ => tidy(head),
        };
        let volume = get("volume").map(|volume| {
            let words = tidy(volume.trim_end_matches(BETWEEN));
            let digits = words.split(|c: char| !c.is_alphanumeric()).nth(1).and_then(numerals::read);
            let number = numerals::read_within(&words).or(digits);
            HeadingLabel { number, words: without_prefix(&words) }
        });
        Some(LineForm {
            form: self.name,
            rank: self.rank,
            is_certain: self.is_certain,
            family: format!("{}:{unit}", if is_english { "en" } else { "zh" }),
            doubt,
            number: number.filter(|_| !is_named),
            misread: get("misread").map(str::to_owned),
            title: rest.trim_start_matches(BETWEEN).trim().to_owned(),
            words,
            volume,
            prefix,
        })
    }
}

/// Returns the words before a heading without insertions by sites.
fn bare_prefix(prefix: &str) -> String {
    let words = prefix.trim_matches(|c: char| !c.is_alphanumeric()).trim_end_matches("正文").trim_end_matches("VIP");
    words.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
}

/// Returns the line without a prefix inserted by sites, such as `正文`.
fn without_prefix(line: &str) -> String {
    let from = line.find(['第', '卷']).unwrap_or(0);
    let is_site = |before: &str| {
        ["正文", "VIP", "vip", "连载", "章节", "》"].iter().any(|word| before.contains(word))
            || before.starts_with(|c: char| c.is_ascii_digit() || ('０'..='９').contains(&c))
    };
    if from > 0 && is_site(&line[..from]) { line[from..].to_owned() } else { line.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_reads_its_examples_and_not_the_others() {
        for (listed, form) in list().iter().zip(&TABLE.forms) {
            for (line, number) in &listed.examples {
                let found = form.read(line).unwrap_or_else(|| panic!("{}: {line} is not read", listed.name));
                assert_eq!(found.number.unwrap_or(0), *number, "{}: {line}", listed.name);
            }
            for line in &listed.counterexamples {
                let found = form.read(line).filter(|found| found.doubt < SentenceDoubt::Much);
                assert_eq!(found, None, "{}: {line} is read", listed.name);
            }
            assert!(!listed.examples.is_empty() && !listed.counterexamples.is_empty(), "{}", listed.name);
        }
    }

    #[test]
    fn the_first_form_that_fits_is_the_one_that_is_meant() {
        // A line can match several forms; each example is parsed by its own form first, unless a more general form is
        // given.
        for listed in list() {
            for (line, _) in &listed.examples {
                let found = shape(line).unwrap_or_else(|| panic!("{line} has no form"));
                assert_eq!(found.form, listed.name, "{line}");
            }
        }
    }
}

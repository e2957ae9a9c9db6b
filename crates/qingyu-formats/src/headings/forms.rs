//! The forms of headings, as `data/headings.toml` lists them.

use std::sync::LazyLock;

use regex::{Regex, RegexSet};
use serde::Deserialize;

use super::doubt::{self, Doubt};
use super::{Heading, Label, names, tidy};
use qingyu_story::numerals;

/// A line longer than this is no heading, in bytes.
const LONGEST: usize = 480;

/// What a heading of a form begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Rank {
    /// A volume, a part, an act; a chapter where nothing is below it.
    Volume,
    /// A chapter.
    Chapter,
    /// A chapter with a name instead of a number.
    Named,
    /// A part of a chapter; a chapter where nothing is above it.
    Section,
    /// Whatever its unit is: a chapter, if such lines count up.
    Generic,
    /// A number alone, or with a title.
    Bare,
    /// A title with a number behind it.
    Trailing,
}

/// What a line is by its form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LineForm {
    /// The name of the form.
    pub(crate) form: &'static str,
    /// What it begins.
    pub(crate) rank: Rank,
    /// Whether a line of this form is a heading by itself.
    pub(crate) is_certain: bool,
    /// Lines of one form and one unit are one family.
    pub(crate) family: String,
    /// How much the line looks like a sentence.
    pub(crate) doubt: Doubt,
    /// Its number.
    pub(crate) number: Option<u32>,
    /// Its title without the number; empty if it has none.
    pub(crate) title: String,
    /// All its words.
    pub(crate) words: String,
    /// The volume on the same line.
    pub(crate) volume: Option<Label>,
    /// Words before the heading.
    pub(crate) prefix: Option<String>,
}

impl LineForm {
    /// The heading that it is by itself.
    pub(crate) fn heading(&self) -> Heading {
        let label = || Label { number: self.number, words: self.words.clone() };
        match self.rank {
            Rank::Volume => Heading { volume: Some(label()), chapter: None },
            _ => Heading { volume: self.volume.clone(), chapter: Some(label()) },
        }
    }
}

/// The form of a line; `None` if it has none of a heading.
pub(crate) fn shape(line: &str) -> Option<LineForm> {
    let line = line.trim();
    if line.is_empty() || line.len() > LONGEST {
        return None;
    }
    let tidied = tidy(line);
    let plain = undecorated(&tidied);
    [Some(tidied.as_str()), plain.as_deref()].into_iter().flatten().find_map(by_form)
}

fn by_form(line: &str) -> Option<LineForm> {
    let table = &*TABLE;
    if names::is_name(line) {
        // 番外 第一章 is told from a chapter by the table.
        let extra = table.forms.iter().filter(|form| form.rank == Rank::Named).find_map(|form| form.read(line));
        return Some(extra.unwrap_or_else(|| named(line)));
    }
    table.set.matches(line).into_iter().find_map(|index| table.forms[index].read(line))
}

fn named(line: &str) -> LineForm {
    LineForm {
        form: "named",
        rank: Rank::Named,
        is_certain: true,
        family: "named".into(),
        doubt: Doubt::None,
        number: None,
        title: line.to_owned(),
        words: line.to_owned(),
        volume: None,
        prefix: None,
    }
}

/// Without the marks that sites and authors draw around headings; `None` if there are none.
fn undecorated(line: &str) -> Option<String> {
    const DRAWN: &[char] = &[
        '#', '＃', '=', '＝', '*', '＊', '☆', '★', '◆', '◇', '○', '●', '□', '■', '※', '~', '～', '_', '♥', '♡', '·',
        '•', '>', '＞', '-', '－', '—', '–', '─', '━', '+', '|', '§', '✦', '◎', '▲', '△', '▼', '▽', '❤', '→', '^',
    ];
    let inner = line.trim_start_matches(DRAWN);
    let was_drawn = inner.len() < line.len();
    let inner = if was_drawn { inner.trim_start_matches(['、', ' ', '，', '.', ':', '：']) } else { inner };
    // What stands behind may belong to the title, unless the same stands before.
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

/// Words that stand before a number in sentences, and name nothing that counts up.
const NO_UNITS: &[&str] = &[
    "the", "a", "an", "in", "at", "of", "no", "and", "but", "on", "to", "he", "she", "it", "we", "i", "you", "they",
    "his", "her", "my", "this", "that", "not", "for", "as", "with", "from", "was", "is", "or", "if", "by", "only",
    "some", "about", "another",
];

struct Table {
    forms: Vec<Form>,
    set: RegexSet,
}

/// A form as the list has it.
#[derive(Deserialize)]
struct Listed {
    name: String,
    rank: Rank,
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
struct List {
    form: Vec<Listed>,
}

struct Form {
    name: &'static str,
    rank: Rank,
    is_certain: bool,
    unit: Option<String>,
    pattern: Regex,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let listed = list();
    let patterns: Vec<String> = listed.iter().map(|one| format!("^(?:{})$", filled(&one.pattern))).collect();
    let set = RegexSet::new(&patterns).expect("the forms are tested");
    let forms = listed.into_iter().zip(&patterns).map(|(one, pattern)| Form {
        name: Box::leak(one.name.into_boxed_str()),
        rank: one.rank,
        is_certain: one.certain,
        unit: one.unit,
        pattern: Regex::new(pattern).expect("the forms are tested"),
    });
    Table { forms: forms.collect(), set }
});

fn list() -> Vec<Listed> {
    toml::from_str::<List>(include_str!("../../data/headings.toml")).expect("the list is tested").form
}

/// A pattern with what its placeholders stand for.
fn filled(pattern: &str) -> String {
    const CHINESE: &str = "0-9０-９零〇○一二两三四五六七八九十百千万壹贰叁肆伍陆柒捌玖拾佰仟兩貳參陸萬廿卅";
    let chinese = format!("(?:[{CHINESE}](?: ?[{CHINESE}]){{0,11}})");
    let word = "(?:[零〇○一二两三四五六七八九十百千壹贰叁肆伍陆柒捌玖拾佰廿卅]{1,8})";
    let roman = r"(?:[IVXLC]{1,9}\b)";
    let words = numerals::english_pattern();
    let ordinal = format!(r"(?:(?:{}|[0-9]{{1,3}}(?:st|nd|rd|th))\b)", numerals::ordinal_pattern());
    let any = format!(r"(?:(?:[0-9]{{1,4}}|[IVXLC]{{1,9}}|{words})\b|{ordinal})");
    let before = "(?:(?:正文卷?|作品正文|VIP(?:章节|卷)?|vip|连载|公众章节|免费章节|《[^》]{1,30}》|[0-9０-９]{1,5}[.、．:：_ \\-]{1,2})[ _:：.\\-—]*){0,2}";
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
    ]
    .into_iter()
    .fold(pattern.to_owned(), |pattern, (sign, meaning)| pattern.replace(sign, meaning))
}

impl Form {
    fn read(&self, line: &str) -> Option<LineForm> {
        let found = self.pattern.captures(line)?;
        let get = |name| found.name(name).map(|one| one.as_str());
        let rest = get("rest").unwrap_or_default();
        let written = get("n");
        let is_named = self.rank == Rank::Named;
        let number = match written {
            Some(written) => Some(numerals::read(written)?),
            None => None,
        };
        let unit = self.unit.as_deref().or(get("unit")).unwrap_or_default().to_lowercase();
        let is_english = self.name.starts_with("en_");
        if self.rank == Rank::Generic && NO_UNITS.contains(&unit.as_str()) {
            return None;
        }
        let doubt = match self.rank {
            Rank::Bare => doubt::bare(written.unwrap_or_default(), rest)?,
            Rank::Trailing => Doubt::None,
            _ if is_english => doubt::english(line, rest, self.rank == Rank::Generic)?,
            _ => doubt::chinese(line, rest),
        };
        let prefix = get("prefix").map(bare_prefix);
        let head = get("head").unwrap_or(line);
        let words = match self.rank {
            Rank::Volume | Rank::Chapter if prefix.is_none() => without_prefix(head),
            _ => tidy(head),
        };
        let volume = get("volume").map(|volume| {
            let words = tidy(volume.trim_end_matches(super::BETWEEN));
            let digits = words.split(|c: char| !c.is_alphanumeric()).nth(1).and_then(numerals::read);
            let number = numerals::read_within(&words).or(digits);
            Label { number, words: without_prefix(&words) }
        });
        Some(LineForm {
            form: self.name,
            rank: self.rank,
            is_certain: self.is_certain,
            family: format!("{}:{unit}", if is_english { "en" } else { "zh" }),
            doubt,
            number: number.filter(|_| !is_named),
            title: rest.trim_start_matches(super::BETWEEN).trim().to_owned(),
            words,
            volume,
            prefix,
        })
    }
}

/// Words before a heading without what sites put there.
fn bare_prefix(prefix: &str) -> String {
    let words = prefix.trim_matches(|c: char| !c.is_alphanumeric()).trim_end_matches("正文").trim_end_matches("VIP");
    words.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
}

/// Without the words that a site puts before a heading, such as `正文`.
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
                let found = form.read(line).filter(|found| found.doubt < Doubt::Much);
                assert_eq!(found, None, "{}: {line} is read", listed.name);
            }
            assert!(!listed.examples.is_empty() && !listed.counterexamples.is_empty(), "{}", listed.name);
        }
    }

    #[test]
    fn the_first_form_that_fits_is_the_one_that_is_meant() {
        // A line can fit several forms; each example is read by its own form first, unless a more general one is meant.
        for listed in list() {
            for (line, _) in &listed.examples {
                let found = shape(line).unwrap_or_else(|| panic!("{line} has no form"));
                assert_eq!(found.form, listed.name, "{line}");
            }
        }
    }
}

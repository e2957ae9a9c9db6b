//! Citations: marks in prose such as `[2]` or `【1、3】`, and the numbered sources of a project.

use qingyu_story::Language;
use qingyu_story::production::Field;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::research::{SourceImprint, own};

/// A source of the project's research.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CitedSource {
    /// The number, from 1.
    pub number: usize,
    /// The title. Untrusted words.
    pub title: String,
    /// The address; for a document of the user, its name in the project.
    pub url: String,
    /// Authors, publisher and date; `None` for a document of the user, and in reports of older releases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imprint: Option<SourceImprint>,
    /// The place in a document of the user; empty for a page.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
}

impl CitedSource {
    /// Returns the details after the title: authors, publisher and date of a page, or the place in a document of the
    /// user. Empty for a source of an older release.
    pub fn details(&self, language: Language) -> String {
        match &self.imprint {
            _ if !self.place.is_empty() => own(&self.place, language),
            Some(imprint) => imprint.text(language),
            None => String::new(),
        }
    }

    /// Returns the source in one line of plain text.
    pub fn text(&self, language: Language) -> String {
        let title = if self.title.is_empty() { &self.url } else { &self.title };
        let between = if language == Language::Zh { "，" } else { "; " };
        let details = Some(self.details(language)).filter(|details| !details.is_empty());
        let described = [Some(title.clone()), details].into_iter().flatten().collect::<Vec<_>>().join(between);
        match self.place.is_empty() {
            true => format!("{described} {}", self.url),
            false => described,
        }
    }
}

/// The sources of all research reports of a project, numbered through, each address once.
#[derive(Debug, Clone, Default)]
pub(crate) struct ProjectSources {
    sources: Vec<CitedSource>,
    /// Path of the report, number there, number in the project.
    numbers: Vec<(String, u64, usize)>,
}

/// Returns whether the field holds the report of a research.
pub(crate) fn holds_research(field: &Field) -> bool {
    let is_list = |name: &str| field.value.get(name).is_some_and(Value::is_array);
    is_list("findings") && is_list("sources")
}

impl ProjectSources {
    /// Returns the sources of the reports among `fields`.
    pub fn of(fields: &[Field]) -> Self {
        let mut known = Self::default();
        for field in fields.iter().filter(|field| holds_research(field)) {
            for given in field.value["sources"].as_array().into_iter().flatten() {
                let text = |name: &str| given.get(name).and_then(Value::as_str).unwrap_or_default().trim().to_owned();
                let (url, title) = (text("url"), text("title"));
                if url.is_empty() {
                    continue;
                }
                let place = known.sources.iter().position(|source| source.url == url).unwrap_or_else(|| {
                    let number = known.sources.len() + 1;
                    let imprint = given.get("imprint").and_then(|imprint| SourceImprint::deserialize(imprint).ok());
                    known.sources.push(CitedSource { number, title, url, imprint, place: text("place") });
                    number - 1
                });
                if let Some(number) = given.get("number").and_then(Value::as_u64) {
                    known.numbers.push((field.path.clone(), number, place + 1));
                }
            }
        }
        known
    }

    /// Returns all sources, by number.
    pub fn all(&self) -> &[CitedSource] {
        &self.sources
    }

    /// Returns the number in the project of the source with the number `number` in a report.
    pub fn number(&self, report: &str, number: u64) -> Option<usize> {
        let found = self.numbers.iter().find(|(path, given, _)| path == report && *given == number);
        found.map(|(_, _, number)| *number)
    }
}

/// A citation mark, with its byte range and numbers. A number too large to parse is 0, which matches no source.
struct CitationMark {
    start: usize,
    end: usize,
    numbers: Vec<u32>,
}

/// Returns all cited numbers in order, duplicates included.
pub fn named(text: &str) -> Vec<u32> {
    marks(text).into_iter().flat_map(|mark| mark.numbers).collect()
}

/// Removes citations of unknown numbers; returns the text and the number of removed citations.
pub fn purge(text: &str, is_known: impl Fn(u32) -> bool) -> (String, usize) {
    let (mut text, mut out) = (text.to_owned(), 0);
    // Removing a mark may leave another one behind, as in `[1[9]2]`.
    loop {
        let unknown = named(&text).into_iter().filter(|number| !is_known(*number)).count();
        if unknown == 0 {
            return (text, out);
        }
        out += unknown;
        text = replaced(&text, |number| is_known(number).then_some(number));
    }
}

/// Renumbers the marks; a number without a result from `number` is removed.
pub fn renumber(text: &str, number: impl Fn(u32) -> Option<u32>) -> String {
    replaced(text, number)
}

/// Returns the text without marks, and the cited numbers.
pub fn split(text: &str) -> (String, Vec<u32>) {
    let numbers = named(text);
    (purge(text, |_| false).0.trim().to_owned(), numbers)
}

fn replaced(text: &str, number: impl Fn(u32) -> Option<u32>) -> String {
    let (mut made, mut from) = (String::new(), 0);
    for mark in marks(text) {
        made.push_str(&text[from..mark.start]);
        let mut numbers: Vec<u32> = mark.numbers.into_iter().filter_map(&number).collect();
        numbers.dedup();
        if numbers.is_empty() && text[mark.end..].starts_with(['.', ',', ';', ':']) {
            made.truncate(made.trim_end_matches(' ').len());
        }
        made.extend(numbers.iter().map(|number| format!("[{number}]")));
        from = mark.end;
    }
    made.push_str(&text[from..]);
    made
}

fn marks(text: &str) -> Vec<CitationMark> {
    let (mut marks, mut from) = (Vec::new(), 0);
    while let Some(found) = text[from..].find(['[', '【', '［']) {
        let start = from + found;
        let open = text[start..].chars().next().map_or(1, char::len_utf8);
        let inner = start + open;
        let Some(length) = text[inner..].find([']', '】', '］']) else { break };
        match numbers(&text[inner..inner + length]) {
            Some(numbers) => {
                let mut end = inner + length;
                end += text[end..].chars().next().map_or(1, char::len_utf8);
                end += target(&text[end..]);
                marks.push(CitationMark { start, end, numbers });
                from = end;
            }
            None => from = inner,
        }
    }
    marks
}

/// Returns the length of a link target at the start of `text`; such a link would bypass the sources.
fn target(text: &str) -> usize {
    let is_link = text.starts_with("(http") || text.starts_with("(//");
    if is_link { text.find(')').map_or(0, |end| end + 1) } else { 0 }
}

/// Parses the numbers inside a mark; returns `None` for other brackets.
fn numbers(inside: &str) -> Option<Vec<u32>> {
    let plain: String = inside.trim().trim_start_matches('^').chars().map(ascii).collect();
    let is_mark = plain.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | ' ' | '-'));
    if !is_mark || !plain.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut numbers = Vec::new();
    for part in plain.split([',', ' ']).filter(|part| !part.is_empty()) {
        let ends: Vec<u32> = part.split('-').map(|end| end.parse().unwrap_or(0)).collect();
        match ends.as_slice() {
            // An overlong range is not a meaningful citation.
            [first, last] if *first <= *last && last - first < 50 => numbers.extend(*first..=*last),
            ends => numbers.extend(ends),
        }
    }
    Some(numbers)
}

/// Converts full-width digits and separators to ASCII.
fn ascii(character: char) -> char {
    match character {
        '０'..='９' => char::from_digit(character as u32 - '０' as u32, 10).unwrap_or(character),
        '，' | '、' | ';' | '；' => ',',
        '–' | '—' | '－' | '~' | '～' => '-',
        other => other,
    }
}

/// Splits Markdown into stretches of prose and of code, in order: `items[1]` in code cites nothing.
fn stretches(text: &str) -> Vec<(bool, &str)> {
    let (mut parts, mut from, mut at) = (Vec::new(), 0, 0);
    while let Some(found) = text[at..].find('`') {
        let start = at + found;
        let ticks = text[start..].bytes().take_while(|byte| *byte == b'`').count();
        let inner = start + ticks;
        let Some(length) = text[inner..].find(&text[start..inner]) else { break };
        let end = inner + length + ticks;
        parts.push((false, &text[from..start]));
        parts.push((true, &text[start..end]));
        (from, at) = (end, end);
    }
    parts.push((false, &text[from..]));
    parts
}

/// Returns the cited numbers of Markdown, without its code, in order.
pub fn named_in(markdown: &str) -> Vec<u32> {
    stretches(markdown).into_iter().filter(|(is_code, _)| !is_code).flat_map(|(_, prose)| named(prose)).collect()
}

/// Removes the citations of unknown numbers from Markdown, but not from its code; returns the text and their number.
pub fn purge_in(markdown: &str, is_known: impl Fn(u32) -> bool) -> (String, usize) {
    let (mut made, mut all) = (String::with_capacity(markdown.len()), 0);
    for (is_code, part) in stretches(markdown) {
        let (part, out) = if is_code { (part.to_owned(), 0) } else { purge(part, &is_known) };
        made.push_str(&part);
        all += out;
    }
    (made, all)
}

/// Renumbers the citations of Markdown, but not in its code; a number without a result is removed.
pub(crate) fn renumber_in(markdown: &str, number: impl Fn(u32) -> Option<u32>) -> String {
    let part = |(is_code, part): (bool, &str)| if is_code { part.to_owned() } else { renumber(part, &number) };
    stretches(markdown).into_iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_and_taken_out() {
        let cases = [
            ("甲[1]乙【2、9】。", "甲[1]乙[2]。"),
            ("a [9]. b [1-3]", "a. b [1][2]"),
            ("[1](http://evil.example/x) [a] [^2] ［１］", "[1] [a] [2] [1]"),
            ("[1[9]2] [99999999999]", " "),
            ("[[9]1]", "[1]"),
        ];
        for (given, expected) in cases {
            let (cleaned, _) = purge(given, |number| (1..=2).contains(&number));
            assert_eq!(renumber(&cleaned, Some), expected, "{given}");
        }
    }

    #[test]
    fn code_cites_nothing() {
        let text = "说法 [2]，`items[7]`\n\n```\na[9] = b[8]\n```\n又说 [7]。";
        assert_eq!(named_in(text), [2, 7]);
        let (cleaned, out) = purge_in(text, |number| number == 2);
        assert_eq!((cleaned.as_str(), out), ("说法 [2]，`items[7]`\n\n```\na[9] = b[8]\n```\n又说 。", 1));
        assert_eq!(renumber_in("a [2] `x[2]`", |_| Some(1)), "a [1] `x[2]`");
        assert_eq!(named_in("an open ` tick [1]"), [1]);
    }

    #[test]
    fn sources_of_all_reports_are_numbered_once() {
        let report = |path: &str, urls: &[&str]| Field {
            path: path.into(),
            value: serde_json::json!({
                "findings": [],
                "sources": urls.iter().enumerate().map(|(at, url)| serde_json::json!({"number": at + 1, "url": url}))
                    .collect::<Vec<_>>(),
            }),
            ..Field::default()
        };
        let known = ProjectSources::of(&[report("a", &["x", "y"]), report("b", &["y", "z"])]);
        assert_eq!(known.all().len(), 3);
        assert_eq!([known.number("a", 2), known.number("b", 1), known.number("b", 2)], [Some(2), Some(2), Some(3)]);
        assert_eq!(known.number("b", 9), None);
    }
}

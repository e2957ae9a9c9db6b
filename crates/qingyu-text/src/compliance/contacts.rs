//! Finds contacts in a text: links, telephone numbers, accounts, addresses.

use std::ops::Range;

use qingyu_story::Severity;
use serde::{Deserialize, Serialize};

use super::collector::FindingCollector;
use crate::Error;
use crate::error::{builtin, read};

/// The contact patterns parsed from `data/contacts.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Contacts {
    /// Domain endings of links without `http` or `www`.
    pub domains: Vec<String>,
    /// Words before an account number.
    pub numbers: Vec<String>,
    /// Words before an account name.
    pub names: Vec<String>,
}

impl Contacts {
    /// Returns the built-in lists.
    pub fn builtin() -> Self {
        builtin(include_str!("../../data/contacts.toml"))
    }

    /// Parses user-supplied lists.
    pub fn parse(toml: &str) -> Result<Self, Error> {
        read("contacts", toml)
    }
}

/// The most characters between a word and the announced number or name.
const BETWEEN: usize = 4;

pub(super) fn check(text: &str, contacts: &Contacts, notes: &mut FindingCollector<'_>) {
    let rules = notes.platform.contacts.clone();
    let letters = Letters::of(text);
    let mut taken: Vec<Range<usize>> = Vec::new();
    let mut found: Vec<(&str, Severity, Range<usize>)> = Vec::new();
    if rules.emails {
        found.extend(letters.emails().into_iter().map(|span| ("QC305", Severity::High, span)));
    }
    if rules.links {
        found.extend(letters.links(&contacts.domains).into_iter().map(|span| ("QC301", Severity::Critical, span)));
    }
    if rules.accounts {
        let numbers = letters.announced(&contacts.numbers, |c| c.is_ascii_digit(), 5..=12);
        found.extend(numbers.into_iter().map(|span| ("QC303", Severity::Critical, span)));
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let names = letters.announced(&contacts.names, is_name, 5..=20);
        found.extend(names.into_iter().map(|span| ("QC304", Severity::Critical, span)));
    }
    if rules.phones {
        found.extend(letters.phones().into_iter().map(|span| ("QC302", Severity::Critical, span)));
    }
    for (code, severity, span) in found {
        // Part of an address is no link, and an announced account is no telephone number.
        if taken.iter().any(|other| span.start < other.end && other.start < span.end) {
            continue;
        }
        taken.push(span.clone());
        notes.add(code, severity, Some(span), &[]);
    }
}

/// The characters of a text in half width and lower case, with their positions.
struct Letters {
    letters: Vec<(usize, char)>,
    end: usize,
}

impl Letters {
    fn of(text: &str) -> Self {
        let narrow = |c: char| match c {
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c).to_ascii_lowercase(),
            c => c.to_ascii_lowercase(),
        };
        Self { letters: text.char_indices().map(|(at, c)| (at, narrow(c))).collect(), end: text.len() }
    }

    fn get(&self, at: usize) -> Option<char> {
        self.letters.get(at).map(|(_, c)| *c)
    }

    fn span(&self, range: Range<usize>) -> Range<usize> {
        let place = |at: usize| self.letters.get(at).map_or(self.end, |(place, _)| *place);
        place(range.start)..place(range.end)
    }

    /// Returns the end of the run of characters matching `of` from `at`.
    fn run(&self, at: usize, of: impl Fn(char) -> bool) -> usize {
        let rest = self.letters.get(at..).unwrap_or_default();
        at + rest.iter().take_while(|(_, c)| of(*c)).count()
    }

    /// Returns the start of the run of characters matching `of` before `at`.
    fn run_back(&self, at: usize, of: impl Fn(char) -> bool) -> usize {
        at - self.letters[..at].iter().rev().take_while(|(_, c)| of(*c)).count()
    }

    fn begins(&self, at: usize, word: &str) -> bool {
        word.chars().enumerate().all(|(offset, c)| self.get(at + offset) == Some(c))
    }

    fn links(&self, domains: &[String]) -> Vec<Range<usize>> {
        let is_link = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c);
        let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
        let mut links = Vec::new();
        let mut at = 0;
        while at < self.letters.len() {
            let starts = ["http://", "https://", "www."].iter().any(|start| self.begins(at, start));
            let mut end = at;
            if starts {
                end = self.run(at, is_link);
            } else if self.get(at) == Some('.') && at > 0 && self.get(at - 1).is_some_and(|c| c.is_ascii_alphanumeric())
            {
                let suffix = self.run(at + 1, |c| c.is_ascii_alphanumeric());
                let word: String = self.letters[at + 1..suffix].iter().map(|(_, c)| *c).collect();
                // A sentence may end before a short word without a space, but the next word alone is then no domain.
                if domains.contains(&word) && self.get(suffix) != Some('@') {
                    end = self.run(suffix, is_link);
                    at = self.run_back(at, is_host);
                }
            }
            while end > at && self.get(end - 1).is_some_and(|c| ".,;:!?')".contains(c)) {
                end -= 1;
            }
            if end > at {
                links.push(self.span(at..end));
                at = end;
            } else {
                at += 1;
            }
        }
        links
    }

    fn emails(&self) -> Vec<Range<usize>> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+');
        let mut emails = Vec::new();
        for at in (0..self.letters.len()).filter(|at| self.get(*at) == Some('@')) {
            let start = self.run_back(at, is_name);
            let mut end = self.run(at + 1, |c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'));
            while self.get(end - 1) == Some('.') {
                end -= 1;
            }
            let host: String = self.letters[at + 1..end.max(at + 1)].iter().map(|(_, c)| *c).collect();
            if start < at && host.rsplit_once('.').is_some_and(|(_, last)| last.len() >= 2) {
                emails.push(self.span(start..end));
            }
        }
        emails
    }

    /// Returns runs of characters with a length in `count` after any of `words`.
    fn announced(
        &self,
        words: &[String],
        of: impl Fn(char) -> bool + Copy,
        count: std::ops::RangeInclusive<usize>,
    ) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.letters.len() {
            let word = words.iter().filter(|word| self.begins(at, word)).map(|word| word.chars().count()).max();
            let joins = |at: usize| at > 0 && self.get(at - 1).is_some_and(|c| c.is_ascii_alphanumeric());
            let is_latin = self.get(at).is_some_and(|c| c.is_ascii_alphanumeric());
            if let Some(word) = word.filter(|_| !(is_latin && joins(at))) {
                let after = at + word;
                // Only punctuation and words leading to the number may come between.
                let lead = |c: char| !c.is_alphanumeric() || "是为号群加我的了：".contains(c);
                let start = (after..=after + BETWEEN).find(|start| self.get(*start).is_some_and(of));
                let start =
                    start.filter(|start| (after..*start).all(|at| self.get(at).is_some_and(|c| lead(c) && c != '\n')));
                if let Some(start) = start {
                    let end = self.run(start, of);
                    let is_word_alone = self.letters[start..end].iter().any(|(_, c)| c.is_ascii_digit() || *c == '_');
                    if count.contains(&(end - start)) && is_word_alone {
                        found.push(self.span(at..end));
                        at = end;
                        continue;
                    }
                }
            }
            at += 1;
        }
        found
    }

    /// Returns telephone numbers: eleven digits of a Chinese mobile, an area code with a landline, `+` with a country
    /// code, 555-123-4567.
    fn phones(&self) -> Vec<Range<usize>> {
        let mut phones = Vec::new();
        let mut at = 0;
        while at < self.letters.len() {
            let first = self.get(at).unwrap_or_default();
            if !(first.is_ascii_digit() || first == '+' || first == '(') {
                at += 1;
                continue;
            }
            let mut end = self.run(at, |c| c.is_ascii_digit() || matches!(c, ' ' | '-' | '+' | '(' | ')'));
            while end > at && !self.get(end - 1).is_some_and(|c| c.is_ascii_digit()) {
                end -= 1;
            }
            let written: String = self.letters[at..end.max(at)].iter().map(|(_, c)| *c).collect();
            if is_phone(&written) {
                phones.push(self.span(at..end));
            }
            at = end.max(at + 1);
        }
        phones
    }
}

/// Returns whether the digits and separators have the form of a telephone number.
fn is_phone(written: &str) -> bool {
    let digits: Vec<u8> = written.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
    let groups: Vec<usize> =
        written.split(|c: char| !c.is_ascii_digit()).map(str::len).filter(|length| *length > 0).collect();
    match digits.as_slice() {
        [1, 3..=9, ..] if digits.len() == 11 => groups.len() <= 3,
        [8, 6, 1, 3..=9, ..] if digits.len() == 13 => true,
        [0, ..] if groups.len() == 2 => matches!((groups[0], groups[1]), (3 | 4, 7 | 8)),
        _ if written.starts_with('+') => (10..=15).contains(&digits.len()),
        _ => groups == [3, 3, 4] && !written.contains("  "),
    }
}

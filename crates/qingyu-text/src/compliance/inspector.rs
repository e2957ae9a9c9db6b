//! The platforms that are known, and the check of a chapter.

use std::collections::BTreeMap;
use std::ops::Range;

use qingyu_story::{Language, Prose, Severity, marks};

use super::contacts::{self, Contacts};
use super::{Finding, Platform, layout, length, title};
use crate::Error;
use crate::messages::message;

/// A chapter to be checked.
#[derive(Debug, Clone, Copy)]
pub struct Chapter<'c> {
    /// Its title; none if that is not known, as of a file, and then nothing is said of it.
    pub title: Option<&'c str>,
    /// Its text.
    pub text: &'c str,
    /// Its text, read.
    pub prose: &'c Prose,
}

/// Checks chapters against the rules of platforms.
#[derive(Debug, Clone)]
pub struct Inspector {
    platforms: Vec<Platform>,
    contacts: Contacts,
}

impl Inspector {
    /// An inspector that knows `platforms`; the first is the one where none is named.
    pub fn new(platforms: Vec<Platform>, contacts: Contacts) -> Self {
        Self { platforms, contacts }
    }

    /// Adds a platform, instead of the one of the same name if there is one.
    pub fn with(mut self, platform: Platform) -> Self {
        self.platforms.retain(|known| !known.name.eq_ignore_ascii_case(&platform.name));
        self.platforms.push(platform);
        self
    }

    /// The platforms it knows.
    pub fn platforms(&self) -> &[Platform] {
        &self.platforms
    }

    /// The platform of that name, or what people call it; the first where none is named.
    ///
    /// Fails with [`Error::UnknownPlatform`] if there is none.
    pub fn platform(&self, name: Option<&str>) -> Result<&Platform, Error> {
        let is_called = |platform: &&Platform| {
            name.is_none_or(|name| {
                let names = [&platform.name, &platform.title.zh, &platform.title.en];
                names.into_iter().any(|known| known.eq_ignore_ascii_case(name.trim()))
            })
        };
        self.platforms.iter().find(is_called).ok_or_else(|| Error::UnknownPlatform {
            given: name.unwrap_or_default().to_owned(),
            known: self.platforms.iter().map(|platform| platform.name.clone()).collect(),
        })
    }

    /// What in `chapter` does not keep the rules of `platform`, by code and place, worded in `language`.
    pub fn check(&self, chapter: &Chapter<'_>, platform: &Platform, language: Language) -> Vec<Finding> {
        let mut notes = Notes { platform, language, text: chapter.text, findings: Vec::new() };
        length::check(chapter, &mut notes);
        title::check(chapter, &mut notes);
        contacts::check(chapter.text, &self.contacts, &mut notes);
        layout::check(chapter, &mut notes);
        let mut findings = notes.findings;
        findings.sort_by(|a, b| {
            let place = |finding: &Finding| finding.span.as_ref().map_or(0, |span| span.start);
            (&a.code, place(a)).cmp(&(&b.code, place(b)))
        });
        findings
    }
}

impl Default for Inspector {
    fn default() -> Self {
        Self::new(Platform::builtin(), Contacts::builtin())
    }
}

/// Takes the title off a text that begins with one: a short first line of the form `第三章 夜雨`, `Chapter 3: Rain` or
/// `# Rain`. Returns it with the rest of the text and where that begins, in bytes.
pub fn split_title(text: &str) -> (Option<&str>, &str, usize) {
    const FORMS: [&str; 9] = [
        "第{number}章{space}{name}",
        "第{number}章{name}",
        "第{number}章",
        "第{number}节{space}{name}",
        "第{number}回{space}{name}",
        "Chapter {number}{space}{name}",
        "Chapter {number}",
        "序章",
        "楔子",
    ];
    const LONGEST: usize = 60;
    let begin = text.len() - text.trim_start().len();
    let line = text[begin..].lines().next().unwrap_or_default();
    let bare = line.trim_start_matches('#').trim();
    let is_heading = line.starts_with('#') && line.trim_start_matches('#').starts_with(' ');
    let is_title = is_heading || FORMS.iter().any(|form| title::matches(form, bare));
    if bare.is_empty()
        || bare.chars().count() > LONGEST
        || bare.ends_with(['。', '，'])
        || bare.ends_with(marks::is_double_quote)
        || !is_title
    {
        return (None, text, 0);
    }
    let from = begin + line.len();
    (Some(bare), &text[from..], from)
}

/// What is found, while it is found.
pub(super) struct Notes<'n> {
    pub(super) platform: &'n Platform,
    language: Language,
    text: &'n str,
    findings: Vec<Finding>,
}

impl Notes<'_> {
    /// Takes note of a finding at `span`, if the platform cares; `values` fill its message, and so do `text`, the words
    /// at `span` unless given, and `platform`.
    pub(super) fn add(&mut self, code: &str, usual: Severity, span: Option<Range<usize>>, values: &[(&str, String)]) {
        let Some(severity) = self.platform.severities.get(code).map_or(Some(usual), |setting| setting.severity())
        else {
            return;
        };
        let text = span.clone().and_then(|span| self.text.get(span)).unwrap_or_default();
        let platform = self.platform.title(self.language);
        let mut filled: BTreeMap<String, String> = [("text", shortened(text)), ("platform", platform.to_owned())]
            .map(|(name, value)| (name.to_owned(), value))
            .into();
        filled.extend(values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        let (title, advice) = message(code, self.language, &filled);
        self.findings.push(Finding {
            code: code.to_owned(),
            severity,
            span,
            text: text.to_owned(),
            title,
            advice,
            values: filled,
        });
    }
}

/// The beginning of a text that is too long for a message.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

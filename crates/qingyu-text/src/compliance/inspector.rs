//! Holds the known platforms and validates chapters.

use qingyu_story::{Language, marks};

use super::chapter::InspectedChapter;
use super::collector::FindingCollector;
use super::contacts::{self, Contacts};
use super::finding::Finding;
use super::platform::PlatformRules;
use super::{layout, length, title};
use crate::error::Error;

/// A validator of chapters against platform rules.
#[derive(Debug, Clone)]
pub struct Inspector {
    platforms: Vec<PlatformRules>,
    contacts: Contacts,
}

impl Inspector {
    /// Returns an inspector for `platforms`; the first is the default.
    pub fn new(platforms: Vec<PlatformRules>, contacts: Contacts) -> Self {
        Self { platforms, contacts }
    }

    /// Adds a platform, replacing a platform of the same name.
    pub fn with(mut self, platform: PlatformRules) -> Self {
        self.platforms.retain(|known| !known.name.eq_ignore_ascii_case(&platform.name));
        self.platforms.push(platform);
        self
    }

    /// Returns the known platforms.
    pub fn platforms(&self) -> &[PlatformRules] {
        &self.platforms
    }

    /// Returns the platform with the given name or title; defaults to the first platform.
    ///
    /// Fails with [`Error::UnknownPlatform`] if no platform matches.
    pub fn platform(&self, name: Option<&str>) -> Result<&PlatformRules, Error> {
        let is_called = |platform: &&PlatformRules| {
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

    /// Returns the violations of the rules of `platform` in `chapter`, by code and position, worded in `language`.
    pub fn check(&self, chapter: &InspectedChapter<'_>, platform: &PlatformRules, language: Language) -> Vec<Finding> {
        let mut notes = FindingCollector { platform, language, text: chapter.text, findings: Vec::new() };
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
        Self::new(PlatformRules::builtin(), Contacts::builtin())
    }
}

/// Splits a title from the start of a text: a short first line of the form `第三章 夜雨`, `Chapter 3: Rain` or `# Rain`.
/// Returns the title, the rest of the text and the byte offset of the rest.
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

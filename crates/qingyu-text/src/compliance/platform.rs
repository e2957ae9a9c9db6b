//! The rules of a platform.

use std::collections::BTreeMap;

use qingyu_story::{Language, Severity};
use serde::{Deserialize, Serialize};

use crate::error::{builtin, read};
use crate::{Error, Level};

/// The rules of a platform, parsed from a file in `data/platforms`. Rules absent from the file are not checked.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlatformRules {
    /// The identifier, such as `qidian`.
    pub name: String,
    /// The display name.
    pub(crate) title: PlatformName,
    /// The strictness of the word scan.
    pub(crate) level: Level,
    /// The allowed length of a chapter.
    pub(crate) length: LengthRules,
    /// The form of a chapter title.
    pub(crate) chapter_title: TitleRules,
    /// The allowed length of a paragraph.
    pub(crate) paragraphs: ParagraphRules,
    /// The layout of the text.
    pub(crate) layout: LayoutRules,
    /// The contacts forbidden in the text.
    pub(crate) contacts: ContactRules,
    /// Severities by code, overriding the defaults.
    pub(crate) severities: BTreeMap<String, FindingSeverity>,
}

/// The display name of a platform.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct PlatformName {
    /// 中文
    pub(crate) zh: String,
    /// English
    pub(crate) en: String,
}

/// The allowed length of a chapter, as editors count: Chinese characters with punctuation, or words.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct LengthRules {
    /// The least length; shorter chapters are rejected.
    pub(crate) least: Option<usize>,
    /// The greatest length; longer chapters are rejected.
    pub(crate) most: Option<usize>,
    /// The least length expected by readers.
    pub(crate) usual_least: Option<usize>,
    /// The greatest length expected by readers.
    pub(crate) usual_most: Option<usize>,
}

/// The rules for a chapter title.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct TitleRules {
    /// Whether a title is required.
    pub(crate) required: bool,
    /// The allowed forms, of `{number}`, `{space}`, `{name}` and literal letters; an empty list allows any.
    pub(crate) forms: Vec<String>,
    /// The most characters.
    pub(crate) most: Option<usize>,
    /// The forbidden characters.
    pub(crate) forbidden: String,
}

/// The rules for the length of a paragraph.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ParagraphRules {
    /// The greatest length; longer paragraphs should be split.
    pub(crate) most: Option<usize>,
    /// The greatest length expected by readers.
    pub(crate) usual_most: Option<usize>,
}

/// The layout rules of a text. `false` forbids a feature; absent rules are not checked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct LayoutRules {
    /// The allowed indents of a paragraph.
    pub(crate) indents: Option<Vec<String>>,
    /// The most consecutive blank lines.
    pub(crate) blank_lines: Option<usize>,
    /// Markdown or HTML markup.
    pub(crate) markup: Option<bool>,
    /// Emoji.
    pub(crate) emoji: Option<bool>,
    /// Traditional characters.
    pub(crate) traditional: Option<bool>,
    /// Invisible, private-use and control characters.
    pub(crate) private_characters: Option<bool>,
    /// Line breaks within a sentence.
    pub(crate) broken_lines: Option<bool>,
}

/// The contacts to find.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ContactRules {
    /// Links.
    pub(crate) links: bool,
    /// Telephone numbers.
    pub(crate) phones: bool,
    /// Messenger accounts and groups.
    pub(crate) accounts: bool,
    /// E-mail addresses.
    pub(crate) emails: bool,
}

/// The severity of a finding on a platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FindingSeverity {
    /// Not reported.
    Off,
    /// Could be better.
    Low,
    /// Should be fixed.
    Medium,
    /// Must be fixed.
    High,
    /// Is rejected.
    Critical,
}

impl FindingSeverity {
    pub(super) fn severity(self) -> Option<Severity> {
        match self {
            Self::Off => None,
            Self::Low => Some(Severity::Low),
            Self::Medium => Some(Severity::Medium),
            Self::High => Some(Severity::High),
            Self::Critical => Some(Severity::Critical),
        }
    }
}

impl PlatformRules {
    /// Returns the built-in platforms, the general rules first.
    pub fn builtin() -> Vec<Self> {
        let texts = [
            include_str!("../../data/platforms/general.toml"),
            include_str!("../../data/platforms/qidian.toml"),
            include_str!("../../data/platforms/fanqie.toml"),
        ];
        texts.into_iter().map(builtin).collect()
    }

    /// Parses user-supplied rules of a platform.
    pub fn parse(toml: &str) -> Result<Self, Error> {
        read("platform", toml)
    }

    /// Returns the display name in `language`, with the identifier as fallback.
    pub fn title(&self, language: Language) -> &str {
        let title = match language {
            Language::Zh => &self.title.zh,
            Language::En => &self.title.en,
        };
        if title.is_empty() { &self.name } else { title }
    }
}

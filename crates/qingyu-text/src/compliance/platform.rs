//! The rules of a platform.

use std::collections::BTreeMap;

use qingyu_story::{Language, Severity};
use serde::{Deserialize, Serialize};

use crate::error::{builtin, read};
use crate::{Error, Level};

/// The rules of a platform: the shape of the files in `data/platforms`. What a file leaves out is not checked.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Platform {
    /// By which it is asked for, such as `qidian`.
    pub name: String,
    /// What people call it.
    pub title: PlatformName,
    /// How strictly words are looked for.
    pub level: Level,
    /// How long a chapter may be.
    pub length: LengthRules,
    /// How its title is written.
    pub chapter_title: TitleRules,
    /// How long a paragraph may be.
    pub paragraphs: ParagraphRules,
    /// How the text is laid out.
    pub layout: LayoutRules,
    /// What contacts may not stand in it.
    pub contacts: ContactRules,
    /// How bad a finding is here, by its code, if not as usual.
    pub severities: BTreeMap<String, Setting>,
}

/// What people call a platform.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlatformName {
    /// 中文
    pub zh: String,
    /// English
    pub en: String,
}

/// How long a chapter may be, in Chinese characters and Latin words.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LengthRules {
    /// What is shorter is refused.
    pub least: Option<usize>,
    /// What is longer is refused.
    pub most: Option<usize>,
    /// What is shorter is less than readers expect.
    pub usual_least: Option<usize>,
    /// What is longer is more than readers expect.
    pub usual_most: Option<usize>,
}

/// How a chapter's title is written.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TitleRules {
    /// Whether there must be one.
    pub required: bool,
    /// The forms it may have, of `{number}`, `{space}`, `{name}` and letters; any if there is none.
    pub forms: Vec<String>,
    /// The most characters.
    pub most: Option<usize>,
    /// Characters that may not stand in it.
    pub forbidden: String,
}

/// How long a paragraph may be.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ParagraphRules {
    /// What is longer should be broken.
    pub most: Option<usize>,
    /// What is longer is more than readers expect.
    pub usual_most: Option<usize>,
}

/// How a text is laid out. What is `false` may not stand in it; what is left out is not checked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LayoutRules {
    /// What may stand before a paragraph.
    pub indents: Option<Vec<String>>,
    /// The most empty lines in a row.
    pub blank_lines: Option<usize>,
    /// Marks of Markdown or HTML.
    pub markup: Option<bool>,
    /// Emoji.
    pub emoji: Option<bool>,
    /// Traditional characters.
    pub traditional: Option<bool>,
    /// Characters that are invisible, of nobody's alphabet, or control something.
    pub private_characters: Option<bool>,
    /// Lines that end within a sentence.
    pub broken_lines: Option<bool>,
}

/// Which contacts are looked for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContactRules {
    /// Links.
    pub links: bool,
    /// Telephone numbers.
    pub phones: bool,
    /// Accounts and groups of messengers.
    pub accounts: bool,
    /// E-mail addresses.
    pub emails: bool,
}

/// How bad a finding is on a platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Setting {
    /// It is not told.
    Off,
    /// Could be better.
    Low,
    /// Should be mended.
    Medium,
    /// Must be mended.
    High,
    /// Is refused.
    Critical,
}

impl Setting {
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

impl Platform {
    /// The platforms that are built in: the general rules first.
    pub fn builtin() -> Vec<Self> {
        let texts = [
            include_str!("../../data/platforms/general.toml"),
            include_str!("../../data/platforms/qidian.toml"),
            include_str!("../../data/platforms/fanqie.toml"),
        ];
        texts.into_iter().map(builtin).collect()
    }

    /// Reads the rules of a platform of the user's.
    pub fn parse(toml: &str) -> Result<Self, Error> {
        read("platform", toml)
    }

    /// What people call it in `language`; its name where they call it nothing.
    pub fn title(&self, language: Language) -> &str {
        let title = match language {
            Language::Zh => &self.title.zh,
            Language::En => &self.title.en,
        };
        if title.is_empty() { &self.name } else { title }
    }
}

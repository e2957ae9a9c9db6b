//! The language of messages or of a work, as an argument.

use clap::ValueEnum;
use qingyu_studio::story::Language;

/// A language of messages or of a work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LanguageArg {
    /// 中文
    Zh,
    /// English
    En,
}

impl From<LanguageArg> for Language {
    fn from(tongue: LanguageArg) -> Self {
        match tongue {
            LanguageArg::Zh => Self::Zh,
            LanguageArg::En => Self::En,
        }
    }
}

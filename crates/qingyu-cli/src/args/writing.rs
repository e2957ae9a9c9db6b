//! Arguments of the commands that write the book.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use qingyu_studio::story::chapters::ChapterName;

use super::Watch;

/// Arguments of `write`.
#[derive(Debug, Args)]
pub(crate) struct Write {
    /// The project; the beginning of the id is enough.
    pub(crate) project: String,
    /// Which chapters, such as 1-3,7, a title or #4 for a place (else all that have no text).
    #[arg(long, value_name = "CHAPTERS")]
    pub(crate) chapters: Option<Chapters>,
    /// Characters (Chinese) or words (English) of a chapter (else the outline's).
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(100..=100_000))]
    pub(crate) words: Option<u32>,
    /// Write in the manner of this text; `-` reads standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) style_from: Option<PathBuf>,
    /// Write no prose: plan each chapter and gather what must be known for it.
    #[arg(long)]
    pub(crate) brief: bool,
    #[command(flatten)]
    pub(crate) working: Working,
}

/// Arguments of `read`.
#[derive(Debug, Args)]
pub(crate) struct Read {
    /// The project; the beginning of the id is enough.
    pub(crate) project: String,
    /// Which chapters, such as 1-3,7, a title or #4 for a place (else all whose current text no model has read).
    #[arg(long, value_name = "CHAPTERS")]
    pub(crate) chapters: Option<Chapters>,
    #[command(flatten)]
    pub(crate) working: Working,
}

/// Arguments of `correct`.
#[derive(Debug, Args)]
pub(crate) struct Correct {
    /// The project; the beginning of the id is enough.
    pub(crate) project: String,
    /// Which chapters, such as 1-3,7, a title or #4 for a place (else all that have a text).
    #[arg(long, value_name = "CHAPTERS")]
    pub(crate) chapters: Option<Chapters>,
    #[command(flatten)]
    pub(crate) working: Working,
}

/// Arguments of `rewrite`.
#[derive(Debug, Args)]
pub(crate) struct Rewrite {
    /// The project; the beginning of the id is enough.
    pub(crate) project: String,
    /// The chapter: its number, title, id, or place (`#4`).
    pub(crate) chapter: String,
    /// What is to become of it, in your own words; `-` reads standard input.
    pub(crate) instruction: String,
    /// Only these characters, such as 120:480, counted from 0; everything else stays.
    #[arg(long, value_name = "FROM:TO", conflicts_with = "paragraphs")]
    pub(crate) range: Option<Span>,
    /// Only these paragraphs, such as 3:5, counted from 1; everything else stays.
    #[arg(long, value_name = "FROM:TO")]
    pub(crate) paragraphs: Option<Span>,
    #[command(flatten)]
    pub(crate) working: Working,
}

/// Who works and how it is watched.
#[derive(Debug, Args)]
pub(crate) struct Working {
    /// The model for every role, such as deepseek/usual.
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// Set any setting for this command, such as writing.max_retries=1; may be given often.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    #[command(flatten)]
    pub(crate) watch: Watch,
}

/// Chapters as the user names them, such as `1-3,7`, `楔子` or `#4`; which they are is found in the book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chapters(pub(crate) Vec<ChapterName>);

impl FromStr for Chapters {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        match given.trim() {
            "" => Err(format!("\"{given}\" names no chapters; write 3, 1-3 or 1-3,7")),
            named => Ok(Self(vec![named.into()])),
        }
    }
}

/// A place in a text, such as `120:480`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) from: usize,
    pub(crate) to: usize,
}

impl FromStr for Span {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        let wrong = || format!("\"{given}\" is no range; write 120:480");
        let (from, to) = given.split_once([':', '-']).ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
        let (from, to) = (number(from)?, number(to)?);
        if to < from { Err(wrong()) } else { Ok(Self { from, to }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chapters_are_taken_as_they_are_named() {
        for given in ["3", "1-3", "7,1-3,2", " 楔子 ", "#4"] {
            assert_eq!(given.parse(), Ok(Chapters(vec![given.trim().into()])));
        }
        assert!(" ".parse::<Chapters>().unwrap_err().contains("1-3,7"));
    }

    #[test]
    fn spans_have_two_ends() {
        assert_eq!("120:480".parse(), Ok(Span { from: 120, to: 480 }));
        for given in ["", "5", "9:3", "a:b", ":"] {
            assert!(given.parse::<Span>().is_err(), "{given}");
        }
    }
}

//! Arguments of the commands that write the book.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use super::Watch;

/// Arguments of `write`.
#[derive(Debug, Args)]
pub(crate) struct Write {
    /// The project; the beginning of the id is enough.
    pub(crate) project: String,
    /// Which chapters, such as 1-3,7 (else all that have no text).
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
    /// Which chapters, such as 1-3,7 (else all whose current text no model has read).
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
    /// Which chapters, such as 1-3,7 (else all that have a text).
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
    /// The number of the chapter.
    pub(crate) chapter: u32,
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

/// Numbers of chapters, such as `1-3,7`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chapters(pub(crate) Vec<u32>);

/// The most chapters that one argument names.
const MOST_CHAPTERS: usize = 10_000;

impl FromStr for Chapters {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        let wrong = || format!("\"{given}\" names no chapters; write 3, 1-3 or 1-3,7");
        let number = |text: &str| text.trim().parse::<u32>().ok().filter(|number| *number > 0).ok_or_else(wrong);
        let mut chapters = Vec::new();
        for part in given.split([',', '，', '、']) {
            let (first, last) = part.split_once(['-', ':', '–']).unwrap_or((part, part));
            let (first, last) = (number(first)?, number(last)?);
            if last < first || chapters.len() + (last - first) as usize >= MOST_CHAPTERS {
                return Err(wrong());
            }
            chapters.extend(first..=last);
        }
        chapters.sort_unstable();
        chapters.dedup();
        Ok(Self(chapters))
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
    fn chapters_are_named_one_by_one_and_in_ranges() {
        for (given, chapters) in [
            ("3", vec![3]),
            ("1-3", vec![1, 2, 3]),
            ("7,1-3,2", vec![1, 2, 3, 7]),
            ("2、5", vec![2, 5]),
            (" 4 ", vec![4]),
        ] {
            assert_eq!(given.parse(), Ok(Chapters(chapters)));
        }
        for given in ["", "0", "3-1", "a", "1-", "1-99999999", "-2"] {
            assert!(given.parse::<Chapters>().unwrap_err().contains("1-3,7"), "{given}");
        }
    }

    #[test]
    fn spans_have_two_ends() {
        assert_eq!("120:480".parse(), Ok(Span { from: 120, to: 480 }));
        for given in ["", "5", "9:3", "a:b", ":"] {
            assert!(given.parse::<Span>().is_err(), "{given}");
        }
    }
}

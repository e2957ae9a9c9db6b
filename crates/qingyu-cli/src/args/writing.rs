//! Arguments of the commands writing the book.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use qingyu_studio::agents::WritingGate;
use qingyu_studio::story::chapters::ChapterName;

use super::breakpoints::BreakpointArgs;
use super::runs::WatchArgs;

/// Arguments of `write`.
#[derive(Debug, Args)]
pub(crate) struct WriteArgs {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// The chapters, such as 1-3,7, a title or #4 for a position (default: all without a text).
    #[arg(long, value_name = "CHAPTERS")]
    pub(crate) chapters: Option<ChapterSelection>,
    /// Characters (Chinese) or words (English) per chapter (default: from the outline).
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(100..=100_000))]
    pub(crate) words: Option<u32>,
    /// Imitate the style of the given text; `-` reads standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) style_from: Option<PathBuf>,
    /// Write no prose: only plan each chapter and collect the required facts.
    #[arg(long)]
    pub(crate) brief: bool,
    /// Stop and wait for your word: at each arc (arc), after so many chapters (10), or at a finding of a severity (low,
    /// medium, high, critical); may be repeated.
    #[arg(long, value_name = "GATE")]
    pub(crate) gate: Vec<WritingGate>,
    #[command(flatten)]
    pub(crate) working: RunControlArgs,
}

/// Arguments of `plan`.
#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// Plan the chapters of the next arc (default).
    #[arg(long, conflicts_with_all = ["arc", "chapters", "to"])]
    pub(crate) next: bool,
    /// Plan up to the given arc, counted from 1 through the whole book.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=10_000), conflicts_with_all = ["chapters", "to"])]
    pub(crate) arc: Option<u32>,
    /// Plan the arcs of the given chapters, such as 121-160, with all open chapters before them.
    #[arg(long, value_name = "FROM-TO", conflicts_with = "to")]
    pub(crate) chapters: Option<TextRangeArg>,
    /// Plan the arcs up to the given chapter; beyond the planned end the book becomes longer.
    #[arg(long, value_name = "CHAPTER", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) to: Option<u32>,
    #[command(flatten)]
    pub(crate) working: RunControlArgs,
}

/// Arguments of `read`.
#[derive(Debug, Args)]
pub(crate) struct ReadArgs {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// The chapters, such as 1-3,7, a title or #4 for a position (default: all whose current text was not read by a
    /// model).
    #[arg(long, value_name = "CHAPTERS")]
    pub(crate) chapters: Option<ChapterSelection>,
    #[command(flatten)]
    pub(crate) working: RunControlArgs,
}

/// Arguments of `correct`.
#[derive(Debug, Args)]
pub(crate) struct CorrectArgs {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// The chapters, such as 1-3,7, a title or #4 for a position (default: all with a text).
    #[arg(long, value_name = "CHAPTERS")]
    pub(crate) chapters: Option<ChapterSelection>,
    #[command(flatten)]
    pub(crate) working: RunControlArgs,
}

/// Arguments of `rewrite`.
#[derive(Debug, Args)]
pub(crate) struct RewriteArgs {
    /// The project; an id prefix is enough.
    pub(crate) project: String,
    /// The chapter: its number, title, id, or position (`#4`).
    pub(crate) chapter: String,
    /// The instruction, in your own words; `-` reads standard input.
    pub(crate) instruction: String,
    /// Only the given range of characters, such as 120:480, counted from 0; the rest is kept.
    #[arg(long, value_name = "FROM:TO", conflicts_with = "paragraphs")]
    pub(crate) range: Option<TextRangeArg>,
    /// Only the given range of paragraphs, such as 3:5, counted from 1; the rest is kept.
    #[arg(long, value_name = "FROM:TO")]
    pub(crate) paragraphs: Option<TextRangeArg>,
    #[command(flatten)]
    pub(crate) working: RunControlArgs,
}

/// The model, settings, breakpoints and output options of a run.
#[derive(Debug, Args)]
pub(crate) struct RunControlArgs {
    /// The model for every role, such as deepseek/usual.
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// Override any setting for the command, such as writing.max_retries=1; may be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    #[command(flatten)]
    pub(crate) breakpoints: BreakpointArgs,
    #[command(flatten)]
    pub(crate) watch: WatchArgs,
}

/// Chapters as named by the user, such as `1-3,7`, `楔子` or `#4`; resolved against the book later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChapterSelection(pub(crate) Vec<ChapterName>);

impl FromStr for ChapterSelection {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        match given.trim() {
            "" => Err(format!("\"{given}\" names no chapters; write 3, 1-3 or 1-3,7")),
            named => Ok(Self(vec![named.into()])),
        }
    }
}

/// A range in a text, such as `120:480`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TextRangeArg {
    pub(crate) from: usize,
    pub(crate) to: usize,
}

impl FromStr for TextRangeArg {
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
            assert_eq!(given.parse(), Ok(ChapterSelection(vec![given.trim().into()])));
        }
        assert!(" ".parse::<ChapterSelection>().unwrap_err().contains("1-3,7"));
    }

    #[test]
    fn spans_have_two_ends() {
        assert_eq!("120:480".parse(), Ok(TextRangeArg { from: 120, to: 480 }));
        for given in ["", "5", "9:3", "a:b", ":"] {
            assert!(given.parse::<TextRangeArg>().is_err(), "{given}");
        }
    }
}

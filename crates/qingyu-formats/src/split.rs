//! The paragraphs of a manuscript become chapters, and every character gets its place.
//!
//! - `apart`: what is no part of the book; `candidates`, `contents`, `listed`, `choice`, `titles`: which lines are headings, told by
//!   their form and by what the book repeats; `unmarked`: guesses; `markup`, `pattern`: what the file or the user says
//! - `marks`: what each line is; `front`: what stands before the first heading; `wrapping`: which lines were one
//! - [`Part`], [`Chapter`], [`Split`]: what comes of it; [`Warning`]: what looks wrong

mod apart;
mod candidates;
mod choice;
mod contents;
mod front;
mod listed;
mod marks;
mod markup;
mod page;
mod pattern;
mod sequence;
mod titles;
mod unmarked;
mod warnings;
mod wrapping;

use std::ops::Range;

use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use apart::{Apart, ApartKind};
pub use warnings::Warning;

use crate::coverage::{Coverage, is_blank};
use crate::headings::{Label, tidy, trim};
use crate::{Error, Ingested, Origin};
use apart::{Header, Tally};
use marks::{Mark, Marked};
use wrapping::Wrapping;

/// How a manuscript is split.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Splitting {
    /// Cuts a text without headings at the first gap after so many characters; such a text is one chapter without it.
    pub cut: Option<usize>,
    /// How its headings are found.
    pub headings: HeadingRule,
}

/// How the headings of a manuscript are found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HeadingRule {
    /// By their form, and by what the book repeats.
    #[default]
    Learnt,
    /// They are the lines that begin with this regular expression.
    Pattern(String),
    /// There are none: the manuscript is one chapter.
    Off,
}

/// A kind of heading that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HeadingForm {
    /// The first heading of the kind.
    pub example: String,
    /// How many chapters begin with one.
    pub count: usize,
}

/// A manuscript in chapters.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Split {
    /// The title of the book, if the text says so.
    pub title: Option<String>,
    /// The author, if the text says so.
    pub author: Option<String>,
    /// The language of most of it.
    pub language: Language,
    /// What stands before the first chapter and is neither title nor contents.
    #[serde(skip)]
    pub front: String,
    /// The chapters in order.
    pub chapters: Vec<Chapter>,
    /// The text in parts, without gaps.
    #[serde(skip)]
    pub parts: Vec<Part>,
    /// Which kinds of headings begin its chapters.
    pub headings: Vec<HeadingForm>,
    /// What is no part of the book, by kind.
    pub apart: Vec<Apart>,
    /// The text that is no part of the book.
    #[serde(skip)]
    pub apart_text: String,
    /// What is where, counted; every character once.
    pub coverage: Coverage,
    /// What looks wrong.
    pub warnings: Vec<Warning>,
}

/// A chapter of a manuscript.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chapter {
    /// The volume it stands in, with all words of its heading.
    pub volume: Option<String>,
    /// Its number, if its heading has one.
    pub number: Option<u32>,
    /// All words of its heading; empty if it has none.
    pub title: String,
    /// The prose: paragraphs are lines, an empty line is a gap.
    #[serde(skip)]
    pub text: String,
    /// How many characters of it are not blank.
    pub characters: usize,
    /// Where it begins.
    pub origin: Origin,
}

/// A stretch of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// What it is.
    pub kind: PartKind,
    /// The chapter it belongs to, counted from 0.
    pub chapter: Option<usize>,
}

/// What a stretch of the text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// The title of the book, and its author.
    Title,
    /// What stands before the first chapter.
    Front,
    /// A table of contents.
    Contents,
    /// The heading of a volume or a chapter.
    Heading,
    /// Prose.
    Text,
    /// Marks that stand between scenes, such as `***`; they stay in the prose.
    Separator,
    /// No part of the book.
    Apart,
    /// Nothing but space.
    Blank,
}

/// Splits a manuscript into chapters.
///
/// A text without headings is one chapter, or several if [`Splitting::cut`] says so. Fails with [`Error::Uncovered`] if
/// a character has no place or two; that is checked on what is returned. Fails with [`Error::BadPattern`] and
/// [`Error::NoHeading`] if the user's pattern of headings is none, or fits no line.
pub fn split(ingested: &Ingested, splitting: &Splitting) -> Result<Split, Error> {
    let lines: Vec<&str> = ingested.paragraphs.iter().map(|one| &ingested.text[one.range.clone()]).collect();
    let Marked { marks, header, is_guess, suspects, forms } = marks::find(ingested, &lines, &splitting.headings)?;
    let wrapping = Wrapping::of(ingested, &lines, &marks);
    let mut splitter = Splitter::new(ingested, wrapping, header, splitting);
    for (index, (line, mark)) in lines.iter().zip(marks).enumerate() {
        splitter.take(index, line, mark);
    }
    let mut split = splitter.finish();
    split.coverage = Coverage::check(&ingested.text, &split)?;
    split.headings = forms;
    let suspects: Vec<String> = suspects.into_iter().map(|index| tidy(lines[index])).collect();
    split.warnings = warnings::look(&split.chapters, is_guess, &suspects, splitting);
    Ok(split)
}

struct Splitter<'i> {
    ingested: &'i Ingested,
    wrapping: Wrapping,
    cut: Option<usize>,
    split: Split,
    /// Title and author as the header of an archive says.
    header: Header,
    apart: Tally,
    volume: Option<String>,
    /// Lines below the heading of a volume that belong to the chapter that follows.
    carried: Vec<usize>,
    /// Blank lines and rules since the last text.
    blanks: usize,
    ruled: bool,
}

impl<'i> Splitter<'i> {
    fn new(ingested: &'i Ingested, wrapping: Wrapping, header: Header, splitting: &Splitting) -> Self {
        let split = Split {
            title: None,
            author: None,
            language: Language::of(&ingested.text),
            front: String::new(),
            chapters: Vec::new(),
            parts: Vec::new(),
            headings: Vec::new(),
            apart: Vec::new(),
            apart_text: String::new(),
            coverage: Coverage::default(),
            warnings: Vec::new(),
        };
        let (apart, carried) = (Tally::default(), Vec::new());
        Self {
            ingested,
            wrapping,
            cut: splitting.cut,
            split,
            header,
            apart,
            volume: None,
            carried,
            blanks: 0,
            ruled: false,
        }
    }

    fn take(&mut self, index: usize, line: &str, mark: Mark) {
        let inside = self.split.chapters.len().checked_sub(1);
        match mark {
            Mark::Blank => self.blanks += 1,
            Mark::Rule => self.ruled = true,
            Mark::Title => {
                self.split.title = self.split.title.take().or_else(|| Some(title(line)));
                return self.part(index, PartKind::Title, inside);
            }
            Mark::Author(name) => {
                self.split.author = self.split.author.take().or(Some(name));
                return self.part(index, PartKind::Title, None);
            }
            Mark::Contents => return self.part(index, PartKind::Contents, None),
            Mark::Apart(kind) => {
                self.apart.add(kind, line, &self.ingested.paragraphs[index].origin);
                self.split.apart_text.push_str(trim(line));
                self.split.apart_text.push('\n');
                return self.part(index, PartKind::Apart, None);
            }
            Mark::Heading { volume, chapter, again } => {
                if let Some(volume) = volume {
                    self.volume = Some(volume.words);
                }
                if let Some(label) = chapter.filter(|_| !again) {
                    self.begin(index, label);
                    return self.part(index, PartKind::Heading, self.split.chapters.len().checked_sub(1));
                }
                return self.part(index, PartKind::Heading, inside.filter(|_| again));
            }
            Mark::HeadingRest => return self.part(index, PartKind::Heading, None),
            Mark::Carried => {
                self.carried.push(index);
                return self.part(index, PartKind::Text, Some(self.split.chapters.len()));
            }
            Mark::Front => {
                self.add_front(index, line);
                return self.part(index, PartKind::Front, None);
            }
            Mark::Text | Mark::Separator => {
                let gap = self.gap(index);
                let full = self.cut.is_some_and(|cut| {
                    let long = self.split.chapters.last().is_some_and(|last| last.characters >= cut);
                    long && !self.has_headings() && (self.blanks > 0 || self.ruled || !self.wrapping.is_spaced(index))
                });
                if self.split.chapters.is_empty() || full {
                    self.begin(index, Label { number: None, words: String::new() });
                }
                self.add(index, line, gap && !full);
                let kind = if mark == Mark::Text { PartKind::Text } else { PartKind::Separator };
                return self.part(index, kind, self.split.chapters.len().checked_sub(1));
            }
        }
        self.part(index, PartKind::Blank, inside);
    }

    fn has_headings(&self) -> bool {
        self.split.chapters.iter().any(|chapter| !chapter.title.is_empty())
    }

    fn gap(&self, index: usize) -> bool {
        self.ruled || self.blanks > usize::from(self.wrapping.is_spaced(index))
    }

    fn begin(&mut self, index: usize, label: Label) {
        let origin = self.ingested.paragraphs[index].origin.clone();
        let Label { number, words: title } = label;
        let volume = self.volume.clone();
        self.split.chapters.push(Chapter { volume, number, title, text: String::new(), characters: 0, origin });
        (self.blanks, self.ruled) = (0, false);
        for index in std::mem::take(&mut self.carried) {
            let line = &self.ingested.text[self.ingested.paragraphs[index].range.clone()];
            self.add(index, line, false);
        }
    }

    fn add(&mut self, index: usize, line: &str, gap: bool) {
        let blanks = std::mem::take(&mut self.blanks);
        let ruled = std::mem::take(&mut self.ruled);
        let is_joined = self.wrapping.is_joined(index) && blanks == 0 && !ruled;
        let Some(chapter) = self.split.chapters.last_mut() else { return };
        let line = trim(line);
        chapter.characters += line.chars().filter(|c| !is_blank(*c)).count();
        append(&mut chapter.text, line, is_joined, gap);
    }

    fn add_front(&mut self, index: usize, line: &str) {
        let is_joined = self.wrapping.is_joined(index) && self.blanks == 0;
        let gap = self.gap(index);
        append(&mut self.split.front, trim(line), is_joined, gap);
        (self.blanks, self.ruled) = (0, false);
    }

    /// Gives the paragraph and its line feed a place; equal neighbours become one.
    fn part(&mut self, index: usize, kind: PartKind, chapter: Option<usize>) {
        let from = self.ingested.paragraphs[index].range.start;
        let next = self.ingested.paragraphs.get(index + 1);
        let until = next.map_or(self.ingested.text.len(), |next| next.range.start);
        match self.split.parts.last_mut() {
            Some(last) if last.kind == kind && last.chapter == chapter && last.range.end == from => {
                last.range.end = until;
            }
            _ => self.split.parts.push(Part { range: from..until, kind, chapter }),
        }
    }

    fn finish(mut self) -> Split {
        let tidied = |said: &Option<String>| said.as_deref().map(tidy).filter(|said| !said.is_empty());
        self.split.title = tidied(&self.ingested.title).or(tidied(&self.header.title)).or(self.split.title);
        self.split.author = tidied(&self.ingested.author).or(tidied(&self.header.author)).or(self.split.author);
        self.split.apart = self.apart.finish();
        self.split
    }
}

/// Adds a line to a text: to its last line, as the next one, or behind a gap.
fn append(text: &mut String, line: &str, is_joined: bool, gap: bool) {
    if !text.is_empty() {
        let (before, after) = (text.chars().next_back(), line.chars().next());
        match () {
            () if is_joined => text.push_str(wrapping::joint(before, after)),
            () if gap => text.push_str("\n\n"),
            () => text.push('\n'),
        }
    }
    text.push_str(line);
}

fn title(line: &str) -> String {
    let line = tidy(line);
    let inner = line.strip_prefix('《').and_then(|rest| rest.strip_suffix('》')).map(str::to_owned);
    inner.unwrap_or(line)
}

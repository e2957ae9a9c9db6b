//! Splitting of a manuscript into chapters; every character is assigned to a part.
//!
//! - `apart`, `page_marks`: text outside the book; `candidates`, `contents`, `listed`, `strays`, `choice`, `titles`: recognition of
//!   headings by form and repetition; `run_in`: headings in one paragraph with prose; `inner`: two numbers in a heading;
//!   `tales`: titles above numbers that begin again; `years`: years that rise; `unmarked`, `unnumbered`: guesses;
//!   `suspects`: lines that may be headings; `markup`, `pattern`, `declared`: headings named by the file, the user or a
//!   project
//! - `marks`: the role of each line (`line_mark`); `front`: matter before the first heading; `wrapping`: broken lines
//! - `parts`: `TextPart`, [`SplitChapter`] and others, of which the result [`Split`] is made; [`Warning`]: likely errors
//!
//! `options`, `parts`, `line_mark` and `chosen` import no others; `marks` imports the ways of finding headings.

mod apart;
mod candidates;
mod choice;
mod chosen;
mod contents;
mod declared;
mod front;
mod inner;
mod line_mark;
mod listed;
mod marks;
mod markup;
mod options;
mod page;
mod page_marks;
mod parts;
mod pattern;
mod run_in;
mod sequence;
mod strays;
mod suspects;
mod tales;
mod titles;
mod unmarked;
mod unnumbered;
mod warnings;
mod wrapping;
mod years;

use std::borrow::Cow;

use qingyu_story::Language;
use serde::Serialize;

pub use options::{HeadingRule, SplitOptions};
pub use parts::{Apart, ApartKind, HeadingForm, SplitChapter};
pub(crate) use parts::{PartKind, TextPart};
pub use warnings::Warning;

use crate::Error;
use crate::coverage::Coverage;
use crate::headings::HeadingLabel;
use crate::read::{Ingested, SourceParagraph};
use crate::spaces::{is_blank, tidy, trim};
use apart::{ApartTally, ArchiveHeader};
use line_mark::LineMark;
use marks::MarkedLines;
use wrapping::LineWrapping;

/// A manuscript split into chapters.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Split {
    /// The title of the book, if stated in the text.
    pub title: Option<String>,
    /// The author, if stated in the text.
    pub author: Option<String>,
    /// The main language.
    pub language: Language,
    /// Text before the first chapter, without title and contents.
    #[serde(skip)]
    pub front: String,
    /// The chapters in order.
    pub chapters: Vec<SplitChapter>,
    /// The text in contiguous parts.
    #[serde(skip)]
    pub(crate) parts: Vec<TextPart>,
    /// The forms of headings found, with counts.
    pub headings: Vec<HeadingForm>,
    /// Text outside the book, by kind.
    pub apart: Vec<Apart>,
    /// The text outside the book.
    #[serde(skip)]
    pub apart_text: String,
    /// Character counts by part; every character is counted once.
    pub coverage: Coverage,
    /// Likely errors.
    pub warnings: Vec<Warning>,
}

/// Splits a manuscript into chapters.
///
/// A text without headings is a single chapter, or several with [`SplitOptions::cut`]. The result is validated: returns
/// [`Error::Uncovered`] if a character is in no part or in two. Returns [`Error::BadPattern`] if the user's heading
/// pattern is invalid, and [`Error::NoHeading`] if the pattern matches no line.
pub fn split(ingested: &Ingested, splitting: &SplitOptions) -> Result<Split, Error> {
    let separated =
        if splitting.headings == HeadingRule::Learnt { run_in::separate(ingested) } else { Cow::Borrowed(ingested) };
    let ingested = separated.as_ref();
    let lines: Vec<&str> = ingested.paragraphs.iter().map(|one| &ingested.text[one.range.clone()]).collect();
    let MarkedLines { marks, header, is_guess, suspects, forms, mut repeated } =
        marks::find(ingested, &lines, &splitting.headings)?;
    let is_learnt = splitting.headings == HeadingRule::Learnt && splitting.cut.is_none();
    let unread = if is_learnt { warnings::unread(ingested, &lines, &marks) } else { None };
    let is_contents = |at: &usize| is_learnt && marks[*at] == LineMark::Contents;
    let contents: Vec<usize> = (0..lines.len()).filter(is_contents).collect();
    let wrapping = LineWrapping::of(ingested, &lines, &marks);
    let mut splitter = ChapterSplitter::new(ingested, wrapping, header, splitting);
    for (index, (line, mark)) in lines.iter().zip(marks).enumerate() {
        splitter.take(index, line, mark);
    }
    let mut split = splitter.finish();
    split.coverage = Coverage::check(&ingested.text, &split.parts, &split.chapters)?;
    split.headings = forms;
    let suspects: Vec<String> = suspects.into_iter().map(|index| tidy(lines[index])).collect();
    split.warnings = warnings::truncated(&ingested.truncated).collect();
    let outside = split.coverage.apart() + split.coverage.front() + split.coverage.contents();
    split.warnings.extend(warnings::outside(outside, split.coverage.text()));
    split.warnings.extend(warnings::look(&split.chapters, is_guess, &suspects, splitting));
    split.warnings.extend(unread);
    if is_learnt {
        split.warnings.extend(warnings::misprinted(&split.chapters));
        split.warnings.extend(warnings::unfound(&lines, &contents, &split.chapters));
    }
    repeated.dedup_by(|next, before| next.1 == before.1);
    split.warnings.extend(repeated.into_iter().map(|(index, label)| Warning::Twice {
        number: label.number.unwrap_or_default(),
        title: label.words,
        origin: ingested.paragraphs[index].origin.clone(),
    }));
    Ok(split)
}

struct ChapterSplitter<'i> {
    ingested: &'i Ingested,
    wrapping: LineWrapping,
    cut: Option<usize>,
    split: Split,
    /// Title and author from the header of an archive.
    header: ArchiveHeader,
    apart: ApartTally,
    volume: Option<String>,
    /// Lines below a volume heading, buffered for the chapter below.
    carried: Vec<usize>,
    /// Number of blank lines and rules since the last text.
    blanks: usize,
    ruled: bool,
}

impl<'i> ChapterSplitter<'i> {
    fn new(ingested: &'i Ingested, wrapping: LineWrapping, header: ArchiveHeader, splitting: &SplitOptions) -> Self {
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
        let (apart, carried) = (ApartTally::default(), Vec::new());
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

    fn take(&mut self, index: usize, line: &str, mark: LineMark) {
        let inside = self.split.chapters.len().checked_sub(1);
        match mark {
            LineMark::Blank => self.blanks += 1,
            LineMark::Rule => self.ruled = true,
            LineMark::Title => {
                self.split.title = self.split.title.take().or_else(|| Some(title(line)));
                return self.part(index, PartKind::Title, inside);
            }
            LineMark::Author(name) => {
                self.split.author = self.split.author.take().or(Some(name));
                return self.part(index, PartKind::Title, None);
            }
            LineMark::Contents => return self.part(index, PartKind::Contents, None),
            LineMark::Apart(kind) => {
                self.apart.add(kind, line, &self.ingested.paragraphs[index].origin);
                self.split.apart_text.push_str(trim(line));
                self.split.apart_text.push('\n');
                return self.part(index, PartKind::Apart, None);
            }
            LineMark::Heading { volume, chapter, again } => {
                if let Some(volume) = volume {
                    // A chapter outside the volumes of a project has a volume without words.
                    self.volume = Some(volume.words).filter(|words| !words.is_empty());
                }
                if let Some(label) = chapter.filter(|_| !again) {
                    self.begin(index, label);
                    return self.part(index, PartKind::Heading, self.split.chapters.len().checked_sub(1));
                }
                return self.part(index, PartKind::Heading, inside.filter(|_| again));
            }
            LineMark::HeadingRest => return self.part(index, PartKind::Heading, None),
            LineMark::Carried => {
                self.carried.push(index);
                return self.part(index, PartKind::Text, Some(self.split.chapters.len()));
            }
            LineMark::Front => {
                self.add_front(index, line);
                return self.part(index, PartKind::Front, None);
            }
            LineMark::Text | LineMark::Separator => {
                let gap = self.gap(index);
                let full = self.cut.is_some_and(|cut| {
                    let long = self.split.chapters.last().is_some_and(|last| last.characters >= cut);
                    long && !self.has_headings() && (self.blanks > 0 || self.ruled || !self.wrapping.is_spaced(index))
                });
                if self.split.chapters.is_empty() || full {
                    self.begin(index, HeadingLabel { number: None, words: String::new() });
                }
                self.add(index, line, gap && !full);
                let kind = if mark == LineMark::Text { PartKind::Text } else { PartKind::Separator };
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

    fn begin(&mut self, index: usize, label: HeadingLabel) {
        let origin = self.ingested.paragraphs[index].origin.clone();
        let HeadingLabel { number, words: title } = label;
        let volume = self.volume.clone();
        self.split.chapters.push(SplitChapter { volume, number, title, text: String::new(), characters: 0, origin });
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
        chapter.characters += line.chars().filter(|c| !is_blank(*c)).count();
        append(&mut chapter.text, &self.ingested.paragraphs, index, trim(line), is_joined, gap);
    }

    fn add_front(&mut self, index: usize, line: &str) {
        let is_joined = self.wrapping.is_joined(index) && self.blanks == 0;
        let gap = self.gap(index);
        append(&mut self.split.front, &self.ingested.paragraphs, index, trim(line), is_joined, gap);
        (self.blanks, self.ruled) = (0, false);
    }

    /// Assigns the paragraph and its line feed to a part; merges equal neighbours.
    fn part(&mut self, index: usize, kind: PartKind, chapter: Option<usize>) {
        let from = self.ingested.paragraphs[index].range.start;
        let next = self.ingested.paragraphs.get(index + 1);
        let until = next.map_or(self.ingested.text.len(), |next| next.range.start);
        match self.split.parts.last_mut() {
            Some(last) if last.kind == kind && last.chapter == chapter && last.range.end == from => {
                last.range.end = until;
            }
            _ => self.split.parts.push(TextPart { range: from..until, kind, chapter }),
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

/// Appends a line with its emphasis to a text: to its last line, as a new line, or after a gap.
fn append(text: &mut String, paragraphs: &[SourceParagraph], index: usize, line: &str, is_joined: bool, gap: bool) {
    let mut line = paragraphs[index].marked.as_deref().map_or(line, trim);
    let is_marked = |at: usize| paragraphs[at].marked.is_some();
    if is_joined && index > 0 && is_marked(index) && is_marked(index - 1) {
        // Emphasis that continues over the end of a line is one stretch.
        let closed = text.len() - text.trim_end_matches('*').len();
        let opened = line.len() - line.trim_start_matches('*').len();
        if closed == opened {
            text.truncate(text.len() - closed);
            line = &line[opened..];
        }
    }
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
    let named = ["Title:", "书名：", "书名:", "書名："].iter().find_map(|name| line.strip_prefix(name));
    let line = named.map_or(line.clone(), tidy);
    // A line in brackets names the author behind the title: [夜雨 / 某甲 著].
    let bracketed = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).and_then(|it| it.split_once(" / "));
    let line = bracketed.map_or(line.clone(), |(title, _)| tidy(title));
    // The title may have its author or its source behind: 《夜雨》作者：某甲.
    let inner = line.strip_prefix('《').and_then(|rest| rest.split_once('》'));
    let inner = inner.filter(|(title, after)| !title.is_empty() && !after.contains('《'));
    inner.map_or(line.clone(), |(title, _)| title.to_owned())
}

//! The paragraphs of a manuscript become chapters, and every character gets its place.
//!
//! - `marks`: which paragraphs are headings
//! - [`Part`], [`Chapter`], [`Split`]: what comes of it; [`Warning`]: what looks wrong

mod marks;
mod warnings;

use std::ops::Range;

use qingyu_story::Language;
use qingyu_story::language::is_han;
use serde::Serialize;

pub use warnings::Warning;

use crate::coverage::{Coverage, is_blank};
use crate::headings::{Label, tidy, trim};
use crate::{Error, Ingested, Origin};
use marks::Mark;

/// How a manuscript is split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Splitting {
    /// Cuts a text without headings at the first gap after so many characters; such a text is one chapter without it.
    pub cut: Option<usize>,
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
    /// Nothing but space.
    Blank,
}

/// Splits a manuscript into chapters.
///
/// A text without headings is one chapter, or several if [`Splitting::cut`] says so. Fails with [`Error::Uncovered`] if
/// a character has no place or two; that is checked on what is returned.
pub fn split(ingested: &Ingested, splitting: &Splitting) -> Result<Split, Error> {
    let lines: Vec<&str> = ingested.paragraphs.iter().map(|one| &ingested.text[one.range.clone()]).collect();
    let marks = marks::find(ingested, &lines);
    let layout = Layout::of(ingested, &lines, &marks);
    let mut splitter = Splitter::new(ingested, layout, splitting);
    for (index, (line, mark)) in lines.iter().zip(marks).enumerate() {
        splitter.take(index, line, mark);
    }
    let mut split = splitter.finish();
    split.coverage = Coverage::check(&ingested.text, &split)?;
    split.warnings = warnings::look(&split.chapters);
    Ok(split)
}

/// How paragraphs are set off in a manuscript.
#[derive(Debug, Clone, Copy)]
struct Layout {
    /// Blank lines stand between all paragraphs, so one alone is no gap.
    spaced: bool,
    /// Lines were broken for the width of a page.
    wrapped: bool,
}

impl Layout {
    fn of(ingested: &Ingested, lines: &[&str], marks: &[Mark]) -> Self {
        const ENOUGH: usize = 5;
        let (mut close, mut apart, mut pairs, mut open) = (0, 0, 0, 0);
        let mut last: Option<(usize, &str)> = None;
        for (index, (line, mark)) in lines.iter().zip(marks).enumerate() {
            match mark {
                Mark::Text | Mark::Separator => {
                    if let Some((before, text)) = last {
                        if index == before + 1 {
                            close += 1;
                        } else {
                            apart += 1;
                        }
                        if ingested.paragraphs[index].continues {
                            pairs += 1;
                            open += usize::from(!ends(text));
                        }
                    }
                    last = Some((index, line));
                }
                Mark::Blank | Mark::Rule => {}
                _ => last = None,
            }
        }
        let wrapped = pairs >= ENOUGH && open * 10 > pairs * 6;
        // Where lines were broken, paragraphs can only be told by what stands between them.
        Self { spaced: if wrapped { apart > 0 } else { apart > close }, wrapped }
    }
}

/// Whether a line can be the last one of a paragraph.
fn ends(line: &str) -> bool {
    const LAST: &str = "。！？…”’」』》）)!?.\"':：;；—*~～";
    trim(line).ends_with(|c| LAST.contains(c))
}

struct Splitter<'i> {
    ingested: &'i Ingested,
    layout: Layout,
    cut: Option<usize>,
    split: Split,
    volume: Option<String>,
    /// Blank lines and rules since the last text.
    blanks: usize,
    ruled: bool,
}

impl<'i> Splitter<'i> {
    fn new(ingested: &'i Ingested, layout: Layout, splitting: &Splitting) -> Self {
        let split = Split {
            title: None,
            author: None,
            language: Language::of(&ingested.text),
            front: String::new(),
            chapters: Vec::new(),
            parts: Vec::new(),
            coverage: Coverage::default(),
            warnings: Vec::new(),
        };
        Self { ingested, layout, cut: splitting.cut, split, volume: None, blanks: 0, ruled: false }
    }

    fn take(&mut self, index: usize, line: &str, mark: Mark) {
        let inside = self.split.chapters.len().checked_sub(1);
        match mark {
            Mark::Blank => self.blanks += 1,
            Mark::Rule => self.ruled = true,
            Mark::Title => self.split.title = self.split.title.take().or_else(|| Some(title(line))),
            Mark::Author(name) => {
                self.split.author = self.split.author.take().or(Some(name));
                return self.part(index, PartKind::Title, None);
            }
            Mark::Contents => return self.part(index, PartKind::Contents, None),
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
            Mark::Front => {
                self.add_front(line);
                return self.part(index, PartKind::Front, None);
            }
            Mark::Text | Mark::Separator => {
                let gap = self.gap();
                let full = self.cut.is_some_and(|cut| {
                    let long = self.split.chapters.last().is_some_and(|last| last.characters >= cut);
                    long && !self.has_headings() && (self.blanks > 0 || self.ruled || !self.layout.spaced)
                });
                if self.split.chapters.is_empty() || full {
                    self.begin(index, Label { number: None, words: String::new() });
                }
                self.add(index, line, gap && !full);
                let kind = if mark == Mark::Text { PartKind::Text } else { PartKind::Separator };
                return self.part(index, kind, self.split.chapters.len().checked_sub(1));
            }
        }
        let kind = if mark == Mark::Title { PartKind::Title } else { PartKind::Blank };
        self.part(index, kind, inside);
    }

    fn has_headings(&self) -> bool {
        self.split.chapters.iter().any(|chapter| !chapter.title.is_empty())
    }

    fn gap(&self) -> bool {
        self.ruled || self.blanks > usize::from(self.layout.spaced)
    }

    fn begin(&mut self, index: usize, label: Label) {
        let origin = self.ingested.paragraphs[index].origin.clone();
        let Label { number, words: title } = label;
        let volume = self.volume.clone();
        self.split.chapters.push(Chapter { volume, number, title, text: String::new(), characters: 0, origin });
        (self.blanks, self.ruled) = (0, false);
    }

    fn add(&mut self, index: usize, line: &str, gap: bool) {
        let blanks = std::mem::take(&mut self.blanks);
        let ruled = std::mem::take(&mut self.ruled);
        let indented = line.starts_with(char::is_whitespace);
        let broken = self.layout.wrapped && self.ingested.paragraphs[index].continues && !indented;
        let Some(chapter) = self.split.chapters.last_mut() else { return };
        let line = trim(line);
        chapter.characters += line.chars().filter(|c| !is_blank(*c)).count();
        if !chapter.text.is_empty() {
            let (before, after) = (chapter.text.chars().next_back(), line.chars().next());
            match () {
                () if broken && blanks == 0 && !ruled => chapter.text.push_str(joint(before, after)),
                () if gap => chapter.text.push_str("\n\n"),
                () => chapter.text.push('\n'),
            }
        }
        chapter.text.push_str(line);
    }

    fn add_front(&mut self, line: &str) {
        if !self.split.front.is_empty() {
            self.split.front.push('\n');
        }
        self.split.front.push_str(trim(line));
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
        let file = |said: &Option<String>| said.as_deref().map(tidy).filter(|said| !said.is_empty());
        self.split.title = file(&self.ingested.title).or(self.split.title);
        self.split.author = file(&self.ingested.author).or(self.split.author);
        self.split
    }
}

/// What stands between two lines that were one: nothing between Chinese, a space between words.
fn joint(before: Option<char>, after: Option<char>) -> &'static str {
    let wide = |c: Option<char>| {
        c.is_some_and(|c| is_han(c) || matches!(c, '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ffef}'))
    };
    if wide(before) || wide(after) { "" } else { " " }
}

fn title(line: &str) -> String {
    let line = tidy(line);
    let inner = line.strip_prefix('《').and_then(|rest| rest.strip_suffix('》')).map(str::to_owned);
    inner.unwrap_or(line)
}

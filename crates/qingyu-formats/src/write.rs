//! A book becomes a file, chapter by chapter: one chapter is in memory at a time. The same book gives the same bytes.
//!
//! - `markdown`, `txt`: text; `epub`, `docx`: archives, by way of `package`; `document`: a single text as DOCX

mod document;
mod docx;
mod epub;
mod markdown;
mod package;
mod txt;

use std::io::{Seek, Write};

use qingyu_story::Language;

pub use document::write_markdown;

use crate::{Error, Layout};

/// What stands on the cover.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Book {
    /// The title.
    pub title: String,
    /// The author.
    pub author: Option<String>,
    /// The language it is told in.
    pub language: Language,
    /// What names it for good, such as `urn:uuid:…`; made of the title if it is empty.
    pub identifier: String,
    /// A picture for the cover of an EPUB; one of text is made without it.
    pub picture: Option<Picture>,
    /// When it was changed last, such as `2026-11-22T12:00:00Z`; 2000 if it is empty. Nothing else in a file tells the time.
    pub modified: String,
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// What it is, such as `image/png`.
    pub media_type: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// How a chapter begins.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Opening {
    /// The volume it stands in; where it is not that of the chapter before, the volume begins.
    pub volume: Option<String>,
    /// Its title, with its number if it has one.
    pub title: String,
}

/// In which form a book is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// Markdown.
    Markdown,
    /// Plain text.
    Txt(Layout),
    /// EPUB 3.
    Epub,
    /// Office Open XML.
    Docx,
}

/// Gives the text of a chapter, counted from 0; it is called once for each, in order.
pub type Texts<'t> = dyn FnMut(usize) -> Result<String, Box<dyn std::error::Error + Send + Sync>> + 't;

/// A place that archives can be written to.
pub trait Sink: Write + Seek {}

impl<S: Write + Seek> Sink for S {}

/// Writes a book to `sink`. In the texts, paragraphs are lines, and an empty line is a gap.
pub fn write(
    book: &Book,
    openings: &[Opening],
    texts: &mut Texts<'_>,
    form: &Form,
    sink: &mut dyn Sink,
) -> Result<(), Error> {
    let mut chapters = Chapters { openings, texts };
    match form {
        Form::Markdown => markdown::write(book, &mut chapters, sink),
        Form::Txt(layout) => txt::write(book, &mut chapters, layout, sink),
        Form::Epub => epub::write(book, &mut chapters, sink),
        Form::Docx => docx::write(book, &mut chapters, sink),
    }?;
    sink.flush().map_err(Error::Write)
}

struct Chapters<'c, 't> {
    openings: &'c [Opening],
    texts: &'c mut Texts<'t>,
}

impl<'c> Chapters<'c, '_> {
    fn text(&mut self, chapter: usize) -> Result<String, Error> {
        (self.texts)(chapter).map_err(|source| Error::Chapter { chapter: chapter + 1, source })
    }

    /// The volume that begins with a chapter.
    fn volume(&self, chapter: usize) -> Option<&'c str> {
        let before = chapter.checked_sub(1).and_then(|before| self.openings[before].volume.as_deref());
        let volume = self.openings[chapter].volume.as_deref().filter(|volume| !volume.trim().is_empty());
        volume.filter(|volume| before != Some(*volume))
    }

    fn has_volumes(&self) -> bool {
        (0..self.openings.len()).any(|chapter| self.volume(chapter).is_some())
    }
}

/// The paragraphs of a text, an empty one for a gap; none at the ends, and never two gaps in a row.
fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    let mut lines = text.lines().map(crate::headings::trim).skip_while(|line| line.is_empty()).peekable();
    std::iter::from_fn(move || {
        let line = lines.next()?;
        if !line.is_empty() {
            return Some(line);
        }
        while lines.next_if(|line| line.is_empty()).is_some() {}
        lines.peek().map(|_| line)
    })
}

//! Writing of a book to a file, with a single chapter in memory at a time. Output is deterministic.
//!
//! - `book`: the book and its texts
//! - `markdown`, `txt`: text; `epub`, `docx`, `manuscript`: archives, written with `package`; `document`, `html`: a
//!   single text as DOCX, and as a web page, read with `markup`

mod book;
mod document;
mod docx;
mod epub;
mod html;
mod manuscript;
mod markdown;
mod markup;
mod package;
mod txt;

pub use book::{BookInfo, ChapterOpening, CoverArtwork, WriteSeek};
pub use document::write_markdown;
pub use html::write_html;

use crate::Error;
use crate::layout::TextLayout;
use book::{ChapterSource, ChapterTexts};
use epub::CoverPlace;

/// The output format of a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutputForm {
    /// Markdown.
    Markdown,
    /// Plain text.
    Txt(TextLayout),
    /// EPUB 3.
    Epub,
    /// EPUB 3 for stores which add the cover themselves, such as Kindle Direct Publishing: with a title page instead of
    /// a cover.
    EpubWithoutCover,
    /// Office Open XML.
    Docx,
    /// A manuscript for submissions as DOCX, with its length.
    Manuscript(ManuscriptLength),
}

/// The length of a manuscript in the unit of its language: words, or Chinese characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ManuscriptLength(pub usize);

/// Writes a book to `sink`. In the texts, a line is a paragraph, an empty line a gap, and
/// `*italic*` and `**bold**` are emphasis, which plain text does without.
pub fn write(
    book: &BookInfo,
    openings: &[ChapterOpening],
    texts: &mut ChapterTexts<'_>,
    form: &OutputForm,
    sink: &mut dyn WriteSeek,
) -> Result<(), Error> {
    let mut chapters = ChapterSource { openings, texts };
    match form {
        OutputForm::Markdown => markdown::write(book, &mut chapters, sink),
        OutputForm::Txt(layout) => txt::write(book, &mut chapters, layout, sink),
        OutputForm::Epub => epub::write(book, &mut chapters, CoverPlace::Inside, sink),
        OutputForm::EpubWithoutCover => epub::write(book, &mut chapters, CoverPlace::Apart, sink),
        OutputForm::Docx => docx::write(book, &mut chapters, sink),
        OutputForm::Manuscript(length) => manuscript::write(book, &mut chapters, *length, sink),
    }?;
    sink.flush().map_err(Error::Write)
}

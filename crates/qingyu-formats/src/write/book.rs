//! A book to be written: metadata, openings of the chapters, and the source of their texts.

use std::io::{Seek, Write};

use qingyu_story::Language;

use crate::Error;
use crate::spaces::trim;

/// Metadata of a book.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BookInfo {
    /// The title.
    pub title: String,
    /// The author.
    pub author: Option<String>,
    /// The language of the text.
    pub language: Language,
    /// A permanent identifier, such as `urn:uuid:…`; if empty, derived from the title.
    pub identifier: String,
    /// The cover picture of an EPUB; the default cover is made of text.
    pub picture: Option<CoverArtwork>,
    /// Time of the last change, such as `2026-11-22T12:00:00Z`; the default if empty is the year 2000. No other time is
    /// written to the file.
    pub modified: String,
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoverArtwork {
    /// The media type, such as `image/png`.
    pub media_type: String,
    /// The encoded bytes.
    pub bytes: Vec<u8>,
}

/// The title of a chapter and its volume.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChapterOpening {
    /// The volume of the chapter; a volume begins where the value differs from the previous chapter.
    pub volume: Option<String>,
    /// The title, including the number if any.
    pub title: String,
}

/// A callback returning the text of a chapter, with the index from 0; called once per chapter, in order.
pub(super) type ChapterTexts<'t> = dyn FnMut(usize) -> Result<String, Box<dyn std::error::Error + Send + Sync>> + 't;

/// A seekable output for archives.
pub trait WriteSeek: Write + Seek {}

impl<S: Write + Seek> WriteSeek for S {}

pub(super) struct ChapterSource<'c, 't> {
    pub(super) openings: &'c [ChapterOpening],
    pub(super) texts: &'c mut ChapterTexts<'t>,
}

impl<'c> ChapterSource<'c, '_> {
    pub(super) fn text(&mut self, chapter: usize) -> Result<String, Error> {
        (self.texts)(chapter).map_err(|source| Error::Chapter { chapter: chapter + 1, source })
    }

    /// Returns the volume that begins with the chapter, if any.
    pub(super) fn volume(&self, chapter: usize) -> Option<&'c str> {
        let before = chapter.checked_sub(1).and_then(|before| self.openings[before].volume.as_deref());
        let volume = self.openings[chapter].volume.as_deref().filter(|volume| !volume.trim().is_empty());
        volume.filter(|volume| before != Some(*volume))
    }

    pub(super) fn has_volumes(&self) -> bool {
        (0..self.openings.len()).any(|chapter| self.volume(chapter).is_some())
    }
}

/// Returns an iterator over the paragraphs of a text, with an empty string for a gap; no gaps at the ends, and no two
/// gaps in a row.
pub(super) fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    let mut lines = text.lines().map(trim).skip_while(|line| line.is_empty()).peekable();
    std::iter::from_fn(move || {
        let line = lines.next()?;
        if !line.is_empty() {
            return Some(line);
        }
        while lines.next_if(|line| line.is_empty()).is_some() {}
        lines.peek().map(|_| line)
    })
}

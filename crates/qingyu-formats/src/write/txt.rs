//! Writer of plain text with a layout.

use qingyu_story::Language;
use qingyu_story::prose::without_emphasis;

use super::book::{BookInfo, ChapterSource, WriteSeek, paragraphs};
use crate::spaces::tidy;
use crate::{Error, TextLayout};

pub(super) fn write(
    book: &BookInfo,
    chapters: &mut ChapterSource<'_, '_>,
    layout: &TextLayout,
    sink: &mut dyn WriteSeek,
) -> Result<(), Error> {
    let mut out = LineWriter { sink, blanks: 0, begun: false };
    if layout.title_page {
        match book.language {
            Language::Zh => out.line(&format!("《{}》", tidy(&book.title)))?,
            Language::En => out.line(&tidy(&book.title))?,
        }
        match (&book.author, book.language) {
            (Some(author), Language::Zh) => out.line(&format!("作者：{}", tidy(author)))?,
            (Some(author), Language::En) => out.line(&format!("Author: {}", tidy(author)))?,
            (None, _) => {}
        }
    }
    for chapter in 0..chapters.openings.len() {
        if let Some(volume) = chapters.volume(chapter) {
            out.blank(2);
            out.line(&tidy(volume))?;
        }
        out.blank(2);
        out.line(&layout.heading(&chapters.openings[chapter].title, chapter + 1, book.language))?;
        out.blank(1);
        for paragraph in paragraphs(&without_emphasis(&chapters.text(chapter)?)) {
            if paragraph.is_empty() {
                out.blank(if layout.spaced { 2 } else { 1 });
            } else {
                out.line(&format!("{}{paragraph}", layout.indent))?;
                out.blank(usize::from(layout.spaced));
            }
        }
    }
    Ok(())
}

/// A line writer; blank lines are buffered until the next text line.
struct LineWriter<'s> {
    sink: &'s mut dyn WriteSeek,
    blanks: usize,
    begun: bool,
}

impl LineWriter<'_> {
    fn blank(&mut self, count: usize) {
        self.blanks = self.blanks.max(count);
    }

    fn line(&mut self, line: &str) -> Result<(), Error> {
        let blanks = std::mem::take(&mut self.blanks) * usize::from(self.begun);
        self.begun = true;
        writeln!(self.sink, "{}{line}", "\n".repeat(blanks)).map_err(Error::Write)
    }
}

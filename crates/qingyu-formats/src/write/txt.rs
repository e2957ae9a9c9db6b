//! Plain text, laid out.

use qingyu_story::Language;

use super::{Book, Chapters, Sink, paragraphs};
use crate::{Error, Layout, headings};

pub(super) fn write(
    book: &Book,
    chapters: &mut Chapters<'_, '_>,
    layout: &Layout,
    sink: &mut dyn Sink,
) -> Result<(), Error> {
    let mut out = Lines { sink, blanks: 0, begun: false };
    if layout.title_page {
        match book.language {
            Language::Zh => out.line(&format!("《{}》", headings::tidy(&book.title)))?,
            Language::En => out.line(&headings::tidy(&book.title))?,
        }
        match (&book.author, book.language) {
            (Some(author), Language::Zh) => out.line(&format!("作者：{}", headings::tidy(author)))?,
            (Some(author), Language::En) => out.line(&format!("Author: {}", headings::tidy(author)))?,
            (None, _) => {}
        }
    }
    for chapter in 0..chapters.openings.len() {
        if let Some(volume) = chapters.volume(chapter) {
            out.blank(2);
            out.line(&headings::tidy(volume))?;
        }
        out.blank(2);
        out.line(&layout.heading(&chapters.openings[chapter].title, chapter + 1, book.language))?;
        out.blank(1);
        for paragraph in paragraphs(&chapters.text(chapter)?) {
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

/// Writes lines; blank ones are put before the next line that is not.
struct Lines<'s> {
    sink: &'s mut dyn Sink,
    blanks: usize,
    begun: bool,
}

impl Lines<'_> {
    fn blank(&mut self, count: usize) {
        self.blanks = self.blanks.max(count);
    }

    fn line(&mut self, line: &str) -> Result<(), Error> {
        let blanks = std::mem::take(&mut self.blanks) * usize::from(self.begun);
        self.begun = true;
        writeln!(self.sink, "{}{line}", "\n".repeat(blanks)).map_err(Error::Write)
    }
}

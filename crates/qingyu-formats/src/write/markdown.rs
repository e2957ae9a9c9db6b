//! Markdown: headings, paragraphs with blank lines between them, drawn lines for gaps. What looks like a mark is escaped.

use super::{Book, Chapters, Sink, paragraphs};
use crate::Error;

pub(super) fn write(book: &Book, chapters: &mut Chapters<'_, '_>, sink: &mut dyn Sink) -> Result<(), Error> {
    let marks = if chapters.has_volumes() { ("##", "###") } else { ("##", "##") };
    let write = |sink: &mut dyn Sink, line: String| writeln!(sink, "{line}\n").map_err(Error::Write);
    write(sink, format!("# {}", heading(&book.title)))?;
    if let Some(author) = &book.author {
        let sign = match book.language {
            qingyu_story::Language::Zh => "作者：",
            qingyu_story::Language::En => "Author: ",
        };
        write(sink, format!("{sign}{}", inline(author)))?;
    }
    for chapter in 0..chapters.openings.len() {
        if let Some(volume) = chapters.volume(chapter) {
            write(sink, format!("{} {}", marks.0, heading(volume)))?;
        }
        write(sink, format!("{} {}", marks.1, heading(&chapters.openings[chapter].title)))?;
        for paragraph in paragraphs(&chapters.text(chapter)?) {
            write(sink, if paragraph.is_empty() { "* * *".into() } else { line(paragraph) })?;
        }
    }
    Ok(())
}

fn heading(text: &str) -> String {
    inline(&crate::headings::tidy(text)).replace('#', "\\#")
}

/// A paragraph; a mark that only counts at its beginning is escaped there.
fn line(text: &str) -> String {
    let escaped = inline(text);
    let digits = escaped.bytes().take_while(u8::is_ascii_digit).count();
    let listed = digits > 0 && escaped[digits..].starts_with(['.', ')']);
    if listed {
        return format!("{}\\{}", &escaped[..digits], &escaped[digits..]);
    }
    if escaped.starts_with(['#', '+', '-', '=']) { format!("\\{escaped}") } else { escaped }
}

fn inline(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '~' | '|') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

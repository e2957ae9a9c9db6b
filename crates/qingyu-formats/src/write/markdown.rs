//! Writer of Markdown: headings, paragraphs separated by blank lines, rules for gaps. Markup characters in the text are
//! escaped.

use qingyu_story::prose::{EmphasisSpan, emphasis};

use super::book::{BookInfo, ChapterSource, WriteSeek, paragraphs};
use crate::Error;
use crate::spaces::tidy;

pub(super) fn write(
    book: &BookInfo,
    chapters: &mut ChapterSource<'_, '_>,
    sink: &mut dyn WriteSeek,
) -> Result<(), Error> {
    let marks = if chapters.has_volumes() { ("##", "###") } else { ("##", "##") };
    let write = |sink: &mut dyn WriteSeek, line: String| writeln!(sink, "{line}\n").map_err(Error::Write);
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
    inline(&tidy(text)).replace('#', "\\#")
}

/// Returns a paragraph with markers escaped which count only at the beginning of a line.
fn line(text: &str) -> String {
    let escaped = faced(text);
    let digits = escaped.bytes().take_while(u8::is_ascii_digit).count();
    let listed = digits > 0 && escaped[digits..].starts_with(['.', ')']);
    if listed {
        return format!("{}\\{}", &escaped[..digits], &escaped[digits..]);
    }
    if escaped.starts_with(['#', '+', '-', '=']) { format!("\\{escaped}") } else { escaped }
}

/// Returns a paragraph with its emphasis: as asterisks where readers of Markdown recognise them, else as HTML.
fn faced(text: &str) -> String {
    let spans = emphasis(text);
    let is_plain = |span: Option<&EmphasisSpan>| span.is_none_or(|span| !span.bold && !span.italic);
    let mut faced = String::with_capacity(text.len());
    for (place, span) in spans.iter().enumerate() {
        let words = &text[span.range.clone()];
        let (signs, open, close) = match (span.bold, span.italic) {
            (false, false) => {
                faced.push_str(&inline(words));
                continue;
            }
            (false, true) => ("*", "<em>", "</em>"),
            (true, false) => ("**", "<strong>", "</strong>"),
            (true, true) => ("***", "<strong><em>", "</em></strong>"),
        };
        let before = place.checked_sub(1).map(|before| &spans[before]);
        let after = spans.get(place + 1);
        let edge = |span: Option<&EmphasisSpan>| span.map(|span| &text[span.range.clone()]);
        let opens = flanks(words.chars().next(), edge(before).and_then(|text| text.chars().next_back()));
        let closes = flanks(words.chars().next_back(), edge(after).and_then(|text| text.chars().next()));
        let (open, close) =
            if opens && closes && is_plain(before) && is_plain(after) { (signs, signs) } else { (open, close) };
        faced.push_str(open);
        faced.push_str(&inline(words));
        faced.push_str(close);
    }
    faced
}

/// Returns whether readers of Markdown recognise a mark between a character of the emphasised words and its neighbour.
fn flanks(inside: Option<char>, outside: Option<char>) -> bool {
    let is_sign = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
    inside.is_some_and(|inside| {
        !inside.is_whitespace() && (!is_sign(inside) || outside.is_none_or(|c| c.is_whitespace() || is_sign(c)))
    })
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

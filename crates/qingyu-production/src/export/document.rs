//! A Markdown document for readers.

use qingyu_story::Language;
use qingyu_story::production::Field;

use super::sources::Citations;
use crate::citation::CitedSource;
use crate::text::{line, plain, readable};

/// Writes a document: the title, the fields in order with their titles, and the cited sources.
///
/// A single field has no heading of its own: its text follows the title, and a heading at its beginning becomes the
/// title of the document.
pub(super) fn write(title: &str, language: Language, fields: &[&Field], known: &[CitedSource]) -> String {
    let filled: Vec<&&Field> = fields.iter().filter(|field| !field.is_empty()).collect();
    let text = match filled.as_slice() {
        [only] => single(title, only),
        several => {
            let part = |field: &&&Field| {
                let title = line(&field.title);
                let value = without_title(&readable(&field.value, &field.schema), &title);
                format!("\n## {title}\n\n{}\n", shifted(&value, 3).trim())
            };
            format!("# {}\n{}", line(title), several.iter().map(part).collect::<String>())
        }
    };
    let cited = Citations::of(&text, known);
    let mut text = cited.renumbered(&text);
    if !cited.sources.is_empty() {
        let heading = match language {
            Language::Zh => "资料来源",
            Language::En => "Sources",
        };
        text.push_str(&format!("\n## {heading}\n\n"));
        for source in &cited.sources {
            let CitedSource { number, title, url, place, .. } = source;
            let title = plain(if title.is_empty() { url } else { title });
            // A document of one's own has no address that a reader could open.
            let title = if place.is_empty() { format!("[{title}](<{url}>)") } else { title };
            let details = plain(&source.details(language));
            let between = match (details.is_empty(), language) {
                (true, _) => "",
                (false, Language::Zh) => "，",
                (false, Language::En) => "; ",
            };
            text.push_str(&format!("{number}. {title}{between}{details}\n"));
        }
    }
    text
}

fn single(title: &str, field: &Field) -> String {
    let value = readable(&field.value, &field.schema);
    let first = value.trim_start().lines().next().unwrap_or_default();
    match heading(first) {
        1 => format!("{}\n", shifted(&value, 1).trim()),
        _ => format!("# {}\n\n{}\n", line(title), shifted(&value, 2).trim()),
    }
}

/// Returns the text without a first heading that repeats `title`, or the end of it behind a colon.
fn without_title(text: &str, title: &str) -> String {
    let text = text.trim_start();
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let depth = heading(first);
    let own = first[depth..].trim().trim_end_matches('#').trim();
    let end = title.split_once(['：', ':']).map_or(title, |(_, end)| end.trim());
    let is_title = depth > 0 && !own.is_empty() && [title, end].iter().any(|title| title.eq_ignore_ascii_case(own));
    if is_title { rest.trim_start().to_owned() } else { text.to_owned() }
}

/// Returns the text with its headings shifted, so that the highest has `level`. Code fences are unchanged.
pub(super) fn shifted(text: &str, level: usize) -> String {
    let mut fence = None;
    let mut lines: Vec<(&str, usize)> = Vec::new();
    for line in text.lines() {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        let depth = if fence.is_none() && mark.is_none() { heading(line) } else { 0 };
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        lines.push((line, depth));
    }
    let highest = lines.iter().map(|(_, depth)| *depth).filter(|depth| *depth > 0).min().unwrap_or(level);
    let moved = |(line, depth): (&str, usize)| match depth {
        0 => line.to_owned(),
        depth => format!("{}{}", "#".repeat((depth + level).saturating_sub(highest).clamp(1, 6)), &line[depth..]),
    };
    lines.into_iter().map(moved).collect::<Vec<_>>().join("\n")
}

/// Returns the number of `#` at the beginning of a heading; 0 for any other line.
fn heading(line: &str) -> usize {
    let depth = line.bytes().take_while(|byte| *byte == b'#').count();
    let is_heading = (1..=6).contains(&depth) && line[depth..].chars().next().is_none_or(char::is_whitespace);
    if is_heading { depth } else { 0 }
}

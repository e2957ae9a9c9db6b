//! One Markdown document for people.

use qingyu_story::Language;
use qingyu_story::production::Field;

use super::Source;
use crate::text::markdown;

/// The title, the fields in order under their own titles, the sources.
pub(super) fn write(title: &str, language: Language, fields: &[&Field], sources: &[Source]) -> String {
    let mut text = format!("# {}\n", line(title));
    for field in fields.iter().filter(|field| !field.is_empty()) {
        let value = markdown(&field.value, &field.schema);
        text.push_str(&format!("\n## {}\n\n{}\n", line(&field.title), shifted(&value, 3).trim()));
    }
    if !sources.is_empty() {
        let heading = match language {
            Language::Zh => "资料来源",
            Language::En => "Sources",
        };
        text.push_str(&format!("\n## {heading}\n\n"));
        for Source { number, title, url } in sources {
            let title = if title.is_empty() { url } else { title };
            text.push_str(&format!("{number}. {} <{url}>\n", line(title)));
        }
    }
    text
}

fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text with its headings moved down, so that the highest is of `level`. What stands in fences stays.
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
    let down = level.saturating_sub(highest);
    let moved = |(line, depth): (&str, usize)| match depth {
        0 => line.to_owned(),
        depth => format!("{}{}", "#".repeat((depth + down).min(6)), &line[depth..]),
    };
    lines.into_iter().map(moved).collect::<Vec<_>>().join("\n")
}

/// How many `#` a heading begins with; 0 for any other line.
fn heading(line: &str) -> usize {
    let depth = line.bytes().take_while(|byte| *byte == b'#').count();
    let is_heading = (1..=6).contains(&depth) && line[depth..].chars().next().is_none_or(char::is_whitespace);
    if is_heading { depth } else { 0 }
}

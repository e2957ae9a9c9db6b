//! ODT, as LibreOffice writes it: the content with its headings. What is not taken over is counted, as for DOCX.

use std::collections::BTreeSet;

use super::archive::Archive;
use super::properties::properties;
use super::xml::{Kind, Node, walk};
use super::{Collector, Extra, Format, Ingested, Origin, Role};
use crate::{Error, Limits};

/// The entry that holds the text.
pub(crate) const CONTENT: &str = "content.xml";
/// What the first entry of such an archive says.
pub(crate) const MEDIA_TYPE: &str = "application/vnd.oasis.opendocument.text";

pub(crate) fn read(archive: &mut Archive<'_>, limits: &Limits) -> Result<Ingested, Error> {
    let bytes = archive.need(CONTENT)?;
    let mut document = Document { collector: Collector::new(limits), count: 0, open: Vec::new() };
    // An element that is no text, and how many of its name are open within it.
    let mut skipped: Option<(String, usize)> = None;
    let mut lists = 0_usize;
    let mut faces: BTreeSet<String> = BTreeSet::new();
    let mut style = None;
    walk(CONTENT, &bytes, Kind::Strict, limits, |node| {
        if let Some((tag, depth)) = &mut skipped {
            match node {
                Node::Open { name: "deletion", .. } => document.collector.leave_out(Extra::Deletions),
                Node::Open { name, .. } if name == tag => *depth += 1,
                Node::Close { name } if name == tag => *depth -= 1,
                _ => {}
            }
            skipped = skipped.take().filter(|(_, depth)| *depth > 0);
            return Ok(());
        }
        match node {
            Node::Open { name: "style", attributes } => style = attributes.get("name"),
            Node::Open { name: "text-properties", attributes } => {
                let is = |key, value: &str| attributes.get(key).is_some_and(|given| given == value);
                if is("font-style", "italic") || is("font-weight", "bold") {
                    faces.extend(style.clone());
                }
            }
            Node::Open {
                name: name @ ("note" | "annotation" | "tracked-changes" | "ruby-text" | "hidden-text"),
                ..
            } => {
                let lost = match name {
                    "note" => Some(Extra::Notes),
                    "annotation" => Some(Extra::Comments),
                    "ruby-text" => Some(Extra::Readings),
                    "hidden-text" => Some(Extra::Hidden),
                    _ => None,
                };
                lost.into_iter().for_each(|lost| document.collector.leave_out(lost));
                skipped = Some((name.to_owned(), 1));
            }
            Node::Open { name: "table-of-content", .. } => lists += 1,
            Node::Close { name: "table-of-content" } => lists = lists.saturating_sub(1),
            Node::Open { name: "h", attributes } => {
                let level = attributes.get("outline-level").and_then(|level| level.parse().ok());
                document.open.push((String::new(), Role::Heading(level.unwrap_or(1))));
            }
            Node::Open { name: "p", attributes } => {
                let style = attributes.get("style-name").unwrap_or_default();
                let is_title = matches!(style.as_str(), "Title" | "Subtitle");
                document.open.push((String::new(), if is_title { Role::Title } else { Role::Text }));
            }
            Node::Close { name: "h" | "p" } => document.close(lists > 0),
            Node::Open { name: "span", attributes }
                if attributes.get("style-name").is_some_and(|style| faces.contains(&style)) =>
            {
                document.collector.leave_out(Extra::Emphasis);
            }
            Node::Open { name: "s", attributes } => {
                let count = attributes.get("c").and_then(|count| count.parse().ok()).unwrap_or(1_usize);
                document.add(&" ".repeat(count.min(80)));
            }
            Node::Open { name: "tab", .. } => document.add("\t"),
            Node::Open { name: "line-break", .. } => document.break_line(),
            Node::Open { name: "image", .. } => document.collector.leave_out(Extra::Pictures),
            Node::Text(text) => document.add(&text),
            _ => {}
        }
        Ok(())
    })?;
    let mut ingested = document.collector.finish(Format::Odt)?;
    properties(archive, "meta.xml", "initial-creator", &mut ingested, limits)?;
    Ok(ingested)
}

struct Document {
    collector: Collector,
    count: usize,
    /// Paragraphs stand within paragraphs where there are frames with text.
    open: Vec<(String, Role)>,
}

impl Document {
    fn add(&mut self, text: &str) {
        if let Some((line, _)) = self.open.last_mut() {
            for c in text.chars() {
                match c {
                    '\n' | '\r' => line.push_str(if line.is_empty() || line.ends_with(' ') { "" } else { " " }),
                    '\t' if line.is_empty() => {}
                    c => line.push(c),
                }
            }
        }
    }

    fn break_line(&mut self) {
        match self.open.last_mut() {
            Some((line, Role::Text)) if !line.trim().is_empty() => {
                let line = std::mem::take(line);
                self.put(&line, Role::Text);
            }
            Some((line, _)) => line.push(' '),
            None => {}
        }
    }

    fn close(&mut self, in_contents: bool) {
        if let Some((line, role)) = self.open.pop() {
            let role = if in_contents { Role::Contents } else { role };
            self.put(&line, role);
        }
    }

    fn put(&mut self, line: &str, role: Role) {
        self.count += 1;
        let origin = Origin::Entry { name: CONTENT.into(), paragraph: self.count };
        let role = if line.trim().is_empty() { Role::Text } else { role };
        self.collector.push(line, role, origin, false);
    }
}

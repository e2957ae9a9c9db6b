//! ODT as written by LibreOffice: parser of the content with its headings. Omitted content is counted, as for DOCX.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_story::prose::EmphasisSpan;

use super::archive::ZipReader;
use super::collector::Collector;
use super::faces::{Face, FaceTracker};
use super::manuscript::{Extra, Format, Ingested, Origin, ParagraphRole};
use super::properties::properties;
use super::xml::{XmlEvent, XmlStrictness, walk};
use crate::{Error, FileLimits};

/// The archive entry with the text.
pub(crate) const CONTENT: &str = "content.xml";
/// The content of the first entry, `mimetype`.
pub(crate) const MEDIA_TYPE: &str = "application/vnd.oasis.opendocument.text";

pub(crate) fn read(archive: &mut ZipReader<'_>, limits: &FileLimits) -> Result<Ingested, Error> {
    let bytes = archive.need(CONTENT)?;
    let mut document = OdtReader { collector: Collector::new(limits), count: 0, open: Vec::new(), spans: Vec::new() };
    // A skipped element, and the number of open elements of the same name inside.
    let mut skipped: Option<(String, usize)> = None;
    let mut lists = 0_usize;
    let mut faces: BTreeMap<String, Face> = BTreeMap::from([
        ("Emphasis".to_owned(), Face { bold: false, italic: true }),
        ("Strong_20_Emphasis".to_owned(), Face { bold: true, italic: false }),
    ]);
    // Styles with a face that is not kept.
    let mut others: BTreeSet<String> = BTreeSet::new();
    let mut style = None;
    walk(CONTENT, &bytes, XmlStrictness::Strict, limits, |node| {
        if let Some((tag, depth)) = &mut skipped {
            match node {
                XmlEvent::Open { name: "deletion", .. } => document.collector.leave_out(Extra::Deletions),
                XmlEvent::Open { name, .. } if name == tag => *depth += 1,
                XmlEvent::Close { name } if name == tag => *depth -= 1,
                _ => {}
            }
            skipped = skipped.take().filter(|(_, depth)| *depth > 0);
            return Ok(());
        }
        match node {
            XmlEvent::Open { name: "style", attributes } => style = attributes.get("name"),
            XmlEvent::Open { name: "text-properties", attributes } => {
                let is = |key, value: &str| attributes.get(key).is_some_and(|given| given == value);
                let face = Face { bold: is("font-weight", "bold"), italic: is("font-style", "italic") };
                faces.extend(style.clone().map(|style| (style, face)));
                let is_drawn = |key| attributes.get(key).is_some_and(|given| given != "none");
                if is_drawn("text-underline-style") || is_drawn("text-line-through-style") {
                    others.extend(style.clone());
                }
            }
            XmlEvent::Open {
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
            XmlEvent::Open { name: "table-of-content", .. } => lists += 1,
            XmlEvent::Close { name: "table-of-content" } => lists = lists.saturating_sub(1),
            XmlEvent::Open { name: "h", attributes } => {
                let level = attributes.get("outline-level").and_then(|level| level.parse().ok());
                document.begin(ParagraphRole::Heading(level.unwrap_or(1)), Face::default());
            }
            XmlEvent::Open { name: "p", attributes } => {
                let style = attributes.get("style-name").unwrap_or_default();
                let is_title = matches!(style.as_str(), "Title" | "Subtitle");
                let face = faces.get(&style).copied().unwrap_or_default();
                document.begin(if is_title { ParagraphRole::Title } else { ParagraphRole::Text }, face);
            }
            XmlEvent::Close { name: "h" | "p" } => document.close(lists > 0),
            XmlEvent::Open { name: "span", attributes } => {
                let style = attributes.get("style-name").unwrap_or_default();
                if others.contains(&style) {
                    document.collector.leave_out(Extra::Emphasis);
                }
                document.spans.push(faces.get(&style).copied().unwrap_or_default());
            }
            XmlEvent::Close { name: "span" } => drop(document.spans.pop()),
            XmlEvent::Open { name: "s", attributes } => {
                let count = attributes.get("c").and_then(|count| count.parse().ok()).unwrap_or(1_usize);
                document.add(&" ".repeat(count.min(80)));
            }
            XmlEvent::Open { name: "tab", .. } => document.add("\t"),
            XmlEvent::Open { name: "line-break", .. } => document.break_line(),
            XmlEvent::Open { name: "image", .. } => document.collector.leave_out(Extra::Pictures),
            XmlEvent::Text(text) => document.add(&text),
            _ => {}
        }
        Ok(())
    })?;
    let mut ingested = document.collector.finish(Format::Odt)?;
    properties(archive, "meta.xml", "initial-creator", &mut ingested, limits)?;
    Ok(ingested)
}

struct OdtReader {
    collector: Collector,
    count: usize,
    /// Paragraphs are nested in text frames.
    open: Vec<OpenText>,
    /// The faces of the open spans.
    spans: Vec<Face>,
}

/// A paragraph or heading being parsed.
struct OpenText {
    line: String,
    role: ParagraphRole,
    /// The face of its style.
    face: Face,
    faces: FaceTracker,
}

impl OdtReader {
    fn begin(&mut self, role: ParagraphRole, face: Face) {
        self.open.push(OpenText { line: String::new(), role, face, faces: FaceTracker::default() });
    }

    fn add(&mut self, text: &str) {
        let spans = self.spans.iter().fold(Face::default(), |face, span| face.or(*span));
        if let Some(OpenText { line, face, faces, .. }) = self.open.last_mut() {
            faces.set(line.len(), face.or(spans));
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
            Some(OpenText { line, role: ParagraphRole::Text, faces, .. }) if !line.trim().is_empty() => {
                let line = std::mem::take(line);
                let spans = faces.take(line.len());
                self.put(&line, &spans, ParagraphRole::Text);
            }
            Some(OpenText { line, .. }) => line.push(' '),
            None => {}
        }
    }

    fn close(&mut self, in_contents: bool) {
        if let Some(OpenText { line, role, mut faces, .. }) = self.open.pop() {
            let role = if in_contents { ParagraphRole::Contents } else { role };
            self.put(&line, &faces.take(line.len()), role);
        }
    }

    fn put(&mut self, line: &str, spans: &[EmphasisSpan], role: ParagraphRole) {
        self.count += 1;
        let origin = Origin::Entry { name: CONTENT.into(), paragraph: self.count };
        let role = if line.trim().is_empty() { ParagraphRole::Text } else { role };
        self.collector.push_emphasised(line, spans, role, origin, false);
    }
}

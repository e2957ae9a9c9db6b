//! Pages of an EPUB, and web pages in files of their own: parser of XHTML to paragraphs.

use std::collections::BTreeMap;

use qingyu_story::prose::EmphasisSpan;

use super::collector::Collector;
use super::faces::{Face, FaceTracker, within};
use super::manuscript::{Extra, Origin, ParagraphRole, Truncation};
use super::xml::{Attributes, XmlEvent, XmlStrictness, walk};
use crate::letters::plain;
use crate::{Error, FileLimits};

/// The names of a page in the table of contents.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct NavEntry {
    /// Name of the whole page.
    pub(crate) label: Option<String>,
    /// Names of anchors in the page, by id.
    pub(crate) anchors: BTreeMap<String, String>,
    /// How deep the names are nested, by their letters; 1 is the highest.
    pub(crate) depths: BTreeMap<String, u8>,
}

impl NavEntry {
    /// Returns whether the table of contents names several places of the page.
    pub(crate) fn has_several(&self) -> bool {
        self.anchors.len() + usize::from(self.label.is_some()) > 1
    }

    /// Adds a name with its depth: of an anchor, or of the whole page. The first name of a place counts.
    pub(crate) fn add(&mut self, anchor: Option<&str>, label: String, depth: u8) {
        self.depths.entry(plain(&label)).or_insert(depth);
        match anchor {
            Some(anchor) => drop(self.anchors.entry(anchor.to_owned()).or_insert(label)),
            None => drop(self.label.get_or_insert(label)),
        }
    }

    /// Returns how deep the name of a heading is nested.
    pub(crate) fn depth(&self, heading: &str) -> u8 {
        let own = self.depths.get(&plain(heading)).or(self.depths.values().max());
        own.copied().unwrap_or(1)
    }
}

/// Parses a page into `collector`. `entry` has the names in the table of contents: headings for a page without its own.
/// Returns the paragraphs recognized as headings only by the table of contents.
pub(crate) fn read(
    collector: &mut Collector,
    name: &str,
    bytes: &[u8],
    entry: &NavEntry,
    limits: &FileLimits,
) -> Result<Vec<usize>, Error> {
    let first = collector.paragraphs.len();
    let from = collector.text.len();
    let mut page = XhtmlReader {
        collector,
        name,
        line: String::new(),
        faces: FaceTracker::default(),
        bold: 0,
        italic: 0,
        role: ParagraphRole::Text,
        count: 0,
        keeps: 0,
        pending: false,
        called: None,
        named: Vec::new(),
    };
    // A skipped element, and the number of open elements of the same name inside.
    let mut skipped: Option<(String, usize)> = None;
    let mut in_body = false;
    // Whether the page was begun and not ended.
    let mut is_open = false;
    walk(name, bytes, XmlStrictness::Page, limits, |node| {
        match node {
            XmlEvent::Open { name: "html", .. } => is_open = true,
            XmlEvent::Close { name: "html" } => is_open = false,
            _ => {}
        }
        if let Some((tag, depth)) = &mut skipped {
            match node {
                XmlEvent::Open { name, .. } if name == tag => *depth += 1,
                XmlEvent::Close { name } if name == tag => {
                    *depth -= 1;
                    if *depth == 0 {
                        skipped = None;
                    }
                }
                _ => {}
            }
            return Ok(());
        }
        match node {
            XmlEvent::Open { name: "body", .. } => in_body = true,
            XmlEvent::Close { name: "body" } => {
                page.end();
                in_body = false;
            }
            _ if !in_body => {}
            XmlEvent::Open { name: tag, attributes } => {
                if let Some(lost) = not_read(tag, &attributes) {
                    lost.into_iter().for_each(|lost| page.collector.leave_out(lost));
                    skipped = Some((tag.to_owned(), 1));
                    return Ok(());
                }
                if let Some(called) = attributes.get("id").and_then(|id| entry.anchors.get(&id)) {
                    page.end();
                    page.called = Some(called.clone());
                }
                page.open(tag);
            }
            XmlEvent::Close { name: tag } if is_block(tag) => {
                page.end();
                page.keeps -= usize::from(tag == "pre").min(page.keeps);
            }
            XmlEvent::Close { name: "b" | "strong" } => page.bold = page.bold.saturating_sub(1),
            XmlEvent::Close { name: "em" | "i" | "cite" | "dfn" } => page.italic = page.italic.saturating_sub(1),
            XmlEvent::Close { .. } => {}
            XmlEvent::Text(text) => page.add(&text),
        }
        Ok(())
    })?;
    page.end();
    let mut named = std::mem::take(&mut page.named);
    if is_open {
        let truncation = Truncation::after(Some(name), &collector.text[from..]);
        collector.truncated.push(truncation);
    }
    named.extend(name_after_label(collector, first, name, entry.label.as_deref().filter(|_| named.is_empty())));
    Ok(named)
}

/// Returns whether to skip an element, with the kind of omitted content to count, if any.
fn not_read(tag: &str, attributes: &Attributes<'_>) -> Option<Option<Extra>> {
    let kind = attributes.get("type").unwrap_or_default();
    let role = attributes.get("role").unwrap_or_default();
    let is = |names: &[&str]| {
        names.iter().any(|name| kind.split(' ').any(|one| one == *name) || role == format!("doc-{name}"))
    };
    match tag {
        "script" | "style" | "rp" | "noscript" | "template" => Some(None),
        "rt" => Some(Some(Extra::Readings)),
        "a" if is(&["noteref"]) => Some(Some(Extra::Notes)),
        // The text of a note; already counted at its reference.
        "aside" | "section" | "div" | "li" | "p"
            if is(&["footnote", "endnote", "rearnote", "footnotes", "endnotes", "rearnotes"]) =>
        {
            Some(None)
        }
        _ if attributes.get("hidden").is_some() => Some(Some(Extra::Hidden)),
        _ if attributes.get("style").is_some_and(|style| style.replace(' ', "").contains("display:none")) => {
            Some(Some(Extra::Hidden))
        }
        _ => None,
    }
}

/// Names a page without a heading by its entry in the table of contents. Returns the paragraph inserted or marked as
/// heading.
fn name_after_label(collector: &mut Collector, first: usize, name: &str, label: Option<&str>) -> Option<usize> {
    let label = label.map(str::trim).filter(|label| !label.is_empty())?;
    let Collector { text, paragraphs, .. } = collector;
    let before = paragraphs.get(first)?.range.start;
    let page = &mut paragraphs[first..];
    if page.iter().any(|paragraph| matches!(paragraph.role, ParagraphRole::Heading(_)))
        || text[before..].trim().is_empty()
    {
        return None;
    }
    // At the top of the page the words may be in other letters: CHAPTER I, for Chapter I.
    const TOP: usize = 5;
    let wanted = plain(label);
    let same = |paragraph: &super::manuscript::SourceParagraph| text[paragraph.range.clone()].trim() == label;
    let alike = |paragraph: &super::manuscript::SourceParagraph| {
        !wanted.is_empty() && plain(&text[paragraph.range.clone()]) == wanted
    };
    let top = page.iter().take(TOP).position(alike);
    if let Some(at) = top.or_else(|| page.iter().position(same)) {
        page[at].role = ParagraphRole::Heading(1);
        return Some(first + at);
    }
    let added = format!("{label}\n");
    text.insert_str(before, &added);
    for paragraph in page {
        paragraph.range = paragraph.range.start + added.len()..paragraph.range.end + added.len();
    }
    let origin = Origin::Entry { name: name.into(), paragraph: 0 };
    let range = before..before + label.len();
    paragraphs.insert(
        first,
        super::manuscript::SourceParagraph {
            range,
            origin,
            role: ParagraphRole::Heading(1),
            continues: false,
            marked: None,
        },
    );
    Some(first)
}

struct XhtmlReader<'p> {
    collector: &'p mut Collector,
    name: &'p str,
    line: String,
    /// The emphasised stretches of the line.
    faces: FaceTracker,
    /// Depth of open elements in bold.
    bold: usize,
    /// Depth of open elements in italics.
    italic: usize,
    role: ParagraphRole,
    count: usize,
    /// Depth of open elements with preserved spaces.
    keeps: usize,
    /// Whether the open paragraph has no text yet.
    pending: bool,
    /// The name of the next paragraph in the table of contents.
    called: Option<String>,
    /// The paragraphs recognized as headings only by the table of contents.
    named: Vec<usize>,
}

impl XhtmlReader<'_> {
    fn open(&mut self, tag: &str) {
        match tag {
            "img" | "image" => self.collector.leave_out(Extra::Pictures),
            // A heading of several lines stays a single heading.
            "br" if matches!(self.role, ParagraphRole::Heading(_)) => self.add(" "),
            "br" => self.flush(),
            "hr" => {
                self.end();
                self.rule();
            }
            "b" | "strong" => self.bold += 1,
            "em" | "i" | "cite" | "dfn" => self.italic += 1,
            "u" | "s" | "del" if self.role == ParagraphRole::Text => self.collector.leave_out(Extra::Emphasis),
            tag if is_block(tag) => {
                self.end();
                self.role = heading(tag).map_or(ParagraphRole::Text, ParagraphRole::Heading);
                self.keeps += usize::from(tag == "pre");
                self.pending = tag == "p";
            }
            _ => {}
        }
    }

    fn add(&mut self, text: &str) {
        self.faces.set(self.line.len(), Face { bold: self.bold > 0, italic: self.italic > 0 });
        if self.keeps > 0 {
            let mut lines = text.split('\n');
            self.line.push_str(lines.next().unwrap_or_default());
            for line in lines {
                self.flush();
                self.line.push_str(line);
            }
            return;
        }
        let white = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
        for c in text.chars() {
            if !white(c) {
                self.line.push(c);
            } else if !self.line.is_empty() && !self.line.ends_with(' ') {
                self.line.push(' ');
            }
        }
    }

    fn flush(&mut self) {
        let line = std::mem::take(&mut self.line);
        let spans = self.faces.take(line.len());
        let line = line.trim_end_matches(' ');
        if !line.is_empty() {
            self.put(line, &within(&spans, &(0..line.len())), self.role);
        }
    }

    fn end(&mut self) {
        let pending = std::mem::take(&mut self.pending) && self.line.trim().is_empty();
        let before = self.count;
        self.flush();
        if pending && self.count == before {
            // An empty paragraph is a gap, like a blank line.
            self.put("", &[], ParagraphRole::Text);
        }
        self.role = ParagraphRole::Text;
    }

    fn rule(&mut self) {
        self.put("", &[], ParagraphRole::Rule);
    }

    fn put(&mut self, line: &str, spans: &[EmphasisSpan], role: ParagraphRole) {
        self.count += 1;
        self.pending = false;
        let origin = Origin::Entry { name: self.name.into(), paragraph: self.count };
        let mut role = role;
        if let Some(called) = self.called.take_if(|_| !line.trim().is_empty()) {
            // The first paragraph at the anchor is the heading, or begins with its words; otherwise insert the heading.
            let (shown, called_letters) = (plain(line), plain(&called));
            let is_heading = matches!(role, ParagraphRole::Heading(_));
            if !is_heading && !shown.is_empty() && called_letters.starts_with(&shown) {
                self.named.push(self.collector.paragraphs.len());
                role = ParagraphRole::Heading(1);
            } else if !is_heading {
                self.named.push(self.collector.paragraphs.len());
                self.collector.push(&called, ParagraphRole::Heading(1), origin.clone(), false);
            }
        }
        self.collector.push_emphasised(line, spans, role, origin, false);
    }
}

fn heading(tag: &str) -> Option<u8> {
    let level = tag.strip_prefix('h')?.parse().ok()?;
    (1..=6).contains(&level).then_some(level)
}

fn is_block(tag: &str) -> bool {
    heading(tag).is_some()
        || matches!(
            tag,
            "p" | "div"
                | "section"
                | "article"
                | "aside"
                | "header"
                | "footer"
                | "blockquote"
                | "li"
                | "ul"
                | "ol"
                | "dl"
                | "dt"
                | "dd"
                | "pre"
                | "center"
                | "table"
                | "tr"
                | "td"
                | "th"
                | "figure"
                | "figcaption"
                | "main"
                | "nav"
        )
}

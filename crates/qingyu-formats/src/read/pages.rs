//! The pages of an EPUB: XHTML becomes paragraphs.

use std::collections::BTreeMap;

use super::xml::{Attributes, Kind, Node, walk};
use super::{Collector, Extra, Origin, Role};
use crate::{Error, Limits};

/// What the table of contents says of a page.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// What it calls the page as a whole.
    pub(crate) label: Option<String>,
    /// What it calls places within the page, by their ids.
    pub(crate) anchors: BTreeMap<String, String>,
}

/// Reads one page into `collector`. `entry` is what the table of contents says of it: the headings, if the page marks none.
/// Returns the paragraphs that are headings only because the contents say so.
pub(crate) fn read(
    collector: &mut Collector,
    name: &str,
    bytes: &[u8],
    entry: &Entry,
    limits: &Limits,
) -> Result<Vec<usize>, Error> {
    let first = collector.paragraphs.len();
    let mut page = Page {
        collector,
        name,
        line: String::new(),
        role: Role::Text,
        count: 0,
        keeps: 0,
        pending: false,
        called: None,
        named: Vec::new(),
    };
    // An element that is not read, and how many of its name are open within it.
    let mut skipped: Option<(String, usize)> = None;
    let mut in_body = false;
    walk(name, bytes, Kind::Page, limits, |node| {
        if let Some((tag, depth)) = &mut skipped {
            match node {
                Node::Open { name, .. } if name == tag => *depth += 1,
                Node::Close { name } if name == tag => {
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
            Node::Open { name: "body", .. } => in_body = true,
            Node::Close { name: "body" } => {
                page.end();
                in_body = false;
            }
            _ if !in_body => {}
            Node::Open { name: tag, attributes } => {
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
            Node::Close { name: tag } if is_block(tag) => {
                page.end();
                page.keeps -= usize::from(tag == "pre").min(page.keeps);
            }
            Node::Close { .. } => {}
            Node::Text(text) => page.add(&text),
        }
        Ok(())
    })?;
    page.end();
    let mut named = std::mem::take(&mut page.named);
    named.extend(name_after_label(collector, first, name, entry.label.as_deref().filter(|_| named.is_empty())));
    Ok(named)
}

/// What is left out with an element that is not read, if it is none.
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
        // The text of a note; it was counted where the mark stands.
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

/// A page without a heading is called what the table of contents calls it. Returns the paragraph that became one.
fn name_after_label(collector: &mut Collector, first: usize, name: &str, label: Option<&str>) -> Option<usize> {
    let label = label.map(str::trim).filter(|label| !label.is_empty())?;
    let Collector { text, paragraphs, .. } = collector;
    let before = paragraphs.get(first)?.range.start;
    let page = &mut paragraphs[first..];
    if page.iter().any(|paragraph| matches!(paragraph.role, Role::Heading(_))) || text[before..].trim().is_empty() {
        return None;
    }
    let same = |paragraph: &super::Paragraph| text[paragraph.range.clone()].trim() == label;
    if let Some(at) = page.iter().position(same) {
        page[at].role = Role::Heading(1);
        return Some(first + at);
    }
    let added = format!("{label}\n");
    text.insert_str(before, &added);
    for paragraph in page {
        paragraph.range = paragraph.range.start + added.len()..paragraph.range.end + added.len();
    }
    let origin = Origin::Entry { name: name.into(), paragraph: 0 };
    let range = before..before + label.len();
    paragraphs.insert(first, super::Paragraph { range, origin, role: Role::Heading(1), continues: false });
    Some(first)
}

struct Page<'p> {
    collector: &'p mut Collector,
    name: &'p str,
    line: String,
    role: Role,
    count: usize,
    /// How deep inside of elements that keep their spaces.
    keeps: usize,
    /// Whether a paragraph was opened that has not shown any text yet.
    pending: bool,
    /// What the table of contents calls the next paragraph.
    called: Option<String>,
    /// The paragraphs that are headings only because the contents say so.
    named: Vec<usize>,
}

impl Page<'_> {
    fn open(&mut self, tag: &str) {
        match tag {
            "img" | "image" => self.collector.leave_out(Extra::Pictures),
            // A heading of several lines stays one.
            "br" if matches!(self.role, Role::Heading(_)) => self.add(" "),
            "br" => self.flush(),
            "hr" => {
                self.end();
                self.rule();
            }
            "em" | "i" | "b" | "strong" | "u" | "s" | "del" if self.role == Role::Text => {
                self.collector.leave_out(Extra::Emphasis);
            }
            tag if is_block(tag) => {
                self.end();
                self.role = heading(tag).map_or(Role::Text, Role::Heading);
                self.keeps += usize::from(tag == "pre");
                self.pending = tag == "p";
            }
            _ => {}
        }
    }

    fn add(&mut self, text: &str) {
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
        let line = line.trim_end_matches(' ');
        if !line.is_empty() {
            self.put(line, self.role);
        }
    }

    fn end(&mut self) {
        let pending = std::mem::take(&mut self.pending) && self.line.trim().is_empty();
        let before = self.count;
        self.flush();
        if pending && self.count == before {
            // An empty paragraph is a gap, as a blank line is.
            self.put("", Role::Text);
        }
        self.role = Role::Text;
    }

    fn rule(&mut self) {
        self.put("", Role::Rule);
    }

    fn put(&mut self, line: &str, role: Role) {
        self.count += 1;
        self.pending = false;
        let origin = Origin::Entry { name: self.name.into(), paragraph: self.count };
        let mut role = role;
        if let Some(called) = self.called.take_if(|_| !line.trim().is_empty()) {
            // The first paragraph at the place is the heading, or begins with its words; else the heading is added.
            let (shown, called_letters) = (letters(line), letters(&called));
            let is_heading = matches!(role, Role::Heading(_));
            if !is_heading && !shown.is_empty() && called_letters.starts_with(&shown) {
                self.named.push(self.collector.paragraphs.len());
                role = Role::Heading(1);
            } else if !is_heading {
                self.named.push(self.collector.paragraphs.len());
                self.collector.push(&called, Role::Heading(1), origin.clone(), false);
            }
        }
        self.collector.push(line, role, origin, false);
    }
}

/// The letters of a heading, so that marks and spaces make no difference.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
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

//! The pages of an EPUB: XHTML becomes paragraphs.

use super::xml::{Kind, Node, walk};
use super::{Collector, Extra, Origin, Role};
use crate::{Error, Limits};

/// Reads one page into `collector`. `label` is what the table of contents calls it: the heading, if the page has none.
pub(crate) fn read(
    collector: &mut Collector,
    name: &str,
    bytes: &[u8],
    label: Option<&str>,
    limits: &Limits,
) -> Result<(), Error> {
    let first = collector.paragraphs.len();
    let before = collector.text.len();
    let mut page = Page { collector, name, line: String::new(), role: Role::Text, count: 0, keeps: 0, pending: false };
    // How deep inside of what is not text, and whether that is a reading beside a character.
    let mut outside = 0_usize;
    let mut in_body = false;
    walk(name, bytes, Kind::Page, limits, |node| {
        match node {
            Node::Open { name: "body", .. } => in_body = true,
            Node::Close { name: "body" } => {
                page.end();
                in_body = false;
            }
            _ if !in_body => {}
            Node::Open { name: tag @ ("script" | "style" | "rt" | "rp" | "noscript" | "template"), .. } => {
                if tag == "rt" {
                    page.collector.leave_out(Extra::Readings);
                }
                outside += 1;
            }
            Node::Close { name: "script" | "style" | "rt" | "rp" | "noscript" | "template" } => {
                outside = outside.saturating_sub(1);
            }
            _ if outside > 0 => {}
            Node::Open { name: "img" | "image", .. } => page.collector.leave_out(Extra::Pictures),
            Node::Open { name: "br", .. } => page.flush(),
            Node::Open { name: "hr", .. } => {
                page.end();
                page.rule();
            }
            Node::Open { name: tag, .. } if is_block(tag) => {
                page.end();
                page.role = heading(tag).map_or(Role::Text, Role::Heading);
                page.keeps += usize::from(tag == "pre");
                page.pending = tag == "p";
            }
            Node::Close { name: tag } if is_block(tag) => {
                page.end();
                page.keeps -= usize::from(tag == "pre").min(page.keeps);
            }
            Node::Text(text) => page.add(&text),
            _ => {}
        }
        Ok(())
    })?;
    page.end();
    name_after_label(collector, first, before, name, label);
    Ok(())
}

/// A page without a heading is called what the table of contents calls it.
fn name_after_label(collector: &mut Collector, first: usize, before: usize, name: &str, label: Option<&str>) {
    let Some(label) = label.map(str::trim).filter(|label| !label.is_empty()) else { return };
    let Collector { text, paragraphs, .. } = collector;
    let page = &mut paragraphs[first..];
    if page.iter().any(|paragraph| matches!(paragraph.role, Role::Heading(_))) || text[before..].trim().is_empty() {
        return;
    }
    let same = |paragraph: &&mut super::Paragraph| text[paragraph.range.clone()].trim() == label;
    if let Some(paragraph) = page.iter_mut().find(same) {
        paragraph.role = Role::Heading(1);
        return;
    }
    let added = format!("{label}\n");
    text.insert_str(before, &added);
    for paragraph in page {
        paragraph.range = paragraph.range.start + added.len()..paragraph.range.end + added.len();
    }
    let origin = Origin::Entry { name: name.into(), paragraph: 0 };
    let range = before..before + label.len();
    paragraphs.insert(first, super::Paragraph { range, origin, role: Role::Heading(1), continues: false });
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
}

impl Page<'_> {
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
        self.collector.push(line, role, origin, false);
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

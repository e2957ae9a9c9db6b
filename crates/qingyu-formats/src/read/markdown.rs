//! Markdown: parser to text without markup. Blank lines are no paragraphs; a drawn line is a rule.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::collector::Collector;
use super::faces::{Face, FaceTracker};
use super::manuscript::{Extra, Origin, ParagraphRole};

pub(crate) fn read(collector: Collector, text: &str) -> Collector {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let line_of = |at: usize| lines.partition_point(|start| *start <= at);
    let mut page = MarkdownReader {
        collector,
        line: String::new(),
        faces: FaceTracker::default(),
        bold: 0,
        italic: 0,
        role: ParagraphRole::Text,
        continues: false,
        from: 1,
    };
    let mut lists: Vec<Option<u64>> = Vec::new();
    let mut in_metadata = false;
    let (mut in_note, mut in_comment) = (false, false);
    let options =
        Options::ENABLE_YAML_STYLE_METADATA_BLOCKS | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH;
    for (event, range) in Parser::new_ext(&text, options).into_offset_iter() {
        let line = line_of(range.start);
        match event {
            Event::Start(Tag::MetadataBlock(_)) => in_metadata = true,
            Event::End(TagEnd::MetadataBlock(_)) => in_metadata = false,
            Event::Text(text) if in_metadata => page.collector.tell(&text),
            Event::Start(Tag::FootnoteDefinition(_)) => {
                page.end();
                in_note = true;
            }
            Event::End(TagEnd::FootnoteDefinition) => in_note = false,
            _ if in_note => {}
            Event::FootnoteReference(_) => page.collector.leave_out(Extra::Notes),
            Event::Html(text) | Event::InlineHtml(text) if in_comment || text.trim_start().starts_with("<!--") => {
                if !in_comment {
                    page.collector.leave_out(Extra::Comments);
                }
                // A comment can span several lines, with prose after the end.
                let (is_over, rest) = text.split_once("-->").map_or((false, ""), |(_, rest)| (true, rest));
                in_comment = !is_over;
                if !rest.trim().is_empty() {
                    page.lines(rest.trim(), line);
                }
            }
            Event::Start(Tag::Strong) => page.bold += 1,
            Event::Start(Tag::Emphasis) => page.italic += 1,
            Event::End(TagEnd::Strong) => page.bold = page.bold.saturating_sub(1),
            Event::End(TagEnd::Emphasis) => page.italic = page.italic.saturating_sub(1),
            Event::Start(Tag::Strikethrough) => page.collector.leave_out(Extra::Emphasis),
            Event::Start(Tag::Heading { level, .. }) => page.begin(ParagraphRole::Heading(level as u8), line),
            Event::Start(Tag::Paragraph | Tag::CodeBlock(_) | Tag::HtmlBlock) if page.line.is_empty() => {
                page.begin(ParagraphRole::Text, line);
            }
            Event::Start(Tag::List(first)) => {
                page.end();
                lists.push(first);
            }
            Event::End(TagEnd::List(_)) => drop(lists.pop()),
            // A list in a book is mostly prose resembling a list, so the list markers are kept.
            Event::Start(Tag::Item) => {
                page.begin(ParagraphRole::Text, line);
                match lists.last_mut() {
                    Some(Some(number)) => {
                        page.line.push_str(&format!("{number}. "));
                        *number += 1;
                    }
                    _ => page.line.push_str("- "),
                }
            }
            Event::Start(Tag::Image { .. }) => page.collector.leave_out(Extra::Pictures),
            Event::End(
                TagEnd::Heading(_) | TagEnd::Paragraph | TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::Item,
            ) => page.end(),
            Event::Text(text) if !in_metadata => page.lines(&text, line),
            Event::InlineHtml(tag) if is_face(&tag) => page.html_face(&tag),
            Event::Code(text) | Event::InlineHtml(text) | Event::Html(text) => page.lines(&text, line),
            Event::SoftBreak => page.next(true),
            Event::HardBreak => page.next(false),
            Event::Rule => {
                page.end();
                page.collector.push("", ParagraphRole::Rule, Origin::Line(line), false);
            }
            _ => {}
        }
    }
    page.end();
    page.collector
}

/// The paragraph being parsed.
struct MarkdownReader {
    collector: Collector,
    line: String,
    /// The emphasised stretches of the line.
    faces: FaceTracker,
    /// Number of open stretches in bold.
    bold: usize,
    /// Number of open stretches in italics.
    italic: usize,
    role: ParagraphRole,
    continues: bool,
    from: usize,
}

impl MarkdownReader {
    fn begin(&mut self, role: ParagraphRole, line: usize) {
        self.end();
        (self.role, self.continues, self.from) = (role, false, line);
    }

    fn end(&mut self) {
        self.flush();
        // An HTML tag that is never closed ends with its paragraph.
        (self.bold, self.italic) = (0, 0);
        (self.role, self.continues) = (ParagraphRole::Text, false);
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.line);
        let spans = self.faces.take(text.len());
        if !text.trim().is_empty() {
            let origin = Origin::Line(self.from);
            self.collector.push_emphasised(&text, &spans, self.role, origin, self.continues);
        }
    }

    /// Handles a line break inside a paragraph. A heading of several lines stays a single heading.
    fn next(&mut self, soft: bool) {
        if matches!(self.role, ParagraphRole::Heading(_)) {
            self.line.push(' ');
            return;
        }
        self.flush();
        self.continues = soft;
        self.from += 1;
    }

    fn html_face(&mut self, tag: &str) {
        let count = if tag.contains(['b', 's']) { &mut self.bold } else { &mut self.italic };
        *count = if tag.starts_with("</") { count.saturating_sub(1) } else { *count + 1 };
    }

    fn lines(&mut self, text: &str, line: usize) {
        if self.line.is_empty() {
            self.from = line;
        }
        self.faces.set(self.line.len(), Face { bold: self.bold > 0, italic: self.italic > 0 });
        let mut parts = text.split('\n');
        self.line.push_str(parts.next().unwrap_or_default());
        for part in parts {
            self.next(false);
            self.line.push_str(part);
        }
    }
}

/// Returns whether an HTML tag only changes the face of its words.
fn is_face(tag: &str) -> bool {
    let name = tag.trim_matches(|c: char| matches!(c, '<' | '>' | '/') || c.is_whitespace());
    matches!(name, "em" | "strong" | "i" | "b")
}

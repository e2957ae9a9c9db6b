//! Markdown: its text without the marks. Blank lines are no paragraphs here; a drawn line is a rule.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::{Collector, Extra, Origin, Role};

pub(crate) fn read(collector: Collector, text: &str) -> Collector {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let line_of = |at: usize| lines.partition_point(|start| *start <= at);
    let mut page = Page { collector, line: String::new(), role: Role::Text, continues: false, from: 1 };
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
                // A comment may have several lines, and words of the prose may stand behind it.
                let (is_over, rest) = text.split_once("-->").map_or((false, ""), |(_, rest)| (true, rest));
                in_comment = !is_over;
                if !rest.trim().is_empty() {
                    page.lines(rest.trim(), line);
                }
            }
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough) => page.collector.leave_out(Extra::Emphasis),
            Event::Start(Tag::Heading { level, .. }) => page.begin(Role::Heading(level as u8), line),
            Event::Start(Tag::Paragraph | Tag::CodeBlock(_) | Tag::HtmlBlock) if page.line.is_empty() => {
                page.begin(Role::Text, line);
            }
            Event::Start(Tag::List(first)) => {
                page.end();
                lists.push(first);
            }
            Event::End(TagEnd::List(_)) => drop(lists.pop()),
            // A list in prose is mostly prose that looks like one, so its marks stay.
            Event::Start(Tag::Item) => {
                page.begin(Role::Text, line);
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
            Event::Code(text) | Event::InlineHtml(text) | Event::Html(text) => page.lines(&text, line),
            Event::SoftBreak => page.next(true),
            Event::HardBreak => page.next(false),
            Event::Rule => {
                page.end();
                page.collector.push("", Role::Rule, Origin::Line(line), false);
            }
            _ => {}
        }
    }
    page.end();
    page.collector
}

/// The paragraph that is being read.
struct Page {
    collector: Collector,
    line: String,
    role: Role,
    continues: bool,
    from: usize,
}

impl Page {
    fn begin(&mut self, role: Role, line: usize) {
        self.end();
        (self.role, self.continues, self.from) = (role, false, line);
    }

    fn end(&mut self) {
        self.flush();
        (self.role, self.continues) = (Role::Text, false);
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.line);
        if !text.trim().is_empty() {
            self.collector.push(&text, self.role, Origin::Line(self.from), self.continues);
        }
    }

    /// A line break inside of a paragraph. A heading of several lines stays one.
    fn next(&mut self, soft: bool) {
        if matches!(self.role, Role::Heading(_)) {
            self.line.push(' ');
            return;
        }
        self.flush();
        self.continues = soft;
        self.from += 1;
    }

    fn lines(&mut self, text: &str, line: usize) {
        if self.line.is_empty() {
            self.from = line;
        }
        let mut parts = text.split('\n');
        self.line.push_str(parts.next().unwrap_or_default());
        for part in parts {
            self.next(false);
            self.line.push_str(part);
        }
    }
}

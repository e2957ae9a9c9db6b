//! The blocks of a Markdown text, with their ranges.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::spaces::tidy;

/// A block of a text.
#[derive(Debug)]
pub(super) struct Block {
    /// Byte range in the text, with markup.
    pub(super) range: Range<usize>,
    pub(super) content: Content,
    /// Whether the text became a piece.
    pub(super) is_taken: bool,
}

#[derive(Debug)]
pub(super) enum Content {
    Heading {
        level: u8,
        text: String,
    },
    Paragraph(String),
    /// An item of an outer list, with all below; a line per paragraph and inner item.
    Item(String),
    Table(Table),
    /// Quotes, code and HTML.
    Other,
}

/// The cells of a table.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) header: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

pub(super) fn read(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut said = String::new();
    let mut table = Table::default();
    let mut row = Vec::new();
    // Depths of open list items and quotes.
    let (mut items, mut quotes) = (0_usize, 0_usize);
    let mut in_table = false;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        let is_outer = items == 0 && quotes == 0 && !in_table;
        let content = match event {
            Event::Text(words) | Event::Code(words) => {
                said.push_str(&words);
                continue;
            }
            Event::SoftBreak | Event::HardBreak => {
                said.push(if in_table { ' ' } else { '\n' });
                continue;
            }
            Event::InlineHtml(html) if html.starts_with("<br") => {
                said.push(' ');
                continue;
            }
            Event::Start(Tag::BlockQuote(_)) => {
                quotes += 1;
                continue;
            }
            Event::End(TagEnd::BlockQuote(_)) => {
                quotes = quotes.saturating_sub(1);
                if items > 0 || quotes > 0 {
                    continue;
                }
                Content::Other
            }
            Event::Start(Tag::Item) => {
                items += 1;
                if items == 1 {
                    said.clear();
                } else {
                    said.push('\n');
                }
                continue;
            }
            Event::End(TagEnd::Item) => {
                items = items.saturating_sub(1);
                if items > 0 || quotes > 0 {
                    continue;
                }
                Content::Item(lines(&std::mem::take(&mut said)))
            }
            Event::Start(Tag::Paragraph) if items > 0 => {
                said.push('\n');
                continue;
            }
            Event::Start(Tag::Table(_)) => {
                in_table = true;
                table = Table::default();
                continue;
            }
            Event::Start(Tag::TableHead | Tag::TableRow) => {
                row = Vec::new();
                continue;
            }
            Event::End(TagEnd::TableCell) => {
                row.push(tidy(&std::mem::take(&mut said)));
                continue;
            }
            Event::End(TagEnd::TableHead) => {
                table.header = std::mem::take(&mut row);
                continue;
            }
            Event::End(TagEnd::TableRow) => {
                table.rows.push(std::mem::take(&mut row));
                continue;
            }
            Event::End(TagEnd::Table) => {
                in_table = false;
                if items > 0 || quotes > 0 {
                    continue;
                }
                Content::Table(std::mem::take(&mut table))
            }
            Event::Start(
                Tag::TableCell | Tag::Paragraph | Tag::Heading { .. } | Tag::CodeBlock(_) | Tag::HtmlBlock,
            ) if items == 0 => {
                said.clear();
                continue;
            }
            Event::End(TagEnd::Paragraph) if is_outer => Content::Paragraph(lines(&std::mem::take(&mut said))),
            Event::End(TagEnd::Heading(level)) if is_outer => {
                Content::Heading { level: level as u8, text: tidy(&std::mem::take(&mut said)) }
            }
            Event::End(TagEnd::CodeBlock | TagEnd::HtmlBlock) if is_outer => Content::Other,
            _ => continue,
        };
        blocks.push(Block { range, content, is_taken: false });
    }
    blocks
}

/// Returns the lines that are not blank, without surrounding spaces.
fn lines(text: &str) -> String {
    text.lines().map(tidy).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

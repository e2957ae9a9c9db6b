//! A document of Markdown as DOCX: headings, paragraphs, lists, emphasis, tables, quotes; links as text with their address.

use std::fmt::Write;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use zip::CompressionMethod;

use super::docx::{self, NAMESPACE};
use super::package::{Package, xml};
use super::{Book, Sink};
use crate::Error;

/// Writes a document of Markdown to `sink` as DOCX. Of `book`, title, author and dates are kept as its properties; what
/// stands in the document is `markdown` alone. The same text gives the same bytes.
pub fn write_markdown(book: &Book, markdown: &str, sink: &mut dyn Sink) -> Result<(), Error> {
    let mut package = Package::new(sink);
    docx::around(&mut package, book, &styles(book))?;
    package.begin("word/document.xml", CompressionMethod::Deflated)?;
    package.put(&format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<w:document xmlns:w=\"{NAMESPACE}\"><w:body>"
    ))?;
    let mut page = Page::default();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        page.take(event);
    }
    page.end();
    package.put(&page.written)?;
    package.put(docx::SECTION)?;
    package.put("</w:body></w:document>")?;
    package.finish()?;
    sink.flush().map_err(Error::Write)
}

/// What has been written, and the paragraph that is being written.
#[derive(Default)]
struct Page {
    written: String,
    runs: String,
    heading: Option<u8>,
    bold: usize,
    italic: usize,
    struck: usize,
    quotes: usize,
    is_code: bool,
    /// The lists that are open, with the number of the next entry if they are numbered.
    lists: Vec<Option<u64>>,
    /// What the next paragraph of a list begins with.
    mark: Option<String>,
    links: Vec<(String, usize)>,
    is_head: bool,
    in_table: bool,
}

impl Page {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.stop(tag),
            Event::Text(text) if self.is_code => {
                for (position, line) in text.trim_end_matches('\n').split('\n').enumerate() {
                    if position > 0 {
                        self.runs.push_str("<w:r><w:br/></w:r>");
                    }
                    self.run(line);
                }
            }
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => self.run(&text),
            // Between Chinese characters a line break is no space.
            Event::SoftBreak if !self.ends_in_han() => self.run(" "),
            Event::HardBreak => self.runs.push_str("<w:r><w:br/></w:r>"),
            Event::Rule => {
                self.end();
                self.written.push_str("<w:p><w:pPr><w:pStyle w:val=\"Rule\"/></w:pPr></w:p>");
            }
            Event::TaskListMarker(done) => self.run(if done { "☑ " } else { "☐ " }),
            Event::FootnoteReference(name) => self.run(&format!("[{name}]")),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.end();
                self.heading = Some(level as u8);
            }
            Tag::Paragraph | Tag::HtmlBlock => self.end(),
            Tag::BlockQuote(_) => {
                self.end();
                self.quotes += 1;
            }
            Tag::CodeBlock(_) => {
                self.end();
                self.is_code = true;
            }
            Tag::List(first) => {
                self.end();
                self.lists.push(first);
            }
            Tag::Item => {
                self.end();
                self.mark = Some(match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}.", *number - 1)
                    }
                    _ => "•".to_owned(),
                });
            }
            Tag::Strong => self.bold += 1,
            Tag::Emphasis => self.italic += 1,
            Tag::Strikethrough => self.struck += 1,
            Tag::Link { dest_url, .. } => self.links.push((dest_url.into_string(), self.runs.len())),
            Tag::Image { dest_url, .. } => self.links.push((dest_url.into_string(), self.runs.len())),
            Tag::Table(columns) => {
                self.end();
                self.in_table = true;
                self.written.push_str("<w:tbl><w:tblPr><w:tblStyle w:val=\"Grid\"/><w:tblW w:w=\"5000\" w:type=\"pct\"/></w:tblPr><w:tblGrid>");
                let width = 9_000 / columns.len().max(1);
                for _ in &columns {
                    let _ = write!(self.written, "<w:gridCol w:w=\"{width}\"/>");
                }
                self.written.push_str("</w:tblGrid>");
            }
            Tag::TableHead => {
                self.is_head = true;
                self.written.push_str("<w:tr><w:trPr><w:tblHeader/></w:trPr>");
            }
            Tag::TableRow => self.written.push_str("<w:tr>"),
            Tag::TableCell => self.bold += usize::from(self.is_head),
            _ => {}
        }
    }

    fn stop(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.end();
                self.heading = None;
            }
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.end(),
            TagEnd::BlockQuote(_) => {
                self.end();
                self.quotes = self.quotes.saturating_sub(1);
            }
            TagEnd::CodeBlock => {
                self.end();
                self.is_code = false;
            }
            TagEnd::List(_) => {
                self.end();
                self.lists.pop();
            }
            TagEnd::Item => {
                self.end();
                self.mark = None;
            }
            TagEnd::Strong => self.bold = self.bold.saturating_sub(1),
            TagEnd::Emphasis => self.italic = self.italic.saturating_sub(1),
            TagEnd::Strikethrough => self.struck = self.struck.saturating_sub(1),
            TagEnd::Link | TagEnd::Image => {
                if let Some((address, begin)) = self.links.pop() {
                    // An address that is its own text is not said twice.
                    let is_shown = self.runs.get(begin..).is_some_and(|runs| runs.contains(&xml(&address)));
                    if !is_shown && !address.is_empty() {
                        self.run(&format!(" ({address})"));
                    }
                }
            }
            TagEnd::TableCell => {
                self.bold -= usize::from(self.is_head);
                let runs = std::mem::take(&mut self.runs);
                let _ = write!(
                    self.written,
                    "<w:tc><w:tcPr><w:tcW w:w=\"0\" w:type=\"auto\"/></w:tcPr><w:p><w:pPr><w:pStyle w:val=\"Cell\"/></w:pPr>{runs}</w:p></w:tc>"
                );
            }
            TagEnd::TableHead => {
                self.is_head = false;
                self.written.push_str("</w:tr>");
            }
            TagEnd::TableRow => self.written.push_str("</w:tr>"),
            TagEnd::Table => {
                self.in_table = false;
                // Word wants a paragraph behind a table.
                self.written.push_str("</w:tbl><w:p><w:pPr><w:pStyle w:val=\"Cell\"/></w:pPr></w:p>");
            }
            _ => {}
        }
    }

    fn run(&mut self, text: &str) {
        let mut how = String::new();
        for (is_so, mark) in [(self.bold > 0, "<w:b/>"), (self.italic > 0, "<w:i/>"), (self.struck > 0, "<w:strike/>")]
        {
            if is_so {
                how.push_str(mark);
            }
        }
        let how = if how.is_empty() { how } else { format!("<w:rPr>{how}</w:rPr>") };
        let _ = write!(self.runs, "<w:r>{how}<w:t xml:space=\"preserve\">{}</w:t></w:r>", xml(text));
    }

    fn ends_in_han(&self) -> bool {
        let text = self.runs.trim_end_matches("</w:t></w:r>");
        text.chars()
            .next_back()
            .is_some_and(|c| ('\u{2e80}'..='\u{9fff}').contains(&c) || ('\u{ff00}'..='\u{ffef}').contains(&c))
    }

    /// Ends the paragraph that is being written, if there is one.
    fn end(&mut self) {
        if self.runs.is_empty() || self.in_table {
            return;
        }
        let runs = std::mem::take(&mut self.runs);
        let style = match self.heading {
            Some(level) => format!("Part{}", level.clamp(1, 6)),
            None if self.is_code => "Code".to_owned(),
            None if self.quotes > 0 => "Quote".to_owned(),
            None if !self.lists.is_empty() => "Entry".to_owned(),
            None => "Text".to_owned(),
        };
        let left = 480 * self.lists.len() + 480 * self.quotes;
        let indent = match (&self.mark, left) {
            (_, 0) => String::new(),
            (Some(_), left) => format!("<w:ind w:left=\"{left}\" w:hanging=\"360\"/>"),
            (None, left) => format!("<w:ind w:left=\"{left}\"/>"),
        };
        let mark = self.mark.take().map(|mark| format!("<w:r><w:t xml:space=\"preserve\">{mark} </w:t></w:r>"));
        let mark = mark.unwrap_or_default();
        let _ = write!(self.written, "<w:p><w:pPr><w:pStyle w:val=\"{style}\"/>{indent}</w:pPr>{mark}{runs}</w:p>");
    }
}

/// The styles of the document, in place of those of a book.
fn styles(book: &Book) -> String {
    let mut styles = docx::begin_styles(book.language);
    let mut style = |id: &str, name: &str, paragraph: &str, run: &str| {
        let _ = write!(
            styles,
            "<w:style w:type=\"paragraph\" w:styleId=\"{id}\"><w:name w:val=\"{name}\"/><w:basedOn w:val=\"Normal\"/>\
             <w:next w:val=\"Text\"/><w:qFormat/><w:pPr>{paragraph}</w:pPr><w:rPr>{run}</w:rPr></w:style>"
        );
    };
    let space = "<w:spacing w:after=\"160\" w:line=\"340\" w:lineRule=\"auto\"/>";
    style("Text", "Body Text", space, "");
    style("Entry", "List Paragraph", "<w:spacing w:after=\"60\" w:line=\"320\" w:lineRule=\"auto\"/>", "");
    style("Quote", "Quote", space, "<w:i/><w:color w:val=\"595959\"/>");
    style(
        "Code",
        "HTML Preformatted",
        space,
        "<w:rFonts w:ascii=\"Courier New\" w:hAnsi=\"Courier New\" w:cs=\"Courier New\"/><w:sz w:val=\"20\"/>",
    );
    style("Cell", "Table Contents", "<w:spacing w:after=\"40\"/>", "<w:sz w:val=\"21\"/>");
    let line = "<w:pBdr><w:bottom w:val=\"single\" w:sz=\"6\" w:space=\"1\" w:color=\"auto\"/></w:pBdr>";
    style("Rule", "Horizontal Line", line, "");
    for (level, size) in (1..=6).zip([40, 34, 30, 27, 25, 24]) {
        let run =
            format!("{}<w:b/><w:sz w:val=\"{size}\"/><w:szCs w:val=\"{size}\"/>", docx::heading_fonts(book.language));
        let paragraph = format!(
            "<w:keepNext/><w:keepLines/><w:spacing w:before=\"320\" w:after=\"160\"/><w:outlineLvl w:val=\"{}\"/>",
            level - 1
        );
        style(&format!("Part{level}"), &format!("heading {level}"), &paragraph, &run);
    }
    let border = ["top", "left", "bottom", "right", "insideH", "insideV"]
        .map(|side| format!("<w:{side} w:val=\"single\" w:sz=\"4\" w:space=\"0\" w:color=\"auto\"/>"))
        .concat();
    let _ = write!(
        styles,
        "<w:style w:type=\"table\" w:styleId=\"Grid\"><w:name w:val=\"Table Grid\"/><w:tblPr><w:tblBorders>{border}</w:tblBorders>\
         </w:tblPr></w:style></w:styles>"
    );
    styles
}

//! Writer of Markdown documents as DOCX: headings, paragraphs, lists, emphasis, tables, quotes, links.
//!
//! Lists are lists of the word processor, which renumbers them; links of the web are hyperlinks. Any other address,
//! such as a relative one, is written behind the words of its link.

use std::fmt::Write;

use pulldown_cmark::{Event, Tag, TagEnd};
use zip::CompressionMethod;

use super::book::{BookInfo, WriteSeek};
use super::docx::{self, FurtherParts, NAMESPACE, RELATED};
use super::markup;
use super::package::{PackageWriter, xml};
use crate::Error;

/// Depths of a list.
const DEPTHS: usize = 9;

/// Writes a Markdown document to `sink` as DOCX. Title, author and dates of `book` become properties; the content is
/// `markdown` alone. Output is deterministic.
pub fn write_markdown(book: &BookInfo, markdown: &str, sink: &mut dyn WriteSeek) -> Result<(), Error> {
    let mut page = DocxWriter::default();
    for event in markup::events(markdown) {
        page.take(event);
    }
    page.end();
    let mut package = PackageWriter::new(sink);
    docx::around(&mut package, book, &styles(book), &page.further())?;
    package.entry("word/numbering.xml", &page.numbering())?;
    package.begin("word/document.xml", CompressionMethod::Deflated)?;
    package.put(&format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<w:document xmlns:w=\"{NAMESPACE}\" xmlns:r=\"{RELATED}\"><w:body>"
    ))?;
    package.put(&page.written)?;
    package.put(docx::SECTION)?;
    package.put("</w:body></w:document>")?;
    package.finish()?;
    sink.flush().map_err(Error::Write)
}

/// The output buffer, and the paragraph being written.
#[derive(Default)]
struct DocxWriter {
    written: String,
    runs: String,
    heading: Option<u8>,
    bold: usize,
    italic: usize,
    struck: usize,
    quotes: usize,
    is_code: bool,
    /// The open lists, by number of their definition.
    lists: Vec<usize>,
    /// The first number of each list of the document; `None` for a list with bullets.
    defined: Vec<Option<u64>>,
    /// Whether the next paragraph begins an entry of a list.
    is_entry: bool,
    /// The open links, each with its address and the place where its words begin.
    links: Vec<(String, usize)>,
    /// The addresses of hyperlinks, in order.
    addresses: Vec<String>,
    is_head: bool,
    in_table: bool,
}

impl DocxWriter {
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
                self.defined.push(first);
                self.lists.push(self.defined.len());
            }
            Tag::Item => {
                self.end();
                self.is_entry = true;
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
                self.is_entry = false;
            }
            TagEnd::Strong => self.bold = self.bold.saturating_sub(1),
            TagEnd::Emphasis => self.italic = self.italic.saturating_sub(1),
            TagEnd::Strikethrough => self.struck = self.struck.saturating_sub(1),
            TagEnd::Link | TagEnd::Image => {
                if let Some((address, begin)) = self.links.pop() {
                    self.link(&address, begin);
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
                // Word requires a paragraph after a table.
                self.written.push_str("</w:tbl><w:p><w:pPr><w:pStyle w:val=\"Cell\"/></w:pPr></w:p>");
            }
            _ => {}
        }
    }

    /// Makes the runs from `begin` a hyperlink; an address that is not of the web is written behind them.
    fn link(&mut self, address: &str, begin: usize) {
        let Some(words) = self.runs.get(begin..).map(str::to_owned) else { return };
        match markup::is_web(address) {
            true if !words.is_empty() => {
                self.addresses.push(address.to_owned());
                self.runs.truncate(begin);
                let number = self.addresses.len();
                let _ =
                    write!(self.runs, "<w:hyperlink r:id=\"rIdLink{number}\" w:history=\"1\">{words}</w:hyperlink>");
            }
            _ if address.is_empty() || words.contains(&xml(address)) => {}
            _ => self.run(&format!(" ({address})")),
        }
    }

    /// Returns the content type and relation of the lists, and the relations of the links.
    fn further(&self) -> FurtherParts {
        let kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml";
        let types = format!("<Override PartName=\"/word/numbering.xml\" ContentType=\"{kind}\"/>");
        let mut relations =
            format!("<Relationship Id=\"rId2\" Type=\"{RELATED}/numbering\" Target=\"numbering.xml\"/>");
        for (at, address) in self.addresses.iter().enumerate() {
            let _ = write!(
                relations,
                "<Relationship Id=\"rIdLink{}\" Type=\"{RELATED}/hyperlink\" Target=\"{}\" TargetMode=\"External\"/>",
                at + 1,
                xml(address)
            );
        }
        FurtherParts { types, relations }
    }

    /// Returns the definitions of the lists: bullets, numbers, and each list with its own count.
    fn numbering(&self) -> String {
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<w:numbering xmlns:w=\"{NAMESPACE}\">"
        );
        for (id, form) in [(0, "bullet"), (1, "decimal")] {
            let _ = write!(text, "<w:abstractNum w:abstractNumId=\"{id}\"><w:multiLevelType w:val=\"multilevel\"/>");
            for depth in 0..DEPTHS {
                let mark = if form == "bullet" { "•".to_owned() } else { format!("%{}.", depth + 1) };
                let left = 480 * (depth + 1);
                let _ = write!(
                    text,
                    "<w:lvl w:ilvl=\"{depth}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"{form}\"/><w:lvlText w:val=\"{mark}\"/>\
                     <w:lvlJc w:val=\"left\"/><w:pPr><w:ind w:left=\"{left}\" w:hanging=\"360\"/></w:pPr></w:lvl>"
                );
            }
            text.push_str("</w:abstractNum>");
        }
        for (at, first) in self.defined.iter().enumerate() {
            let (id, of) = (at + 1, usize::from(first.is_some()));
            let _ = write!(text, "<w:num w:numId=\"{id}\"><w:abstractNumId w:val=\"{of}\"/>");
            for depth in 0..if first.is_some() { DEPTHS } else { 0 } {
                let start = first.unwrap_or(1);
                let _ = write!(
                    text,
                    "<w:lvlOverride w:ilvl=\"{depth}\"><w:startOverride w:val=\"{start}\"/></w:lvlOverride>"
                );
            }
            text.push_str("</w:num>");
        }
        text.push_str("</w:numbering>");
        text
    }

    fn run(&mut self, text: &str) {
        let mut how = String::new();
        for (is_so, mark) in [(self.bold > 0, "<w:b/>"), (self.italic > 0, "<w:i/>"), (self.struck > 0, "<w:strike/>")]
        {
            if is_so {
                how.push_str(mark);
            }
        }
        if !self.links.is_empty() {
            how.push_str("<w:color w:val=\"0563C1\"/><w:u w:val=\"single\"/>");
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

    /// Ends the current paragraph, if any.
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
        let indent = match (std::mem::take(&mut self.is_entry), self.lists.last(), left) {
            (true, Some(list), _) => {
                let depth = (self.lists.len() - 1).min(DEPTHS - 1);
                format!("<w:numPr><w:ilvl w:val=\"{depth}\"/><w:numId w:val=\"{list}\"/></w:numPr>")
            }
            (_, _, 0) => String::new(),
            (_, _, left) => format!("<w:ind w:left=\"{left}\"/>"),
        };
        let _ = write!(self.written, "<w:p><w:pPr><w:pStyle w:val=\"{style}\"/>{indent}</w:pPr>{runs}</w:p>");
    }
}

/// Returns the styles of the document, which replace the styles of a book.
fn styles(book: &BookInfo) -> String {
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

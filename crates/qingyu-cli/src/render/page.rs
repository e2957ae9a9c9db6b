//! A page of text for people: headings, wrapped paragraphs, lists, tables, in a given width and language.

use std::ops::Range;

use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};

use super::clean;
use super::wrap::{pad, width, wrap};
use crate::texts::{Argument, Texts};

/// What stands out.
pub(crate) const STRONG: Style = Style::new().bold();
/// What may be passed over.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// What names a thing.
pub(crate) const NAME: Style = AnsiColor::Cyan.on_default();
/// What is well.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// What needs care.
pub(crate) const CARE: Style = AnsiColor::Yellow.on_default();
/// What is wrong.
pub(crate) const WRONG: Style = AnsiColor::Red.on_default();
/// What was asked for.
pub(crate) const MARK: Style = AnsiColor::Yellow.on_default().bold();
/// No style.
pub(crate) const PLAIN: Style = Style::new();

/// `text` in `style`; whether the colours reach the terminal is decided where it is written.
pub(crate) fn paint(style: Style, text: &str) -> String {
    format!("{style}{}{style:#}", clean::foreign(text))
}

/// The most lines that a row of a table may take, on the average; narrower columns cannot be read.
const ROW_LINES: usize = 6;

/// A page that grows line by line.
pub(crate) struct Page<'a> {
    texts: &'a Texts,
    width: usize,
    program: &'a str,
    text: String,
}

impl<'a> Page<'a> {
    pub(crate) fn new(texts: &'a Texts, width: usize) -> Self {
        Self { texts, width, program: "qingyu", text: String::new() }
    }

    /// What the commands that are shown begin with.
    pub(crate) fn program(self, program: &'a str) -> Self {
        Self { program, ..self }
    }

    pub(crate) fn texts(&self) -> &'a Texts {
        self.texts
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// A command to type, without the program's name.
    pub(crate) fn command(&mut self, indent: usize, words: &str) {
        let program = self.program;
        self.paragraph(indent, NAME, &format!("{program} {words}"));
    }

    /// The page with its styles.
    pub(crate) fn finish(self) -> String {
        self.text
    }

    /// An empty line, unless the page is empty or has just had one.
    pub(crate) fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// A heading with a gap before it.
    pub(crate) fn heading(&mut self, text: &str) {
        self.gap();
        for line in wrap(text, self.width) {
            self.line(&paint(STRONG, &line));
        }
    }

    /// A line as it is; the caller has seen to its width.
    pub(crate) fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// A paragraph, wrapped; nothing where there is no text.
    pub(crate) fn paragraph(&mut self, indent: usize, style: Style, text: &str) {
        if !text.trim().is_empty() {
            self.lead(indent, "", PLAIN, style, text);
        }
    }

    /// A paragraph in which parts of each line stand out: those that `marks` gives, in bytes.
    pub(crate) fn marked(&mut self, indent: usize, text: &str, marks: impl Fn(&str) -> Vec<Range<usize>>) {
        for line in wrap(text, self.width.saturating_sub(indent)) {
            let (mut painted, mut at) = (String::new(), 0);
            for mark in marks(&line) {
                painted.push_str(&line[at..mark.start]);
                painted.push_str(&paint(MARK, &line[mark.clone()]));
                at = mark.end;
            }
            painted.push_str(&line[at..]);
            self.line(&format!("{}{painted}", " ".repeat(indent)));
        }
    }

    /// The text of `key` as a paragraph.
    pub(crate) fn say(&mut self, indent: usize, style: Style, key: &str, arguments: &[Argument<'_>]) {
        self.paragraph(indent, style, &self.texts.fill(key, arguments));
    }

    /// A paragraph whose first line begins with `lead` and whose others are set in by as much.
    pub(crate) fn lead(&mut self, indent: usize, lead: &str, lead_style: Style, style: Style, text: &str) {
        let hang = indent + width(lead);
        for (number, line) in wrap(text, self.width.saturating_sub(hang)).into_iter().enumerate() {
            let line = if line.is_empty() { line } else { paint(style, &line) };
            let head = match number {
                0 if lead.is_empty() => " ".repeat(indent),
                0 => format!("{}{}", " ".repeat(indent), paint(lead_style, lead)),
                _ => " ".repeat(hang),
            };
            self.line(format!("{head}{line}").trim_end());
        }
    }

    /// The text under the word of `key`; nothing where there is no text.
    pub(crate) fn labelled(&mut self, indent: usize, key: &str, text: &str) {
        if !text.trim().is_empty() {
            let label = self.label(key);
            self.lead(indent, &label, FAINT, PLAIN, text);
        }
    }

    /// A label with what stands between it and its text in this language.
    pub(crate) fn label(&self, key: &str) -> String {
        self.texts.fill("label", &[("name", self.texts.get(key).into())])
    }

    /// A table that fits the page. Columns in `right` are numbers; those in `whole` are not broken into lines, so that
    /// ids can be copied. On a page that is too narrow for its columns the cells of a row stand below each other, each after
    /// the name of its column.
    pub(crate) fn table(&mut self, header: &[String], rows: &[Vec<String>], right: &[usize], whole: &[usize]) {
        let mut table = Table::new();
        table
            .load_style(presets::UTF8_FULL_CONDENSED)
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(u16::try_from(self.width).unwrap_or(u16::MAX))
            .set_header(header);
        for row in rows {
            table.add_row(row);
        }
        for column in right {
            if let Some(column) = table.column_mut(*column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        for column in whole {
            if let Some(column) = table.column_mut(*column) {
                column.set_constraint(ColumnConstraint::ContentWidth);
            }
        }
        let text = table.trim_fmt();
        let is_narrow = text.lines().count() > 4 + rows.len() * ROW_LINES;
        if is_narrow || text.lines().any(|line| width(line) > self.width) {
            self.records(header, rows);
            return;
        }
        let header_lines = text.lines().take_while(|line| !line.starts_with('╞')).count();
        for (number, line) in text.lines().enumerate() {
            match (1..header_lines).contains(&number) {
                true => self.line(&with_strong_cells(line)),
                false => self.line(line),
            }
        }
    }

    /// The rows of a table, each as a paragraph for every cell that has a text.
    fn records(&mut self, header: &[String], rows: &[Vec<String>]) {
        for row in rows {
            self.gap();
            for (place, (name, cell)) in header.iter().zip(row).enumerate() {
                if cell.trim().is_empty() {
                    continue;
                }
                let label = self.texts.fill("label", &[("name", name.as_str().into())]);
                let style = if place == 0 { STRONG } else { PLAIN };
                self.lead(2 * usize::from(place > 0), &label, FAINT, style, cell);
            }
        }
    }

    /// Lines in a box with a title in its upper edge.
    pub(crate) fn boxed(&mut self, title: &str, lines: &[(Style, String)]) {
        let inner = self.width.saturating_sub(4);
        let title = super::wrap::shorten(title, inner.saturating_sub(4));
        let rest = "─".repeat((inner + 1).saturating_sub(width(&title) + 2));
        self.line(&format!("╭ {} {rest}─╮", paint(STRONG, &title)));
        for (style, text) in lines {
            for line in wrap(text, inner) {
                self.line(&format!("│ {} │", paint(*style, &pad(&line, inner))));
            }
        }
        self.line(&format!("╰{}╯", "─".repeat(inner + 2)));
    }
}

/// A line of a table with the text of its cells in [`STRONG`], and the borders between them as they are.
fn with_strong_cells(line: &str) -> String {
    const BORDERS: [char; 2] = ['│', '┆'];
    let mut painted = String::new();
    for part in line.split_inclusive(BORDERS) {
        let cell = part.trim_end_matches(BORDERS);
        if !cell.is_empty() {
            painted.push_str(&paint(STRONG, cell));
        }
        painted.push_str(&part[cell.len()..]);
    }
    painted
}

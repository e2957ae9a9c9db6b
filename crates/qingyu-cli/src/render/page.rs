//! A page of text for people: headings, wrapped paragraphs, lists and tables, for a given width and language.

use std::ops::Range;

use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};

use super::clean;
use super::wrap::{pad, width, wrap};
use crate::texts::{LocalizedTexts, TextArgument};

/// The style of emphasis.
pub(crate) const STRONG: Style = Style::new().bold();
/// The style of less important text.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// The style of names.
pub(crate) const NAME: Style = AnsiColor::Cyan.on_default();
/// The style of success.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// The style of warnings.
pub(crate) const CARE: Style = AnsiColor::Yellow.on_default();
/// The style of errors.
pub(crate) const WRONG: Style = AnsiColor::Red.on_default();
/// The style of search matches.
pub(crate) const MARK: Style = AnsiColor::Yellow.on_default().bold();
/// No style.
pub(crate) const PLAIN: Style = Style::new();

/// Returns `text` in `style`; the output stream decides whether to keep the colours.
pub(crate) fn paint(style: Style, text: &str) -> String {
    format!("{style}{}{style:#}", clean::foreign(text))
}

/// Maximum average number of lines per table row; narrower columns are unreadable.
const ROW_LINES: usize = 6;

/// A page built line by line.
pub(crate) struct TextPage<'a> {
    texts: &'a LocalizedTexts,
    width: usize,
    program: &'a str,
    project: Option<String>,
    text: String,
}

impl<'a> TextPage<'a> {
    pub(crate) fn new(texts: &'a LocalizedTexts, width: usize) -> Self {
        Self { texts, width, program: "qingyu", project: None, text: String::new() }
    }

    /// Sets the program prefix of displayed commands.
    pub(crate) fn program(self, program: &'a str) -> Self {
        Self { program, ..self }
    }

    /// Sets the project of displayed commands.
    pub(crate) fn set_project(&mut self, project: &str) {
        self.project = Some(project.to_owned());
    }

    /// Appends the command by which the plan follows the text in the finding with the id `finding`; nothing if the project
    /// is not known.
    pub(crate) fn plan_follows(&mut self, indent: usize, finding: &str) {
        if let Some(project) = self.project.clone() {
            self.say(
                indent,
                FAINT,
                "finding-plan-follows",
                &[("project", project.into()), ("finding", finding.into())],
            );
        }
    }

    pub(crate) fn texts(&self) -> &'a LocalizedTexts {
        self.texts
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Appends a command to type, given without the program's name.
    pub(crate) fn command(&mut self, indent: usize, words: &str) {
        let program = self.program;
        self.paragraph(indent, NAME, &format!("{program} {words}"));
    }

    /// Returns the page with its styles.
    pub(crate) fn finish(self) -> String {
        self.text
    }

    /// Appends an empty line, unless the page is empty or ends with an empty line.
    pub(crate) fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// Appends a heading after an empty line.
    pub(crate) fn heading(&mut self, text: &str) {
        self.gap();
        for line in wrap(text, self.width) {
            self.line(&paint(STRONG, &line));
        }
    }

    /// Appends a line unchanged; the caller ensures the width.
    pub(crate) fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Appends a wrapped paragraph; an empty text appends nothing.
    pub(crate) fn paragraph(&mut self, indent: usize, style: Style, text: &str) {
        if !text.trim().is_empty() {
            self.lead(indent, "", PLAIN, style, text);
        }
    }

    /// Appends a paragraph, highlighting the byte ranges returned by `marks` for each line.
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

    /// Appends the text of `key` as a paragraph.
    pub(crate) fn say(&mut self, indent: usize, style: Style, key: &str, arguments: &[TextArgument<'_>]) {
        self.paragraph(indent, style, &self.texts.fill(key, arguments));
    }

    /// Appends a paragraph with `lead` before the first line and the other lines indented by the same width.
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

    /// Appends a labelled text; an empty text appends nothing.
    pub(crate) fn labelled(&mut self, indent: usize, key: &str, text: &str) {
        if !text.trim().is_empty() {
            let label = self.label(key);
            self.lead(indent, &label, FAINT, PLAIN, text);
        }
    }

    /// Returns a label with the separator of the language.
    pub(crate) fn label(&self, key: &str) -> String {
        self.texts.fill("label", &[("name", self.texts.get(key).into())])
    }

    /// Appends a table fitted to the page. Columns in `right` are numbers; columns in `whole` are never wrapped, so
    /// that ids can be copied. If the page is too narrow, the cells of a row are listed below each other after their
    /// column names.
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

    /// Appends the rows of a table as records, with a paragraph per non-empty cell.
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

    /// Appends lines in a box with a title in the top border.
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

/// Returns a table line with the cell texts in [`STRONG`] and the borders unchanged.
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

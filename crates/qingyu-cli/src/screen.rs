//! Output of the command: results to standard output, everything else to standard error.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use terminal_size::{Width, terminal_size_of};

use crate::args::Color;
use crate::error::Error;
use crate::render::clean;
use crate::render::failure::FailureText;
use crate::render::page::TextPage;
use crate::texts::LocalizedTexts;

/// Default width, in columns, when the terminal's width is unknown.
const WIDTH: usize = 80;
/// Minimum usable width, in columns.
const NARROWEST: usize = 20;
/// Maximum width, in columns; longer lines are hard to read.
const READABLE: usize = 120;

/// The two output streams with their width and language.
pub(crate) struct Screen {
    texts: LocalizedTexts,
    width: usize,
    json: bool,
    program: String,
    reader_gone: AtomicBool,
}

impl Screen {
    /// Creates a screen. `home` is the data folder set by a flag; suggested commands repeat the flag.
    pub(crate) fn new(texts: LocalizedTexts, json: bool, home: Option<&str>) -> Self {
        let program = match home {
            Some(home) if home.contains(char::is_whitespace) => format!("qingyu --home \"{home}\""),
            Some(home) => format!("qingyu --home {home}"),
            None => "qingyu".to_owned(),
        };
        Self { texts, width: terminal_width(), json, program, reader_gone: AtomicBool::new(false) }
    }

    pub(crate) fn texts(&self) -> &LocalizedTexts {
        &self.texts
    }

    /// Returns whether results are printed as one JSON document.
    pub(crate) fn json(&self) -> bool {
        self.json
    }

    /// Returns whether a person can be prompted on the terminal.
    pub(crate) fn can_ask(&self) -> bool {
        !self.json && io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    /// Returns an empty page with the screen's width.
    pub(crate) fn page(&self) -> TextPage<'_> {
        TextPage::new(&self.texts, self.width).program(&self.program)
    }

    /// Writes a result to standard output. A closed pipe is not an error: the work continues without a reader.
    pub(crate) fn print(&self, text: &str) -> Result<(), Error> {
        self.write(&mut anstream::stdout().lock(), clean::page(text).as_bytes())
    }

    /// Writes raw bytes to standard output.
    pub(crate) fn print_bytes(&self, bytes: &[u8]) -> Result<(), Error> {
        self.write(&mut io::stdout().lock(), bytes)
    }

    fn write(&self, stdout: &mut dyn Write, bytes: &[u8]) -> Result<(), Error> {
        if self.reader_gone.load(Ordering::Relaxed) {
            return Ok(());
        }
        match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.reader_gone.store(true, Ordering::Relaxed);
                Ok(())
            }
            result => result.map_err(Error::Output),
        }
    }

    /// Serializes a value to standard output as a JSON document.
    pub(crate) fn print_json<T: Serialize>(&self, value: &T) -> Result<(), Error> {
        let text = serde_json::to_string_pretty(value).expect("views and documents serialise");
        self.print(&format!("{}\n", clean::json(&text)))
    }

    /// Serializes a value to standard output as one line of JSON.
    pub(crate) fn print_json_line<T: Serialize>(&self, value: &T) -> Result<(), Error> {
        let text = serde_json::to_string(value).expect("events serialise");
        self.print(&format!("{}\n", clean::json(&text)))
    }

    /// Writes a value to standard output as JSON, or as the page drawn by `draw`.
    pub(crate) fn show<T: Serialize>(&self, value: &T, draw: impl FnOnce(&mut TextPage<'_>)) -> Result<(), Error> {
        if self.json {
            return self.print_json(value);
        }
        let mut page = self.page();
        draw(&mut page);
        self.print(&page.finish())
    }

    /// Writes to standard error; write errors are ignored.
    pub(crate) fn note(&self, text: &str) {
        let mut stderr = anstream::stderr().lock();
        let _ = stderr.write_all(clean::page(text).as_bytes());
    }

    /// Writes the page drawn by `draw` to standard error; write errors are ignored.
    pub(crate) fn note_page(&self, draw: impl FnOnce(&mut TextPage<'_>)) {
        let mut page = self.page();
        draw(&mut page);
        self.note(&page.finish());
    }

    /// Reports an error: as text on standard error, or with `--json` as a document on standard output.
    pub(crate) fn fail(&self, error: &Error) {
        let worded = FailureText::of_error(&self.texts, error);
        if self.json {
            let _ = self.print_json(&worded.document());
        } else {
            self.note_page(|page| worded.draw(page));
        }
    }
}

/// Sets the colour mode of the process.
pub(crate) fn choose_colors(color: Color) {
    match color {
        Color::Auto => anstream::ColorChoice::Auto,
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// Returns the width in columns: `COLUMNS`, else the width of the terminal on standard output, else 80, limited to a
/// readable width. Terminal widths below the minimum are treated as unknown.
fn terminal_width() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let found = || terminal_size_of(io::stdout()).map(|(Width(columns), _)| usize::from(columns));
    told.or_else(found).filter(|columns| *columns >= NARROWEST).unwrap_or(WIDTH).min(READABLE)
}

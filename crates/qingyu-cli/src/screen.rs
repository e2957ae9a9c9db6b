//! Where the command writes: results to standard output, everything else to standard error.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use terminal_size::{Width, terminal_size_of};

use crate::args::Color;
use crate::error::Error;
use crate::render::clean;
use crate::render::failure::Worded;
use crate::render::page::Page;
use crate::texts::Texts;

/// The width where none is known.
const WIDTH: usize = 80;
/// Nothing can be written in less.
const NARROWEST: usize = 20;
/// Lines longer than this are hard to read, however wide the terminal is.
const READABLE: usize = 120;

/// The two streams, and in which width and language they are written.
pub(crate) struct Screen {
    texts: Texts,
    width: usize,
    json: bool,
    program: String,
    reader_gone: AtomicBool,
}

impl Screen {
    /// `home` is the data folder if a flag named it; the commands shown then name it too.
    pub(crate) fn new(texts: Texts, json: bool, home: Option<&str>) -> Self {
        let program = match home {
            Some(home) if home.contains(char::is_whitespace) => format!("qingyu --home \"{home}\""),
            Some(home) => format!("qingyu --home {home}"),
            None => "qingyu".to_owned(),
        };
        Self { texts, width: terminal_width(), json, program, reader_gone: AtomicBool::new(false) }
    }

    pub(crate) fn texts(&self) -> &Texts {
        &self.texts
    }

    /// Whether results are one JSON document.
    pub(crate) fn json(&self) -> bool {
        self.json
    }

    /// Whether a person can be asked here.
    pub(crate) fn can_ask(&self) -> bool {
        !self.json && io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    /// An empty page that fits.
    pub(crate) fn page(&self) -> Page<'_> {
        Page::new(&self.texts, self.width).program(&self.program)
    }

    /// Writes a result to standard output. A reader that went away is no failure: the work goes on without it.
    pub(crate) fn print(&self, text: &str) -> Result<(), Error> {
        self.write(&mut anstream::stdout().lock(), clean::page(text).as_bytes())
    }

    /// Writes a file to standard output as it is.
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

    /// Writes a value to standard output as a JSON document.
    pub(crate) fn print_json<T: Serialize>(&self, value: &T) -> Result<(), Error> {
        let text = serde_json::to_string_pretty(value).expect("views and documents serialise");
        self.print(&format!("{}\n", clean::json(&text)))
    }

    /// Writes a value to standard output as JSON on one line.
    pub(crate) fn print_json_line<T: Serialize>(&self, value: &T) -> Result<(), Error> {
        let text = serde_json::to_string(value).expect("events serialise");
        self.print(&format!("{}\n", clean::json(&text)))
    }

    /// Writes a value to standard output as JSON, or as the page that `draw` fills.
    pub(crate) fn show<T: Serialize>(&self, value: &T, draw: impl FnOnce(&mut Page<'_>)) -> Result<(), Error> {
        if self.json {
            return self.print_json(value);
        }
        let mut page = self.page();
        draw(&mut page);
        self.print(&page.finish())
    }

    /// Writes to standard error; where that is gone there is nobody to tell.
    pub(crate) fn note(&self, text: &str) {
        let mut stderr = anstream::stderr().lock();
        let _ = stderr.write_all(clean::page(text).as_bytes());
    }

    /// Tells a failure: in words on standard error, or with `--json` as a document on standard output.
    pub(crate) fn fail(&self, error: &Error) {
        let worded = Worded::of_error(&self.texts, error);
        if self.json {
            let _ = self.print_json(&worded.document());
        } else {
            let mut page = self.page();
            worded.draw(&mut page);
            self.note(&page.finish());
        }
    }
}

/// Decides once for the process whether colours are written.
pub(crate) fn choose_colors(color: Color) {
    match color {
        Color::Auto => anstream::ColorChoice::Auto,
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// `COLUMNS`, else the width of the terminal that standard output is, else 80; never more than can be read well. A terminal that says less than can
/// be written in does not know.
fn terminal_width() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let found = || terminal_size_of(io::stdout()).map(|(Width(columns), _)| usize::from(columns));
    told.or_else(found).filter(|columns| *columns >= NARROWEST).unwrap_or(WIDTH).min(READABLE)
}

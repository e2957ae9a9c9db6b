//! What came, as readable text.
//!
//! - [`charset`]: bytes to characters
//! - [`html`]: which part of a page is its text, without what is hidden from people
//! - [`pdf`]: the text of a PDF
//! - [`clean`]: what is dropped of every text, and when it is garbled

mod charset;
mod clean;
mod html;
mod pdf;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use tokio::sync::{Semaphore, oneshot};

pub(crate) use html::{parse, plain};

use crate::Error;
use crate::error::shown;

/// How many pages are taken apart at the same time. One that hangs keeps its place, so that there are never more threads.
const PARALLEL: usize = 4;

/// The stack of one such thread: pages of strangers may be nested deeply.
const STACK: usize = 64 << 20;

/// Tells whether anybody still waits for a page.
pub(crate) type Wanted<'a> = &'a dyn Fn() -> bool;

/// What a page is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Html,
    Plain,
    Markdown,
    Pdf,
    /// Not declared: what it begins with tells.
    Unknown,
}

/// A page as it came.
#[derive(Debug)]
pub(crate) struct Material {
    pub(crate) bytes: Vec<u8>,
    pub(crate) kind: Kind,
    pub(crate) content_type: String,
    pub(crate) url: String,
}

/// A page as text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Text {
    pub(crate) title: String,
    pub(crate) text: String,
    pub(crate) language: Option<String>,
    pub(crate) is_cut: bool,
}

/// Takes pages apart, a few at the same time.
#[derive(Debug, Clone)]
pub(crate) struct Readers(Arc<Semaphore>);

impl Default for Readers {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(PARALLEL)))
    }
}

impl Kind {
    /// The kind that a content type names; fails with [`Error::UnsupportedType`] for others.
    pub(crate) fn declared(content_type: &str) -> Result<Self, Error> {
        Ok(match content_type.split(';').next().unwrap_or_default().trim() {
            "text/html" | "application/xhtml+xml" => Self::Html,
            "text/plain" => Self::Plain,
            "text/markdown" | "text/x-markdown" => Self::Markdown,
            "application/pdf" | "application/x-pdf" => Self::Pdf,
            "" => Self::Unknown,
            other => return Err(Error::UnsupportedType { found: shown(other) }),
        })
    }

    /// The kind by what the page begins with, where that says more than its declaration.
    fn seen(self, bytes: &[u8]) -> Self {
        let start = &bytes[..bytes.len().min(1_024)];
        if start.trim_ascii_start().starts_with(b"%PDF-") {
            return Self::Pdf;
        }
        let start = String::from_utf8_lossy(start).to_ascii_lowercase();
        let is_html = ["<!doctype html", "<html", "<head", "<body"].iter().any(|tag| start.contains(tag));
        match self {
            Self::Unknown if is_html => Self::Html,
            Self::Unknown => Self::Plain,
            declared => declared,
        }
    }
}

impl Readers {
    /// The text of `material`, at most `limit` characters of it.
    ///
    /// It runs in its own thread; a parser that panics found the page garbled. A caller that stops waiting
    /// ends it at the next look.
    pub(crate) async fn read(&self, material: Material, limit: usize) -> Result<Text, Error> {
        let place = self.0.clone().acquire_owned().await;
        let (send, receive) = oneshot::channel();
        let work = move || {
            let _place = place;
            let text = catch_unwind(AssertUnwindSafe(|| read(&material, limit, &|| !send.is_closed())));
            let text = text.unwrap_or_else(|_panic| Err(garbled("its parser gave up")));
            // Nobody waits any more: then it is of no use.
            let _unwanted = send.send(text);
        };
        let started = thread::Builder::new().name("qingyu-web-text".into()).stack_size(STACK).spawn(work);
        started.map_err(|error| Error::Unreachable { host: "thread".into(), message: error.to_string() })?;
        receive.await.unwrap_or_else(|_gone| Err(garbled("its parser gave up")))
    }
}

/// The text of `material`, on this thread.
pub(crate) fn read(material: &Material, limit: usize, wanted: Wanted<'_>) -> Result<Text, Error> {
    let bytes = &material.bytes;
    let kind = material.kind.seen(bytes);
    let mut text = match kind {
        Kind::Pdf => pdf::read(bytes, limit, wanted)?,
        Kind::Html => {
            let source = charset::decode(bytes, &material.content_type, true);
            clean::refuse_garbled(&source)?;
            html::read(&source, &material.url, wanted)?
        }
        Kind::Plain | Kind::Markdown | Kind::Unknown => {
            let source = charset::decode(bytes, &material.content_type, false);
            clean::refuse_garbled(&source)?;
            let heading = source.lines().find_map(|line| line.strip_prefix("# ")).filter(|_| kind == Kind::Markdown);
            Text { title: heading.unwrap_or_default().to_owned(), text: source, ..Text::default() }
        }
    };
    text.title = clean::line(&text.title, 300);
    (text.text, text.is_cut) = clean::lines(&text.text, limit);
    if text.text.is_empty() {
        return Err(Error::Empty);
    }
    clean::refuse_garbled(&text.text)?;
    Ok(text)
}

fn garbled(why: &str) -> Error {
    Error::Garbled { why: why.to_owned() }
}

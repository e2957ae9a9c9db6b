//! Parses received content into readable text.
//!
//! - [`page`]: a page as received, and as text
//! - [`charset`]: decodes bytes into characters
//! - [`html`]: selects the text of a page, without [`hidden`] parts
//! - `imprint`: authors, date and publisher
//! - [`pdf`]: extracts the text of a PDF
//! - [`clean`]: removes invisible characters, and detects garbled text

mod charset;
mod clean;
mod hidden;
mod html;
mod imprint;
mod page;
mod pdf;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use tokio::sync::{Semaphore, oneshot};

pub(crate) use html::{parse, plain};
pub(crate) use imprint::date;
pub(crate) use page::{PageKind, PageText, RawPage};

use crate::error::Error;
use page::{WantedFn, garbled};

/// Maximum pages parsed concurrently. A hanging parser keeps its permit, so the number of threads is bounded.
const PARALLEL: usize = 4;

/// Stack size of a parser thread: untrusted pages may be nested deeply.
const STACK: usize = 64 << 20;

/// A pool of parsers with limited concurrency.
#[derive(Debug, Clone)]
pub(crate) struct PageParsers(Arc<Semaphore>);

impl Default for PageParsers {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(PARALLEL)))
    }
}

impl PageParsers {
    /// Returns the text of `material`, at most `limit` characters.
    ///
    /// Runs in its own thread; a page whose parser panics is garbled. When the caller stops waiting, the parser stops
    /// at its next check.
    pub(crate) async fn read(&self, material: RawPage, limit: usize) -> Result<PageText, Error> {
        let place = self.0.clone().acquire_owned().await;
        let (send, receive) = oneshot::channel();
        let work = move || {
            let _place = place;
            let text = catch_unwind(AssertUnwindSafe(|| read(&material, limit, &|| !send.is_closed())));
            let text = text.unwrap_or_else(|_panic| Err(garbled("its parser gave up")));
            // If no caller waits any more, the result is dropped.
            let _unwanted = send.send(text);
        };
        let started = thread::Builder::new().name("qingyu-web-text".into()).stack_size(STACK).spawn(work);
        started.map_err(|error| Error::Unreachable { host: "thread".into(), message: error.to_string() })?;
        receive.await.unwrap_or_else(|_gone| Err(garbled("its parser gave up")))
    }
}

/// Returns the text of `material`, parsed on the current thread.
pub(crate) fn read(material: &RawPage, limit: usize, wanted: WantedFn<'_>) -> Result<PageText, Error> {
    let bytes = &material.bytes;
    let kind = material.kind.seen(bytes);
    let mut text = match kind {
        PageKind::Pdf => pdf::read(bytes, limit, wanted)?,
        PageKind::Html => {
            let source = charset::decode(bytes, &material.content_type, true);
            clean::refuse_garbled(&source)?;
            html::read(&source, &material.url, wanted)?
        }
        PageKind::Plain | PageKind::Markdown | PageKind::Unknown => {
            let source = charset::decode(bytes, &material.content_type, false);
            clean::refuse_garbled(&source)?;
            let source = if kind == PageKind::Markdown { hidden::without_comments(&source) } else { source };
            let heading =
                source.lines().find_map(|line| line.strip_prefix("# ")).filter(|_| kind == PageKind::Markdown);
            PageText { title: heading.unwrap_or_default().to_owned(), text: source, ..PageText::default() }
        }
    };
    text.title = clean::line(&text.title, 300);
    (text.text, text.is_cut) = clean::lines(&text.text, limit);
    if text.text.is_empty() {
        return Err(Error::Empty);
    }
    clean::refuse_garbled(&text.text)?;
    if kind != PageKind::Html {
        text.imprint = imprint::by_form(&text.text);
    }
    Ok(text)
}

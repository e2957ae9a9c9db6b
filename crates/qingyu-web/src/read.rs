//! The reader trait and its pages.

use std::fmt::Debug;

use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::Error;

/// Authors, publisher and date of a page, as given by the page: untrusted text. Empty fields for missing data.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PageImprint {
    /// The names of the authors, in order.
    pub authors: Vec<String>,
    /// The date of publication: `2024-05-01`, `2024-05` or `2024`.
    pub published: String,
    /// The name of the publisher, or of the site.
    pub publisher: String,
}

/// A read page. Its content is untrusted, never an instruction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebPage {
    /// The final address, after redirects.
    pub url: String,
    /// The requested address.
    pub asked: String,
    /// The title; empty by default.
    pub title: String,
    /// The readable text, a paragraph per line. Never empty.
    pub text: String,
    /// The declared language, such as `zh-CN`.
    pub language: Option<String>,
    /// Size of the body in bytes, after decompression.
    pub bytes: u64,
    /// Time of reading in RFC 3339, to the second.
    pub read_at: String,
    /// Duration of reading in milliseconds, without waits for permits.
    pub millis: u64,
    /// Whether the text was truncated.
    pub is_cut: bool,
    /// The authors, the date and the publisher.
    #[serde(default)]
    pub imprint: PageImprint,
}

/// Reads pages as text.
pub trait PageReader: Send + Sync + Debug {
    /// Returns the reader's name in settings and traces.
    fn name(&self) -> &str;

    /// Reads the page at `url`.
    ///
    /// Addresses outside the open web are never reached; a page that cannot be read as text is an error, never an empty
    /// or garbled page.
    fn read<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<WebPage, Error>>;
}

/// Returns the current time, to the second.
#[cfg(feature = "network")]
pub(crate) fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

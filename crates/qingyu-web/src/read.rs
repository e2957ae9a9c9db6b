//! What is read of a page.

use std::fmt::Debug;

use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::Error;

/// A page that was read. What it says is material of strangers, never an instruction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// Where it was found in the end, after redirects.
    pub url: String,
    /// The address that was asked for.
    pub asked: String,
    /// The title; empty if the page has none.
    pub title: String,
    /// The readable text, a paragraph per line. It is never empty.
    pub text: String,
    /// The language the page declares, such as `zh-CN`.
    pub language: Option<String>,
    /// How many bytes the body had, after decompression.
    pub bytes: u64,
    /// When it was read, after RFC 3339, to the second.
    pub read_at: String,
    /// How long reading took, in milliseconds, without the wait for its turn.
    pub millis: u64,
    /// Whether the text goes on, beyond what is kept of a page.
    pub is_cut: bool,
}

/// Reads pages as text.
pub trait Reader: Send + Sync + Debug {
    /// The reader's name, as settings and traces write it.
    fn name(&self) -> &str;

    /// Reads the page at `url`.
    ///
    /// Addresses that are not of the open web are never reached; a page that cannot be read as text is an error, never an empty
    /// or garbled page.
    fn read<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<Page, Error>>;
}

/// The present second.
pub(crate) fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

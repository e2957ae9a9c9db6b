//! A page as received, and as text.

use crate::error::{Error, shown};
use crate::read::PageImprint;

/// A callback that returns whether a caller still waits for a page.
pub(crate) type WantedFn<'a> = &'a dyn Fn() -> bool;

/// The format of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageKind {
    Html,
    Plain,
    Markdown,
    Pdf,
    /// Undeclared: detected by the first bytes.
    Unknown,
}

/// A page as received.
#[derive(Debug)]
pub(crate) struct RawPage {
    pub(crate) bytes: Vec<u8>,
    pub(crate) kind: PageKind,
    pub(crate) content_type: String,
    pub(crate) url: String,
}

/// A page as text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct PageText {
    pub(crate) title: String,
    pub(crate) text: String,
    pub(crate) language: Option<String>,
    pub(crate) is_cut: bool,
    pub(crate) imprint: PageImprint,
}

impl PageKind {
    /// Returns the format of a content type; fails with [`Error::UnsupportedType`] for others.
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

    /// Returns the format detected by the first bytes, if more specific than the declaration.
    pub(super) fn seen(self, bytes: &[u8]) -> Self {
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

/// Returns the error of content that is not readable text.
pub(super) fn garbled(why: &str) -> Error {
    Error::Garbled { why: why.to_owned() }
}

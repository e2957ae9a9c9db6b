//! Test doubles: a scripted search and reader, a server of awkward pages, and the test suite of all adapters.
//!
//! [`Server`] listens on loopback; [`Server::settings`] allow only its address.

mod answer;
pub mod contract;
mod engine;
mod names;
mod scripted;
mod server;

pub use answer::{FakeAnswer, pdf};
pub use engine::EngineReply;
pub use names::ScriptedNames;
pub use scripted::{ScriptedReader, ScriptedSearch};
pub use server::{ReceivedRequest, Server};

use std::net::IpAddr;
use std::sync::Arc;

use crate::guard::{Guard, SystemNames, is_global};
use crate::text::{PageKind, PageParsers, PageText, RawPage};
use crate::{Error, WebHit, WebSettings};

/// Parses a page of `bytes` like a page of the web: returns the title, and at most `limit` characters of text.
///
/// Fails like reading; a page whose parser panics is garbled.
pub async fn page_of(bytes: Vec<u8>, content_type: &str, limit: usize) -> Result<(String, String), Error> {
    let kind = PageKind::declared(content_type)?;
    let url = "https://example.com/page".to_owned();
    let material = RawPage { bytes, kind, content_type: content_type.to_owned(), url };
    let PageText { title, text, .. } = PageParsers::default().read(material, limit).await?;
    Ok((title, text))
}

/// Returns the address accepted for `url` with the default settings, without resolving its name; fails if refused.
pub fn accepted(url: &str) -> Result<String, Error> {
    let guard = Guard::new(&WebSettings::default(), Arc::new(SystemNames))?;
    Ok(guard.parse(url)?.url.into())
}

/// Returns whether `address` is a host on the open web.
pub fn is_open_web(address: IpAddr) -> bool {
    is_global(address)
}

/// Returns whether the rules of a `robots.txt` allow `path`.
pub fn may_read(rules: &str, path: &str) -> bool {
    crate::manners::may_read(rules, path)
}

/// Parses the hits on a page of DuckDuckGo, at most `limit`; returns an empty list for any other page.
pub fn duckduckgo(page: &str, limit: usize) -> Vec<WebHit> {
    crate::engines::duckduckgo_hits(page, limit)
}

//! Doubles for tests: a scripted search and reader, a server of awkward pages, and the suite that every adapter passes.
//!
//! [`Server`] listens on loopback; [`Server::settings`] allow that one address and nothing else.

mod answer;
pub mod contract;
mod engine;
mod names;
mod scripted;
mod server;

pub use answer::{Answer, pdf};
pub use engine::Says;
pub use names::ScriptedNames;
pub use scripted::{ScriptedReader, ScriptedSearch};
pub use server::{Asked, Server};

use crate::guard::Guard;
use crate::text::{Kind, Material, Readers, Text};
use crate::{Error, Hit};

/// A page that came as `bytes`, taken apart as a page of the web is: its title, and at most `limit` characters of its text.
///
/// Fails as reading it would; a parser that panics found it garbled.
pub async fn page_of(bytes: Vec<u8>, content_type: &str, limit: usize) -> Result<(String, String), Error> {
    let kind = Kind::declared(content_type)?;
    let url = "https://example.com/page".to_owned();
    let material = Material { bytes, kind, content_type: content_type.to_owned(), url };
    let Text { title, text, .. } = Readers::default().read(material, limit).await?;
    Ok((title, text))
}

/// The address that `guard` accepts `url` as; fails if it does not.
pub fn accepted(guard: &Guard, url: &str) -> Result<String, Error> {
    Ok(guard.parse(url)?.url.into())
}

/// Whether `path` may be read by the rules of a `robots.txt`.
pub fn may_read(rules: &str, path: &str) -> bool {
    crate::manners::may_read(rules, path)
}

/// The hits on a page of DuckDuckGo, at most `limit`; none if it is no such page.
pub fn duckduckgo(page: &str, limit: usize) -> Vec<Hit> {
    crate::engines::duckduckgo_hits(page, limit)
}

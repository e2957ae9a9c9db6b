//! The settings, as plain data.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the web is searched and read. What is left out has its default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct WebSettings {
    /// Which engine searches; the keys of `brave` and `tavily` stand in the environment, as `QINGYU_WEB_SEARCH_KEY`.
    pub search: SearchKind,
    /// Where the engine is; its public address if there is none. SearXNG has no public one.
    pub search_endpoint: Option<String>,
    /// The engine's key, for `brave` and `tavily`. It is read, never written.
    #[serde(skip_serializing)]
    #[schemars(with = "Option<String>")]
    pub search_key: Option<WebApiKey>,
    /// What reads pages; `jina` sees every address that is read, and its key stands in the environment, as `QINGYU_WEB_READER_KEY`.
    pub reader: ReaderKind,
    /// Where Jina Reader is: `https://r.jina.ai` if there is none.
    pub reader_endpoint: Option<String>,
    /// Jina's key; it answers without one, more rarely. It is read, never written.
    #[serde(skip_serializing)]
    #[schemars(with = "Option<String>")]
    pub reader_key: Option<WebApiKey>,
    /// The most bytes of one page, after decompression: 10 MB.
    pub max_bytes: u64,
    /// The most characters that are kept of one page: 100,000.
    pub max_characters: usize,
    /// The most milliseconds for one page with its redirects: 20,000.
    pub timeout_ms: u64,
    /// The most milliseconds until an answer begins: 10,000.
    pub first_byte_ms: u64,
    /// The most requests to one host per minute: 30. Zero is no limit.
    pub requests_per_minute: u32,
    /// The most pages of one host that are read at the same time: 2.
    pub parallel_per_host: usize,
    /// The ports that may be reached: 80 and 443.
    pub ports: Vec<u16>,
    /// Hosts that may be reached although they are not on the open web, each as `host:port`: none. A redirect may lead there too.
    pub allow: Vec<String>,
}

impl Default for WebSettings {
    fn default() -> Self {
        Self {
            search: SearchKind::None,
            search_endpoint: None,
            search_key: None,
            reader: ReaderKind::Own,
            reader_endpoint: None,
            reader_key: None,
            max_bytes: 10_000_000,
            max_characters: 100_000,
            timeout_ms: 20_000,
            first_byte_ms: 10_000,
            requests_per_minute: 30,
            parallel_per_host: 2,
            ports: vec![80, 443],
            allow: Vec::new(),
        }
    }
}

/// Which engine searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SearchKind {
    /// Nothing is searched.
    #[default]
    None,
    /// DuckDuckGo's page without scripts; it needs no key.
    Duckduckgo,
    /// A SearXNG server that has its JSON format switched on.
    Searxng,
    /// Brave Search, with a key.
    Brave,
    /// Tavily, with a key.
    Tavily,
}

/// What reads pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReaderKind {
    /// This program itself.
    #[default]
    Own,
    /// Jina Reader, which sees every address that is read.
    Jina,
}

/// The API key of a service. Never shown and never serialized.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub struct WebApiKey(String);

#[cfg(feature = "network")]
impl WebApiKey {
    /// Returns the plain key for the request header.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// Masks the key in `bytes`, for services that echo requests.
    pub(crate) fn mask(&self, bytes: Vec<u8>) -> Vec<u8> {
        /// Minimum length of a secret; shorter values may be ordinary words.
        const SHORTEST: usize = 8;
        let key = self.0.as_bytes();
        if key.len() < SHORTEST {
            return bytes;
        }
        let mut masked = Vec::with_capacity(bytes.len());
        let mut rest = &bytes[..];
        while let Some(place) = rest.windows(key.len()).position(|window| window == key) {
            masked.extend_from_slice(&rest[..place]);
            masked.extend_from_slice(b"***");
            rest = &rest[place + key.len()..];
        }
        masked.extend_from_slice(rest);
        masked
    }
}

impl From<String> for WebApiKey {
    fn from(key: String) -> Self {
        Self(key.trim().to_owned())
    }
}

impl From<&str> for WebApiKey {
    fn from(key: &str) -> Self {
        Self(key.trim().to_owned())
    }
}

impl fmt::Debug for WebApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

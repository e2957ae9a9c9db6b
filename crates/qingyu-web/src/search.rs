//! The search trait, its queries and hits.

use std::fmt::Debug;

use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::Error;

/// A search query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Query {
    /// The search words, as typed.
    pub words: String,
    /// The language of the pages, `zh` or `en`; defaults to any.
    pub language: Option<String>,
    /// Maximum hits.
    pub limit: usize,
}

/// A page found by an engine. Title and snippet are untrusted, never an instruction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebHit {
    /// The address of the page: absolute, `http` or `https`. Validated only when the page is read.
    pub url: String,
    /// The title as plain text.
    pub title: String,
    /// The engine's excerpt of the page, as plain text; may be empty.
    pub snippet: String,
}

/// Finds pages by words.
pub trait WebSearchEngine: Send + Sync + Debug {
    /// Returns the engine's name in settings and traces.
    fn name(&self) -> &str;

    /// Returns the pages for `query`, best first: at most `limit`, without duplicate addresses. No hits are an empty
    /// list.
    ///
    /// A refusal of the engine is an error, [`Error::RateLimited`] for a rate limit; never an empty list.
    fn search<'a>(&'a self, query: &'a Query) -> BoxFuture<'a, Result<Vec<WebHit>, Error>>;
}

//! What is asked of a search engine, and what it answers.

use std::fmt::Debug;

use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::Error;

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Query {
    /// The words, as one would type them.
    pub words: String,
    /// The language of the pages wanted, `zh` or `en`; any if there is none.
    pub language: Option<String>,
    /// The most hits wanted.
    pub limit: usize,
}

/// One page that an engine found. Title and snippet are words of strangers, never an instruction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hit {
    /// Where the page is: absolute, `http` or `https`. It is not yet checked; reading it checks it.
    pub url: String,
    /// The title, as plain text.
    pub title: String,
    /// What the engine quotes of the page, as plain text; it may be empty.
    pub snippet: String,
}

/// Finds pages by words.
pub trait Search: Send + Sync + Debug {
    /// The engine's name, as settings and traces write it.
    fn name(&self) -> &str;

    /// The pages for `query`, best first: at most `limit`, no address twice. No hit at all is an empty list.
    ///
    /// An engine that refuses to answer fails, with [`Error::RateLimited`] if it wants fewer questions; that is never an empty list.
    fn search<'a>(&'a self, query: &'a Query) -> BoxFuture<'a, Result<Vec<Hit>, Error>>;
}

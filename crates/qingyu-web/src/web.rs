//! The engine and the reader selected by the settings.

#[cfg(feature = "network")]
mod open;

use std::sync::Arc;

use crate::{Error, PageReader, WebSearchEngine};

/// The web access of a studio. Engine and reader share the crawl policy and its limits per host.
#[derive(Debug, Clone)]
pub struct Web {
    /// The engine; `None` if search is disabled.
    pub search: Option<Arc<dyn WebSearchEngine>>,
    /// The page reader.
    pub reader: Arc<dyn PageReader>,
}

impl Web {
    /// Returns a web without a working reader, for viewing finished work only.
    pub fn closed() -> Self {
        Self { search: None, reader: Arc::new(DisabledReader) }
    }

    /// Returns [`Web::closed`]: the build lacks the feature `network`.
    ///
    /// Fails with [`Error::Settings`] if `settings` select an engine.
    #[cfg(not(feature = "network"))]
    pub fn new(settings: &crate::WebSettings) -> Result<Self, Error> {
        match settings.search {
            crate::SearchKind::None => Ok(Self::closed()),
            _ => Err(Error::Settings {
                field: "search".into(),
                why: "this build was made without the feature `network`, which searches and reads the web".into(),
            }),
        }
    }
}

/// A reader without access.
#[derive(Debug)]
struct DisabledReader;

impl PageReader for DisabledReader {
    fn name(&self) -> &'static str {
        "none"
    }

    fn read<'a>(&'a self, url: &'a str) -> futures::future::BoxFuture<'a, Result<crate::WebPage, Error>> {
        Box::pin(
            async move { Err(Error::Unreachable { host: url.to_owned(), message: "nothing is read here".into() }) },
        )
    }
}

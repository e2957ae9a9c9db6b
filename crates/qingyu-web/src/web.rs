//! The engine and the reader that the settings name.

#[cfg(feature = "network")]
mod open;

use std::sync::Arc;

use crate::{Error, Reader, Search};

/// The web as one studio uses it. Its parts share their manners: the limits per host are kept across them.
#[derive(Debug, Clone)]
pub struct Web {
    /// The engine; none if nothing is to be searched.
    pub search: Option<Arc<dyn Search>>,
    /// What reads pages.
    pub reader: Arc<dyn Reader>,
}

impl Web {
    /// A web of which nothing can be read; for those who only look at what was done.
    pub fn closed() -> Self {
        Self { search: None, reader: Arc::new(Closed) }
    }

    /// Returns [`Web::closed`]: this build was made without the feature `network`.
    ///
    /// Fails with [`Error::Settings`] if `settings` name an engine.
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

/// Reads nothing.
#[derive(Debug)]
struct Closed;

impl Reader for Closed {
    fn name(&self) -> &'static str {
        "none"
    }

    fn read<'a>(&'a self, url: &'a str) -> futures::future::BoxFuture<'a, Result<crate::Page, Error>> {
        Box::pin(
            async move { Err(Error::Unreachable { host: url.to_owned(), message: "nothing is read here".into() }) },
        )
    }
}

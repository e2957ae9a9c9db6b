//! The engine and the reader that the settings name.

use std::sync::Arc;

use crate::{Error, Reader, Search, WebSettings};

/// The web as one studio uses it. Its parts share their manners: the limits per host are kept across them.
#[derive(Debug, Clone)]
pub struct Web {
    /// The engine; none if nothing is to be searched.
    pub search: Option<Arc<dyn Search>>,
    /// What reads pages.
    pub reader: Arc<dyn Reader>,
}

impl Web {
    /// Opens what `settings` name. Nothing is sent yet.
    ///
    /// Fails with [`Error::Settings`] if a key or an endpoint is missing or cannot be used.
    pub fn new(settings: &WebSettings) -> Result<Self, Error> {
        let _ = settings;
        Err(Error::Settings { field: "reader", why: "not there yet".into() })
    }
}

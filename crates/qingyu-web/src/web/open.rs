//! Opens the engine and the reader that settings name.

use std::sync::Arc;

use super::Web;
use crate::fetch::Fetcher;
use crate::guard::{Resolve, SystemNames};
use crate::jina::JinaReader;
use crate::manners::Manners;
use crate::own::OwnReader;
use crate::service::Service;
use crate::text::Readers;
use crate::{Error, Guard, Reader, ReaderKind, WebSettings, engines};

impl Web {
    /// Opens what `settings` name. Nothing is sent yet.
    ///
    /// Fails with [`Error::Settings`] if a key or an endpoint is missing or cannot be used.
    pub fn new(settings: &WebSettings) -> Result<Self, Error> {
        Self::with_names(settings, Arc::new(SystemNames))
    }

    /// Opens what `settings` name, with names resolved by `names`. Its answers are judged like the system's.
    pub fn with_names(settings: &WebSettings, names: Arc<dyn Resolve>) -> Result<Self, Error> {
        let fetcher = Fetcher::new(Guard::new(settings, names)?, settings);
        let manners = Manners::new(fetcher.clone(), settings);
        let search = engines::open(settings, &fetcher, &manners)?;
        let reader: Arc<dyn Reader> = match settings.reader {
            ReaderKind::Own => Arc::new(OwnReader {
                fetcher,
                manners,
                readers: Readers::default(),
                max_characters: settings.max_characters,
            }),
            ReaderKind::Jina => Arc::new(jina(settings, &fetcher, &manners)?),
        };
        Ok(Self { search, reader })
    }
}

fn jina(settings: &WebSettings, fetcher: &Arc<Fetcher>, manners: &Arc<Manners>) -> Result<JinaReader, Error> {
    let endpoint = settings.reader_endpoint.as_deref().unwrap_or("https://r.jina.ai");
    let mut service = Service::new("jina", ("reader_endpoint", endpoint), fetcher, manners)?
        .with_header("x-retain-images", "none")
        .with_header("x-retain-links", "text");
    if let Some(key) = settings.reader_key.as_ref().filter(|key| !key.reveal().is_empty()) {
        service = service.with_key("authorization", "Bearer ", ("reader_key", key))?;
    }
    Ok(JinaReader { service, max_characters: settings.max_characters })
}

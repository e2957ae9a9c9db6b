//! Opens the engine and the reader selected by the settings.

use std::sync::Arc;

use super::Web;
use crate::fetch::Fetcher;
use crate::guard::{NameResolver, SystemNames};
use crate::jina::JinaReader;
use crate::manners::CrawlPolicy;
use crate::own::OwnReader;
use crate::service::WebService;
use crate::text::PageParsers;
use crate::{Error, Guard, PageReader, ReaderKind, WebSettings, engines};

impl Web {
    /// Opens the engine and the reader selected by `settings`. Sends nothing yet.
    ///
    /// Fails with [`Error::Settings`] if a key or an endpoint is missing or invalid.
    pub fn new(settings: &WebSettings) -> Result<Self, Error> {
        Self::with_names(settings, Arc::new(SystemNames))
    }

    /// Opens the engine and the reader selected by `settings`, with `names` as the resolver. Resolved addresses are
    /// validated like the system's.
    pub(crate) fn with_names(settings: &WebSettings, names: Arc<dyn NameResolver>) -> Result<Self, Error> {
        let fetcher = Fetcher::new(Guard::new(settings, names)?, settings);
        let manners = CrawlPolicy::new(fetcher.clone(), settings);
        let search = engines::open(settings, &fetcher, &manners)?;
        let reader: Arc<dyn PageReader> = match settings.reader {
            ReaderKind::Own => Arc::new(OwnReader {
                fetcher,
                manners,
                readers: PageParsers::default(),
                max_characters: settings.max_characters,
            }),
            ReaderKind::Jina => Arc::new(jina(settings, &fetcher, &manners)?),
        };
        Ok(Self { search, reader })
    }
}

fn jina(settings: &WebSettings, fetcher: &Arc<Fetcher>, manners: &Arc<CrawlPolicy>) -> Result<JinaReader, Error> {
    let endpoint = settings.reader_endpoint.as_deref().unwrap_or("https://r.jina.ai");
    let mut service = WebService::new("jina", ("reader_endpoint", endpoint), fetcher, manners)?
        .with_header("x-retain-images", "none")
        .with_header("x-retain-links", "text");
    if let Some(key) = settings.reader_key.as_ref().filter(|key| !key.reveal().is_empty()) {
        service = service.with_key("authorization", "Bearer ", ("reader_key", key))?;
    }
    Ok(JinaReader { service, max_characters: settings.max_characters })
}

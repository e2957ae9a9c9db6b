//! Search engines, a file per engine.

mod brave;
mod duckduckgo;
mod hits;
mod searxng;
mod tavily;

use std::sync::Arc;

use crate::fetch::Fetcher;
use crate::manners::CrawlPolicy;
use crate::service::WebService;
use crate::{Error, SearchKind, WebApiKey, WebHit, WebSearchEngine, WebSettings};

const ENDPOINT: &str = "search_endpoint";
const KEY: &str = "search_key";

/// Opens the engine selected by `settings`.
pub(crate) fn open(
    settings: &WebSettings,
    fetcher: &Arc<Fetcher>,
    manners: &Arc<CrawlPolicy>,
) -> Result<Option<Arc<dyn WebSearchEngine>>, Error> {
    let service = |name, public: Option<&str>| {
        let endpoint = settings.search_endpoint.as_deref().or(public);
        let missing = || Error::Settings { field: ENDPOINT.into(), why: format!("{name} has no public address") };
        WebService::new(name, (ENDPOINT, endpoint.ok_or_else(missing)?), fetcher, manners)
    };
    let key = |name: &str| {
        let key: Option<&WebApiKey> = settings.search_key.as_ref().filter(|key| !key.reveal().is_empty());
        let key = key.ok_or_else(|| Error::Settings { field: KEY.into(), why: format!("{name} needs one") })?;
        Ok::<_, Error>((KEY, key))
    };
    Ok(Some(match settings.search {
        SearchKind::None => return Ok(None),
        SearchKind::Duckduckgo => {
            Arc::new(duckduckgo::DuckDuckGo(service("duckduckgo", Some("https://html.duckduckgo.com"))?))
        }
        SearchKind::Searxng => Arc::new(searxng::SearXng(service("searxng", None)?)),
        SearchKind::Brave => {
            let service = service("brave", Some("https://api.search.brave.com"))?;
            Arc::new(brave::Brave(service.with_key("x-subscription-token", "", key("brave")?)?))
        }
        SearchKind::Tavily => {
            let service = service("tavily", Some("https://api.tavily.com"))?;
            Arc::new(tavily::Tavily(service.with_key("authorization", "Bearer ", key("tavily")?)?))
        }
    }))
}

/// Parses the hits on a page of DuckDuckGo, at most `limit`; returns an empty list for any other page.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn duckduckgo_hits(page: &str, limit: usize) -> Vec<WebHit> {
    duckduckgo::hits(page, limit)
}

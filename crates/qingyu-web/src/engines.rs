//! Search engines, each in its own file.

mod brave;
mod duckduckgo;
mod searxng;
mod tavily;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;
use url::Url;
use url::form_urlencoded::Serializer;

use crate::fetch::Fetcher;
use crate::manners::Manners;
use crate::service::Service;
use crate::text::plain;
use crate::{Error, Hit, Key, Search, SearchKind, WebSettings};

const ENDPOINT: &str = "search_endpoint";
const KEY: &str = "search_key";

/// Opens the engine that `settings` name.
pub(crate) fn open(
    settings: &WebSettings,
    fetcher: &Arc<Fetcher>,
    manners: &Arc<Manners>,
) -> Result<Option<Arc<dyn Search>>, Error> {
    let service = |name, public: Option<&str>| {
        let endpoint = settings.search_endpoint.as_deref().or(public);
        let missing = || Error::Settings { field: ENDPOINT.into(), why: format!("{name} has no public address") };
        Service::new(name, (ENDPOINT, endpoint.ok_or_else(missing)?), fetcher, manners)
    };
    let key = |name: &str| {
        let key: Option<&Key> = settings.search_key.as_ref().filter(|key| !key.reveal().is_empty());
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

/// The hits on a page of DuckDuckGo, at most `limit`; none if it is no such page.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn duckduckgo_hits(page: &str, limit: usize) -> Vec<Hit> {
    duckduckgo::hits(page, limit)
}

/// A path with a query of `pairs`.
fn with_query(path: &str, pairs: &[(&str, &str)]) -> String {
    format!("{path}?{}", Serializer::new(String::new()).extend_pairs(pairs).finish())
}

/// The hits in a list of JSON objects, of which the third field is the snippet.
fn hits(list: &[Value], snippet: &str) -> impl Iterator<Item = Hit> {
    list.iter().filter_map(move |row| {
        let text = |field: &str| row[field].as_str().unwrap_or_default();
        Some(Hit { url: row["url"].as_str()?.to_owned(), title: plain(text("title")), snippet: plain(text(snippet)) })
    })
}

/// At most `limit` hits: those with an address of the web, none twice.
fn tidy(hits: impl Iterator<Item = Hit>, limit: usize) -> Vec<Hit> {
    let mut seen = BTreeSet::new();
    let is_web =
        |url: &str| Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    hits.filter(|hit| is_web(&hit.url) && seen.insert(hit.url.clone())).take(limit).collect()
}

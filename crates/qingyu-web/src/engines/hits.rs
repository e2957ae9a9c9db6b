//! The parts of requests and results that the engines share.

use std::collections::BTreeSet;

use serde_json::Value;
use url::Url;
use url::form_urlencoded::Serializer;

use crate::WebHit;
use crate::text::plain;

/// Returns a path with a query of `pairs`.
pub(super) fn with_query(path: &str, pairs: &[(&str, &str)]) -> String {
    format!("{path}?{}", Serializer::new(String::new()).extend_pairs(pairs).finish())
}

/// Iterates over the hits in a list of JSON objects; `snippet` is the field of the snippet.
pub(super) fn hits(list: &[Value], snippet: &str) -> impl Iterator<Item = WebHit> {
    list.iter().filter_map(move |row| {
        let text = |field: &str| row[field].as_str().unwrap_or_default();
        Some(WebHit {
            url: row["url"].as_str()?.to_owned(),
            title: plain(text("title")),
            snippet: plain(text(snippet)),
        })
    })
}

/// Returns at most `limit` hits with a web address, without duplicates.
pub(super) fn tidy(hits: impl Iterator<Item = WebHit>, limit: usize) -> Vec<WebHit> {
    let mut seen = BTreeSet::new();
    let is_web =
        |url: &str| Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    hits.filter(|hit| is_web(&hit.url) && seen.insert(hit.url.clone())).take(limit).collect()
}

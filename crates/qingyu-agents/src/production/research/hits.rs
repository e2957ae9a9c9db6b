//! Search results: fetched once, merged by address, ranked over all queries.

use std::collections::BTreeMap;

use qingyu_graph::NodeError;
use qingyu_production::research::Dropped;
use qingyu_story::Language;
use qingyu_web::{Error, Query, WebHit, WebSearchEngine};
use serde::{Deserialize, Serialize};
use url::Url;

use super::notice::reason;
use super::request::ResearchRequest;
use crate::call::CallContext;

/// Tracking parameters, without effect on the page.
const TRACKING: [&str; 14] = [
    "fbclid", "gclid", "dclid", "msclkid", "yclid", "igshid", "mc_cid", "mc_eid", "spm", "ref_src", "_ga", "_gl",
    "vero_id", "scm",
];

/// The stored result of a search.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct StoredSearch {
    pub(super) hits: Vec<WebHit>,
    pub(super) failure: Option<StoredFailure>,
}

/// A stored failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredFailure {
    /// Stable error code.
    pub(super) code: String,
    /// Error message.
    pub(super) message: String,
}

impl From<&Error> for StoredFailure {
    fn from(error: &Error) -> Self {
        Self { code: error.code().into(), message: error.to_string() }
    }
}

/// Runs one search as a stored step.
pub(super) async fn search(
    seat: &CallContext<'_>,
    engine: &dyn WebSearchEngine,
    at: usize,
    words: &str,
    asked: &ResearchRequest,
) -> Result<StoredSearch, NodeError> {
    let language = Some(asked.language.code().to_owned());
    let query = Query { words: words.to_owned(), language, limit: asked.max_sources };
    let run = || async {
        Ok::<_, crate::Error>(match engine.search(&query).await {
            Ok(hits) => StoredSearch { hits, failure: None },
            Err(error) => StoredSearch { failure: Some(StoredFailure::from(&error)), ..StoredSearch::default() },
        })
    };
    seat.context.step(&format!("search/{at}"), &query, run).await
}

/// Merges the hits of all queries: each page once, ranked over all queries. Returns the hits within the limit, and the
/// rest as dropped.
pub(super) fn merge(lists: impl Iterator<Item = Vec<WebHit>>, asked: &ResearchRequest) -> (Vec<WebHit>, Vec<Dropped>) {
    let mut found: Vec<(f64, WebHit)> = Vec::new();
    let mut places = BTreeMap::new();
    for list in lists {
        let mut seen = std::collections::BTreeSet::new();
        for (rank, hit) in list.into_iter().enumerate() {
            let url = canonical(&hit.url);
            if !seen.insert(url.clone()) {
                continue;
            }
            let place = *places.entry(url.clone()).or_insert_with(|| {
                found.push((0.0, WebHit { url, ..hit }));
                found.len() - 1
            });
            found[place].0 += weight(rank);
        }
    }
    // The sort is stable: of equal ranks, the first hit stays first.
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut hits: Vec<WebHit> = found.into_iter().map(|(_, hit)| hit).collect();
    let rest = hits.split_off(hits.len().min(asked.max_sources));
    let beyond = rest.into_iter().map(|hit| drop(hit.url, hit.title, "over_limit", asked.language));
    (hits, beyond.collect())
}

/// Returns the weight of a rank, from 0, in reciprocal rank fusion.
pub(super) fn weight(rank: usize) -> f64 {
    /// The constant of the fusion; a larger value reduces the advantage of top ranks.
    const FLAT: f64 = 60.0;
    1.0 / (FLAT + rank as f64 + 1.0)
}

/// Returns the record of an unused page.
pub(super) fn drop(url: String, title: String, code: &str, language: Language) -> Dropped {
    Dropped { url, title, code: code.into(), reason: reason(code, language) }
}

/// Returns the address without fragment and tracking parameters; an invalid address is returned unchanged.
pub(super) fn canonical(address: &str) -> String {
    let Ok(mut url) = Url::parse(address.trim()) else { return address.trim().to_owned() };
    url.set_fragment(None);
    let is_tracking = |pair: &&str| {
        let name = pair.split('=').next().unwrap_or_default().to_ascii_lowercase();
        pair.is_empty() || name.starts_with("utm_") || TRACKING.contains(&name.as_str())
    };
    if let Some(query) = url.query() {
        let kept: Vec<&str> = query.split('&').filter(|pair| !is_tracking(pair)).collect();
        let kept = kept.join("&");
        url.set_query((!kept.is_empty()).then_some(kept.as_str()));
    }
    url.into()
}

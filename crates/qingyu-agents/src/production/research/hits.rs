//! What was found: asked of the engine once, merged by address, ranked over all queries.

use std::collections::BTreeMap;

use qingyu_graph::NodeError;
use qingyu_production::research::Dropped;
use qingyu_story::Language;
use qingyu_web::{Error, Hit, Query, Search};
use serde::{Deserialize, Serialize};
use url::Url;

use super::Researching;
use super::notice::reason;
use crate::call::Seat;

/// The constant of reciprocal rank fusion: how little the first places count more than the next.
const FLAT: f64 = 60.0;
/// Parameters that say where a reader came from, not what is read.
const TRACKING: [&str; 14] = [
    "fbclid", "gclid", "dclid", "msclkid", "yclid", "igshid", "mc_cid", "mc_eid", "spm", "ref_src", "_ga", "_gl",
    "vero_id", "scm",
];

/// What a search gave, as it is stored.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Searched {
    pub(super) hits: Vec<Hit>,
    pub(super) failure: Option<Failure>,
}

/// Why something could not be had, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Failure {
    /// The kind, stable.
    pub(super) code: String,
    /// What happened.
    pub(super) message: String,
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        Self { code: error.code().into(), message: error.to_string() }
    }
}

/// Searches once; what comes of it is kept.
pub(super) async fn search(
    seat: &Seat<'_>,
    engine: &dyn Search,
    at: usize,
    words: &str,
    asked: &Researching,
) -> Result<Searched, NodeError> {
    let language = Some(asked.language.code().to_owned());
    let query = Query { words: words.to_owned(), language, limit: asked.max_sources };
    let run = || async {
        Ok::<_, crate::Error>(match engine.search(&query).await {
            Ok(hits) => Searched { hits, failure: None },
            Err(error) => Searched { failure: Some(Failure::from(&error)), ..Searched::default() },
        })
    };
    seat.context.step(&format!("search/{at}"), &query, run).await
}

/// The hits of all queries, each page once, the best of all queries first; and what is beyond the limit.
pub(super) fn merge(lists: impl Iterator<Item = Vec<Hit>>, asked: &Researching) -> (Vec<Hit>, Vec<Dropped>) {
    let mut found: Vec<(f64, Hit)> = Vec::new();
    let mut places = BTreeMap::new();
    for list in lists {
        let mut seen = std::collections::BTreeSet::new();
        for (rank, hit) in list.into_iter().enumerate() {
            let url = canonical(&hit.url);
            if !seen.insert(url.clone()) {
                continue;
            }
            let place = *places.entry(url.clone()).or_insert_with(|| {
                found.push((0.0, Hit { url, ..hit }));
                found.len() - 1
            });
            found[place].0 += 1.0 / (FLAT + rank as f64 + 1.0);
        }
    }
    // The sort is stable: of equals the one that was found first is first.
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut hits: Vec<Hit> = found.into_iter().map(|(_, hit)| hit).collect();
    let rest = hits.split_off(hits.len().min(asked.max_sources));
    let beyond = rest.into_iter().map(|hit| drop(hit.url, hit.title, "over_limit", asked.language));
    (hits, beyond.collect())
}

/// A page that is not used.
pub(super) fn drop(url: String, title: String, code: &str, language: Language) -> Dropped {
    Dropped { url, title, code: code.into(), reason: reason(code, language) }
}

/// The address without what does not change the page: the fragment, and parameters that only track. What is no address
/// stays as it is.
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

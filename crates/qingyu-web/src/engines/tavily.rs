//! Tavily.

use futures::future::BoxFuture;
use serde_json::json;

use super::hits::{hits, tidy};
use crate::service::WebService;
use crate::{Error, Query, WebHit, WebSearchEngine};

/// Maximum hits per response.
const MOST: usize = 20;

#[derive(Debug)]
pub(super) struct Tavily(pub(super) WebService);

impl WebSearchEngine for Tavily {
    fn name(&self) -> &str {
        self.0.name
    }

    /// Languages are not supported: the words select the pages.
    fn search<'a>(&'a self, query: &'a Query) -> BoxFuture<'a, Result<Vec<WebHit>, Error>> {
        Box::pin(async move {
            if query.words.trim().is_empty() || query.limit == 0 {
                return Ok(Vec::new());
            }
            let body = json!({
                "query": query.words.trim(),
                "max_results": query.limit.min(MOST),
                "search_depth": "basic",
                "include_answer": false,
                "include_raw_content": false,
            });
            let answer = self.0.post_json("/search", body).await?;
            let list = answer["results"].as_array().ok_or_else(|| self.0.bad_answer("it has no results"))?;
            Ok(tidy(hits(list, "content"), query.limit))
        })
    }
}

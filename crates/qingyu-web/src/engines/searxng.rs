//! SearXNG, with its JSON format enabled.

use futures::future::BoxFuture;

use super::hits::{hits, tidy, with_query};
use crate::service::WebService;
use crate::{Error, Query, WebHit, WebSearchEngine};

#[derive(Debug)]
pub(super) struct SearXng(pub(super) WebService);

impl WebSearchEngine for SearXng {
    fn name(&self) -> &str {
        self.0.name
    }

    fn search<'a>(&'a self, query: &'a Query) -> BoxFuture<'a, Result<Vec<WebHit>, Error>> {
        Box::pin(async move {
            if query.words.trim().is_empty() || query.limit == 0 {
                return Ok(Vec::new());
            }
            let language = query.language.as_deref().unwrap_or("all");
            let pairs = [("q", query.words.trim()), ("format", "json"), ("language", language), ("safesearch", "0")];
            let (head, body) = self.0.get(&with_query("/search", &pairs), "application/json").await?;
            // SearXNG has no keys; 403 means the format is disabled.
            if head.status() == 403 {
                return Err(self.0.bad_answer("its JSON format is switched off"));
            }
            if let Some(error) = self.0.refusal(&head) {
                return Err(error);
            }
            let answer: serde_json::Value =
                serde_json::from_slice(&body).map_err(|error| self.0.bad_answer(&error.to_string()))?;
            let list = answer["results"].as_array().ok_or_else(|| self.0.bad_answer("it has no results"))?;
            // If every underlying engine is silent, an empty list is meaningless.
            let silent = answer["unresponsive_engines"].as_array().map_or(0, Vec::len);
            match list.is_empty() && silent > 0 {
                true => Err(self.0.busy(&head)),
                false => Ok(tidy(hits(list, "content"), query.limit)),
            }
        })
    }
}

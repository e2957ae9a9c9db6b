//! Brave Search.

use futures::future::BoxFuture;

use super::hits::{hits, tidy, with_query};
use crate::service::WebService;
use crate::{Error, Query, WebHit, WebSearchEngine};

/// Maximum hits per response.
const MOST: usize = 20;

#[derive(Debug)]
pub(super) struct Brave(pub(super) WebService);

impl WebSearchEngine for Brave {
    fn name(&self) -> &str {
        self.0.name
    }

    fn search<'a>(&'a self, query: &'a Query) -> BoxFuture<'a, Result<Vec<WebHit>, Error>> {
        Box::pin(async move {
            if query.words.trim().is_empty() || query.limit == 0 {
                return Ok(Vec::new());
            }
            let count = query.limit.min(MOST).to_string();
            let mut pairs = vec![("q", query.words.trim()), ("count", &count), ("text_decorations", "false")];
            match query.language.as_deref() {
                Some("zh") => pairs.push(("search_lang", "zh-hans")),
                Some("en") => pairs.push(("search_lang", "en")),
                _ => {}
            }
            let answer = self.0.get_json(&with_query("/res/v1/web/search", &pairs)).await?;
            if !answer.is_object() || answer["type"].as_str().is_some_and(|kind| kind != "search") {
                return Err(self.0.bad_answer("it is no answer to a search"));
            }
            // Without hits the whole object is absent.
            let list = answer["web"]["results"].as_array().map(Vec::as_slice).unwrap_or_default();
            Ok(tidy(hits(list, "description"), query.limit))
        })
    }
}

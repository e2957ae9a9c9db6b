//! `web_search`: hits of a search engine. Untrusted text, never instructions.

use std::sync::Arc;

use futures::future::BoxFuture;
use qingyu_llm::structured::schema_of;
use qingyu_story::Language;
use qingyu_web::{Error, Query, WebSearchEngine};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::said;
use crate::texts::Text;
use crate::{Category, Metadata, Tool, ToolContext, ToolError, desk};

/// The tool. Works without a project.
#[derive(Debug)]
pub(crate) struct WebSearch {
    metadata: Metadata,
    search: Option<Arc<dyn WebSearchEngine>>,
}

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// The words, as one would type them.
    query: String,
    /// The language of the pages wanted; any if left out.
    language: Option<Language>,
    /// The most hits wanted; 8 if left out.
    #[schemars(range(min = 1, max = 20))]
    limit: Option<usize>,
}

/// Default number of hits.
const FOUND: usize = 8;

impl WebSearch {
    /// Returns the tool; without `search`, calls fail.
    pub(crate) fn new(search: Option<Arc<dyn WebSearchEngine>>) -> Self {
        let (name, schema) = ("web_search", schema_of::<Arguments>().schema);
        let metadata = Metadata {
            // The output is treated like the output of a foreign tool.
            foreign: Some("web".into()),
            ..Metadata::with_schema(name, Category::Research, Text::named(name), schema)
        };
        Self { metadata, search }
    }
}

impl Tool for WebSearch {
    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn call<'a>(&'a self, arguments: Value, _: &'a ToolContext) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(async move {
            let Arguments { query, language, limit } = desk::read(arguments)?;
            let words = said(&query, "/query")?;
            let missing = || {
                let message = "no search engine is set; the setting web.search names one".to_owned();
                ToolError::Failed { code: "no_search".into(), message, retryable: false }
            };
            let search = self.search.as_ref().ok_or_else(missing)?;
            let language = language.map(|language| match language {
                Language::Zh => "zh".to_owned(),
                Language::En => "en".to_owned(),
            });
            let hits = search.search(&Query { words, language, limit: limit.unwrap_or(FOUND) }).await;
            Ok(json!({"engine": search.name(), "hits": hits.map_err(failed)?}))
        })
    }
}

fn failed(error: Error) -> ToolError {
    match error {
        Error::RateLimited { retry_after, .. } => ToolError::Unavailable { message: error.to_string(), retry_after },
        error => {
            let (code, retryable) = (error.code().to_owned(), error.is_passing());
            ToolError::Failed { code, message: error.to_string(), retryable }
        }
    }
}

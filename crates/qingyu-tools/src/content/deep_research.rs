//! `deep_research`: a question researched on the web, with sources.

use std::sync::Arc;

use futures::future::BoxFuture;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::answer::said;
use super::order::{ContentOrder, Producer};
use super::ordering::{ordered, ordering};
use crate::{Category, Metadata, Tool, ToolContext, ToolError, desk};

/// The tool.
#[derive(Debug)]
pub(crate) struct DeepResearch {
    metadata: Metadata,
    producer: Arc<dyn Producer>,
}

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// The question.
    query: String,
    /// Most sources that are read; as many as usual if left out.
    #[schemars(range(min = 1, max = 50))]
    max_sources: Option<usize>,
}

impl DeepResearch {
    /// Returns the tool with `producer` for its orders.
    pub(crate) fn new(producer: Arc<dyn Producer>) -> Self {
        Self { metadata: ordering::<Arguments>("deep_research", Category::Research), producer }
    }
}

impl Tool for DeepResearch {
    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn call<'a>(&'a self, arguments: Value, context: &'a ToolContext) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(async move {
            let Arguments { query, max_sources } = desk::read(arguments)?;
            let question = said(&query, "/query")?;
            desk::open(context).await?;
            ordered(self.producer.as_ref(), ContentOrder::Research { question, max_sources }, context).await
        })
    }
}

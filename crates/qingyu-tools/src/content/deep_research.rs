//! `deep_research`: a question researched on the web, with sources.

use std::sync::Arc;

use futures::future::BoxFuture;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Order, Producer, ordered, ordering, said};
use crate::{Category, Context, Metadata, Tool, ToolError, desk};

/// The tool.
#[derive(Debug)]
pub struct DeepResearch {
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
    /// Gives its orders to `producer`.
    pub fn new(producer: Arc<dyn Producer>) -> Self {
        Self { metadata: ordering::<Arguments>("deep_research", Category::Research), producer }
    }
}

impl Tool for DeepResearch {
    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn call<'a>(&'a self, arguments: Value, context: &'a Context) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(async move {
            let Arguments { query, max_sources } = desk::read(arguments)?;
            let question = said(&query, "/query")?;
            desk::open(context).await?;
            ordered(self.producer.as_ref(), Order::Research { question, max_sources }, context).await
        })
    }
}

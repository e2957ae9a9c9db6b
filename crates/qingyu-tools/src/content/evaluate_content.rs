//! `evaluate_content`: content judged by criteria.

use std::sync::Arc;

use futures::future::BoxFuture;
use qingyu_story::Story;
use qingyu_story::production::Criterion;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Order, Producer, ordered, ordering, readable, said};
use crate::{Category, Context, Metadata, Tool, ToolError, desk};

/// The tool.
#[derive(Debug)]
pub struct EvaluateContent {
    metadata: Metadata,
    producer: Arc<dyn Producer>,
}

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// Paths of the fields or chapters that are judged; all content if left out.
    content: Option<Vec<String>>,
    /// By what: names of the production's criteria, or questions of the caller's own; all its criteria if left out.
    criteria: Option<Vec<String>>,
}

impl EvaluateContent {
    /// Gives its orders to `producer`.
    pub fn new(producer: Arc<dyn Producer>) -> Self {
        Self { metadata: ordering::<Arguments>("evaluate_content", Category::Content), producer }
    }
}

impl Tool for EvaluateContent {
    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn call<'a>(&'a self, arguments: Value, context: &'a Context) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(async move {
            let Arguments { content, criteria } = desk::read(arguments)?;
            let desk = desk::open(context).await?;
            let contents = readable(desk.story(), content)?;
            let criteria = chosen(desk.story(), &criteria.unwrap_or_default())?;
            ordered(self.producer.as_ref(), Order::Evaluate { contents, criteria }, context).await
        })
    }
}

/// The criteria of the production that are named so; of other words, a criterion each.
fn chosen(story: &Story, given: &[String]) -> Result<Vec<Criterion>, ToolError> {
    let known = story.production.as_ref().map(|production| production.criteria.as_slice()).unwrap_or_default();
    let mut chosen: Vec<Criterion> = Vec::new();
    for (place, words) in given.iter().enumerate() {
        let words = said(words, &format!("/criteria/{place}"))?;
        let named = known.iter().find(|criterion| criterion.name == words || criterion.title == words);
        let own = || Criterion { name: words.clone(), title: words.clone(), question: words.clone(), weight: 1.0 };
        let criterion = named.cloned().unwrap_or_else(own);
        if !chosen.iter().any(|other| other.name == criterion.name) {
            chosen.push(criterion);
        }
    }
    Ok(chosen)
}

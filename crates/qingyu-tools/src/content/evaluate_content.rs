//! `evaluate_content`: content evaluated by criteria.

use std::sync::Arc;

use futures::future::BoxFuture;
use qingyu_story::Story;
use qingyu_story::production::Criterion;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::answer::{own_text, readable, said};
use super::order::{ContentOrder, Producer};
use super::ordering::{ordered, ordering};
use crate::{Category, Metadata, Tool, ToolContext, ToolError, desk};

/// The tool.
#[derive(Debug)]
pub(crate) struct EvaluateContent {
    metadata: Metadata,
    producer: Arc<dyn Producer>,
}

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// Paths of the fields or chapters that are judged; all content if left out.
    content: Option<Vec<String>>,
    /// A text that is judged in place of content of the project.
    text: Option<String>,
    /// By what: names of the production's criteria, or questions of the caller's own; all its criteria if left out.
    criteria: Option<Vec<String>>,
}

impl EvaluateContent {
    /// Returns the tool with `producer` for its orders.
    pub(crate) fn new(producer: Arc<dyn Producer>) -> Self {
        Self { metadata: ordering::<Arguments>("evaluate_content", Category::Content), producer }
    }
}

impl Tool for EvaluateContent {
    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn call<'a>(&'a self, arguments: Value, context: &'a ToolContext) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(async move {
            let Arguments { content, text, criteria } = desk::read(arguments)?;
            let desk = desk::open(context).await?;
            let text = own_text(text, content.as_ref())?;
            let contents = if text.is_some() { Vec::new() } else { readable(desk.story(), content)? };
            let criteria = chosen(desk.story(), &criteria.unwrap_or_default())?;
            ordered(self.producer.as_ref(), ContentOrder::Evaluate { contents, text, criteria }, context).await
        })
    }
}

/// Returns the named criteria of the production; any other words become a criterion each.
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

//! `simulate_consumer`: a simulated consumer reads content.

use std::sync::Arc;

use futures::future::BoxFuture;
use qingyu_production::simulation::{Interaction, Persona, personas_of};
use qingyu_story::Story;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::answer::{own_text, readable, said};
use super::order::{ContentOrder, Producer};
use super::ordering::{ordered, ordering};
use crate::{Category, Metadata, Tool, ToolContext, ToolError, desk};

/// The tool.
#[derive(Debug)]
pub(crate) struct SimulateConsumer {
    metadata: Metadata,
    producer: Arc<dyn Producer>,
}

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// Who reads: the name of one of the project's personas, or a description of somebody else.
    persona: String,
    /// Paths of the fields or chapters that are read; all content if left out.
    content: Option<Vec<String>>,
    /// A text that is read in place of content of the project.
    text: Option<String>,
    /// What they do with it; everything if left out.
    interaction_type: Option<Interaction>,
}

impl SimulateConsumer {
    /// Returns the tool with `producer` for its orders.
    pub(crate) fn new(producer: Arc<dyn Producer>) -> Self {
        Self { metadata: ordering::<Arguments>("simulate_consumer", Category::Content), producer }
    }
}

impl Tool for SimulateConsumer {
    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn call<'a>(&'a self, arguments: Value, context: &'a ToolContext) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(async move {
            let Arguments { persona, content, text, interaction_type } = desk::read(arguments)?;
            let desk = desk::open(context).await?;
            let personas = vec![reader(desk.story(), &said(&persona, "/persona")?)];
            let text = own_text(text, content.as_ref())?;
            let contents = if text.is_some() { Vec::new() } else { readable(desk.story(), content)? };
            let interactions = interaction_type.into_iter().collect();
            ordered(self.producer.as_ref(), ContentOrder::Simulate { personas, contents, text, interactions }, context)
                .await
        })
    }
}

/// Returns the named persona, or a persona from a description.
fn reader(story: &Story, words: &str) -> Persona {
    /// Maximum characters of a name derived from a description.
    const NAME: usize = 24;
    let known = personas_of(story).into_iter().find(|persona| persona.name == words);
    let name: String = words.chars().take(NAME).collect();
    known.unwrap_or_else(|| Persona { name, who: words.to_owned(), ..Persona::default() })
}

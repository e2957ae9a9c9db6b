//! `simulate_consumer`: a simulated consumer reads content.

use std::sync::Arc;

use futures::future::BoxFuture;
use qingyu_production::simulation::{Interaction, Persona, personas_of};
use qingyu_story::Story;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Order, Producer, ordered, ordering, readable, said};
use crate::{Category, Context, Metadata, Tool, ToolError, desk};

/// The tool.
#[derive(Debug)]
pub struct SimulateConsumer {
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
    /// What they do with it; everything if left out.
    interaction_type: Option<Interaction>,
}

impl SimulateConsumer {
    /// Gives its orders to `producer`.
    pub fn new(producer: Arc<dyn Producer>) -> Self {
        Self { metadata: ordering::<Arguments>("simulate_consumer", Category::Content), producer }
    }
}

impl Tool for SimulateConsumer {
    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn call<'a>(&'a self, arguments: Value, context: &'a Context) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(async move {
            let Arguments { persona, content, interaction_type } = desk::read(arguments)?;
            let desk = desk::open(context).await?;
            let personas = vec![reader(desk.story(), &said(&persona, "/persona")?)];
            let contents = readable(desk.story(), content)?;
            let interactions = interaction_type.into_iter().collect();
            ordered(self.producer.as_ref(), Order::Simulate { personas, contents, interactions }, context).await
        })
    }
}

/// The persona of that name, or somebody of whom the words tell.
fn reader(story: &Story, words: &str) -> Persona {
    /// Most characters of a description that becomes a name.
    const NAME: usize = 24;
    let known = personas_of(story).into_iter().find(|persona| persona.name == words);
    let name: String = words.chars().take(NAME).collect();
    known.unwrap_or_else(|| Persona { name, who: words.to_owned(), ..Persona::default() })
}

//! `generate_field`: the value of a field, made by a model; the field itself, if there is none.

use std::sync::Arc;

use futures::future::BoxFuture;
use qingyu_production::{Board, Error};
use qingyu_story::Story;
use qingyu_story::production::Field;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Order, Producer, of_production, ordered, ordering, said};
use crate::{Category, Context, Metadata, Tool, ToolError, desk};

/// The tool.
#[derive(Debug)]
pub struct GenerateField {
    metadata: Metadata,
    producer: Arc<dyn Producer>,
}

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// The field: its path, the end of its path, or its title; the title of a new one.
    field_name: String,
    /// JSON Schema of the value, for a field that does not exist yet: it is created in the current phase, or in the one
    /// that stands before a slash in its name.
    field_schema: Option<Map<String, Value>>,
    /// What is wanted of the value; of a new field, what it is to hold for good.
    context: Option<String>,
}

impl GenerateField {
    /// Gives its orders to `producer`.
    pub fn new(producer: Arc<dyn Producer>) -> Self {
        Self { metadata: ordering::<Arguments>("generate_field", Category::Content), producer }
    }
}

impl Tool for GenerateField {
    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn call<'a>(&'a self, arguments: Value, context: &'a Context) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(async move {
            let arguments: Arguments = desk::read(arguments)?;
            let desk = desk::open(context).await?;
            let order = order(desk.story(), arguments)?;
            ordered(self.producer.as_ref(), order, context).await
        })
    }
}

fn order(story: &Story, arguments: Arguments) -> Result<Order, ToolError> {
    let Arguments { field_name, field_schema, context } = arguments;
    let (name, instruction) = (said(&field_name, "/field_name")?, context.unwrap_or_default());
    let found = Board::new(&story.fields).find(&name).cloned();
    match (found, field_schema) {
        (Ok(field), Some(schema)) if field.schema != Value::Object(schema.clone()) => {
            Err(ToolError::invalid("/field_schema", format!("nothing: '{}' exists, with another schema", field.path)))
        }
        (Ok(field), _) if field.is_pattern() => Err(of_production(Error::Pattern { path: field.path }, "/field_name")),
        (Ok(field), _) => Ok(Order::Make { path: field.path, new: None, instruction }),
        (Err(error), None) => Err(of_production(error, "/field_name")),
        (Err(_), Some(schema)) => {
            let field = new_field(story, &name, Value::Object(schema), instruction)?;
            Ok(Order::Make { path: field.path.clone(), new: Some(Box::new(field)), instruction: String::new() })
        }
    }
}

/// A field that the project does not have yet.
fn new_field(story: &Story, name: &str, schema: Value, guidance: String) -> Result<Field, ToolError> {
    let production = story.production.as_ref().ok_or(Error::NoProduction);
    let production = production.map_err(|error| of_production(error, "/field_name"))?;
    let (phase, title) = name.split_once('/').unwrap_or((&production.current_phase, name));
    let known = production.phases.iter().find(|known| known.name == phase);
    let names = || production.phases.iter().map(|phase| phase.name.as_str()).collect::<Vec<_>>().join(", ");
    let unknown = || ToolError::invalid("/field_name", format!("phase/name with a phase of {}", names()));
    let phase = known.ok_or_else(unknown)?;
    if phase.kind.gives_report() {
        let message = format!("phase/name with a phase in which fields are made; '{}' gives reports", phase.name);
        return Err(ToolError::invalid("/field_name", message));
    }
    let is_odd = |c: char| c.is_control() || matches!(c, '/' | '#' | '@');
    if title.trim().is_empty() || title.chars().any(is_odd) || title.chars().count() > 80 {
        return Err(ToolError::invalid("/field_name", "at most 80 characters without control characters, /, # and @"));
    }
    let field = Field {
        path: format!("{}/{}", phase.name, title.split_whitespace().collect::<Vec<_>>().join("_")),
        title: title.trim().to_owned(),
        phase: phase.name.clone(),
        schema,
        guidance,
        ..Field::default()
    };
    let fields = [story.fields.as_slice(), std::slice::from_ref(&field)].concat();
    Board::new(&fields).check().map_err(|error| of_production(error, "/field_schema"))?;
    Ok(field)
}

//! `update_field`: sets a field of a production, and returns the fields made stale.

use qingyu_production::{FieldBoard, change};
use qingyu_story::production::Maker;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::of_production;
use super::ordering::writing;
use crate::desk::{Desk, StoryTool};
use crate::{Category, Metadata, ToolError};

/// The tool.
#[derive(Debug)]
pub(crate) struct UpdateField;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// The field: its path, the end of its path, or its title.
    field_path: String,
    /// The new value, of the shape that the field's schema asks for; JSON in a text is read if the field is none.
    new_content: Value,
}

impl StoryTool for UpdateField {
    type Arguments = Arguments;

    fn metadata() -> Metadata {
        writing::<Arguments>("update_field", Category::Content)
    }

    fn work(&self, arguments: Arguments, desk: &mut Desk) -> Result<Value, ToolError> {
        let Arguments { field_path, new_content } = arguments;
        let agent = desk.agent().to_owned();
        let done = desk.change_fields(|story| {
            let board = FieldBoard::new(&story.fields);
            let field = board.find(&field_path).map_err(|error| of_production(error, "/field_path"))?;
            let misfit = |error| of_production(error, "/new_content");
            let value = match &new_content {
                Value::String(typed) if !field.is_text() && change::check(field, &new_content).is_err() => {
                    change::parse(field, typed).map_err(misfit)?
                }
                _ => new_content,
            };
            let (path, maker) = (field.path.clone(), Maker { agent, ..Maker::default() });
            change::put_by_hand(story, &path, value, maker).map_err(misfit)
        })?;
        let change::Changed { path, version, stale, added, removed } = done;
        Ok(json!({"path": path, "field_version": version, "stale": stale, "added": added, "removed": removed}))
    }
}

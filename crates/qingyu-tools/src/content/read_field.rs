//! `read_field`: a field of a production, with its value and state.

use qingyu_production::FieldBoard;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::answer::{of_production, shown};
use crate::desk::{Desk, StoryTool};
use crate::{Category, Metadata, ToolError};

/// The tool.
#[derive(Debug)]
pub(crate) struct ReadField;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// The field: its path, the end of its path, or its title.
    field_path: String,
}

impl StoryTool for ReadField {
    type Arguments = Arguments;

    fn metadata() -> Metadata {
        Metadata { pure: true, ..Metadata::of::<Arguments>("read_field", Category::Content, Vec::new()) }
    }

    fn work(&self, arguments: Arguments, desk: &mut Desk) -> Result<Value, ToolError> {
        let board = FieldBoard::new(&desk.story().fields);
        let field = board.find(&arguments.field_path).map_err(|error| of_production(error, "/field_path"))?;
        Ok(shown(&board, field))
    }
}

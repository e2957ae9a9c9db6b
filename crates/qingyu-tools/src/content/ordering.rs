//! Sends an order to a producer, and answers with the field made.

use std::time::Duration;

use qingyu_production::FieldBoard;
use schemars::JsonSchema;
use serde_json::Value;

use super::answer::{of_production, shown};
use super::order::{ContentOrder, Producer};
use crate::{Action, Category, Metadata, Permission, ToolContext, ToolError};

/// Timeout of an order, with many consecutive model calls.
const PATIENCE: Duration = Duration::from_secs(30 * 60);

/// Returns the metadata of a tool without actions that changes the project.
pub(super) fn writing<A: JsonSchema>(name: &str, category: Category) -> Metadata {
    let metadata = Metadata::of::<A>(name, category, vec![Action::write("write")]);
    Metadata { actions: Vec::new(), ..metadata }
}

/// Returns the metadata of a tool that sends an order.
pub(super) fn ordering<A: JsonSchema>(name: &str, category: Category) -> Metadata {
    Metadata { timeout: PATIENCE, permission: Permission::Write, ..writing::<A>(name, category) }
}

/// Sends an order and returns the resulting field.
pub(super) async fn ordered(
    producer: &dyn Producer,
    order: ContentOrder,
    context: &ToolContext,
) -> Result<Value, ToolError> {
    let workspace = context.workspace()?;
    let made = producer.order(workspace.project(), order).await?;
    let loaded = workspace.load().await?;
    let board = FieldBoard::new(&loaded.story.fields);
    let field = board.find(&made.field).map_err(|error| of_production(error, "/"))?;
    let mut answer = shown(&board, field);
    answer["run"] = made.run.into();
    answer["warnings"] = made.warnings.into();
    answer["version"] = loaded.version.into();
    Ok(answer)
}

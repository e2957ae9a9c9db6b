//! `impact`: the pieces affected by a change.

use std::collections::BTreeMap;

use qingyu_story::impact;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::desk::{Desk, StoryTool};
use crate::{Action, Category, Metadata, ToolError};

/// The tool.
#[derive(Debug)]
pub(crate) struct ImpactTool;

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// What is to change: the id, name or alias of any piece, or the id of a fact.
    target: String,
    /// How many steps away to look; 2 if left out.
    #[schemars(range(min = 1, max = 20))]
    distance: Option<usize>,
    /// How many pieces to give at most; 100 if left out.
    limit: Option<usize>,
}

/// Default distance: further away, everything affects everything.
const DISTANCE: usize = 2;

impl StoryTool for ImpactTool {
    type Arguments = Arguments;

    fn metadata() -> Metadata {
        let metadata = Metadata::of::<Arguments>("impact", Category::Analysis, Vec::<Action>::new());
        Metadata { pure: true, ..metadata }
    }

    fn work(&self, arguments: Arguments, desk: &mut Desk) -> Result<Value, ToolError> {
        let Arguments { target, distance, limit } = arguments;
        let touched = impact(desk.story(), &target, Some(distance.unwrap_or(DISTANCE)));
        let absent = || ToolError::NotFound { kind: "piece".into(), name: target.clone(), path: "/target".into() };
        let mut touched = touched.ok_or_else(absent)?;
        let mut by_kind: BTreeMap<&str, usize> = BTreeMap::new();
        for piece in &touched {
            *by_kind.entry(piece.kind.name()).or_default() += 1;
        }
        let total = touched.len();
        touched.truncate(limit.unwrap_or(crate::writing::PAGE));
        Ok(json!({"target": target, "total": total, "by_kind": by_kind, "touched": touched}))
    }
}

//! The graph of a project's story.

use qingyu_knowledge::graph::{DrawingSelection, StoryDrawing};
use qingyu_knowledge::pattern::{Instant, Query as Pattern, QueryLimits, When};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::engines::report::{EngineUse, EngineUses};
use crate::error::Error;
use crate::search::index::{ProjectIndex, bad_pattern};
use crate::studio::Studio;

/// A request for the graph of a story.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct GraphRequest {
    /// The time: `chapter:30`, an event, or a time in the story's words. All times by default.
    pub as_of: Option<String>,
    /// Restricts the graph to matches of the pattern.
    pub pattern: Option<String>,
    /// The maximum number of drawn nodes; 40 by default.
    pub most: Option<usize>,
}

/// A story's graph, or the matches of a pattern.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GraphView {
    /// Nodes and edges with their sources, or columns and rows of a pattern.
    pub graph: Value,
    /// The graph as a drawing.
    #[serde(default)]
    #[schemars(with = "Value")]
    pub drawing: StoryDrawing,
    /// The server for graph queries, and whether it was used; empty without a server or a pattern.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<EngineUse>,
}

impl Studio {
    /// Returns the graph of a project's story.
    ///
    /// Returns [`Error::BadPattern`] if the time or pattern does not parse, or contains a name unknown to the story.
    pub async fn story_graph(&self, project: &str, request: &GraphRequest) -> Result<GraphView, Error> {
        let ProjectIndex { graph, project, .. } = self.library(project).await?;
        let when = request.as_of.as_deref().map_or(When::Ever, |time| When::AsOf(Instant::parse(time)));
        let bad_time = |error| bad_pattern(request.as_of.as_deref().unwrap_or_default(), &error);
        let most = request.most.unwrap_or(DrawingSelection::default().most);
        let Some(pattern) = &request.pattern else {
            let selection = DrawingSelection { most, ..DrawingSelection::default() };
            let (drawing, graph) = when.view(&graph, &selection).map_err(bad_time)?;
            return Ok(GraphView { graph, drawing, engines: Vec::new() });
        };
        let mut query = Pattern::parse(pattern).map_err(|error| bad_pattern(pattern, &error))?;
        if !when.is_ever() {
            query.when = when;
        }
        let mut uses = EngineUses::default();
        let found = self.run_pattern(&project, &graph, (pattern, &query), QueryLimits::default(), &mut uses).await?;
        let drawing = found.drawing(&graph, most);
        Ok(GraphView { graph: found.to_json(&graph), drawing, engines: uses.into_reports() })
    }
}

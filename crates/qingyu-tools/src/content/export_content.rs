//! `export_content`: the content of a production as a document, as data, or as the text of a channel.

use futures::future::BoxFuture;
use qingyu_production::export::{ProductionFormat, Readiness, export};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::{of_production, said};
use crate::{Category, Metadata, Tool, ToolContext, ToolError, desk};

/// The tool. A project's title is not part of its story, so the answer is not cached.
#[derive(Debug)]
pub(crate) struct ExportContent(Metadata);

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// md, json, channels for the texts of all channels, or the name of one channel.
    format: String,
    /// Paths of fields, only these; all content if left out. What a channel shows is said by its template alone.
    fields: Option<Vec<String>>,
    /// Whether content goes out that is open, stale, too short or uncited; it is refused if left out.
    draft: Option<bool>,
}

impl Default for ExportContent {
    fn default() -> Self {
        let metadata = Metadata::of::<Arguments>("export_content", Category::Content, Vec::new());
        Self(Metadata { pure: false, ..metadata })
    }
}

impl Tool for ExportContent {
    fn metadata(&self) -> &Metadata {
        &self.0
    }

    fn call<'a>(&'a self, arguments: Value, context: &'a ToolContext) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(async move {
            let Arguments { format, fields, draft } = desk::read(arguments)?;
            let format = match said(&format, "/format")?.as_str() {
                "md" | "markdown" => ProductionFormat::Markdown,
                "json" => ProductionFormat::Json,
                "channels" => ProductionFormat::Channels(None),
                name => ProductionFormat::Channels(Some(name.to_owned())),
            };
            let desk = desk::open(context).await?;
            let story = desk.story();
            let title = title(context, &story.premise).await?;
            let fields = fields.unwrap_or_default();
            let readiness = if draft.unwrap_or(false) { Readiness::Draft } else { Readiness::Ready };
            let exported = export(story, &title, story.language, &format, &fields, readiness).map_err(|error| {
                let is_field = matches!(error, qingyu_production::Error::UnknownField { .. });
                of_production(error, if is_field { "/fields" } else { "/format" })
            })?;
            let answer = json!(exported);
            desk.close(answer, &self.0.name, context).await
        })
    }
}

/// Returns the title of the project; by default the start of its premise, or its id.
async fn title(context: &ToolContext, premise: &str) -> Result<String, ToolError> {
    /// Maximum characters of a title derived from a premise.
    const TITLE: usize = 40;
    let project = context.workspace()?.project();
    let listed = context.workspaces.list().await.unwrap_or_default();
    let known = listed.into_iter().find(|entry| entry.project == project).map(|entry| entry.title);
    let premise: String = premise.lines().next().unwrap_or_default().trim().chars().take(TITLE).collect();
    let title = [known.unwrap_or_default(), premise].into_iter().find(|title| !title.trim().is_empty());
    Ok(title.unwrap_or_else(|| project.to_owned()))
}

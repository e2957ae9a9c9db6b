//! `export_content`: the content of a production as a document, as data, or as the text of a channel.

use futures::future::BoxFuture;
use qingyu_production::export::{Format, export};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{of_production, said};
use crate::{Category, Context, Metadata, Tool, ToolError, desk};

/// The tool. The title of a project is no part of its story, so the answer is not kept.
#[derive(Debug)]
pub struct ExportContent(Metadata);

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// md, json, channels for the texts of all channels, or the name of one channel.
    format: String,
    /// Paths of fields, only these; all content if left out. What a channel shows is said by its template alone.
    fields: Option<Vec<String>>,
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

    fn call<'a>(&'a self, arguments: Value, context: &'a Context) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(async move {
            let Arguments { format, fields } = desk::read(arguments)?;
            let format = match said(&format, "/format")?.as_str() {
                "md" | "markdown" => Format::Markdown,
                "json" => Format::Json,
                "channels" => Format::Channels(None),
                name => Format::Channels(Some(name.to_owned())),
            };
            let desk = desk::open(context).await?;
            let story = desk.story();
            let title = title(context, &story.premise).await?;
            let fields = fields.unwrap_or_default();
            let exported = export(story, &title, story.language, &format, &fields).map_err(|error| {
                let is_field = matches!(error, qingyu_production::Error::UnknownField { .. });
                of_production(error, if is_field { "/fields" } else { "/format" })
            })?;
            let answer = json!(exported);
            desk.close(answer, &self.0.name, context).await
        })
    }
}

/// The title of the project; the beginning of its premise, or its id, where it is not known.
async fn title(context: &Context, premise: &str) -> Result<String, ToolError> {
    /// Most characters of a premise that becomes a title.
    const TITLE: usize = 40;
    let project = context.workspace()?.project();
    let listed = context.workspaces.list().await.unwrap_or_default();
    let known = listed.into_iter().find(|entry| entry.project == project).map(|entry| entry.title);
    let premise: String = premise.lines().next().unwrap_or_default().trim().chars().take(TITLE).collect();
    let title = [known.unwrap_or_default(), premise].into_iter().find(|title| !title.trim().is_empty());
    Ok(title.unwrap_or_else(|| project.to_owned()))
}

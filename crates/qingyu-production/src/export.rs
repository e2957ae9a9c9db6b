//! What is handed out of a production: documents, data, and the text of each channel.

mod channel;
mod document;

use qingyu_story::production::{Field, PhaseKind, Production};
use qingyu_story::{Language, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub(crate) use channel::check_template;

use crate::{Board, Error, Status};

/// In which form a production is handed out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// One document for people.
    Markdown,
    /// The fields as data.
    Json,
    /// The text of one channel, or of every one.
    Channels(Option<String>),
}

/// A text to be kept as a file. The caller names the file: `title` is what it is about, not a safe name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct File {
    /// What it is about.
    pub title: String,
    /// The ending, such as `md`.
    pub extension: String,
    /// The channel it is for, if it is for one.
    pub channel: Option<String>,
    /// The text.
    pub text: String,
}

/// A text that is longer than its channel takes. It is handed out whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TooLong {
    /// The channel.
    pub channel: String,
    /// How many characters the text has.
    pub length: usize,
    /// How many it may have.
    pub limit: usize,
}

/// What is handed out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Exported {
    /// The texts.
    pub files: Vec<File>,
    /// Those that are too long for where they go.
    pub too_long: Vec<TooLong>,
    /// The paths of content without a value, which is missing in the texts.
    pub missing: Vec<String>,
    /// The paths of content that is stale.
    pub stale: Vec<String>,
}

/// Hands out the content of a project; with `paths` only these fields, be they content or not. What a channel shows is
/// said by its template alone.
///
/// Fails if the project has no production, if there is no such field or channel, and if a channel's template cannot be
/// filled.
pub fn export(
    story: &Story,
    title: &str,
    language: Language,
    format: &Format,
    paths: &[String],
) -> Result<Exported, Error> {
    let production = story.production.as_ref().ok_or(Error::NoProduction)?;
    let board = Board::new(&story.fields);
    let statuses = board.statuses();
    let content = chosen(&board, paths)?;
    let of_status = |status: Status| {
        let fields = content.iter().filter(|field| statuses[field.path.as_str()] == status);
        fields.map(|field| field.path.clone()).collect::<Vec<_>>()
    };
    let mut exported =
        Exported { missing: of_status(Status::Empty), stale: of_status(Status::Stale), ..Exported::default() };
    let sources = sources(production, &story.fields);
    let file = |extension: &str, text: String| File {
        title: title.to_owned(),
        extension: extension.to_owned(),
        channel: None,
        text,
    };
    match format {
        Format::Markdown => {
            let text = document::write(title, language, &content, &sources);
            exported.files.push(file("md", text));
        }
        Format::Json => {
            let shown = if paths.is_empty() {
                story.fields.iter().filter(|field| !field.is_pattern()).collect()
            } else {
                content
            };
            let field = |field: &&Field| {
                json!({
                    "path": field.path, "title": field.title, "phase": field.phase, "is_content": field.is_content,
                    "status": statuses[field.path.as_str()], "version": field.version, "value": field.value,
                })
            };
            let data = json!({
                "title": title, "language": language, "template": production.template,
                "fields": shown.iter().map(field).collect::<Vec<_>>(), "sources": sources,
            });
            exported.files.push(file("json", format!("{data:#}\n")));
        }
        Format::Channels(name) => {
            let known = || production.channels.iter().map(|channel| channel.name.clone()).collect();
            let is_meant = |given: &str| name.as_deref().is_none_or(|name| name == given);
            let channels: Vec<_> = production.channels.iter().filter(|channel| is_meant(&channel.name)).collect();
            if let (true, Some(name)) = (channels.is_empty(), name) {
                return Err(Error::UnknownChannel { name: name.clone(), known: known() });
            }
            for channel in channels {
                let text = channel::fill(channel, title, language, story, &sources)?;
                let length = text.chars().count();
                if let Some(limit) = channel.limit.filter(|limit| length > *limit) {
                    exported.too_long.push(TooLong { channel: channel.name.clone(), length, limit });
                }
                exported.files.push(File { channel: Some(channel.name.clone()), ..file(&channel.extension, text) });
            }
        }
    }
    Ok(exported)
}

/// The fields of these paths, or all content; lists as their items.
fn chosen<'a>(board: &Board<'a>, paths: &[String]) -> Result<Vec<&'a Field>, Error> {
    if paths.is_empty() {
        let content = board.fields().iter().filter(|field| field.is_content);
        return Ok(content.filter(|field| !field.is_pattern() || board.items(&field.path).next().is_none()).collect());
    }
    let mut chosen: Vec<&Field> = Vec::new();
    for path in paths {
        let field = board.find(path)?;
        let with_items: Vec<_> = if field.is_pattern() { board.items(&field.path).collect() } else { vec![field] };
        for field in with_items {
            if !chosen.iter().any(|known| known.path == field.path) {
                chosen.push(field);
            }
        }
    }
    Ok(chosen)
}

/// Where something was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Source {
    number: usize,
    title: String,
    url: String,
}

/// The sources of the research, each address once, numbered from 1 if there are several reports.
fn sources(production: &Production, fields: &[Field]) -> Vec<Source> {
    let is_research = |field: &&Field| {
        production.phases.iter().any(|phase| phase.kind == PhaseKind::Research && phase.name == field.phase)
    };
    let mut sources: Vec<Source> = Vec::new();
    for field in fields.iter().filter(is_research) {
        for given in field.value.get("sources").and_then(Value::as_array).into_iter().flatten() {
            let text = |name: &str| given.get(name).and_then(Value::as_str).unwrap_or_default().trim().to_owned();
            let url = text("url");
            if !url.is_empty() && !sources.iter().any(|known| known.url == url) {
                sources.push(Source { number: sources.len() + 1, title: text("title"), url });
            }
        }
    }
    sources
}

#[cfg(test)]
mod tests;

//! Export of a production: documents, data, and the text of each channel.

mod channel;
mod check;
mod document;
mod sources;

use qingyu_story::production::{Channel, Field, Production};
use qingyu_story::{Language, Story, without_placeholders};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

pub(crate) use channel::check_template;
pub use check::ExportProblem;

use crate::citation::ProjectSources;
use crate::golden::as_text;
use crate::text::line;
use crate::{Error, FieldBoard, Status};

/// The export format of a production.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProductionFormat {
    /// A document for each audience.
    Markdown,
    /// The fields as data.
    Json,
    /// The text of a channel, by default of every channel.
    Channels(Option<String>),
}

/// A text to store as a file. The caller chooses the file name: `title` is no safe name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExportFile {
    /// The title.
    pub title: String,
    /// The extension, such as `md`.
    pub extension: String,
    /// The channel, if any.
    pub channel: Option<String>,
    /// The audience, or the name of the field, if there are several documents; empty otherwise.
    pub part: String,
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

/// The result of an export.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ProductionExport {
    /// The texts.
    pub files: Vec<ExportFile>,
    /// The texts too long for their channels.
    pub too_long: Vec<TooLong>,
    /// The paths of content without a value, missing in the texts.
    pub missing: Vec<String>,
    /// The paths of stale content.
    pub stale: Vec<String>,
    /// Problems to be fixed before the content is published.
    pub problems: Vec<ExportProblem>,
}

/// Whether content is exported that is not ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readiness {
    /// Content with problems is refused.
    Ready,
    /// Content goes out as it is, with its problems listed.
    Draft,
}

/// Exports the content of a project; with `paths` only these fields, content or not. The text of a channel is
/// determined by its template alone, and data are exported whatever their state.
///
/// Returns [`Error::NotReady`] for content with problems unless it is exported as a draft, and an error if the project
/// has no production, a field or channel does not exist, or a channel's template cannot be rendered.
pub fn export(
    story: &Story,
    title: &str,
    language: Language,
    format: &ProductionFormat,
    paths: &[String],
    readiness: Readiness,
) -> Result<ProductionExport, Error> {
    let production = story.production.as_ref().ok_or(Error::NoProduction)?;
    let board = FieldBoard::new(&story.fields);
    let statuses = board.statuses();
    let content = chosen(&board, paths)?;
    let title = &title_of(production, &board, title);
    let checked = match format {
        ProductionFormat::Channels(_) => shown_by(&board, production, format),
        _ => content.clone(),
    };
    let sources = ProjectSources::of(&story.fields);
    let sources = sources.all();
    let state = check::FieldState { board: &board, statuses: &statuses, sources };
    let problems = check::check(story, title, &checked, &state);
    if *format != ProductionFormat::Json && readiness == Readiness::Ready && !problems.is_empty() {
        return Err(Error::NotReady { problems: problems.iter().map(|problem| problem.text(language)).collect() });
    }
    let of_status = |status: Status| {
        let fields = checked.iter().filter(|field| statuses[field.path.as_str()] == status);
        fields.map(|field| field.path.clone()).collect::<Vec<_>>()
    };
    let mut exported = ProductionExport {
        missing: of_status(Status::Empty),
        stale: of_status(Status::Stale),
        problems,
        ..ProductionExport::default()
    };
    let file = |extension: &str, text: String| ExportFile {
        title: title.to_owned(),
        extension: extension.to_owned(),
        channel: None,
        part: String::new(),
        text,
    };
    match format {
        ProductionFormat::Markdown => {
            let groups = by_audience(&board, &content);
            let is_one = groups.len() == 1;
            for (part, fields) in groups {
                let text = document::write(title, language, &fields, sources);
                exported.files.push(ExportFile { part: if is_one { String::new() } else { part }, ..file("md", text) });
            }
        }
        ProductionFormat::Json => {
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
        ProductionFormat::Channels(name) => {
            let known = || production.channels.iter().map(|channel| channel.name.clone()).collect();
            let channels = channels_of(production, name.as_deref());
            if let (true, Some(name)) = (channels.is_empty(), name) {
                return Err(Error::UnknownChannel { name: name.clone(), known: known() });
            }
            for channel in channels {
                let text = channel::fill(channel, title, language, story, sources)?;
                let length = text.chars().count();
                if let Some(limit) = channel.limit.filter(|limit| length > *limit) {
                    exported.too_long.push(TooLong { channel: channel.name.clone(), length, limit });
                }
                exported
                    .files
                    .push(ExportFile { channel: Some(channel.name.clone()), ..file(&channel.extension, text) });
            }
        }
    }
    Ok(exported)
}

/// Returns the title of the content: the part of a field that holds it, else `given`.
fn title_of(production: &Production, board: &FieldBoard<'_>, given: &str) -> String {
    let named = Some(production.title_from.as_str()).filter(|path| !path.is_empty());
    let value = named.and_then(|path| board.value(path)).unwrap_or_default();
    let title = line(&without_placeholders(&as_text(&value)));
    if title.is_empty() { given.to_owned() } else { title }
}

fn channels_of<'a>(production: &'a Production, name: Option<&str>) -> Vec<&'a Channel> {
    let is_meant = |given: &str| name.is_none_or(|name| name == given);
    production.channels.iter().filter(|channel| is_meant(&channel.name)).collect()
}

/// Returns the content that the templates of the channels name.
fn shown_by<'a>(board: &FieldBoard<'a>, production: &Production, format: &ProductionFormat) -> Vec<&'a Field> {
    let ProductionFormat::Channels(name) = format else { return Vec::new() };
    let channels = channels_of(production, name.as_deref());
    let is_named = |path: &str| channels.iter().any(|channel| channel.template.contains(&format!("\"{path}\"")));
    let of_list = |field: &Field| field.item.as_ref().map_or(field.path.clone(), |item| item.of.clone());
    let is_bare_list = |field: &Field| field.is_pattern() && board.items(&field.path).next().is_some();
    board.fields().iter().filter(|field| !is_bare_list(field) && is_named(&of_list(field))).collect()
}

/// Returns the fields grouped by audience, in order; without an audience, each field or list apart.
fn by_audience<'a>(board: &FieldBoard<'a>, fields: &[&'a Field]) -> Vec<(String, Vec<&'a Field>)> {
    let mut groups: Vec<(String, Vec<&Field>)> = Vec::new();
    for field in fields {
        let list = field.item.as_ref().and_then(|item| board.get(&item.of)).unwrap_or(field);
        let name = if field.audience.is_empty() { &list.title } else { &field.audience };
        match groups.iter_mut().find(|(known, _)| known == name) {
            Some((_, group)) => group.push(field),
            None => groups.push((name.clone(), vec![field])),
        }
    }
    groups
}

/// Returns the fields with the paths, by default all content; lists as their items.
fn chosen<'a>(board: &FieldBoard<'a>, paths: &[String]) -> Result<Vec<&'a Field>, Error> {
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

#[cfg(test)]
mod tests;

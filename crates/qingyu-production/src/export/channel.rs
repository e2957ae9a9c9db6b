//! The text of a channel.

use std::collections::BTreeMap;

use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use qingyu_story::production::{Channel, Field};
use qingyu_story::{Language, Story};
use serde::Serialize;
use serde_json::Value;

use super::document::shifted;
use super::sources::Citations;
use crate::citation::CitedSource;
use crate::text::{line, markdown};
use crate::{Error, FieldBoard, GoldenContext};

/// The variables of a channel template.
const NAMES: [&str; 8] = ["title", "language", "intent", "fields", "text", "items", "sources", "limit"];

/// The variables for the template of a channel.
#[derive(Serialize)]
struct ChannelView<'s> {
    title: &'s str,
    language: Language,
    /// The intent as text.
    intent: String,
    /// The values, by path; by default `null`.
    fields: BTreeMap<&'s str, Value>,
    /// The values as text; by default empty.
    text: BTreeMap<&'s str, String>,
    /// The items with a value, by the path of the list.
    items: BTreeMap<&'s str, Vec<FieldEntry<'s>>>,
    /// The cited sources, numbered in the order of citation.
    sources: Vec<SourceEntry>,
    limit: Option<usize>,
}

/// A source, with its line of text.
#[derive(Serialize)]
struct SourceEntry {
    #[serde(flatten)]
    source: CitedSource,
    text: String,
}

#[derive(Serialize)]
struct FieldEntry<'s> {
    path: &'s str,
    title: &'s str,
    text: String,
    value: Value,
}

pub(super) fn fill(
    channel: &Channel,
    title: &str,
    language: Language,
    story: &Story,
    known: &[CitedSource],
) -> Result<String, Error> {
    let board = FieldBoard::new(&story.fields);
    let mut shown = ChannelView {
        title,
        language,
        intent: GoldenContext::of(story).intent,
        fields: BTreeMap::new(),
        text: BTreeMap::new(),
        items: BTreeMap::new(),
        sources: Vec::new(),
        limit: channel.limit,
    };
    for field in &story.fields {
        let path = field.path.as_str();
        if field.is_pattern() {
            let entry =
                |item: &'_ Field| (!item.is_empty()).then(|| markdown(&item.value, &item.schema).trim().to_owned());
            let entries = board.items(path).filter_map(|item| {
                Some(FieldEntry { path: &item.path, title: &item.title, text: entry(item)?, value: item.value.clone() })
            });
            shown.items.insert(path, entries.collect());
        }
        let value = board.value(path).unwrap_or_default();
        shown.text.insert(path, markdown(&value, &field.schema).trim().to_owned());
        shown.fields.insert(path, value);
    }
    let failed =
        |error: minijinja::Error| Error::BadChannel { name: channel.name.clone(), message: template_message(&error) };
    let environment = environment();
    let template = environment.template_from_str(&channel.template).map_err(failed)?;
    let text = template.render(Serde(&shown)).map_err(failed)?;
    // The citations of a text are known once it is filled; it is then filled again with its own numbers.
    let cited = Citations::of(&text, known);
    if cited.sources.is_empty() {
        return Ok(format!("{}\n", text.trim()));
    }
    shown.text.values_mut().for_each(|text| *text = cited.renumbered(text));
    shown.fields.values_mut().for_each(|value| cited.renumber(value));
    shown.items.values_mut().flatten().for_each(|entry| {
        entry.text = cited.renumbered(&entry.text);
        cited.renumber(&mut entry.value);
    });
    let entry = |source: CitedSource| SourceEntry { text: source.text(language), source };
    shown.sources = cited.sources.into_iter().map(entry).collect();
    let text = template.render(Serde(&shown)).map_err(failed)?;
    Ok(format!("{}\n", text.trim()))
}

/// Validates a channel template; returns the error and advice: syntax errors, and unknown names.
pub(crate) fn check_template(text: &str, fields: &[Field]) -> Result<(), String> {
    let environment = environment();
    let template = environment.template_from_str(text).map_err(|error| template_message(&error))?;
    if let Some(name) =
        template.undeclared_variables(false).into_iter().filter(|name| !NAMES.contains(&name.as_str())).min()
    {
        return Err(format!("there is no '{name}'; what can be named: {}", NAMES.join(", ")));
    }
    for (holder, lists_only) in [("fields[\"", false), ("text[\"", false), ("items[\"", true)] {
        for (at, _) in text.match_indices(holder) {
            let path = text[at + holder.len()..].split('"').next().unwrap_or_default();
            let field = fields.iter().find(|field| field.path == path);
            if field.is_none_or(|field| lists_only && !field.is_pattern()) {
                let known = fields.iter().filter(|field| !lists_only || field.is_pattern());
                let known = known.map(|field| field.path.as_str()).collect::<Vec<_>>().join(", ");
                return Err(format!("there is no field '{path}' for {holder}…\"]; there is {known}"));
            }
        }
    }
    Ok(())
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    // In a table, a line break or a bar would end the cell.
    environment.add_filter("cell", |text: String| line(&text.replace('|', "\\|")));
    // The text of a field below a heading, its own headings from `level` down.
    environment.add_filter("under", |text: String, level: usize| shifted(&text, level.clamp(1, 6)));
    environment
}

fn template_message(error: &minijinja::Error) -> String {
    match error.line() {
        Some(line) => format!("line {line}: {error}"),
        None => error.to_string(),
    }
}

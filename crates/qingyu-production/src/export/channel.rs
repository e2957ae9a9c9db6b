//! The text of a channel.

use std::collections::BTreeMap;

use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use qingyu_story::production::{Channel, Field};
use qingyu_story::{Language, Story};
use serde::Serialize;
use serde_json::Value;

use super::Source;
use crate::text::markdown;
use crate::{Board, Error, GoldenContext};

/// What the template of a channel can name.
const NAMES: [&str; 8] = ["title", "language", "intent", "fields", "text", "items", "sources", "limit"];

/// Fills the template of a channel.
#[derive(Serialize)]
struct Shown<'s> {
    title: &'s str,
    language: Language,
    /// The intent as text.
    intent: String,
    /// The values, by path; `null` where there is none.
    fields: BTreeMap<&'s str, Value>,
    /// The same as text; empty where there is none.
    text: BTreeMap<&'s str, String>,
    /// The fields of each list, by its path: those with a value.
    items: BTreeMap<&'s str, Vec<Entry<'s>>>,
    sources: &'s [Source],
    limit: Option<usize>,
}

#[derive(Serialize)]
struct Entry<'s> {
    path: &'s str,
    title: &'s str,
    text: String,
    value: &'s Value,
}

pub(super) fn fill(
    channel: &Channel,
    title: &str,
    language: Language,
    story: &Story,
    sources: &[Source],
) -> Result<String, Error> {
    let board = Board::new(&story.fields);
    let mut shown = Shown {
        title,
        language,
        intent: GoldenContext::of(story).intent,
        fields: BTreeMap::new(),
        text: BTreeMap::new(),
        items: BTreeMap::new(),
        sources,
        limit: channel.limit,
    };
    for field in &story.fields {
        let path = field.path.as_str();
        if field.is_pattern() {
            let entry =
                |item: &'_ Field| (!item.is_empty()).then(|| markdown(&item.value, &item.schema).trim().to_owned());
            let entries = board.items(path).filter_map(|item| {
                Some(Entry { path: &item.path, title: &item.title, text: entry(item)?, value: &item.value })
            });
            shown.items.insert(path, entries.collect());
        }
        let value = board.value(path).unwrap_or_default();
        shown.text.insert(path, markdown(&value, &field.schema).trim().to_owned());
        shown.fields.insert(path, value);
    }
    let failed = |error: minijinja::Error| Error::BadChannel { name: channel.name.clone(), message: said(&error) };
    let environment = environment();
    let template = environment.template_from_str(&channel.template).map_err(failed)?;
    let text = template.render(Serde(&shown)).map_err(failed)?;
    Ok(format!("{}\n", text.trim()))
}

/// Fails with what is wrong with a channel's template, and what to do: its syntax, and names of what does not exist.
pub(crate) fn check_template(text: &str, fields: &[Field]) -> Result<(), String> {
    let environment = environment();
    let template = environment.template_from_str(text).map_err(|error| said(&error))?;
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
    environment
        .add_filter("cell", |text: String| text.replace('|', "\\|").split_whitespace().collect::<Vec<_>>().join(" "));
    environment
}

fn said(error: &minijinja::Error) -> String {
    match error.line() {
        Some(line) => format!("line {line}: {error}"),
        None => error.to_string(),
    }
}

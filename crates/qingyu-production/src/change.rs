//! Changes of fields: setting, confirming and removing values; expanding lists to fields.
//!
//! Each change modifies the story of a project, which the caller saves as a whole. Dependents of a changed field become
//! stale automatically.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_story::Story;
use qingyu_story::production::{Field, Item, Maker};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::board::{FieldBoard, split};
use crate::input::PREVIOUS;
use crate::{Error, sizes};

/// What a change did.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Changed {
    /// The field that was changed.
    pub path: String,
    /// Its version from now on; the one it had if the value is the same.
    pub version: u32,
    /// The fields that are stale now and were not before, in order.
    pub stale: Vec<String>,
    /// The fields that a list has got.
    pub added: Vec<String>,
    /// The empty fields that a list has no entry for any more.
    pub removed: Vec<String>,
}

/// Sets the value of a field. An equal value is no new version, but updates the recorded sources, so that a stale field
/// found correct is stale no more.
///
/// Returns an error without effect if the field does not exist, is a list field, or the value does not fit its schema.
pub fn put(story: &mut Story, path: &str, value: Value, maker: Maker) -> Result<Changed, Error> {
    let before: BTreeSet<String> = stale(story).into_iter().collect();
    let board = FieldBoard::new(&story.fields);
    let field = board.find(path)?;
    let path = field.path.clone();
    if field.is_pattern() {
        return Err(Error::Pattern { path });
    }
    check(field, &value)?;
    let made_from = board.made_from(field);
    let field = get_mut(&mut story.fields, &path)?;
    if field.value != value {
        field.version += 1;
        field.is_confirmed = false;
        field.value = value;
        field.made_by = Some(maker);
    }
    field.made_from = made_from;
    let version = field.version;
    let (added, removed) = expand(&mut story.fields);
    let stale = stale(story).into_iter().filter(|path| !before.contains(path)).collect();
    Ok(Changed { path, version, stale, added, removed })
}

/// Sets a value entered by a person: like [`put`], but a list may have any length, whatever its template says.
pub fn put_by_hand(story: &mut Story, path: &str, value: Value, maker: Maker) -> Result<Changed, Error> {
    let field = FieldBoard::new(&story.fields).find(path)?.clone();
    if !field.is_pattern() && check(&field, &value).is_err() {
        sizes::admit(get_mut(&mut story.fields, &field.path)?, &value);
    }
    let put = put(story, &field.path, value, maker);
    if put.is_err() {
        get_mut(&mut story.fields, &field.path)?.schema = field.schema;
    }
    put
}

/// Confirms the current values of the fields; of a list field, the values of its items. A stale field is taken as
/// reviewed, and is stale no more.
///
/// Returns an error without effect if a field does not exist or is empty.
pub fn confirm(story: &mut Story, paths: &[String]) -> Result<(), Error> {
    let mut confirmed = BTreeMap::new();
    let board = FieldBoard::new(&story.fields);
    for path in paths {
        let field = board.find(path)?;
        // A list field means its items.
        let meant = if field.is_pattern() { board.items(&field.path).collect() } else { vec![field] };
        if meant.is_empty() {
            return Err(Error::Empty { path: field.path.clone() });
        }
        for field in meant {
            if field.is_empty() {
                return Err(Error::Empty { path: field.path.clone() });
            }
            confirmed.insert(field.path.clone(), board.made_from(field));
        }
    }
    for field in &mut story.fields {
        if let Some(made_from) = confirmed.remove(&field.path) {
            (field.is_confirmed, field.made_from) = (true, made_from);
        }
    }
    Ok(())
}

/// Inserts a field for each entry of the lists named by list fields. Returns the paths of inserted and of removed
/// fields: items without a value whose entry was deleted. An item with a value stays, and is stale.
pub fn expand(fields: &mut Vec<Field>) -> (Vec<String>, Vec<String>) {
    let (mut added, mut removed) = (Vec::new(), Vec::new());
    let patterns: Vec<Field> = fields.iter().filter(|field| field.is_pattern()).cloned().collect();
    for pattern in patterns {
        let list = pattern.each.as_deref().unwrap_or_default();
        let entries = match FieldBoard::new(fields).value(list) {
            Some(Value::Array(entries)) => entries,
            _ => Vec::new(),
        };
        let is_left_over = |field: &Field| {
            let item = field.item.as_ref().filter(|item| item.of == pattern.path);
            item.is_some_and(|item| item.index >= entries.len()) && field.is_empty()
        };
        removed.extend(fields.iter().filter(|field| is_left_over(field)).map(|field| field.path.clone()));
        fields.retain(|field| !is_left_over(field));
        let places: BTreeMap<String, usize> =
            fields.iter().enumerate().map(|(place, field)| (field.path.clone(), place)).collect();
        let mut new = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            let item = item(&pattern, list, index, entry);
            match places.get(&item.path) {
                Some(place) => fields[*place].title = item.title,
                None => new.push(item),
            }
        }
        added.extend(new.iter().map(|item| item.path.clone()));
        let of_pattern = |field: &Field| field.item.as_ref().is_some_and(|known| known.of == pattern.path);
        let place = fields.iter().rposition(|field| field.path == pattern.path || of_pattern(field));
        let place = place.map_or(fields.len(), |place| place + 1);
        fields.splice(place..place, new);
    }
    (added, removed)
}

/// Returns the field for an entry of a list.
fn item(pattern: &Field, list: &str, index: usize, entry: &Value) -> Field {
    let (path, pointer) = split(list);
    let name = ["title", "name"].iter().find_map(|key| entry.get(key)).or(Some(entry)).and_then(Value::as_str);
    let title = match name.map(str::trim).filter(|name| !name.is_empty()) {
        Some(name) => {
            let colon = if pattern.title.is_ascii() { ": " } else { "：" };
            format!("{} {}{colon}{name}", pattern.title, index + 1)
        }
        None => format!("{} {}", pattern.title, index + 1),
    };
    let before = |dependency: &String| match (dependency == PREVIOUS, index) {
        (false, _) => Some(dependency.clone()),
        (true, 0) => None,
        (true, index) => Some(format!("{}/{index}", pattern.path)),
    };
    let mut depends_on: Vec<String> = pattern.depends_on.iter().filter_map(before).collect();
    depends_on.push(format!("{path}#{pointer}/{index}"));
    Field {
        path: format!("{}/{}", pattern.path, index + 1),
        title,
        depends_on,
        each: None,
        item: Some(Item { of: pattern.path.clone(), index }),
        ..pattern.clone()
    }
}

/// Validates a value against the schema of its field. `null` is always invalid.
pub fn check(field: &Field, value: &Value) -> Result<(), Error> {
    let bad_schema = |message: String| Error::BadSchema { path: field.path.clone(), message };
    if value.is_null() {
        return Err(Error::Misfit { path: field.path.clone(), problems: vec!["there is no value".to_owned()] });
    }
    let validator = jsonschema::validator_for(&field.schema).map_err(|error| bad_schema(error.to_string()))?;
    let problems: Vec<String> = validator
        .iter_errors(value)
        .map(|error| match error.instance_path().as_str() {
            "" => error.to_string(),
            place => format!("{place}: {error}"),
        })
        .collect();
    if problems.is_empty() { Ok(()) } else { Err(Error::Misfit { path: field.path.clone(), problems }) }
}

/// Parses a value typed by a person: verbatim for a text field, otherwise as JSON. A list may be as long as it is typed.
///
/// Returns an error if the JSON is invalid, or does not fit the field's schema otherwise.
pub fn parse(field: &Field, typed: &str) -> Result<Value, Error> {
    let value = if field.is_text() {
        Value::from(typed.trim_end())
    } else {
        serde_json::from_str(typed)
            .map_err(|error| Error::Misfit { path: field.path.clone(), problems: vec![error.to_string()] })?
    };
    let mut field = field.clone();
    sizes::admit(&mut field, &value);
    check(&field, &value)?;
    Ok(value)
}

fn get_mut<'a>(fields: &'a mut [Field], path: &str) -> Result<&'a mut Field, Error> {
    let found = fields.iter_mut().find(|field| field.path == path);
    found.ok_or_else(|| Error::UnknownField { path: path.to_owned(), near: Vec::new() })
}

fn stale(story: &Story) -> Vec<String> {
    FieldBoard::new(&story.fields).stale().into_iter().map(|field| field.path.clone()).collect()
}

#[cfg(test)]
mod tests;

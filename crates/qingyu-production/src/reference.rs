//! `@` references to fields in what a user writes.

use std::ops::Range;

use qingyu_story::production::Field;
use serde::{Deserialize, Serialize};

use crate::{Board, Error};

/// A mark in a text that names a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// Where it stands, in bytes, with its `@`.
    pub range: Range<usize>,
    /// What it names.
    pub target: Target,
}

/// What a reference names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// A field, or a part of its value.
    Field {
        /// Its path.
        path: String,
        /// A JSON Pointer into its value; empty if all of it is meant.
        pointer: String,
    },
    /// No field.
    Unknown {
        /// What was written behind the `@`.
        given: String,
        /// The paths of fields that are alike; several fields may be meant equally.
        near: Vec<String>,
    },
}

/// The references in a text, in order. Addresses of people (`a@b.example`) and a lone `@` are none.
///
/// Behind the `@` stands a path, its end, or a title; of several that fit, the longest is meant, so that no space is needed
/// behind a Chinese title.
pub fn references(text: &str, fields: &[Field]) -> Vec<Reference> {
    let mut references: Vec<Reference> = Vec::new();
    for (at, sign) in text.char_indices().filter(|(_, c)| matches!(c, '@' | '＠')) {
        let is_inside = references.last().is_some_and(|last| at < last.range.end);
        let is_address = text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || "._+-".contains(c));
        if is_inside || is_address {
            continue;
        }
        let start = at + sign.len_utf8();
        if let Some((length, target)) = target(&text[start..], fields) {
            references.push(Reference { range: at..start + length, target });
        }
    }
    references
}

/// What stands at the beginning of `rest`, and how many bytes of it are its name.
fn target(rest: &str, fields: &[Field]) -> Option<(usize, Target)> {
    let mut longest = 0;
    let mut meant: Vec<&Field> = Vec::new();
    for field in fields {
        let names = names(field).filter_map(|name| begins_with(rest, name));
        let Some(length) = names.max().filter(|length| *length >= longest) else { continue };
        if length > longest {
            meant.clear();
            longest = length;
        }
        meant.push(field);
    }
    // A whole path is never in doubt, even if it is the end of another.
    if let Some(field) = meant.iter().find(|field| begins_with(rest, &field.path) == Some(longest)) {
        meant = vec![field];
    }
    let token = token(rest);
    // A path that goes on is another path.
    let is_longer = rest[longest..].starts_with(['/', '_']) && token > longest;
    match meant.as_slice() {
        [field] if !is_longer => {
            let pointer = pointer(&rest[longest..]);
            let target = Target::Field { path: field.path.clone(), pointer: pointer.to_owned() };
            let with_mark = if pointer.is_empty() { 0 } else { pointer.len() + 1 };
            Some((longest + with_mark, target))
        }
        _ if token.max(longest) == 0 => None,
        several => {
            let length = if is_longer { token } else { token.max(longest) };
            let given = rest[..length].to_owned();
            let near = match Board::new(fields).find(&given) {
                Err(Error::UnknownField { near, .. }) if several.is_empty() || is_longer => near,
                _ => several.iter().map(|field| field.path.clone()).collect(),
            };
            Some((length, Target::Unknown { given, near }))
        }
    }
}

/// What a field may be called: its title, its path, and every end of its path.
fn names(field: &Field) -> impl Iterator<Item = &str> {
    let ends = field.path.match_indices('/').map(|(at, _)| &field.path[at + 1..]);
    // An end that is only a number would make every number a name.
    let ends = ends.filter(|end| end.contains(|c: char| !c.is_ascii_digit()));
    [field.title.as_str(), field.path.as_str()].into_iter().chain(ends).filter(|name| !name.trim().is_empty())
}

/// How many bytes of `rest` are `name`, whatever its case, if the name ends there.
fn begins_with(rest: &str, name: &str) -> Option<usize> {
    let mut given = rest.chars();
    for wanted in name.chars() {
        let found = given.next()?;
        if found != wanted && !found.to_lowercase().eq(wanted.to_lowercase()) {
            return None;
        }
    }
    let (after, end) = (given.as_str(), name.chars().next_back()?);
    let runs_on = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_cut = runs_on(end) && after.starts_with(runs_on);
    (!is_cut).then(|| rest.len() - after.len())
}

/// The bytes of what is written like a name.
fn token(rest: &str) -> usize {
    let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '/' | '-'))).unwrap_or(rest.len());
    rest[..end].trim_end_matches(['/', '-']).len()
}

/// The JSON Pointer behind a `#`, without the `#`.
fn pointer(after: &str) -> &str {
    let Some(pointer) = after.strip_prefix('#').filter(|pointer| pointer.starts_with('/')) else { return "" };
    let end = pointer.find(|c: char| !(c.is_alphanumeric() || "/_-~".contains(c))).unwrap_or(pointer.len());
    pointer[..end].trim_end_matches('/')
}

#[cfg(test)]
mod tests;

//! `@` references to fields in a user's text.

use std::ops::Range;

use qingyu_story::production::Field;
use serde::{Deserialize, Serialize};

use crate::{Error, FieldBoard};

/// A reference to a field in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FieldReference {
    /// Byte range, with the `@`.
    pub(crate) range: Range<usize>,
    /// The target.
    pub(crate) target: ReferenceTarget,
}

/// The target of a reference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ReferenceTarget {
    /// A field, or a part of its value.
    Field {
        /// The path.
        path: String,
        /// A JSON Pointer into the value; empty for the whole value.
        pointer: String,
    },
    /// No field.
    Unknown {
        /// The text after the `@`.
        given: String,
        /// The paths of similar fields; several fields may match equally.
        near: Vec<String>,
    },
}

/// Parses the references in a text, in order. Mail addresses (`a@b.example`) and a lone `@` are ignored.
///
/// A path, the end of a path, or a title follows the `@`; of several matches the longest wins, so that no space is
/// needed after a Chinese title.
pub(crate) fn references(text: &str, fields: &[Field]) -> Vec<FieldReference> {
    let mut references: Vec<FieldReference> = Vec::new();
    for (at, sign) in text.char_indices().filter(|(_, c)| matches!(c, '@' | '＠')) {
        let is_inside = references.last().is_some_and(|last| at < last.range.end);
        let is_address = text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || "._+-".contains(c));
        if is_inside || is_address {
            continue;
        }
        let start = at + sign.len_utf8();
        if let Some((length, target)) = target(&text[start..], fields) {
            references.push(FieldReference { range: at..start + length, target });
        }
    }
    references
}

/// Parses the target at the beginning of `rest`; returns the byte length of its name and the target.
fn target(rest: &str, fields: &[Field]) -> Option<(usize, ReferenceTarget)> {
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
    // A full path is never ambiguous, even if also the end of another path.
    if let Some(field) = meant.iter().find(|field| begins_with(rest, &field.path) == Some(longest)) {
        meant = vec![field];
    }
    let token = token(rest);
    // A longer path is another path.
    let is_longer = rest[longest..].starts_with(['/', '_']) && token > longest;
    match meant.as_slice() {
        [field] if !is_longer => {
            let pointer = pointer(&rest[longest..]);
            let target = ReferenceTarget::Field { path: field.path.clone(), pointer: pointer.to_owned() };
            let with_mark = if pointer.is_empty() { 0 } else { pointer.len() + 1 };
            Some((longest + with_mark, target))
        }
        _ if token.max(longest) == 0 => None,
        several => {
            let length = if is_longer { token } else { token.max(longest) };
            let given = rest[..length].to_owned();
            let near = match FieldBoard::new(fields).find(&given) {
                Err(Error::UnknownField { near, .. }) if several.is_empty() || is_longer => near,
                _ => several.iter().map(|field| field.path.clone()).collect(),
            };
            Some((length, ReferenceTarget::Unknown { given, near }))
        }
    }
}

/// Returns the possible names of a field: its title, its path, and every end of its path.
fn names(field: &Field) -> impl Iterator<Item = &str> {
    let ends = field.path.match_indices('/').map(|(at, _)| &field.path[at + 1..]);
    // A purely numeric end would make every number a name.
    let ends = ends.filter(|end| end.contains(|c: char| !c.is_ascii_digit()));
    [field.title.as_str(), field.path.as_str()].into_iter().chain(ends).filter(|name| !name.trim().is_empty())
}

/// Returns the byte length of `name` at the beginning of `rest`, ignoring case, if the name ends there.
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

/// Returns the byte length of a name-like token.
fn token(rest: &str) -> usize {
    let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '/' | '-'))).unwrap_or(rest.len());
    rest[..end].trim_end_matches(['/', '-']).len()
}

/// Returns the JSON Pointer after a `#`, without the `#`.
fn pointer(after: &str) -> &str {
    let Some(pointer) = after.strip_prefix('#').filter(|pointer| pointer.starts_with('/')) else { return "" };
    let end = pointer.find(|c: char| !(c.is_alphanumeric() || "/_-~".contains(c))).unwrap_or(pointer.len());
    pointer[..end].trim_end_matches('/')
}

#[cfg(test)]
mod tests;

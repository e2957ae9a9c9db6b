//! Sizes that a user asks for in words: how many entries a list is to have, and how long a text is to be.
//!
//! A size is kept in the field itself, in place of the size of the template: the prompt, the validation of a value and
//! the check before an export then follow it without knowing where it came from.
//!
//! - `words`: the lists of words, for both languages; `said`: numbers with their units in a clause

mod said;
mod words;

use qingyu_story::Story;
use qingyu_story::production::{Field, TextLength};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::said::{SaidCount, SaidLength, SizeBound};
use self::words::{WORDS, has};
use crate::board::split;
use crate::router::named;

/// Maximum number of entries of a list that a user can ask for.
pub const MOST_ENTRIES: usize = 60;
/// Maximum length of a text that a user can ask for, in Chinese characters or words.
pub const LONGEST: usize = 20_000;
/// A length below is not that of a text.
const SHORTEST: usize = 50;

/// A size that a user asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedSize {
    /// The path of the field.
    pub path: String,
    /// The name for people of what is counted or measured.
    pub title: String,
    /// The thing counted or measured.
    pub kind: SizeKind,
    /// The least.
    pub least: usize,
    /// The most.
    pub most: usize,
}

/// The kind of thing that a size is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SizeKind {
    /// The entries of the list with the name in the field; without a name, the field is the list.
    Entries(String),
    /// The length of the text.
    Length,
}

/// The sizes in a user's words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AskedSizes {
    /// The sizes, in the order of the words.
    pub sizes: Vec<AskedSize>,
    /// Clauses with a size above [`MOST_ENTRIES`] or [`LONGEST`], which is not followed.
    pub refused: Vec<String>,
}

/// How many entries a list is to have.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ListSize {
    /// The name of the list; empty if the value itself is the list.
    pub name: String,
    /// The least.
    pub least: usize,
    /// The most; 0 without a limit.
    pub most: usize,
}

/// Puts the sizes in `words` into the fields of a story, and returns them; the same words change nothing twice.
///
/// Only the fields `given` get a size, or any field if there are none. `is_change` says that `words` change a value that
/// exists: a list that is to get or to lose entries may then have any number of them.
pub fn take(story: &mut Story, words: &str, given: &[String], is_change: bool) -> AskedSizes {
    let asked = asked(words, &story.fields, given, is_change);
    for size in &asked.sizes {
        for field in &mut story.fields {
            put(field, size);
        }
    }
    asked
}

/// Returns the sizes in `words` without putting them anywhere.
fn asked(words: &str, fields: &[Field], given: &[String], is_change: bool) -> AskedSizes {
    let mut asked = AskedSizes::default();
    let (mut count, mut has_count) = (None, false);
    for clause in said::clauses(words) {
        let clause = clause.as_str();
        if is_change && has(clause, &WORDS.changing) {
            let any = said::things(clause).into_iter().flat_map(|thing| lists_of(fields, &thing, given));
            let free = any.map(|list| AskedSize { least: 1, most: MOST_ENTRIES, ..list });
            asked.sizes.extend(free);
            continue;
        }
        if has(clause, &WORDS.never) {
            continue;
        }
        for SaidCount { lists, least, most, bound } in said::counts(clause) {
            has_count = true;
            if most > MOST_ENTRIES {
                asked.refused.push(clause.to_owned());
                continue;
            }
            count = (least == most && bound == SizeBound::Exact).then_some(most);
            for list in lists_of(fields, &lists, given) {
                let (least, most) = match bound {
                    SizeBound::AtMost => (1, most),
                    SizeBound::AtLeast => (least, list.most.max(least + least / 2).min(MOST_ENTRIES)),
                    SizeBound::Exact | SizeBound::About => (least, most),
                };
                asked.sizes.push(AskedSize { least, most, ..list });
            }
        }
        for length in said::lengths(clause) {
            if length.most < SHORTEST {
                continue;
            }
            let paths = texts_of(fields, clause, given, has_count);
            let is_total = has(clause, &WORDS.total) && !has(clause, &WORDS.each);
            let share = if is_total { count } else { Some(1) };
            let Some(share) = share.filter(|_| !paths.is_empty()) else { continue };
            if length.most / share > LONGEST {
                asked.refused.push(clause.to_owned());
                continue;
            }
            for field in paths {
                let TextLength { least, most } = bounds(&length, share, field.length.unwrap_or_default());
                let (path, title) = (field.path.clone(), field.title.clone());
                asked.sizes.push(AskedSize { path, title, kind: SizeKind::Length, least, most });
            }
        }
    }
    asked
}

/// Returns the length that a text is to have, given the length that is asked for `share` texts together.
fn bounds(said: &SaidLength, share: usize, usual: TextLength) -> TextLength {
    let (least, most) = (said.least / share, said.most / share);
    let within = |percent: usize| (least - least * percent / 100, most + most * percent / 100);
    let (least, most) = match said.bound {
        SizeBound::AtMost => (usual.least.min(most / 2), most),
        SizeBound::AtLeast => (least, usual.most.max(least + least / 2)),
        SizeBound::Exact if least < most => (least, most),
        SizeBound::Exact => within(10),
        SizeBound::About => within(20),
    };
    TextLength { least, most }
}

/// Returns the lists with one of the names, in the fields `given` or in any; each with its present size.
fn lists_of(fields: &[Field], names: &[String], given: &[String]) -> Vec<AskedSize> {
    let is_given = |field: &Field| {
        let is_named = |path: &String| {
            let list = fields.iter().find(|other| other.path == *path).and_then(|other| other.each.as_deref());
            field.path == *path || list.is_some_and(|list| split(list).0 == field.path)
        };
        given.is_empty() || given.iter().any(is_named)
    };
    let of_field = |field: &Field| {
        let own = field.path.rsplit('/').next().unwrap_or_default().to_owned();
        let found = lists(&field.schema).into_iter().filter(|list| {
            let name = if list.name.is_empty() { &own } else { &list.name };
            names.iter().any(|known| known == name)
        });
        let size = |list: ListSize| {
            let pointer = if list.name.is_empty() { String::new() } else { format!("/{}", list.name) };
            let is_made_of = |other: &&Field| {
                other.each.as_deref().is_some_and(|each| split(each) == (field.path.as_str(), pointer.as_str()))
            };
            let title = fields.iter().find(is_made_of).unwrap_or(field).title.clone();
            let (path, kind) = (field.path.clone(), SizeKind::Entries(list.name));
            AskedSize { path, title, kind, least: list.least, most: list.most }
        };
        found.map(size).collect::<Vec<_>>()
    };
    fields.iter().filter(|field| field.item.is_none() && is_given(field)).flat_map(of_field).collect()
}

/// Returns the texts whose length a clause says: those `given`; those that it names; the texts of the entries of a list.
fn texts_of<'a>(fields: &'a [Field], clause: &str, given: &[String], has_count: bool) -> Vec<&'a Field> {
    let is_text = |field: &&Field| field.is_text() && field.is_content;
    let with = |paths: &[String]| {
        fields.iter().filter(|field| paths.contains(&field.path)).filter(is_text).collect::<Vec<_>>()
    };
    if !given.is_empty() {
        return with(given);
    }
    let known = with(&named(clause, fields));
    if !known.is_empty() {
        return known;
    }
    let patterns: Vec<&Field> = fields.iter().filter(|field| field.is_pattern()).filter(is_text).collect();
    let lists = said::things(clause).concat();
    let is_named = |field: &&&Field| {
        let list = field.each.as_deref().and_then(|each| each.rsplit('/').next()).unwrap_or_default();
        lists.iter().any(|name| name == list)
    };
    let of_things: Vec<&Field> = patterns.iter().filter(is_named).copied().collect();
    if !of_things.is_empty() {
        return of_things;
    }
    if !patterns.is_empty() {
        let is_of_each = has_count || has(clause, &WORDS.each);
        return if is_of_each { patterns } else { Vec::new() };
    }
    // Without lists of texts, a length is that of the only text.
    let texts: Vec<&Field> = fields.iter().filter(is_text).collect();
    if texts.len() == 1 { texts } else { Vec::new() }
}

/// Returns the lists of a value that fits the schema: the value itself, and the members of an object.
pub fn lists(schema: &Value) -> Vec<ListSize> {
    let list = |name: &str, schema: &Value| {
        let count = |word: &str| schema.get(word).and_then(Value::as_u64).and_then(|count| usize::try_from(count).ok());
        let is_list = schema.get("type").and_then(Value::as_str) == Some("array");
        is_list.then(|| ListSize {
            name: name.to_owned(),
            least: count("minItems").unwrap_or_default(),
            most: count("maxItems").unwrap_or_default(),
        })
    };
    let members = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    list("", schema).into_iter().chain(members.filter_map(|(name, schema)| list(name, schema))).collect()
}

/// Makes the lists of a field wide enough for `value`, which a person gives: their own number of entries is theirs to
/// say, up to [`MOST_ENTRIES`]. An empty list stays what the schema says of it.
pub fn admit(field: &mut Field, value: &Value) {
    for ListSize { name, least, most } in lists(&field.schema) {
        let entries = if name.is_empty() { Some(value) } else { value.get(&name) };
        let Some(count) = entries.and_then(Value::as_array).map(Vec::len) else { continue };
        let is_outside = count < least || most > 0 && count > most;
        if is_outside && (1..=MOST_ENTRIES).contains(&count) {
            let most = if most == 0 { 0 } else { most.max(count) };
            resize(&mut field.schema, &name, least.min(count), most);
        }
    }
}

/// Puts a size into a field, if it is meant.
fn put(field: &mut Field, size: &AskedSize) {
    let is_item = field.item.as_ref().is_some_and(|item| item.of == size.path);
    match &size.kind {
        SizeKind::Entries(list) if field.path == size.path => resize(&mut field.schema, list, size.least, size.most),
        SizeKind::Length if field.path == size.path || is_item => {
            field.length = Some(TextLength { least: size.least, most: size.most });
        }
        SizeKind::Entries(_) | SizeKind::Length => {}
    }
}

/// Sets the number of entries of a list in a schema; 0 leaves the upper end open.
fn resize(schema: &mut Value, list: &str, least: usize, most: usize) {
    let place = if list.is_empty() { Some(schema) } else { schema.pointer_mut(&format!("/properties/{list}")) };
    let Some(Value::Object(list)) = place else { return };
    list.insert("minItems".to_owned(), json!(least));
    if most > 0 {
        list.insert("maxItems".to_owned(), json!(most));
    }
}

#[cfg(test)]
mod tests;

//! The fields of a project as one view.
//!
//! How a field stands is worked out, never kept: it is stale when what it was made from is not what is there now. So no
//! door can forget to say so, and a change that is taken back takes its consequences back with it.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_story::Prose;
use qingyu_story::production::Field;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Error;
use crate::digest::digest;

/// How a field stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It has no value.
    Empty,
    /// It has a value that nobody has confirmed.
    Draft,
    /// Its value is confirmed.
    Confirmed,
    /// Something that its value was made from is not what it was, or is stale itself.
    Stale,
}

/// A field in a list, without its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Its path.
    pub path: String,
    /// Its name for people.
    pub title: String,
    /// Its phase.
    pub phase: String,
    /// How it stands.
    pub status: Status,
    /// Its version.
    pub version: u32,
    /// Characters or words of its value, as text.
    pub length: usize,
    /// What it is made from.
    pub depends_on: Vec<String>,
    /// What of that is why it is stale.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<String>,
}

/// The fields of a project, by path, with what each is made from.
#[derive(Debug, Clone)]
pub struct Board<'a> {
    fields: &'a [Field],
    by_path: BTreeMap<&'a str, usize>,
}

/// A dependency: a path, and a JSON Pointer into the value that is there.
pub(crate) fn split(dependency: &str) -> (&str, &str) {
    dependency.split_once('#').unwrap_or((dependency, ""))
}

impl<'a> Board<'a> {
    /// The board of these fields.
    pub fn new(fields: &'a [Field]) -> Self {
        let by_path = fields.iter().enumerate().map(|(position, field)| (field.path.as_str(), position)).collect();
        Self { fields, by_path }
    }

    /// The fields, in order.
    pub fn fields(&self) -> &'a [Field] {
        self.fields
    }

    /// The field of that path.
    pub fn get(&self, path: &str) -> Option<&'a Field> {
        self.by_path.get(path).map(|position| &self.fields[*position])
    }

    /// The field that is meant by a path, the end of one, or a title, if it is only one.
    ///
    /// Fails with [`Error::UnknownField`], which names what is alike.
    pub fn find(&self, given: &str) -> Result<&'a Field, Error> {
        let given = given.trim().trim_start_matches('@');
        if let Some(field) = self.get(given) {
            return Ok(field);
        }
        let wanted = given.to_lowercase();
        let is_meant = |field: &&Field| {
            let path = field.path.to_lowercase();
            path == wanted || field.title.to_lowercase() == wanted || path.ends_with(&format!("/{wanted}"))
        };
        let meant: Vec<&'a Field> = self.fields.iter().filter(is_meant).collect();
        if let [only] = meant.as_slice() {
            return Ok(only);
        }
        let is_near = |field: &&Field| {
            field.path.to_lowercase().contains(&wanted) || field.title.to_lowercase().contains(&wanted)
        };
        let near = if meant.is_empty() { self.fields.iter().filter(is_near).collect() } else { meant };
        let near = near.into_iter().map(|field| field.path.clone()).collect();
        Err(Error::UnknownField { path: given.to_owned(), near })
    }

    /// What a dependency names: a value, or a part of one. `None` if there is no such field.
    ///
    /// The value of a field that stands for a list is the list of the values of its items.
    pub fn value(&self, dependency: &str) -> Option<Value> {
        let (path, pointer) = split(dependency);
        let field = self.get(path)?;
        let whole = if field.is_pattern() {
            self.items(path).map(|item| item.value.clone()).collect::<Vec<_>>().into()
        } else {
            field.value.clone()
        };
        Some(if pointer.is_empty() { whole } else { whole.pointer(pointer).cloned().unwrap_or(Value::Null) })
    }

    /// The items of a field that stands for a list, in the order of the list.
    pub fn items(&self, pattern: &str) -> impl Iterator<Item = &'a Field> {
        let mut items: Vec<_> = self.fields.iter().filter(|field| item_of(field, pattern)).collect();
        items.sort_by_key(|field| field.item.as_ref().map(|item| item.index));
        items.into_iter()
    }

    /// The fields that a field is made from; for a field that stands for a list, its items.
    pub fn sources(&self, field: &'a Field) -> Vec<&'a Field> {
        let mut sources = Vec::new();
        let of_list = field.each.iter();
        for dependency in field.depends_on.iter().chain(of_list) {
            let Some(source) = self.get(split(dependency).0) else { continue };
            sources.push(source);
            if source.is_pattern() {
                sources.extend(self.items(&source.path));
            }
        }
        sources
    }

    /// What of a field's dependencies is not what it was made from. Empty for a field without a value.
    fn changed(&self, field: &Field) -> Vec<String> {
        if field.is_empty() {
            return Vec::new();
        }
        let is_changed = |dependency: &&String| {
            let now = self.value(dependency).map(|value| digest(&value));
            field.made_from.get(*dependency) != now.as_ref()
        };
        field.depends_on.iter().filter(is_changed).cloned().collect()
    }

    /// A digest of each thing that a field is made from, as it is now.
    pub fn made_from(&self, field: &Field) -> BTreeMap<String, String> {
        let known = |dependency: &String| Some((dependency.clone(), digest(&self.value(dependency)?)));
        field.depends_on.iter().filter_map(known).collect()
    }

    /// How each field stands, by path.
    ///
    /// A field that stands for a list stands as the least done of its items. Costs what the fields and their dependencies
    /// are.
    pub fn statuses(&self) -> BTreeMap<&'a str, Status> {
        let mut known = BTreeMap::new();
        for field in self.fields {
            self.status_into(field, &mut known, &mut BTreeSet::new());
        }
        known
    }

    /// How one field stands.
    pub fn status(&self, field: &'a Field) -> Status {
        self.status_into(field, &mut BTreeMap::new(), &mut BTreeSet::new())
    }

    fn status_into(
        &self,
        field: &'a Field,
        known: &mut BTreeMap<&'a str, Status>,
        under_way: &mut BTreeSet<&'a str>,
    ) -> Status {
        if let Some(status) = known.get(field.path.as_str()) {
            return *status;
        }
        // Fields that are made from each other are refused where they come in; here they only must not loop.
        if !under_way.insert(&field.path) {
            return Status::Empty;
        }
        let status = if field.is_pattern() {
            let mut items =
                self.items(&field.path).map(|item| self.status_into(item, known, under_way)).collect::<Vec<_>>();
            items.sort();
            let least = items.first().copied();
            if items.contains(&Status::Stale) { Status::Stale } else { least.unwrap_or(Status::Empty) }
        } else if field.is_empty() {
            Status::Empty
        } else {
            let is_stale = !self.changed(field).is_empty()
                || self
                    .sources(field)
                    .into_iter()
                    .any(|source| self.status_into(source, known, under_way) == Status::Stale);
            match (is_stale, field.is_confirmed) {
                (true, _) => Status::Stale,
                (false, true) => Status::Confirmed,
                (false, false) => Status::Draft,
            }
        };
        under_way.remove(field.path.as_str());
        known.insert(&field.path, status);
        status
    }

    /// The fields as rows, in order.
    pub fn rows(&self) -> Vec<Row> {
        let statuses = self.statuses();
        let row = |field: &&'a Field| Row {
            path: field.path.clone(),
            title: field.title.clone(),
            phase: field.phase.clone(),
            status: statuses[field.path.as_str()],
            version: field.version,
            length: length(&self.value(&field.path).unwrap_or_default()),
            depends_on: field.depends_on.clone(),
            because: if statuses[field.path.as_str()] == Status::Stale {
                self.because(field, &statuses)
            } else {
                Vec::new()
            },
        };
        self.fields
            .iter()
            .filter(|field| !field.is_pattern() || self.items(&field.path).next().is_none())
            .map(|field| row(&field))
            .collect()
    }

    /// Why a stale field is stale: what changed, and what is stale itself.
    fn because(&self, field: &'a Field, statuses: &BTreeMap<&str, Status>) -> Vec<String> {
        let mut because = self.changed(field);
        for source in self.sources(field) {
            let is_named = because.iter().any(|named| split(named).0 == source.path);
            if statuses[source.path.as_str()] == Status::Stale && !is_named {
                because.push(source.path.clone());
            }
        }
        because
    }

    /// The fields that are stale, in order.
    pub fn stale(&self) -> Vec<&'a Field> {
        let statuses = self.statuses();
        let is_stale = |field: &&Field| !field.is_pattern() && statuses[field.path.as_str()] == Status::Stale;
        self.fields.iter().filter(is_stale).collect()
    }

    /// Everything that is made, directly or not, from the field of that path, in order.
    pub fn dependents(&self, path: &str) -> Vec<&'a Field> {
        let mut reached = BTreeSet::from([path]);
        loop {
            let before = reached.len();
            for field in self.fields {
                let of_item = field.item.as_ref().map(|item| item.of.as_str());
                let is_made_from = self.sources(field).iter().any(|source| reached.contains(source.path.as_str()));
                if is_made_from || of_item.is_some_and(|of| reached.contains(of) && of != path) {
                    reached.insert(&field.path);
                }
            }
            if reached.len() == before {
                break;
            }
        }
        self.fields.iter().filter(|field| field.path != path && reached.contains(field.path.as_str())).collect()
    }

    /// The fields of `wanted` that can be made now, in order: none of what they are made from is in `wanted` as well. They
    /// do not depend on each other, so that they may be made side by side.
    pub fn ready(&self, wanted: &BTreeSet<String>) -> Vec<&'a Field> {
        let waits = |field: &&'a Field| {
            let sources = self.sources(field);
            !sources.iter().any(|source| source.path != field.path && wanted.contains(&source.path))
        };
        let is_wanted = |field: &&'a Field| !field.is_pattern() && wanted.contains(&field.path);
        self.fields.iter().filter(is_wanted).filter(waits).collect()
    }

    /// The fields of a phase that are yet to be made: those that are empty, and with `stale` those that are stale.
    pub fn open(&self, phase: &str, stale: bool) -> BTreeSet<String> {
        let statuses = self.statuses();
        let is_open = |field: &&Field| match statuses[field.path.as_str()] {
            Status::Empty => true,
            Status::Stale => stale,
            Status::Draft | Status::Confirmed => false,
        };
        let of_phase = self.fields.iter().filter(|field| field.phase == phase && !field.is_pattern());
        of_phase.filter(is_open).map(|field| field.path.clone()).collect()
    }

    /// Fails if a path is there twice, if something is made from what does not exist, or from itself.
    pub fn check(&self) -> Result<(), Error> {
        if let Some(field) = self.fields.iter().enumerate().find(|(at, field)| self.by_path[field.path.as_str()] != *at)
        {
            return Err(Error::Twice { path: field.1.path.clone() });
        }
        for field in self.fields {
            for dependency in field.depends_on.iter().chain(&field.each) {
                if self.get(split(dependency).0).is_none() {
                    return Err(Error::UnknownDependency { path: field.path.clone(), dependency: dependency.clone() });
                }
            }
            jsonschema::meta::validate(&field.schema)
                .map_err(|error| Error::BadSchema { path: field.path.clone(), message: error.to_string() })?;
        }
        let mut done = BTreeSet::new();
        self.fields.iter().try_for_each(|field| self.walk(field, &mut Vec::new(), &mut done))
    }

    /// Goes from a field to all that it is made from; fails where the way comes back.
    fn walk(&self, field: &'a Field, way: &mut Vec<&'a str>, done: &mut BTreeSet<&'a str>) -> Result<(), Error> {
        if done.contains(field.path.as_str()) {
            return Ok(());
        }
        if let Some(begin) = way.iter().position(|path| *path == field.path) {
            let cycle = way[begin..].iter().chain([&field.path.as_str()]).map(|path| (*path).to_owned()).collect();
            return Err(Error::Cycle { cycle });
        }
        way.push(&field.path);
        self.sources(field).into_iter().try_for_each(|source| self.walk(source, way, done))?;
        way.pop();
        done.insert(&field.path);
        Ok(())
    }
}

fn item_of(field: &Field, pattern: &str) -> bool {
    field.item.as_ref().is_some_and(|item| item.of == pattern)
}

/// How long a value is as text: Chinese characters, and words of other letters.
fn length(value: &Value) -> usize {
    let mut texts = Vec::new();
    collect(value, &mut texts);
    texts.into_iter().map(|text| Prose::of(text).length).sum()
}

/// Every text in a value, in order.
fn collect<'v>(value: &'v Value, texts: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(entries) => entries.iter().for_each(|entry| collect(entry, texts)),
        Value::Object(members) => members.values().for_each(|value| collect(value, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

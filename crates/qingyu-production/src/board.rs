//! A view of the fields of a project.
//!
//! The status of a field is computed, never stored: a field is stale if its sources differ from the sources used. So no
//! caller can forget to invalidate a field, and reverting a change also reverts its consequences.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_story::production::Field;
use qingyu_story::prose::own_count;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Error;
use crate::digest::digest;
use crate::input::{FieldInput, PREVIOUS};
use crate::{citation, notes};

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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<String>,
}

/// The fields of a project, by path, with their dependencies.
#[derive(Debug, Clone)]
pub struct FieldBoard<'a> {
    fields: &'a [Field],
    by_path: BTreeMap<&'a str, usize>,
    /// The items of each list, in the order of the list.
    items: BTreeMap<&'a str, Vec<&'a Field>>,
}

/// Splits a dependency into a path and a JSON Pointer into the value.
pub(crate) fn split(dependency: &str) -> (&str, &str) {
    let FieldInput { path, pointer, .. } = FieldInput::parse(dependency);
    (path, pointer)
}

impl<'a> FieldBoard<'a> {
    /// Returns the board of the fields.
    pub fn new(fields: &'a [Field]) -> Self {
        let by_path = fields.iter().enumerate().map(|(position, field)| (field.path.as_str(), position)).collect();
        let mut items: BTreeMap<&str, Vec<&Field>> = BTreeMap::new();
        for field in fields {
            if let Some(item) = &field.item {
                items.entry(&item.of).or_default().push(field);
            }
        }
        items.values_mut().for_each(|items| items.sort_by_key(|field| field.item.as_ref().map(|item| item.index)));
        Self { fields, by_path, items }
    }

    /// Returns the fields, in order.
    pub fn fields(&self) -> &'a [Field] {
        self.fields
    }

    /// Returns the field with the path.
    pub fn get(&self, path: &str) -> Option<&'a Field> {
        self.by_path.get(path).map(|position| &self.fields[*position])
    }

    /// Returns the title of the field with the path; the path itself if there is no such field.
    pub fn title(&self, path: &str) -> String {
        self.get(path).map_or_else(|| path.to_owned(), |field| field.title.clone())
    }

    /// Returns the field matching a path, the end of a path, or a title, if unique.
    ///
    /// Returns [`Error::UnknownField`] with similar fields otherwise.
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

    /// Returns the value of a dependency, or of the part named; `None` if the field does not exist.
    ///
    /// The value of a list field is the list of the values of its items; `#/lessons/*/title` means the title of each
    /// entry.
    pub fn value(&self, dependency: &str) -> Option<Value> {
        let (path, pointer) = split(dependency);
        let field = self.get(path)?;
        if field.is_pattern() {
            let whole: Value = self.items(path).map(|item| item.value.clone()).collect::<Vec<_>>().into();
            return Some(part(&whole, pointer));
        }
        // Clones only the part: a list of a thousand entries has a thousand dependents.
        Some(part(&field.value, pointer))
    }

    /// Returns the value of an input as `field` sees it: of a research with `?relevant`, the findings that concern the
    /// field; otherwise as [`value`](Self::value).
    pub fn input(&self, field: &Field, dependency: &str) -> Option<Value> {
        let input = FieldInput::parse(dependency);
        if !input.is_relevant {
            return self.value(dependency);
        }
        self.get(input.path)?;
        Some(serde_json::to_value(notes::concerning(self, field)).expect("notes are plain data"))
    }

    /// Returns an iterator over the items of a list field, in the order of the list.
    pub fn items(&self, pattern: &str) -> impl Iterator<Item = &'a Field> {
        self.items.get(pattern).into_iter().flatten().copied()
    }

    /// Returns the fields from which a field is made; for a list field, also its items.
    pub fn sources(&self, field: &'a Field) -> Vec<&'a Field> {
        self.named(field).flat_map(|source| std::iter::once(source).chain(self.items(&source.path))).collect()
    }

    /// Returns the fields named by the dependencies of a field.
    fn named(&self, field: &'a Field) -> impl Iterator<Item = &'a Field> {
        field.depends_on.iter().chain(&field.each).flat_map(|dependency| self.named_by(dependency))
    }

    /// Returns the fields named by a dependency: its field, and with `?relevant` every report of a research.
    fn named_by(&self, dependency: &str) -> impl Iterator<Item = &'a Field> {
        let input = FieldInput::parse(dependency);
        let reports = self.fields.iter().filter(move |other| input.is_relevant && citation::holds_research(other));
        self.get(input.path).into_iter().chain(reports.filter(move |other| other.path != input.path))
    }

    /// Returns the predecessors of a field: its sources; for a list field, also its items.
    fn before(&self, field: &'a Field) -> impl Iterator<Item = &'a Field> {
        self.named(field).chain(self.items(&field.path))
    }

    /// Returns the fields in topological order, and the fields without such an order, in or behind a cycle. Linear in
    /// fields and dependencies.
    fn order(&self) -> (Vec<&'a Field>, Vec<&'a Field>) {
        let place = |field: &Field| self.by_path[field.path.as_str()];
        let mut waits = vec![0_usize; self.fields.len()];
        let mut after: Vec<Vec<usize>> = vec![Vec::new(); self.fields.len()];
        for (at, field) in self.fields.iter().enumerate() {
            for source in self.before(field) {
                waits[at] += 1;
                after[place(source)].push(at);
            }
        }
        let mut order: Vec<usize> = (0..self.fields.len()).filter(|at| waits[*at] == 0).collect();
        let mut next = 0;
        while let Some(at) = order.get(next).copied() {
            next += 1;
            for later in &after[at] {
                waits[*later] -= 1;
                if waits[*later] == 0 {
                    order.push(*later);
                }
            }
        }
        let left = self.fields.iter().enumerate().filter(|(at, _)| waits[*at] > 0).map(|(_, field)| field).collect();
        (order.into_iter().map(|at| &self.fields[at]).collect(), left)
    }

    /// Returns the dependencies of a field changed since the field was made. Empty for a field without a value. Digests
    /// are cached in `known`.
    fn changed(&self, field: &'a Field, known: &mut Digests<'a>) -> Vec<String> {
        if field.is_empty() {
            return Vec::new();
        }
        let is_changed = |dependency: &&'a String| {
            if FieldInput::parse(dependency).is_relevant {
                let now = self.input(field, dependency).map(|value| digest(&value));
                return field.made_from.get(*dependency) != now.as_ref();
            }
            let now =
                known.entry(dependency.as_str()).or_insert_with(|| self.value(dependency).map(|value| digest(&value)));
            field.made_from.get(*dependency) != now.as_ref()
        };
        field.depends_on.iter().filter(is_changed).cloned().collect()
    }

    /// Returns the current digest of each dependency of a field.
    pub fn made_from(&self, field: &Field) -> BTreeMap<String, String> {
        let known = |dependency: &String| Some((dependency.clone(), digest(&self.input(field, dependency)?)));
        field.depends_on.iter().filter_map(known).collect()
    }

    /// Returns the status of each field, by path.
    ///
    /// The status of a list field is the least complete status of its items. Linear in fields and dependencies.
    pub fn statuses(&self) -> BTreeMap<&'a str, Status> {
        self.statuses_and_digests().0
    }

    fn statuses_and_digests(&self) -> (BTreeMap<&'a str, Status>, Digests<'a>) {
        let (mut statuses, mut digests) = (BTreeMap::new(), Digests::new());
        let (order, left) = self.order();
        // Cycles are rejected by validation; here a cycle only must not loop forever.
        for field in order.into_iter().chain(left) {
            let status = self.status_by(field, &statuses, &mut digests);
            statuses.insert(field.path.as_str(), status);
        }
        (statuses, digests)
    }

    /// Returns the status of a field.
    pub fn status(&self, field: &'a Field) -> Status {
        self.statuses()[field.path.as_str()]
    }

    /// Returns the status of a field, given the status of its sources.
    fn status_by(&self, field: &'a Field, known: &BTreeMap<&str, Status>, digests: &mut Digests<'a>) -> Status {
        let of = |field: &Field| known.get(field.path.as_str()).copied().unwrap_or(Status::Empty);
        if field.is_pattern() {
            let (mut least, mut is_stale) = (None, false);
            for status in self.items(&field.path).map(of) {
                is_stale |= status == Status::Stale;
                least = Some(least.map_or(status, |least: Status| least.min(status)));
            }
            return if is_stale { Status::Stale } else { least.unwrap_or(Status::Empty) };
        }
        if field.is_empty() {
            return Status::Empty;
        }
        let is_stale = self.named(field).any(|source| of(source) == Status::Stale);
        match (is_stale || !self.changed(field, digests).is_empty(), field.is_confirmed) {
            (true, _) => Status::Stale,
            (false, true) => Status::Confirmed,
            (false, false) => Status::Draft,
        }
    }

    /// Returns the fields as rows, in order.
    pub fn rows(&self) -> Vec<Row> {
        let (statuses, mut digests) = self.statuses_and_digests();
        let mut row = |field: &'a Field| Row {
            path: field.path.clone(),
            title: field.title.clone(),
            phase: field.phase.clone(),
            status: statuses[field.path.as_str()],
            version: field.version,
            length: length(&self.value(&field.path).unwrap_or_default()),
            depends_on: field.depends_on.clone(),
            because: if statuses[field.path.as_str()] == Status::Stale {
                self.because(field, &statuses, &mut digests)
            } else {
                Vec::new()
            },
        };
        self.fields
            .iter()
            .filter(|field| !field.is_pattern() || self.items(&field.path).next().is_none())
            .map(&mut row)
            .collect()
    }

    /// Returns why a stale field is stale: changed dependencies, and stale sources.
    fn because(&self, field: &'a Field, statuses: &BTreeMap<&str, Status>, digests: &mut Digests<'a>) -> Vec<String> {
        let mut because = self.changed(field, digests);
        for source in self.named(field) {
            let is_named = because.iter().any(|named| split(named).0 == source.path);
            if statuses[source.path.as_str()] != Status::Stale || is_named {
                continue;
            }
            if !source.is_pattern() {
                because.push(source.path.clone());
                continue;
            }
            // For a list, the stale items.
            let items = self.items(&source.path).filter(|item| statuses[item.path.as_str()] == Status::Stale);
            because.extend(items.map(|item| item.path.clone()));
        }
        because
    }

    /// Returns the stale fields, in order.
    pub fn stale(&self) -> Vec<&'a Field> {
        let statuses = self.statuses();
        let is_stale = |field: &&Field| !field.is_pattern() && statuses[field.path.as_str()] == Status::Stale;
        self.fields.iter().filter(is_stale).collect()
    }

    /// Returns the fields that are stale because of the fields `changed`, directly or through other stale fields, in
    /// order. What was made together with them is not among these.
    pub fn stale_by(&self, changed: &[String]) -> Vec<&'a Field> {
        let (statuses, mut digests) = self.statuses_and_digests();
        let mut reached: BTreeSet<&str> = changed.iter().map(String::as_str).collect();
        let mut found: BTreeSet<&str> = BTreeSet::new();
        let (order, left) = self.order();
        for field in order.into_iter().chain(left) {
            let path = field.path.as_str();
            if field.is_pattern() || statuses[path] != Status::Stale || reached.contains(path) {
                continue;
            }
            let because = self.because(field, &statuses, &mut digests);
            let is_by = |dependency: &String| {
                let mut sources = self.named_by(dependency).chain(self.items(split(dependency).0));
                sources.any(|source| reached.contains(source.path.as_str()))
            };
            if because.iter().any(is_by) {
                reached.insert(path);
                found.insert(path);
            }
        }
        self.fields.iter().filter(|field| found.contains(field.path.as_str())).collect()
    }

    /// Returns the direct and indirect dependents of the field with the path, in order.
    pub fn dependents(&self, path: &str) -> Vec<&'a Field> {
        let mut made_of: BTreeMap<&str, Vec<&'a Field>> = BTreeMap::new();
        for field in self.fields {
            for source in self.named(field) {
                made_of.entry(&source.path).or_default().push(field);
            }
        }
        let mut reached = BTreeSet::from([path]);
        let mut lists = BTreeSet::new();
        let mut next: Vec<&str> = vec![path];
        while let Some(at) = next.pop() {
            let mut reach = |field: &'a Field| {
                if reached.insert(&field.path) {
                    next.push(&field.path);
                }
            };
            made_of.get(at).into_iter().flatten().for_each(|field| reach(field));
            let Some(field) = self.get(at) else { continue };
            // A dependent of a list depends on each of its items.
            if let Some(item) = field.item.as_ref().filter(|item| lists.insert(item.of.as_str())) {
                made_of.get(item.of.as_str()).into_iter().flatten().for_each(|field| reach(field));
            }
            if at != path {
                self.items(at).for_each(reach);
            }
        }
        self.fields.iter().filter(|field| field.path != path && reached.contains(field.path.as_str())).collect()
    }

    /// Returns the fields of `wanted` which can be made now, in order: no direct or indirect source is in `wanted`. The
    /// fields are independent, so that concurrent execution is possible.
    pub fn ready(&self, wanted: &BTreeSet<String>) -> Vec<&'a Field> {
        let is_wanted = |field: &Field| !field.is_pattern() && wanted.contains(&field.path);
        let mut waiting: BTreeSet<&str> = BTreeSet::new();
        let waits = |field: &'a Field, waiting: &BTreeSet<&str>| {
            self.before(field).any(|source| is_wanted(source) || waiting.contains(source.path.as_str()))
        };
        let (order, left) = self.order();
        for field in order {
            if waits(field, &waiting) {
                waiting.insert(&field.path);
            }
        }
        waiting.extend(left.into_iter().map(|field| field.path.as_str()));
        self.fields.iter().filter(|field| is_wanted(field) && !waiting.contains(field.path.as_str())).collect()
    }

    /// Returns the fields of a phase still to be made: empty fields, and with `stale` also stale fields.
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

    /// Validates the fields: returns an error for a duplicate path, an unknown dependency, or a cycle.
    pub fn check(&self) -> Result<(), Error> {
        if let Some(field) = self.fields.iter().enumerate().find(|(at, field)| self.by_path[field.path.as_str()] != *at)
        {
            return Err(Error::Twice { path: field.1.path.clone() });
        }
        for field in self.fields {
            let is_previous = |dependency: &&String| field.is_pattern() && *dependency == PREVIOUS;
            for dependency in field.depends_on.iter().chain(&field.each).filter(|it| !is_previous(it)) {
                if self.get(split(dependency).0).is_none() {
                    return Err(Error::UnknownDependency { path: field.path.clone(), dependency: dependency.clone() });
                }
            }
            jsonschema::meta::validate(&field.schema)
                .map_err(|error| Error::BadSchema { path: field.path.clone(), message: error.to_string() })?;
        }
        let (_, left) = self.order();
        let Some(first) = left.first() else { return Ok(()) };
        // Each remaining field waits for another remaining field, so there is a cycle.
        let waiting: BTreeSet<&str> = left.iter().map(|field| field.path.as_str()).collect();
        let mut way: Vec<&str> = Vec::new();
        let mut at: &Field = first;
        loop {
            if let Some(begin) = way.iter().position(|path| *path == at.path) {
                let cycle = way[begin..].iter().chain([&at.path.as_str()]).map(|path| (*path).to_owned()).collect();
                return Err(Error::Cycle { cycle });
            }
            way.push(&at.path);
            let Some(next) = self.before(at).find(|source| waiting.contains(source.path.as_str())) else {
                return Ok(());
            };
            at = next;
        }
    }
}

/// Returns the part of a value at a JSON Pointer; `/*/` means every entry of a list. `null` if there is none.
fn part(value: &Value, pointer: &str) -> Value {
    let Some((list, rest)) = pointer.split_once("/*") else {
        return value.pointer(pointer).cloned().unwrap_or_default();
    };
    match value.pointer(list) {
        Some(Value::Array(entries)) => entries.iter().map(|entry| part(entry, rest)).collect(),
        _ => Value::Null,
    }
}

/// The current digest of each dependency; `None` if the field does not exist.
type Digests<'a> = BTreeMap<&'a str, Option<String>>;

/// Returns the length of a value as text, as editors count.
fn length(value: &Value) -> usize {
    let mut texts = Vec::new();
    collect(value, &mut texts);
    texts.into_iter().map(own_count).sum()
}

/// Appends every text in a value, in order.
fn collect<'v>(value: &'v Value, texts: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(entries) => entries.iter().for_each(|entry| collect(entry, texts)),
        Value::Object(members) => members.values().for_each(|value| collect(value, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

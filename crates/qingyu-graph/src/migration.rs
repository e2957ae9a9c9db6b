//! Migration of threads from an older graph to the current version.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use crate::blueprint::{Blueprint, join_key};
use crate::error::Error;
use crate::journal::{CheckpointMark, RebuiltCheckpoint};
use crate::state::Values;
use crate::store::{JournalRecord, RecordKind};
use crate::task_id::TaskId;
use crate::topology::Topology;

/// A migration of threads stored by one version of a graph to another version.
///
/// A version is the argument of `Graph::version`, or by default a fingerprint of nodes, edges and channels,
/// `CompiledGraph::version`. Changes are applied in the order of the calls. Stored records are not rewritten;
/// the thread's next checkpoint has the current version.
#[derive(Clone)]
pub struct Migration {
    from: String,
    to: String,
    changes: Vec<MigrationChange>,
}

#[derive(Clone)]
enum MigrationChange {
    Node { old: String, new: String },
    Channel { old: String, new: String },
    Values { channel: String, convert: Convert },
}

/// Converts the value of a channel, or returns an error message.
type Convert = Arc<dyn Fn(Value) -> Result<Value, String> + Send + Sync>;

impl Migration {
    /// Returns a migration between two versions, without changes yet.
    pub fn new(from: impl Into<String>, to: impl Into<String>) -> Self {
        Self { from: from.into(), to: to.into(), changes: Vec::new() }
    }

    /// Renames the node `old` to `new`, with stored steps, questions and results.
    #[must_use]
    pub fn rename_node(self, old: impl Into<String>, new: impl Into<String>) -> Self {
        self.with(MigrationChange::Node { old: old.into(), new: new.into() })
    }

    /// Renames the channel `old` to `new`.
    #[must_use]
    pub fn rename_channel(self, old: impl Into<String>, new: impl Into<String>) -> Self {
        self.with(MigrationChange::Channel { old: old.into(), new: new.into() })
    }

    /// Converts the values of a channel: the value in the state, and the values written by finished nodes.
    #[must_use]
    pub fn convert(
        self,
        channel: impl Into<String>,
        convert: impl Fn(Value) -> Result<Value, String> + Send + Sync + 'static,
    ) -> Self {
        self.with(MigrationChange::Values { channel: channel.into(), convert: Arc::new(convert) })
    }

    fn with(mut self, change: MigrationChange) -> Self {
        self.changes.push(change);
        self
    }
}

impl fmt::Debug for Migration {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Migration").field("from", &self.from).field("to", &self.to).finish_non_exhaustive()
    }
}

/// The registered migrations of a graph.
#[derive(Debug, Default)]
pub(crate) struct GraphMigrations {
    pub(crate) present: String,
    pub(crate) known: Vec<Migration>,
}

impl GraphMigrations {
    /// Returns the migrations from a stored version to the current version; empty if no chain exists or none is needed.
    pub(crate) fn way(&self, stored: &Blueprint) -> Vec<&Migration> {
        let mut way = Vec::new();
        if self.known.is_empty() {
            return way;
        }
        let mut version = stored.version();
        while version != self.present {
            let next = self.known.iter().find(|migration| migration.from == version);
            // A cycle never reaches the current version.
            let Some(next) = next.filter(|_| way.len() < self.known.len()) else { return Vec::new() };
            way.push(next);
            version.clone_from(&next.to);
        }
        way
    }
}

/// Applies migrations to a checkpoint.
pub(crate) fn migrate(way: &[&Migration], rebuilt: &mut RebuiltCheckpoint) -> Result<(), Error> {
    for change in way.iter().flat_map(|migration| &migration.changes) {
        change.apply_to_mark(&mut rebuilt.mark);
        change.apply_to_values(&mut rebuilt.values)?;
    }
    Ok(())
}

/// Applies migrations to the records of the current superstep.
pub(crate) fn migrate_pending(way: &[&Migration], records: &mut [JournalRecord]) -> Result<(), Error> {
    for change in way.iter().flat_map(|migration| &migration.changes) {
        for record in &mut *records {
            change.apply_to_record(record)?;
        }
    }
    Ok(())
}

/// Returns the names in a migrated checkpoint that the graph does not have.
pub(crate) fn misfits(mark: &CheckpointMark, topology: &Topology) -> Vec<String> {
    let nodes = mark.next.iter().map(|task| &task.node).chain(&mark.deferred);
    let nodes = nodes.filter(|node| !topology.index.contains_key(*node)).map(|node| format!("node {node} is gone"));
    let joins = mark.joins.keys().filter(|key| !topology.joins.iter().any(|join| join.key == **key));
    nodes.chain(joins.map(|join| format!("edge {join} is gone"))).collect()
}

impl MigrationChange {
    fn apply_to_mark(&self, mark: &mut CheckpointMark) {
        if let Self::Node { .. } = self {
            for task in &mut mark.next {
                task.node = self.node(&task.node);
            }
            mark.deferred = mark.deferred.iter().map(|node| self.node(node)).collect();
            mark.joins = std::mem::take(&mut mark.joins).into_iter().map(|join| self.join(join)).collect();
            let place = |place: String| match place.split_once('|') {
                Some((node, key)) => format!("{}|{key}", self.node(node)),
                None => self.node(&place).to_string(),
            };
            mark.memories =
                std::mem::take(&mut mark.memories).into_iter().map(|(at, scope)| (place(at), scope)).collect();
        }
    }

    fn apply_to_values(&self, values: &mut Values) -> Result<(), Error> {
        match self {
            Self::Node { .. } => {}
            Self::Channel { old, new } => {
                if let Some(value) = values.remove(old) {
                    values.insert(new.clone(), value);
                }
            }
            Self::Values { channel, convert } => {
                if let Some(value) = values.get_mut(channel) {
                    *value = converted(channel, convert, value.take())?;
                }
            }
        }
        Ok(())
    }

    fn apply_to_record(&self, record: &mut JournalRecord) -> Result<(), Error> {
        if let (Self::Node { .. }, Ok(task)) = (self, TaskId::try_from(record.task.clone())) {
            record.task = TaskId { node: self.node(&task.node), ..task }.to_string();
        }
        if record.kind != RecordKind::Writes {
            return Ok(());
        }
        let corrupt = |error: serde_json::Error| Error::Corrupt { reason: format!("the stored writes: {error}") };
        let mut writes: Value = serde_json::from_str(&record.body).map_err(corrupt)?;
        self.apply_to_writes(&mut writes)?;
        record.body = writes.to_string();
        Ok(())
    }

    /// Applies the changes to `{"update": {channel: {"set" | "add": value}}, "way": {kind: [node]}, "sends": [{"node":
    /// ..}]}`.
    fn apply_to_writes(&self, writes: &mut Value) -> Result<(), Error> {
        match self {
            Self::Node { .. } => {
                let chosen = writes["way"].as_object_mut().into_iter().flat_map(|way| way.values_mut());
                let chosen = chosen.filter_map(Value::as_array_mut).flatten();
                for name in chosen {
                    *name = name.as_str().map_or(Value::Null, |name| self.node(name).as_ref().into());
                }
                let sends = writes.get_mut("sends").and_then(Value::as_array_mut).into_iter().flatten();
                for sent in sends {
                    sent["node"] = sent["node"].as_str().map_or(Value::Null, |name| self.node(name).as_ref().into());
                }
            }
            Self::Channel { .. } => {
                if let Some(update) = writes["update"].as_object_mut() {
                    self.apply_to_values(update)?;
                }
            }
            Self::Values { channel, convert } => {
                let write = writes["update"].get_mut(channel).and_then(Value::as_object_mut);
                for value in write.into_iter().flat_map(|write| write.values_mut()) {
                    *value = converted(channel, convert, value.take())?;
                }
            }
        }
        Ok(())
    }

    /// Returns the current name of a node.
    fn node(&self, name: &str) -> Arc<str> {
        match self {
            Self::Node { old, new } if old == name => new.as_str().into(),
            _ => name.into(),
        }
    }

    fn join(&self, (key, seen): (String, BTreeSet<Arc<str>>)) -> (String, BTreeSet<Arc<str>>) {
        let (sources, to) = key.rsplit_once(" -> ").unwrap_or(("", &key));
        let sources = sources.split(" + ").map(|source| self.node(source).to_string()).collect();
        (join_key(&sources, &self.node(to)), seen.iter().map(|node| self.node(node)).collect())
    }
}

fn converted(channel: &str, convert: &Convert, value: Value) -> Result<Value, Error> {
    convert(value).map_err(|reason| Error::Corrupt { reason: format!("`{channel}` cannot be converted: {reason}") })
}

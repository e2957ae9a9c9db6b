//! Who sees every commit and every execution, and says which promise was broken.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::Duration;

use qingyu_graph::store::{JournalRecord, MemoryStore, RecordKind, ThreadLease};
use qingyu_graph::{Store, ThreadId};
use tokio::time::Instant;

use super::wire::Sender;
use crate::random::Task;

/// Notes what has become durable, and what hosts do in the light of it.
#[derive(Debug, Default)]
pub(crate) struct Referee(Mutex<Notes>);

#[derive(Debug, Default)]
struct Notes {
    threads: BTreeMap<ThreadId, Durable>,
    /// What was durable when a host got its present lease of a thread.
    basis: BTreeMap<(Sender, ThreadId), Progress>,
    /// Every append that a host was told is stored, by its last position.
    acknowledged: Vec<(ThreadId, u64, Vec<JournalRecord>)>,
    counts: Counts,
    broken: Option<String>,
}

/// How much happened.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) commits: u64,
    pub(crate) executions: u64,
    /// Executions that began after somebody else had stored their result; allowed, since a host can freeze before it
    /// hears of it.
    pub(crate) late: u64,
}

impl Counts {
    pub(crate) fn and(&self, other: &Self) -> Self {
        Self {
            commits: self.commits + other.commits,
            executions: self.executions + other.executions,
            late: self.late + other.late,
        }
    }
}

/// A thread as the store has it.
#[derive(Debug, Default)]
struct Durable {
    epoch: u64,
    /// Until when the lease lasts, if somebody has it.
    held: Option<Instant>,
    progress: Progress,
}

#[derive(Debug, Default, Clone)]
struct Progress {
    /// The position of the newest checkpoint.
    head: u64,
    /// Its superstep; `None` before the first.
    superstep: Option<i64>,
    /// The tasks of the superstep after it whose writes are stored.
    finished: BTreeSet<String>,
    /// The steps of that superstep by task and key.
    steps: BTreeSet<(String, String)>,
    answers: BTreeSet<(String, String)>,
}

impl Referee {
    pub(crate) fn broken(&self) -> Option<String> {
        self.0.lock().unwrap().broken.clone()
    }

    pub(crate) fn counts(&self) -> Counts {
        self.0.lock().unwrap().counts
    }

    /// Says that a promise is broken; only the first counts.
    pub(crate) fn blame(&self, why: String) {
        self.0.lock().unwrap().broken.get_or_insert(why);
    }

    pub(crate) fn acquired(&self, host: Sender, lease: &ThreadLease, duration: Duration) {
        let notes = &mut *self.0.lock().unwrap();
        let durable = notes.threads.entry(lease.thread.clone()).or_default();
        let now = Instant::now();
        if durable.held.is_some_and(|until| until > now) {
            notes.broken.get_or_insert(format!("P4: the lease of {} was given away while it lasted", lease.thread));
        }
        if lease.epoch <= durable.epoch {
            notes.broken.get_or_insert(format!("P4: the epoch of {} did not grow", lease.thread));
        }
        (durable.epoch, durable.held) = (lease.epoch, Some(now + duration));
        notes.basis.insert((host, lease.thread.clone()), durable.progress.clone());
    }

    pub(crate) fn renewed(&self, lease: &ThreadLease, duration: Duration) {
        let mut notes = self.0.lock().unwrap();
        let durable = notes.threads.entry(lease.thread.clone()).or_default();
        durable.held = Some(Instant::now() + duration);
    }

    pub(crate) fn released(&self, lease: &ThreadLease) {
        let mut notes = self.0.lock().unwrap();
        let durable = notes.threads.entry(lease.thread.clone()).or_default();
        if durable.epoch == lease.epoch {
            durable.held = None;
        }
    }

    /// Some records of `lease` have been stored, the last of them at `position`.
    pub(crate) fn committed(&self, lease: &ThreadLease, position: u64, records: &[JournalRecord]) {
        let notes = &mut *self.0.lock().unwrap();
        notes.counts.commits += 1;
        let durable = notes.threads.entry(lease.thread.clone()).or_default();
        if lease.epoch != durable.epoch {
            let why = format!("P4: {} took a commit of epoch {} in epoch {}", lease.thread, lease.epoch, durable.epoch);
            notes.broken.get_or_insert(why);
        }
        let first = position + 1 - records.len() as u64;
        for (record, position) in records.iter().zip(first..) {
            if let Err(why) = durable.progress.add(record, position) {
                notes.broken.get_or_insert(format!("P2: in {}, {why}", lease.thread));
            }
            if record.kind == RecordKind::Discard {
                // Whoever reads the thread from now on has to execute these again, whenever its lease began.
                let others = notes.basis.iter_mut().filter(|((_, thread), _)| *thread == lease.thread);
                others.for_each(|(_, basis)| basis.finished.clear());
            }
        }
    }

    pub(crate) fn acknowledged(&self, thread: &ThreadId, position: u64, records: &[JournalRecord]) {
        self.0.lock().unwrap().acknowledged.push((thread.clone(), position, records.to_vec()));
    }

    /// A host has begun to execute a task.
    pub(crate) fn began(&self, host: Sender, thread: &ThreadId, task: &Task) {
        let notes = &mut *self.0.lock().unwrap();
        notes.counts.executions += 1;
        let Some(basis) = notes.basis.get(&(host, thread.clone())) else {
            notes.broken.get_or_insert(format!("P4: {task:?} of {thread} ran without a lease"));
            return;
        };
        if basis.has(task) {
            notes.broken.get_or_insert(format!("P2: {task:?} of {thread} ran again after its result was stored"));
        }
        if notes.threads.get(thread).is_some_and(|durable| durable.progress.has(task)) {
            notes.counts.late += 1;
        }
    }

    /// A host has paid for the step of a task.
    pub(crate) fn paid(&self, host: Sender, thread: &ThreadId, task: &Task) {
        let notes = &mut *self.0.lock().unwrap();
        let step = (task.node.clone(), "paid".to_owned());
        let basis = notes.basis.get(&(host, thread.clone()));
        let again = basis.is_some_and(|basis| {
            // Which of several sends it is cannot be told from the record.
            basis.superstep == Some(task.superstep - 1) && task.sent.is_none() && basis.steps.contains(&step)
        });
        if again {
            notes.broken.get_or_insert(format!("P6: the step of {task:?} of {thread} was paid for twice"));
        }
    }

    /// Whether everything that was acknowledged is there.
    pub(crate) async fn check_acknowledged(&self, store: &MemoryStore) {
        let acknowledged = std::mem::take(&mut self.0.lock().unwrap().acknowledged);
        for (thread, position, records) in acknowledged {
            let first = position + 1 - records.len() as u64;
            let found = store.records(&thread, first - 1, records.len()).await.unwrap();
            let wanted: Vec<_> = (first..).zip(records).collect();
            if found != wanted {
                self.blame(format!("P1: what {thread} acknowledged at {first}–{position} is not there"));
                return;
            }
        }
    }
}

impl Progress {
    /// Takes a record in, if it may come now.
    fn add(&mut self, record: &JournalRecord, position: u64) -> Result<(), String> {
        if record.parent != self.head {
            return Err(format!(
                "the {} at {position} follows {}, not {}",
                record.kind.name(),
                record.parent,
                self.head
            ));
        }
        let key = || (record.task.clone(), record.key.clone());
        let is_new = match record.kind {
            RecordKind::Snapshot | RecordKind::Delta => {
                let superstep = self.superstep.map_or(-1, |superstep| superstep + 1);
                *self = Self { head: position, superstep: Some(superstep), ..Self::default() };
                true
            }
            RecordKind::Writes => self.finished.insert(record.task.clone()),
            RecordKind::Step => self.steps.insert(key()),
            RecordKind::Answer => self.answers.insert(key()),
            RecordKind::Discard => {
                self.finished.clear();
                true
            }
            RecordKind::Question | RecordKind::Failure | RecordKind::Pause => true,
        };
        if is_new { Ok(()) } else { Err(format!("the {} of {:?} is stored twice", record.kind.name(), key())) }
    }

    /// Whether the result of `task` is stored. Of sends it is known only when their superstep is.
    fn has(&self, task: &Task) -> bool {
        let Some(superstep) = self.superstep else { return false };
        let is_finished = task.sent.is_none() && self.finished.contains(&task.node);
        task.superstep <= superstep || (task.superstep == superstep + 1 && is_finished)
    }
}

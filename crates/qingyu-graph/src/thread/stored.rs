//! A thread in a store, whatever the state of its graph: start, resume, answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::future::BoxFuture;
use serde_json::Value;

use super::snapshot::Snapshot;
use crate::any_state::{AnyState, AnyUpdate};
use crate::compiled::CompiledParts;
use crate::error::Error;
use crate::journal::{
    CheckpointChange, Durability, OpenQuestion, PendingSuperstep, ReplayWeight, Source, ThreadJournalWriter,
};
use crate::lease::HeldLease;
use crate::loaded::LoadedThread;
use crate::ready::{ReadyThread, first_checkpoint, new_run};
use crate::run::SpawnedRun;
use crate::settings::{OnUnfinished, RunSettings};
use crate::state::Delta;
use crate::store::{CheckpointJournal, Store, ThreadId};
use crate::task_id::TaskId;

/// A thread in a store, whatever the state of its graph.
#[derive(Debug, Clone)]
pub(super) struct AnyThread {
    pub(super) graph: Arc<CompiledParts>,
    pub(super) store: Arc<dyn Store>,
    pub(super) id: ThreadId,
    pub(super) settings: RunSettings,
}

impl AnyThread {
    pub(super) fn new(graph: Arc<CompiledParts>, store: Arc<dyn Store>, id: ThreadId) -> Self {
        Self { graph, store, id, settings: RunSettings::default() }
    }

    pub(super) async fn start(&self, input: AnyUpdate) -> Result<SpawnedRun, Error> {
        self.run(|loaded, writer| Box::pin(self.begin(input, loaded, writer))).await
    }

    pub(super) async fn start_new(&self, input: AnyUpdate) -> Result<SpawnedRun, Error> {
        self.run(|loaded, writer| match loaded {
            Some(_) => Box::pin(async { Err(Error::ThreadExists { thread: self.id.to_string() }) }),
            None => Box::pin(self.begin(input, None, writer)),
        })
        .await
    }

    pub(super) async fn resume(&self, answers: GivenAnswers) -> Result<SpawnedRun, Error> {
        self.run(|loaded, writer| Box::pin(self.go_on(answers, loaded, writer))).await
    }

    pub(super) async fn snapshot(&self) -> Result<Option<Snapshot<AnyState>>, Error> {
        let Some(journal) = self.store.newest(&self.id, "").await? else { return Ok(None) };
        Ok(Some(Snapshot::of(LoadedThread::read(journal, &self.graph)?)))
    }

    /// Acquires the lease, prepares the thread with `prepare`, and spawns a driver.
    async fn run<'a>(
        &'a self,
        prepare: impl FnOnce(Option<LoadedThread>, ThreadJournalWriter) -> ThreadPreparation<'a, ReadyThread>,
    ) -> Result<SpawnedRun, Error> {
        let read = |journal| LoadedThread::read(journal, &self.graph);
        let (held, ready) = self.hold(self.settings.durability, read, prepare).await?;
        Ok(self.spawn(held, ready))
    }

    /// Spawns a driver for a prepared thread.
    pub(super) fn spawn(&self, held: HeldLease, ready: ReadyThread) -> SpawnedRun {
        SpawnedRun::spawn(Arc::clone(&self.graph), self.settings.clone(), self.id.as_str(), ready, Some(held))
    }

    /// Acquires the lease and calls `work` with the result of `read` for the newest checkpoint. On an error the lease
    /// is released at once.
    pub(super) async fn hold<'a, L, T>(
        &'a self,
        durability: Durability,
        read: impl FnOnce(CheckpointJournal) -> Result<L, Error>,
        work: impl FnOnce(Option<L>, ThreadJournalWriter) -> ThreadPreparation<'a, T>,
    ) -> Result<(HeldLease, T), Error> {
        let held = HeldLease::acquire(Arc::clone(&self.store), &self.id, self.settings.lease).await?;
        let prepared = async {
            let newest = self.store.newest(&self.id, "").await?;
            let (store, clock) = (Arc::clone(&self.store), Arc::clone(&self.settings.clock));
            let mut writer = ThreadJournalWriter::new(store, held.lease(), durability, clock);
            if let Some(journal) = &newest {
                writer.build_on(journal.head, journal.branch());
            }
            work(newest.map(read).transpose()?, writer).await
        };
        match prepared.await {
            Ok(done) => Ok((held, done)),
            Err(error) => {
                held.release().await;
                Err(error)
            }
        }
    }

    async fn begin(
        &self,
        input: AnyUpdate,
        loaded: Option<LoadedThread>,
        mut writer: ThreadJournalWriter,
    ) -> Result<ReadyThread, Error> {
        let graph = &self.graph;
        let mut whole = true;
        let mut weight = ReplayWeight::default();
        let mut before = None;
        if let Some(loaded) = loaded {
            let finished = loaded.checkpoint.next.is_empty();
            if !finished && self.settings.on_unfinished == OnUnfinished::Reject {
                let next = loaded.checkpoint.next.iter().map(ToString::to_string).collect();
                return Err(Error::Unfinished { thread: self.id.to_string(), next });
            }
            self.refuse_changed(&loaded, true)?;
            whole = loaded.graph != graph.blueprint;
            weight = loaded.weight;
            before = Some(loaded.checkpoint);
        }
        let mut delta = Delta::default();
        let run = new_run();
        let mut checkpoint = first_checkpoint(graph, &run, before, input, Some(&mut delta))?;
        self.settings.breakpoints.mark(&mut checkpoint, []);
        let change = CheckpointChange { source: Source::Input, delta, graph: &graph.blueprint, whole };
        writer.checkpoint(&checkpoint, change, &mut weight, Vec::new()).await?;
        Ok(ReadyThread { run, checkpoint, pending: PendingSuperstep::default(), weight, writer: Some(writer) })
    }

    async fn go_on(
        &self,
        answers: GivenAnswers,
        loaded: Option<LoadedThread>,
        writer: ThreadJournalWriter,
    ) -> Result<ReadyThread, Error> {
        let thread = || self.id.to_string();
        let loaded = loaded.ok_or_else(|| Error::NoSuchThread { thread: thread() })?;
        self.refuse_changed(&loaded, loaded.checkpoint.next.is_empty())?;
        let LoadedThread { checkpoint, mut pending, weight, .. } = loaded;
        let open: Vec<(TaskId, OpenQuestion)> = pending
            .questions
            .iter()
            .flat_map(|(task, asked)| asked.iter().map(|asked| (task.clone(), asked.clone())))
            .collect();
        let mut records = Vec::new();
        for (id, value) in answers.by_id(&open, thread)? {
            let found = open.iter().find(|(_, asked)| asked.question.id == id);
            let (task, asked) = found.ok_or_else(|| Error::NoSuchQuestion { thread: thread(), id })?;
            records.push(writer.answer(task, asked, value.clone())?);
            pending.answer(task, &asked.slot, value);
        }
        if !records.is_empty() {
            writer.append(records, Vec::new()).await?;
        }
        Ok(ReadyThread { run: new_run(), checkpoint, pending, weight, writer: Some(writer) })
    }

    /// Returns an error if the graph differs from the stored graph.
    pub(super) fn refuse_changed(&self, loaded: &LoadedThread, finished: bool) -> Result<(), Error> {
        loaded.refuse_changed(self.id.as_str(), &self.graph.blueprint, finished)
    }
}

/// The work on a held thread before its run.
pub(super) type ThreadPreparation<'a, T> = BoxFuture<'a, Result<T, Error>>;

/// The answers that a caller resumes a thread with.
pub(super) enum GivenAnswers {
    None,
    Single(Value),
    ById(BTreeMap<String, Value>),
}

impl GivenAnswers {
    fn by_id(
        self,
        open: &[(TaskId, OpenQuestion)],
        thread: impl Fn() -> String,
    ) -> Result<BTreeMap<String, Value>, Error> {
        match (self, open) {
            (Self::None, _) => Ok(BTreeMap::new()),
            (Self::ById(answers), _) => Ok(answers),
            (Self::Single(value), [(_, asked)]) => Ok(BTreeMap::from([(asked.question.id.clone(), value)])),
            (Self::Single(_), []) => Err(Error::NoSuchQuestion { thread: thread(), id: "-".to_owned() }),
            (Self::Single(_), several) => Err(Error::SeveralQuestions {
                thread: thread(),
                ids: several.iter().map(|(_, asked)| asked.question.id.clone()).collect(),
            }),
        }
    }
}

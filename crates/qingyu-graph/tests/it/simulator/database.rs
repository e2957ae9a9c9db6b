//! The database that the hosts share: a store in memory, a referee who sees every commit, and at most one bug.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use qingyu_graph::store::{CheckpointJournal, JournalRecord, MemoryStore, Owner, RecordKind, ThreadLease};
use qingyu_graph::{Error, Store, ThreadId};

use super::referee::Referee;
use super::wire::{Sender, Wires};

/// A bug that the simulator has to find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plant {
    /// The store takes appends from whoever held the lease once.
    NoFence,
    /// The engine folds writes in the order in which their tasks finished.
    FinishingOrder,
    /// The store says that something is stored before it is.
    EarlyAcknowledgement,
    /// Of an append with several records only the first is stored.
    TornAppend,
    /// The results of steps that were paid for are not stored.
    ForgottenStep,
    /// Some reads see the thread as it was a checkpoint ago.
    StaleRead,
    /// A lease is given away while its holder lives.
    StolenLease,
    /// Some appends are carried out twice, as by a client that sends again what it has no answer to.
    RepeatedAppend,
    /// The store forgets questions' answers.
    ForgottenAnswer,
    /// A host that has found no thread starts one, whatever others have done since.
    SecondStart,
}

impl Plant {
    pub(crate) const ALL: [Self; 10] = [
        Self::NoFence,
        Self::FinishingOrder,
        Self::EarlyAcknowledgement,
        Self::TornAppend,
        Self::ForgottenStep,
        Self::StaleRead,
        Self::StolenLease,
        Self::RepeatedAppend,
        Self::ForgottenAnswer,
        Self::SecondStart,
    ];

    /// A schedule in which it was found. It is tried first, since all before it take seconds.
    pub(crate) fn known_seed(self) -> u64 {
        match self {
            Self::TornAppend => 4,
            Self::NoFence => 26,
            Self::SecondStart => 250,
            _ => 0,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Database {
    store: Arc<MemoryStore>,
    plant: Option<Plant>,
    referee: Arc<Referee>,
    random: Mutex<fastrand::Rng>,
    /// The lease that was given last, by thread.
    given: Mutex<BTreeMap<ThreadId, ThreadLease>>,
}

impl Database {
    pub(crate) fn new(seed: u64, plant: Option<Plant>, referee: Arc<Referee>) -> Arc<Self> {
        let random = Mutex::new(fastrand::Rng::with_seed(seed));
        Arc::new(Self { store: Arc::new(MemoryStore::new()), plant, referee, random, given: Mutex::default() })
    }

    /// What reads that nobody tampers with go to.
    pub(crate) fn store(&self) -> &Arc<MemoryStore> {
        &self.store
    }

    pub(crate) async fn acquire(
        &self,
        host: Sender,
        thread: &ThreadId,
        owner: &Owner,
        duration: Duration,
    ) -> Result<ThreadLease, Error> {
        let mut lease = self.store.acquire(thread, owner, duration).await;
        if self.plant == Some(Plant::StolenLease) && lease.is_err() && self.chance(4) {
            let given = self.given.lock().unwrap().get(thread).cloned();
            if let Some(given) = given {
                self.store.release(&given).await?;
                lease = self.store.acquire(thread, owner, duration).await;
            }
        }
        if let Ok(lease) = &lease {
            self.given.lock().unwrap().insert(thread.clone(), lease.clone());
            self.referee.acquired(host, lease, duration);
        }
        lease
    }

    pub(crate) async fn renew(&self, lease: &ThreadLease, duration: Duration) -> Result<(), Error> {
        let renewed = self.store.renew(lease, duration).await;
        if renewed.is_ok() {
            self.referee.renewed(lease, duration);
        }
        renewed
    }

    pub(crate) async fn release(&self, lease: &ThreadLease) -> Result<(), Error> {
        self.referee.released(lease);
        self.store.release(lease).await
    }

    pub(crate) async fn append(
        self: &Arc<Self>,
        wires: &Wires,
        lease: &ThreadLease,
        records: Vec<JournalRecord>,
    ) -> Result<u64, Error> {
        let kept = self.tampered(&records);
        match self.plant {
            Some(Plant::EarlyAcknowledgement) if !records.is_empty() => {
                let last = self.store.append(lease, Vec::new(), Vec::new()).await?;
                let (database, lease, count) = (Arc::clone(self), lease.clone(), records.len() as u64);
                let call = move |_| {
                    let stored = async move {
                        // Nobody hears of it if this fails.
                        let _ = database.commit(&lease, records).await;
                        Box::new(|_| {}) as Box<dyn FnOnce(bool) + Send>
                    };
                    Box::pin(stored) as futures::future::BoxFuture<'static, _>
                };
                wires.postpone(2, Box::new(call));
                Ok(last + count)
            }
            Some(Plant::NoFence) => {
                let present = self.given.lock().unwrap().get(&lease.thread).cloned();
                match self.store.append(lease, Vec::new(), Vec::new()).await {
                    Err(Error::Fenced { .. }) => {
                        let position = self.store.append(present.as_ref().unwrap_or(lease), kept.clone(), Vec::new());
                        let position = position.await?;
                        self.referee.committed(lease, position, &kept);
                        Ok(position)
                    }
                    _ => self.commit(lease, kept).await,
                }
            }
            Some(Plant::RepeatedAppend) if self.chance(20) => {
                self.commit(lease, kept.clone()).await?;
                self.commit(lease, kept).await
            }
            _ => self.commit(lease, kept).await,
        }
    }

    async fn commit(&self, lease: &ThreadLease, records: Vec<JournalRecord>) -> Result<u64, Error> {
        let position = self.store.append(lease, records.clone(), Vec::new()).await?;
        self.referee.committed(lease, position, &records);
        Ok(position)
    }

    /// What of some records is stored.
    fn tampered(&self, records: &[JournalRecord]) -> Vec<JournalRecord> {
        let kept = records.iter();
        match self.plant {
            Some(Plant::TornAppend) => kept.take(1).cloned().collect(),
            Some(Plant::ForgottenStep) => kept.filter(|record| record.kind != RecordKind::Step).cloned().collect(),
            Some(Plant::ForgottenAnswer) => kept.filter(|record| record.kind != RecordKind::Answer).cloned().collect(),
            _ => kept.cloned().collect(),
        }
    }

    pub(crate) async fn newest(&self, thread: &ThreadId, scope: &str) -> Result<Option<CheckpointJournal>, Error> {
        if self.plant == Some(Plant::StaleRead) && self.chance(3) {
            let last = self.store.checkpoints(thread, scope, u64::MAX, 2).await?;
            if let [_, (before, _)] = last.as_slice() {
                return self.store.at(thread, *before).await;
            }
        }
        self.store.newest(thread, scope).await
    }

    /// A host has been told what became of an append.
    pub(crate) fn acknowledged(&self, thread: &ThreadId, records: &[JournalRecord], result: &Result<u64, Error>) {
        if let Ok(position) = result {
            self.referee.acknowledged(thread, *position, records);
        }
    }

    /// Whether one of `n` cases has come.
    fn chance(&self, n: u8) -> bool {
        self.random.lock().unwrap().u8(..n) == 0
    }
}

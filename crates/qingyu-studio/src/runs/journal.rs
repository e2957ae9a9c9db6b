//! The journal of a run's events: numbers, stores and publishes every event.

use std::sync::Arc;

use jiff::Timestamp;
use qingyu_llm::stack::Charge;
use qingyu_store::{Call, ChargeKey, Run, Runs};
use tokio::sync::{broadcast, mpsc, oneshot};

use crate::runs::event::{StudioEvent, StudioEventKind};
use crate::runs::live::LiveEvent;
use crate::runs::observer::{Observers, ProcessNotice};
use crate::spending::calls::{Charges, Pricing};

/// The maximum number of entries per transaction.
const GROUP: usize = 64;

/// A sender of a run's events, usable from any task.
#[derive(Debug, Clone)]
pub(crate) struct RunJournal {
    entries: mpsc::UnboundedSender<JournalEntry>,
}

#[derive(Debug)]
enum JournalEntry {
    Told(Timestamp, Box<StudioEventKind>),
    /// An event already in the log, with its number.
    Kept(u64, Timestamp, Box<StudioEventKind>),
    /// A request for the first storage error, answered after all earlier entries are stored.
    Flush(oneshot::Sender<Option<qingyu_store::Error>>),
}

impl RunJournal {
    /// Returns a journal of `run`, its writer, and the receiver of published events. The writer must be run, and ends
    /// when all clones of the journal are dropped. Records the run's `charges` on arrival.
    pub(crate) fn new(
        runs: Runs,
        run: &Run,
        pricing: Pricing,
        charges: Charges,
        live: broadcast::Sender<Arc<LiveEvent>>,
        observers: Observers,
    ) -> (Self, JournalWriter, mpsc::UnboundedReceiver<StudioEvent>) {
        let (entries, queue) = mpsc::unbounded_channel();
        let (told, events) = mpsc::unbounded_channel();
        let (run, project) = (run.id.clone(), run.project.clone());
        let charges = ChargeWriter::new(charges);
        let writer = JournalWriter {
            runs,
            run,
            project,
            pricing,
            charges,
            queue,
            told,
            live,
            observers,
            last: 0,
            failure: None,
        };
        (Self { entries }, writer, events)
    }

    /// Sends an event, to be numbered and stored in the order of calls.
    pub(crate) fn tell(&self, kind: StudioEventKind) {
        // The writer outlives every journal, except while the process exits.
        let _ = self.entries.send(JournalEntry::Told(Timestamp::now(), Box::new(kind)));
    }

    /// Publishes an event already stored in a transaction of other data, with its number in the log.
    pub(crate) fn tell_kept(&self, seq: u64, at: Timestamp, kind: StudioEventKind) {
        let _ = self.entries.send(JournalEntry::Kept(seq, at, Box::new(kind)));
    }

    /// Waits until all events sent so far are stored; returns the first storage error.
    pub(crate) async fn flush(&self) -> Option<qingyu_store::Error> {
        let (done, wait) = oneshot::channel();
        let _ = self.entries.send(JournalEntry::Flush(done));
        wait.await.ok().flatten()
    }
}

/// A generator of keys for the charges of a run's execution.
struct ChargeWriter {
    charges: Charges,
    execution: String,
    number: u64,
}

impl ChargeWriter {
    fn new(charges: Charges) -> Self {
        // Later executions sort after earlier executions.
        let execution = format!("{:020}", Timestamp::now().as_microsecond());
        Self { charges, execution, number: 0 }
    }

    /// Returns the next charge; waits forever once all senders are dropped.
    async fn next(&mut self) -> Charge {
        match self.charges.recv().await {
            Some(charge) => charge,
            None => std::future::pending().await,
        }
    }

    fn try_next(&mut self) -> Option<Charge> {
        self.charges.try_recv().ok()
    }

    /// Returns the rows of a charge and of all charges already waiting in the channel.
    fn calls(&mut self, first: Charge, pricing: &Pricing) -> Vec<(ChargeKey, Call)> {
        let mut calls = Vec::new();
        let mut next = Some(first);
        while let Some(charge) = next {
            self.number += 1;
            let key = ChargeKey { execution: self.execution.clone(), number: self.number };
            calls.push((key, pricing.charged(charge)));
            next = self.try_next();
        }
        calls
    }
}

/// The task numbering, storing and publishing events.
pub(crate) struct JournalWriter {
    runs: Runs,
    run: String,
    project: String,
    pricing: Pricing,
    charges: ChargeWriter,
    queue: mpsc::UnboundedReceiver<JournalEntry>,
    told: mpsc::UnboundedSender<StudioEvent>,
    live: broadcast::Sender<Arc<LiveEvent>>,
    observers: Observers,
    last: u64,
    failure: Option<qingyu_store::Error>,
}

impl JournalWriter {
    /// Runs until every journal is dropped. A storage error does not stop the publication: a run on a full disk still
    /// reports its end.
    pub(crate) async fn run(mut self) {
        let mut entries = Vec::new();
        loop {
            tokio::select! {
                charge = self.charges.next() => {
                    self.charge(charge).await;
                    continue;
                }
                count = self.queue.recv_many(&mut entries, GROUP) => {
                    if count == 0 {
                        break;
                    }
                }
            }
            // The event of a call follows its charges.
            self.charge_all().await;
            let mut group = Vec::new();
            for entry in entries.drain(..) {
                match entry {
                    JournalEntry::Told(at, kind) => group.push((at, *kind)),
                    JournalEntry::Kept(seq, at, kind) => {
                        self.keep(std::mem::take(&mut group)).await;
                        self.last = seq;
                        self.hand_on(at, *kind, true);
                    }
                    JournalEntry::Flush(done) => {
                        self.keep(std::mem::take(&mut group)).await;
                        // The caller may have stopped waiting.
                        let _ = done.send(self.failure.clone());
                    }
                }
            }
            self.keep(group).await;
        }
        self.charge_all().await;
    }

    async fn charge_all(&mut self) {
        if let Some(charge) = self.charges.try_next() {
            self.charge(charge).await;
        }
    }

    /// Records a charge and all charges already waiting in the channel.
    async fn charge(&mut self, charge: Charge) {
        let calls = self.charges.calls(charge, &self.pricing);
        if let Err(error) = self.runs.record_charges(&self.run, calls, Timestamp::now()).await {
            tracing::warn!(run = %self.run, %error, "failed to store charges");
            self.failure.get_or_insert(error);
        }
    }

    async fn keep(&mut self, group: Vec<(Timestamp, StudioEventKind)>) {
        let kept = self.write(&group).await;
        for (at, kind) in group {
            let is_news = kept.is_ok() && kind.is_kept();
            if is_news {
                self.last += 1;
            }
            self.hand_on(at, kind, is_news);
        }
        if let Err(error) = kept {
            tracing::warn!(run = %self.run, %error, "failed to store events");
            self.observers.notice(ProcessNotice::EventsLost);
            self.failure.get_or_insert(error);
        }
    }

    fn hand_on(&self, at: Timestamp, kind: StudioEventKind, is_news: bool) {
        let (run, project) = (self.run.clone(), self.project.clone());
        let event = StudioEvent { seq: self.last, at, run, project, kind };
        if is_news {
            self.observers.event(&event);
        }
        if self.live.receiver_count() > 0 {
            let _ = self.live.send(Arc::new(LiveEvent::new(event.clone())));
        }
        // There may be no subscriber.
        let _ = self.told.send(event);
    }

    /// Stores the charges first, then the events.
    async fn write(&mut self, group: &[(Timestamp, StudioEventKind)]) -> Result<(), qingyu_store::Error> {
        let calls: Vec<Call> = group.iter().filter_map(|(_, kind)| self.pricing.told(kind)).collect();
        if !calls.is_empty() {
            self.runs.record_calls(&self.run, calls, Timestamp::now()).await?;
        }
        let kept = group.iter().filter(|(_, kind)| kind.is_kept());
        let bodies: Vec<_> = kept.map(|(at, kind)| (*at, serde_json::json!(kind))).collect();
        if !bodies.is_empty() {
            self.last = self.runs.append_events(&self.run, bodies).await? - 1;
        }
        Ok(())
    }
}

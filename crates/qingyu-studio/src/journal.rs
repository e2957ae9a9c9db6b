//! The one place that everything a run tells goes through: numbered, kept, then handed on.

use std::sync::Arc;

use jiff::Timestamp;
use qingyu_agents::progress::Progress;
use qingyu_llm::stack::Charge;
use qingyu_store::{Call, ChargeKey, Run, Runs};
use tokio::sync::{broadcast, mpsc, oneshot};

use crate::calls::{Charges, Pricing};
use crate::live::LiveEvent;
use crate::observer::{Notice, Observers};
use crate::{EventKind, StudioEvent};

/// How many entries are kept in one transaction.
const GROUP: usize = 64;

/// Takes what a run tells, from anywhere.
#[derive(Debug, Clone)]
pub(crate) struct Journal {
    entries: mpsc::UnboundedSender<Entry>,
}

#[derive(Debug)]
enum Entry {
    Told(Timestamp, Box<EventKind>),
    /// It stands in the log already, at this place.
    Kept(u64, Timestamp, Box<EventKind>),
    /// Answered when everything before it is kept, with the first failure to keep something.
    Flush(oneshot::Sender<Option<qingyu_store::Error>>),
}

impl Journal {
    /// A journal of `run`, the writer that keeps it, and what it hands on. The writer must be run; it ends when all
    /// clones of the journal are gone. It books the `charges` of the run as they come.
    pub(crate) fn new(
        runs: Runs,
        run: &Run,
        pricing: Pricing,
        charges: Charges,
        live: broadcast::Sender<Arc<LiveEvent>>,
        observers: Observers,
    ) -> (Self, Writer, mpsc::UnboundedReceiver<StudioEvent>) {
        let (entries, queue) = mpsc::unbounded_channel();
        let (told, events) = mpsc::unbounded_channel();
        let (run, project) = (run.id.clone(), run.project.clone());
        let charges = ChargeWriter::new(charges);
        let writer =
            Writer { runs, run, project, pricing, charges, queue, told, live, observers, last: 0, failure: None };
        (Self { entries }, writer, events)
    }

    /// Tells something. It is numbered and kept later, in the order of the calls.
    pub(crate) fn tell(&self, kind: EventKind) {
        // The writer outlives every journal unless the process is ending; then nobody is left to tell.
        let _ = self.entries.send(Entry::Told(Timestamp::now(), Box::new(kind)));
    }

    /// Hands on what was kept together with something else, at this place of the log.
    pub(crate) fn tell_kept(&self, seq: u64, at: Timestamp, kind: EventKind) {
        let _ = self.entries.send(Entry::Kept(seq, at, Box::new(kind)));
    }

    /// Waits until everything told so far is kept; gives the first failure to keep something.
    pub(crate) async fn flush(&self) -> Option<qingyu_store::Error> {
        let (done, wait) = oneshot::channel();
        let _ = self.entries.send(Entry::Flush(done));
        wait.await.ok().flatten()
    }
}

/// Gives the charges of one execution of a run their keys.
struct ChargeWriter {
    charges: Charges,
    execution: String,
    number: u64,
}

impl ChargeWriter {
    fn new(charges: Charges) -> Self {
        // Later executions sort behind earlier ones.
        let execution = format!("{:020}", Timestamp::now().as_microsecond());
        Self { charges, execution, number: 0 }
    }

    /// The next charge; never, once nobody can be charged any more.
    async fn next(&mut self) -> Charge {
        match self.charges.recv().await {
            Some(charge) => charge,
            None => std::future::pending().await,
        }
    }

    fn try_next(&mut self) -> Option<Charge> {
        self.charges.try_recv().ok()
    }

    /// The rows of a charge and of those that are there beside it.
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

/// Numbers, keeps and hands on.
pub(crate) struct Writer {
    runs: Runs,
    run: String,
    project: String,
    pricing: Pricing,
    charges: ChargeWriter,
    queue: mpsc::UnboundedReceiver<Entry>,
    told: mpsc::UnboundedSender<StudioEvent>,
    live: broadcast::Sender<Arc<LiveEvent>>,
    observers: Observers,
    last: u64,
    failure: Option<qingyu_store::Error>,
}

impl Writer {
    /// Works until every journal is gone. A failure to keep something does not stop the telling: a run on a full disk
    /// still says how it ends.
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
            // A call is told after its charges.
            self.charge_all().await;
            let mut group = Vec::new();
            for entry in entries.drain(..) {
                match entry {
                    Entry::Told(at, kind) => group.push((at, *kind)),
                    Entry::Kept(seq, at, kind) => {
                        self.keep(std::mem::take(&mut group)).await;
                        self.last = seq;
                        self.hand_on(at, *kind, true);
                    }
                    Entry::Flush(done) => {
                        self.keep(std::mem::take(&mut group)).await;
                        // Who asked may have gone.
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

    /// Books a charge, and those that are there beside it.
    async fn charge(&mut self, charge: Charge) {
        let calls = self.charges.calls(charge, &self.pricing);
        if let Err(error) = self.runs.record_charges(&self.run, calls, Timestamp::now()).await {
            tracing::warn!(run = %self.run, %error, "charges could not be booked");
            self.failure.get_or_insert(error);
        }
    }

    async fn keep(&mut self, group: Vec<(Timestamp, EventKind)>) {
        let kept = self.write(&group).await;
        for (at, kind) in group {
            let is_news = kept.is_ok() && is_kept(&kind);
            if is_news {
                self.last += 1;
            }
            self.hand_on(at, kind, is_news);
        }
        if let Err(error) = kept {
            tracing::warn!(run = %self.run, %error, "events could not be kept");
            self.observers.notice(Notice::EventsLost);
            self.failure.get_or_insert(error);
        }
    }

    fn hand_on(&self, at: Timestamp, kind: EventKind, is_news: bool) {
        let (run, project) = (self.run.clone(), self.project.clone());
        let event = StudioEvent { seq: self.last, at, run, project, kind };
        if is_news {
            self.observers.event(&event);
        }
        if self.live.receiver_count() > 0 {
            let _ = self.live.send(Arc::new(LiveEvent::new(event.clone())));
        }
        // Nobody need listen.
        let _ = self.told.send(event);
    }

    /// Writes down first what was paid, then what was told.
    async fn write(&mut self, group: &[(Timestamp, EventKind)]) -> Result<(), qingyu_store::Error> {
        let calls: Vec<Call> = group.iter().filter_map(|(_, kind)| self.pricing.told(kind)).collect();
        if !calls.is_empty() {
            self.runs.record_calls(&self.run, calls, Timestamp::now()).await?;
        }
        let kept = group.iter().filter(|(_, kind)| is_kept(kind));
        let bodies: Vec<_> = kept.map(|(at, kind)| (*at, serde_json::json!(kind))).collect();
        if !bodies.is_empty() {
            self.last = self.runs.append_events(&self.run, bodies).await? - 1;
        }
        Ok(())
    }
}

/// Streamed text is superseded by what is stored; everything else is kept.
pub(crate) fn is_kept(kind: &EventKind) -> bool {
    !matches!(kind, EventKind::Progress(Progress::Text { .. }))
}

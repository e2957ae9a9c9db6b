//! The one place that everything a run tells goes through: numbered, kept, then handed on.

use jiff::Timestamp;
use qingyu_agents::progress::Progress;
use qingyu_store::{Call, Run, Runs};
use tokio::sync::{mpsc, oneshot};

use crate::calls::Pricing;
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
    /// Answered when everything before it is kept, with the first failure to keep something.
    Flush(oneshot::Sender<Option<qingyu_store::Error>>),
}

impl Journal {
    /// A journal of `run`, the writer that keeps it, and what it hands on. The writer must be run; it ends when all
    /// clones of the journal are gone.
    pub(crate) fn new(runs: Runs, run: &Run, pricing: Pricing) -> (Self, Writer, mpsc::UnboundedReceiver<StudioEvent>) {
        let (entries, queue) = mpsc::unbounded_channel();
        let (told, events) = mpsc::unbounded_channel();
        let (run, project) = (run.id.clone(), run.project.clone());
        (Self { entries }, Writer { runs, run, project, pricing, queue, told, last: 0, failure: None }, events)
    }

    /// Tells something. It is numbered and kept later, in the order of the calls.
    pub(crate) fn tell(&self, kind: EventKind) {
        // The writer outlives every journal unless the process is ending; then nobody is left to tell.
        let _ = self.entries.send(Entry::Told(Timestamp::now(), Box::new(kind)));
    }

    /// Waits until everything told so far is kept; gives the first failure to keep something.
    pub(crate) async fn flush(&self) -> Option<qingyu_store::Error> {
        let (done, wait) = oneshot::channel();
        let _ = self.entries.send(Entry::Flush(done));
        wait.await.ok().flatten()
    }
}

/// Numbers, keeps and hands on.
pub(crate) struct Writer {
    runs: Runs,
    run: String,
    project: String,
    pricing: Pricing,
    queue: mpsc::UnboundedReceiver<Entry>,
    told: mpsc::UnboundedSender<StudioEvent>,
    last: u64,
    failure: Option<qingyu_store::Error>,
}

impl Writer {
    /// Works until every journal is gone. A failure to keep something does not stop the telling: a run on a full disk
    /// still says how it ends.
    pub(crate) async fn run(mut self) {
        let mut entries = Vec::new();
        while self.queue.recv_many(&mut entries, GROUP).await > 0 {
            let mut group = Vec::new();
            for entry in entries.drain(..) {
                match entry {
                    Entry::Told(at, kind) => group.push((at, *kind)),
                    Entry::Flush(done) => {
                        self.keep(std::mem::take(&mut group)).await;
                        // Who asked may have gone.
                        let _ = done.send(self.failure.clone());
                    }
                }
            }
            self.keep(group).await;
        }
    }

    async fn keep(&mut self, group: Vec<(Timestamp, EventKind)>) {
        let kept = self.write(&group).await;
        for (at, kind) in group {
            if kept.is_ok() && is_kept(&kind) {
                self.last += 1;
            }
            let (run, project) = (self.run.clone(), self.project.clone());
            // Nobody need listen.
            let _ = self.told.send(StudioEvent { seq: self.last, at, run, project, kind });
        }
        if let Err(error) = kept {
            tracing::warn!(run = %self.run, %error, "events could not be kept");
            self.failure.get_or_insert(error);
        }
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
fn is_kept(kind: &EventKind) -> bool {
    !matches!(kind, EventKind::Progress(Progress::Text { .. }))
}

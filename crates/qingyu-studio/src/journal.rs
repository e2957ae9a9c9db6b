//! The one place that everything a run tells goes through: numbered, kept, then handed on.

use jiff::Timestamp;
use qingyu_agents::progress::Progress;
use qingyu_llm::price::Prices;
use qingyu_store::{Call, Run, Runs};
use tokio::sync::mpsc;

use crate::{EventKind, StudioEvent};

/// How many events are kept in one transaction.
const GROUP: usize = 64;

/// Takes what a run tells, from anywhere.
#[derive(Debug, Clone)]
pub(crate) struct Journal {
    entries: mpsc::UnboundedSender<(Timestamp, EventKind)>,
}

impl Journal {
    /// A journal, and its writer, which must be run until all clones of the journal are gone.
    pub(crate) fn new(runs: Runs, run: &Run, prices: Prices) -> (Self, Writer, mpsc::UnboundedReceiver<StudioEvent>) {
        let (entries, queue) = mpsc::unbounded_channel();
        let (told, events) = mpsc::unbounded_channel();
        let (run, project) = (run.id.clone(), run.project.clone());
        (Self { entries }, Writer { runs, run, project, prices, queue, told, last: 0, failure: None }, events)
    }

    /// Tells something. It is numbered and kept later, in the order of the calls.
    pub(crate) fn tell(&self, kind: EventKind) {
        // The writer outlives every journal unless the process is ending; then nobody is left to tell.
        let _ = self.entries.send((Timestamp::now(), kind));
    }
}

/// Numbers, keeps and hands on.
pub(crate) struct Writer {
    runs: Runs,
    run: String,
    project: String,
    prices: Prices,
    queue: mpsc::UnboundedReceiver<(Timestamp, EventKind)>,
    told: mpsc::UnboundedSender<StudioEvent>,
    last: u64,
    failure: Option<qingyu_store::Error>,
}

impl Writer {
    /// Works until every journal is gone; fails with the first failure to keep something.
    ///
    /// A failure does not stop the telling: a run on a full disk still says how it ends.
    pub(crate) async fn run(mut self) -> Result<(), qingyu_store::Error> {
        let mut group = Vec::new();
        while self.queue.recv_many(&mut group, GROUP).await > 0 {
            let kept = self.keep(&group).await;
            self.hand_on(&mut group, kept.is_ok());
            if let Err(error) = kept {
                tracing::warn!(run = %self.run, %error, "events could not be kept");
                self.failure.get_or_insert(error);
            }
        }
        self.failure.map_or(Ok(()), Err)
    }

    /// Keeps a group: first what was paid, then what was told.
    async fn keep(&mut self, group: &[(Timestamp, EventKind)]) -> Result<(), qingyu_store::Error> {
        for (at, kind) in group {
            if let EventKind::Progress(progress) = kind
                && let Some(call) = call(progress, &self.prices)
            {
                self.runs.record_call(&self.run, call, *at).await?;
            }
        }
        let kept = group.iter().filter(|(_, kind)| is_kept(kind));
        let bodies: Vec<_> = kept.map(|(at, kind)| (*at, serde_json::json!(kind))).collect();
        if !bodies.is_empty() {
            self.last = self.runs.append_events(&self.run, bodies).await? - 1;
        }
        Ok(())
    }

    fn hand_on(&mut self, group: &mut Vec<(Timestamp, EventKind)>, numbered: bool) {
        for (at, kind) in group.drain(..) {
            if numbered && is_kept(&kind) {
                self.last += 1;
            }
            // Nobody need listen.
            let _ = self.told.send(StudioEvent {
                seq: self.last,
                at,
                run: self.run.clone(),
                project: self.project.clone(),
                kind,
            });
        }
    }
}

/// Streamed text is superseded by what is stored; everything else is kept.
fn is_kept(kind: &EventKind) -> bool {
    !matches!(kind, EventKind::Progress(Progress::Text { .. }))
}

fn call(progress: &Progress, prices: &Prices) -> Option<Call> {
    let Progress::Called { key, agent, purpose, model, usage, cost_micros, attempts, repaired, millis, .. } = progress
    else {
        return None;
    };
    Some(Call {
        key: key.clone(),
        agent: agent.clone(),
        purpose: purpose.clone(),
        model: model.clone(),
        input: usage.input,
        cached: usage.cached,
        output: usage.output,
        estimated: usage.estimated,
        cost_micros: *cost_micros,
        currency: cost_micros.and(prices.of(model)).map(|price| price.currency.clone()),
        attempts: *attempts,
        repaired: *repaired,
        millis: *millis,
    })
}

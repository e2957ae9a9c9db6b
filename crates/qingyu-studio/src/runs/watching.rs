//! Watching and cancelling of runs of any process.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use async_stream::{stream, try_stream};
use futures::{Stream, StreamExt};
use qingyu_store::{LoggedEvent, Run, RunStatus as Kept};
use tokio::sync::broadcast::error::RecvError;

use crate::access::ears::KeyListener;
use crate::access::scope::Right;
use crate::error::Error;
use crate::runs::event::StudioEvent;
use crate::runs::live::{Feed, LiveEvent};
use crate::runs::status::RunStatus;
use crate::studio::Studio;

/// The number of events fetched from the log at once.
const PAGE: usize = 256;
/// The polling interval for the log of another process's run.
const PAUSE: Duration = Duration::from_millis(200);
/// The number of empty polls after the end of a run before the feed closes.
const PATIENCE: u32 = 10;

impl Studio {
    /// Returns a stream of a run's events after number `after`: first from its log, then live, for a run of any
    /// process. Ends once the run has ended or waits, and the log has no further events.
    ///
    /// Stored events arrive once and in order. Streamed text arrives live from runs of this process, for subscribers
    /// keeping up; a slow subscriber continues from the log. In a server, the stream ends with [`Error::Unauthorized`]
    /// within seconds after the caller's key becomes invalid.
    pub async fn watch(
        &self,
        run: &str,
        after: u64,
    ) -> Result<impl Stream<Item = Result<Arc<LiveEvent>, Error>> + Send + use<>, Error> {
        let run = self.find_run(run).await?;
        let ear = self.scope().key().map(|key| self.ears().open(key));
        Ok(heard(self.clone().follow(run, after), ear))
    }

    /// Cancels a run of any process; returns its status. Has no effect on a run without a worker.
    ///
    /// The cancellation is stored: the run's server reacts within half a second, and a run of a dead server is not
    /// taken over.
    pub async fn cancel(&self, run: &str) -> Result<RunStatus, Error> {
        self.scope().demand(Right::Write)?;
        let run = self.find_run(run).await?;
        let wanted = self.runs_table().want_stopped(&run.id).await;
        wanted.map_err(|error| self.place(&run.id).store(error))?;
        self.live().cancel(&run.id);
        self.status_of(&run).await
    }

    fn follow(self, run: Run, after: u64) -> impl Stream<Item = Result<Arc<LiveEvent>, Error>> + Send {
        try_stream! {
            let mut last = after;
            loop {
                // Subscribe before reading the log, so no event is missed.
                let (mut feed, is_here) = match self.live().follow(&run.id) {
                    Some(feed) => (feed, true),
                    None => {
                        let (feed, to_fill) = self.live().follow_elsewhere(&run.id);
                        if let Some(to_fill) = to_fill {
                            tokio::spawn(self.clone().fill(run.clone(), to_fill, last));
                        }
                        (feed, false)
                    }
                };
                let mut has_ended = self.is_over_at(&run, last).await?;
                loop {
                    let page = self.logged(&run, last).await?;
                    let is_whole = page.len() < PAGE;
                    for event in page {
                        (last, has_ended) = (event.seq, event.kind.is_last());
                        yield Arc::new(LiveEvent::new(event));
                    }
                    if is_whole {
                        break;
                    }
                }
                if !is_here && has_ended && self.has_ended(&run).await? {
                    return;
                }
                loop {
                    match feed.recv().await {
                        Ok(event) if event.is_kept() => {
                            if event.seq > last {
                                let is_gap = event.seq > last + 1;
                                if is_gap {
                                    break;
                                }
                                (last, has_ended) = (event.seq, event.kind.is_last());
                                yield event;
                                if has_ended && is_here {
                                    return;
                                }
                            }
                        }
                        Ok(text) => yield text,
                        Err(RecvError::Lagged(_)) => break,
                        Err(RecvError::Closed) => {
                            if !is_here {
                                let rest = self.logged(&run, last).await?;
                                for event in rest {
                                    last = event.seq;
                                    yield Arc::new(LiveEvent::new(event));
                                }
                                if self.live().follow(&run.id).is_none() {
                                    return;
                                }
                            }
                            break;
                        }
                    }
                }
            }
        }
    }

    /// Fills the feed of another process's run from its log, until there are no subscribers, the run has ended, or the
    /// run moves to this process.
    pub(crate) async fn fill(self, run: Run, feed: Feed, after: u64) {
        let (mut last, mut quiet) = (after, 0);
        let mut has_ended = false;
        loop {
            let page = match self.logged(&run, last).await {
                Ok(page) => page,
                Err(error) => {
                    tracing::warn!(run = %run.id, %error, "failed to read the log");
                    Vec::new()
                }
            };
            quiet = if page.is_empty() { quiet + 1 } else { 0 };
            for event in page {
                (last, has_ended) = (event.seq, event.kind.is_last());
                let _ = feed.send(Arc::new(LiveEvent::new(event)));
            }
            let is_over = quiet > 0 && (has_ended || quiet >= PATIENCE) && self.has_ended(&run).await.unwrap_or(true);
            if self.live().unfollow(&run.id, &feed, is_over || self.live().follow(&run.id).is_some()) {
                return;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Returns whether no process is working on the run, according to its row, or its process is dead and no server
    /// owns the run.
    async fn has_ended(&self, run: &Run) -> Result<bool, Error> {
        let bad = |error| self.place(&run.id).store(error);
        let run = self.runs_table().get(&run.id).await.map_err(bad)?;
        if run.status == Kept::Running && run.server.is_some() {
            return Ok(false);
        }
        Ok(self.status_of(&run).await? != RunStatus::Running)
    }

    /// Returns whether the event with the given number is the last, according to its kind.
    async fn is_over_at(&self, run: &Run, seq: u64) -> Result<bool, Error> {
        let Some(before) = seq.checked_sub(1) else { return Ok(false) };
        let at =
            self.runs_table().events(&run.id, before, 1).await.map_err(|error| self.place(&run.id).store(error))?;
        let at = at.into_iter().next().map(|logged| event(run, logged)).transpose()?;
        Ok(at.is_some_and(|event| event.seq == seq && event.kind.is_last()))
    }

    /// Returns a page of events after number `after`.
    async fn logged(&self, run: &Run, after: u64) -> Result<Vec<StudioEvent>, Error> {
        let place = self.place(&run.id);
        let logged = self.runs_table().events(&run.id, after, PAGE).await.map_err(|error| place.store(error))?;
        logged.into_iter().map(|logged| event(run, logged)).collect()
    }

    /// Returns a page of a run's log: the events after number `after`, oldest first, at most 256.
    pub async fn events(&self, run: &str, after: u64) -> Result<Vec<StudioEvent>, Error> {
        let run = self.find_run(run).await?;
        self.logged(&run, after).await
    }
}

/// Returns the stream of events while the caller's key is valid.
fn heard<T: Send>(
    events: impl Stream<Item = Result<T, Error>> + Send,
    ear: Option<KeyListener>,
) -> impl Stream<Item = Result<T, Error>> + Send {
    stream! {
        let closed = async {
            match &ear {
                Some(ear) => ear.closed().await,
                None => std::future::pending().await,
            }
        };
        let (mut events, mut closed) = (pin!(events), pin!(closed));
        loop {
            let next = tokio::select! {
                biased;
                () = &mut closed => Some(Err(Error::Unauthorized)),
                next = events.next() => next,
            };
            let goes_on = matches!(next, Some(Ok(_)));
            if let Some(next) = next {
                yield next;
            }
            if !goes_on {
                return;
            }
        }
    }
}

fn event(run: &Run, logged: LoggedEvent) -> Result<StudioEvent, Error> {
    let LoggedEvent { seq, at, body } = logged;
    let kind = serde_json::from_value(body)
        .map_err(|error| Error::Internal { message: format!("event {seq} of run {}: {error}", run.id) })?;
    Ok(StudioEvent { seq, at, run: run.id.clone(), project: run.project.clone(), kind })
}

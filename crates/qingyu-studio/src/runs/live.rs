//! The runs of the current process, and their subscribers.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use qingyu_store::{OwnedRun, RunStatus};
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use crate::runs::event::StudioEvent;

/// The number of events buffered for a slow subscriber before a fallback to the log.
const BEHIND: usize = 1024;
/// The minimum time between two deletions of old recordings.
const PRUNING: Duration = Duration::from_secs(60);

/// An event shared by all subscribers, serialized to JSON once.
#[derive(Debug)]
pub struct LiveEvent {
    event: StudioEvent,
    json: OnceLock<Arc<str>>,
}

impl LiveEvent {
    pub(crate) fn new(event: StudioEvent) -> Self {
        Self { event, json: OnceLock::new() }
    }

    /// Returns the event as JSON.
    pub fn json(&self) -> &Arc<str> {
        self.json.get_or_init(|| serde_json::to_string(&self.event).expect("events serialise").into())
    }

    /// Returns whether the log contains the event; streamed text is not stored, and lost to late subscribers.
    pub fn is_kept(&self) -> bool {
        self.event.kind.is_kept()
    }
}

impl std::ops::Deref for LiveEvent {
    type Target = StudioEvent;

    fn deref(&self) -> &StudioEvent {
        &self.event
    }
}

/// A channel for the subscribers of a run.
pub(crate) type Feed = broadcast::Sender<Arc<LiveEvent>>;

/// Returns a feed without subscribers.
pub(crate) fn feed() -> Feed {
    broadcast::Sender::new(BEHIND)
}

/// The runs of the current process, and runs of other processes with subscribers here.
#[derive(Debug, Default)]
pub(crate) struct LiveRuns {
    worked: Mutex<HashMap<String, ActiveRun>>,
    followed: Mutex<HashMap<String, Feed>>,
    handing_over: AtomicBool,
    /// Runs of this server blocked by a temporary failure, such as an unavailable database; to be resumed by the server
    /// itself.
    adrift: Mutex<BTreeMap<String, OwnedRun>>,
    /// Runs assigned to this server in the database but without a local task at the last check.
    idle: Mutex<HashSet<String>>,
    /// The time of the last deletion of old recordings.
    pruned: Mutex<Option<Instant>>,
}

#[derive(Debug)]
struct ActiveRun {
    feed: Feed,
    /// `None` until the run starts working.
    cancellation: Option<CancellationToken>,
}

impl LiveRuns {
    /// Registers a run, read with status `before`, and its feed for subscribers. Returns `false` if an earlier local
    /// task of the run has not stored its end yet.
    pub(crate) fn open(&self, run: &str, before: RunStatus, feed: &Feed) -> bool {
        let mut worked = lock(&self.worked);
        if before == RunStatus::Running && worked.contains_key(run) {
            return false;
        }
        worked.insert(run.to_owned(), ActiveRun { feed: feed.clone(), cancellation: None });
        true
    }

    /// Returns whether the run is registered in the current process.
    pub(crate) fn has(&self, run: &str) -> bool {
        lock(&self.worked).contains_key(run)
    }

    /// Sets the token for cancelling the run.
    pub(crate) fn works(&self, run: &str, cancellation: CancellationToken) {
        if let Some(worked) = lock(&self.worked).get_mut(run) {
            // The server's shutdown started before the run did.
            if self.is_handing_over() {
                cancellation.cancel();
            }
            worked.cancellation = Some(cancellation);
        }
    }

    /// Removes an ended or failed registration, unless the run was registered again with another feed.
    pub(crate) fn close(&self, run: &str, feed: &Feed) {
        let mut worked = lock(&self.worked);
        if worked.get(run).is_some_and(|worked| worked.feed.same_channel(feed)) {
            worked.remove(run);
        }
    }

    /// Subscribes to a run of the current process.
    pub(crate) fn follow(&self, run: &str) -> Option<broadcast::Receiver<Arc<LiveEvent>>> {
        lock(&self.worked).get(run).map(|worked| worked.feed.subscribe())
    }

    /// Subscribes to a run of another process. Also returns the feed if the caller must fill it.
    pub(crate) fn follow_elsewhere(&self, run: &str) -> (broadcast::Receiver<Arc<LiveEvent>>, Option<Feed>) {
        let mut followed = lock(&self.followed);
        if let Some(feed) = followed.get(run) {
            return (feed.subscribe(), None);
        }
        let feed = feed();
        followed.insert(run.to_owned(), feed.clone());
        (feed.subscribe(), Some(feed))
    }

    /// Stops filling the feed of a run of another process, unless it has subscribers and `must` is not set. Returns
    /// whether the feed was removed.
    pub(crate) fn unfollow(&self, run: &str, feed: &Feed, must: bool) -> bool {
        let mut followed = lock(&self.followed);
        if !must && feed.receiver_count() > 0 {
            return false;
        }
        followed.remove(run);
        true
    }

    /// Cancels a run of the current process; returns whether the run was registered.
    pub(crate) fn cancel(&self, run: &str) -> bool {
        match lock(&self.worked).get(run) {
            Some(worked) => {
                worked.cancellation.iter().for_each(CancellationToken::cancel);
                true
            }
            None => false,
        }
    }

    /// Returns the IDs of the runs of the current process.
    pub(crate) fn runs(&self) -> Vec<String> {
        lock(&self.worked).keys().cloned().collect()
    }

    /// Returns the number of runs of the current process.
    pub(crate) fn count(&self) -> usize {
        lock(&self.worked).len()
    }

    /// Registers a run to be resumed by this server after a temporary failure.
    pub(crate) fn leave_adrift(&self, run: OwnedRun) {
        lock(&self.adrift).insert(run.run.clone(), run);
    }

    /// Removes and returns the runs to be resumed by this server.
    pub(crate) fn take_adrift(&self) -> Vec<OwnedRun> {
        std::mem::take(&mut *lock(&self.adrift)).into_values().collect()
    }

    /// Returns the runs assigned to this server (`said`) without a local task in two consecutive calls: after a single
    /// call a run may just be starting or ending.
    pub(crate) fn idle(&self, said: Vec<OwnedRun>) -> Vec<OwnedRun> {
        let mut before = lock(&self.idle);
        let is_known = |run: &str| self.has(run) || lock(&self.adrift).contains_key(run);
        let idle: Vec<OwnedRun> = said.into_iter().filter(|owned| !is_known(&owned.run)).collect();
        let now = idle.iter().map(|owned| owned.run.clone()).collect();
        let before = std::mem::replace(&mut *before, now);
        idle.into_iter().filter(|owned| before.contains(&owned.run)).collect()
    }

    /// Returns whether old recordings are due for deletion: before the first run, and then at intervals, since the
    /// deletion iterates over all recordings.
    pub(crate) fn is_time_to_prune(&self) -> bool {
        let mut pruned = lock(&self.pruned);
        let is_time = pruned.is_none_or(|last| last.elapsed() >= PRUNING);
        if is_time {
            *pruned = Some(Instant::now());
        }
        is_time
    }

    /// Starts the handover: runs stopped from now on are resumed by another server.
    pub(crate) fn hand_over(&self) {
        self.handing_over.store(true, Ordering::Release);
        for worked in lock(&self.worked).values() {
            worked.cancellation.iter().for_each(CancellationToken::cancel);
        }
    }

    /// Returns whether stopped runs are to be resumed by another server.
    pub(crate) fn is_handing_over(&self) -> bool {
        self.handing_over.load(Ordering::Acquire)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server finding its own runs among the runs of dead servers, after its lease expired during a freeze.
    #[test]
    fn a_run_whose_end_is_not_written_down_is_not_begun_again_here() {
        let (live, first, second) = (LiveRuns::default(), feed(), feed());
        assert!(live.open("r-1", RunStatus::Running, &first) && live.has("r-1"));
        assert!(!live.open("r-1", RunStatus::Running, &second));
        live.close("r-1", &second);
        assert!(live.has("r-1"), "who was refused takes nothing away");

        // The run is stored as waiting, and answered while the first driver still cleans up.
        assert!(live.open("r-1", RunStatus::Waiting, &second));
        live.close("r-1", &first);
        assert!(live.has("r-1"));
        live.close("r-1", &second);
        assert!(!live.has("r-1") && live.open("r-1", RunStatus::Running, &first));
    }

    #[test]
    fn a_run_is_adrift_once_however_often_that_is_said() {
        let live = LiveRuns::default();
        let run = |id: &str| OwnedRun { user: "u".into(), run: id.into(), key: None };
        for id in ["r-1", "r-2", "r-1"] {
            live.leave_adrift(run(id));
        }
        assert_eq!(live.take_adrift(), [run("r-1"), run("r-2")]);
        assert!(live.take_adrift().is_empty());
    }

    #[test]
    fn a_run_is_idle_once_nobody_works_on_it_twice_in_a_row() {
        let live = LiveRuns::default();
        let idle = |ids: &[&str]| {
            let said = ids.iter().map(|id| OwnedRun { user: "u".into(), run: (*id).into(), key: None }).collect();
            live.idle(said).into_iter().map(|owned| owned.run).collect::<Vec<_>>()
        };
        let worked = feed();
        assert!(live.open("r-worked", RunStatus::Running, &worked));
        assert!(idle(&["r-worked", "r-begins", "r-left"]).is_empty());
        assert!(live.open("r-begins", RunStatus::Running, &feed()));
        for _each_time in 0..2 {
            assert_eq!(idle(&["r-worked", "r-begins", "r-left"]), ["r-left"]);
        }
        live.leave_adrift(OwnedRun { user: "u".into(), run: "r-worked".into(), key: None });
        live.close("r-worked", &worked);
        assert!(idle(&["r-worked"]).is_empty() && idle(&["r-worked"]).is_empty());
        assert!(idle(&["r-left"]).is_empty(), "it was not idle when that was looked at last");
    }

    #[test]
    fn what_begins_to_work_when_the_server_goes_is_stopped() {
        let (live, feed) = (LiveRuns::default(), feed());
        assert!(live.open("r-1", RunStatus::Running, &feed));
        live.hand_over();
        let cancellation = CancellationToken::new();
        live.works("r-1", cancellation.clone());
        assert!(cancellation.is_cancelled());
    }
}

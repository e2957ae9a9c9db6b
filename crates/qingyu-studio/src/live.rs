//! The runs that are worked on in this process, and who follows which.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use qingyu_store::{OwnedRun, RunStatus};
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use crate::StudioEvent;

/// How many events a follower may be behind before it reads the log instead.
const BEHIND: usize = 1024;
/// How long it is until old recordings are looked for again.
const PRUNING: Duration = Duration::from_secs(60);

/// An event as followers get it: one value for all of them, written as JSON once.
#[derive(Debug)]
pub struct LiveEvent {
    event: StudioEvent,
    json: OnceLock<Arc<str>>,
}

impl LiveEvent {
    pub(crate) fn new(event: StudioEvent) -> Self {
        Self { event, json: OnceLock::new() }
    }

    /// The event as JSON.
    pub fn json(&self) -> &Arc<str> {
        self.json.get_or_init(|| serde_json::to_string(&self.event).expect("events serialise").into())
    }

    /// Whether it stands in the log; streamed text does not, and a follower who is late never gets it.
    pub fn is_kept(&self) -> bool {
        crate::journal::is_kept(&self.event.kind)
    }
}

impl std::ops::Deref for LiveEvent {
    type Target = StudioEvent;

    fn deref(&self) -> &StudioEvent {
        &self.event
    }
}

/// What followers of a run receive.
pub(crate) type Feed = broadcast::Sender<Arc<LiveEvent>>;

/// A feed that nobody follows yet.
pub(crate) fn feed() -> Feed {
    broadcast::Sender::new(BEHIND)
}

/// The runs that are worked on here, and those of other processes that somebody here follows.
#[derive(Debug, Default)]
pub(crate) struct Live {
    worked: Mutex<HashMap<String, Worked>>,
    followed: Mutex<HashMap<String, Feed>>,
    handing_over: AtomicBool,
    /// Runs of this server that something was in the way of, such as a database that was away; it goes on with them itself.
    adrift: Mutex<BTreeMap<String, OwnedRun>>,
    /// Those that it is said to work on, and that nobody did here when that was looked at last.
    idle: Mutex<HashSet<String>>,
    /// When old recordings were looked for last.
    pruned: Mutex<Option<Instant>>,
}

#[derive(Debug)]
struct Worked {
    feed: Feed,
    /// None until the run has begun to work.
    cancellation: Option<CancellationToken>,
}

impl Live {
    /// A run that was `before` when it was read is worked on here from now on, and tells its followers with `feed`. Gives whether
    /// it is: nobody begins what another one here has not written down the end of.
    pub(crate) fn open(&self, run: &str, before: RunStatus, feed: &Feed) -> bool {
        let mut worked = lock(&self.worked);
        if before == RunStatus::Running && worked.contains_key(run) {
            return false;
        }
        worked.insert(run.to_owned(), Worked { feed: feed.clone(), cancellation: None });
        true
    }

    /// Whether the run is worked on here.
    pub(crate) fn has(&self, run: &str) -> bool {
        lock(&self.worked).contains_key(run)
    }

    /// The run works, and this stops it.
    pub(crate) fn works(&self, run: &str, cancellation: CancellationToken) {
        if let Some(worked) = lock(&self.worked).get_mut(run) {
            // It was about to work when the server was told to go.
            if self.is_handing_over() {
                cancellation.cancel();
            }
            worked.cancellation = Some(cancellation);
        }
    }

    /// The run has ended, or could not begin. A run that another one has taken the place of is left alone.
    pub(crate) fn close(&self, run: &str, feed: &Feed) {
        let mut worked = lock(&self.worked);
        if worked.get(run).is_some_and(|worked| worked.feed.same_channel(feed)) {
            worked.remove(run);
        }
    }

    /// Follows a run that is worked on here.
    pub(crate) fn follow(&self, run: &str) -> Option<broadcast::Receiver<Arc<LiveEvent>>> {
        lock(&self.worked).get(run).map(|worked| worked.feed.subscribe())
    }

    /// Follows a run of another process. With the feed if somebody has to fill it from now on.
    pub(crate) fn follow_elsewhere(&self, run: &str) -> (broadcast::Receiver<Arc<LiveEvent>>, Option<Feed>) {
        let mut followed = lock(&self.followed);
        if let Some(feed) = followed.get(run) {
            return (feed.subscribe(), None);
        }
        let feed = feed();
        followed.insert(run.to_owned(), feed.clone());
        (feed.subscribe(), Some(feed))
    }

    /// Stops filling the feed of a run of another process, unless it is followed still and `must` is not set. Gives
    /// whether it stopped.
    pub(crate) fn unfollow(&self, run: &str, feed: &Feed, must: bool) -> bool {
        let mut followed = lock(&self.followed);
        if !must && feed.receiver_count() > 0 {
            return false;
        }
        followed.remove(run);
        true
    }

    /// Stops a run that is worked on here; gives whether it is.
    pub(crate) fn cancel(&self, run: &str) -> bool {
        match lock(&self.worked).get(run) {
            Some(worked) => {
                worked.cancellation.iter().for_each(CancellationToken::cancel);
                true
            }
            None => false,
        }
    }

    /// The runs that are worked on here.
    pub(crate) fn runs(&self) -> Vec<String> {
        lock(&self.worked).keys().cloned().collect()
    }

    /// How many runs are worked on here.
    pub(crate) fn count(&self) -> usize {
        lock(&self.worked).len()
    }

    /// This server has to go on with a run, once nothing is in the way any more.
    pub(crate) fn leave_adrift(&self, run: OwnedRun) {
        lock(&self.adrift).insert(run.run.clone(), run);
    }

    /// The runs that this server has to go on with.
    pub(crate) fn take_adrift(&self) -> Vec<OwnedRun> {
        std::mem::take(&mut *lock(&self.adrift)).into_values().collect()
    }

    /// Those of the runs that this server is `said` to work on that nobody works on here, nor is going to, twice in a row: once it may
    /// be that one is just beginning, or has just ended.
    pub(crate) fn idle(&self, said: Vec<OwnedRun>) -> Vec<OwnedRun> {
        let mut before = lock(&self.idle);
        let is_known = |run: &str| self.has(run) || lock(&self.adrift).contains_key(run);
        let idle: Vec<OwnedRun> = said.into_iter().filter(|owned| !is_known(&owned.run)).collect();
        let now = idle.iter().map(|owned| owned.run.clone()).collect();
        let before = std::mem::replace(&mut *before, now);
        idle.into_iter().filter(|owned| before.contains(&owned.run)).collect()
    }

    /// Whether old recordings are to be looked for: before the first run, and then now and then, since all of them are
    /// looked at.
    pub(crate) fn is_time_to_prune(&self) -> bool {
        let mut pruned = lock(&self.pruned);
        let is_time = pruned.is_none_or(|last| last.elapsed() >= PRUNING);
        if is_time {
            *pruned = Some(Instant::now());
        }
        is_time
    }

    /// From now on runs that are stopped here are to be gone on with elsewhere.
    pub(crate) fn hand_over(&self) {
        self.handing_over.store(true, Ordering::Release);
        for worked in lock(&self.worked).values() {
            worked.cancellation.iter().for_each(CancellationToken::cancel);
        }
    }

    /// Whether runs that are stopped here are to be gone on with elsewhere.
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

    /// A server whose lease ran out while it stood still finds its own runs among those that dead servers have left.
    #[test]
    fn a_run_whose_end_is_not_written_down_is_not_begun_again_here() {
        let (live, first, second) = (Live::default(), feed(), feed());
        assert!(live.open("r-1", RunStatus::Running, &first) && live.has("r-1"));
        assert!(!live.open("r-1", RunStatus::Running, &second));
        live.close("r-1", &second);
        assert!(live.has("r-1"), "who was refused takes nothing away");

        // It is written down as waiting, and answered while its first driver still clears up.
        assert!(live.open("r-1", RunStatus::Waiting, &second));
        live.close("r-1", &first);
        assert!(live.has("r-1"));
        live.close("r-1", &second);
        assert!(!live.has("r-1") && live.open("r-1", RunStatus::Running, &first));
    }

    #[test]
    fn a_run_is_adrift_once_however_often_that_is_said() {
        let live = Live::default();
        let run = |id: &str| OwnedRun { user: "u".into(), run: id.into(), key: None };
        for id in ["r-1", "r-2", "r-1"] {
            live.leave_adrift(run(id));
        }
        assert_eq!(live.take_adrift(), [run("r-1"), run("r-2")]);
        assert!(live.take_adrift().is_empty());
    }

    #[test]
    fn a_run_is_idle_once_nobody_works_on_it_twice_in_a_row() {
        let live = Live::default();
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
        let (live, feed) = (Live::default(), feed());
        assert!(live.open("r-1", RunStatus::Running, &feed));
        live.hand_over();
        let cancellation = CancellationToken::new();
        live.works("r-1", cancellation.clone());
        assert!(cancellation.is_cancelled());
    }
}

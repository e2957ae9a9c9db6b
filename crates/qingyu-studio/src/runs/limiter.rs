//! The limit on concurrent runs of a server; further runs are refused, never queued.

use std::sync::{Arc, OnceLock};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, TryAcquireError};

use crate::error::Error;

/// The number of seconds until a retry of a refused run; a run may have ended in the meantime, or another server may be
/// available.
const WHEN_FULL: u64 = 10;
const WHEN_STOPPING: u64 = 5;

/// The run limiter of a process; unlimited until the process becomes a server.
#[derive(Debug, Default)]
pub(crate) struct RunLimiter {
    limited: OnceLock<RunLimit>,
}

#[derive(Debug)]
struct RunLimit {
    most: usize,
    semaphore: Arc<Semaphore>,
}

/// A permit for a run, released on drop.
#[derive(Debug)]
pub(crate) struct RunPermit(#[expect(dead_code, reason = "it is held, not looked at")] Option<OwnedSemaphorePermit>);

impl RunLimiter {
    /// Limits the number of concurrent runs to `most`.
    pub(crate) fn limit(&self, most: usize) {
        let most = most.clamp(1, Semaphore::MAX_PERMITS);
        self.limited.get_or_init(|| RunLimit { most, semaphore: Arc::new(Semaphore::new(most)) });
    }

    /// Refuses all further runs.
    pub(crate) fn close(&self) {
        if let Some(RunLimit { semaphore, .. }) = self.limited.get() {
            semaphore.close();
        }
    }

    /// Acquires a permit. Returns [`Error::Overloaded`] if all permits are taken, [`Error::Stopping`] after closing.
    pub(crate) fn enter(&self) -> Result<RunPermit, Error> {
        let Some(RunLimit { most, semaphore }) = self.limited.get() else { return Ok(RunPermit(None)) };
        match Arc::clone(semaphore).try_acquire_owned() {
            Ok(permit) => Ok(RunPermit(Some(permit))),
            Err(TryAcquireError::NoPermits) => Err(Error::Overloaded { most: *most, retry_after: WHEN_FULL }),
            Err(TryAcquireError::Closed) => Err(Error::Stopping { retry_after: WHEN_STOPPING }),
        }
    }

    /// Returns the number of available permits.
    pub(crate) fn left(&self) -> usize {
        self.limited.get().map_or(usize::MAX, |limited| limited.semaphore.available_permits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_is_without_end_until_it_is_limited() {
        let room = RunLimiter::default();
        let _seats: Vec<_> = (0..100).map(|_| room.enter().unwrap()).collect();
        assert_eq!(room.left(), usize::MAX);
    }

    #[test]
    fn who_finds_no_seat_is_refused_until_one_is_free() {
        let room = RunLimiter::default();
        room.limit(2);
        let first = room.enter().unwrap();
        let _second = room.enter().unwrap();
        assert!(matches!(room.enter(), Err(Error::Overloaded { most: 2, retry_after: WHEN_FULL })));
        drop(first);
        let _third = room.enter().unwrap();
        assert_eq!(room.left(), 0);
        room.close();
        assert!(matches!(room.enter(), Err(Error::Stopping { .. })));
    }
}

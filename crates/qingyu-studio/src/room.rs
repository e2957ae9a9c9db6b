//! How many runs may work in a server at once. More are refused, never absorbed.

use std::sync::{Arc, OnceLock};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, TryAcquireError};

use crate::Error;

/// After how many seconds it is worth asking again: when a run may have ended, and when another server may be there.
const WHEN_FULL: u64 = 10;
const WHEN_STOPPING: u64 = 5;

/// The room of a process; without end until it serves.
#[derive(Debug, Default)]
pub(crate) struct Room {
    limited: OnceLock<Limited>,
}

#[derive(Debug)]
struct Limited {
    most: usize,
    seats: Arc<Semaphore>,
}

/// A run's place, free again once it is dropped.
#[derive(Debug)]
pub(crate) struct Seat(#[expect(dead_code, reason = "it is held, not looked at")] Option<OwnedSemaphorePermit>);

impl Room {
    /// From now on `most` runs may work at once.
    pub(crate) fn limit(&self, most: usize) {
        let most = most.clamp(1, Semaphore::MAX_PERMITS);
        self.limited.get_or_init(|| Limited { most, seats: Arc::new(Semaphore::new(most)) });
    }

    /// From now on nothing is begun.
    pub(crate) fn close(&self) {
        if let Some(Limited { seats, .. }) = self.limited.get() {
            seats.close();
        }
    }

    /// Takes a place. Fails with [`Error::Overloaded`] if there is none, [`Error::Stopping`] once the room is closed.
    pub(crate) fn enter(&self) -> Result<Seat, Error> {
        let Some(Limited { most, seats }) = self.limited.get() else { return Ok(Seat(None)) };
        match Arc::clone(seats).try_acquire_owned() {
            Ok(seat) => Ok(Seat(Some(seat))),
            Err(TryAcquireError::NoPermits) => Err(Error::Overloaded { most: *most, retry_after: WHEN_FULL }),
            Err(TryAcquireError::Closed) => Err(Error::Stopping { retry_after: WHEN_STOPPING }),
        }
    }

    /// How many more may enter.
    pub(crate) fn left(&self) -> usize {
        self.limited.get().map_or(usize::MAX, |limited| limited.seats.available_permits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_is_without_end_until_it_is_limited() {
        let room = Room::default();
        let _seats: Vec<_> = (0..100).map(|_| room.enter().unwrap()).collect();
        assert_eq!(room.left(), usize::MAX);
    }

    #[test]
    fn who_finds_no_seat_is_refused_until_one_is_free() {
        let room = Room::default();
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

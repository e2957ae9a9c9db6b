//! The connections that are open, and which of them make room for others.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

/// How long a new connection is left alone before it makes room for another: as long as a request is on its way.
const YOUNG: Duration = Duration::from_secs(1);

/// All open connections of a listener.
#[derive(Debug, Clone)]
pub(super) struct Connections {
    most: usize,
    open: Arc<Mutex<Open>>,
}

#[derive(Debug, Default)]
struct Open {
    next: u64,
    by_number: HashMap<u64, Entry>,
}

#[derive(Debug)]
struct Entry {
    address: IpAddr,
    requests: usize,
    /// Whether a whole request ever came.
    has_asked: bool,
    /// Since when no request is in progress.
    idle_since: Instant,
    /// Whether it is to be closed to make room; it counts no more.
    is_cut: bool,
    changed: Arc<Notify>,
}

/// An open connection; it counts until it is dropped.
#[derive(Debug)]
pub(super) struct Connection {
    number: u64,
    open: Arc<Mutex<Open>>,
    changed: Arc<Notify>,
}

/// A request in progress.
#[derive(Debug)]
pub(super) struct InUse(Arc<Connection>);

impl Connections {
    /// At most `most` at once, at least one.
    pub(super) fn new(most: usize) -> Self {
        Self { most: most.max(1), open: Arc::default() }
    }

    /// Counts a connection from `address`; none if as many are open as may and none of them makes room.
    ///
    /// Room is made by the longest silent connection that never asked, else by the longest idle one of the address that has most,
    /// if that are more than `address` has: whoever holds many connections cannot keep everybody else out.
    pub(super) fn enter(&self, address: IpAddr) -> Option<Connection> {
        let mut open = lock(&self.open);
        let counted = open.by_number.values().filter(|entry| !entry.is_cut).count();
        if counted >= self.most {
            let number = open.replaceable(address, Instant::now())?;
            if let Some(entry) = open.by_number.get_mut(&number) {
                entry.is_cut = true;
                entry.changed.notify_one();
            }
        }
        let (number, changed) = (open.next, Arc::new(Notify::new()));
        open.next += 1;
        let entry = Entry {
            address,
            requests: 0,
            has_asked: false,
            idle_since: Instant::now(),
            is_cut: false,
            changed: Arc::clone(&changed),
        };
        open.by_number.insert(number, entry);
        Some(Connection { number, open: Arc::clone(&self.open), changed })
    }
}

impl Open {
    fn replaceable(&self, newcomer: IpAddr, now: Instant) -> Option<u64> {
        let mut held: HashMap<IpAddr, usize> = HashMap::new();
        let counted = || self.by_number.iter().filter(|(_, entry)| !entry.is_cut);
        for (_, entry) in counted() {
            *held.entry(entry.address).or_default() += 1;
        }
        let idle = || counted().filter(|(_, entry)| entry.requests == 0);
        let is_old = |entry: &Entry| now.duration_since(entry.idle_since) >= YOUNG;
        let silent = idle().filter(|(_, entry)| !entry.has_asked && is_old(entry)).min_by_key(|(_, e)| e.idle_since);
        if let Some((number, _)) = silent {
            return Some(*number);
        }
        let own = held.get(&newcomer).copied().unwrap_or_default();
        let is_greedy = |entry: &Entry| entry.address != newcomer && held[&entry.address] > own + 1;
        let others = idle().filter(|(_, entry)| is_old(entry) && is_greedy(entry));
        let most = others.max_by_key(|(_, entry)| (held[&entry.address], std::cmp::Reverse(entry.idle_since)));
        most.map(|(number, _)| *number)
    }
}

impl Connection {
    /// Counts a request as in progress until what is returned is dropped.
    pub(super) fn begin_request(self: &Arc<Self>) -> InUse {
        self.change(|entry| {
            entry.requests += 1;
            entry.has_asked = true;
        });
        InUse(Arc::clone(self))
    }

    /// Returns once the connection is of no use any more: no request came within `first` of its beginning or within `between`
    /// of the last one, or it makes room for another.
    pub(super) async fn is_useless(&self, first: Duration, between: Duration) {
        loop {
            let (is_cut, deadline) = {
                let open = lock(&self.open);
                let Some(entry) = open.by_number.get(&self.number) else { return };
                let patience = if entry.has_asked { between } else { first };
                (entry.is_cut && entry.requests == 0, (entry.requests == 0).then(|| entry.idle_since + patience))
            };
            if is_cut {
                return;
            }
            match deadline {
                Some(deadline) if deadline <= Instant::now() => return,
                Some(deadline) => tokio::select! {
                    () = tokio::time::sleep_until(deadline) => {}
                    () = self.changed.notified() => {}
                },
                None => self.changed.notified().await,
            }
        }
    }

    fn change(&self, change: impl FnOnce(&mut Entry)) {
        if let Some(entry) = lock(&self.open).by_number.get_mut(&self.number) {
            change(entry);
        }
        self.changed.notify_one();
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        lock(&self.open).by_number.remove(&self.number);
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        self.0.change(|entry| {
            entry.requests -= 1;
            entry.idle_since = Instant::now();
        });
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_that_never_asked_makes_room() {
        let connections = Connections::new(2);
        let (first, _second) = (connections.enter(address(1)).unwrap(), connections.enter(address(1)).unwrap());
        assert!(connections.enter(address(2)).is_none(), "their requests may be on the way");
        tokio::time::advance(YOUNG).await;
        let third = Arc::new(connections.enter(address(2)).unwrap());
        first.is_useless(Duration::from_secs(600), Duration::from_secs(600)).await;
        let _asked = third.begin_request();
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_with_many_makes_room_for_one_with_few() {
        let connections = Connections::new(3);
        let many: Vec<_> = (0..3).map(|_| Arc::new(connections.enter(address(1)).unwrap())).collect();
        let mut in_use: Vec<_> = many.iter().map(Connection::begin_request).collect();
        tokio::time::advance(YOUNG).await;
        assert!(connections.enter(address(2)).is_none(), "requests in progress are never cut");
        in_use.pop();
        tokio::time::advance(YOUNG).await;
        assert!(connections.enter(address(1)).is_none(), "an address gains nothing from its own");
        let _other = connections.enter(address(2)).unwrap();
        many[2].is_useless(Duration::MAX / 4, Duration::MAX / 4).await;
    }

    #[tokio::test(start_paused = true)]
    async fn silence_counts_from_the_beginning_and_from_the_last_answer() {
        let connections = Connections::new(9);
        let connection = Arc::new(connections.enter(address(1)).unwrap());
        let (first, between) = (Duration::from_secs(10), Duration::from_secs(75));
        let begun = Instant::now();
        connection.is_useless(first, between).await;
        assert_eq!(begun.elapsed().as_secs(), 10);
        let in_use = connection.begin_request();
        let waiting = tokio::time::timeout(Duration::from_secs(900), connection.is_useless(first, between)).await;
        assert!(waiting.is_err(), "an answer may take as long as it takes");
        drop(in_use);
        let begun = Instant::now();
        connection.is_useless(first, between).await;
        assert_eq!(begun.elapsed().as_secs(), 75);
    }
}

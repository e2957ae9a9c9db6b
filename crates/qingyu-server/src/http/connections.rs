//! The open connections, and the eviction of connections at the limit.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

/// Minimum age before a silent connection may be evicted: enough for a request to arrive.
const YOUNG: Duration = Duration::from_secs(1);

/// All open connections of a listener.
#[derive(Debug, Clone)]
pub(super) struct ConnectionLimiter {
    most: usize,
    open: Arc<Mutex<OpenConnections>>,
}

#[derive(Debug, Default)]
struct OpenConnections {
    next: u64,
    by_number: HashMap<u64, ConnectionEntry>,
}

#[derive(Debug)]
struct ConnectionEntry {
    address: IpAddr,
    requests: usize,
    /// Whether a complete request was ever received.
    has_asked: bool,
    /// Start of the idle time; no request is in progress since.
    idle_since: Instant,
    /// Whether the connection is being evicted; no longer counted.
    is_cut: bool,
    changed: Arc<Notify>,
}

/// An open connection, counted until dropped.
#[derive(Debug)]
pub(super) struct ConnectionPermit {
    number: u64,
    open: Arc<Mutex<OpenConnections>>,
    changed: Arc<Notify>,
}

/// A request in progress, counted until dropped.
#[derive(Debug)]
pub(super) struct RequestInProgress(Arc<ConnectionPermit>);

impl ConnectionLimiter {
    /// Creates a limit of `most` concurrent connections, at least one.
    pub(super) fn new(most: usize) -> Self {
        Self { most: most.max(1), open: Arc::default() }
    }

    /// Registers a connection from `address`; returns `None` at the limit if no connection can be evicted.
    ///
    /// Evicts the longest silent connection without any request, else the longest idle connection of the address with
    /// most connections, provided `address` has fewer: a client with many connections cannot lock out everybody else.
    pub(super) fn enter(&self, address: IpAddr) -> Option<ConnectionPermit> {
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
        let entry = ConnectionEntry {
            address,
            requests: 0,
            has_asked: false,
            idle_since: Instant::now(),
            is_cut: false,
            changed: Arc::clone(&changed),
        };
        open.by_number.insert(number, entry);
        Some(ConnectionPermit { number, open: Arc::clone(&self.open), changed })
    }
}

impl OpenConnections {
    fn replaceable(&self, newcomer: IpAddr, now: Instant) -> Option<u64> {
        let mut held: HashMap<IpAddr, usize> = HashMap::new();
        let counted = || self.by_number.iter().filter(|(_, entry)| !entry.is_cut);
        for (_, entry) in counted() {
            *held.entry(entry.address).or_default() += 1;
        }
        let idle = || counted().filter(|(_, entry)| entry.requests == 0);
        let is_old = |entry: &ConnectionEntry| now.duration_since(entry.idle_since) >= YOUNG;
        let silent = idle().filter(|(_, entry)| !entry.has_asked && is_old(entry)).min_by_key(|(_, e)| e.idle_since);
        if let Some((number, _)) = silent {
            return Some(*number);
        }
        let own = held.get(&newcomer).copied().unwrap_or_default();
        let is_greedy = |entry: &ConnectionEntry| entry.address != newcomer && held[&entry.address] > own + 1;
        let others = idle().filter(|(_, entry)| is_old(entry) && is_greedy(entry));
        let most = others.max_by_key(|(_, entry)| (held[&entry.address], std::cmp::Reverse(entry.idle_since)));
        most.map(|(number, _)| *number)
    }
}

impl ConnectionPermit {
    /// Counts a request as in progress until the returned guard is dropped.
    pub(super) fn begin_request(self: &Arc<Self>) -> RequestInProgress {
        self.change(|entry| {
            entry.requests += 1;
            entry.has_asked = true;
        });
        RequestInProgress(Arc::clone(self))
    }

    /// Resolves when the connection should be closed: no request arrived within `first` of its start or within
    /// `between` of the last response, or the connection is evicted.
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

    fn change(&self, change: impl FnOnce(&mut ConnectionEntry)) {
        if let Some(entry) = lock(&self.open).by_number.get_mut(&self.number) {
            change(entry);
        }
        self.changed.notify_one();
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        lock(&self.open).by_number.remove(&self.number);
    }
}

impl Drop for RequestInProgress {
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
        let connections = ConnectionLimiter::new(2);
        let (first, _second) = (connections.enter(address(1)).unwrap(), connections.enter(address(1)).unwrap());
        assert!(connections.enter(address(2)).is_none(), "their requests may be on the way");
        tokio::time::advance(YOUNG).await;
        let third = Arc::new(connections.enter(address(2)).unwrap());
        first.is_useless(Duration::from_secs(600), Duration::from_secs(600)).await;
        let _asked = third.begin_request();
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_with_many_makes_room_for_one_with_few() {
        let connections = ConnectionLimiter::new(3);
        let many: Vec<_> = (0..3).map(|_| Arc::new(connections.enter(address(1)).unwrap())).collect();
        let mut in_use: Vec<_> = many.iter().map(ConnectionPermit::begin_request).collect();
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
        let connections = ConnectionLimiter::new(9);
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

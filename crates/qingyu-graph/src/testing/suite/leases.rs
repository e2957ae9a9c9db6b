//! Tests of leases.

use std::sync::Arc;
use std::time::Duration;

use super::records::{LONG, acquire, record};
use crate::Error;
use crate::store::{Owner, RecordKind, Store, ThreadId, ThreadLease};

pub(super) async fn a_lease_excludes_others(store: Arc<dyn Store>) {
    let lease = acquire(&store, "one", LONG).await;
    let second = store.acquire(&lease.thread, &Owner::this_process(), LONG).await;
    assert!(matches!(second, Err(Error::ThreadBusy { .. })), "{second:?}");
    acquire(&store, "another", LONG).await;
    store.renew(&lease, LONG).await.expect("it is still ours");
    store.release(&lease).await.expect("it is still ours");
    let next = acquire(&store, "one", LONG).await;
    assert!(next.epoch > lease.epoch);
}

pub(super) async fn an_expired_lease_is_taken_over_and_fenced(store: Arc<dyn Store>) {
    let old = acquire(&store, "one", Duration::ZERO).await;
    let new = acquire(&store, "one", LONG).await;
    assert!(new.epoch > old.epoch);
    refuses(&store, &old).await;
    assert!(matches!(store.renew(&old, LONG).await, Err(Error::Fenced { .. })));
    store.release(&old).await.expect("it leaves the new lease alone");
    let records = vec![record(RecordKind::Snapshot, 0, "mine")];
    assert_eq!(store.append(&new, records, Vec::new()).await.expect("it is ours"), 1, "nothing refused was stored");
    let renewed = acquire(&store, "renewed", Duration::ZERO).await;
    store.renew(&renewed, LONG).await.expect("nobody has taken it");
    let taken = store.acquire(&renewed.thread, &Owner::this_process(), LONG).await;
    assert!(matches!(taken, Err(Error::ThreadBusy { .. })), "{taken:?}");
}

pub(super) async fn the_holder_of_a_lease_is_known(store: Arc<dyn Store>) {
    let thread = ThreadId::from("looked at");
    let holder = async || store.holder(&thread).await.expect("it can be read");
    assert_eq!(holder().await, None);
    let lease = acquire(&store, "looked at", LONG).await;
    assert!(holder().await.is_some_and(|holder| holder.contains(&std::process::id().to_string())));
    store.release(&lease).await.expect("it is ours");
    assert_eq!(holder().await, None);
    acquire(&store, "looked at", Duration::ZERO).await;
    assert_eq!(holder().await, None, "it has run out");
}

pub(super) async fn a_released_lease_cannot_write(store: Arc<dyn Store>) {
    let lease = acquire(&store, "one", LONG).await;
    store.release(&lease).await.expect("it is ours");
    refuses(&store, &lease).await;
    assert!(matches!(store.renew(&lease, LONG).await, Err(Error::Fenced { .. })));
}

pub(super) async fn of_many_who_come_at_once_one_wins(store: Arc<dyn Store>) {
    let attempts = (0..16).map(|_| {
        let store = Arc::clone(&store);
        tokio::spawn(async move { store.acquire(&"one".into(), &Owner::this_process(), LONG).await.is_ok() })
    });
    let attempts: Vec<_> = attempts.collect();
    let mut winners = 0;
    for attempt in attempts {
        winners += u32::from(attempt.await.expect("it does not panic"));
    }
    assert_eq!(winners, 1);
}

async fn refuses(store: &Arc<dyn Store>, lease: &ThreadLease) {
    let refused = store.append(lease, vec![record(RecordKind::Snapshot, 0, "late")], Vec::new()).await;
    assert!(matches!(refused, Err(Error::Fenced { .. })), "{refused:?}");
}

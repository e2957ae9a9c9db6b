//! The suite that every [`Store`] runs. A failure is a panic, as in any test.

use std::sync::Arc;
use std::time::Duration;

use crate::store::{Lease, Owner, Record, RecordKind, Store, ThreadId};
use crate::{Error, JoinedWrite};

const LONG: Duration = Duration::from_secs(3600);

/// Checks everything that [`Store`] promises and that one process can see. `make` gives an empty store each time.
pub async fn store_suite(make: impl AsyncFn() -> Arc<dyn Store>) {
    an_unknown_thread_is_empty(make().await).await;
    records_come_back_as_they_were(make().await).await;
    only_the_newest_part_is_read(make().await).await;
    every_branch_can_be_read(make().await).await;
    threads_do_not_mix(make().await).await;
    a_lease_excludes_others(make().await).await;
    an_expired_lease_is_taken_over_and_fenced(make().await).await;
    the_holder_of_a_lease_is_known(make().await).await;
    a_released_lease_cannot_write(make().await).await;
    of_many_who_come_at_once_one_wins(make().await).await;
    a_foreign_joined_write_is_refused_whole(make().await).await;
}

async fn an_unknown_thread_is_empty(store: Arc<dyn Store>) {
    let thread = ThreadId::from("nobody");
    assert_eq!(store.newest(&thread, "").await.expect("it can be read"), None);
    let lease = acquire(&store, "nobody", LONG).await;
    let pending = vec![record(RecordKind::Step, 0, "before any checkpoint")];
    store.append(&lease, pending, Vec::new()).await.expect("it can be written");
    assert_eq!(store.newest(&thread, "").await.expect("it can be read"), None);
}

async fn records_come_back_as_they_were(store: Arc<dyn Store>) {
    let lease = acquire(&store, "线索", LONG).await;
    let full = Record {
        scope: String::new(),
        branch: 7,
        parent: 1,
        kind: RecordKind::Writes,
        task: "校对 \"two\"#3".to_owned(),
        key: "key with 'quotes'".to_owned(),
        body: format!("{{\"text\":\"{}\"}}", "雨".repeat(100_000)),
    };
    let every_kind = RecordKind::ALL.into_iter().filter(|kind| !kind.is_checkpoint());
    let mut pending: Vec<_> = every_kind.map(|kind| record(kind, 1, kind.name())).collect();
    pending.push(full);
    let mut records = vec![record(RecordKind::Snapshot, 0, "start")];
    records.extend(pending.clone());
    let last = store.append(&lease, records, Vec::new()).await.expect("it can be written");
    assert_eq!(last, 1 + pending.len() as u64, "positions count from 1 without gaps");
    let journal = store.newest(&lease.thread, "").await.expect("it can be read").expect("it has a checkpoint");
    assert_eq!(journal.head, 1);
    assert_eq!(journal.checkpoints, [record(RecordKind::Snapshot, 0, "start")]);
    assert_eq!(journal.pending, pending);
}

async fn only_the_newest_part_is_read(store: Arc<dyn Store>) {
    let lease = acquire(&store, "long", LONG).await;
    let batches = [
        vec![record(RecordKind::Snapshot, 0, "1")],
        vec![record(RecordKind::Step, 1, "2 old step"), record(RecordKind::Delta, 1, "3 old delta")],
        vec![record(RecordKind::Writes, 3, "4 old writes"), record(RecordKind::Snapshot, 3, "5")],
        vec![record(RecordKind::Step, 5, "6 old step")],
        vec![record(RecordKind::Delta, 5, "7")],
        vec![record(RecordKind::Question, 7, "8")],
        vec![record(RecordKind::Answer, 7, "9")],
    ];
    for batch in batches {
        store.append(&lease, batch, Vec::new()).await.expect("it can be written");
    }
    let journal = store.newest(&lease.thread, "").await.expect("it can be read").expect("it has a checkpoint");
    let bodies = |records: &[Record]| records.iter().map(|record| record.body.clone()).collect::<Vec<_>>();
    assert_eq!(journal.head, 7);
    assert_eq!(bodies(&journal.checkpoints), ["5", "7"]);
    assert_eq!(bodies(&journal.pending), ["8", "9"]);
}

async fn every_branch_can_be_read(store: Arc<dyn Store>) {
    let lease = acquire(&store, "forked", LONG).await;
    let fork = Record { branch: 1, ..record(RecordKind::Snapshot, 2, "5 fork") };
    let batches = [
        vec![record(RecordKind::Snapshot, 0, "1"), record(RecordKind::Delta, 1, "2")],
        vec![record(RecordKind::Step, 2, "3 step"), record(RecordKind::Delta, 2, "4")],
        vec![fork, Record { branch: 1, ..record(RecordKind::Answer, 5, "6 answer") }],
        vec![Record { branch: 1, ..record(RecordKind::Delta, 5, "7") }],
    ];
    for batch in batches {
        store.append(&lease, batch, Vec::new()).await.expect("it can be written");
    }
    let bodies = |records: &[Record]| records.iter().map(|record| record.body.clone()).collect::<Vec<_>>();
    for (position, checkpoints, pending) in [
        (1, vec!["1"], vec![]),
        (2, vec!["1", "2"], vec!["3 step"]),
        (4, vec!["1", "2", "4"], vec![]),
        (5, vec!["5 fork"], vec!["6 answer"]),
        (7, vec!["5 fork", "7"], vec![]),
    ] {
        let journal = store.at(&lease.thread, position).await.expect("it can be read").expect("it is a checkpoint");
        assert_eq!(journal.head, position);
        assert_eq!((bodies(&journal.checkpoints), bodies(&journal.pending)), (own(&checkpoints), own(&pending)));
    }
    for position in [0, 3, 6, 8, u64::MAX] {
        assert_eq!(store.at(&lease.thread, position).await.expect("it can be read"), None);
    }
    for (before, limit, expected) in [
        (u64::MAX, usize::MAX, vec![7, 5, 4, 2, 1]),
        (u64::MAX, 2, vec![7, 5]),
        (5, 2, vec![4, 2]),
        (1, 9, vec![]),
        (0, 9, vec![]),
    ] {
        let found = store.checkpoints(&lease.thread, "", before, limit).await.expect("they can be read");
        assert_eq!(found.iter().map(|(position, _)| *position).collect::<Vec<_>>(), expected);
        assert!(found.iter().all(|(position, record)| record.body.starts_with(&position.to_string())));
    }
    assert_eq!(store.checkpoints(&"nobody".into(), "", 9, 9).await.expect("they can be read"), []);
    assert_eq!(store.at(&"nobody".into(), 1).await.expect("it can be read"), None);
}

fn own(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

async fn threads_do_not_mix(store: Arc<dyn Store>) {
    for name in ["a", "b"] {
        let lease = acquire(&store, name, LONG).await;
        let records = vec![record(RecordKind::Snapshot, 0, name)];
        assert_eq!(store.append(&lease, records, Vec::new()).await.expect("it can be written"), 1);
    }
    for name in ["a", "b"] {
        let journal = store.newest(&name.into(), "").await.expect("it can be read").expect("it has a checkpoint");
        assert_eq!(journal.checkpoints, [record(RecordKind::Snapshot, 0, name)]);
    }
}

async fn a_lease_excludes_others(store: Arc<dyn Store>) {
    let lease = acquire(&store, "one", LONG).await;
    let second = store.acquire(&lease.thread, &Owner::this_process(), LONG).await;
    assert!(matches!(second, Err(Error::ThreadBusy { .. })), "{second:?}");
    acquire(&store, "another", LONG).await;
    store.renew(&lease, LONG).await.expect("it is still ours");
    store.release(&lease).await.expect("it is still ours");
    let next = acquire(&store, "one", LONG).await;
    assert!(next.epoch > lease.epoch);
}

async fn an_expired_lease_is_taken_over_and_fenced(store: Arc<dyn Store>) {
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

async fn the_holder_of_a_lease_is_known(store: Arc<dyn Store>) {
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

async fn a_released_lease_cannot_write(store: Arc<dyn Store>) {
    let lease = acquire(&store, "one", LONG).await;
    store.release(&lease).await.expect("it is ours");
    refuses(&store, &lease).await;
    assert!(matches!(store.renew(&lease, LONG).await, Err(Error::Fenced { .. })));
}

async fn of_many_who_come_at_once_one_wins(store: Arc<dyn Store>) {
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

async fn a_foreign_joined_write_is_refused_whole(store: Arc<dyn Store>) {
    let lease = acquire(&store, "one", LONG).await;
    let foreign = JoinedWrite::new("of no store");
    let refused = store.append(&lease, vec![record(RecordKind::Snapshot, 0, "start")], vec![foreign]).await;
    assert!(matches!(refused, Err(Error::CannotJoin { .. })), "{refused:?}");
    assert_eq!(store.newest(&lease.thread, "").await.expect("it can be read"), None);
}

async fn acquire(store: &Arc<dyn Store>, thread: &str, duration: Duration) -> Lease {
    store.acquire(&thread.into(), &Owner::this_process(), duration).await.expect("nobody holds it")
}

async fn refuses(store: &Arc<dyn Store>, lease: &Lease) {
    let refused = store.append(lease, vec![record(RecordKind::Snapshot, 0, "late")], Vec::new()).await;
    assert!(matches!(refused, Err(Error::Fenced { .. })), "{refused:?}");
}

fn record(kind: RecordKind, parent: u64, body: &str) -> Record {
    Record {
        scope: String::new(),
        branch: 0,
        parent,
        kind,
        task: String::new(),
        key: String::new(),
        body: body.to_owned(),
    }
}

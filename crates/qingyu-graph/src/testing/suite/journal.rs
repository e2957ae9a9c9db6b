//! Tests of writing and reading.

use std::sync::Arc;

use super::records::{LONG, acquire, append, bodies, record, scoped};
use crate::store::{JournalRecord, RecordKind, Store, ThreadId};
use crate::{Error, JoinedWrite};

pub(super) async fn an_unknown_thread_is_empty(store: Arc<dyn Store>) {
    let thread = ThreadId::from("nobody");
    assert_eq!(store.newest(&thread, "").await.expect("it can be read"), None);
    let lease = acquire(&store, "nobody", LONG).await;
    let pending = vec![record(RecordKind::Step, 0, "before any checkpoint")];
    append(&store, &lease, pending).await;
    assert_eq!(store.newest(&thread, "").await.expect("it can be read"), None);
}

pub(super) async fn records_come_back_as_they_were(store: Arc<dyn Store>) {
    let lease = acquire(&store, "线索", LONG).await;
    let full = JournalRecord {
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
    let last = append(&store, &lease, records).await;
    assert_eq!(last, 1 + pending.len() as u64, "positions count from 1 without gaps");
    let journal = store.newest(&lease.thread, "").await.expect("it can be read").expect("it has a checkpoint");
    assert_eq!(journal.head, 1);
    assert_eq!(journal.checkpoints, [record(RecordKind::Snapshot, 0, "start")]);
    assert_eq!(journal.pending, pending);
}

pub(super) async fn only_the_newest_part_is_read(store: Arc<dyn Store>) {
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
        append(&store, &lease, batch).await;
    }
    let journal = store.newest(&lease.thread, "").await.expect("it can be read").expect("it has a checkpoint");
    assert_eq!(journal.head, 7);
    assert_eq!(bodies(&journal.checkpoints), ["5", "7"]);
    assert_eq!(bodies(&journal.pending), ["8", "9"]);
}

pub(super) async fn every_branch_can_be_read(store: Arc<dyn Store>) {
    let lease = acquire(&store, "forked", LONG).await;
    let fork = JournalRecord { branch: 1, ..record(RecordKind::Snapshot, 2, "5 fork") };
    let batches = [
        vec![record(RecordKind::Snapshot, 0, "1"), record(RecordKind::Delta, 1, "2")],
        vec![record(RecordKind::Step, 2, "3 step"), record(RecordKind::Delta, 2, "4")],
        vec![fork, JournalRecord { branch: 1, ..record(RecordKind::Answer, 5, "6 answer") }],
        vec![JournalRecord { branch: 1, ..record(RecordKind::Delta, 5, "7") }],
    ];
    for batch in batches {
        append(&store, &lease, batch).await;
    }
    for (position, checkpoints, pending) in [
        (1, vec!["1"], vec![]),
        (2, vec!["1", "2"], vec!["3 step"]),
        (4, vec!["1", "2", "4"], vec![]),
        (5, vec!["5 fork"], vec!["6 answer"]),
        (7, vec!["5 fork", "7"], vec![]),
    ] {
        let journal = store.at(&lease.thread, position).await.expect("it can be read").expect("it is a checkpoint");
        assert_eq!(journal.head, position);
        assert_eq!((bodies(&journal.checkpoints), bodies(&journal.pending)), (checkpoints, pending));
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

pub(super) async fn records_are_listed_in_pages(store: Arc<dyn Store>) {
    let lease = acquire(&store, "listed", LONG).await;
    let every_kind = RecordKind::ALL.into_iter().zip(["", "a", "b"].into_iter().cycle());
    let records: Vec<_> = every_kind.map(|(kind, scope)| scoped(scope, kind, 1, kind.name())).collect();
    append(&store, &lease, records.clone()).await;
    let all: Vec<_> = (1..).zip(records).collect();
    for (after, limit, expected) in [
        (0, usize::MAX, &all[..]),
        (0, 4, &all[..4]),
        (4, 4, &all[4..8]),
        (8, 4, &all[8..]),
        (9, 4, &[]),
        (u64::MAX, 4, &[]),
        (0, 0, &[]),
    ] {
        assert_eq!(store.records(&lease.thread, after, limit).await.expect("they can be read"), expected);
    }
    assert_eq!(store.records(&"nobody".into(), 0, 9).await.expect("they can be read"), []);
}

pub(super) async fn threads_do_not_mix(store: Arc<dyn Store>) {
    for name in ["a", "b"] {
        let lease = acquire(&store, name, LONG).await;
        let records = vec![record(RecordKind::Snapshot, 0, name)];
        assert_eq!(append(&store, &lease, records).await, 1);
    }
    for name in ["a", "b"] {
        let journal = store.newest(&name.into(), "").await.expect("it can be read").expect("it has a checkpoint");
        assert_eq!(journal.checkpoints, [record(RecordKind::Snapshot, 0, name)]);
    }
}

pub(super) async fn threads_are_listed_by_name(store: Arc<dyn Store>) {
    // Sorted by bytes, not by a language's collation.
    let names = ["", "B", "a", "a b", "a-", "ab", "Ä", "雨", "\u{1f327}"];
    for name in names.iter().rev() {
        let lease = acquire(&store, name, LONG).await;
        append(&store, &lease, vec![record(RecordKind::Snapshot, 0, "1")]).await;
    }
    acquire(&store, "never started", LONG).await;
    for (name, scope, kind) in [("only a step", "", RecordKind::Step), ("only a subgraph", "a", RecordKind::Snapshot)] {
        let lease = acquire(&store, name, LONG).await;
        append(&store, &lease, vec![scoped(scope, kind, 0, "1")]).await;
    }
    let names: Vec<_> = names.map(ThreadId::from).into();
    for (after, limit, expected) in [
        (None, usize::MAX, &names[..]),
        (None, 2, &names[..2]),
        (Some("B"), 3, &names[2..5]),
        (Some("aa"), 9, &names[5..]),
        (Some("only"), 9, &names[6..]),
        (Some("\u{1f327}"), 9, &[]),
        (None, 0, &[]),
    ] {
        let after = after.map(ThreadId::from);
        assert_eq!(store.threads(after.as_ref(), limit).await.expect("they can be read"), expected, "after {after:?}");
    }
}

pub(super) async fn a_foreign_joined_write_is_refused_whole(store: Arc<dyn Store>) {
    let lease = acquire(&store, "one", LONG).await;
    let foreign = JoinedWrite::new("of no store");
    let refused = store.append(&lease, vec![record(RecordKind::Snapshot, 0, "start")], vec![foreign]).await;
    assert!(matches!(refused, Err(Error::CannotJoin { .. })), "{refused:?}");
    assert_eq!(store.newest(&lease.thread, "").await.expect("it can be read"), None);
}

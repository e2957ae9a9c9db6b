//! Tests of scopes in one thread.

use std::sync::Arc;

use super::records::{LONG, acquire, append, bodies, scoped};
use crate::store::RecordKind::{Answer, Delta, Question, Snapshot, Step, Writes};
use crate::store::{Store, ThreadLease};

/// Returns the lease of a thread with interleaved scopes, also within one append. A record's body is its position.
pub(super) async fn interleaved(store: &Arc<dyn Store>) -> ThreadLease {
    let lease = acquire(store, "scopes", LONG).await;
    let batches = [
        vec![("", Snapshot, 0), ("", Step, 1), ("a", Snapshot, 0)],
        vec![("A", Snapshot, 0), ("a", Step, 3)],
        vec![("", Delta, 1), ("a", Delta, 3), ("A", Question, 4)],
        vec![("a/子图:1", Snapshot, 0)],
        vec![("", Writes, 6), ("a", Snapshot, 7), ("a", Answer, 11), ("A", Delta, 4)],
        vec![("A", Snapshot, 13), ("", Question, 6)],
    ];
    let mut position = 0;
    for batch in batches {
        let placed = (position + 1..).zip(&batch);
        let records = placed.map(|(at, &(scope, kind, parent))| scoped(scope, kind, parent, &at.to_string())).collect();
        position += batch.len() as u64;
        assert_eq!(append(store, &lease, records).await, position);
    }
    lease
}

pub(super) async fn scopes_do_not_mix(store: Arc<dyn Store>) {
    let thread = interleaved(&store).await.thread;
    let at = [
        (1, vec!["1"], vec!["2"]),
        (3, vec!["3"], vec!["5"]),
        (4, vec!["4"], vec!["8"]),
        (6, vec!["1", "6"], vec!["10", "15"]),
        (7, vec!["3", "7"], vec![]),
        (9, vec!["9"], vec![]),
        (11, vec!["11"], vec!["12"]),
        (13, vec!["4", "13"], vec![]),
        (14, vec!["14"], vec![]),
    ];
    for (position, checkpoints, pending) in &at {
        let journal = store.at(&thread, *position).await.expect("it can be read").expect("it is a checkpoint");
        assert_eq!(journal.head, *position);
        assert_eq!((&bodies(&journal.checkpoints), &bodies(&journal.pending)), (checkpoints, pending), "at {position}");
    }
    for (scope, checkpoints) in [("", vec![6, 1]), ("a", vec![11, 7, 3]), ("A", vec![14, 13, 4]), ("a/子图:1", vec![9])]
    {
        let newest = store.newest(&thread, scope).await.expect("it can be read");
        assert_eq!(newest, store.at(&thread, checkpoints[0]).await.expect("it can be read"), "scope {scope}");
        for (before, limit) in [(u64::MAX, usize::MAX), (checkpoints[0], usize::MAX), (u64::MAX, 1), (0, 9)] {
            let found = store.checkpoints(&thread, scope, before, limit).await.expect("they can be read");
            let expected = checkpoints.iter().filter(|position| **position < before).take(limit);
            assert!(found.iter().map(|(position, _)| position).eq(expected), "scope {scope}: {found:?}");
            assert!(
                found.iter().all(|(position, record)| record.scope == scope && record.body == position.to_string())
            );
        }
    }
    for unknown in ["a/", "aa", "子图"] {
        assert_eq!(store.newest(&thread, unknown).await.expect("it can be read"), None);
        assert_eq!(store.checkpoints(&thread, unknown, u64::MAX, 9).await.expect("they can be read"), []);
    }
    assert_eq!(store.newest(&"nobody".into(), "a").await.expect("it can be read"), None);
}

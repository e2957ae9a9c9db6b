//! Tests of pruning and deleting.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::records::{LONG, acquire, append, bodies, positions, record, scoped};
use super::scopes::interleaved;
use crate::Error;
use crate::store::{RecordKind, Store, ThreadId};

pub(super) async fn what_is_pruned_is_gone_and_the_rest_stays_in_its_place(store: Arc<dyn Store>) {
    let other = acquire(&store, "another", LONG).await;
    append(&store, &other, vec![record(RecordKind::Snapshot, 0, "untouched")]).await;
    let lease = interleaved(&store).await;
    let thread = &lease.thread;
    let at = async |position| store.at(thread, position).await.expect("it can be read");
    let newest = async |scope| store.newest(thread, scope).await.expect("it can be read");
    let before = (newest("").await, newest("a").await, at(7).await);
    let keep = BTreeSet::from([String::new(), "a".to_owned(), "nobody".to_owned()]);
    store.prune(&lease, 14, &keep).await.expect("it is ours");
    assert_eq!(positions(&store, &lease).await, [1, 2, 3, 5, 6, 7, 10, 11, 12, 14, 15]);
    assert_eq!((newest("").await, newest("a").await, at(7).await), before);
    assert_eq!(bodies(&newest("A").await.expect("it has a snapshot").checkpoints), ["14"]);
    for gone in [4, 9, 13] {
        assert_eq!(at(gone).await, None);
    }
    assert_eq!(newest("a/子图:1").await, None);

    store.prune(&lease, 0, &BTreeSet::new()).await.expect("it is ours");
    store.prune(&lease, 6, &BTreeSet::new()).await.expect("it is ours");
    assert_eq!(positions(&store, &lease).await, [6, 7, 10, 11, 12, 14, 15]);
    assert_eq!((newest("").await, at(6).await, at(7).await), (None, None, None), "their snapshots are gone");
    assert_eq!(newest("a").await.map(|journal| journal.head), Some(11));
    assert_eq!(append(&store, &lease, vec![record(RecordKind::Snapshot, 6, "16")]).await, 16);
    assert_eq!(bodies(&newest("").await.expect("it can be read again").checkpoints), ["16"]);
    assert_eq!(positions(&store, &other).await, [1]);
}

pub(super) async fn a_thread_pruned_to_nothing_is_unknown_and_goes_on(store: Arc<dyn Store>) {
    let lease = acquire(&store, "one", LONG).await;
    let records = vec![record(RecordKind::Snapshot, 0, "1"), scoped("a", RecordKind::Snapshot, 0, "2")];
    append(&store, &lease, records).await;
    store.prune(&lease, u64::MAX, &BTreeSet::new()).await.expect("it is ours");
    let seen = async || {
        let newest = store.newest(&lease.thread, "").await.expect("it can be read");
        let listed = store.threads(None, 9).await.expect("they can be read").len();
        (newest.map(|journal| journal.head), listed, positions(&store, &lease).await)
    };
    assert_eq!(seen().await, (None, 0, vec![]));
    assert_eq!(append(&store, &lease, Vec::new()).await, 2, "the position of the last record, wherever it is");
    assert_eq!(append(&store, &lease, vec![record(RecordKind::Delta, 1, "3")]).await, 3);
    assert_eq!(seen().await, (None, 0, vec![3]));
    assert_eq!(append(&store, &lease, vec![record(RecordKind::Snapshot, 0, "4")]).await, 4);
    assert_eq!(seen().await, (Some(4), 1, vec![3, 4]));
}

pub(super) async fn a_deleted_thread_starts_anew(store: Arc<dyn Store>) {
    let other = acquire(&store, "another", LONG).await;
    append(&store, &other, vec![record(RecordKind::Snapshot, 0, "untouched")]).await;
    let old = interleaved(&store).await;
    store.delete(&old).await.expect("it is ours");
    assert!(positions(&store, &old).await.is_empty());
    for scope in ["", "a"] {
        assert_eq!(store.newest(&old.thread, scope).await.expect("it can be read"), None);
        assert_eq!(store.checkpoints(&old.thread, scope, u64::MAX, 9).await.expect("they can be read"), []);
    }
    assert_eq!(store.at(&old.thread, 1).await.expect("it can be read"), None);
    assert_eq!(store.threads(None, 9).await.expect("they can be read"), [ThreadId::from("another")]);
    assert_eq!(store.holder(&old.thread).await.expect("it can be read"), None, "the lease was given back");
    assert_eq!(positions(&store, &other).await, [1]);

    let new = acquire(&store, "scopes", LONG).await;
    assert!(new.epoch > old.epoch);
    let late = store.append(&old, vec![record(RecordKind::Snapshot, 0, "late")], Vec::new()).await;
    assert!(matches!(late, Err(Error::Fenced { .. })), "{late:?}");
    assert_eq!(append(&store, &new, vec![record(RecordKind::Snapshot, 0, "new")]).await, 1);
    let journal = store.newest(&new.thread, "").await.expect("it can be read").expect("it has a checkpoint");
    assert_eq!(bodies(&journal.checkpoints), ["new"]);
}

pub(super) async fn only_who_holds_the_lease_may_prune_and_delete(store: Arc<dyn Store>) {
    let expired = acquire(&store, "one", Duration::ZERO).await;
    let released = acquire(&store, "one", LONG).await;
    append(&store, &released, vec![record(RecordKind::Snapshot, 0, "kept")]).await;
    store.release(&released).await.expect("it is ours");
    let nobodys = crate::store::ThreadLease { thread: "nobody".into(), epoch: 1 };
    for lease in [expired, released.clone(), nobodys] {
        for refused in [store.prune(&lease, u64::MAX, &BTreeSet::new()).await, store.delete(&lease).await] {
            assert!(matches!(refused, Err(Error::Fenced { .. })), "{refused:?}");
        }
    }
    assert_eq!(positions(&store, &released).await, [1]);
    assert!(store.newest(&released.thread, "").await.expect("it can be read").is_some());
}

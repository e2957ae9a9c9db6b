//! Records and leases for the tests.

use std::sync::Arc;
use std::time::Duration;

use crate::store::{JournalRecord, Owner, RecordKind, Store, ThreadLease};

pub(super) const LONG: Duration = Duration::from_secs(3600);

pub(super) async fn acquire(store: &Arc<dyn Store>, thread: &str, duration: Duration) -> ThreadLease {
    store.acquire(&thread.into(), &Owner::this_process(), duration).await.expect("nobody holds it")
}

pub(super) async fn append(store: &Arc<dyn Store>, lease: &ThreadLease, records: Vec<JournalRecord>) -> u64 {
    store.append(lease, records, Vec::new()).await.expect("it can be written")
}

/// Returns a record of the graph.
pub(super) fn record(kind: RecordKind, parent: u64, body: &str) -> JournalRecord {
    scoped("", kind, parent, body)
}

pub(super) fn scoped(scope: &str, kind: RecordKind, parent: u64, body: &str) -> JournalRecord {
    JournalRecord {
        scope: scope.to_owned(),
        branch: 0,
        parent,
        kind,
        task: String::new(),
        key: String::new(),
        body: body.to_owned(),
    }
}

pub(super) fn bodies(records: &[JournalRecord]) -> Vec<&str> {
    records.iter().map(|record| record.body.as_str()).collect()
}

/// Returns the positions of the thread's records.
pub(super) async fn positions(store: &Arc<dyn Store>, lease: &ThreadLease) -> Vec<u64> {
    let records = store.records(&lease.thread, 0, usize::MAX).await.expect("they can be read");
    records.into_iter().map(|(position, _)| position).collect()
}

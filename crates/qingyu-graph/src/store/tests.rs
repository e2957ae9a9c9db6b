use std::sync::Arc;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
use std::time::Duration;

#[cfg(any(feature = "sqlite", feature = "postgres"))]
use super::{JournalRecord, Owner, RecordKind};
use super::{MemoryStore, Store};
use crate::testing::store_suite;

#[tokio::test]
async fn memory_keeps_the_contract() {
    store_suite(async || Arc::new(MemoryStore::new()) as Arc<dyn Store>).await;
}

#[cfg(feature = "sqlite")]
#[tokio::test]
async fn sqlite_keeps_the_contract() {
    use qingyu_db::{Settings, Sqlite};

    use super::SqliteStore;

    let folder = tempfile::tempdir().unwrap();
    let count = std::cell::Cell::new(0);
    let make = async || {
        count.set(count.get() + 1);
        let path = folder.path().join(format!("{}.db", count.get()));
        let database = Sqlite::open(&path, Settings::default()).await.unwrap();
        Arc::new(SqliteStore::open(database).await.unwrap()) as Arc<dyn Store>
    };
    store_suite(make).await;
    let in_memory = async || {
        let database = Sqlite::in_memory().await.unwrap();
        Arc::new(SqliteStore::open(database).await.unwrap()) as Arc<dyn Store>
    };
    store_suite(in_memory).await;
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn postgres_keeps_the_contract() {
    use crate::testing::TestSchema;

    let schemas = std::cell::RefCell::new(Vec::new());
    let Some(first) = TestSchema::new().await else { return };
    schemas.borrow_mut().push(first);
    let make = async || {
        let schema = TestSchema::new().await.expect("it was there before");
        let store = Arc::new(schema.store().await) as Arc<dyn Store>;
        schemas.borrow_mut().push(schema);
        store
    };
    store_suite(make).await;
}

/// Goes on with a thread `t` that was stored before there were scopes: a snapshot with a step, and a delta with a question.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(super) async fn goes_on(store: &impl Store) {
    use RecordKind::{Delta, Question, Snapshot, Step};

    let lease = store.acquire(&"t".into(), &Owner::this_process(), Duration::from_secs(60)).await.unwrap();
    assert_eq!(lease.epoch, 5);
    let scoped = vec![record("sub", Snapshot, 0), record("sub", Delta, 5), record("", Step, 3)];
    assert_eq!(store.append(&lease, scoped, Vec::new()).await.unwrap(), 7);
    let newest = store.newest(&lease.thread, "").await.unwrap().unwrap();
    assert_eq!(newest.head, 3);
    assert_eq!(newest.checkpoints, [record("", Snapshot, 0), record("", Delta, 1)]);
    assert_eq!(newest.pending, [record("", Question, 3), record("", Step, 3)]);
    assert_eq!(store.at(&lease.thread, 1).await.unwrap().unwrap().pending, [record("", Step, 1)]);
    let scoped = store.newest(&lease.thread, "sub").await.unwrap().unwrap();
    assert_eq!((scoped.head, scoped.checkpoints.len()), (6, 2));
    assert_eq!(store.threads(None, 9).await.unwrap(), [lease.thread]);
}

#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(super) fn record(scope: &str, kind: RecordKind, parent: u64) -> JournalRecord {
    JournalRecord {
        scope: scope.to_owned(),
        branch: 0,
        parent,
        kind,
        task: String::new(),
        key: String::new(),
        body: "{}".to_owned(),
    }
}

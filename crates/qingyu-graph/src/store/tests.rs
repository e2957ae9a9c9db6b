use std::sync::Arc;

use super::{MemoryStore, Store};
use crate::testing::store_suite;

#[tokio::test]
async fn memory_keeps_the_contract() {
    store_suite(async || Arc::new(MemoryStore::new()) as Arc<dyn Store>).await;
}

#[cfg(feature = "sqlite")]
#[tokio::test]
async fn sqlite_keeps_the_contract() {
    use qingyu_db::{Database, Settings};

    use super::SqliteStore;

    let folder = tempfile::tempdir().unwrap();
    let count = std::cell::Cell::new(0);
    let make = async || {
        count.set(count.get() + 1);
        let path = folder.path().join(format!("{}.db", count.get()));
        let database = Database::open(&path, Settings::default()).await.unwrap();
        Arc::new(SqliteStore::open(database).await.unwrap()) as Arc<dyn Store>
    };
    store_suite(make).await;
    let in_memory = async || {
        let database = Database::in_memory().await.unwrap();
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

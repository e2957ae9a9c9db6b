//! MongoDB, or what speaks like it, each test in a database of its own.

use std::sync::Arc;

use qingyu_engines::mongodb::MongoLongTerm;
use qingyu_memory::testing::long_term_suite;
use qingyu_memory::{Clock, Error, LongTermMemory, SystemClock};

use crate::server;

const VARIABLE: &str = "QINGYU_TEST_MONGODB";

#[tokio::test]
async fn long_term_memory() {
    let Ok(url) = std::env::var(VARIABLE) else {
        server::skip(&format!("no MongoDB ({VARIABLE} is not set; make engines-test starts what speaks like one)"));
        return;
    };
    let database = format!("test_{}", uuid::Uuid::new_v4().simple());
    long_term_suite(async |clock: Arc<dyn Clock>| {
        Arc::new(MongoLongTerm::open(&url, &database, clock).await.unwrap()) as Arc<dyn LongTermMemory>
    })
    .await;
}

#[tokio::test]
async fn nobody_answers() {
    let clock = || Arc::new(SystemClock);
    let away = "mongodb://me:secret@127.0.0.1:1/?serverSelectionTimeoutMS=1";
    let away = MongoLongTerm::open(away, "qingyu", clock()).await.unwrap_err();
    let message = away.to_string();
    assert!(matches!(away, Error::Unreachable { .. }), "{away:?}");
    assert!(message.contains("127.0.0.1:1") && !message.contains("secret"), "{message}");
    let unfit = MongoLongTerm::open("http://me:secret@x", "qingyu", clock()).await.unwrap_err();
    assert!(matches!(unfit, Error::Unfit { .. }) && !unfit.to_string().contains("secret"), "{unfit}");
}

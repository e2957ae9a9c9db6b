//! Redis. Tests use users that nobody else has.

use std::sync::Arc;
use std::time::Duration;

use qingyu_engines::redis::RedisShortTerm;
use qingyu_memory::testing::{HandClock, short_term_suite};
use qingyu_memory::{Clock, Error, ShortTermMemory, SystemClock, Talk, UserId};
use serde_json::json;

use crate::server;

const VARIABLE: &str = "QINGYU_TEST_REDIS";
const LOCAL: &str = "redis://127.0.0.1:6379";

fn url() -> String {
    std::env::var(VARIABLE).unwrap_or_else(|_| LOCAL.to_owned())
}

async fn memory(clock: Arc<dyn Clock>) -> Option<RedisShortTerm> {
    match RedisShortTerm::open(&url(), clock).await {
        Ok(memory) => Some(memory),
        Err(error) if server::is_demanded(VARIABLE, true) => panic!("the tests need a Redis server: {error}"),
        Err(error) => {
            server::skip(&format!("no Redis ({error})"));
            None
        }
    }
}

fn talk(session: &str) -> Talk {
    let user = format!("测试 {}", uuid::Uuid::new_v4());
    Talk::new(UserId::new(&user).unwrap(), session).unwrap()
}

#[tokio::test]
async fn short_term_memory() {
    if memory(Arc::new(SystemClock)).await.is_none() {
        return;
    }
    // The suite has users of fixed names, so each run has a database that it empties first.
    let prefix = uuid::Uuid::new_v4().to_string();
    short_term_suite(async |clock| {
        Arc::new(memory(clock).await.unwrap().with_prefix(&prefix)) as Arc<dyn ShortTermMemory>
    })
    .await;
}

#[tokio::test]
async fn the_server_ends_a_life_by_itself() {
    let clock = Arc::new(HandClock::default());
    let Some(memory) = memory(clock).await else { return };
    let talk = talk("雨夜");
    memory.put(&talk, "short", json!(1), Duration::from_millis(1)).await.unwrap();
    memory.put(&talk, "long", json!(2), Duration::from_secs(60)).await.unwrap();
    // The clock stands still, so only the server can have ended it.
    while memory.get(&talk, "short").await.unwrap().is_some() {
        tokio::task::yield_now().await;
    }
    assert_eq!(memory.list(&talk).await.unwrap().len(), 1);
    assert_eq!(memory.forget_talk(&talk).await.unwrap(), 1);
}

#[tokio::test]
async fn nobody_answers() {
    let away = RedisShortTerm::open("redis://:secret@127.0.0.1:1/", Arc::new(SystemClock)).await.unwrap_err();
    let message = away.to_string();
    assert!(matches!(away, Error::Unreachable { .. }), "{away:?}");
    assert!(message.contains("127.0.0.1:1") && !message.contains("secret"), "{message}");
    let unfit = RedisShortTerm::open("nonsense://:secret@x", Arc::new(SystemClock)).await.unwrap_err();
    assert!(matches!(unfit, Error::Unfit { .. }) && !unfit.to_string().contains("secret"), "{unfit}");
}

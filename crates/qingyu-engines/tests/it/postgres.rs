//! PostgreSQL, each test in a schema of its own.

use std::sync::Arc;

use qingyu_db::{Durability, Postgres, PostgresSettings};
use qingyu_engines::postgres::{PostgresLongTerm, PostgresSearch, PostgresVectors};
use qingyu_knowledge::Query;
use qingyu_knowledge::engine::{Error, Scope, SearchEngine};
use qingyu_knowledge::testing::{search_suite, vector_suite};
use qingyu_memory::testing::long_term_suite;
use qingyu_memory::{Clock, LongTermMemory};
use qingyu_story::{Document, Story};

use crate::server;

const VARIABLE: &str = "QINGYU_TEST_POSTGRES";
const LOCAL: &str = "postgresql://postgres@127.0.0.1:5432/test";

/// A schema that no other test sees; it is dropped with this value.
struct Schema {
    settings: PostgresSettings,
    postgres: Postgres,
}

impl Schema {
    async fn new() -> Option<Self> {
        let url = std::env::var(VARIABLE).unwrap_or_else(|_| LOCAL.to_owned());
        let settings = PostgresSettings {
            schema: format!("qingyu_test_{}", uuid::Uuid::new_v4().simple()),
            durability: Durability::Normal,
            ..PostgresSettings::new(url)
        };
        match Postgres::open(settings.clone()).await {
            Ok(postgres) => Some(Self { settings, postgres }),
            Err(error) if server::is_demanded(VARIABLE, true) => panic!("the tests need a PostgreSQL server: {error}"),
            Err(error) => {
                server::skip(&format!("no PostgreSQL ({error})"));
                None
            }
        }
    }

    async fn drop(self) {
        let sql = format!("DROP SCHEMA IF EXISTS {} CASCADE", self.settings.schema);
        self.postgres.client().await.unwrap().batch_execute(&sql).await.unwrap();
    }
}

#[tokio::test]
async fn search() {
    let Some(schema) = Schema::new().await else { return };
    search_suite(&PostgresSearch::open(schema.postgres.clone()).await.unwrap(), 6).await;
    schema.drop().await;
}

#[tokio::test]
async fn vectors() {
    let Some(schema) = Schema::new().await else { return };
    vector_suite(&PostgresVectors::open(schema.postgres.clone()).await.unwrap(), 6).await;
    schema.drop().await;
}

#[tokio::test]
async fn long_term_memory() {
    let Some(schema) = Schema::new().await else { return };
    long_term_suite(async |clock: Arc<dyn Clock>| {
        let memory = PostgresLongTerm::open(schema.postgres.clone(), clock).await.unwrap();
        Arc::new(memory) as Arc<dyn LongTermMemory>
    })
    .await;
    schema.drop().await;
}

#[tokio::test]
async fn a_cut_in_the_middle_leaves_nothing_half_done() {
    let Some(schema) = Schema::new().await else { return };
    let search = PostgresSearch::open(schema.postgres.clone()).await.unwrap();
    let scope = Scope::new("甲", "一");
    let document = |text: &str| Story {
        documents: vec![Document { id: "d-1".into(), text: text.into(), ..Document::default() }],
        ..Story::default()
    };
    search.sync(&scope, &document("旧港的雨。")).await.unwrap();
    // What comes after the chunks cannot be written any more.
    let break_it = "ALTER TABLE search_vector ADD CONSTRAINT broken CHECK (false) NOT VALID";
    schema.postgres.client().await.unwrap().batch_execute(break_it).await.unwrap();
    let error = search.sync(&scope, &document("芯片碎了。")).await.unwrap_err();
    assert!(matches!(error, Error::Refused { .. }), "{error:?}");
    let found = async |text: &str| search.search(&scope, &Query::new(text)).await.unwrap().len();
    assert_eq!((found("旧港").await, found("芯片").await), (1, 0), "the index is the one before");
    let mend_it = "ALTER TABLE search_vector DROP CONSTRAINT broken";
    schema.postgres.client().await.unwrap().batch_execute(mend_it).await.unwrap();
    search.sync(&scope, &document("芯片碎了。")).await.unwrap();
    assert_eq!((found("旧港").await, found("芯片").await), (0, 1), "the same may be done again");
    schema.drop().await;
}

#[tokio::test]
async fn another_process_sees_what_has_changed() {
    let Some(schema) = Schema::new().await else { return };
    let (one, other) = (
        PostgresSearch::open(schema.postgres.clone()).await.unwrap(),
        PostgresSearch::open(schema.postgres.clone()).await.unwrap(),
    );
    let scope = Scope::new("甲", "一");
    let documents = |text: &str| vec![Document { id: "d-1".into(), text: text.into(), ..Document::default() }];
    for text in ["旧港的雨。", "旧港的灯。", "旧港没有人。"] {
        one.sync(&scope, &Story { documents: documents(text), ..Story::default() }).await.unwrap();
        let hits = other.search(&scope, &Query::new("旧港")).await.unwrap();
        assert_eq!(hits[0].chunk.text, text);
        one.forget(&scope).await.unwrap();
        assert!(other.search(&scope, &Query::new("旧港")).await.unwrap().is_empty());
    }
    schema.drop().await;
}

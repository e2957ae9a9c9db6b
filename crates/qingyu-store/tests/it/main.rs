//! The repositories on a database.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod branches;
mod engine;
mod migrations;
mod past;
mod runs;
mod search;
mod stories;

use jiff::Timestamp;
use qingyu_db::Database;
use qingyu_store::{NewProject, Project, Projects};

async fn database() -> Database {
    let database = Database::in_memory().await.unwrap();
    qingyu_store::migrate(&database).await.unwrap();
    database
}

async fn project(database: &Database, user: &str) -> Project {
    let new = NewProject { title: "The Lighthouse".into(), premise: "灯塔".into(), ..NewProject::default() };
    Projects::new(database, user).create(new, at(1)).await.unwrap()
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + second).unwrap()
}

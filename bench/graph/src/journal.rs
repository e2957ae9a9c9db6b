//! A journal for another program to read: `run.py` says when to write it, and then kills this process.

use std::path::Path;
use std::sync::Arc;

use qingyu_db::{Sqlite, Settings};
use qingyu_graph::store::SqliteStore;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader, stdin};

use crate::works::{NODES, chain, small};

/// Says that the file is there, waits for a line, runs a chain, says so, and waits for a line that does not come: whoever
/// reads the file finds it as a crash would leave it.
pub async fn leave(file: &str) -> anyhow::Result<Value> {
    let mut lines = BufReader::new(stdin()).lines();
    let database = Sqlite::open(Path::new(file), Settings::default()).await?;
    let store = Arc::new(SqliteStore::open(database).await?);
    println!("{}", json!({ "ready": true }));
    lines.next_line().await?;
    chain()?.thread(store, "journal").start(small()).await?.finish().await?;
    println!("{}", json!({ "supersteps": NODES }));
    lines.next_line().await?;
    Ok(json!({ "survived": true }))
}

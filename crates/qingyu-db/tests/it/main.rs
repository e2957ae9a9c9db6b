//! What `qingyu-db` promises, seen from outside.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod backup;
mod faults;
#[cfg(feature = "postgres")]
mod frozen;

use std::path::Path;
use std::sync::Barrier;
use std::time::Duration;

use qingyu_db::{Durability, Error, Settings, SqlMigrations, Sqlite};
use rusqlite::Connection;

const NOTES: SqlMigrations = SqlMigrations {
    owner: "notes",
    files: &[("0001_note", "CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT")],
};

async fn file_database(folder: &Path) -> Sqlite {
    let database = Sqlite::open(&folder.join("test.db"), Settings::default()).await.unwrap();
    database.migrate(&NOTES).await.unwrap();
    database
}

async fn memory_database() -> Sqlite {
    let database = Sqlite::in_memory().await.unwrap();
    database.migrate(&NOTES).await.unwrap();
    database
}

fn insert(tx: &Connection, text: &str) -> Result<i64, Error> {
    tx.execute("INSERT INTO note(text) VALUES (?1)", [text])?;
    Ok(tx.last_insert_rowid())
}

async fn texts(database: &Sqlite) -> Vec<String> {
    database
        .read(|connection| {
            let mut select = connection.prepare("SELECT text FROM note ORDER BY text")?;
            let rows = select.query_map([], |row| row.get(0))?;
            Ok::<_, Error>(rows.collect::<Result<_, _>>()?)
        })
        .await
        .unwrap()
}

async fn pragma(database: &Sqlite, name: &'static str) -> String {
    let value = move |tx: &Connection| {
        Ok::<_, Error>(tx.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, rusqlite::types::Value>(0))?)
    };
    match database.write(value).await.unwrap() {
        rusqlite::types::Value::Text(text) => text,
        other => format!("{other:?}"),
    }
}

#[tokio::test]
async fn what_is_acknowledged_is_there_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let database = file_database(folder.path()).await;
    database.write(|tx| insert(tx, "kept")).await.unwrap();
    drop(database);
    assert_eq!(texts(&file_database(folder.path()).await).await, ["kept"]);
}

#[tokio::test]
async fn one_failing_job_does_not_undo_its_neighbours() {
    let folder = tempfile::tempdir().unwrap();
    for database in [file_database(folder.path()).await, memory_database().await] {
        database.write(|tx| insert(tx, "taken")).await.unwrap();
        let jobs = (0..50).map(|number| {
            let text = if number % 5 == 0 { "taken".to_owned() } else { format!("{number:02}") };
            let database = database.clone();
            async move {
                database
                    .write(move |tx| {
                        insert(tx, &format!("first of {number:02}"))?;
                        insert(tx, &text)
                    })
                    .await
            }
        });
        let results = futures_join(jobs).await;
        assert_eq!(results.iter().filter(|result| result.is_err()).count(), 10);
        assert!(results.iter().flat_map(|result| result.as_ref().err()).all(|error| matches!(error, Error::Sqlite(_))));
        assert_eq!(texts(&database).await.len(), 1 + 2 * 40);
    }
}

/// Polls all futures at once, so that their jobs are queued together.
async fn futures_join<T: Send + 'static>(
    futures: impl Iterator<Item = impl Future<Output = T> + Send + 'static>,
) -> Vec<T> {
    let handles: Vec<_> = futures.map(tokio::spawn).collect();
    let mut results = Vec::new();
    for handle in handles {
        results.push(handle.await.unwrap());
    }
    results
}

#[tokio::test]
async fn a_job_that_panics_is_undone_and_the_writer_goes_on() {
    let database = memory_database().await;
    let broken = database.write(|tx| -> Result<i64, Error> {
        insert(tx, "never")?;
        panic!("on purpose")
    });
    let error = broken.await.unwrap_err();
    assert!(matches!(&error, Error::BrokenJob { reason } if reason.contains("on purpose")), "{error}");
    database.write(|tx| insert(tx, "later")).await.unwrap();
    assert_eq!(texts(&database).await, ["later"]);
}

#[tokio::test]
async fn a_job_that_ends_the_transaction_is_reported() {
    let database = memory_database().await;
    let ended = database.write(|tx| Ok::<_, Error>(tx.execute_batch("COMMIT")?)).await;
    assert!(matches!(ended, Err(Error::BrokenJob { .. })));
    database.write(|tx| insert(tx, "later")).await.unwrap();
}

#[tokio::test]
async fn readers_cannot_write() {
    let folder = tempfile::tempdir().unwrap();
    for database in [file_database(folder.path()).await, memory_database().await] {
        let refused = database.read(|connection| insert(connection, "sneaked in")).await;
        assert!(matches!(refused, Err(Error::ReadOnly)), "{refused:?}");
        database.write(|tx| insert(tx, "allowed")).await.unwrap();
    }
}

#[tokio::test]
async fn a_full_disk_is_named_and_loses_nothing_older() {
    let folder = tempfile::tempdir().unwrap();
    let database = file_database(folder.path()).await;
    database.write(|tx| insert(tx, "old")).await.unwrap();
    database.write(|tx| Ok::<_, Error>(tx.query_row("PRAGMA max_page_count = 16", [], |_| Ok(()))?)).await.unwrap();
    let error = database.write(|tx| insert(tx, &"x".repeat(1 << 20))).await.unwrap_err();
    assert!(matches!(error, Error::DiskFull), "{error}");
    assert_eq!(texts(&database).await, ["old"]);
}

#[tokio::test]
async fn another_writer_makes_it_busy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let settings = Settings { busy_timeout: Duration::from_millis(20), ..Settings::default() };
    let database = Sqlite::open(&path, settings).await.unwrap();
    database.migrate(&NOTES).await.unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = database.write(|tx| insert(tx, "blocked")).await.unwrap_err();
    assert!(matches!(error, Error::Busy), "{error}");
    other.execute_batch("ROLLBACK").unwrap();
    database.write(|tx| insert(tx, "free")).await.unwrap();
    assert_eq!(texts(&database).await, ["free"]);
}

#[test]
fn many_may_make_one_file_at_once() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..100 {
        let path = folder.path().join(format!("{round}.db"));
        let together = Barrier::new(4);
        let open = async || {
            let database = Sqlite::open(&path, Settings::default()).await?;
            database.migrate(&NOTES).await?;
            Ok::<_, Error>(pragma(&database, "journal_mode").await)
        };
        let opened = || {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            together.wait();
            runtime.block_on(open())
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(opened)).collect();
            for thread in threads {
                assert_eq!(thread.join().unwrap().unwrap(), "wal", "round {round}");
            }
        });
    }
}

#[tokio::test]
async fn what_cannot_be_opened_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("novel.txt");
    std::fs::write(&text, "It was a dark and stormy night. ".repeat(100)).unwrap();
    let error = Sqlite::open(&text, Settings::default()).await.unwrap_err();
    assert!(matches!(&error, Error::NotADatabase { path } if *path == text), "{error}");
    let error = Sqlite::open(&folder.path().join("missing/test.db"), Settings::default()).await.unwrap_err();
    assert!(matches!(error, Error::CannotOpen { .. }), "{error}");
}

#[tokio::test]
async fn migrations_are_applied_once_and_guarded() {
    const EDITED: SqlMigrations =
        SqlMigrations { owner: "notes", files: &[("0001_note", "CREATE TABLE note(id INTEGER) STRICT")] };
    const LONGER: SqlMigrations = SqlMigrations {
        owner: "notes",
        files: &[NOTES.files[0], ("0002_colour", "ALTER TABLE note ADD COLUMN colour TEXT")],
    };
    const OTHER: SqlMigrations =
        SqlMigrations { owner: "other", files: &[("0001_other", "CREATE TABLE other(id INTEGER) STRICT")] };
    const BROKEN: SqlMigrations = SqlMigrations {
        owner: "broken",
        files: &[("0001_a", "CREATE TABLE a(id INTEGER)"), ("0002_b", "CREATE TABLE a(id)")],
    };

    let database = memory_database().await;
    database.migrate(&NOTES).await.unwrap();
    database.migrate(&OTHER).await.unwrap();
    assert!(matches!(database.migrate(&EDITED).await, Err(Error::EditedMigration { .. })));
    database.migrate(&LONGER).await.unwrap();
    let error = database.migrate(&NOTES).await.unwrap_err();
    assert!(matches!(&error, Error::NewerSchema { found, .. } if found == "0002_colour"), "{error}");
    database.migrate(&BROKEN).await.unwrap_err();
    let left = database
        .read(|connection| {
            Ok::<_, Error>(
                connection
                    .query_row("SELECT count(*) FROM sqlite_schema WHERE name = 'a'", [], |row| row.get::<_, i64>(0))?,
            )
        })
        .await;
    assert_eq!(left.unwrap(), 0);
}

#[tokio::test]
async fn durability_is_a_setting() {
    let folder = tempfile::tempdir().unwrap();
    let full = file_database(folder.path()).await;
    assert_eq!(pragma(&full, "synchronous").await, "Integer(2)");
    assert_eq!(pragma(&full, "journal_mode").await, "wal");
    assert_eq!(pragma(&full, "foreign_keys").await, "Integer(1)");
    let settings = Settings { durability: Durability::Normal, ..Settings::default() };
    let normal = Sqlite::open(&folder.path().join("normal.db"), settings).await.unwrap();
    assert_eq!(pragma(&normal, "synchronous").await, "Integer(1)");
}

//! What becomes of a database when what is below it fails: no room, changed bytes, a process that is killed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use qingyu_db::{Error, Settings, SqlMigrations, Sqlite};

use crate::{NOTES, file_database, insert, texts};

/// Names the database in the child.
const FILE: &str = "QINGYU_TEST_MIGRATED_FILE";

#[tokio::test]
async fn a_full_database_is_read_and_takes_more_once_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let database = file_database(folder.path()).await;
    database.write(|tx| insert(tx, "old")).await.unwrap();
    limit(&database, 24).await;
    let mut kept = 0;
    let full = loop {
        match database.write(move |tx| insert(tx, &format!("{kept} {}", "x".repeat(5_000)))).await {
            Ok(_) => kept += 1,
            Err(error) => break error,
        }
        assert!(kept < 1_000, "it is never full");
    };
    assert!(matches!(full, Error::DiskFull), "{full}");
    assert_eq!(texts(&database).await.len(), kept + 1, "what was acknowledged is there, and nothing of the rest");

    // Of several that share a commit, those that fit may be refused with it, but none is half there.
    let more = (0..8).map(|number| {
        let database = database.clone();
        tokio::spawn(async move {
            database
                .write(move |tx| {
                    insert(tx, &format!("half {number} {}", "y".repeat(5_000)))?;
                    insert(tx, &format!("other half {number} {}", "y".repeat(5_000)))
                })
                .await
        })
    });
    let mut refused = 0;
    for job in more.collect::<Vec<_>>() {
        refused += usize::from(job.await.unwrap().is_err());
    }
    let halves = texts(&database).await.iter().filter(|text| text.contains("half")).count();
    assert_eq!((refused, halves), (8, 0));

    limit(&database, 100_000).await;
    database.write(|tx| insert(tx, "there is room again")).await.unwrap();
    assert_eq!(texts(&database).await.len(), kept + 2);
}

/// The most pages that the writer's connection may fill.
async fn limit(database: &Sqlite, pages: u32) {
    let set = move |tx: &rusqlite::Connection| {
        Ok::<_, Error>(tx.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))?)
    };
    database.write(set).await.unwrap();
}

#[tokio::test]
async fn changed_bytes_are_an_error_or_another_text_and_never_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let database = file_database(folder.path()).await;
    for number in 0..120 {
        database
            .write(move |tx| insert(tx, &format!("{number}: 雨夜里的一封信, {}", "z".repeat(number * 7))))
            .await
            .unwrap();
    }
    let copy = folder.path().join("copy.db");
    database.back_up(&copy).await.unwrap();
    let sound = std::fs::read(&copy).unwrap();
    let (mut refused, mut moments) = (0, Moments(11));
    for round in 0..200 {
        let mut bytes = sound.clone();
        // Half of the damage is to the first page, where the file says what it is.
        let within = if round % 2 == 0 { 4_096 } else { bytes.len() };
        for _ in 0..=moments.next(8) {
            bytes[moments.next(within)] ^= u8::try_from(moments.next(255) + 1).unwrap();
        }
        let damaged = folder.path().join(format!("damaged-{round}.db"));
        std::fs::write(&damaged, &bytes).unwrap();
        if let Err(error) = use_it(&damaged).await {
            let told = error.to_string();
            assert!(!told.is_empty() && !told.contains("panicked"), "round {round}: {told}");
            refused += 1;
        }
    }
    assert!(refused > 50, "only {refused} of 200 damaged files were refused");
}

/// Opens a database, reads all of it and adds something.
async fn use_it(path: &Path) -> Result<(), Error> {
    let database = Sqlite::open(path, Settings::default()).await?;
    database.migrate(&NOTES).await?;
    let read = |connection: &rusqlite::Connection| {
        let mut select = connection.prepare("SELECT text FROM note ORDER BY text")?;
        let rows = select.query_map([], |row| row.get::<_, String>(0))?;
        Ok::<_, Error>(rows.collect::<Result<Vec<_>, _>>()?)
    };
    database.read(read).await?;
    database.write(|tx| insert(tx, "one more")).await.map(drop)
}

/// Long enough to be killed in the middle of it.
const LONG: SqlMigrations = SqlMigrations {
    owner: "long",
    files: &[
        ("0001_first", "CREATE TABLE first(id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT"),
        (
            "0002_fill",
            "WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < 60000)
             INSERT INTO first(id, text) SELECT n, 'text ' || n FROM count",
        ),
        ("0003_second", "CREATE TABLE second AS SELECT id, upper(text) AS text FROM first"),
    ],
};

/// The child: migrates, and says so.
#[tokio::test]
#[ignore = "it is the child of another test"]
async fn child_migrates() {
    let Some(file) = std::env::var_os(FILE).map(PathBuf::from) else { return };
    let database = Sqlite::open(&file, Settings::default()).await.unwrap();
    println!("@open");
    database.migrate(&LONG).await.unwrap();
}

#[tokio::test]
async fn a_migration_that_is_killed_is_done_or_not_begun_and_can_be_done_again() {
    let mut interrupted = 0;
    for round in 0..12_u32 {
        let folder = tempfile::tempdir().unwrap();
        let database = file_database(folder.path()).await;
        database.write(|tx| insert(tx, "from before")).await.unwrap();
        drop(database);
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["faults::child_migrates", "--exact", "--ignored", "--nocapture", "--test-threads=1"]);
        command.env(FILE, folder.path().join("test.db")).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut told = std::io::BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while !line.contains("@open") {
            line.clear();
            assert!(std::io::BufRead::read_line(&mut told, &mut line).unwrap() > 0, "it says that it is open");
        }
        tokio::time::sleep(Duration::from_millis(u64::from(round * round))).await;
        child.kill().unwrap();
        child.wait().unwrap();

        let database = file_database(folder.path()).await;
        assert_eq!(texts(&database).await, ["from before"]);
        let missing = database.standing(&LONG).await.unwrap().missing;
        assert!(missing == 0 || missing == 3, "{missing} of three files are missing");
        interrupted += usize::from(missing == 3);
        database.migrate(&LONG).await.unwrap();
        let count = |tx: &rusqlite::Connection| {
            Ok::<_, Error>(tx.query_row("SELECT count(*) FROM second", [], |row| row.get::<_, i64>(0))?)
        };
        assert_eq!(database.read(count).await.unwrap(), 60_000);
    }
    assert!(interrupted > 0, "none was killed in the middle");
}

/// Numbers that look like chance and come again each time.
struct Moments(u64);

impl Moments {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % below
    }
}

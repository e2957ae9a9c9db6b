//! Copies of a database while it is used, and back.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use qingyu_db::{Error, ReplacePolicy, Settings, SqlMigrations, Sqlite, Standing, restore};

use crate::{NOTES, file_database, insert, texts};

const LATER: SqlMigrations = SqlMigrations {
    owner: "notes",
    files: &[NOTES.files[0], ("0002_more", "CREATE TABLE more(id INTEGER PRIMARY KEY) STRICT")],
};

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

async fn with_notes(folder: &Path, notes: &[&str]) -> Sqlite {
    let database = file_database(folder).await;
    for note in notes {
        let note = (*note).to_owned();
        database.write(move |tx| insert(tx, &note)).await.unwrap();
    }
    database
}

#[tokio::test]
async fn a_copy_is_what_was_committed_and_goes_back() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let database = with_notes(folder.path(), &["a", "b"]).await;
    let copy = other.path().join("copy.db");
    database.back_up(&copy).await.unwrap();
    database.write(|tx| insert(tx, "later")).await.unwrap();
    assert_eq!(names(other.path()), ["copy.db"], "one file, and nothing beside it");
    let again = database.back_up(&copy).await;
    assert!(matches!(again, Err(Error::Exists { path }) if path == copy));

    let home = other.path().join("home");
    std::fs::create_dir(&home).unwrap();
    restore(&copy, &home.join("test.db"), &[NOTES], &ReplacePolicy::Nothing).unwrap();
    let restored = file_database(&home).await;
    assert_eq!(texts(&restored).await, ["a", "b"]);
    restored.write(|tx| insert(tx, "c")).await.unwrap();
    assert_eq!(texts(&restored).await.len(), 3);
}

#[cfg(unix)]
#[tokio::test]
async fn a_copy_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.db");
    with_notes(folder.path(), &["a"]).await.back_up(&copy).await.unwrap();
    assert_eq!(std::fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o600);
}

#[tokio::test]
async fn what_is_there_is_replaced_only_if_told_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let (copy, old) = (folder.path().join("copy.db"), folder.path().join("old.db"));
    let database = with_notes(folder.path(), &["a"]).await;
    database.back_up(&copy).await.unwrap();
    database.write(|tx| insert(tx, "newer")).await.unwrap();
    let refused = restore(&copy, &path, &[NOTES], &ReplacePolicy::Nothing);
    assert!(matches!(refused, Err(Error::Exists { path: found }) if found == path));
    let used = restore(&copy, &path, &[NOTES], &ReplacePolicy::KeepAs(old.clone()));
    assert!(matches!(used, Err(Error::Busy)), "somebody has it open: {used:?}");
    assert_eq!(texts(&database).await, ["a", "newer"]);

    close(database, folder.path()).await;
    restore(&copy, &path, &[NOTES], &ReplacePolicy::KeepAs(old.clone())).unwrap();
    assert_eq!(names(folder.path()), ["copy.db", "old.db", "test.db"]);
    assert_eq!(texts(&file_database(folder.path()).await).await, ["a"]);
    let old = Sqlite::open(&old, Settings::default()).await.unwrap();
    assert_eq!(texts(&old).await, ["a", "newer"], "nothing is lost");
}

/// Waits until the threads of the database have closed their connections; which of them is the last is a matter of chance.
async fn close(database: Sqlite, folder: &Path) {
    drop(database);
    let is_alone = || {
        let connection = rusqlite::Connection::open(folder.join("test.db")).unwrap();
        connection.pragma_update(None, "journal_mode", "DELETE").is_ok()
    };
    for _ in 0..10_000 {
        if is_alone() {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("somebody has the database open still");
}

#[tokio::test]
async fn a_damaged_database_is_replaced_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let copy = folder.path().join("copy.db");
    let database = with_notes(folder.path(), &["a"]).await;
    database.back_up(&copy).await.unwrap();
    close(database, folder.path()).await;
    for (damage, log) in [(b"no database at all, no database at all".to_vec(), false), (vec![0xff; 9000], true)] {
        std::fs::write(&path, &damage).unwrap();
        if log {
            std::fs::write(folder.path().join("test.db-wal"), b"left over").unwrap();
        }
        let old = folder.path().join("old.db");
        restore(&copy, &path, &[NOTES], &ReplacePolicy::KeepAs(old.clone())).unwrap();
        assert_eq!(std::fs::read(&old).unwrap(), damage);
        let restored = file_database(folder.path()).await;
        assert_eq!(texts(&restored).await, ["a"]);
        close(restored, folder.path()).await;
        std::fs::remove_file(old).unwrap();
    }
}

#[tokio::test]
async fn what_cannot_serve_is_not_restored() {
    let folder = tempfile::tempdir().unwrap();
    let filler: Vec<String> = (0..2000).map(|number| format!("{number} {}", "x".repeat(100))).collect();
    let filler: Vec<&str> = filler.iter().map(String::as_str).collect();
    let database = with_notes(folder.path(), &filler[..200]).await;
    let copy = |name: &str| folder.path().join(name);
    database.back_up(&copy("good.db")).await.unwrap();
    database.migrate(&LATER).await.unwrap();
    database.back_up(&copy("newer.db")).await.unwrap();
    let whole = std::fs::read(copy("good.db")).unwrap();
    std::fs::write(copy("short.db"), &whole[..whole.len() - 4096]).unwrap();
    let mut flipped = whole.clone();
    flipped[4096 * 3..4096 * 3 + 2000].fill(0x5a);
    std::fs::write(copy("flipped.db"), flipped).unwrap();
    std::fs::write(copy("text.db"), "a story, not a database".repeat(99)).unwrap();
    std::fs::write(copy("empty.db"), "").unwrap();
    rusqlite::Connection::open(copy("other.db")).unwrap().execute_batch("CREATE TABLE note(id)").unwrap();

    let to: PathBuf = folder.path().join("home.db");
    let refused = |name: &str| {
        let error = restore(&copy(name), &to, &[NOTES], &ReplacePolicy::Nothing).unwrap_err();
        assert!(!to.exists(), "{name}: {error}");
        error
    };
    for name in ["short.db", "flipped.db"] {
        let error = refused(name);
        assert!(matches!(error, Error::Damaged { .. } | Error::NotADatabase { .. }), "{name}: {error:?}");
    }
    for name in ["text.db", "empty.db", "other.db"] {
        let error = refused(name);
        assert!(matches!(error, Error::NotADatabase { .. }), "{name}: {error:?}");
    }
    assert!(matches!(refused("newer.db"), Error::NewerSchema { found, .. } if found == "0002_more"));
    assert!(matches!(refused("nothing.db"), Error::CannotOpen { .. }));
    let left: Vec<_> = names(folder.path()).into_iter().filter(|name| name.starts_with(".qingyu-")).collect();
    assert!(left.is_empty(), "{left:?}");
    restore(&copy("newer.db"), &to, &[LATER], &ReplacePolicy::Nothing).unwrap();
}

#[tokio::test]
async fn a_database_says_how_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let database = Sqlite::open(&folder.path().join("test.db"), Settings::default()).await.unwrap();
    assert_eq!(database.standing(&LATER).await.unwrap(), Standing { newest: None, missing: 2 });
    database.migrate(&NOTES).await.unwrap();
    let standing = Standing { newest: Some("0001_note".into()), missing: 1 };
    assert_eq!(database.standing(&LATER).await.unwrap(), standing);
    database.migrate(&LATER).await.unwrap();
    assert_eq!(database.standing(&LATER).await.unwrap().missing, 0);
    assert!(matches!(database.standing(&NOTES).await, Err(Error::NewerSchema { .. })));
}

#[tokio::test(flavor = "multi_thread")]
async fn writers_go_on_while_a_copy_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let database = with_notes(folder.path(), &[]).await;
    let fill = |tx: &rusqlite::Connection| {
        (0..60_000).try_for_each(|number| insert(tx, &format!("{number} {}", "x".repeat(500))).map(drop))
    };
    database.write(fill).await.unwrap();
    let (stop, commits, slowest) =
        (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let writer = {
        let (database, stop, commits, slowest) =
            (database.clone(), Arc::clone(&stop), Arc::clone(&commits), Arc::clone(&slowest));
        tokio::spawn(async move {
            while !stop.load(Ordering::Relaxed) {
                let (begun, number) = (Instant::now(), commits.load(Ordering::Relaxed));
                database.write(move |tx| insert(tx, &format!("during {number}"))).await.unwrap();
                slowest.fetch_max(begun.elapsed().as_micros() as u64, Ordering::Relaxed);
                commits.fetch_add(1, Ordering::Relaxed);
            }
        })
    };
    let (begun, before) = (Instant::now(), commits.load(Ordering::Relaxed));
    database.back_up(&folder.path().join("copy.db")).await.unwrap();
    let (during, took) = (commits.load(Ordering::Relaxed) - before, begun.elapsed());
    stop.store(true, Ordering::Relaxed);
    writer.await.unwrap();
    let slowest = slowest.load(Ordering::Relaxed);
    println!("{during} commits in the {took:?} of the copy, the slowest in {slowest} µs");
    assert!(during > 3, "writers waited for the copy: {during} commits in {took:?}");
    let copy = Sqlite::open(&folder.path().join("copy.db"), Settings::default()).await.unwrap();
    let kept = texts(&copy).await;
    let of_meanwhile = kept.iter().filter(|text| text.starts_with("during")).count();
    assert_eq!(kept.len(), 60_000 + of_meanwhile, "one moment of it, whole");
}

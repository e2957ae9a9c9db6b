//! The database copied while runs are at work, put back, and kept before a release changes it.

use std::path::Path;

use qingyu_db::{SqlMigrations, Sqlite};
use qingyu_studio::{CreateRequest, ExistingDatabase, Studio};

use crate::{create, finish, offline};

const REQUIREMENT: &str = "A locked-room mystery on a generation ship";

fn copies(home: &Path) -> Vec<String> {
    let folder = std::fs::read_dir(home.join("backups")).into_iter().flatten();
    let mut names: Vec<_> = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    // Beside a copy that is open here are files of its log.
    names.retain(|name| name.ends_with(".db"));
    names.sort();
    names
}

async fn raw(home: &Path) -> Sqlite {
    Sqlite::open(&home.join("qingyu.db"), qingyu_db::Settings::default()).await.unwrap()
}

#[tokio::test]
async fn a_copy_made_while_a_run_works_serves_in_another_home() {
    let (home, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let studio = Studio::open(offline(home.path())).await.unwrap();
    let (_, made) = create(&studio, REQUIREMENT).await;
    let copy = home.path().join("copy.db");
    let at_work = studio.create(CreateRequest::new(REQUIREMENT)).await.unwrap();
    let (backed, _) = tokio::join!(studio.backup(&copy), finish(at_work));
    let backed = backed.unwrap();
    assert_eq!((&backed.path, backed.bytes), (&copy, std::fs::metadata(&copy).unwrap().len()));
    assert_eq!(studio.backup(&copy).await.unwrap_err().code(), "target_exists");

    let settings = offline(&other.path().join("new"));
    let restored = Studio::restore_backup(&settings, &copy, ExistingDatabase::Stays).await.unwrap();
    assert_eq!((restored.path, restored.replaced), (settings.database(), None));
    let there = Studio::open(settings.clone()).await.unwrap();
    let view = there.show(&made.project).await.unwrap();
    assert_eq!(
        serde_json::to_value(view).unwrap(),
        serde_json::to_value(studio.show(&made.project).await.unwrap()).unwrap()
    );
    let told: Vec<_> = there.access().audit(None, 9).await.unwrap().into_iter().map(|row| row.action).collect();
    assert_eq!(told, ["restore"], "the copy is of before it was written down that it was made");
    let told: Vec<_> =
        studio.access().audit(None, 9).await.unwrap().into_iter().map(|row| (row.action, row.result)).collect();
    assert_eq!(told, [("backup", "target_exists"), ("backup", "ok")].map(|(a, b)| (a.into(), b.into())));

    assert_eq!(Studio::restore_backup(&settings, &copy, ExistingDatabase::Stays).await.unwrap_err().code(), "has_data");
    let used = Studio::restore_backup(&settings, &copy, ExistingDatabase::IsReplaced).await.unwrap_err();
    assert_eq!(used.code(), "database_busy");
    assert_eq!(there.projects().await.unwrap().len(), 2);
}

#[tokio::test]
async fn what_cannot_serve_is_not_put_back() {
    let (home, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let studio = Studio::open(offline(home.path())).await.unwrap();
    let copy = home.path().join("copy.db");
    studio.backup(&copy).await.unwrap();
    let settings = offline(other.path());
    std::fs::write(home.path().join("text.db"), "once upon a time").unwrap();
    for (name, code) in [("text.db", "corrupt"), ("nothing.db", "read_only")] {
        let error =
            Studio::restore_backup(&settings, &home.path().join(name), ExistingDatabase::IsReplaced).await.unwrap_err();
        assert_eq!(error.code(), code, "{error}");
    }
    newer(&copy).await;
    assert_eq!(
        Studio::restore_backup(&settings, &copy, ExistingDatabase::Stays).await.unwrap_err().code(),
        "newer_data"
    );
    assert!(!settings.database().exists());
}

/// Makes a database one of a release that has more tables.
async fn newer(path: &Path) {
    let database = Sqlite::open(path, qingyu_db::Settings::default()).await.unwrap();
    let insert = |tx: &rusqlite::Connection| {
        let insert =
            "INSERT INTO migration(owner, position, name, sql) SELECT 'studio', max(position) + 1, '9999_more', ''
                      FROM migration WHERE owner = 'studio'";
        tx.execute(insert, ()).map(drop).map_err(qingyu_db::Error::from)
    };
    database.write(insert).await.unwrap();
}

#[tokio::test]
async fn a_database_of_a_newer_release_is_left_alone() {
    let home = tempfile::tempdir().unwrap();
    drop(Studio::open(offline(home.path())).await.unwrap());
    newer(&home.path().join("qingyu.db")).await;
    let error = Studio::open(offline(home.path())).await.unwrap_err();
    assert_eq!(error.code(), "newer_data");
    assert_eq!(copies(home.path()), [""; 0], "nothing was about to change");
}

#[tokio::test]
async fn a_database_is_copied_before_a_release_changes_it() {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir(home.path().join("backups")).unwrap();
    for day in 1..=3 {
        std::fs::write(home.path().join(format!("backups/before-2026010{day}T000000Z-0001_studio.db")), "").unwrap();
    }
    // As the release before these had it.
    const EARLIER: SqlMigrations =
        SqlMigrations { owner: "studio", files: qingyu_store::MIGRATIONS.files.split_at(5).0 };
    let database = raw(home.path()).await;
    database.migrate(&EARLIER).await.unwrap();
    let insert = "INSERT INTO project(user_id, id, title, language, premise, created, updated)
                  VALUES ('local', 'p-old', 'Old', 'en', '', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')";
    let job = move |tx: &rusqlite::Connection| tx.execute(insert, ()).map(drop).map_err(qingyu_db::Error::from);
    database.write(job).await.unwrap();
    drop(database);

    let studio = Studio::open(offline(home.path())).await.unwrap();
    assert_eq!(studio.project("p-old").await.unwrap().title, "Old");
    let kept = copies(home.path());
    assert_eq!(kept.len(), 3, "the oldest has gone: {kept:?}");
    let newest = kept.iter().find(|name| name.ends_with("-0005_calls.db")).unwrap();
    let copy = Sqlite::open(&home.path().join("backups").join(newest), qingyu_db::Settings::default()).await.unwrap();
    assert_eq!(copy.standing(&EARLIER).await.unwrap().missing, 0);

    drop(studio);
    drop(Studio::open(offline(home.path())).await.unwrap());
    assert_eq!(copies(home.path()), kept, "nothing to change, nothing to copy");
}

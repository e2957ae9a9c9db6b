use std::path::Path;

use qingyu_story::Language;
use qingyu_tools::workspace::ProjectSeed;

use crate::{DoctorReach, Environment, ExistingDatabase, Settings, Studio};

/// The settings of a home with scheduled backups.
fn settings(home: &Path, backups: &str) -> Settings {
    std::fs::write(home.join("config.toml"), format!("[backups]\n{backups}\n")).unwrap();
    let home = ("QINGYU_HOME".to_owned(), home.to_str().unwrap().to_owned());
    Settings::load(Environment::new([home]), toml::Table::new()).unwrap()
}

#[tokio::test]
async fn a_due_backup_is_made_once_and_can_be_restored() {
    let (home, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let studio = Studio::open(settings(home.path(), "every = \"1d\"\nkeep = 2")).await.unwrap();
    let seed = ProjectSeed { title: Some("雨夜".into()), language: Language::Zh, premise: String::new() };
    studio.begin_project(seed).await.unwrap();
    assert!(studio.backups().unwrap().backups.is_empty());
    studio.back_up_if_due().await.unwrap();
    studio.back_up_if_due().await.unwrap();
    let status = studio.backups().unwrap();
    assert_eq!((status.backups.len(), &status.failure), (1, &None), "the second is due in a day");
    assert!(status.next.unwrap() > status.backups[0].at);
    let backup = status.folder.join(&status.backups[0].name);
    let left: Vec<_> = status.folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_str().unwrap().starts_with(".qingyu-")), "no part of a file: {left:?}");

    let there = settings(other.path(), "keep = 2");
    Studio::restore_backup(&there, &backup, ExistingDatabase::Stays).await.unwrap();
    assert_eq!(Studio::open(there).await.unwrap().projects().await.unwrap().len(), 1);
}

#[tokio::test]
async fn nothing_is_made_without_a_schedule_but_on_request() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(settings(home.path(), "keep = 2")).await.unwrap();
    studio.back_up_if_due().await.unwrap();
    let status = studio.backups().unwrap();
    assert_eq!((status.every, status.next, status.backups.len()), (None, None, 0));
    // Within a second, most likely.
    for made in [1, 2, 2] {
        let status = studio.back_up_now().await.unwrap();
        assert_eq!((status.backups.len(), status.failure), (made, None));
        assert!(status.backups.iter().all(|backup| backup.is_requested));
    }
}

#[tokio::test]
async fn a_failed_backup_is_told() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("copies");
    let settings = settings(home.path(), &format!("every = \"1d\"\nfolder = {folder:?}"));
    let studio = Studio::open(settings.clone()).await.unwrap();
    let trouble = async || {
        let rows = Studio::doctor(&settings, DoctorReach::ThisMachine).await;
        rows.into_iter().find(|row| row.check == "backups").unwrap().data["trouble"].clone()
    };
    assert_eq!(trouble().await, "none");
    std::fs::write(&folder, "a file where the folder would be").unwrap();
    let now = jiff::Timestamp::now();
    studio.back_up_if_due().await.unwrap();
    let status = studio.backups().unwrap();
    assert!(status.failure.is_some() && status.backups.is_empty());
    assert!(status.next.unwrap() > now, "tried again later");
    assert_eq!(trouble().await, "failed");
    assert!(studio.back_up_now().await.is_err());
    std::fs::remove_file(&folder).unwrap();
    assert_eq!(studio.back_up_now().await.unwrap().failure, None);
    studio.back_up_if_due().await.unwrap();
    assert_eq!(studio.backups().unwrap().backups.len(), 2);
    assert_eq!(trouble().await, "no");
}

#[test]
fn a_schedule_is_checked_when_it_is_read() {
    let home = tempfile::tempdir().unwrap();
    for (backups, key) in [("every = \"soon\"", "backups.every"), ("keep = 0", "backups.keep")] {
        std::fs::write(home.path().join("config.toml"), format!("[backups]\n{backups}\n")).unwrap();
        let place = ("QINGYU_HOME".to_owned(), home.path().to_str().unwrap().to_owned());
        let error = Settings::load(Environment::new([place]), toml::Table::new()).unwrap_err();
        assert!(error.to_string().contains(key), "{error}");
    }
}

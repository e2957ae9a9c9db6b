use super::*;

/// A schedule with the default folder in `home`.
fn schedule(home: &Path, every: Option<&str>, keep: u32) -> BackupSchedule {
    let settings = BackupSettings { every: every.map(str::to_owned), keep, folder: None };
    let identity = identity(home, &home.join("qingyu.db"));
    BackupSchedule { settings, home: home.to_owned(), folder: home.join(FOLDER), identity, is_available: true }
}

fn at(time: &str) -> Timestamp {
    time.parse().unwrap()
}

/// Makes a backup, as far as its file.
fn make(schedule: &BackupSchedule, occasion: BackupOccasion, time: &str) {
    std::fs::create_dir_all(&schedule.folder).unwrap();
    std::fs::write(schedule.path(occasion, at(time)), "db").unwrap();
    schedule.note(occasion, at(time), Ok(()));
}

fn names(schedule: &BackupSchedule) -> Vec<String> {
    let status = schedule.status(at("2026-11-30T08:00:00Z")).unwrap();
    status.backups.into_iter().map(|backup| backup.name).collect()
}

#[test]
fn a_backup_is_due_after_its_interval() {
    let home = tempfile::tempdir().unwrap();
    let schedule = schedule(home.path(), Some("1d"), 7);
    assert!(schedule.take_turn(at("2026-11-01T08:00:00Z")).is_some(), "none so far");
    make(&schedule, BackupOccasion::Schedule, "2026-11-01T08:00:00Z");
    assert!(schedule.take_turn(at("2026-11-02T07:59:59Z")).is_none());
    assert!(schedule.take_turn(at("2026-11-02T08:00:00Z")).is_some());
    let status = schedule.status(at("2026-11-01T09:00:00Z")).unwrap();
    assert_eq!(status.next, Some(at("2026-11-02T08:00:00Z")));
    assert!(!status.is_overdue(at("2026-11-03T07:00:00Z")) && status.is_overdue(at("2026-11-03T09:00:00Z")));
    assert_eq!((status.backups[0].at, status.backups[0].bytes), (at("2026-11-01T08:00:00Z"), 2));
}

#[test]
fn nothing_is_due_without_a_schedule() {
    let home = tempfile::tempdir().unwrap();
    let schedule = schedule(&home.path().join("not there"), None, 7);
    assert!(schedule.take_turn(at("2026-11-01T08:00:00Z")).is_none());
    let status = schedule.status(at("2026-11-01T08:00:00Z")).unwrap();
    assert_eq!((status.next, status.is_overdue(at("2026-12-01T08:00:00Z"))), (None, false));
    assert!(!home.path().join("not there").exists());
}

#[test]
fn the_newest_are_kept_and_nothing_else_is_touched() {
    let home = tempfile::tempdir().unwrap();
    let schedule = schedule(home.path(), Some("1d"), 2);
    let folder = home.path().join(FOLDER);
    std::fs::create_dir(&folder).unwrap();
    let others = [
        "before-20260101T000000Z-5.db",
        "mine.db",
        "auto-x.db",
        "auto-20260101T000000Z.db.txt",
        "auto-000000-20260101T000000Z.db",
        "manual-20260101T000000Z.db",
    ];
    for name in others.into_iter().chain(["auto-20260101T000000Z.db"]) {
        std::fs::write(folder.join(name), "").unwrap();
    }
    assert_eq!(names(&schedule), ["auto-20260101T000000Z.db"], "one of an earlier release");
    for day in 1..=5 {
        make(&schedule, BackupOccasion::Schedule, &format!("2026-11-0{day}T08:00:00Z"));
    }
    let id = &schedule.identity;
    assert_eq!(names(&schedule), [format!("auto-{id}-20261105T080000Z.db"), format!("auto-{id}-20261104T080000Z.db")]);
    assert!(others.iter().all(|other| folder.join(other).exists()));
}

#[test]
fn data_folders_with_one_folder_of_backups_keep_their_own() {
    let (one, two, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let shared = |home: &Path| BackupSchedule { folder: folder.path().to_owned(), ..schedule(home, Some("1d"), 1) };
    let (one, two) = (shared(one.path()), shared(two.path()));
    assert_ne!(one.identity, two.identity);
    std::fs::write(folder.path().join("auto-20260101T000000Z.db"), "").unwrap();
    make(&one, BackupOccasion::Schedule, "2026-11-01T08:00:00Z");
    make(&two, BackupOccasion::Schedule, "2026-11-01T08:00:00Z");
    make(&two, BackupOccasion::Schedule, "2026-11-02T08:00:00Z");
    assert_eq!(names(&one), [format!("auto-{}-20261101T080000Z.db", one.identity)]);
    assert_eq!(names(&two), [format!("auto-{}-20261102T080000Z.db", two.identity)]);
    assert!(folder.path().join("auto-20260101T000000Z.db").exists(), "whose it is, is not known");
}

#[test]
fn backups_on_request_are_counted_by_themselves() {
    let home = tempfile::tempdir().unwrap();
    let schedule = schedule(home.path(), Some("1d"), 2);
    make(&schedule, BackupOccasion::Schedule, "2026-11-01T08:00:00Z");
    for _ in 0..3 {
        make(&schedule, BackupOccasion::Request, "2026-11-01T09:00:00Z");
    }
    let id = &schedule.identity;
    let kept = [
        format!("manual-{id}-20261101T090000Z-3.db"),
        format!("manual-{id}-20261101T090000Z-2.db"),
        format!("auto-{id}-20261101T080000Z.db"),
    ];
    assert_eq!(names(&schedule), kept);
    let status = schedule.status(at("2026-11-01T10:00:00Z")).unwrap();
    assert_eq!(status.next, Some(at("2026-11-02T08:00:00Z")), "the schedule stays as it is");
    assert_eq!(status.backups.iter().filter(|backup| backup.is_requested).count(), 2);
}

#[test]
fn a_schedule_that_never_worked_is_told_and_tried_again() {
    let home = tempfile::tempdir().unwrap();
    let schedule = schedule(home.path(), Some("1d"), 7);
    let status = |time: &str| schedule.status(at(time)).unwrap();
    assert!(status("2026-11-01T08:00:00Z").is_missing());
    std::fs::write(home.path().join(FOLDER), "a file where the folder would be").unwrap();
    assert!(schedule.take_turn(at("2026-11-01T08:00:00Z")).is_none());
    let failed = status("2026-11-01T08:00:00Z");
    assert!(failed.failure.is_some() && failed.is_missing());
    assert_eq!(failed.next, Some(at("2026-11-01T08:10:00Z")));
    std::fs::remove_file(home.path().join(FOLDER)).unwrap();
    assert!(schedule.take_turn(at("2026-11-01T08:09:59Z")).is_none(), "later");
    assert!(schedule.take_turn(at("2026-11-01T08:10:00Z")).is_some());
    make(&schedule, BackupOccasion::Schedule, "2026-11-01T08:10:00Z");
    let made = status("2026-11-01T08:10:00Z");
    assert!(made.failure.is_none() && !made.is_missing());
}

#[test]
fn a_database_on_a_server_has_no_schedule() {
    let home = tempfile::tempdir().unwrap();
    let schedule = BackupSchedule { is_available: false, ..schedule(home.path(), Some("1d"), 7) };
    assert!(schedule.take_turn(at("2026-11-01T08:00:00Z")).is_none());
    let status = schedule.status(at("2026-11-01T08:00:00Z")).unwrap();
    assert_eq!((status.is_available, status.next, status.failure.is_none()), (false, None, true));
    assert!(!status.is_missing() && !status.is_overdue(at("2026-12-01T08:00:00Z")));
}

#[test]
fn a_failure_is_told_and_tried_again() {
    let home = tempfile::tempdir().unwrap();
    let schedule = schedule(home.path(), Some("1d"), 7);
    make(&schedule, BackupOccasion::Schedule, "2026-11-01T08:00:00Z");
    let error = Error::Unwritten { message: "no space left".into() };
    schedule.note(BackupOccasion::Schedule, at("2026-11-02T08:00:00Z"), Err(&error));
    let status = schedule.status(at("2026-11-02T08:00:00Z")).unwrap();
    assert_eq!(status.failure.as_ref().map(|failure| failure.code.as_str()), Some("unwritten"));
    assert_eq!(status.next, Some(at("2026-11-02T08:10:00Z")));
    assert_eq!(status.backups.len(), 1, "nothing is deleted after a failure");
    make(&schedule, BackupOccasion::Schedule, "2026-11-02T08:10:00Z");
    assert_eq!(schedule.status(at("2026-11-02T09:00:00Z")).unwrap().failure, None);
}

#[test]
fn one_process_makes_a_backup() {
    let home = tempfile::tempdir().unwrap();
    let schedule = schedule(home.path(), Some("1d"), 7);
    let turn = schedule.lock().unwrap();
    assert!(turn.is_some());
    assert!(schedule.take_turn(at("2026-11-01T08:00:00Z")).is_none());
    drop(turn);
    assert!(schedule.take_turn(at("2026-11-01T08:00:00Z")).is_some());
}

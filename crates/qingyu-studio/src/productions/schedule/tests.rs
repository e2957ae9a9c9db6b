use std::path::Path;

use qingyu_story::{Language, Story};

use super::*;
use crate::stories::import::StoryFile;
use crate::{Environment, KeyRequest, KeyUsageLimits, Settings};

async fn open(home: &Path) -> Studio {
    let home = ("QINGYU_HOME".to_owned(), home.to_str().unwrap().to_owned());
    Studio::open(Settings::load(Environment::new([home]), toml::Table::new()).unwrap()).await.unwrap()
}

async fn project(studio: &Studio) -> String {
    let story = Story { language: Language::Zh, premise: "每周一封灯塔来信".into(), ..Story::default() };
    let file = StoryFile { story, unknown: Vec::new() };
    studio.import(file, Some("来信".into())).await.unwrap().project.project
}

fn days(count: u64) -> Duration {
    Duration::from_secs(count * 86_400)
}

#[tokio::test]
async fn a_missed_time_is_made_up_for_once_and_outlives_a_restart() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let project = project(&studio).await;
    assert_eq!(studio.schedule(&project).await.unwrap(), ScheduleStatus::default());
    let now = Timestamp::now();
    let set = studio.set_schedule(&project, Some(" 1w "), None).await.unwrap();
    assert_eq!((set.every.as_deref(), set.last), (Some("1w"), None));
    assert!(set.next.is_some_and(|next| next >= later(now, days(7)) && next < later(now, days(8))), "{:?}", set.next);
    studio.start_due_productions(now).await.unwrap();
    assert_eq!(studio.schedule(&project).await.unwrap().last, None, "it is not due");

    // Weeks in which no server was at work.
    drop(studio);
    let studio = open(home.path()).await;
    let late = later(now, days(30));
    for _ in 0..3 {
        studio.start_due_productions(late).await.unwrap();
    }
    let told = studio.schedule(&project).await.unwrap();
    assert_eq!(told.next, Some(later(late, days(7))));
    let last = told.last.unwrap();
    assert!(last.at == late && last.run.is_some() && last.status.is_some() && last.failure.is_none(), "{last:?}");
    assert_eq!(studio.runs().await.unwrap().len(), 1);

    studio.set_schedule(&project, None, None).await.unwrap();
    studio.start_due_productions(later(late, days(30))).await.unwrap();
    assert_eq!(studio.schedule(&project).await.unwrap(), ScheduleStatus::default());
    assert_eq!(studio.runs().await.unwrap().len(), 1);
}

#[tokio::test]
async fn another_order_keeps_the_time_and_what_is_no_interval_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let project = project(&studio).await;
    let order = Some(Order::Revisit { phase: "nowhere".into() });
    let set = studio.set_schedule(&project, Some("1d"), order.clone()).await.unwrap();
    assert_eq!(set.order, order);
    let changed = studio.set_schedule(&project, Some("1d"), None).await.unwrap();
    assert_eq!((changed.next, changed.order), (set.next, None), "another order keeps the time");
    for (every, order) in [(Some("weekly"), None), (Some("30s"), None), (None, order)] {
        let bad = studio.set_schedule(&project, every, order).await.unwrap_err();
        assert_eq!(bad.code(), "bad_request");
    }
    assert_eq!(studio.schedule(&project).await.unwrap().every.as_deref(), Some("1d"), "nothing was switched off");
}

async fn with_key(studio: &Studio, limits: KeyUsageLimits) -> (Studio, String) {
    let (name, projects) = ("阿远".into(), Vec::new());
    let request = KeyRequest { user: None, name, right: Right::Approve, projects, expires: None, limits };
    let made = studio.access().make_key(request).await.unwrap();
    (studio.of(&studio.access().authenticate(made.secret.reveal()).await.unwrap()), made.row.key)
}

#[tokio::test]
async fn the_limits_of_the_key_count_and_a_revoked_key_starts_nothing() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let [limited, revoked, own] = [project(&studio).await, project(&studio).await, project(&studio).await];
    let none = KeyUsageLimits { tokens_per_day: Some(0), ..KeyUsageLimits::default() };
    let (of_limited, _) = with_key(&studio, none).await;
    of_limited.set_schedule(&limited, Some("1d"), None).await.unwrap();
    let (of_revoked, key) = with_key(&studio, KeyUsageLimits::default()).await;
    of_revoked.set_schedule(&revoked, Some("1d"), None).await.unwrap();
    studio.set_schedule(&own, Some("1d"), None).await.unwrap();
    studio.access().revoke_key(&key).await.unwrap();

    let due = later(Timestamp::now(), days(1));
    studio.start_due_productions(due).await.unwrap();
    for (project, code) in [(&limited, "limit"), (&revoked, "schedule_key_invalid")] {
        let told = studio.schedule(project).await.unwrap();
        assert_eq!(told.next, Some(later(due, days(1))), "the turn is over");
        let last = told.last.unwrap();
        assert_eq!((last.run, last.status, last.failure.unwrap().code.as_str()), (None, None, code));
    }
    assert!(studio.schedule(&own).await.unwrap().last.unwrap().run.is_some(), "others are not kept waiting");
    assert_eq!(studio.runs().await.unwrap().len(), 1);

    // Set again by somebody with a valid key, it goes on.
    studio.set_schedule(&revoked, Some("1d"), None).await.unwrap();
    studio.start_due_productions(later(due, days(1))).await.unwrap();
    assert!(studio.schedule(&revoked).await.unwrap().last.unwrap().run.is_some());
}

#[tokio::test]
async fn a_clock_that_was_ahead_does_not_put_off_a_turn_for_ever() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let project = project(&studio).await;
    studio.set_schedule(&project, Some("1d"), None).await.unwrap();
    let kept = async || studio.kept_schedule(&project).await.unwrap().unwrap();
    let (now, planned) = (Timestamp::now(), kept().await);
    let far = ProductionSchedule { next: later(now, days(400)), ..planned.clone() };
    assert!(studio.replace_schedule(&project, Some(&planned), Some(&far)).await.unwrap());
    studio.start_due_productions(now).await.unwrap();
    let again = kept().await;
    assert_eq!((again.next, again.last), (later(now, days(1)), None));

    // A clock that differs by less, as that of another server, changes nothing.
    let ago = Timestamp::from_second(now.as_second() - 3_600).unwrap();
    studio.start_due_productions(ago).await.unwrap();
    assert_eq!(kept().await.next, later(now, days(1)));
}

#[tokio::test]
async fn what_came_of_a_turn_is_noted_although_the_order_was_changed_meanwhile() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let project = project(&studio).await;
    studio.set_schedule(&project, Some("1d"), None).await.unwrap();
    let (now, planned) = (Timestamp::now(), studio.kept_schedule(&project).await.unwrap().unwrap());
    let turn = ScheduledTurn { at: now, run: None, failure: None };
    let taken = ProductionSchedule { last: Some(turn.clone()), ..planned.clone() };
    assert!(studio.replace_schedule(&project, Some(&planned), Some(&taken)).await.unwrap());
    studio.set_schedule(&project, Some("2d"), Some(Order::MakeStale)).await.unwrap();
    let turn = ScheduledTurn { run: Some("r-1".into()), ..turn };
    studio.note_turn(&project, &turn, None).await.unwrap();
    let told = studio.schedule(&project).await.unwrap();
    assert_eq!(
        (told.every.as_deref(), told.order, told.last.unwrap().run),
        (Some("2d"), Some(Order::MakeStale), Some("r-1".into()))
    );

    // Of a schedule that was ended and set anew, it is not the last turn.
    studio.set_schedule(&project, None, None).await.unwrap();
    studio.set_schedule(&project, Some("1d"), None).await.unwrap();
    studio.note_turn(&project, &turn, Some(now)).await.unwrap();
    let told = studio.schedule(&project).await.unwrap();
    assert!(told.last.is_none() && told.next.is_some_and(|next| next > now), "{told:?}");
}

#[tokio::test]
async fn only_the_owner_sets_a_schedule() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let project = project(&studio).await;
    let caller = async |right: Right, projects: Vec<String>| {
        let limits = KeyUsageLimits::default();
        let request = KeyRequest { user: None, name: "阿远".into(), right, projects, expires: None, limits };
        let made = studio.access().make_key(request).await.unwrap();
        studio.of(&studio.access().authenticate(made.secret.reveal()).await.unwrap())
    };
    let refused = [
        (caller(Right::Write, Vec::new()).await, "approve"),
        (caller(Right::Approve, vec![project.clone()]).await, "all_projects"),
    ];
    for (refused, lacking) in &refused {
        assert_eq!(refused.set_schedule(&project, Some("1d"), None).await.unwrap_err().code(), "forbidden");
        let told = ScheduleStatus { needed: Some((*lacking).into()), ..ScheduleStatus::default() };
        assert_eq!(refused.schedule(&project).await.unwrap(), told, "the reason is known before the form is filled");
    }
    let owner = caller(Right::Approve, Vec::new()).await;
    let set = owner.set_schedule(&project, Some("1d"), None).await.unwrap();
    assert!(set.next.is_some() && set.needed.is_none(), "{set:?}");
    let seen = refused[1].0.schedule(&project).await.unwrap();
    assert_eq!((seen.every, seen.needed.as_deref()), (Some("1d".into()), Some("all_projects")));
}

#[tokio::test]
async fn a_schedule_that_is_set_stands_in_the_audit_and_its_turns_do_not() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let project = project(&studio).await;
    studio.set_schedule(&project, Some("1d"), None).await.unwrap();
    studio.start_due_productions(later(Timestamp::now(), days(1))).await.unwrap();
    studio.set_schedule(&project, None, None).await.unwrap();
    studio.set_schedule(&project, Some("soon"), None).await.unwrap_err();
    let entries = studio.access().audit(None, 100).await.unwrap();
    let of_schedules = entries.iter().filter(|entry| entry.action == "production.schedule");
    let told: Vec<_> = of_schedules.map(|entry| (entry.object.as_str(), entry.result.as_str())).collect();
    assert_eq!(told, [(project.as_str(), "ok"), (project.as_str(), "ok")]);
}

#[tokio::test]
async fn a_turn_that_met_a_busy_server_is_tried_again_soon() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let project = project(&studio).await;
    for (every, retried) in [("1w", later(Timestamp::now(), RETRY)), ("1m", Timestamp::MAX)] {
        studio.set_schedule(&project, Some(every), None).await.unwrap();
        let planned = studio.kept_schedule(&project).await.unwrap().unwrap();
        let failure = serde_json::json!(Error::Stopping { retry_after: 1 }.failure());
        let turn = ScheduledTurn { at: Timestamp::now(), run: None, failure: Some(failure) };
        let taken = ProductionSchedule { last: Some(turn.clone()), ..planned.clone() };
        assert!(studio.replace_schedule(&project, Some(&planned), Some(&taken)).await.unwrap());
        studio.note_turn(&project, &turn, Some(retried)).await.unwrap();
        let told = studio.kept_schedule(&project).await.unwrap().unwrap();
        assert_eq!(told.next, retried.min(planned.next), "{every}");
        assert_eq!(studio.schedule(&project).await.unwrap().last.unwrap().failure.unwrap().code, "stopping");
    }
}

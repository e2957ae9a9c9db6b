use std::path::Path;
use std::time::Duration;

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
    let bad = studio.set_schedule(&project, Some("weekly"), None).await.unwrap_err();
    assert_eq!(bad.code(), "bad_request");
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
    for refused in [caller(Right::Write, Vec::new()).await, caller(Right::Approve, vec![project.clone()]).await] {
        assert_eq!(refused.set_schedule(&project, Some("1d"), None).await.unwrap_err().code(), "forbidden");
        assert_eq!(refused.schedule(&project).await.unwrap(), ScheduleStatus::default());
    }
    let owner = caller(Right::Approve, Vec::new()).await;
    assert!(owner.set_schedule(&project, Some("1d"), None).await.unwrap().next.is_some());
}

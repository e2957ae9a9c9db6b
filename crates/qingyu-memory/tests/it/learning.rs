//! What the user does becomes memories.

use std::sync::Arc;

use futures::future::join_all;
use qingyu_memory::learning::{Lesson, learn};
use qingyu_memory::long_term::{Edit, Evidence, Kind, MemoryFilter, Source, Standing, What};
use qingyu_memory::testing::{HandClock, VolatileLongTerm};
use qingyu_memory::{LongTermMemory, UserId};

fn lesson(place: &str, needed: u32) -> Lesson {
    let evidence = Evidence::new("2026-05-01T12:00:00Z".parse().unwrap(), What::Waived, place).words("下一卷才出场");
    Lesson {
        kind: Kind::Preference,
        project: Some("p-1".into()),
        topic: "accepts QY101".into(),
        text: "不介意 QY101".into(),
        evidence,
        source: Source::Learnt,
        needed,
    }
}

fn memory() -> (VolatileLongTerm, UserId) {
    (VolatileLongTerm::new(Arc::new(HandClock::default())), UserId::new("local").unwrap())
}

#[tokio::test]
async fn what_is_seen_often_enough_holds() {
    let (memory, user) = memory();
    let mut stands = Vec::new();
    for place in ["QY101-a", "QY101-b", "QY101-b", "QY101-c", "QY101-d"] {
        let learnt = learn(&memory, &user, &lesson(place, 3)).await.unwrap();
        stands.push((learnt.count, learnt.standing));
    }
    use Standing::{On, Proposed};
    assert_eq!(stands, [(1, Proposed), (2, Proposed), (2, Proposed), (3, On), (4, On)], "the same place teaches once");
    let rows = memory.list(&user, &MemoryFilter::default()).await.unwrap();
    assert_eq!((rows.len(), rows[0].evidence.len()), (1, 4), "one row, with its evidence");
}

#[tokio::test]
async fn what_is_switched_off_stays_off_until_the_user_says_so() {
    let (memory, user) = memory();
    let first = learn(&memory, &user, &lesson("a", 1)).await.unwrap();
    assert_eq!(first.standing, Standing::On);
    let off = Edit { standing: Some(Standing::Off), text: Some("其实介意".into()), seen: None };
    memory.edit(&user, &first.id, first.revision, off).await.unwrap();
    let again = learn(&memory, &user, &lesson("b", 1)).await.unwrap();
    assert_eq!((again.standing, again.count, again.text.as_str()), (Standing::Off, 2, "其实介意"));
    let said = Lesson { source: Source::User, ..lesson("", 1) };
    assert_eq!(learn(&memory, &user, &said).await.unwrap().standing, Standing::On);
}

#[tokio::test]
async fn of_many_lessons_at_once_none_is_lost() {
    let (memory, user) = memory();
    let lessons: Vec<Lesson> = (0..8).map(|place| lesson(&place.to_string(), 3)).collect();
    let learnt = join_all(lessons.iter().map(|lesson| learn(&memory, &user, lesson))).await;
    assert!(learnt.iter().all(Result::is_ok), "{learnt:?}");
    let rows = memory.list(&user, &MemoryFilter::default()).await.unwrap();
    assert_eq!((rows.len(), rows[0].count, rows[0].standing), (1, 8, Standing::On));
}

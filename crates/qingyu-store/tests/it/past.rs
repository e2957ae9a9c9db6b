//! Earlier states of a story, and taking changes back.

use proptest::prelude::*;
use qingyu_store::{Error, Stories, StorySave, change};
use qingyu_story::{ChangeKey, Character, Document, Fact, Provenance, Story, Waiver};

use crate::extent::cases;
use crate::{at, database, project};

fn person() -> Provenance {
    Provenance { agent: "person".into(), ..Provenance::default() }
}

/// A story with these characters, each as many years old as its place in the second list says, and as many facts.
fn story(cast: &[u8], ages: &[u8]) -> Story {
    let character = |(place, name): (usize, &u8)| Character {
        id: format!("c-{name}"),
        name: format!("人{name}"),
        age: ages.get(place).copied().map(i32::from),
        ..Character::default()
    };
    let fact = |age: &u8| Fact { id: format!("f-{age}"), subject: "人1".into(), ..Fact::default() };
    let waiver = |age: &u8| Waiver { finding: format!("QY10{age}"), reason: "故意".into(), ..Waiver::default() };
    Story {
        characters: cast.iter().enumerate().map(character).collect(),
        facts: ages.iter().map(fact).collect(),
        waivers: ages.iter().map(waiver).collect(),
        ..Story::default()
    }
}

async fn save(stories: &Stories, project: &str, step: usize, before: &Story, after: &Story) {
    let save = StorySave {
        project: project.into(),
        key: ChangeKey { run: "r-1".into(), step: step.to_string(), iteration: 0 },
        provenance: Provenance::default(),
        expected: None,
        changes: change::difference(before, after),
    };
    stories.save(save, at(2)).await.unwrap();
}

/// The story without the highest numbers given, which no undo takes back.
fn bare(story: Story) -> Story {
    Story { last_ids: Default::default(), ..story }
}

fn some_stories() -> impl Strategy<Value = Vec<Story>> {
    let cast = Just((1..6).collect::<Vec<u8>>()).prop_shuffle();
    let ages = prop::collection::btree_set(0..9_u8, 0..4);
    let one = (cast, 0..6_usize, ages).prop_map(|(cast, length, ages)| {
        let ages: Vec<u8> = ages.into_iter().collect();
        story(&cast[..length.min(5)], &ages)
    });
    prop::collection::vec(one, 1..7)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(16, 48), ..ProptestConfig::default() })]

    #[test]
    fn any_changes_taken_back_one_by_one_lead_to_where_they_began(wanted in some_stories()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let database = database().await;
            let id = project(&database, "local").await.id;
            let stories = Stories::new(&database, "local");
            let mut states = vec![stories.load(&id).await.unwrap().story];
            for (step, story) in wanted.iter().enumerate() {
                save(&stories, &id, step, states.last().unwrap(), story).await;
                states.push(stories.load(&id).await.unwrap().story);
            }
            for version in (1..states.len()).rev() {
                stories.undo(&id, version as u64, person(), at(3)).await.unwrap();
                let now = stories.load(&id).await.unwrap().story;
                prop_assert_eq!(bare(now), bare(states[version - 1].clone()), "undone: {}", version);
            }
            for (version, state) in states.into_iter().enumerate() {
                prop_assert_eq!(bare(stories.at(&id, version as u64).await.unwrap().story), bare(state));
            }
            Ok(())
        })?;
    }
}

#[tokio::test]
async fn a_change_that_others_build_on_stands() {
    let database = database().await;
    let id = project(&database, "local").await.id;
    let stories = Stories::new(&database, "local");
    let (empty, one, two) = (Story::default(), story(&[1, 2], &[5]), story(&[1, 2], &[7]));
    save(&stories, &id, 1, &empty, &one).await;
    save(&stories, &id, 2, &one, &two).await;
    let refused = stories.undo(&id, 1, person(), at(3)).await.unwrap_err();
    assert!(matches!(&refused, Error::ChangedSince { change: 1, by: 2, .. }), "{refused}");
    stories.undo(&id, 2, person(), at(3)).await.unwrap();
    stories.undo(&id, 1, person(), at(3)).await.unwrap();
    assert_eq!(bare(stories.load(&id).await.unwrap().story), bare(stories.at(&id, 0).await.unwrap().story));
    let undone: Vec<_> = stories.changes(&id).await.unwrap().iter().map(qingyu_store::StoryChange::undoes).collect();
    assert_eq!(undone, [None, None, Some(2), Some(1)]);

    // What was undone can be had again.
    stories.undo(&id, 4, person(), at(4)).await.unwrap();
    assert_eq!(bare(stories.load(&id).await.unwrap().story), bare(stories.at(&id, 1).await.unwrap().story));
    assert!(stories.undo(&id, 4, person(), at(4)).await.is_err(), "not twice");
    for unknown in [0, 9] {
        let refused = stories.undo(&id, unknown, person(), at(4)).await.unwrap_err();
        assert!(matches!(refused, Error::UnknownChange { newest: 5, .. }), "{refused}");
    }
}

#[tokio::test]
async fn a_text_that_comes_back_is_a_version_that_was_never_given() {
    let database = database().await;
    let id = project(&database, "local").await.id;
    let stories = Stories::new(&database, "local");
    let text = |version: u32| Document {
        id: "d-1".into(),
        title: "第一章".into(),
        version,
        text: format!("第{version}稿"),
        ..Document::default()
    };
    let with = |version: u32| Story { documents: vec![text(version)], ..Story::default() };
    let mut before = Story::default();
    for version in 1..=3 {
        save(&stories, &id, version as usize, &before, &with(version)).await;
        before = with(version);
    }
    let undo = async |change: u64| {
        stories.undo(&id, change, person(), at(3)).await.unwrap();
        let document = stories.load(&id).await.unwrap().story.documents.pop();
        document.map(|document| (document.text, document.version))
    };
    // One after the other, then the taking back itself.
    assert_eq!(undo(3).await, Some(("第2稿".into(), 4)));
    assert_eq!(undo(2).await, Some(("第1稿".into(), 5)));
    assert_eq!(undo(1).await, None);
    assert_eq!(undo(6).await, Some(("第1稿".into(), 6)));
    assert_eq!(undo(5).await, Some(("第2稿".into(), 7)));
    let refused = stories.undo(&id, 3, person(), at(4)).await.unwrap_err();
    assert!(matches!(refused, Error::ChangedSince { change: 3, .. }), "{refused}");
}

//! The cover and the pictures of cards.

use qingyu_store::{CardPictureRow, Error, Picture, PicturePlace, ProjectStatus, Projects, Stories, StorySave, change};
use qingyu_story::digest::sha256;
use qingyu_story::{ChangeKey, Character, Provenance, Story};

use crate::{at, database, project};

fn picture(bytes: &[u8], alt: &str) -> Option<Picture> {
    Some(Picture { media_type: "image/png".into(), bytes: bytes.to_vec(), alt: alt.into() })
}

fn row(card: &str, bytes: &[u8], alt: &str) -> CardPictureRow {
    CardPictureRow { card: card.into(), media_type: "image/png".into(), alt: alt.into(), digest: sha256(bytes) }
}

#[tokio::test]
async fn a_cover_and_the_pictures_of_cards_are_separate_and_replaced_whole() {
    let database = database().await;
    let projects = Projects::new(&database, "甲");
    let id = project(&database, "甲").await.id;
    assert_eq!(projects.picture(&id, PicturePlace::Cover).await.unwrap(), None);
    projects.set_picture(&id, PicturePlace::Card("c-2"), picture(b"two", "")).await.unwrap();
    assert!(!projects.get(&id).await.unwrap().has_cover, "the picture of a card is no cover");
    projects.set_picture(&id, PicturePlace::Card("c-1"), picture(b"one", "灯塔下的林青")).await.unwrap();
    projects.set_picture(&id, PicturePlace::Cover, picture(b"cover", "")).await.unwrap();
    assert!(projects.get(&id).await.unwrap().has_cover);

    assert_eq!(
        projects.card_pictures(&id).await.unwrap(),
        [row("c-1", b"one", "灯塔下的林青"), row("c-2", b"two", "")]
    );
    let one = || projects.picture(&id, PicturePlace::Card("c-1"));
    assert_eq!(one().await.unwrap(), picture(b"one", "灯塔下的林青"));
    projects.set_picture(&id, PicturePlace::Card("c-1"), picture(b"other", "")).await.unwrap();
    assert_eq!(projects.card_pictures(&id).await.unwrap()[0], row("c-1", b"other", ""));
    let described = projects.edit_card_picture(&id, "c-1", None, Some("灯".into())).await.unwrap();
    assert_eq!((&described, &one().await.unwrap()), (&picture(b"other", "灯"), &picture(b"other", "灯")));
    let changed = projects.edit_card_picture(&id, "c-1", Some(("image/png".into(), b"new".to_vec())), None).await;
    assert_eq!(changed.unwrap(), picture(b"new", "灯"));
    projects.set_picture(&id, PicturePlace::Card("c-1"), None).await.unwrap();
    assert_eq!(one().await.unwrap(), None);
    assert_eq!(projects.edit_card_picture(&id, "c-1", None, Some("灯".into())).await.unwrap(), None);
    assert_eq!(projects.picture(&id, PicturePlace::Cover).await.unwrap(), picture(b"cover", ""));

    let others = Projects::new(&database, "乙");
    assert!(others.card_pictures(&id).await.unwrap().is_empty(), "pictures belong to their user");
    assert!(matches!(
        others.set_picture(&id, PicturePlace::Card("c-1"), picture(b"one", "")).await,
        Err(Error::UnknownProject { .. })
    ));
}

#[tokio::test]
async fn pictures_go_with_a_branch_and_are_deleted_with_their_project() {
    let database = database().await;
    let (projects, stories) = (Projects::new(&database, "甲"), Stories::new(&database, "甲"));
    let id = project(&database, "甲").await.id;
    projects.set_picture(&id, PicturePlace::Card("c-1"), picture(b"one", "林青")).await.unwrap();
    projects.set_picture(&id, PicturePlace::Cover, picture(b"cover", "")).await.unwrap();
    let branch = stories.branch(&id, "旧", None, at(3)).await.unwrap();
    assert!(!branch.has_cover);
    assert_eq!(projects.card_pictures(&branch.id).await.unwrap(), [row("c-1", b"one", "林青")]);
    projects.set_picture(&branch.id, PicturePlace::Card("c-1"), None).await.unwrap();
    assert_eq!(projects.card_pictures(&id).await.unwrap().len(), 1);

    projects.set_status(&id, ProjectStatus::Binned).await.unwrap();
    let refused = projects.set_picture(&id, PicturePlace::Card("c-1"), None).await;
    assert!(matches!(refused, Err(Error::Binned { .. })), "{refused:?}");
    projects.delete(&id).await.unwrap();
    assert!(projects.card_pictures(&id).await.unwrap().is_empty());
    assert_eq!(projects.picture(&id, PicturePlace::Cover).await.unwrap(), None);
}

/// A change from a story with one number of people to one with another.
fn people(project: &str, step: &str, from: u32, to: u32) -> StorySave {
    let story = |count: u32| {
        let person = |number: u32| Character {
            id: format!("c-{number}"),
            name: format!("人物{number}"),
            ..Character::default()
        };
        Story { characters: (1..=count).map(person).collect(), ..Story::default() }
    };
    StorySave {
        project: project.into(),
        key: ChangeKey { run: "r".into(), step: step.into(), iteration: 0 },
        provenance: Provenance::default(),
        expected: None,
        changes: change::difference(&story(from), &story(to)),
    }
}

#[tokio::test]
async fn a_merge_adds_the_pictures_of_cards_that_have_none() {
    let database = database().await;
    let (projects, stories) = (Projects::new(&database, "甲"), Stories::new(&database, "甲"));
    let id = project(&database, "甲").await.id;
    stories.save(people(&id, "two", 0, 2), at(2)).await.unwrap();
    let branch = stories.branch(&id, "旧", None, at(3)).await.unwrap().id;
    let merged = stories.save(people(&branch, "three", 2, 3), at(4)).await.unwrap().version;
    for card in ["c-1", "c-2", "c-3", "c-9"] {
        projects.set_picture(&branch, PicturePlace::Card(card), picture(b"theirs", "旧")).await.unwrap();
    }
    projects.set_picture(&id, PicturePlace::Card("c-1"), picture(b"ours", "")).await.unwrap();
    projects.set_picture(&id, PicturePlace::Cover, picture(b"cover", "")).await.unwrap();
    stories.merge(&branch, merged, people(&id, "merge", 2, 3), at(5)).await.unwrap();
    let expected = [row("c-1", b"ours", ""), row("c-2", b"theirs", "旧"), row("c-3", b"theirs", "旧")];
    assert_eq!(projects.card_pictures(&id).await.unwrap(), expected, "of cards of the project; none is replaced");
    assert_eq!(projects.picture(&id, PicturePlace::Cover).await.unwrap(), picture(b"cover", ""));
}

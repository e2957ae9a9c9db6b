//! Comments follow their words through saves and undo.

use qingyu_store::{Stories, StorySave, change};
use qingyu_story::{ChangeKey, Comment, CommentEntry, Document, Provenance, Story, TextAnchor};

use crate::{at, database, project};

const TEXT: &str = "雨下了一夜。他推开灯塔的门，看见一封信。\n桌上没有灯油了。\n";

fn story(text: &str) -> Story {
    let document = Document { id: "d-1".into(), title: "第一章".into(), text: text.into(), ..Document::default() };
    Story { documents: vec![document], ..Story::default() }
}

async fn save(stories: &Stories, project: &str, step: &str, after: impl FnOnce(&mut Story)) {
    let before = stories.load(project).await.unwrap().story;
    let mut story = before.clone();
    after(&mut story);
    let save = StorySave {
        project: project.into(),
        key: ChangeKey { run: "edit".into(), step: step.into(), iteration: 0 },
        provenance: Provenance { agent: "person".into(), ..Provenance::default() },
        expected: None,
        changes: change::difference(&before, &story),
    };
    assert!(stories.save(save, at(2)).await.unwrap().fresh);
}

async fn quoted(stories: &Stories, project: &str) -> (String, Option<usize>, usize) {
    let story = stories.load(project).await.unwrap().story;
    assert_eq!(stories.rebuild(project).await.unwrap(), story, "the log holds the places of comments");
    let comment = &story.comments[0];
    let text = story.documents.iter().find(|document| document.id == comment.document);
    let place = text.and_then(|text| comment.anchor.find(&text.text)).map(|range| range.start);
    (comment.anchor.quote.clone(), place, comment.thread.len())
}

#[tokio::test]
async fn comments_follow_texts_and_their_undo() {
    let database = database().await;
    let id = project(&database, "local").await.id;
    let stories = Stories::new(&database, "local");
    save(&stories, &id, "1", |after| *after = story(TEXT)).await;
    let entry =
        |text: &str| CommentEntry { author: "person".into(), at: "2026-11-22T08:30:00Z".into(), text: text.into() };
    save(&stories, &id, "2", |after| {
        after.comments.push(Comment {
            id: "comment-1".into(),
            document: "d-1".into(),
            anchor: TextAnchor::of_quote(TEXT, "看见一封信", "", "").unwrap(),
            thread: vec![entry("谁的？")],
            replacement: None,
            resolved: false,
        });
    })
    .await;
    assert_eq!(stories.load(&id).await.unwrap().story.last_ids.get("comment"), Some(&1));

    // An edit before and inside the words: the comment follows in the same change.
    let edited = TEXT.replace("雨下了一夜", "雨下了整整一夜").replace("看见一封信", "看见一封旧信");
    save(&stories, &id, "3", |after| after.documents[0].text = edited.clone()).await;
    assert_eq!(quoted(&stories, &id).await, ("看见一封旧信".into(), Some(16), 1));
    // A reply after the edit does not stand in the way of undoing the edit, and stays.
    save(&stories, &id, "4", |after| after.comments[0].thread.push(entry("他自己的。"))).await;
    let by = || Provenance { agent: "person".into(), ..Provenance::default() };
    stories.undo(&id, 3, by(), at(3)).await.unwrap();
    assert_eq!(quoted(&stories, &id).await, ("看见一封信".into(), Some(14), 2));
    // The reply is undone without moving the comment back.
    save(&stories, &id, "6", |after| after.documents[0].text = edited.clone()).await;
    stories.undo(&id, 4, by(), at(4)).await.unwrap();
    assert_eq!(quoted(&stories, &id).await, ("看见一封旧信".into(), Some(16), 1));

    // Deleted words leave the comment with its quote; restored words bring it back.
    save(&stories, &id, "8", |after| after.documents[0].text = "桌上没有灯油了。\n".into()).await;
    assert_eq!(quoted(&stories, &id).await, ("看见一封旧信".into(), None, 1));
    let newest = stories.load(&id).await.unwrap().version;
    stories.undo(&id, newest, by(), at(5)).await.unwrap();
    assert_eq!(quoted(&stories, &id).await, ("看见一封旧信".into(), Some(16), 1));
    // So does a deleted chapter.
    save(&stories, &id, "10", |after| after.documents.clear()).await;
    assert_eq!(quoted(&stories, &id).await, ("看见一封旧信".into(), None, 1));
    let newest = stories.load(&id).await.unwrap().version;
    stories.undo(&id, newest, by(), at(6)).await.unwrap();
    assert_eq!(quoted(&stories, &id).await, ("看见一封旧信".into(), Some(16), 1));
}

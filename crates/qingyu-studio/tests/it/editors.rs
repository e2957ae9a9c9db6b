//! Several editors of one book at the same moment.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures::future::join_all;
use qingyu_studio::operations as op;
use qingyu_studio::{EditedChapter, Error, ImportRequest, Studio};
use serde_json::json;

use crate::offline;

const BOOK: &str = "第1章 来客\n\n林深在雨里等了一夜。\n\n第2章 旧港\n\n苏曼没有来。\n";
const EDITORS: usize = 6;

/// A book of two chapters.
async fn book(studio: &Studio) -> String {
    let request = json!({"name": "book.txt", "bytes": STANDARD.encode(BOOK)});
    let request: ImportRequest = serde_json::from_value(request).unwrap();
    studio.import_manuscript(request).await.unwrap().project.unwrap().project
}

async fn edit(studio: &Studio, project: &str, chapter: &str, text: &str) -> Result<EditedChapter, Error> {
    studio
        .call(op::EditChapter {
            project: project.into(),
            chapter: chapter.into(),
            text: text.into(),
            expected: Some(1),
        })
        .await
}

#[tokio::test]
async fn one_of_those_who_edit_a_version_is_told_that_it_is_kept() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(offline(home.path())).await.unwrap();
    let project = book(&studio).await;
    let texts: Vec<String> = (0..EDITORS).map(|editor| format!("第{editor}位编辑改过的第一章。")).collect();
    let ended = join_all(texts.iter().map(|text| edit(&studio, &project, "1", text))).await;
    let kept: Vec<&String> =
        ended.iter().zip(&texts).filter(|(ended, _)| ended.is_ok()).map(|(_, text)| text).collect();
    let refused: BTreeSet<&str> = ended.iter().filter_map(|ended| Some(ended.as_ref().err()?.code())).collect();
    let chapter = studio.chapter_text(&project, "1").await.unwrap();
    assert_eq!((kept, chapter.version), (vec![&chapter.text], 2));
    assert_eq!(refused.into_iter().collect::<Vec<_>>(), ["chapter_changed"]);
}

#[tokio::test]
async fn editors_of_different_chapters_do_not_hinder_each_other() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(offline(home.path())).await.unwrap();
    let project = book(&studio).await;
    let ended = futures::join!(
        edit(&studio, &project, "1", "雨停了，林深还在等。"),
        edit(&studio, &project, "2", "苏曼来了，又走了。"),
    );
    let changes = [ended.0.unwrap().change.unwrap(), ended.1.unwrap().change.unwrap()];
    assert_eq!(BTreeSet::from(changes), BTreeSet::from([2, 3]));
    for (chapter, text) in [("1", "雨停了，林深还在等。"), ("2", "苏曼来了，又走了。")] {
        assert_eq!(studio.chapter_text(&project, chapter).await.unwrap().text, text);
    }
}

#[tokio::test]
async fn whoever_read_a_version_that_was_taken_back_writes_over_nothing() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(offline(home.path())).await.unwrap();
    let project = book(&studio).await;
    let read = edit(&studio, &project, "1", "有人读到的第二稿。").await.unwrap().version;
    studio.undo(&project, None).await.unwrap();
    let now = studio.chapter_text(&project, "1").await.unwrap();
    let others = studio
        .call(op::EditChapter {
            project: project.clone(),
            chapter: "1".into(),
            text: "别人后来写的一稿。".into(),
            expected: Some(now.version),
        })
        .await
        .unwrap();
    let refused = studio
        .call(op::EditChapter {
            project: project.clone(),
            chapter: "1".into(),
            text: "从读到的改出来的。".into(),
            expected: Some(read),
        })
        .await
        .unwrap_err();
    assert_eq!(refused.code(), "chapter_changed");
    let kept = studio.chapter_text(&project, "1").await.unwrap();
    assert_eq!((kept.text.as_str(), kept.version), ("别人后来写的一稿。", others.version));
}

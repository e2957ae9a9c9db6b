//! Requests under a key whose server died after it had done what was asked, and before it could say so.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use qingyu_studio::operations::{self, OperationDescription};
use qingyu_studio::{Error, IdempotentOutcome, Studio};
use serde_json::{Value, json};

use crate::offline;

fn operation(name: &str) -> OperationDescription {
    operations::all().into_iter().find(|described| described.name == name).unwrap()
}

/// As if the server had died between the two commits, and so long ago that it is not waited for.
fn forget_the_answer(home: &Path) {
    let file = rusqlite::Connection::open(home.join("qingyu.db")).unwrap();
    let forgotten = file.execute("UPDATE idempotency SET status = NULL, answer = NULL, heard = 0", []).unwrap();
    assert_eq!(forgotten, 1);
}

async fn ask(studio: &Studio, name: &str, asked: &Value) -> Result<(Value, bool), Error> {
    match studio.call_once(operation(name), asked.clone(), "one-key").await? {
        IdempotentOutcome::Answered { answer, is_again } => Ok((answer, is_again)),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_project_is_begun_once_though_its_server_died_before_it_answered() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(offline(home.path())).await.unwrap();
    let asked = json!({"title": "浅滩"});
    let (first, _) = ask(&studio, "begin_project", &asked).await.unwrap();
    forget_the_answer(home.path());
    for _again in 0..2 {
        assert_eq!(ask(&studio, "begin_project", &asked).await.unwrap(), (first.clone(), true));
    }
    assert_eq!(studio.projects().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_manuscript_is_brought_in_once_though_its_server_died_before_it_answered() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(offline(home.path())).await.unwrap();
    let bytes = STANDARD.encode("第1章 来客\n\n林深在雨里等了一夜。\n");
    let asked = json!({"request": {"name": "book.txt", "title": "雨夜", "bytes": bytes}});
    let (first, _) = ask(&studio, "import_manuscript", &asked).await.unwrap();
    forget_the_answer(home.path());
    for _again in 0..2 {
        let (told, is_again) = ask(&studio, "import_manuscript", &asked).await.unwrap();
        assert_eq!((&told["project"], is_again), (&first["project"], true));
        assert_eq!((&told["again"], &told["change"]), (&json!(true), &json!(null)));
    }
    assert_eq!(studio.projects().await.unwrap().len(), 1);
}

#[tokio::test]
async fn what_was_changed_is_not_changed_again_though_its_server_died_before_it_answered() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(offline(home.path())).await.unwrap();
    let story = json!({"file": {"story": {"language": "zh", "premise": "浅滩"}}});
    let (made, _) = ask(&studio, "import_story", &story).await.unwrap();
    let project = made["project"]["project"].as_str().unwrap();
    forget_the_answer(home.path());
    for _again in 0..2 {
        let told = ask(&studio, "import_story", &story).await.unwrap_err();
        assert!(matches!(&told, Error::RequestInterrupted { project: told } if told == project), "{told:?}");
    }
    assert_eq!(studio.projects().await.unwrap().len(), 1);
}

#[tokio::test]
async fn what_had_changed_nothing_is_done_anew() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(offline(home.path())).await.unwrap();
    let asked = json!({"text": "喜欢短句", "kind": "preference"});
    let (first, _) = ask(&studio, "remember", &asked).await.unwrap();
    forget_the_answer(home.path());
    let (second, is_again) = ask(&studio, "remember", &asked).await.unwrap();
    assert_eq!(
        (second["id"].clone(), is_again),
        (first["id"].clone(), false),
        "what is remembered twice is one memory"
    );
}

//! References taken apart, and the genres made from them.

use qingyu_studio::formats::HeadingRule;
use qingyu_studio::operations as op;
use qingyu_studio::story::Language;
use qingyu_studio::story::genre::Genre;
use qingyu_studio::story::prose::EndingKind;
use qingyu_studio::{Right, StoryFile, Studio, Teardown, TeardownRequest, read_story};

use crate::access::key;
use crate::offline;

/// A book of twelve chapters that all end with a question.
fn reference() -> String {
    let chapter = |number: usize| {
        format!(
            "第{number}章 夜航{number}\n\n船在第{number}个夜里离了岸，谁也没有点灯。\n\n“往北走。”林青说。“{number}里路就到。”林青说。“把帆收了。”林青说。\n\n他数着浪，数到{}就停下来。是谁在船尾敲门？\n\n",
            number * 7
        )
    };
    (1..=12).map(chapter).collect()
}

async fn torn(studio: &Studio, genre: Option<&str>) -> Result<Teardown, qingyu_studio::Error> {
    let request = TeardownRequest {
        name: "夜航.txt".into(),
        bytes: reference().into_bytes().into(),
        files: Vec::new(),
        encoding: None,
        cut: None,
        headings: HeadingRule::Learnt,
        genre: genre.map(str::to_owned),
    };
    studio.tear_down(request).await
}

#[tokio::test]
async fn a_reference_becomes_a_genre_that_a_book_is_checked_by() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(offline(home.path())).await.unwrap();
    let plain = torn(&studio, None).await.unwrap();
    assert_eq!((plain.title.as_str(), plain.genre), ("夜航", None));
    assert!(studio.projects().await.unwrap().is_empty(), "a reference is not kept");
    let structure = &plain.structure;
    assert_eq!((structure.language, structure.chapters.len()), (Language::Zh, 12));
    assert!(structure.chapters.iter().all(|chapter| chapter.ends == Some(EndingKind::Question)));
    assert_eq!(structure.chapters[0].title, "第1章 夜航1");
    assert_eq!(structure.chapters[0].stage[0].name, "林青");

    let genre = torn(&studio, Some("Yehang")).await.unwrap().genre.unwrap();
    assert_eq!((genre.id.as_str(), genre.sequence.every_ending_pulls), ("yehang", true));
    let save = async |name: &str, genre: &Genre, replace: bool| {
        studio.call(op::SaveGenre { genre: name.into(), content: genre.clone(), replace }).await
    };
    let saved = save("Yehang", &genre, false).await.unwrap();
    assert!(saved.own && saved.genre == genre);
    let rows = studio.genres(Some(Language::Zh)).unwrap();
    assert!(rows.iter().any(|row| row.own && row.genre == genre));
    assert_eq!(save("yehang", &genre, false).await.unwrap_err().code(), "target_exists");
    assert_eq!(save("xuanyi", &genre, false).await.unwrap_err().code(), "target_exists");
    assert_eq!(save("仙侠", &genre, false).await.unwrap_err().code(), "target_exists", "the name of xianxia");
    save("yehang", &genre, true).await.unwrap();
    let unreadable = home.path().join("genres/gbk.toml");
    std::fs::write(&unreadable, [0xd2, 0xb9, 0xba, 0xbd]).unwrap();
    assert_eq!(save("gbk", &genre, false).await.unwrap_err().code(), "target_exists");
    std::fs::write(&unreadable, "").unwrap();
    let (name, names) = ("夜航二".to_owned(), vec!["夜航二".to_owned()]);
    let second = Genre { name, names, ..genre.clone() };
    save("gbk", &second, false).await.unwrap();
    for name in ["../yehang", "", "a b", "-"] {
        assert_eq!(save(name, &genre, false).await.unwrap_err().code(), "bad_request", "{name}");
        assert_eq!(torn(&studio, Some(name)).await.unwrap_err().code(), "bad_request", "{name}");
    }
    let nameless = Genre { names: Vec::new(), ..genre };
    assert_eq!(save("other", &nameless, false).await.unwrap_err().code(), "bad_request");

    // The genre asks for a hook at the end of every chapter, as the reference has one.
    let story = r#"{"worldview": {"genre": "yehang"}, "documents": [
        {"id": "d-1", "title": "第一章", "order": 1, "text": "案卷都还了回去。这一夜，她睡得很沉。"},
        {"id": "d-2", "title": "第二章", "order": 2, "text": "早上下雨，她撑伞出门。"}
    ]}"#;
    let file: StoryFile = read_story(story.as_bytes()).unwrap();
    let project = studio.import(file, Some("渡".into())).await.unwrap().project.project;
    let findings = studio.check(&project, &["QY925".to_owned()]).await.unwrap().findings;
    assert_eq!(findings.len(), 1, "{findings:?}");
}

#[tokio::test]
async fn a_reference_without_text_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(offline(home.path())).await.unwrap();
    let request = TeardownRequest {
        name: "empty.txt".into(),
        bytes: Vec::new().into(),
        files: Vec::new(),
        encoding: None,
        cut: None,
        headings: HeadingRule::Learnt,
        genre: None,
    };
    assert_eq!(studio.tear_down(request).await.unwrap_err().code(), "bad_manuscript");
}

#[tokio::test]
async fn a_key_that_only_reads_takes_no_reference_apart() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(offline(home.path())).await.unwrap();
    for (right, is_allowed) in [(Right::Read, false), (Right::Suggest, false), (Right::Write, true)] {
        let made = studio.access().make_key(key("local", right)).await.unwrap();
        let caller = studio.of(&studio.access().authenticate(made.secret.reveal()).await.unwrap());
        let found = torn(&caller, None).await;
        assert_eq!(found.as_ref().err().map(qingyu_studio::Error::code), (!is_allowed).then_some("forbidden"));
    }
}

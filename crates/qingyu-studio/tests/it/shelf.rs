//! Books as wholes: titles, archive, bin, covers and pictures of cards; directions of a new book; the guide.

use std::collections::BTreeMap;

use qingyu_llm::testing::ScriptedModel;
use qingyu_studio::agents::direction::DirectionField;
use qingyu_studio::operations as op;
use qingyu_studio::{
    BookExportRequest, BookForm, CreateRequest, Error, GuideStep, Outcome, ProjectStatus, RunAnswer, RunQuestion,
    RunStatus, SpendingBy, Studio,
};
use serde_json::{Value, json};

use crate::script::{self, REQUIREMENT, reply};
use crate::{create, finish, offline, studio, table};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR";

async fn open(home: &std::path::Path) -> Studio {
    Studio::open(offline(home)).await.unwrap()
}

#[tokio::test]
async fn what_is_in_the_bin_is_read_and_taken_back_and_never_written() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let (_, made) = create(&studio, REQUIREMENT).await;
    let project = made.project.as_str();
    studio.call(op::BeginBranch { project: project.into(), name: "另一个结局".into(), at: None }).await.unwrap();
    let moved = |status| studio.update_project(project, None, Some(status));

    assert_eq!(moved(ProjectStatus::Archived).await.unwrap().status, ProjectStatus::Archived);
    assert!(studio.projects().await.unwrap().is_empty(), "the branch goes with its book");
    assert_eq!(studio.call(op::ListProjects { status: ProjectStatus::Archived }).await.unwrap().len(), 2);
    studio.mend(project, &[]).await.unwrap();

    let refused = studio.call(op::DeleteProject { project: project.into() }).await.unwrap_err();
    assert!(matches!(refused, Error::ProjectNotBinned { .. }), "{refused:?}");
    moved(ProjectStatus::Binned).await.unwrap();
    assert_eq!(studio.show(project).await.unwrap().project.status, ProjectStatus::Binned);
    let more = CreateRequest { project: Some(project.into()), ..CreateRequest::new("再加一章") };
    let refused = studio.create(more.clone()).await.unwrap_err();
    assert_eq!(refused.code(), "project_binned");
    assert_eq!(studio.undo(project, None).await.unwrap_err().code(), "project_binned");
    assert_eq!(
        studio.call(op::SetCover { project: project.into(), picture: PNG.to_vec() }).await.unwrap_err().code(),
        "project_binned"
    );

    moved(ProjectStatus::Active).await.unwrap();
    studio.undo(project, None).await.unwrap();
    assert_eq!(studio.projects().await.unwrap().len(), 2);

    moved(ProjectStatus::Binned).await.unwrap();
    let spent = studio.spending(None, SpendingBy::default()).await.unwrap();
    studio.call(op::DeleteProject { project: project.into() }).await.unwrap();
    assert_eq!(studio.show(project).await.unwrap_err().code(), "unknown_project");
    assert!(studio.runs().await.unwrap().is_empty());
    assert_eq!(
        studio.spending(None, SpendingBy::default()).await.unwrap().total,
        spent.total,
        "what was paid stays paid"
    );
    assert!(!home.path().join("cassettes").join(format!("{}.jsonl", made.run)).exists());
}

#[tokio::test]
async fn a_book_is_called_what_its_author_says_or_what_its_outline_says() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let (_, named) = create(&studio, "写一部叫《雨城》的侦探小说").await;
    let title = async |outcome: &Outcome| studio.project(&outcome.project).await.unwrap().title;
    assert_eq!(title(&named).await, "雨城");

    let (_, made) = create(&studio, "一个灯塔看守人收到自己三十年前寄出的信").await;
    let found = title(&made).await;
    assert!(!found.is_empty() && !"一个灯塔看守人收到自己三十年前寄出的信".starts_with(&found), "{found}");
    assert_ne!(found, "未命名作品", "the outline has a title");
    let renamed = studio.update_project(&made.project, Some(" 三十年 "), None).await.unwrap();
    assert_eq!((renamed.title.as_str(), renamed.untitled), ("三十年", false));
    for title in ["", "  ", "一\n二"] {
        assert_eq!(studio.update_project(&made.project, Some(title), None).await.unwrap_err().code(), "bad_request");
    }
    let more = CreateRequest { project: Some(made.project.clone()), ..CreateRequest::new("再加一章") };
    finish(studio.create(more).await.unwrap()).await;
    assert_eq!(title(&made).await, "三十年", "a title that somebody gave stays");
}

#[tokio::test]
async fn a_cover_is_a_picture_of_a_size_and_stands_in_the_epub() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let sample = studio.call(op::BeginSample { language: qingyu_studio::story::Language::Zh }).await.unwrap();
    let project = sample.project.as_str();
    assert_eq!(studio.cover(project).await.unwrap().media_type, None);
    for (picture, reason) in [(b"GIF89a".to_vec(), "format"), (vec![0; 2_000_001], "too_large")] {
        let refused = studio.call(op::SetCover { project: project.into(), picture }).await.unwrap_err();
        assert!(matches!(&refused, Error::BadPicture { reason: found } if found == reason), "{refused:?}");
    }
    studio.call(op::SetCover { project: project.into(), picture: PNG.to_vec() }).await.unwrap();
    assert_eq!(studio.cover(project).await.unwrap().picture, PNG);
    assert!(studio.project(project).await.unwrap().has_cover);
    let request = BookExportRequest { format: BookForm::Epub, ..BookExportRequest::default() };
    let file = studio.call(op::ExportBook { project: project.into(), request }).await.unwrap();
    let holds = |name: &[u8]| file.bytes.windows(name.len()).any(|window| window == name);
    assert!(holds(b"OEBPS/cover.png") && !holds(b"OEBPS/cover.svg") && holds(PNG));
    studio.call(op::SetCover { project: project.into(), picture: Vec::new() }).await.unwrap();
    assert!(!studio.project(project).await.unwrap().has_cover);
}

fn directed(requirement: &str) -> CreateRequest {
    CreateRequest { overrides: table(&[("pipeline.directions", "3")]), ..CreateRequest::new(requirement) }
}

fn offered(names: [&str; 3]) -> Value {
    let direction = |name: &&str| {
        json!({"title": name, "blurb": format!("{name}的简介"), "cast": "林深", "conflict": format!("{name}的冲突"),
               "length": "十章", "audience": "", "platform": ""})
    };
    json!({"directions": names.iter().map(direction).collect::<Vec<_>>()})
}

/// What the last request for a purpose says.
fn told(model: &ScriptedModel, purpose: &str) -> String {
    let asked = model.requests().into_iter().rfind(|request| request.purpose == purpose).unwrap();
    asked.messages.iter().map(|message| message.text.as_str()).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn the_direction_that_is_chosen_is_what_agents_work_to() {
    let home = tempfile::tempdir().unwrap();
    let model = script::model();
    let studio = studio(home.path(), script::models(&model)).await;
    model.push("directions.propose", reply(&offered(["旧港", "雨停", "芯片"])));
    model.push("directions.propose", reply(&offered(["潮声", "锈", "归途"])));
    let (_, asked) = finish(studio.create(directed(REQUIREMENT)).await.unwrap()).await;
    assert_eq!(asked.status, RunStatus::Waiting);
    let Some(RunQuestion::Directions(first)) = &asked.question else { panic!("{:?}", asked.question) };
    assert_eq!(first.directions[1].title, "雨停");
    assert!(model.requests().iter().all(|request| request.purpose != "plan.create"), "nothing is planned yet");

    let others = RunAnswer::Reject { feedback: "要有海".into() };
    let (_, asked) = finish(studio.resume(&asked.run, Some(others)).await.unwrap()).await;
    assert!(
        told(&model, "directions.propose").contains("要有海")
            && told(&model, "directions.propose").contains("旧港、雨停、芯片")
    );
    let Some(RunQuestion::Directions(second)) = &asked.question else { panic!("{:?}", asked.question) };
    assert_eq!((second.directions[0].title.as_str(), second.round), ("潮声", 2));

    let direct = |direction, from| RunAnswer::Direct {
        direction,
        mix: BTreeMap::from([(DirectionField::Conflict, from)]),
        words: "结局要暖".into(),
    };
    assert_eq!(studio.resume(&asked.run, Some(direct(4, 1))).await.unwrap_err().code(), "bad_material");
    assert_eq!(studio.resume(&asked.run, Some(direct(1, 9))).await.unwrap_err().code(), "bad_material");
    let (_, done) = finish(studio.resume(&asked.run, Some(direct(1, 3))).await.unwrap()).await;
    assert_eq!(done.status, RunStatus::Done, "{:?}", done.errors);
    for purpose in ["plan.create", "outline.generate", "review.judge"] {
        let told = told(&model, purpose);
        for words in [REQUIREMENT, "书名：潮声", "冲突：归途的冲突", "结局要暖"] {
            assert!(told.contains(words), "{purpose} does not say {words}");
        }
    }
    assert_eq!(studio.project(&done.project).await.unwrap().title, "潮声");
}

#[tokio::test]
async fn a_direction_can_be_skipped_and_is_not_missed() {
    let home = tempfile::tempdir().unwrap();
    let model = script::model();
    let studio = studio(home.path(), script::models(&model)).await;
    model.push("directions.propose", reply(&offered(["旧港", "雨停", "芯片"])));
    let (_, asked) = finish(studio.create(directed(REQUIREMENT)).await.unwrap()).await;
    let edit = RunAnswer::Edit { material: json!({"characters": []}) };
    assert_eq!(studio.resume(&asked.run, Some(edit)).await.unwrap_err().code(), "bad_material");
    let (_, done) = finish(studio.resume(&asked.run, Some(RunAnswer::Approve)).await.unwrap()).await;
    assert_eq!(done.status, RunStatus::Done, "{:?}", done.errors);
    assert!(!told(&model, "plan.create").contains("书名："));

    // A model that offers nothing that can be used: the run goes on, and says so.
    for _ in 0..3 {
        model.push("directions.propose", reply(&json!({"directions": []})));
    }
    let (_, done) = finish(studio.create(directed(REQUIREMENT)).await.unwrap()).await;
    assert_eq!(done.status, RunStatus::Done, "{:?}", done.errors);
    assert!(done.warnings.iter().any(|warning| warning.contains("没有得到可选的方向")), "{:?}", done.warnings);
}

#[tokio::test]
async fn the_guide_says_what_comes_next_by_what_is_there() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let next = async || studio.guide().await.unwrap();
    assert_eq!((next().await.next, next().await.is_offline), (Some(GuideStep::Model), true));
    studio.call(op::BeginSample { language: qingyu_studio::story::Language::Zh }).await.unwrap();
    assert_eq!(next().await.next, Some(GuideStep::Model), "a sample is nobody's first book");

    let (_, asked) = finish(studio.create(directed("一个灯塔看守人收到自己三十年前寄出的信")).await.unwrap()).await;
    let Some(RunQuestion::Directions(offered)) = &asked.question else { panic!("{:?}", asked.question) };
    let mut titles: Vec<&str> = offered.directions.iter().map(|direction| direction.title.as_str()).collect();
    titles.dedup();
    assert_eq!(titles.len(), 3, "{titles:?}");
    let guide = next().await;
    assert_eq!((guide.next, guide.run.as_ref()), (Some(GuideStep::Direction), Some(&asked.run)));

    let chosen = RunAnswer::to_directions("2");
    let (_, made) = finish(studio.resume(&asked.run, Some(chosen)).await.unwrap()).await;
    let guide = next().await;
    let expected = if made.status == RunStatus::Done { GuideStep::Chapter } else { GuideStep::Material };
    assert_eq!((guide.next, guide.title.as_deref()), (Some(expected), Some(titles[1])));
}

#[tokio::test]
async fn a_card_has_a_picture_until_it_is_removed() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let sample = studio.call(op::BeginSample { language: qingyu_studio::story::Language::Zh }).await.unwrap();
    let project = sample.project.as_str();
    let view = studio.show(project).await.unwrap();
    let person = &view.story.characters[0];
    let set = async |picture: &[u8], alt: &str| {
        studio
            .call(op::SetPicture {
                project: project.into(),
                card: person.name.clone(),
                picture: Some(picture.to_vec()),
                alt: Some(alt.into()),
                remove: false,
            })
            .await
    };
    assert!(studio.pictures(project).await.unwrap().is_empty());
    let large = vec![0; 2_000_001];
    let bad: [(&[u8], &str); 4] =
        [(b"", "format"), (b"GIF89a", "format"), (b"<svg onload='x()'/>", "svg"), (&large, "too_large")];
    for (picture, reason) in bad {
        let refused = set(picture, "").await.unwrap_err();
        assert!(matches!(&refused, Error::BadPicture { reason: found } if found == reason), "{refused:?}");
    }
    for alt in ["字".repeat(501), "一行\n两行".to_owned(), "\0".to_owned() + "空"] {
        assert_eq!(set(PNG, &alt).await.unwrap_err().code(), "bad_request");
    }
    assert_eq!(
        studio
            .call(op::SetPicture {
                project: project.into(),
                card: "无此人".into(),
                picture: Some(PNG.to_vec()),
                alt: Some("".into()),
                remove: false
            })
            .await
            .unwrap_err()
            .code(),
        "unknown_piece"
    );

    let made = set(PNG, " 提灯的人 ").await.unwrap();
    assert_eq!((made.card.as_str(), made.alt.as_str()), (person.id.as_str(), "提灯的人"));
    assert_eq!(studio.call(op::ReadPicture { project: project.into(), card: person.id.clone() }).await.unwrap(), made);
    let rows = studio.pictures(project).await.unwrap();
    assert_eq!((rows.len(), rows[0].card.as_str(), rows[0].alt.as_str()), (1, person.id.as_str(), "提灯的人"));
    assert!(!studio.project(project).await.unwrap().has_cover, "the cover is another picture");

    let branch =
        studio.call(op::BeginBranch { project: project.into(), name: "另一个结局".into(), at: None }).await.unwrap();
    assert_eq!(studio.pictures(&branch.project.project).await.unwrap(), rows);
    let described = studio
        .call(op::SetPicture {
            project: project.into(),
            card: person.id.clone(),
            picture: None,
            alt: Some("守灯人".into()),
            remove: false,
        })
        .await
        .unwrap();
    assert_eq!((described.alt.as_str(), described.picture.as_slice()), ("守灯人", PNG), "the picture stays");
    let gone = studio
        .call(op::SetPicture {
            project: project.into(),
            card: person.id.clone(),
            picture: None,
            alt: None,
            remove: true,
        })
        .await
        .unwrap();
    assert_eq!((gone.media_type, gone.picture), (None, Vec::new()));
    assert!(studio.pictures(project).await.unwrap().is_empty());
    let refused = studio
        .call(op::SetPicture {
            project: project.into(),
            card: person.id.clone(),
            picture: None,
            alt: Some("守灯人".into()),
            remove: false,
        })
        .await
        .unwrap_err();
    assert!(matches!(&refused, Error::BadPicture { reason } if reason == "none"), "{refused:?}");
}

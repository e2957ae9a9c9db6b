//! Members of a project: named keys of one project, with roles.

use qingyu_story::{Document, Story};
use qingyu_studio::{CommentRequest, KeyRequest, MemberRequest, Right, StoryFile, Studio};

use crate::access::{code, key};
use crate::{create, offline};

const REQUIREMENT: &str = "A locked-room mystery on a generation ship";

#[tokio::test]
async fn a_member_is_a_named_key_of_one_project() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(offline(home.path())).await.unwrap();
    let (_, book) = create(&studio, REQUIREMENT).await;
    let (_, other) = create(&studio, REQUIREMENT).await;
    let access = studio.access();
    let request = |name: &str, role: Right| MemberRequest { name: name.into(), role, expires: None };
    let mei = access.add_member(&book.project, request(" 林梅 ", Right::Comment)).await.unwrap();
    access.add_member(&book.project, request("Ben", Right::Write)).await.unwrap();
    access.add_member(&other.project, request("林梅", Right::Read)).await.unwrap();
    let names = async || {
        let members = access.members(&book.project).await.unwrap();
        members.into_iter().map(|member| (member.name, member.role)).collect::<Vec<_>>()
    };
    assert_eq!(names().await, [("Ben".into(), Right::Write), ("林梅".into(), Right::Comment)]);
    for (name, role, reason) in [
        ("林梅", Right::Read, "taken"),
        (" ", Right::Read, "no_name"),
        ("Eve", Right::Admin, "admin_of_projects"),
        ("two\nlines", Right::Read, "name"),
    ] {
        let error = access.add_member(&book.project, request(name, role)).await.unwrap_err();
        assert_eq!((error.code(), &error.data()["reason"]), ("bad_key", &reason.into()), "{name:?}");
    }

    let scope = access.authenticate(mei.secret.reveal()).await.unwrap();
    let member = studio.of(&scope);
    assert_eq!((member.scope().user(), member.scope().right()), ("local", Right::Comment));
    assert_eq!(member.projects().await.unwrap().len(), 1);
    assert_eq!(member.access().members(&book.project).await.unwrap().len(), 2, "members see who takes part");
    assert_eq!(code(member.access().members(&other.project).await), "unknown_project");
    for refused in [
        member.access().add_member(&book.project, request("Eve", Right::Read)).await.map(drop),
        member.access().change_member(&book.project, "林梅", Right::Write).await.map(drop),
        member.access().remove_member(&book.project, "Ben").await.map(drop),
    ] {
        assert_eq!(code(refused), "forbidden");
    }

    let changed = access.change_member(&book.project, "林梅", Right::Write).await.unwrap();
    assert_eq!((changed.role, &changed.key), (Right::Write, &mei.row.key));
    let scope = access.authenticate(mei.secret.reveal()).await.unwrap();
    assert_eq!(scope.right(), Right::Write, "with the same key");
    assert_eq!(code(access.change_member(&book.project, &mei.row.key, Right::Admin).await), "bad_key");
    assert_eq!(code(access.change_member(&book.project, "Eve", Right::Read).await), "unknown_member");

    // A key made elsewhere is a member as well; two of one name are told apart by their keys.
    let projects = vec![book.project.clone()];
    access.make_key(KeyRequest { name: "Ben".into(), projects, ..key("local", Right::Read) }).await.unwrap();
    let error = access.remove_member(&book.project, "Ben").await.unwrap_err();
    assert_eq!((error.code(), &error.data()["reason"]), ("bad_key", &"several".into()));
    assert_eq!(access.remove_member(&book.project, &mei.row.key).await.unwrap().name, "林梅");
    assert_eq!(code(access.authenticate(mei.secret.reveal()).await), "unauthorized");
    assert_eq!(names().await, [("Ben".into(), Right::Write), ("Ben".into(), Right::Read)]);
}

#[tokio::test]
async fn a_member_signs_comments() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(offline(home.path())).await.unwrap();
    let story = Story {
        documents: vec![Document {
            id: "d-1".into(),
            title: "第一章".into(),
            text: "灯塔看守人收到一封信。".into(),
            ..Document::default()
        }],
        ..Story::default()
    };
    let project = studio.import(StoryFile { story, unknown: Vec::new() }, None).await.unwrap().project.project;
    let request = MemberRequest { name: "林梅".into(), role: Right::Comment, expires: None };
    let mei = studio.access().add_member(&project, request).await.unwrap();
    let member = studio.of(&studio.access().authenticate(mei.secret.reveal()).await.unwrap());
    let comment = CommentRequest {
        chapter: "第一章".into(),
        quote: "一封信".into(),
        before: String::new(),
        after: String::new(),
        text: "谁寄的？".into(),
    };
    let list = member.add_comment(&project, &comment).await.unwrap();
    assert_eq!(list.comments[0].thread[0].author, "林梅");
}

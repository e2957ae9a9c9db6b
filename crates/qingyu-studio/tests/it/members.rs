//! Members of a project: named keys of one project, with roles.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use qingyu_llm::testing::ScriptedModel;
use qingyu_llm::{ModelRoutes, Reply};
use qingyu_story::{Document, Story};
use qingyu_studio::operations as op;
use qingyu_studio::{
    CommentChange, CommentRequest, CreateRequest, KeyRequest, KeyUsageLimits, MemberRequest, Right, RunStatus,
    StoryFile, Studio, UserRequest, UserRole,
};

use crate::access::{code, key};
use crate::{create, finish, offline};

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
        member
            .call(op::ChangeMember { project: book.project.clone(), member: "林梅".into(), role: Right::Write })
            .await
            .map(drop),
        member.call(op::RemoveMember { project: book.project.clone(), member: "Ben".into() }).await.map(drop),
    ] {
        assert_eq!(code(refused), "forbidden");
    }

    let changed = studio
        .call(op::ChangeMember { project: book.project.clone(), member: "林梅".into(), role: Right::Write })
        .await
        .unwrap();
    assert_eq!((changed.role, &changed.key), (Right::Write, &mei.row.key));
    let scope = access.authenticate(mei.secret.reveal()).await.unwrap();
    assert_eq!(scope.right(), Right::Write, "with the same key");
    assert_eq!(
        code(
            studio
                .call(op::ChangeMember {
                    project: book.project.clone(),
                    member: mei.row.key.clone(),
                    role: Right::Admin
                })
                .await
        ),
        "bad_key"
    );
    assert_eq!(
        code(
            studio
                .call(op::ChangeMember { project: book.project.clone(), member: "Eve".into(), role: Right::Read })
                .await
        ),
        "unknown_member"
    );

    // A key made elsewhere is a member as well; two of one name are told apart by their keys.
    let projects = vec![book.project.clone()];
    access.make_key(KeyRequest { name: "Ben".into(), projects, ..key("local", Right::Read) }).await.unwrap();
    let error =
        studio.call(op::RemoveMember { project: book.project.clone(), member: "Ben".into() }).await.unwrap_err();
    assert_eq!((error.code(), &error.data()["reason"]), ("bad_key", &"several".into()));
    assert_eq!(
        studio
            .call(op::RemoveMember { project: book.project.clone(), member: mei.row.key.clone() })
            .await
            .unwrap()
            .name,
        "林梅"
    );
    assert_eq!(code(access.authenticate(mei.secret.reveal()).await), "unauthorized");
    assert_eq!(names().await, [("Ben".into(), Right::Write), ("Ben".into(), Right::Read)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_members_added_at_once_under_one_name_one_is_added() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(offline(home.path())).await.unwrap();
    let (_, book) = create(&studio, REQUIREMENT).await;
    let access = studio.access();
    let add = || {
        let request = MemberRequest { name: "林梅".into(), role: Right::Read, expires: None };
        access.add_member(&book.project, request)
    };
    let (one, other) = tokio::join!(add(), add());
    assert!(one.is_ok() != other.is_ok(), "{one:?} {other:?}");
    let error = one.and(other).unwrap_err();
    assert_eq!((error.code(), &error.data()["reason"]), ("bad_key", &"taken".into()));
    assert_eq!(access.members(&book.project).await.unwrap().len(), 1);
}

#[tokio::test]
async fn the_owner_of_a_book_adds_people_without_being_an_administrator() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(offline(home.path())).await.unwrap();
    let anna = UserRequest { user: "anna".into(), name: None, role: UserRole::Member };
    studio.access().add_user(anna).await.unwrap();
    let of_anna = async |request: KeyRequest| {
        let made = studio.access().make_key(request).await.unwrap();
        studio.of(&studio.access().authenticate(made.secret.reveal()).await.unwrap())
    };
    let expires = Some(Timestamp::now() + Duration::from_secs(3_600));
    let limits = KeyUsageLimits { parallel_runs: Some(1), ..KeyUsageLimits::default() };
    let approves = KeyRequest { expires, limits: limits.clone(), ..key("anna", Right::Approve) };
    let anna = of_anna(approves).await;
    let (_, book) = create(&anna, REQUIREMENT).await;
    let request = |name: &str, role: Right| MemberRequest { name: name.into(), role, expires: None };

    let mei = anna.access().add_member(&book.project, request("林梅", Right::Approve)).await.unwrap();
    assert_eq!(mei.row.expires, expires, "no longer than the key that added it");
    let keys = anna.access().keys(None).await.unwrap();
    assert_eq!(keys.iter().find(|row| row.key == mei.row.key).unwrap().limits, limits);
    let soon =
        MemberRequest { expires: Some(Timestamp::now() + Duration::from_secs(60)), ..request("Ben", Right::Read) };
    let ben = anna.access().add_member(&book.project, soon.clone()).await.unwrap();
    assert_eq!(ben.row.expires, soon.expires);
    assert_eq!(code(anna.access().add_member(&book.project, request("Eve", Right::Admin)).await), "bad_key");

    // A writing key of the owner adds nobody, nor does a member, nor anybody to the book of another user.
    let member = studio.of(&studio.access().authenticate(mei.secret.reveal()).await.unwrap());
    let writes = of_anna(key("anna", Right::Write)).await;
    for (caller, needed) in [(&writes, "approve"), (&member, "all_projects")] {
        let access = caller.access();
        for refused in [
            access.add_member(&book.project, request("Eve", Right::Read)).await.map(drop),
            caller
                .call(op::ChangeMember { project: book.project.clone(), member: "Ben".into(), role: Right::Approve })
                .await
                .map(drop),
            caller.call(op::RemoveMember { project: book.project.clone(), member: "Ben".into() }).await.map(drop),
        ] {
            let error = refused.unwrap_err();
            assert_eq!((error.code(), &error.data()["needed"]), ("forbidden", &needed.into()));
        }
    }
    let (_, other) = create(&studio, REQUIREMENT).await;
    assert_eq!(code(anna.access().add_member(&other.project, request("Eve", Right::Read)).await), "unknown_project");

    // A member added without limits gets those of the key that raises the role.
    let projects = vec![book.project.clone()];
    let free = KeyRequest { name: "阿远".into(), projects, ..key("anna", Right::Read) };
    studio.access().make_key(free).await.unwrap();
    let raised = anna
        .call(op::ChangeMember { project: book.project.clone(), member: "阿远".into(), role: Right::Approve })
        .await
        .unwrap();
    assert_eq!((raised.role, raised.expires), (Right::Approve, expires));
    let keys = anna.access().keys(None).await.unwrap();
    assert_eq!(keys.iter().find(|row| row.key == raised.key).unwrap().limits, limits);
    anna.call(op::RemoveMember { project: book.project.clone(), member: "阿远".into() }).await.unwrap();

    anna.call(op::ChangeMember { project: book.project.clone(), member: "林梅".into(), role: Right::Comment })
        .await
        .unwrap();
    anna.call(op::RemoveMember { project: book.project.clone(), member: "Ben".into() }).await.unwrap();
    let members = anna.access().members(&book.project).await.unwrap();
    assert_eq!(
        members.iter().map(|member| (&*member.name, member.role)).collect::<Vec<_>>(),
        [("林梅", Right::Comment)]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_stops_once_its_member_may_not_write_any_more() {
    let home = tempfile::tempdir().unwrap();
    let silent = ScriptedModel::responding("silent", |_| Reply::default().into());
    let silent = Arc::new(silent.with_latency(Duration::from_secs(3_600)));
    let studio = crate::studio(home.path(), ModelRoutes::new(silent)).await;
    let document =
        Document {
            id: "d-1".into(), title: "第一章".into(), text: "海上起雾了。".into(), ..Document::default()
        };
    let story = Story { documents: vec![document], ..Story::default() };
    let project = studio.import(StoryFile { story, unknown: Vec::new() }, None).await.unwrap().project.project;
    let request = MemberRequest { name: "Ben".into(), role: Right::Write, expires: None };
    let added = studio.access().add_member(&project, request).await.unwrap();
    let ben = studio.of(&studio.access().authenticate(added.secret.reveal()).await.unwrap());
    let begin = CreateRequest { project: Some(project.clone()), ..CreateRequest::new(REQUIREMENT) };
    let run = ben.create(begin.clone()).await.unwrap();
    studio
        .call(op::ChangeMember { project: project.clone(), member: "Ben".into(), role: Right::Suggest })
        .await
        .unwrap();
    let (_, outcome) = finish(run).await;
    assert_eq!(outcome.status, RunStatus::Interrupted);
    let ben = studio.of(&studio.access().authenticate(added.secret.reveal()).await.unwrap());
    assert_eq!(code(ben.create(begin).await), "forbidden", "the role counts from the next request on");
}

#[tokio::test]
async fn members_comment_suggest_and_accept_by_their_roles() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(offline(home.path())).await.unwrap();
    let story = Story {
        documents: vec![Document {
            id: "d-1".into(),
            title: "第一章".into(),
            text: "灯塔看守人收到一封信。海上起雾了。".into(),
            ..Document::default()
        }],
        ..Story::default()
    };
    let project = studio.import(StoryFile { story, unknown: Vec::new() }, None).await.unwrap().project.project;
    let member = async |name: &str, role: Right| {
        let request = MemberRequest { name: name.into(), role, expires: None };
        let added = studio.access().add_member(&project, request).await.unwrap();
        studio.of(&studio.access().authenticate(added.secret.reveal()).await.unwrap())
    };
    let reads = member("阿远", Right::Comment).await;
    let suggests = member("林梅", Right::Suggest).await;
    let writes = member("Ben", Right::Write).await;
    let request = |quote: &str, text: &str, replacement: Option<&str>| CommentRequest {
        chapter: "第一章".into(),
        quote: quote.into(),
        before: String::new(),
        after: String::new(),
        text: text.into(),
        replacement: replacement.map(str::to_owned),
    };
    let list = reads
        .call(op::AddComment { project: project.clone(), comment: request("一封信", "谁寄的？", None) })
        .await
        .unwrap();
    let remark = list.changed.unwrap();
    assert_eq!(list.comments[0].thread[0].author, "阿远", "comments are signed");
    assert_eq!(
        code(
            reads
                .call(op::AddComment { project: project.clone(), comment: request("一封信", "", Some("两封信")) })
                .await
        ),
        "forbidden"
    );

    let list = suggests
        .call(op::AddComment { project: project.clone(), comment: request("一封信", "", Some("一封旧信")) })
        .await
        .unwrap();
    let suggestion = list.changed.unwrap();
    let row = list.comments.iter().find(|row| row.id == suggestion).unwrap();
    assert_eq!((row.replacement.as_deref(), row.thread[0].author.as_str()), (Some("一封旧信"), "林梅"));
    assert_eq!(
        code(
            suggests
                .call(op::ChangeComment {
                    project: project.clone(),
                    comment: suggestion.clone(),
                    change: CommentChange::Accept
                })
                .await
        ),
        "forbidden"
    );
    let refused = writes
        .call(op::ChangeComment { project: project.clone(), comment: remark.clone(), change: CommentChange::Accept })
        .await
        .unwrap_err();
    assert_eq!((refused.code(), &refused.data()["reason"]), ("bad_comment", &"no_suggestion".into()));

    let list = writes
        .call(op::ChangeComment {
            project: project.clone(),
            comment: suggestion.clone(),
            change: CommentChange::Accept,
        })
        .await
        .unwrap();
    let text = studio.chapter_text(&project, "d-1").await.unwrap();
    assert_eq!(text.text, "灯塔看守人收到一封旧信。海上起雾了。");
    assert!(list.comments.iter().find(|row| row.id == suggestion).unwrap().resolved);
    let other = list.comments.iter().find(|row| row.id == remark).unwrap();
    assert!(other.place.is_some() && !other.resolved, "the other comment stays at its words: {other:?}");
    let again = writes
        .call(op::ChangeComment {
            project: project.clone(),
            comment: suggestion.clone(),
            change: CommentChange::Accept,
        })
        .await
        .unwrap_err();
    assert_eq!((again.code(), &again.data()["reason"]), ("bad_comment", &"closed".into()));

    let deletion = suggests
        .call(op::AddComment { project: project.clone(), comment: request("海上起雾了。", "", Some("")) })
        .await
        .unwrap();
    studio
        .call(op::EditChapter {
            project: project.clone(),
            chapter: "d-1".into(),
            text: "灯塔看守人收到一封旧信。".into(),
            expected: None,
        })
        .await
        .unwrap();
    let gone = writes
        .call(op::ChangeComment {
            project: project.clone(),
            comment: deletion.changed.unwrap(),
            change: CommentChange::Accept,
        })
        .await
        .unwrap_err();
    assert_eq!((gone.code(), &gone.data()["reason"]), ("bad_comment", &"missing".into()));
}

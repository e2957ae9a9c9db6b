//! Approvers of runs: the only people who may answer them.

use std::collections::BTreeMap;
use std::path::Path;

use qingyu_agents::production::Order;
use qingyu_studio::operations::{self as op, ResumeRequest};
use qingyu_studio::{
    CreateRequest, Error, ErrorKind, KeyRequest, MemberRequest, ProduceRequest, Right, RunAnswer, RunStatus, Settings,
    Studio, StudioEvent, StudioEventKind, TellRequest,
};
use serde_json::json;

use crate::access::{code, key};
use crate::{create, environment, finish, offline, table};

const PREMISE: &str = "为独立开发者写一门关于定价的短课程";

/// The studio of a new member.
async fn member(studio: &Studio, project: &str, name: &str, role: Right) -> Studio {
    let request = MemberRequest { name: name.into(), role, expires: None };
    let added = studio.access().add_member(project, request).await.unwrap();
    studio.of(&studio.access().authenticate(added.secret.reveal()).await.unwrap())
}

/// Who answered the run, by its events.
fn answered_by(events: &[StudioEvent]) -> Option<&str> {
    events.iter().find_map(|event| match &event.kind {
        StudioEventKind::RunStarted { answered_by, .. } => answered_by.as_deref(),
        _ => None,
    })
}

#[track_caller]
fn refused<T>(answered: Result<T, Error>) {
    let Err(error) = answered else { panic!("it was answered") };
    assert_eq!((error.code(), error.kind()), ("not_approver", ErrorKind::Forbidden), "{error}");
    assert_eq!(error.data()["approver"], json!("林梅"), "{error}");
}

#[tokio::test]
async fn only_the_named_approver_answers_a_waiting_run() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(offline(home.path())).await.unwrap();
    let overrides = table(&[("web.search", "none")]);
    let request = ProduceRequest { premise: PREMISE.into(), overrides, ..ProduceRequest::default() };
    let (_, outcome) = finish(studio.produce(request).await.unwrap()).await;
    assert_eq!((outcome.status, &outcome.approver), (RunStatus::Waiting, &None));
    let (run, project) = (outcome.run.as_str(), outcome.project.as_str());
    let mei = member(&studio, project, "林梅", Right::Approve).await;
    let ben = member(&studio, project, "Ben", Right::Write).await;

    assert_eq!(
        code(ben.call(op::ChangeApprover { run: run.into(), approver: Some("林梅".into()) }).await),
        "forbidden"
    );
    assert_eq!(ben.call(op::ListApprovers { project: project.into() }).await.unwrap(), ["local", "林梅"]);
    let error = studio.call(op::ChangeApprover { run: run.into(), approver: Some("Ben".into()) }).await.unwrap_err();
    assert_eq!((error.code(), &error.data()["known"]), ("unknown_approver", &json!(["local", "林梅"])));
    assert_eq!(
        studio
            .call(op::ChangeApprover { run: run.into(), approver: Some("林梅".into()) })
            .await
            .unwrap()
            .approver
            .as_deref(),
        Some("林梅")
    );
    assert_eq!(ben.outcome(run).await.unwrap().approver.as_deref(), Some("林梅"));

    let tell = || TellRequest {
        project: project.into(),
        order: Some(Order::Advance),
        model: None,
        overrides: toml::Table::new(),
    };
    let checkpoint = ben.checkpoints(run, None, Some(1)).await.unwrap()[0].checkpoint;
    for other in [&ben, &studio] {
        refused(other.resume(run, Some(RunAnswer::Approve)).await);
        refused(other.resume(run, None).await);
        refused(other.resume_with(ResumeRequest { run: run.into(), ..ResumeRequest::default() }).await);
        refused(other.tell(tell()).await);
        let values = BTreeMap::from([("messages".to_owned(), json!([]))]);
        refused(other.edit_checkpoint(run, checkpoint, values, None).await);
    }
    assert_eq!(studio.outcome(run).await.unwrap().question_id, outcome.question_id, "nothing has changed");
    let (events, next) = finish(mei.resume(run, Some(RunAnswer::Approve)).await.unwrap()).await;
    assert_eq!((answered_by(&events), next.status), (Some("林梅"), RunStatus::Waiting));
    let kept = studio.events(run, 0).await.unwrap();
    assert_eq!(answered_by(&kept[1..]), Some("林梅"), "it stands in the log");

    // A fork waits for the same person.
    let fork = ben.call(op::ForkRun { run: run.into(), checkpoint, afresh: false }).await.unwrap();
    refused(ben.resume(&fork.run, Some(RunAnswer::Approve)).await);
    refused(ben.resume(&fork.run, None).await);

    assert_eq!(mei.call(op::ChangeApprover { run: run.into(), approver: None }).await.unwrap().approver, None);
    let (events, _) = finish(ben.resume(run, Some(RunAnswer::Approve)).await.unwrap()).await;
    assert_eq!(answered_by(&events), Some("Ben"));

    let audit = studio.access().audit(None, 100).await.unwrap();
    let changes = audit.iter().filter(|row| row.action == "run.approver");
    let changes: Vec<_> = changes.map(|row| (row.key.is_some(), row.object.as_str())).collect();
    assert_eq!(changes, [(true, run), (false, run)], "what was done, and nothing that was refused");
}

#[tokio::test]
async fn a_name_of_two_people_is_no_approver() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(offline(home.path())).await.unwrap();
    let (_, outcome) = create(&studio, "A locked-room mystery on a generation ship").await;
    member(&studio, &outcome.project, "Ben", Right::Approve).await;
    let made = async |name: &str| {
        let projects = vec![outcome.project.clone()];
        let request = KeyRequest { name: name.into(), projects, ..key("local", Right::Approve) };
        studio.access().make_key(request).await.unwrap();
    };
    made("Ben").await;
    let error =
        studio.call(op::ChangeApprover { run: outcome.run.clone(), approver: Some("Ben".into()) }).await.unwrap_err();
    assert_eq!((error.code(), &error.data()["reason"]), ("bad_key", &json!("several_approvers")));
    made("local").await;
    let row =
        studio.call(op::ChangeApprover { run: outcome.run.clone(), approver: Some("local".into()) }).await.unwrap();
    assert_eq!(row.approver.as_deref(), Some("local"), "the owner is meant");

    let remote = studio.with_origin("192.0.2.7");
    remote.call(op::ChangeApprover { run: outcome.run.clone(), approver: None }).await.unwrap();
    let audit = studio.access().audit(None, 100).await.unwrap();
    let origins: Vec<_> = audit.iter().filter(|row| row.action == "run.approver").map(|row| &*row.origin).collect();
    assert_eq!(origins, ["192.0.2.7", "local"]);
}

fn approved_by_the_owner(home: &Path) -> Settings {
    let flags = table(&[("approval.by", "local")]);
    Settings::load(environment(home, &[("QINGYU_MODEL", "offline-rules-1")]), flags).unwrap()
}

#[tokio::test]
async fn the_settings_name_the_approver_of_new_runs() {
    let home = tempfile::tempdir().unwrap();
    let studio = Studio::open(approved_by_the_owner(home.path())).await.unwrap();
    let (_, outcome) = create(&studio, "A locked-room mystery on a generation ship").await;
    assert_eq!(studio.run(&outcome.run).await.unwrap().approver.as_deref(), Some("local"));
    let mei = member(&studio, &outcome.project, "林梅", Right::Approve).await;
    let ben = member(&studio, &outcome.project, "Ben", Right::Write).await;
    let begin = |by: Option<&str>| CreateRequest {
        project: Some(outcome.project.clone()),
        overrides: by.map(|by| table(&[("approval.by", by)])).unwrap_or_default(),
        ..CreateRequest::new("She finds a second key")
    };
    let (_, own) = finish(ben.create(begin(None)).await.unwrap()).await;
    assert_eq!(studio.run(&own.run).await.unwrap().approver.as_deref(), Some("local"));
    for by in ["", "林梅"] {
        let error = ben.create(begin(Some(by))).await.unwrap_err();
        assert_eq!((error.code(), &error.data()["needed"]), ("forbidden", &json!("approve")), "{by:?}");
    }
    assert_eq!(code(mei.create(begin(Some("Ben"))).await), "unknown_approver");
    let (_, other) = finish(mei.create(begin(Some("林梅"))).await.unwrap()).await;
    assert_eq!(studio.run(&other.run).await.unwrap().approver.as_deref(), Some("林梅"));
}

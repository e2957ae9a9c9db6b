//! Calls of the generated clients.

use std::time::Duration;

use qingyu_grpc::proto::knowledge_service_client::KnowledgeServiceClient;
use qingyu_grpc::proto::operation_service_client::OperationServiceClient;
use qingyu_grpc::proto::project_service_client::ProjectServiceClient;
use qingyu_grpc::proto::run_event::Detail;
use qingyu_grpc::proto::run_service_client::RunServiceClient;
use qingyu_grpc::proto::*;
use tonic::Code;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};
use tonic_types::StatusExt;

use crate::rig::{Caller, PREMISE, REQUIREMENT, Rig};

fn create() -> Option<Start> {
    let create = CreateWork { requirement: REQUIREMENT.into(), ..CreateWork::default() };
    Some(Start { work: Some(start::Work::Create(create)), ..Start::default() })
}

fn produce() -> Option<Start> {
    let produce = ProduceWork { premise: PREMISE.into(), ..ProduceWork::default() };
    Some(Start { work: Some(start::Work::Produce(produce)), ..Start::default() })
}

async fn watched(client: &mut RunServiceClient<tonic::transport::Channel>, run: &str, after: u64) -> Vec<RunEvent> {
    let asked = WatchRunRequest { run: run.into(), after };
    let mut stream = client.watch_run(asked).await.unwrap().into_inner();
    let mut events = Vec::new();
    while let Some(sent) = stream.message().await.unwrap() {
        events.push(sent.event.unwrap());
    }
    events
}

#[tokio::test(flavor = "multi_thread")]
async fn a_story_is_made_watched_searched_and_checked() {
    let rig = Rig::new(Caller::Owner).await;
    let mut runs = RunServiceClient::new(rig.channel.clone());
    let mut stream = runs.start_and_watch_run(StartAndWatchRunRequest { start: create() }).await.unwrap().into_inner();
    let mut events = Vec::new();
    while let Some(sent) = stream.message().await.unwrap() {
        events.push(sent.event.unwrap());
    }
    let kept: Vec<_> = events.iter().filter(|event| event.kept).map(|event| event.seq).collect();
    assert_eq!(kept, (1..=kept.len() as u64).collect::<Vec<_>>());
    assert_eq!(events[0].kind, "run_started");
    let last = events.last().unwrap();
    let Some(Detail::Summary(summary)) = &last.detail else { panic!("{last:?}") };
    assert_eq!(summary.status(), RunStatus::Done);
    let (run, project) = (last.run.clone(), last.project.clone());

    // From the log, the same again from anywhere on.
    let again = watched(&mut runs, &run, 3).await;
    assert_eq!(again.iter().map(|event| event.seq).collect::<Vec<_>>(), kept[3..]);
    assert_eq!(again.last(), Some(last));

    let got = runs.get_run(GetRunRequest { run: run.clone() }).await.unwrap().into_inner();
    assert_eq!((got.status(), &got.project), (RunStatus::Done, &project));
    assert!(got.document.unwrap().fields.contains_key("characters"));
    let listed = runs.list_runs(ListRunsRequest::default()).await.unwrap().into_inner().runs;
    assert_eq!((listed.len(), &listed[0].run, &*listed[0].requirement), (1, &run, REQUIREMENT));

    let mut projects = ProjectServiceClient::new(rig.channel.clone());
    let found = projects.get_project(GetProjectRequest { project: run }).await.unwrap().into_inner().project.unwrap();
    assert_eq!((&found.project, &*found.language), (&project, "zh"));
    let shown = projects.show_project(ShowProjectRequest { project: project.clone() }).await.unwrap().into_inner();
    assert!(shown.view.unwrap().fields.contains_key("story"));

    let mut knowledge = KnowledgeServiceClient::new(rig.channel.clone());
    let asked =
        SearchRequest { project: project.clone(), text: "灯塔".into(), limit: Some(3), ..SearchRequest::default() };
    let hits = knowledge.search(asked).await.unwrap().into_inner().hits;
    assert!((1..=3).contains(&hits.len()) && hits[0].text.contains("灯塔"), "{hits:?}");
    let asked =
        AskRequest { project: project.clone(), question: "灯塔看守人是谁？".into(), ..AskRequest::default() };
    let answered = knowledge.ask(asked).await.unwrap().into_inner();
    assert!(
        !answered.answer.is_empty() && answered.citations.iter().all(|cited| !cited.name.is_empty()),
        "{answered:?}"
    );
    let checked = knowledge.check(CheckRequest { project, only: Vec::new() }).await.unwrap().into_inner();
    assert!(checked.score.is_some_and(|score| score <= 100) && checked.version > 0, "{checked:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_answered_and_a_run_is_stopped() {
    let rig = Rig::new(Caller::Owner).await;
    let mut runs = RunServiceClient::new(rig.channel.clone());
    let StartRunResponse { run, .. } = runs.start_run(StartRunRequest { start: produce() }).await.unwrap().into_inner();
    let events = watched(&mut runs, &run, 0).await;
    let last = events.last().unwrap();
    let Some(Detail::Question(question)) = &last.detail else { panic!("{last:?}") };
    assert!(question.asks == "turn" && !question.text.is_empty(), "{question:?}");

    let say = Order { order: Some(order::Order::Say("给第一次定价的人看。".into())) };
    let answer = Some(Answer { answer: Some(answer::Answer::Order(say)) });
    let named = |question: &str| ResumeRunRequest {
        run: run.clone(),
        answer: answer.clone(),
        question: question.to_owned(),
        ..ResumeRunRequest::default()
    };
    let another = runs.resume_run(named("another")).await.unwrap_err();
    assert_eq!(another.code(), Code::FailedPrecondition, "{another:?}");
    runs.resume_run(named(&question.id)).await.unwrap();
    let after = watched(&mut runs, &run, last.seq).await;
    assert!(after.iter().any(|event| event.kind == "run_started"), "{after:?}");
    let now = after.last().unwrap();
    assert!(now.seq > last.seq && now.kind == "waiting", "{now:?}");

    let stood = runs.cancel_run(CancelRunRequest { run: run.clone() }).await.unwrap().into_inner();
    assert_ne!(stood.status(), RunStatus::Unspecified);
    let got = runs.get_run(GetRunRequest { run }).await.unwrap().into_inner();
    assert_eq!(got.status(), stood.status());
}

#[tokio::test(flavor = "multi_thread")]
async fn operations_are_called_by_name() {
    let rig = Rig::new(Caller::Owner).await;
    let mut operations = OperationServiceClient::new(rig.channel.clone()).max_decoding_message_size(16 << 20);
    let listed = operations.list_operations(ListOperationsRequest {}).await.unwrap().into_inner().operations;
    assert_eq!(listed.len(), qingyu_studio::operations::all().len());
    let run = listed.iter().find(|operation| operation.name == "start_run").unwrap();
    assert_eq!(run.right, "write");
    assert!(run.arguments.as_ref().unwrap().fields.contains_key("$defs"), "{run:?}");
    let call = |name: &str| CallOperationRequest { name: name.into(), arguments: None };
    let rules = operations.call_operation(call("list_rules")).await.unwrap().into_inner().result.unwrap();
    let Some(prost_types::value::Kind::ListValue(rules)) = rules.kind else { panic!("{rules:?}") };
    assert!(rules.values.len() > 10);
    let refused = operations.call_operation(call("fly")).await.unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
    assert_eq!(refused.get_error_details().bad_request().unwrap().field_violations[0].field, "name");
    let refused = operations.call_operation(call("read_run")).await.unwrap_err();
    assert_eq!(refused.get_error_details().error_info().unwrap().reason, "BAD_REQUEST");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_gets_anything_but_health() {
    let rig = Rig::new(Caller::Nobody).await;
    let mut runs = RunServiceClient::new(rig.channel.clone());
    assert_eq!(runs.list_runs(ListRunsRequest::default()).await.unwrap_err().code(), Code::Unauthenticated);
    let started = runs.start_run(StartRunRequest { start: create() }).await;
    assert_eq!(started.unwrap_err().code(), Code::Unauthenticated);
    let watched = runs.watch_run(WatchRunRequest { run: "r".into(), after: 0 }).await;
    assert_eq!(watched.unwrap_err().code(), Code::Unauthenticated);
    let mut projects = ProjectServiceClient::new(rig.channel.clone());
    let listed = projects.list_projects(ListProjectsRequest {}).await;
    assert_eq!(listed.unwrap_err().code(), Code::Unauthenticated);
    let mut operations = OperationServiceClient::new(rig.channel.clone());
    let listed = operations.list_operations(ListOperationsRequest {}).await;
    assert_eq!(listed.unwrap_err().code(), Code::Unauthenticated);

    let mut health = HealthClient::new(rig.channel.clone());
    let status = |service: &str| HealthCheckRequest { service: service.into() };
    for (stopped, wanted) in [(false, ServingStatus::Serving), (true, ServingStatus::NotServing)] {
        if stopped {
            rig.stop.cancel();
        }
        for service in ["", "qingyu.v1.RunService"] {
            let mut stream = health.watch(status(service)).await.unwrap().into_inner();
            while stream.message().await.unwrap().unwrap().status() != wanted {}
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_or_too_large_is_told_by_status() {
    let rig = Rig::new(Caller::Owner).await;
    let mut runs = RunServiceClient::new(rig.channel.clone());
    let unknown = runs.get_run(GetRunRequest { run: "r-none".into() }).await.unwrap_err();
    let details = unknown.get_error_details();
    let info = details.error_info().unwrap();
    assert_eq!((unknown.code(), &*info.reason, &*info.domain), (Code::NotFound, "UNKNOWN_RUN", "qingyu"));
    assert_eq!(info.metadata["given"], "r-none");
    let empty = runs.start_run(StartRunRequest { start: None }).await.unwrap_err();
    assert_eq!(empty.get_error_details().bad_request().unwrap().field_violations[0].field, "start");
    let large = CreateWork { requirement: "长".repeat(2 << 20), ..CreateWork::default() };
    let start = Some(Start { work: Some(start::Work::Create(large)), ..Start::default() });
    assert_eq!(runs.start_run(StartRunRequest { start }).await.unwrap_err().code(), Code::OutOfRange);

    // Whoever goes away leaves the run at work.
    let mut stream = runs.start_and_watch_run(StartAndWatchRunRequest { start: create() }).await.unwrap().into_inner();
    let first = stream.message().await.unwrap().unwrap().event.unwrap();
    drop(stream);
    let ended = tokio::time::timeout(Duration::from_secs(60), watched(&mut runs, &first.run, 0)).await.unwrap();
    assert_eq!(ended.last().unwrap().kind, "completed");
}

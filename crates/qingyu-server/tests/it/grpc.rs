//! gRPC with the key of each role: every operation, and every method that does work.

use prost_types::value::Kind;
use prost_types::{ListValue, Struct, Value as Wire};
use qingyu_grpc::proto::knowledge_service_client::KnowledgeServiceClient;
use qingyu_grpc::proto::operation_service_client::OperationServiceClient;
use qingyu_grpc::proto::project_service_client::ProjectServiceClient;
use qingyu_grpc::proto::run_service_client::RunServiceClient;
use qingyu_grpc::proto::{
    AskRequest, CallOperationRequest, CallOperationResponse, CancelRunRequest, CheckRequest, CreateWork,
    GetProjectRequest, GetRunRequest, ListProjectsRequest, ListRunsRequest, ResumeRunRequest, SearchRequest,
    ShowProjectRequest, Start, StartRunRequest, TaskWork, WatchRunRequest, start,
};
use qingyu_studio::Right;
use serde_json::{Value, json};
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Response, Status};

use crate::examples::examples;
use crate::house::{House, home};
use crate::matrix::{described, with_member};

/// The roles of members, lowest first.
const ROLES: [Right; 5] = [Right::Read, Right::Comment, Right::Suggest, Right::Write, Right::Approve];
/// The maximum size of a response, in bytes.
const LARGEST: usize = 64 << 20;

pub(crate) async fn channel(house: &House) -> Channel {
    Endpoint::from_shared(house.url("")).unwrap().connect().await.unwrap()
}

/// A request with a key.
pub(crate) fn with_key<T>(message: T, key: &str) -> Request<T> {
    let mut request = Request::new(message);
    request.metadata_mut().insert("authorization", format!("Bearer {key}").parse().unwrap());
    request
}

/// Calls an operation by name.
pub(crate) async fn call(
    house: &House,
    name: &str,
    arguments: Value,
    key: &str,
) -> Result<CallOperationResponse, Status> {
    let mut operations = OperationServiceClient::new(channel(house).await).max_decoding_message_size(LARGEST);
    let call = CallOperationRequest { name: name.to_owned(), arguments: Some(object(arguments)) };
    operations.call_operation(with_key(call, key)).await.map(Response::into_inner)
}

fn object(value: Value) -> Struct {
    let Value::Object(fields) = value else { panic!("{value} is no object") };
    Struct { fields: fields.into_iter().map(|(name, value)| (name, wire(value))).collect() }
}

fn wire(value: Value) -> Wire {
    let kind = match value {
        Value::Null => Kind::NullValue(0),
        Value::Bool(value) => Kind::BoolValue(value),
        Value::Number(number) => Kind::NumberValue(number.as_f64().unwrap()),
        Value::String(text) => Kind::StringValue(text),
        Value::Array(values) => Kind::ListValue(ListValue { values: values.into_iter().map(wire).collect() }),
        value @ Value::Object(_) => Kind::StructValue(object(value)),
    };
    Wire { kind: Some(kind) }
}

fn is_refused<T>(answered: &Result<Response<T>, Status>) -> bool {
    answered.as_ref().is_err_and(|status| status.code() == Code::PermissionDenied)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_over_grpc_needs_the_right_that_it_needs_over_http() {
    for role in ROLES {
        let home = home();
        let house = House::open(&home).await;
        let (known, key) = with_member(&house, role).await;
        for example in examples() {
            let described = described(&example["name"]);
            let name = described.name;
            let answered = call(&house, name, known.here(&example["input"]), &key).await;
            let refused = answered.err().filter(|status| status.code() == Code::PermissionDenied);
            let told = refused.as_ref().map(|status| status.message().to_owned());
            if described.right > role {
                let needed = format!("`{}`", described.right.name());
                assert!(told.as_ref().is_some_and(|told| told.contains(&needed)), "{name} as {role:?}: {told:?}");
            } else if let Some(told) = told {
                assert!(told.contains("all_projects"), "{name} as {role:?}: {told}");
            }
        }
        house.go().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_method_of_grpc_lets_in_the_roles_that_may() {
    let words = || "第一章写了什么？".to_owned();
    for role in ROLES {
        let home = home();
        let house = House::open(&home).await;
        let (known, key) = with_member(&house, role).await;
        let here = |name: &str| known.here(&json!(name)).as_str().unwrap().to_owned();
        let (project, run) = (here("p-lighthouse"), here("r-lighthouse"));
        let mut runs = RunServiceClient::new(channel(&house).await);
        let mut projects = ProjectServiceClient::new(channel(&house).await).max_decoding_message_size(LARGEST);
        let mut knowledge = KnowledgeServiceClient::new(channel(&house).await).max_decoding_message_size(LARGEST);

        let get = GetProjectRequest { project: project.clone() };
        let show = ShowProjectRequest { project: project.clone() };
        let search = SearchRequest { project: project.clone(), text: words(), ..SearchRequest::default() };
        let check = CheckRequest { project: project.clone(), only: Vec::new() };
        let watch = WatchRunRequest { run: run.clone(), after: 0 };
        for (name, answered) in [
            ("GetProject", projects.get_project(with_key(get, &key)).await.map(drop)),
            ("ShowProject", projects.show_project(with_key(show, &key)).await.map(drop)),
            ("ListProjects", projects.list_projects(with_key(ListProjectsRequest {}, &key)).await.map(drop)),
            ("Search", knowledge.search(with_key(search, &key)).await.map(drop)),
            ("Check", knowledge.check(with_key(check, &key)).await.map(drop)),
            ("ListRuns", runs.list_runs(with_key(ListRunsRequest::default(), &key)).await.map(drop)),
        ] {
            assert!(answered.is_ok(), "{name} as {role:?}: {answered:?}");
        }
        // The run of the examples belongs to another book, which members of this one do not see.
        for (name, answered) in [
            ("GetRun", runs.get_run(with_key(GetRunRequest { run: run.clone() }, &key)).await.map(drop)),
            ("WatchRun", runs.watch_run(with_key(watch, &key)).await.map(drop)),
        ] {
            let code = answered.map_err(|status| status.code());
            assert_eq!(code, Err(Code::NotFound), "{name} as {role:?}");
        }

        let ask = AskRequest { project: project.clone(), question: words(), ..AskRequest::default() };
        let resume = ResumeRunRequest { run: run.clone(), ..ResumeRunRequest::default() };
        let task = TaskWork { project, description: words(), ..TaskWork::default() };
        let begin = |work: start::Work| StartRunRequest { start: Some(Start { work: Some(work), ..Start::default() }) };
        let task = begin(start::Work::Task(task));
        let create = begin(start::Work::Create(CreateWork { requirement: words(), ..CreateWork::default() }));
        for (name, refused) in [
            ("Ask", is_refused(&knowledge.ask(with_key(ask, &key)).await)),
            ("StartRun", is_refused(&runs.start_run(with_key(task, &key)).await)),
            ("ResumeRun", is_refused(&runs.resume_run(with_key(resume, &key)).await)),
            ("CancelRun", is_refused(&runs.cancel_run(with_key(CancelRunRequest { run }, &key)).await)),
        ] {
            assert_eq!(refused, role < Right::Write, "{name} as {role:?}");
        }
        // A new book is for no member to begin.
        assert!(is_refused(&runs.start_run(with_key(create, &key)).await), "{role:?}");
        house.go().await;
    }
}

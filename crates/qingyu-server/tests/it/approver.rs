//! A waiting run with a named approver, answered at each door by another person.

use qingyu_grpc::proto::run_service_client::RunServiceClient;
use qingyu_grpc::proto::{Answer, Approve, GetRunRequest, ListRunsRequest, ResumeRunRequest, answer};
use qingyu_studio::operations::ChangeApprover;
use reqwest::StatusCode;
use serde_json::{Value, json};
use tonic::Code;

use crate::examples::answer as answered;
use crate::grpc::{channel, with_key};
use crate::house::{House, home, problem};
use crate::web::{ask_mcp, web};

/// A production of the owner that waits for 林梅: its run, its project, and the keys of 林梅 and of a member who writes.
async fn waiting(house: &House) -> (String, String, String, String) {
    let start = json!({"start": {"kind": "produce", "premise": "为独立开发者写一门关于定价的短课程"}});
    let begun = answered("a course", house.post("/api/v1/runs", &start)).await;
    let (run, project) = (begun["run"].as_str().unwrap().to_owned(), begun["project"].as_str().unwrap().to_owned());
    house.follow(&run, 0).await;
    let member = async |name: &str, role: &str| {
        let asked = json!({"request": {"name": name, "role": role}});
        let added = answered(name, house.post(&format!("/api/v1/projects/{project}/members"), &asked)).await;
        added["secret"].as_str().unwrap().to_owned()
    };
    let (mei, ben) = (member("林梅", "approve").await, member("Ben", "write").await);
    let named = web().put(house.url(&format!("/api/v1/runs/{run}/approver"))).json(&json!({"approver": "林梅"}));
    assert_eq!(answered("the approver", named).await["approver"], "林梅");
    (run, project, mei, ben)
}

fn approves(run: &str) -> ResumeRunRequest {
    let answer = Some(Answer { answer: Some(answer::Answer::Approve(Approve {})) });
    ResumeRunRequest { run: run.to_owned(), answer, ..ResumeRunRequest::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_door_refuses_the_answer_of_another_person() {
    let home = home();
    let house = House::with(&home, &[("web.search", "none")]).await;
    let (run, project, mei, ben) = waiting(&house).await;
    let stand = async || answered("the run", house.get(&format!("/api/v1/runs/{run}"))).await;
    let before = stand().await;
    assert_eq!((&before["status"], &before["approver"]), (&json!("waiting"), &json!("林梅")));

    let approve = json!({"answer": "approve"});
    for (path, body) in [
        ("/api/v1/runs".to_owned(), json!({"start": {"kind": "resume", "run": run, "answer": approve}})),
        (
            "/agui".to_owned(),
            json!({"threadId": project, "runId": "u", "state": {}, "tools": [], "context": [], "messages": [],
                "forwardedProps": {}, "resume": [{"interruptId": run, "status": "resolved", "payload": approve}]}),
        ),
    ] {
        let given = house.post(&path, &body).bearer_auth(&ben).send().await.unwrap();
        assert_eq!(problem(given).await, (403, "not_approver".to_owned()), "{path}");
    }

    let parts = json!([{"text": "继续"}]);
    let said = json!({"message": {"messageId": "m-1", "role": "ROLE_USER", "taskId": run, "parts": parts}});
    let given = house.post("/a2a/v1/message:send", &said).bearer_auth(&ben).header("a2a-version", "1.0");
    let given = given.send().await.unwrap();
    assert_eq!(given.status(), StatusCode::FORBIDDEN);
    let told = given.text().await.unwrap();
    assert!(told.contains("not_approver"), "{told}");

    let call = json!({"name": "answer_run", "arguments": {"run_id": run, "answer": "approve"}});
    let given = ask_mcp(&house.url("/mcp"), Some(&ben), "tools/call", call, json!({})).await;
    assert_eq!(given["result"]["structuredContent"]["error"]["code"], "not_approver", "{given}");

    let mut runs = RunServiceClient::new(channel(&house).await);
    let refused = runs.resume_run(with_key(approves(&run), &ben)).await.unwrap_err();
    assert_eq!(refused.code(), Code::PermissionDenied, "{refused}");
    assert!(refused.message().contains("林梅"), "{refused}");

    assert_eq!(stand().await, before, "nothing has changed");
    let resumed = runs.resume_run(with_key(approves(&run), &mei)).await.unwrap().into_inner();
    assert_eq!(resumed.run, run);
    house.go().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn grpc_names_the_approver_of_a_run() {
    let home = home();
    let house = House::with(&home, &[("web.search", "none")]).await;
    let (run, _, mei, ben) = waiting(&house).await;
    let mut runs = RunServiceClient::new(channel(&house).await);
    let got = runs.get_run(with_key(GetRunRequest { run: run.clone() }, &ben)).await.unwrap().into_inner();
    assert_eq!(got.approver.as_deref(), Some("林梅"));
    let listed = runs.list_runs(with_key(ListRunsRequest::default(), &mei)).await.unwrap().into_inner().runs;
    assert_eq!(listed[0].approver.as_deref(), Some("林梅"));
    house.go().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_approver_is_in_the_audit_whatever_the_door() {
    let home = home();
    let house = House::with(&home, &[("web.search", "none")]).await;
    let (run, _, mei, ben) = waiting(&house).await;
    let changes = async || -> Vec<(Option<String>, String)> {
        let rows = house.studio.access().audit(None, 100).await.unwrap();
        let changes = rows.into_iter().filter(|row| row.action == "run.approver");
        changes.map(|row| (row.key, row.object)).collect()
    };
    assert_eq!(changes().await, [(None, run.clone())], "over HTTP");
    let calls = |approver: Value| json!({"run": run, "approver": approver});
    crate::grpc::call(&house, "change_approver", calls(Value::Null), &mei).await.unwrap();
    let by = house.studio.access().authenticate(&mei).await.unwrap().key().map(str::to_owned);
    assert_eq!(changes().await, [(by, run.clone()), (None, run.clone())], "over gRPC");
    let refused = crate::grpc::call(&house, "change_approver", calls("Ben".into()), &ben).await.unwrap_err();
    assert_eq!(refused.code(), Code::PermissionDenied, "{refused}");
    let change = ChangeApprover { run: run.clone(), approver: Some("林梅".into()) };
    house.studio.call(change).await.unwrap();
    assert_eq!(changes().await.len(), 3, "and in the studio itself");
    house.go().await;
}

//! Runs over the protocol: begun, followed, answered, stopped, and as tasks.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use qingyu_server::mcp::McpService;
use qingyu_server::mcp::http::Settings;
use qingyu_studio::{CreateRequest, RunStatus, Studio};
use qingyu_tools::{Permission, ToolCaller};
use rmcp::model::{
    CallToolRequestParams, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction, ErrorData,
    Implementation, ProgressNotificationParam,
};
use rmcp::service::{NotificationContext, PeerRequestOptions, RequestContext};
use rmcp::{ClientHandler, RoleClient};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::rig::{BOTH, Generation, can_ask, connect};
use crate::web::{Site, call};

const PREMISE: &str = "为独立开发者写一门关于定价的短课程";

/// A client in front of which somebody confirms whatever is asked, so many times.
#[derive(Debug, Clone, Default)]
struct Editor {
    patience: usize,
    asked: Arc<Mutex<Vec<String>>>,
    news: Arc<AtomicUsize>,
}

impl ClientHandler for Editor {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(can_ask(), Implementation::new("desk", "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let mut asked = self.asked.lock().unwrap();
        if let ElicitRequestParams::FormElicitationParams { message, .. } = request {
            asked.push(message);
        }
        if asked.len() > self.patience {
            return Ok(ElicitResult::new(ElicitationAction::Decline));
        }
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(json!({"advance": true})))
    }

    async fn on_progress(&self, _: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.news.fetch_add(1, Ordering::Relaxed);
    }
}

fn produce(wait: u32) -> Value {
    json!({"kind": "produce", "requirement": PREMISE, "wait_seconds": wait})
}

/// How the run stands, once it does not work any more.
async fn settled(studio: &Studio, run: &str) -> RunStatus {
    let begun = Instant::now();
    loop {
        let status = studio.outcome(run).await.unwrap().status;
        if status != RunStatus::Running {
            return status;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "it works on");
        sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn what_a_run_asks_is_asked_of_the_person_in_front_of_the_client() {
    let site = Site::open(Settings::default()).await;
    for generation in BOTH {
        let editor = Editor { patience: 2, ..Editor::default() };
        let client = site.connect(editor.clone(), "/mcp", generation).await;
        let made = call(&client, "start_run", produce(60)).await;
        let run = &made["structuredContent"];
        assert_eq!((&run["status"], &run["question"]["asks"]), (&json!("waiting"), &json!("turn")), "{made}");
        let asked = editor.asked.lock().unwrap().clone();
        assert_eq!(asked.len(), 3, "two were answered, one was not: {asked:?}");
        assert!(asked.iter().all(|question| !question.is_empty()) && asked[0] != asked[2], "{asked:?}");
        let events = call(&client, "list_events", json!({"run_id": run["run"]})).await;
        let events = events["structuredContent"]["events"].as_array().unwrap().clone();
        let asks = events.iter().filter(|event| event["kind"] == "waiting").count();
        assert_eq!(asks, 3, "one run was asked and answered all the while");
    }
    assert_eq!(site.studio.runs().await.unwrap().len(), 2, "a call that comes back with an answer begins no run");
}

#[tokio::test]
async fn a_call_that_waits_tells_what_happens() {
    let site = Site::open(Settings::default()).await;
    for generation in BOTH {
        let editor = Editor::default();
        let client = site.connect(editor.clone(), "/mcp", generation).await;
        let made = call(&client, "start_run", produce(60)).await;
        assert_eq!(made["structuredContent"]["status"], "waiting", "{made}");
        assert!(editor.news.load(Ordering::Relaxed) > 3, "{generation:?}: {}", editor.news.load(Ordering::Relaxed));
    }
}

#[tokio::test]
async fn without_somebody_to_ask_the_question_is_the_answer() {
    let site = Site::open(Settings::default()).await;
    let client = site.connect((), "/mcp", Generation::Stateless).await;
    let begun = call(&client, "start_run", produce(0)).await["structuredContent"].clone();
    assert_eq!(begun["status"], "running", "it is answered at once");
    let run = begun["run"].as_str().unwrap();
    let waits = call(&client, "get_run", json!({"run_id": run, "wait_seconds": 60})).await["structuredContent"].clone();
    assert_eq!((&waits["status"], &waits["question"]["asks"]), (&json!("waiting"), &json!("turn")), "{waits}");

    let order = json!({"run_id": run, "answer": "order", "order": {"do": "advance"}, "wait_seconds": 60});
    let went_on = call(&client, "answer_run", order).await["structuredContent"].clone();
    assert_eq!((&went_on["status"], &went_on["run"]), (&json!("waiting"), &json!(run)), "{went_on}");
    assert_ne!(went_on["question"], waits["question"]);

    let wrong = call(&client, "answer_run", json!({"run_id": run, "answer": "order", "order": {"do": "dance"}})).await;
    assert_eq!(wrong["structuredContent"]["error"]["code"], "invalid_arguments", "{wrong}");
    let nobody = call(&client, "get_run", json!({"run_id": "r-nobody"})).await;
    assert_eq!(nobody["structuredContent"]["error"]["code"], "unknown_run", "{nobody}");
    let listed = call(&client, "list_runs", json!({"limit": 1})).await["structuredContent"].clone();
    assert_eq!((&listed["total"], &listed["runs"][0]["run"]), (&json!(1), &json!(run)));
    let whole = call(&client, "get_run", json!({"run_id": run, "whole": true})).await["structuredContent"].clone();
    assert!(whole["messages"].is_array() || whole["golden_context"].is_object(), "{whole}");
}

#[tokio::test]
async fn all_kinds_of_runs_can_be_begun() {
    let site = Site::open(Settings::default()).await;
    let client = site.connect((), "/mcp", Generation::Stateless).await;
    let create =
        json!({"kind": "create", "requirement": "一个灯塔看守人收到自己三十年前寄出的信", "wait_seconds": 120});
    let made = call(&client, "start_run", create).await["structuredContent"].clone();
    assert!(["done", "waiting"].contains(&made["status"].as_str().unwrap()), "{made}");
    let project = made["project"].as_str().unwrap();
    let task = json!({"kind": "task", "project_id": project, "requirement": "检查人物是否一致", "wait_seconds": 120});
    let done = call(&client, "start_run", task).await["structuredContent"].clone();
    assert_eq!((&done["status"], &done["project"]), (&json!("done"), &json!(project)), "{done}");
    let order = json!({"kind": "task", "project_id": project, "requirement": "看看人物", "wait_seconds": 120,
        "agent_sequence": ["checker", "assistant"]});
    let done = call(&client, "start_run", order.clone()).await["structuredContent"].clone();
    assert_eq!(done["status"], "done", "{done}");
    let unknown =
        json!({"kind": "task", "project_id": project, "requirement": "看看人物", "agent_sequence": ["critic"]});
    let refused = call(&client, "start_run", unknown).await;
    assert_eq!(refused["structuredContent"]["error"]["code"], "unknown_agent", "{refused}");
    let write = json!({"kind": "write", "project_id": project, "chapters": [1], "wait_seconds": 120});
    let written = call(&client, "start_run", write).await;
    assert_eq!(written["structuredContent"]["project"], *project, "{written}");
    for (arguments, place) in [
        (json!({"kind": "write"}), "/project_id"),
        (json!({"kind": "write", "writing": "rewrite", "project_id": project}), "/chapters"),
    ] {
        let refused = call(&client, "start_run", arguments).await;
        assert_eq!(refused["structuredContent"]["error"]["path"], place, "{refused}");
    }
}

#[tokio::test]
async fn a_run_is_a_task_for_clients_that_know_tasks() {
    let site = Site::open(Settings::default()).await;
    let can = json!({"elicitation": {"form": {}}, "extensions": {"io.modelcontextprotocol/tasks": {}}});
    let start = json!({"name": "start_run", "arguments": produce(0)});
    let begun = site.ask("tools/call", start, can.clone()).await["result"].clone();
    assert_eq!((&begun["resultType"], &begun["status"]), (&json!("task"), &json!("working")), "{begun}");
    let id = begun["taskId"].as_str().unwrap().to_owned();
    assert_eq!(settled(&site.studio, &id).await, RunStatus::Waiting);

    let get = async || site.ask("tasks/get", json!({"taskId": id}), can.clone()).await["result"].clone();
    let asks = get().await;
    assert_eq!(asks["status"], "input_required", "{asks}");
    let (key, request) = asks["inputRequests"].as_object().unwrap().iter().next().unwrap();
    assert_eq!(request["method"], "elicitation/create");
    let answers = json!({"taskId": id, "inputResponses": {
        key: {"action": "accept", "content": {"advance": true}}, "another": {"action": "accept"}}});
    let taken = site.ask("tasks/update", answers.clone(), can.clone()).await;
    assert_eq!(taken["result"]["resultType"], "complete", "{taken}");
    assert_eq!(settled(&site.studio, &id).await, RunStatus::Waiting);
    let again = get().await;
    assert!(again["inputRequests"].get(key).is_none(), "the next question has another name: {again}");
    let late = site.ask("tasks/update", answers, can.clone()).await;
    assert_eq!(late["result"]["resultType"], "complete", "an answer to a question of the past is passed over");
    assert_eq!(get().await["inputRequests"], again["inputRequests"]);

    // Whoever cannot ask is told what the run has come to.
    let only_tasks = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    let told = site.ask("tasks/get", json!({"taskId": id}), only_tasks).await["result"].clone();
    assert_eq!(
        (&told["status"], &told["result"]["structuredContent"]["status"]),
        (&json!("completed"), &json!("waiting"))
    );
    let unknown = site.ask("tasks/get", json!({"taskId": "r-nobody"}), can.clone()).await;
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    let cut = site.ask("tasks/get", json!({"taskId": &id[..id.len() - 1]}), can).await;
    assert_eq!(cut["error"]["code"], -32602, "a task is named in full: {cut}");
}

/// A client of the older protocol that names the extension all the same.
struct Eager;

impl ClientHandler for Eager {
    fn get_info(&self) -> ClientConfig {
        let can = serde_json::from_value(json!({"extensions": {"io.modelcontextprotocol/tasks": {}}})).unwrap();
        ClientConfig::new(can, Implementation::new("eager", "1"))
    }
}

#[tokio::test]
async fn clients_of_the_older_protocol_are_given_results() {
    let site = Site::open(Settings::default()).await;
    let client = site.connect(Eager, "/mcp", Generation::Handshake).await;
    let made = call(&client, "start_run", produce(60)).await;
    assert_eq!(made["structuredContent"]["status"], "waiting", "{made}");
}

#[tokio::test]
async fn a_task_that_is_cancelled_is_a_run_that_is_stopped() {
    let site = Site::stuck().await;
    let can = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    let start = json!({"name": "start_run", "arguments": {"kind": "create", "requirement": "雨夜的来客"}});
    let begun = site.ask("tools/call", start, can.clone()).await;
    let id = begun["result"]["taskId"].as_str().unwrap().to_owned();
    assert_eq!(site.ask("tasks/get", json!({"taskId": id}), can.clone()).await["result"]["status"], "working");
    let cancelled = site.ask("tasks/cancel", json!({"taskId": id}), can.clone()).await;
    assert_eq!(cancelled["result"]["resultType"], "complete", "{cancelled}");
    assert_eq!(settled(&site.studio, &id).await, RunStatus::Interrupted);
    assert_eq!(site.ask("tasks/get", json!({"taskId": id}), can).await["result"]["status"], "cancelled");
}

#[tokio::test]
async fn a_run_outlives_the_call_that_waits_for_it_unless_it_shall_not() {
    let site = Site::stuck().await;
    for generation in BOTH {
        for (must_end, expected) in [(false, RunStatus::Running), (true, RunStatus::Interrupted)] {
            let client = site.connect((), "/mcp", generation).await;
            let arguments = json!({"kind": "create", "requirement": "雨夜的来客", "wait_seconds": 600,
                "cancel_with_call": must_end});
            let request =
                CallToolRequestParams::new("start_run").with_arguments(arguments.as_object().cloned().unwrap());
            let known = site.studio.runs().await.unwrap().len();
            let request = rmcp::model::ClientRequest::CallToolRequest(rmcp::model::CallToolRequest::new(request));
            let pending = client.send_cancellable_request(request, PeerRequestOptions::no_options()).await.unwrap();
            let run = loop {
                let runs = site.studio.runs().await.unwrap();
                if runs.len() > known {
                    break runs[0].run.clone();
                }
                sleep(Duration::from_millis(20)).await;
            };
            // The call has to be waiting, not beginning still.
            sleep(Duration::from_millis(300)).await;
            pending.cancel(None).await.unwrap();
            let begun = Instant::now();
            while site.studio.outcome(&run).await.unwrap().status != expected {
                assert!(begun.elapsed() < Duration::from_secs(5), "{generation:?} {must_end}");
                sleep(Duration::from_millis(20)).await;
            }
            sleep(Duration::from_millis(300)).await;
            assert_eq!(site.studio.outcome(&run).await.unwrap().status, expected, "{generation:?} {must_end}");
            site.studio.cancel(&run).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_caller_who_may_only_look_begins_and_stops_nothing() {
    let site = Site::open(Settings::default()).await;
    let run = site.studio.create(CreateRequest::new("雨夜的来客")).await.unwrap();
    let id = run.run().to_owned();
    run.finish().await;
    let engine = site.studio.engine(None);
    let reader = McpService::of_studio(&site.studio, engine, ToolCaller::new("mcp", Permission::Read));
    let client = connect((), reader, Generation::Stateless).await;
    let names: Vec<String> = client.list_all_tools().await.unwrap().iter().map(|tool| tool.name.to_string()).collect();
    assert!(names.contains(&"get_run".to_owned()) && !names.contains(&"start_run".to_owned()), "{names:?}");
    let seen = call(&client, "get_run", json!({"run_id": id})).await;
    assert_eq!(seen["structuredContent"]["run"], *id);
    for tool in ["start_run", "answer_run", "cancel_run"] {
        let refused = call(&client, tool, json!({"kind": "create", "requirement": "雨", "run_id": id})).await;
        assert_ne!(refused["structuredContent"]["error"], Value::Null, "{tool}: {refused}");
    }
    assert_eq!(site.studio.runs().await.unwrap().len(), 1);
}

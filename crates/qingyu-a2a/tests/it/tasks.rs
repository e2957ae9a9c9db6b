//! Runs as tasks: begun, followed, asked and answered, listed, given up.

use std::sync::Arc;

use futures::StreamExt;
use serde_json::{Value, json};

use crate::rig::{REQUIREMENT, Rig, RigResponse, SilentModel, message};

fn text(words: &str) -> Value {
    json!([{"text": words}])
}

fn state(task: &Value) -> &str {
    task["status"]["state"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn a_message_becomes_a_story() {
    let rig = Rig::new().await;
    let sent = rig.call("SendMessage", message(text(REQUIREMENT), json!({"contextId": "mine"}))).await.unwrap();
    let task = &sent["task"];
    assert_eq!((state(task), &task["contextId"]), ("TASK_STATE_COMPLETED", &json!("mine")), "{task}");
    let outcome = &task["artifacts"][0]["parts"][0]["data"];
    assert_eq!((&outcome["status"], &outcome["run"]), (&json!("done"), &task["id"]));
    assert!(outcome["characters"].as_array().is_some_and(|cast| !cast.is_empty()), "{outcome}");
    assert_eq!(task["history"][0]["parts"][0]["text"], REQUIREMENT);
    assert!(task["status"]["timestamp"].as_str().is_some_and(|at| at.ends_with('Z') && at.len() == 24), "{task}");

    // The same over the other binding, with the project as tenant; of another project there is no such task.
    let (id, project) = (task["id"].as_str().unwrap(), task["metadata"]["project"].as_str().unwrap());
    let got = rig.rest("GET", &format!("/{project}/tasks/{id}?historyLength=0"), None).await.json();
    assert_eq!((state(&got), got.get("history")), ("TASK_STATE_COMPLETED", None));
    assert_eq!(rig.rest("GET", &format!("/other/tasks/{id}"), None).await.status.as_u16(), 404);
    assert_eq!(rig.rest("GET", &format!("/tasks/{}", &id[..8]), None).await.status.as_u16(), 404, "no id is cut short");

    // The client's context is the project from now on: what is said in it is a task there, or a question about it.
    let asked = message(json!([{"text": "主角是谁？"}, {"data": {"skill": "ask"}}]), json!({"contextId": "mine"}));
    let answered = rig.call("SendMessage", asked).await.unwrap();
    assert!(!answered["message"]["parts"][0]["text"].as_str().unwrap().is_empty());
    assert_eq!(answered["message"]["parts"][1]["data"]["answered"]["question"], "主角是谁？");
    let more = rig.call("SendMessage", message(text("检查人物"), json!({"contextId": "mine"}))).await.unwrap();
    assert_eq!(more["task"]["metadata"]["project"], project);

    let over = rig.call("SendMessage", message(text("还有"), json!({"taskId": id}))).await.unwrap_err();
    assert_eq!(over["code"], -32004);
    assert_eq!(rig.call("CancelTask", json!({"id": id})).await.unwrap_err()["code"], -32002);
    assert_eq!(rig.call("SubscribeToTask", json!({"id": id})).await.unwrap_err()["code"], -32004);
}

#[tokio::test]
async fn a_stream_begins_with_the_task_and_ends_with_its_end() {
    let rig = Rig::new().await;
    let streamed = rig.rest("POST", "/message:stream", Some(message(text(REQUIREMENT), json!({})))).await;
    assert_eq!(streamed.headers["content-type"], "text/event-stream");
    let events = streamed.events();
    assert_eq!(state(&events[0]["task"]), "TASK_STATE_SUBMITTED");
    let states: Vec<_> = events.iter().filter_map(|event| event["statusUpdate"]["status"]["state"].as_str()).collect();
    assert_eq!(states.last(), Some(&"TASK_STATE_COMPLETED"));
    assert!(states[..states.len() - 1].iter().all(|state| *state == "TASK_STATE_WORKING"));
    let place = |event: &Value| event["statusUpdate"]["metadata"]["event"]["seq"].as_u64();
    let places: Vec<u64> = events.iter().filter_map(place).collect();
    assert_eq!(places, (1..=places.len() as u64).collect::<Vec<_>>());
    let artifacts: Vec<_> =
        events.iter().filter_map(|event| event["artifactUpdate"]["artifact"]["artifactId"].as_str()).collect();
    assert!(artifacts.contains(&"outcome"), "{artifacts:?}");
    assert!(!streamed.body.contains("data_folder"));
}

#[tokio::test]
async fn a_question_is_answered_with_the_same_task() {
    let rig = Rig::new().await;
    let task = rig.waiting().await;
    assert_eq!(state(&task), "TASK_STATE_INPUT_REQUIRED", "{task}");
    let asked = &task["status"]["message"];
    assert!(!asked["parts"][0]["text"].as_str().unwrap().is_empty());
    assert_eq!(asked["parts"][1]["data"]["question"]["asks"], "turn");

    // Who subscribes gets the question; who speaks of another context is refused.
    let followed = rig.rest("GET", &format!("/tasks/{}:subscribe", task["id"].as_str().unwrap()), None).await.events();
    assert_eq!(state(&followed[0]["task"]), "TASK_STATE_INPUT_REQUIRED");
    let elsewhere = message(text("好"), json!({"taskId": task["id"], "contextId": "elsewhere"}));
    assert_eq!(rig.call("SendMessage", elsewhere).await.unwrap_err()["code"], -32602);

    let answer = message(text("有哪些字段？"), json!({"taskId": task["id"]}));
    let events = rig.rest("POST", "/message:stream", Some(answer)).await.events();
    assert_eq!(events[0]["task"]["id"], task["id"]);
    assert_eq!(events.last().unwrap()["statusUpdate"]["status"]["state"], "TASK_STATE_INPUT_REQUIRED");
    let got = rig.call("GetTask", json!({"id": task["id"]})).await.unwrap();
    let said: Vec<_> = got["history"].as_array().unwrap().iter().map(|one| one["role"].as_str().unwrap()).collect();
    assert_eq!(said, ["ROLE_USER", "ROLE_AGENT", "ROLE_USER", "ROLE_AGENT"]);

    // Given up, it takes no answer any more.
    let given_up = rig.call("CancelTask", json!({"id": task["id"]})).await.unwrap();
    assert_eq!(state(&given_up), "TASK_STATE_CANCELED");
    let late = rig.call("SendMessage", message(text("好"), json!({"taskId": task["id"]}))).await.unwrap_err();
    assert_eq!(late["code"], -32004);
}

#[tokio::test]
async fn tasks_are_listed_page_by_page() {
    let rig = Rig::new().await;
    for context in ["a", "b", "b"] {
        rig.call("SendMessage", message(text(REQUIREMENT), json!({"contextId": context}))).await.unwrap();
    }
    let list = async |query: &str| rig.rest("GET", &format!("/tasks?{query}"), None).await.json();
    let first = list("pageSize=2").await;
    assert_eq!((&first["totalSize"], &first["pageSize"]), (&json!(3), &json!(2)));
    let second = list(&format!("pageSize=2&pageToken={}", first["nextPageToken"].as_str().unwrap())).await;
    assert_eq!(second["nextPageToken"], "");
    let ids =
        |page: &Value| page["tasks"].as_array().unwrap().iter().map(|task| task["id"].to_string()).collect::<Vec<_>>();
    let all = [ids(&first), ids(&second)].concat();
    let whole = list("").await;
    assert_eq!(all, ids(&whole));
    assert!(whole["tasks"][0].get("artifacts").is_none());
    assert!(list("includeArtifacts=true").await["tasks"][0].get("artifacts").is_some());
    for size in [0, -1, 101] {
        let refused = rig.call("ListTasks", json!({"pageSize": size})).await.unwrap_err();
        assert_eq!(refused["code"], -32602, "{refused}");
        assert_eq!(rig.rest("GET", &format!("/tasks?pageSize={size}"), None).await.status.as_u16(), 400, "{size}");
    }
    assert_eq!(list("contextId=b").await["totalSize"], 2);
    assert_eq!(list("status=TASK_STATE_WORKING").await["totalSize"], 0);
    assert_eq!(list("status=TASK_STATE_COMPLETED&contextId=a").await["totalSize"], 1);
    let last = whole["tasks"][0]["status"]["timestamp"].as_str().unwrap();
    assert_eq!(list("statusTimestampAfter=2100-01-01T00:00:00Z").await["totalSize"], 0, "{last}");
}

#[tokio::test]
async fn a_text_is_reviewed_at_once() {
    let rig = Rig::new().await;
    let review =
        json!([{"text": "雨下了一夜。他没有回来。"}, {"data": {"skill": "review", "options": {"level": "strict"}}}]);
    let sent = rig.call("SendMessage", message(review, json!({}))).await.unwrap();
    let data = &sent["message"]["parts"][1]["data"];
    assert_eq!(sent["message"]["role"], "ROLE_AGENT");
    assert!(data["review"]["verdict"].is_string() && data["analysis"]["figures"].is_object(), "{data}");
    assert_eq!(rig.studio.runs().await.unwrap().len(), 0);
}

#[tokio::test]
async fn who_does_not_wait_asks_later() {
    let rig = Rig::new().await;
    let mut request = message(text(REQUIREMENT), json!({}));
    request["configuration"] = json!({"returnImmediately": true});
    let sent = rig.call("SendMessage", request).await.unwrap();
    let id = sent["task"]["id"].clone();
    assert!(["TASK_STATE_WORKING", "TASK_STATE_COMPLETED"].contains(&state(&sent["task"])));
    let mut followed = std::pin::pin!(rig.studio.watch(id.as_str().unwrap(), 0).await.unwrap());
    while followed.next().await.is_some() {}
    let got = rig.call("GetTask", json!({"id": id})).await.unwrap();
    assert_eq!(state(&got), "TASK_STATE_COMPLETED");
}

#[tokio::test]
async fn all_who_follow_see_a_task_given_up() {
    let model = Arc::new(SilentModel::default());
    let rig = Rig::with_model(model.clone()).await;
    let mut request = message(text(REQUIREMENT), json!({}));
    request["configuration"] = json!({"returnImmediately": true});
    let sent = rig.call("SendMessage", request).await.unwrap();
    let (id, is_working) = (&sent["task"]["id"], state(&sent["task"]) == "TASK_STATE_WORKING");
    assert!(is_working && sent["task"].get("artifacts").is_none(), "{sent}");
    model.asked.notified().await;
    let more = rig.call("SendMessage", message(text("快"), json!({"taskId": id}))).await.unwrap_err();
    assert_eq!(more["code"], -32004);

    let task = id.as_str().unwrap();
    let (one, other) = (rig.subscribe("GET", task).await, rig.subscribe("POST", task).await);
    // Who goes does not disturb the others.
    drop(rig.subscribe("GET", task).await);
    let given_up = rig.call("CancelTask", json!({"id": id})).await.unwrap();
    let (one, other) = (RigResponse::of(one).await, RigResponse::of(other).await);
    assert_eq!(state(&given_up), "TASK_STATE_CANCELED");
    let told = |answered: &RigResponse| answered.events().split_off(1);
    assert_eq!(state(&one.events()[0]["task"]), "TASK_STATE_WORKING");
    assert_eq!(told(&one), told(&other));
    assert_eq!(told(&one).last().unwrap()["statusUpdate"]["status"]["state"], "TASK_STATE_CANCELED");
    assert_eq!(state(&rig.call("GetTask", json!({"id": id})).await.unwrap()), "TASK_STATE_CANCELED");
}

#[tokio::test]
async fn the_extended_card_names_the_projects() {
    let rig = Rig::new().await;
    let sent = rig.call("SendMessage", message(text(REQUIREMENT), json!({}))).await.unwrap();
    let card = rig.rest("GET", "/extendedAgentCard", None).await.json();
    let tenants: Vec<_> =
        card["supportedInterfaces"].as_array().unwrap().iter().filter_map(|one| one["tenant"].as_str()).collect();
    assert_eq!(tenants, [sent["task"]["metadata"]["project"].as_str().unwrap()]);
}

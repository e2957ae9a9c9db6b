//! Who sees which task, and who may do what, over every operation.

use qingyu_studio::{KeyRequest, KeyUsageLimits, Right, UserRequest, UserRole};
use serde_json::{Value, json};

use crate::rig::{REQUIREMENT, Rig, message};

/// The rig as it is for a user with a new key of this right.
async fn asked_by(rig: &Rig, user: &str, right: Right) -> Rig {
    let access = rig.studio.access();
    if access.users().await.unwrap().iter().all(|row| row.user != user) {
        let request = UserRequest { user: user.into(), name: None, role: UserRole::Member };
        access.add_user(request).await.unwrap();
    }
    let (name, projects, limits) = ("test".into(), Vec::new(), KeyUsageLimits::default());
    let request = KeyRequest { user: Some(user.into()), name, right, projects, expires: None, limits };
    let key = access.make_key(request).await.unwrap();
    rig.asked_by(rig.studio.of(&access.authenticate(key.secret.reveal()).await.unwrap()))
}

/// Every operation on a task; those that change something first.
fn operations(id: &Value) -> Vec<(&'static str, Value, bool)> {
    let mut said = message(json!([{"text": "好"}]), json!({"taskId": id}));
    said["configuration"] = json!({"returnImmediately": true});
    vec![
        ("SendMessage", said, true),
        ("CancelTask", json!({"id": id}), true),
        ("CreateTaskPushNotificationConfig", json!({"taskId": id, "url": "https://example.org/hook"}), true),
        ("DeleteTaskPushNotificationConfig", json!({"taskId": id, "id": "w"}), true),
        ("GetTask", json!({"id": id}), false),
        ("SubscribeToTask", json!({"id": id}), false),
        ("GetTaskPushNotificationConfig", json!({"taskId": id, "id": "w"}), false),
        ("ListTaskPushNotificationConfigs", json!({"taskId": id}), false),
    ]
}

#[tokio::test]
async fn nobody_sees_the_tasks_of_others() {
    let rig = Rig::new().await;
    let (anna, bert) = (asked_by(&rig, "anna", Right::Write).await, asked_by(&rig, "bert", Right::Write).await);
    let task = anna.waiting().await;
    let (id, project) = (&task["id"], task["metadata"]["project"].as_str().unwrap());
    for (operation, params, _) in operations(id) {
        let refused = bert.call(operation, params).await.unwrap_err();
        assert_eq!(refused["code"], -32001, "{operation}: {refused}");
    }
    assert_eq!(bert.call("ListTasks", json!({})).await.unwrap()["totalSize"], 0);
    assert_eq!(anna.call("ListTasks", json!({})).await.unwrap()["totalSize"], 1);
    let data = json!([{"text": "x"}, {"data": {"skill": "task", "project": project}}]);
    assert_eq!(bert.call("SendMessage", message(data, json!({}))).await.unwrap_err()["code"], -32602);
    let card = bert.rest("GET", "/extendedAgentCard", None).await.body;
    assert!(!card.contains(project), "{card}");
}

#[tokio::test]
async fn who_may_only_look_changes_nothing() {
    let rig = Rig::new().await;
    let (anna, reader) = (asked_by(&rig, "anna", Right::Write).await, asked_by(&rig, "anna", Right::Read).await);
    let task = anna.waiting().await;
    for (operation, params, changes) in operations(&task["id"]) {
        let answered = if operation == "SubscribeToTask" {
            let stream = reader.rest("GET", &format!("/tasks/{}:subscribe", task["id"].as_str().unwrap()), None).await;
            Ok(stream.events()[0].clone())
        } else {
            reader.call(operation, params).await
        };
        match (changes, answered) {
            (true, answered) => assert_eq!(answered.unwrap_err()["code"], -32041, "{operation}"),
            // There is no such webhook.
            (false, answered) if operation == "GetTaskPushNotificationConfig" => assert!(answered.is_err()),
            (false, answered) => drop(answered.unwrap()),
        }
    }
    let begun = reader.call("SendMessage", message(json!([{"text": REQUIREMENT}]), json!({}))).await;
    assert_eq!(begun.unwrap_err()["code"], -32041);
    let refused = reader.rest("POST", "/message:send", Some(message(json!([{"text": "x"}]), json!({})))).await;
    assert_eq!((refused.status.as_u16(), &refused.json()["error"]["status"]), (403, &json!("PERMISSION_DENIED")));
}

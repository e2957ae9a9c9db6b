//! Whoever wants to be notified, and may be.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::routing::post;
use http::{HeaderMap, StatusCode};
use qingyu_studio::story::digest::sha256;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Notify;

use crate::rig::{REQUIREMENT, Rig, message};

/// A webhook that is away the first time.
#[derive(Default)]
struct Hook {
    taken: Mutex<Vec<(HeaderMap, Value)>>,
    tries: Mutex<usize>,
    ended: Notify,
}

/// Has the webhook listen; gives its host and port.
async fn listen(hook: &Arc<Hook>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let app = Router::new().route("/hook", post(take)).with_state(Arc::clone(hook));
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    address
}

async fn take(State(hook): State<Arc<Hook>>, headers: HeaderMap, body: String) -> StatusCode {
    let mut tries = hook.tries.lock().unwrap();
    *tries += 1;
    if *tries == 1 {
        return StatusCode::SERVICE_UNAVAILABLE;
    }
    let body: Value = serde_json::from_str(&body).unwrap();
    let is_last = body["statusUpdate"]["status"]["state"] == "TASK_STATE_COMPLETED";
    hook.taken.lock().unwrap().push((headers, body));
    if is_last {
        hook.ended.notify_one();
    }
    StatusCode::NO_CONTENT
}

#[tokio::test]
async fn a_webhook_gets_every_update_in_order_and_again_if_it_was_away() {
    let hook = Arc::new(Hook::default());
    let address = listen(&hook).await;

    let rig = Rig::with_webhooks(vec![address.clone()]).await;
    let webhook = json!({"url": format!("http://{address}/hook"), "token": "t-1",
        "authentication": {"scheme": "Bearer", "credentials": "c-1"}});
    let mut request = message(json!([{"text": REQUIREMENT}]), json!({}));
    request["configuration"] = json!({"taskPushNotificationConfig": webhook});
    let sent = rig.call("SendMessage", request).await.unwrap();
    hook.ended.notified().await;

    let taken = hook.taken.lock().unwrap().clone();
    let (headers, _) = &taken[0];
    assert_eq!(headers["authorization"], "Bearer c-1");
    assert_eq!(headers["x-a2a-notification-token"], "t-1");
    let place = |(_, body): &(HeaderMap, Value)| body["statusUpdate"]["metadata"]["event"]["seq"].as_u64();
    let places: Vec<u64> = taken.iter().filter_map(place).collect();
    assert_eq!(places, (1..=places.len() as u64).collect::<Vec<_>>());
    assert!(taken.iter().any(|(_, body)| body["artifactUpdate"]["artifact"]["artifactId"] == "outcome"));

    let id = sent["task"]["id"].as_str().unwrap();
    let path = format!("/tasks/{id}/pushNotificationConfigs");
    let listed = rig.rest("GET", &path, None).await.json();
    let kept = listed["configs"][0]["id"].as_str().unwrap();
    assert_eq!(rig.rest("GET", &format!("{path}/{kept}"), None).await.json()["taskId"], id);
    assert_eq!(rig.rest("DELETE", &format!("{path}/{kept}"), None).await.status.as_u16(), 200);
    assert_eq!(rig.rest("GET", &format!("{path}/{kept}"), None).await.status.as_u16(), 404);
}

#[tokio::test]
async fn what_a_server_could_not_tell_is_told_when_the_task_is_asked_for() {
    let hook = Arc::new(Hook::default());
    *hook.tries.lock().unwrap() = 1;
    let address = listen(&hook).await;

    // A server that was killed left a run that has ended, of which nobody was told.
    let rig = Rig::with_webhooks(vec![address.clone()]).await;
    let sent = rig.call("SendMessage", message(json!([{"text": REQUIREMENT}]), json!({}))).await.unwrap();
    let id = sent["task"]["id"].as_str().unwrap();
    let webhook = json!({"id": "w", "url": format!("http://{address}/hook"), "taskId": id});
    let notes = rig.studio.home().join("a2a").join(sha256(b"local")).join("tasks");
    let file = notes.join(format!("{}.json", sha256(id.as_bytes())));
    let mut note: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    note["webhooks"]["w"] = webhook;
    std::fs::write(&file, note.to_string()).unwrap();

    rig.call("GetTask", json!({"id": id})).await.unwrap();
    hook.ended.notified().await;
    let first = hook.taken.lock().unwrap()[0].1.clone();
    assert_eq!(first["statusUpdate"]["metadata"]["event"]["seq"], 1);
}

#[tokio::test]
async fn no_webhook_reaches_into_the_network() {
    let rig = Rig::with_webhooks(vec!["127.0.0.1:9".into()]).await;
    let task = rig.waiting().await;
    let path = format!("/tasks/{}/pushNotificationConfigs", task["id"].as_str().unwrap());
    for (url, is_taken) in [
        ("http://127.0.0.1:9/allowed", true),
        ("http://127.0.0.1:10/", false),
        ("http://localhost/", false),
        ("http://169.254.169.254/latest/meta-data", false),
        ("http://[::ffff:10.0.0.1]/", false),
        ("http://192.168.0.1:8080/", false),
        ("file:///etc/passwd", false),
        ("http://user:password@example.org/", false),
    ] {
        let answered = rig.rest("POST", &path, Some(json!({"url": url}))).await;
        assert_eq!(answered.status.is_success(), is_taken, "{url}: {}", answered.body);
    }
    let split = json!({"url": "http://127.0.0.1:9/", "token": "a\r\nx: y"});
    assert_eq!(rig.rest("POST", &path, Some(split)).await.status.as_u16(), 400);
}

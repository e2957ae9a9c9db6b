//! Calls that take long.

use std::sync::Arc;
use std::time::Duration;

use qingyu_tools::testing::scripted::{ScriptedTool, ScriptedTurn};
use qingyu_tools::{Permission, Tool};
use serde_json::{Value, json};

use crate::rig::{RawClient, server};

fn slow(turns: impl IntoIterator<Item = ScriptedTurn>) -> Vec<Arc<dyn Tool>> {
    let patient = |metadata: &mut qingyu_tools::Metadata| metadata.timeout = Duration::from_secs(3_600);
    vec![Arc::new(ScriptedTool::new(turns).with(patient))]
}

fn request(id: u64, meta: &Value) -> String {
    let params = json!({"name": "scripted", "arguments": {}, "_meta": meta});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
}

#[tokio::test(start_paused = true)]
async fn a_long_call_tells_how_long_it_runs() {
    let turns = [ScriptedTurn::Wait(Duration::from_secs(5), json!({"done": true}))];
    let mut raw = RawClient::begun(server(Permission::Read, slow(turns))).await;
    raw.put(&request(1, &json!({"progressToken": "t-1"}))).await;
    let mut last = 0.0;
    for _ in 0..2 {
        let news = raw.next().await;
        assert_eq!(
            (&news["method"], &news["params"]["progressToken"]),
            (&json!("notifications/progress"), &json!("t-1"))
        );
        let progress = news["params"]["progress"].as_f64().unwrap();
        assert!(progress > last && news["params"]["message"].as_str().unwrap().contains("scripted"), "{news}");
        last = progress;
    }
    let answer = raw.next().await;
    assert_eq!((&answer["id"], &answer["result"]["structuredContent"]["done"]), (&json!(1), &json!(true)));
}

#[tokio::test(start_paused = true)]
async fn nobody_is_told_who_did_not_ask() {
    let turns = [ScriptedTurn::Wait(Duration::from_secs(60), json!({"done": true}))];
    let mut raw = RawClient::begun(server(Permission::Read, slow(turns))).await;
    raw.put(&request(1, &json!({}))).await;
    assert_eq!(raw.next().await["result"]["structuredContent"]["done"], true);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_ends_and_is_not_answered() {
    let turns = [
        ScriptedTurn::Wait(Duration::from_secs(3_000), json!({"late": true})),
        ScriptedTurn::Answer(json!({"next": true})),
    ];
    let mut raw = RawClient::begun(server(Permission::Read, slow(turns))).await;
    raw.put(&request(1, &json!({}))).await;
    // Another call's answer shows that the first one runs.
    assert!(raw.is_alive().await);
    raw.put(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#).await;
    raw.put(&request(2, &json!({}))).await;
    let answer = raw.next().await;
    assert_eq!((&answer["id"], &answer["result"]["structuredContent"]["next"]), (&json!(2), &json!(true)), "{answer}");
    tokio::time::sleep(Duration::from_secs(3_600)).await;
    assert!(raw.is_alive().await, "nothing came of the first call");
}

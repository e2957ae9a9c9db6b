//! What an ill-behaved client is told, and that the server outlives it.

use qingyu_tools::Permission;
use serde_json::{Value, json};

use crate::rig::{RawClient, server};

#[tokio::test]
async fn lines_that_are_no_messages_are_answered_and_forgotten() {
    let mut raw = RawClient::begun(server(Permission::Read, Vec::new())).await;
    let cases = [
        ("{", -32700),
        ("hello", -32700),
        ("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\"", -32700),
        ("[]", -32600),
        ("{\"jsonrpc\": \"1.0\", \"id\": 2, \"method\": \"ping\"}", -32600),
    ];
    for (line, code) in cases {
        raw.put(line).await;
        let answer = raw.next().await;
        assert_eq!(answer["error"]["code"], code, "{line}: {answer}");
        assert!(raw.is_alive().await, "{line}");
    }
    raw.put("").await;
    raw.put("{\"jsonrpc\": \"2.0\", \"method\": \"textDocument/didOpen\", \"params\": {}}").await;
    assert!(raw.is_alive().await, "what nobody knows and nobody waits for is passed over");
}

#[tokio::test]
async fn a_request_that_says_no_tool_is_wrong() {
    let mut raw = RawClient::begun(server(Permission::Read, Vec::new())).await;
    for params in [json!({}), json!({"name": 7}), json!({"name": "character_tool", "arguments": [1]}), Value::Null] {
        let answer = raw.ask(json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": params})).await;
        assert!(answer["id"] == 5 && answer["error"]["code"].is_i64(), "{answer}");
        assert!(raw.is_alive().await);
    }
    let answer = raw.ask(json!({"jsonrpc": "2.0", "id": "six", "method": "no/such", "params": {}})).await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!("six"), &json!(-32601)));
}

#[tokio::test]
async fn ten_megabytes_of_arguments_are_too_much() {
    let mut raw = RawClient::begun(server(Permission::Write, Vec::new())).await;
    let card = json!({"action": "create", "character_data": {"name": "长", "background": "雨".repeat(10 << 20 >> 1)}});
    let answer = raw.call(7, "character_tool", card).await;
    assert_eq!(answer["result"]["isError"], true);
    assert_eq!(answer["result"]["structuredContent"]["error"]["code"], "arguments_too_large");
    assert!(raw.is_alive().await);
}

#[tokio::test]
async fn a_line_without_end_is_not_kept() {
    let mut raw = RawClient::begun(server(Permission::Write, Vec::new())).await;
    raw.put(&"x".repeat((16 << 20) + 100_000)).await;
    let answer = raw.next().await;
    assert_eq!(answer["error"]["code"], -32600, "{answer}");
    assert!(raw.is_alive().await);
}

#[tokio::test]
async fn what_comes_before_the_beginning_does_no_harm() {
    let mut raw = RawClient::new(server(Permission::Read, Vec::new()));
    raw.put("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}").await;
    let early = raw.ask(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).await;
    assert!(early["error"].is_object(), "{early}");
    raw.begin().await;
    assert!(raw.is_alive().await);
}

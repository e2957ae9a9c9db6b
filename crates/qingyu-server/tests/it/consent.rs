//! A person is asked before anything is deleted, in both generations of the protocol.

use std::sync::Arc;
use std::sync::Mutex;

use qingyu_tools::Permission;
use rmcp::model::{
    CallToolRequestParams, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction, ErrorData,
    Implementation,
};
use rmcp::service::RequestContext;
use rmcp::{ClientHandler, RoleClient};
use serde_json::{Value, json};

use crate::rig::{BOTH, Generation, RawClient, can_ask, connect, server};

/// A client in front of which somebody sits.
#[derive(Debug, Clone)]
struct Person {
    says: Option<ElicitResult>,
    heard: Arc<Mutex<Vec<String>>>,
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        let capabilities = if self.says.is_some() { can_ask() } else { Default::default() };
        ClientConfig::new(capabilities, Implementation::new("desk", "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        if let ElicitRequestParams::FormElicitationParams { message, .. } = request {
            self.heard.lock().unwrap().push(message);
        }
        Ok(self.says.clone().unwrap())
    }
}

fn accept(yes: bool) -> ElicitResult {
    ElicitResult::new(ElicitationAction::Accept).with_content(json!({ "consent": yes }))
}

/// Deletes a character; gives the result, what was asked, and how many characters are left.
async fn delete(says: Option<ElicitResult>, generation: Generation) -> (Value, Vec<String>, u64) {
    let heard = Arc::default();
    let person = Person { says, heard: Arc::clone(&heard) };
    let client = connect(person, server(Permission::Write, Vec::new()), generation).await;
    let call = async |arguments: Value| {
        let request =
            CallToolRequestParams::new("character_tool").with_arguments(arguments.as_object().cloned().unwrap());
        serde_json::to_value(client.call_tool(request).await.unwrap()).unwrap()
    };
    let answer = call(json!({"action": "delete", "character_id": "c-2"})).await;
    let left = call(json!({"action": "list"})).await["structuredContent"]["total"].as_u64().unwrap();
    let heard = heard.lock().unwrap().clone();
    (answer, heard, left)
}

#[tokio::test]
async fn with_consent_it_is_done() {
    for generation in BOTH {
        let (answer, heard, left) = delete(Some(accept(true)), generation).await;
        assert_eq!((&answer["isError"], heard.len(), left), (&json!(false), 1, 1), "{generation:?}: {answer}");
        assert!(heard[0].contains("character_tool") && heard[0].contains("c-2"), "{heard:?}");
    }
}

#[tokio::test]
async fn without_consent_it_is_not_done() {
    let refusals =
        [accept(false), ElicitResult::new(ElicitationAction::Decline), ElicitResult::new(ElicitationAction::Cancel)];
    for generation in BOTH {
        for refusal in &refusals {
            let (answer, heard, left) = delete(Some(refusal.clone()), generation).await;
            assert_eq!(answer["structuredContent"]["error"]["code"], "declined", "{generation:?}: {answer}");
            assert_eq!((heard.len(), left), (1, 2), "{generation:?}");
        }
    }
}

#[tokio::test]
async fn a_client_that_cannot_ask_goes_by_its_permissions() {
    for generation in BOTH {
        let (answer, heard, left) = delete(None, generation).await;
        assert_eq!((&answer["isError"], heard.len(), left), (&json!(false), 0, 1), "{generation:?}: {answer}");
    }
}

#[tokio::test]
async fn nobody_is_asked_about_a_call_that_cannot_be_made() {
    let heard = Arc::default();
    let person = Person { says: Some(accept(true)), heard: Arc::clone(&heard) };
    let client = connect(person, server(Permission::Read, Vec::new()), Generation::Handshake).await;
    let arguments = json!({"action": "delete", "character_id": "c-2"}).as_object().cloned().unwrap();
    let answer =
        client.call_tool(CallToolRequestParams::new("character_tool").with_arguments(arguments)).await.unwrap();
    assert_eq!(answer.structured_content.unwrap()["error"]["code"], "forbidden");
    assert_eq!(heard.lock().unwrap().len(), 0);
}

#[tokio::test]
async fn consent_to_one_call_is_no_consent_to_another() {
    let mut raw = RawClient::new(server(Permission::Write, Vec::new()));
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
    });
    let call = |id: u64, character: &str, answered: Option<&Value>| {
        let mut params = json!({"name": "character_tool", "_meta": meta,
            "arguments": {"action": "delete", "character_id": character}});
        if let Some(state) = answered {
            params["requestState"] = state.clone();
            params["inputResponses"] = json!({"consent": {"action": "accept", "content": {"consent": true}}});
        }
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    };
    let asked = raw.ask(call(1, "c-1", None)).await;
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    let state = &asked["result"]["requestState"];
    let other = raw.ask(call(2, "c-2", Some(state))).await;
    assert_eq!(other["error"]["code"], -32602, "{other}");
    let forged = raw.ask(call(3, "c-1", Some(&json!("made-up")))).await;
    assert_eq!(forged["error"]["code"], -32602, "{forged}");
    let done = raw.ask(call(4, "c-1", Some(state))).await;
    assert_eq!(done["result"]["isError"], false, "{done}");
    let again = raw.ask(call(5, "c-1", Some(state))).await;
    assert_eq!(again["error"]["code"], -32602, "{again}");
}

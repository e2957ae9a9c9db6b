//! What a well-behaved client finds, in both generations of the protocol.

use qingyu_tools::Permission;
use rmcp::model::{CallToolRequestParams, GetPromptRequestParams, JsonObject, ReadResourceRequestParams};
use rmcp::service::{RunningService, ServiceError};
use rmcp::{ErrorData, RoleClient};
use serde_json::{Value, json};

use crate::rig::{BOTH, connect, server};

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        other => panic!("{other} is no object"),
    }
}

async fn call(client: &RunningService<RoleClient, ()>, tool: &str, arguments: Value) -> Value {
    let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(object(arguments));
    serde_json::to_value(client.call_tool(request).await.unwrap()).unwrap()
}

async fn read(client: &RunningService<RoleClient, ()>, uri: &str) -> Result<String, ErrorData> {
    match client.read_resource(ReadResourceRequestParams::new(uri)).await {
        Ok(result) => {
            let contents = serde_json::to_value(&result.contents[0]).unwrap();
            assert_eq!(contents["uri"], uri);
            Ok(contents["text"].as_str().unwrap().to_owned())
        }
        Err(ServiceError::McpError(error)) => Err(error),
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test]
async fn tools_are_listed_with_what_they_may_do() {
    for generation in BOTH {
        let client = connect((), server(Permission::Write, Vec::new()), generation).await;
        let tools = client.list_all_tools().await.unwrap();
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        for name in ["character_tool", "relationship_tool", "timeline_tool", "worldview_tool"] {
            assert!(names.contains(&name), "{generation:?}: {names:?}");
        }
        for tool in &tools {
            let hints = tool.annotations.as_ref().unwrap();
            let writes = tool.meta.as_ref().unwrap().0["qingyu/permission"] != "read";
            let hinted = (hints.read_only_hint, hints.destructive_hint);
            assert_eq!(hinted, (Some(!writes), Some(writes)), "{}", tool.name);
            assert!(tool.name != "character_tool" || writes);
            assert_eq!(tool.input_schema["type"], "object");
            assert!(!tool.input_schema["properties"].to_string().contains("\"items\":true"), "{}", tool.name);
        }
        let reader = connect((), server(Permission::Read, Vec::new()), generation).await;
        for tool in reader.list_all_tools().await.unwrap() {
            let hints = tool.annotations.unwrap();
            assert_eq!((hints.read_only_hint, hints.destructive_hint), (Some(true), Some(false)), "{}", tool.name);
        }
    }
}

#[tokio::test]
async fn a_call_answers_with_a_structure_and_changes_the_story() {
    for generation in BOTH {
        let client = connect((), server(Permission::Write, Vec::new()), generation).await;
        let card = json!({"action": "create", "character_data": {"name": "王五", "age": 40}});
        let created = call(&client, "character_tool", card).await;
        assert_eq!(created["isError"], false, "{created}");
        let told: Value = serde_json::from_str(created["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(told, created["structuredContent"], "the text says what the structure says");
        let found = read(&client, "qingyu://project/p-1/characters/%E7%8E%8B%E4%BA%94").await.unwrap();
        assert_eq!(serde_json::from_str::<Value>(&found).unwrap()["age"], 40);
    }
}

#[tokio::test]
async fn failures_are_results_with_code_and_place() {
    for generation in BOTH {
        let client = connect((), server(Permission::Read, Vec::new()), generation).await;
        let wrong = call(&client, "character_tool", json!({"action": "get", "character_id": 7})).await;
        assert_eq!(wrong["isError"], true);
        assert_eq!(wrong["structuredContent"]["error"]["code"], "invalid_arguments", "{wrong}");
        assert_eq!(wrong["structuredContent"]["error"]["path"], "/character_id", "{wrong}");
        let missing = call(&client, "character_tool", json!({"action": "get", "character_id": "无名"})).await;
        assert_eq!(missing["structuredContent"]["error"]["code"], "not_found", "{missing}");
        let forbidden = json!({"action": "delete", "character_id": "c-1"});
        let forbidden = call(&client, "character_tool", forbidden).await;
        assert_eq!(forbidden["structuredContent"]["error"]["code"], "forbidden", "{forbidden}");
        let elsewhere = json!({"action": "list", "project_id": "p-2"});
        let elsewhere = call(&client, "character_tool", elsewhere).await;
        assert_eq!(elsewhere["structuredContent"]["error"]["code"], "no_project", "{elsewhere}");
    }
}

#[tokio::test]
async fn an_unknown_tool_is_an_error_of_the_request() {
    for generation in BOTH {
        let client = connect((), server(Permission::Write, Vec::new()), generation).await;
        let answer = client.call_tool(CallToolRequestParams::new("no_such_tool")).await;
        let Err(ServiceError::McpError(error)) = answer else { panic!("{answer:?}") };
        assert_eq!((error.code.0, &error.data.unwrap()["code"]), (-32602, &json!("unknown_tool")));
    }
}

#[tokio::test]
async fn all_listed_resources_can_be_read() {
    for generation in BOTH {
        let client = connect((), server(Permission::Read, Vec::new()), generation).await;
        let resources = client.list_all_resources().await.unwrap();
        assert_eq!(resources.len(), 2 + 2 + 1 + 1, "story, report, two cards, a chapter, a text");
        for resource in &resources {
            let text = read(&client, &resource.uri).await.unwrap();
            if resource.mime_type.as_deref() == Some("application/json") {
                serde_json::from_str::<Value>(&text).unwrap();
            }
        }
        assert_eq!(read(&client, "qingyu://project/p-1/documents/d-1").await.unwrap(), "林青推开了门。");
        let report = read(&client, "qingyu://project/p-1/report").await.unwrap();
        let report: Value = serde_json::from_str(&report).unwrap();
        assert!(report["score"].is_u64() && report["findings"].is_array(), "{report}");
        let templates = client.list_all_resource_templates().await.unwrap();
        assert_eq!(templates.len(), 5);
    }
}

#[tokio::test]
async fn what_is_not_there_is_said_to_be_missing() {
    let client = connect((), server(Permission::Read, Vec::new()), BOTH[1]).await;
    let uris = [
        "qingyu://project/p-1/characters/c-9",
        "qingyu://project/p-2/story",
        "qingyu://project/p-1/../../etc/passwd",
        "file:///etc/passwd",
    ];
    for uri in uris {
        assert_eq!(read(&client, uri).await.unwrap_err().code.0, -32602, "{uri}");
    }
}

#[tokio::test]
async fn prompts_are_listed_and_filled() {
    for generation in BOTH {
        let client = connect((), server(Permission::Read, Vec::new()), generation).await;
        let prompts = client.list_all_prompts().await.unwrap();
        let arguments: Vec<_> = prompts[0].arguments.iter().flatten().map(|argument| argument.name.as_str()).collect();
        assert_eq!((prompts[0].name.as_str(), arguments), ("arc", vec!["name", "project"]));
        let filled = GetPromptRequestParams::new("arc").with_arguments(object(json!({"name": "林青"})));
        let filled = client.get_prompt(filled).await.unwrap();
        assert_eq!(serde_json::to_value(&filled.messages).unwrap()[0]["content"]["text"], "Design an arc for 林青.");
        for wrong in [GetPromptRequestParams::new("arc"), GetPromptRequestParams::new("nothing")] {
            assert!(client.get_prompt(wrong).await.is_err());
        }
    }
}

//! Listing projects and beginning new ones, where there is one for good.

use std::sync::Arc;

use qingyu_story::{Language, Story};
use qingyu_tools::workspace::remote::{RemoteLimits, Server};
use qingyu_tools::{Engine, MemoryWorkspace, Permission, ToolCaller, Toolbox, workspace};
use serde_json::{Value, json};

use crate::stub::StubServer;

async fn ask(engine: &Engine, arguments: Value, allowance: Permission) -> Value {
    engine.call("project_tool", arguments, &ToolCaller::new("anybody", allowance)).await.to_json()
}

#[tokio::test]
async fn the_only_project_is_listed_and_no_other_begun() {
    let story = Story { premise: "A key".into(), language: Language::En, ..Story::default() };
    let engine = Engine::new(Toolbox::writing().with_projects(), workspace::only(MemoryWorkspace::new("p-1", story)));
    let listed = ask(&engine, json!({"action": "list"}), Permission::Read).await;
    let only = json!({"project": "p-1", "title": "", "language": "en", "premise": "A key", "version": 0});
    assert_eq!(listed["result"], json!({"total": 1, "projects": [only]}));
    for (arguments, allowance, code) in [
        (json!({"action": "create", "title": "Another"}), Permission::Write, "refused"),
        (json!({"action": "create", "title": "Another"}), Permission::Read, "forbidden"),
        (json!({"action": "create", "title": "  "}), Permission::Write, "invalid_arguments"),
        (json!({"action": "create", "title": "Another", "language": "fr"}), Permission::Write, "invalid_arguments"),
        (json!({"action": "list", "project_id": "p-1"}), Permission::Write, "invalid_arguments"),
    ] {
        let refused = ask(&engine, arguments.clone(), allowance).await;
        assert_eq!(refused["error"]["code"], code, "{arguments}: {refused}");
    }
}

#[tokio::test]
async fn a_server_of_one_project_at_a_time_says_where_to_look() {
    let stub = StubServer::new(Story::default(), true).await;
    let server = Server::new(&stub.address, None, RemoteLimits::default()).unwrap();
    let engine = Engine::new(Toolbox::writing().with_projects(), Arc::new(server));
    let listed = ask(&engine, json!({"action": "list"}), Permission::Read).await;
    assert_eq!(listed["error"]["code"], "refused", "{listed}");
    assert!(listed["error"]["message"].as_str().unwrap().contains("project_id"), "{listed}");
}

//! The content tools through the studio's engine, with the model that needs no key.

use std::path::Path;

use qingyu_studio::{ProduceRequest, Settings, Studio};
use qingyu_tools::{Engine, Permission, ToolCaller};
use serde_json::{Value, json};

use crate::finish;

/// A studio that reaches neither models nor the web.
async fn open(home: &Path) -> Studio {
    let environment = crate::environment(home, &[("QINGYU_MODEL", "offline-rules-1")]);
    let settings = Settings::load(environment, crate::table(&[("web.search", "none")])).unwrap();
    Studio::open(settings).await.unwrap()
}

/// A course of which nothing is made yet, its run waiting.
async fn course(studio: &Studio) -> String {
    let request = ProduceRequest { premise: "给新手的咖啡课".into(), ..ProduceRequest::default() };
    finish(studio.produce(request).await.unwrap()).await.1.project
}

async fn ask(engine: &Engine, tool: &str, arguments: Value) -> Value {
    engine.call(tool, arguments, &ToolCaller::new("anybody", Permission::Write)).await.to_json()
}

#[tokio::test]
async fn each_of_the_content_tools_answers() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let project = course(&studio).await;
    let engine = studio.engine(Some(project.clone()));
    let kept = studio.production(&project).await.unwrap();
    let phase = kept.current_phase.clone();

    let schema = json!({"type": "string"});
    let new =
        json!({"field_name": "口号", "field_schema": schema, "context": "一句话说清楚这门课", "project_id": project});
    let made = ask(&engine, "generate_field", new).await;
    let path = format!("{phase}/口号");
    assert_eq!(made["result"]["field"]["path"], path, "{made}");
    assert_eq!(made["result"]["field"]["guidance"], "一句话说清楚这门课");
    assert!(!made["result"]["value"].as_str().unwrap().is_empty(), "{made}");
    assert!(made["result"]["run"].is_string());

    let read = ask(&engine, "read_field", json!({"field_path": "口号"})).await;
    assert_eq!(read["result"]["value"], made["result"]["value"], "{read}");
    assert_eq!(read["result"]["version"], made["result"]["version"]);
    // By hand, past the engine: what it kept of the older version is not given back.
    studio.put_field(&project, "口号", "每天一杯", None).await.unwrap();
    let read = ask(&engine, "read_field", json!({"field_path": "口号"})).await;
    assert_eq!((&read["result"]["value"], &read["result"]["field"]["version"]), (&json!("每天一杯"), &json!(2)));

    let update =
        json!({"field_path": "口号", "new_content": "一杯就懂", "expected_version": read["result"]["version"]});
    let updated = ask(&engine, "update_field", update.clone()).await;
    assert_eq!(
        (&updated["result"]["path"], &updated["result"]["field_version"]),
        (&json!(path), &json!(3)),
        "{updated}"
    );
    assert_eq!(updated["result"]["stale"], json!([]));
    assert_eq!(ask(&engine, "update_field", update).await["error"]["code"], "conflict");
    assert_eq!(studio.field(&project, "口号").await.unwrap().field.made_by.unwrap().agent, "anybody");

    let judged = json!({"content": ["口号"], "criteria": ["一眼能看懂吗"]});
    let judged = ask(&engine, "evaluate_content", judged).await;
    assert_eq!(judged["result"]["value"]["criteria"][0]["criterion"], "一眼能看懂吗", "{judged}");
    assert_eq!(judged["result"]["value"]["contents"][0], json!({"path": path, "version": 3}));
    assert_eq!(judged["result"]["field"]["depends_on"], json!([path]));

    let read = json!({"persona": "赶时间的店主", "content": ["口号"], "interaction_type": "objection"});
    let read = ask(&engine, "simulate_consumer", read).await;
    assert_eq!(read["ok"], true, "{read}");
    assert_eq!(read["result"]["field"]["title"], "赶时间的店主", "{read}");

    // What was judged is stale once the field is another.
    let updated = ask(&engine, "update_field", json!({"field_path": path, "new_content": "一看就会"})).await;
    let stale = updated["result"]["stale"].as_array().unwrap();
    assert!(stale.contains(&judged["result"]["field"]["path"]), "{updated}");
    assert!(stale.contains(&read["result"]["field"]["path"]), "{updated}");

    let found = ask(&engine, "deep_research", json!({"query": "手冲咖啡水温", "max_sources": 2})).await;
    assert_eq!(found["ok"], true, "{found}");
    assert_eq!(found["result"]["field"]["guidance"], "手冲咖啡水温");
    let searched = ask(&engine, "web_search", json!({"query": "咖啡"})).await;
    assert_eq!((&searched["error"]["code"], &searched["untrusted"]), (&json!("no_search"), &json!(true)));

    let exported = ask(&engine, "export_content", json!({"format": "md", "fields": ["口号"], "draft": true})).await;
    let text = exported["result"]["files"][0]["text"].as_str().unwrap();
    assert!(text.contains("一看就会") && text.starts_with(&format!("# {}", kept.title)), "{text}");
    let exported = ask(&engine, "export_content", json!({"format": "json"})).await;
    assert!(exported["result"]["files"][0]["text"].as_str().unwrap().contains("一看就会"));
}

#[tokio::test]
async fn what_cannot_be_done_says_why_and_changes_nothing() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let project = course(&studio).await;
    let engine = studio.engine(Some(project.clone()));
    let before = engine.workspaces().open(Some(&project)).await.unwrap().load().await.unwrap();
    let list = before.story.fields.iter().find(|field| !field.is_text() && !field.is_pattern()).unwrap().path.clone();
    let pattern = before.story.fields.iter().find(|field| field.is_pattern()).unwrap().path.clone();
    for (tool, arguments, code, path) in [
        ("read_field", json!({"field_path": "没有"}), "not_found", "/field_path"),
        ("update_field", json!({"field_path": "没有", "new_content": "a"}), "not_found", "/field_path"),
        ("update_field", json!({"field_path": list, "new_content": 7}), "invalid_arguments", "/new_content"),
        ("update_field", json!({"field_path": list, "new_content": "no JSON"}), "invalid_arguments", "/new_content"),
        ("update_field", json!({"field_path": list, "new_content": null}), "invalid_arguments", "/new_content"),
        ("update_field", json!({"field_path": pattern, "new_content": "a"}), "refused", ""),
        ("generate_field", json!({"field_name": "没有"}), "not_found", "/field_name"),
        ("generate_field", json!({"field_name": "x/y", "field_schema": {}}), "invalid_arguments", "/field_name"),
        (
            "generate_field",
            json!({"field_name": "y", "field_schema": {"type": 7}}),
            "invalid_arguments",
            "/field_schema",
        ),
        (
            "generate_field",
            json!({"field_name": list, "field_schema": {"type": "null"}}),
            "invalid_arguments",
            "/field_schema",
        ),
        ("evaluate_content", json!({}), "refused", ""),
        ("evaluate_content", json!({"content": ["没有"]}), "not_found", "/content"),
        ("simulate_consumer", json!({"persona": " "}), "invalid_arguments", "/persona"),
        ("deep_research", json!({"query": ""}), "invalid_arguments", "/query"),
        ("deep_research", json!({"query": "水温", "expected_version": 999}), "conflict", ""),
        ("export_content", json!({"format": "没有"}), "invalid_arguments", "/format"),
        ("export_content", json!({"format": "md", "fields": ["没有"]}), "not_found", "/fields"),
    ] {
        let refused = ask(&engine, tool, arguments.clone()).await;
        assert_eq!(refused["error"]["code"], code, "{tool} {arguments}: {refused}");
        assert_eq!(refused["error"]["path"].as_str().unwrap_or_default(), path, "{tool} {arguments}: {refused}");
    }
    let reader = ToolCaller::new("anybody", Permission::Read);
    let refused = engine.call("deep_research", json!({"query": "水温"}), &reader).await.to_json();
    assert_eq!(refused["error"]["code"], "forbidden");
    assert_eq!(engine.workspaces().open(Some(&project)).await.unwrap().load().await.unwrap(), before);
}

#[tokio::test]
async fn of_two_orders_at_once_one_waits_for_the_other() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let project = course(&studio).await;
    let engine = studio.engine(Some(project.clone()));
    let new = |name: &str| json!({"field_name": name, "field_schema": {"type": "string"}});
    let (first, second) =
        tokio::join!(ask(&engine, "generate_field", new("甲")), ask(&engine, "generate_field", new("乙")));
    assert_eq!((&first["ok"], &second["ok"]), (&json!(true), &json!(true)), "{first} {second}");
    for name in ["甲", "乙"] {
        assert!(!studio.field(&project, name).await.unwrap().text.is_empty());
    }
}

#[tokio::test]
async fn a_text_of_ones_own_is_read_and_judged() {
    let home = tempfile::tempdir().unwrap();
    let studio = open(home.path()).await;
    let project = course(&studio).await;
    let engine = studio.engine(Some(project.clone()));
    let text = "定价要看价值。\n\n〔待补：例子〕\n\n先问十个客户。";
    let judged = ask(&engine, "evaluate_content", json!({"text": text, "criteria": ["清楚"]})).await;
    assert_eq!(judged["result"]["value"]["contents"][0]["path"], "text", "{judged}");
    assert_eq!(judged["result"]["value"]["open"][0]["placeholders"], 1, "{judged}");
    let read = ask(&engine, "simulate_consumer", json!({"persona": "店主", "text": text})).await;
    assert_eq!(read["result"]["value"]["paragraphs"], 2, "{read}");
    let both = json!({"persona": "店主", "text": text, "content": ["design_inner/promise"]});
    assert_eq!(ask(&engine, "simulate_consumer", both).await["error"]["path"], "/text");
}

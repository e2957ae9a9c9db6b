//! The registry, and what the tools say of themselves.

use std::sync::Arc;

use qingyu_story::Language;
use qingyu_tools::testing::NoProducer;
use qingyu_tools::testing::ScriptedTool;
use qingyu_tools::testing::scripted::ScriptedTurn;
use qingyu_tools::toolbox::{Error, ToolFilter};
use qingyu_tools::{Category, Permission, Toolbox};
use serde_json::json;

fn named(name: &str) -> Arc<ScriptedTool> {
    Arc::new(ScriptedTool::new([ScriptedTurn::Echo]).with(|metadata| name.clone_into(&mut metadata.name)))
}

#[test]
fn tools_are_found_by_all_their_names() {
    let toolbox = Toolbox::writing();
    for (name, tool) in [
        ("character_tool", "character_tool"),
        ("CharacterTool", "character_tool"),
        ("charactertool", "character_tool"),
        // As plans name them.
        ("OutlineTool", "outline_tool"),
        ("RelationTool", "relationship_tool"),
        ("TimelineTool", "timeline_tool"),
        ("SettingTool", "worldview_tool"),
        ("RAGTool", "rag_tool"),
    ] {
        assert_eq!(toolbox.find(name).unwrap().metadata().name, tool, "{name}");
    }
    assert!(toolbox.find("nothing").is_none());
}

#[test]
fn a_bad_tool_is_not_registered() {
    let mut toolbox = Toolbox::new();
    toolbox.register(named("a_b")).unwrap();
    toolbox.register(named("a-b")).unwrap();
    assert_eq!(toolbox.find("AB").unwrap().metadata().name, "a_b", "the first of that name");
    assert_eq!(toolbox.register(named("a_b")), Err(Error::NameTaken { name: "a_b".into() }));
    for name in ["", "a b", "工具", &"x".repeat(65)] {
        assert_eq!(toolbox.register(named(name)), Err(Error::BadName { name: name.into() }));
    }
    for schema in [json!({}), json!({"type": "string"}), json!({"type": "object", "properties": 7})] {
        let tool = ScriptedTool::new([ScriptedTurn::Echo]).with(|metadata| metadata.parameters = schema.clone());
        let refused = toolbox.register(Arc::new(tool));
        assert!(matches!(refused, Err(Error::BadSchema { .. })), "{schema}");
    }
    assert!(toolbox.unregister("a_b") && !toolbox.unregister("a_b"));
    assert_eq!(toolbox.len(), 1);
}

#[test]
fn lists_keep_to_category_and_permission() {
    let mut toolbox = Toolbox::new();
    let of = |name: &str, category, permission| {
        let tool = ScriptedTool::new([ScriptedTurn::Echo]).with(|metadata| {
            name.clone_into(&mut metadata.name);
            metadata.category = category;
            metadata.permission = permission;
        });
        Arc::new(tool)
    };
    toolbox.register(of("look", Category::Knowledge, Permission::Read)).unwrap();
    toolbox.register(of("write", Category::Writing, Permission::Write)).unwrap();
    toolbox.register(of("tidy", Category::Admin, Permission::Admin)).unwrap();
    let names = |category, allowance| {
        let list = toolbox.list(ToolFilter { category, allowance });
        list.map(|metadata| metadata.name.clone()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(None, None), "look tidy write");
    assert_eq!(names(None, Some(Permission::Write)), "look write");
    assert_eq!(names(Some(Category::Admin), None), "tidy");
    assert_eq!(names(Some(Category::Admin), Some(Permission::Read)), "");
}

#[test]
fn every_tool_says_what_models_and_people_need() {
    let toolbox = Toolbox::writing();
    for metadata in toolbox.list(ToolFilter::default()) {
        let name = &metadata.name;
        assert!(metadata.description.zh.chars().count() > 10, "{name} has no Chinese description");
        assert!(metadata.description.en.split(' ').count() > 5, "{name} has no English description");
        assert_ne!(metadata.description.zh, metadata.description.en, "{name}");
        let properties = metadata.parameters["properties"].as_object().unwrap();
        assert!(properties.contains_key("project_id"), "{name}");
        for (property, schema) in properties {
            assert!(schema["description"].is_string(), "{name}.{property} is not explained");
        }
        let actions: Vec<&str> = metadata.actions.iter().map(|action| action.name.as_str()).collect();
        let allowed = &metadata.parameters["properties"]["action"]["enum"];
        let empty = json!([]);
        let allowed = if allowed.is_null() { &empty } else { allowed };
        assert_eq!(*allowed, json!(actions), "{name}: the schema and the metadata name the same actions");
        let writes = metadata.permission > Permission::Read;
        assert_eq!(properties.contains_key("expected_version"), writes, "{name}");
    }
    let specs = toolbox.specs(ToolFilter::default(), Language::En);
    assert_eq!(specs.len(), toolbox.len());
    assert!(specs.iter().all(|spec| spec.parameters["type"] == "object"));
    let described = toolbox.describe(ToolFilter::default(), Language::Zh);
    assert!(described.contains("- character_tool："), "{described}");
}

#[test]
fn the_page_in_the_repository_is_up_to_date() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/tools.md");
    let kept = std::fs::read_to_string(file).unwrap();
    let command = "cargo run -p qingyu-tools --example tool_page > docs/tools.md";
    let toolbox = Toolbox::writing().with_projects().with_content(Arc::new(NoProducer), None);
    assert!(kept == toolbox.page(), "docs/tools.md is made anew by: {command}");
}

/// Tools stand in every request of an agent that has them all.
#[test]
fn what_all_tools_cost_a_model_is_bounded() {
    for language in [Language::Zh, Language::En] {
        let specs = serde_json::to_string(&Toolbox::writing().specs(ToolFilter::default(), language)).unwrap();
        let tokens = qingyu_llm::estimate::tokens(&specs);
        assert!(tokens < 12_000, "{tokens} tokens");
    }
}

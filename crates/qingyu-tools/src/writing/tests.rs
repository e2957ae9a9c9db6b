//! Calls that nobody would make: random arguments never panic, never half-change the story, and every change can be
//! undone.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use qingyu_story::{Language, Story};
use serde_json::{Map, Value, json};

use super::character::CharacterTool;
use super::document::DocumentTool;
use super::outline::OutlineTool;
use super::relationship::RelationshipTool;
use super::timeline::TimelineTool;
use super::worldview::WorldviewTool;
use crate::Toolbox;
use crate::desk::{self, StoryTool};
use crate::testing::fuzz;
use crate::toolbox::ToolFilter;
use crate::workspace::LoadedStory;

/// Any JSON.
fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        words().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(words(), inner, 0..5).prop_map(|map| json!(map)),
        ]
    })
}

/// Words that mean something to the story, and some that do not.
fn words() -> impl Strategy<Value = String> {
    const KNOWN: &[&str] = &[
        "c-1",
        "c-2",
        "林青",
        "Ann Lee",
        "o-1",
        "第一章 雨夜",
        "d-1",
        "雨夜",
        "e-1",
        "",
        " ",
        "create",
        "update",
        "get",
        "list",
        "delete",
        "read",
        "write",
        "name",
        "title",
        "第3天",
        "2077-13-40",
        "\u{0}",
        "〔待写〕",
        "{protagonist}",
        "谁",
    ];
    prop_oneof![4 => prop::sample::select(KNOWN).prop_map(str::to_owned), 1 => ".{0,12}"]
}

/// A value that fits a schema more often than not.
fn fitting(schema: &Value, depth: u32) -> BoxedStrategy<Value> {
    if let Some(options) = schema["enum"].as_array().filter(|options| !options.is_empty()) {
        return prop::sample::select(options.clone()).boxed();
    }
    if let Some(one) = schema.get("const") {
        return Just(one.clone()).boxed();
    }
    if let Some(branches) = schema["anyOf"].as_array().filter(|branches| !branches.is_empty()) {
        let branches: Vec<_> = branches.iter().map(|branch| fitting(branch, depth)).collect();
        return proptest::strategy::Union::new(branches).boxed();
    }
    let types = schema["type"].as_array().cloned().unwrap_or_else(|| vec![schema["type"].clone()]);
    let of_type = |kind: &Value| match kind.as_str() {
        Some("string") => words().prop_map(Value::from).boxed(),
        Some("integer") => prop_oneof![-2..12_i64, any::<i32>().prop_map(i64::from)].prop_map(Value::from).boxed(),
        Some("number") => (0.0..1.0_f64).prop_map(Value::from).boxed(),
        Some("boolean") => any::<bool>().prop_map(Value::from).boxed(),
        Some("null") => Just(Value::Null).boxed(),
        Some("array") if depth > 0 => {
            prop::collection::vec(fitting(&schema["items"], depth - 1), 0..3).prop_map(Value::from).boxed()
        }
        Some("object") if depth > 0 => object(schema, depth - 1),
        _ => anything().boxed(),
    };
    proptest::strategy::Union::new(types.iter().map(of_type).collect::<Vec<_>>()).boxed()
}

fn object(schema: &Value, depth: u32) -> BoxedStrategy<Value> {
    let Some(properties) = schema["properties"].as_object() else {
        let values = prop_oneof![fitting(&schema["additionalProperties"], depth), anything()];
        return prop::collection::btree_map(words(), values, 0..3).prop_map(|map| json!(map)).boxed();
    };
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let fields: Vec<_> = properties
        .iter()
        .map(|(name, schema)| {
            let share = if required.contains(&name.as_str()) { 0.98 } else { 0.35 };
            let name = name.clone();
            prop::option::weighted(share, fitting(schema, depth))
                .prop_map(move |value| value.map(|value| (name.clone(), value)))
        })
        .collect();
    fields.prop_map(|fields| Value::Object(fields.into_iter().flatten().collect::<Map<_, _>>())).boxed()
}

/// Calls of all tools with arguments that nearly fit, but for the project and its version.
fn calls() -> impl Strategy<Value = (String, Value)> {
    calls_of(|_| true)
}

/// The same for some tools, by name.
fn calls_of(is_called: impl Fn(&str) -> bool) -> impl Strategy<Value = (String, Value)> {
    let tools: Vec<_> = Toolbox::writing()
        .list(ToolFilter::default())
        .filter(|metadata| is_called(&metadata.name))
        .map(|metadata| {
            let mut schema = metadata.parameters.clone();
            if let Some(properties) = schema["properties"].as_object_mut() {
                properties.remove("project_id");
                properties.remove("expected_version");
            }
            let name = metadata.name.clone();
            fitting(&schema, 5).prop_map(move |arguments| (name.clone(), arguments)).boxed()
        })
        .collect();
    proptest::strategy::Union::new(tools)
}

/// The names of all tools.
fn names() -> Vec<String> {
    Toolbox::writing().list(ToolFilter::default()).map(|metadata| metadata.name.clone()).collect()
}

/// What a tool does with those arguments on a desk, if they fit at all.
fn work<T: StoryTool>(tool: &T, arguments: &Value, desk: &mut desk::Desk) -> bool {
    let read: Result<T::Arguments, _> = desk::read(arguments.clone());
    read.is_ok_and(|arguments| tool.work(arguments, desk).is_ok())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn arguments_that_are_anything_never_panic(tool in prop::sample::select(names()), arguments in anything()) {
        fuzz(&tool, &arguments.to_string());
    }

    #[test]
    fn arguments_that_nearly_fit_never_panic((tool, arguments) in calls()) {
        fuzz(&tool, &arguments.to_string());
    }

    #[test]
    fn what_tools_did_can_be_undone(calls in prop::collection::vec(calls(), 1..8)) {
        let story: Story = serde_json::from_str(include_str!("../../tests/fixtures/zh.json")).unwrap();
        let loaded = LoadedStory { story: story.clone().into(), version: 0 };
        let mut desk = desk::Desk::new(loaded, Language::Zh);
        for (tool, arguments) in &calls {
            match tool.as_str() {
                "character_tool" => work(&CharacterTool, arguments, &mut desk),
                "relationship_tool" => work(&RelationshipTool, arguments, &mut desk),
                "outline_tool" => work(&OutlineTool, arguments, &mut desk),
                "timeline_tool" => work(&TimelineTool, arguments, &mut desk),
                "worldview_tool" => work(&WorldviewTool, arguments, &mut desk),
                "document_tool" => work(&DocumentTool, arguments, &mut desk),
                _ => false,
            };
        }
        let mut undone = desk.story().clone();
        for change in desk.changes().iter().rev() {
            change.inverse().apply(&mut undone).unwrap();
        }
        let given = undone.last_ids.clone();
        prop_assert_eq!(undone, Story { last_ids: given, ..story });
    }
}

#[test]
fn the_generator_reaches_the_tools() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut reached = std::collections::BTreeMap::<String, u32>::new();
    let calls = calls();
    for _ in 0..1_500 {
        let (tool, arguments) = calls.new_tree(&mut runner).unwrap().current();
        *reached.entry(tool.clone()).or_default() += u32::from(fuzz(&tool, &arguments.to_string())["ok"] == true);
    }
    // A tool of many optional fields fits rarely: it is called alone until it does.
    for (tool, count) in reached.iter_mut().filter(|(_, count)| **count == 0) {
        let calls = calls_of(|name| name == tool);
        let mut fits = (0..10_000).map(|_| calls.new_tree(&mut runner).unwrap().current());
        *count += u32::from(fits.any(|(tool, arguments)| fuzz(&tool, &arguments.to_string())["ok"] == true));
    }
    let idle: Vec<&String> = reached.iter().filter(|(_, count)| **count == 0).map(|(tool, _)| tool).collect();
    assert!(idle.is_empty() && reached.len() == Toolbox::writing().len(), "no call of {idle:?} succeeds: {reached:?}");
}

#[test]
fn raw_text_is_refused_or_read() {
    for text in
        ["", "{", "null", "[]", "7", "{\"action\": \"get\"}", "{\"action\": \"list\", \"limit\": 1e400}", "\u{feff}{}"]
    {
        fuzz("character_tool", text);
    }
    assert_eq!(fuzz("character_tool", r#"{"action": "list"}"#)["result"]["total"], 2);
}

/// The seeds are read as the fuzz target reads them: the first byte chooses the tool, the rest are its arguments.
#[test]
fn the_seeds_of_fuzzing_reach_every_tool() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/tool_arguments");
    let names = names();
    let mut reached = std::collections::BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let seed = std::fs::read(entry.unwrap().path()).unwrap();
        let (choice, arguments) = seed.split_first().unwrap();
        let (tool, arguments) = (&names[usize::from(*choice) % names.len()], std::str::from_utf8(arguments).unwrap());
        let outcome = fuzz(tool, arguments);
        assert_eq!(outcome["ok"], true, "{tool} {arguments}: {outcome}");
        reached.insert(tool);
    }
    assert_eq!(reached.len(), names.len(), "{reached:?}");
}

//! The content tools, with doubles in the places of models and the web.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use proptest::prelude::*;
use qingyu_story::production::{Criterion, Field, Phase, PhaseKind, Production};
use qingyu_story::{Language, Story};
use qingyu_tools::content::{ContentOrder, ProducedContent, Producer};
use qingyu_tools::testing::{NoProducer, fuzz};
use qingyu_tools::toolbox::ToolFilter;
use qingyu_tools::{Category, Engine, MemoryWorkspace, Permission, ToolCaller, ToolError, Toolbox, workspace};
use qingyu_web::testing::ScriptedSearch;
use qingyu_web::{Error, WebHit};
use serde_json::{Value, json};

/// A producer that keeps what it is asked, and answers with the field `plan/goal`.
#[derive(Debug, Default)]
struct ScriptedProducer(Mutex<Vec<ContentOrder>>);

impl Producer for ScriptedProducer {
    fn order<'a>(&'a self, project: &'a str, order: ContentOrder) -> BoxFuture<'a, Result<ProducedContent, ToolError>> {
        assert_eq!(project, "p-1");
        self.0.lock().unwrap().push(order);
        let made = ProducedContent { field: "plan/goal".into(), run: "r-1".into(), warnings: vec!["w".into()] };
        Box::pin(async { Ok(made) })
    }
}

/// A production of three fields: a text made from a goal, and a list.
fn story() -> Story {
    let field = |path: &str, kind: &str| Field {
        path: path.into(),
        title: path.rsplit('/').next().unwrap().to_uppercase(),
        phase: path.split('/').next().unwrap().into(),
        schema: json!({"type": kind}),
        ..Field::default()
    };
    let goal = Field { value: "learn".into(), version: 1, is_content: true, ..field("plan/goal", "string") };
    let text = Field { depends_on: vec!["plan/goal".into()], ..field("make/text", "string") };
    let phase = |name: &str, kind| Phase { name: name.into(), kind, ..Phase::default() };
    let clarity = Criterion { name: "clarity".into(), title: "Clear".into(), question: "?".into(), weight: 2.0 };
    let production = Production {
        phases: vec![
            phase("plan", PhaseKind::Make),
            phase("make", PhaseKind::Make),
            phase("judge", PhaseKind::Evaluate),
        ],
        current_phase: "make".into(),
        criteria: vec![clarity],
        ..Production::default()
    };
    let fields = vec![goal, text, field("make/list", "array")];
    let (premise, language) = ("A course".to_owned(), Language::En);
    Story { premise, language, production: Some(production), fields, ..Story::default() }
}

fn engine(producer: Arc<dyn Producer>, search: Option<ScriptedSearch>) -> Engine {
    let toolbox = Toolbox::new().with_content(producer, search.map(|search| Arc::new(search) as _));
    Engine::new(toolbox, workspace::only(MemoryWorkspace::new("p-1", story())))
}

async fn ask(engine: &Engine, tool: &str, arguments: Value) -> Value {
    engine.call(tool, arguments, &ToolCaller::new("anybody", Permission::Write)).await.to_json()
}

#[tokio::test]
async fn a_changed_field_says_what_became_stale() {
    let engine = engine(Arc::new(NoProducer), None);
    let put = |path: &str, value: Value| json!({"field_path": path, "new_content": value});
    let first = ask(&engine, "update_field", put("TEXT", json!("one"))).await["result"].clone();
    assert_eq!(
        (&first["path"], &first["field_version"], &first["stale"]),
        (&json!("make/text"), &json!(1), &json!([]))
    );
    assert_eq!(first["changed"], json!([{"change": "updated", "kind": "field", "id": "make/text", "label": "TEXT"}]));
    let second = ask(&engine, "update_field", put("goal", json!("teach"))).await["result"].clone();
    assert_eq!((&second["stale"], &second["version"]), (&json!(["make/text"]), &json!(2)));
    let same = ask(&engine, "update_field", put("goal", json!("teach"))).await["result"].clone();
    assert_eq!((&same["changed"], &same["version"]), (&Value::Null, &json!(2)), "the same value is no change");
    let list = ask(&engine, "update_field", put("list", json!("[\"a\"]"))).await;
    assert_eq!(list["ok"], true, "JSON in a text is read: {list}");
    let read = ask(&engine, "read_field", json!({"field_path": "make/list"})).await["result"].clone();
    assert_eq!(
        (&read["value"], &read["field"]["status"], &read["version"]),
        (&json!(["a"]), &json!("draft"), &json!(3))
    );
}

#[tokio::test]
async fn orders_are_what_the_arguments_say() {
    let producer = Arc::new(ScriptedProducer::default());
    let engine = engine(Arc::clone(&producer) as _, None);
    for (tool, arguments) in [
        ("deep_research", json!({"query": " why ", "max_sources": 3})),
        ("generate_field", json!({"field_name": "TEXT", "context": "short"})),
        ("generate_field", json!({"field_name": "A slogan", "field_schema": {"type": "string"}, "context": "short"})),
        ("generate_field", json!({"field_name": "plan/x", "field_schema": {}})),
        ("evaluate_content", json!({"criteria": ["Clear", "Is it short?", "clarity"]})),
        ("simulate_consumer", json!({"persona": "a shop owner", "content": ["goal"], "interaction_type": "drop_off"})),
    ] {
        let answer = ask(&engine, tool, arguments).await;
        let result = &answer["result"];
        assert_eq!(
            (&result["value"], &result["run"], &result["warnings"]),
            (&json!("learn"), &json!("r-1"), &json!(["w"]))
        );
    }
    let orders = producer.0.lock().unwrap().clone();
    assert_eq!(orders[0], ContentOrder::Research { question: "why".into(), max_sources: Some(3) });
    assert_eq!(orders[1], ContentOrder::Make { path: "make/text".into(), new: None, instruction: "short".into() });
    let ContentOrder::Make { path, new: Some(new), instruction } = &orders[2] else { panic!("{orders:?}") };
    assert_eq!((path.as_str(), instruction.as_str()), ("make/A_slogan", ""));
    assert_eq!((new.title.as_str(), new.phase.as_str(), new.guidance.as_str()), ("A slogan", "make", "short"));
    assert!(matches!(&orders[3], ContentOrder::Make { path, .. } if path == "plan/x"));
    let ContentOrder::Evaluate { criteria, .. } = &orders[4] else { panic!("{orders:?}") };
    let told: Vec<_> = criteria.iter().map(|criterion| (criterion.name.as_str(), criterion.weight)).collect();
    assert_eq!(told, [("clarity", 2.0), ("Is it short?", 1.0)]);
    let ContentOrder::Simulate { personas, contents, interactions, .. } = &orders[5] else { panic!("{orders:?}") };
    assert_eq!((personas[0].who.as_str(), contents.len(), interactions.len()), ("a shop owner", 1, 1));
}

#[tokio::test]
async fn orders_that_cannot_be_given_are_refused_before_anybody_is_asked() {
    let producer = Arc::new(ScriptedProducer::default());
    let engine = engine(Arc::clone(&producer) as _, None);
    for (tool, arguments, code) in [
        ("deep_research", json!({"query": "why", "max_sources": 0}), "invalid_arguments"),
        ("generate_field", json!({"field_name": "judge/x", "field_schema": {}}), "invalid_arguments"),
        ("generate_field", json!({"field_name": "a#b", "field_schema": {}}), "invalid_arguments"),
        ("generate_field", json!({"field_name": "TEXT", "field_schema": {"type": "array"}}), "invalid_arguments"),
        ("evaluate_content", json!({"content": ["make/text"]}), "refused"),
        ("evaluate_content", json!({"criteria": [""]}), "invalid_arguments"),
        ("simulate_consumer", json!({"persona": "x", "interaction_type": "shout"}), "invalid_arguments"),
        ("simulate_consumer", json!({"persona": "x", "expected_version": 9}), "conflict"),
    ] {
        let refused = ask(&engine, tool, arguments.clone()).await;
        assert_eq!(refused["error"]["code"], code, "{tool} {arguments}: {refused}");
    }
    assert!(producer.0.lock().unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn what_is_found_on_the_web_is_marked_as_words_of_strangers() {
    let hit =
        |number: usize| WebHit { url: format!("https://a.example/{number}"), title: "t".into(), snippet: "s".into() };
    let wait = Some(Duration::from_secs(60));
    let search = ScriptedSearch::new((0..30).map(hit).collect())
        .on("busy", Err(Error::RateLimited { name: "scripted".into(), retry_after: wait }))
        .on("bad", Err(Error::Key { name: "scripted".into(), status: 401 }));
    let engine = engine(Arc::new(NoProducer), Some(search));
    let found = ask(&engine, "web_search", json!({"query": "rain"})).await;
    assert_eq!((&found["untrusted"], &found["source"]), (&json!(true), &json!("web")));
    assert_eq!(found["result"]["hits"].as_array().unwrap().len(), 8);
    let found = ask(&engine, "web_search", json!({"query": "rain", "limit": 20})).await;
    assert_eq!(found["result"]["hits"].as_array().unwrap().len(), 20);
    for (arguments, code, retryable) in [
        (json!({"query": "busy"}), "unavailable", true),
        (json!({"query": "bad"}), "key", false),
        (json!({"query": " "}), "invalid_arguments", false),
        (json!({"query": "rain", "limit": 21}), "invalid_arguments", false),
    ] {
        let failed = ask(&engine, "web_search", arguments.clone()).await;
        assert_eq!(
            (&failed["error"]["code"], &failed["error"]["retryable"]),
            (&json!(code), &json!(retryable)),
            "{failed}"
        );
    }
}

#[tokio::test]
async fn content_is_handed_out_under_a_title() {
    let engine = engine(Arc::new(NoProducer), None);
    let exported = ask(&engine, "export_content", json!({"format": "md", "draft": true})).await["result"].clone();
    assert_eq!(exported["files"][0]["text"], "# A course\n\nlearn\n");
    let refused = ask(&engine, "export_content", json!({"format": "pdf"})).await;
    assert_eq!(refused["error"]["problems"][0]["expected"], "one of md, json", "{refused}");
}

#[test]
fn the_tools_say_what_they_need() {
    let toolbox = Toolbox::new().with_content(Arc::new(NoProducer), None);
    let writes: Vec<(&str, bool)> = toolbox
        .list(ToolFilter::default())
        .map(|metadata| {
            assert!(matches!(metadata.category, Category::Content | Category::Research), "{}", metadata.name);
            assert!(!metadata.description.zh.is_empty() && !metadata.description.en.is_empty(), "{}", metadata.name);
            let properties = metadata.parameters["properties"].as_object().unwrap();
            let unexplained: Vec<_> =
                properties.iter().filter(|(_, schema)| !schema["description"].is_string()).collect();
            assert!(unexplained.is_empty(), "{}: {unexplained:?}", metadata.name);
            (metadata.name.as_str(), metadata.permission == Permission::Write)
        })
        .collect();
    let expected = [
        ("deep_research", true),
        ("evaluate_content", true),
        ("export_content", false),
        ("generate_field", true),
        ("read_field", false),
        ("simulate_consumer", true),
        ("update_field", true),
        ("web_search", false),
    ];
    assert_eq!(writes, expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_words_leave_a_failed_call_without_traces(
        tool in prop::sample::select(vec![
            "deep_research", "evaluate_content", "export_content", "generate_field", "read_field", "simulate_consumer",
            "update_field", "web_search",
        ]),
        name in prop_oneof![
            Just("goal".to_owned()), Just("make/list".to_owned()), Just("md".to_owned()), Just(String::new()), ".{0,12}",
        ],
        value in prop_oneof![Just(json!("[]")), Just(Value::Null), Just(json!({"type": "string"})), any::<i64>().prop_map(Value::from)],
    ) {
        let arguments = match tool {
            "deep_research" | "web_search" => json!({"query": name}),
            "evaluate_content" => json!({"content": [name]}),
            "export_content" => json!({"format": name}),
            "generate_field" => json!({"field_name": name, "field_schema": value}),
            "read_field" => json!({"field_path": name}),
            "simulate_consumer" => json!({"persona": name, "content": [name]}),
            _ => json!({"field_path": name, "new_content": value}),
        };
        fuzz::on(story(), tool, &arguments.to_string());
        fuzz::on(Story::default(), tool, &value.to_string());
    }
}

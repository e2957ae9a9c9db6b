//! Measures the tools on a long book: 2,000 chapters with text, 500 characters, 5,000 events, 10,000 facts.

use std::time::Instant;

use qingyu_llm::estimate;
use qingyu_story::{
    Character, CharacterRelation, Document, Fact, Language, OutlineNode, RelationKind, RoleType, Story, TimelineEvent,
};
use qingyu_tools::toolbox::ToolFilter;
use qingyu_tools::{Engine, MemoryWorkspace, Permission, ToolCaller, Toolbox, workspace};
use serde_json::json;

const CHAPTERS: usize = 2_000;
const PEOPLE: usize = 500;

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let project = workspace::only(MemoryWorkspace::new("p-1", long_book()));
    let specs = serde_json::to_string(&Toolbox::writing().specs(ToolFilter::default(), Language::En));
    println!("all tools cost a model {} tokens", estimate::tokens(&specs.expect("specs are plain values")));
    let engine = Engine::new(Toolbox::writing(), project);
    let caller = ToolCaller::new("a stopwatch", Permission::Write);
    for (tool, arguments) in [
        ("outline_tool", json!({"action": "get", "limit": 10})),
        ("character_tool", json!({"action": "get", "character_id": "c-7"})),
        ("character_tool", json!({"action": "analyze_arc", "character_id": "c-7"})),
        ("character_tool", json!({"action": "update", "character_id": "c-7", "character_data": {"age": 40}})),
        ("outline_tool", json!({"action": "create", "after": "o-2", "outline_data": {"name": "插章"}})),
        ("relationship_tool", json!({"action": "analyze"})),
        ("timeline_tool", json!({"action": "get_timeline", "participant": "c-7"})),
        ("encyclopedia_tool", json!({"action": "get", "name": "c-7"})),
        ("encyclopedia_tool", json!({"action": "search", "query": "守夜人"})),
        ("document_tool", json!({"action": "update", "document_id": "d-1900", "append": "雪停了。"})),
        ("statistics_tool", json!({})),
        ("ask_facts", json!({"about": "c-7", "as_of": "o-1000"})),
        ("impact", json!({"target": "c-7", "distance": 1})),
        ("check", json!({"rules": ["QY2"]})),
        ("workspace_context_tool", json!({"task_type": "continue_writing", "context_scope": "related_entities"})),
        ("workspace_context_tool", json!({"task_type": "continue_writing", "context_scope": "full_project"})),
    ] {
        let begun = Instant::now();
        let outcome = runtime.block_on(engine.call(tool, arguments.clone(), &caller)).to_json();
        let bytes = outcome.to_string().len();
        println!("{:>8.1} ms {bytes:>9} bytes  {tool} {arguments}", begun.elapsed().as_secs_f64() * 1e3);
        assert_eq!(outcome["ok"], true, "{outcome}");
    }
}

fn long_book() -> Story {
    let name = |person: usize| format!("守夜人{}号", person % PEOPLE + 1);
    let characters = (0..PEOPLE).map(|person| Character {
        name: name(person),
        role_type: if person == 0 { RoleType::Protagonist } else { RoleType::Supporting },
        ..Character::default()
    });
    let relations = (0..PEOPLE * 4).map(|index| CharacterRelation {
        from: name(index),
        to: name(index * 7 + 1 + index / PEOPLE),
        kind: if index % 9 == 0 { RelationKind::Enemy } else { RelationKind::Friend },
        strength: 0.5,
        ..CharacterRelation::default()
    });
    let nodes = (0..CHAPTERS).map(|chapter| OutlineNode {
        name: format!("第{}章 夜{}", chapter + 1, chapter + 1),
        order: u32::try_from(chapter + 1).unwrap_or_default(),
        goal: "守住灯".into(),
        participants: (0..4).map(|seat| name(chapter + seat * 31)).collect(),
        plants: vec![format!("伏笔{chapter}")],
        ..OutlineNode::default()
    });
    let events = (0..5_000).map(|event| TimelineEvent {
        title: format!("事{event}"),
        timestamp: format!("第{}天", event / 2 + 1),
        participants: (0..3).map(|seat| name(event + seat * 17)).collect(),
        importance: u8::try_from(event % 10).unwrap_or_default() + 1,
        outline_node: Some(format!("o-{}", event * CHAPTERS / 5_000 + 1)),
        ..TimelineEvent::default()
    });
    let documents = (0..CHAPTERS).map(|chapter| Document {
        title: format!("夜{}", chapter + 1),
        order: u32::try_from(chapter + 1).unwrap_or_default(),
        outline_node: Some(format!("o-{}", chapter + 1)),
        version: 1,
        text: format!("{}提着灯走过长街。“谁在那里？”没有人回答。\n", name(chapter)).repeat(60),
        ..Document::default()
    });
    let facts = (0..10_000).map(|fact| Fact {
        subject: name(fact),
        predicate: format!("记号{}", fact / PEOPLE),
        value: fact.into(),
        from: format!("o-{}", fact * CHAPTERS / 10_000 + 1),
        ..Fact::default()
    });
    Story {
        characters: characters.collect(),
        character_relations: relations.filter(|relation| relation.from != relation.to).collect(),
        outline_nodes: nodes.collect(),
        timeline_events: events.collect(),
        documents: documents.collect(),
        facts: facts.collect(),
        ..Story::default()
    }
}

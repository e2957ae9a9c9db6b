//! Shows how long checking a long book takes: 2,000 chapters, 500 characters, 4,000 events, by default.
//!
//! `cargo run -p qingyu-story --example check_speed [chapters]`

use std::time::Instant;

use qingyu_story::{
    Character, CharacterRelation, Config, OutlineNode, RelationKind, RoleType, Story, TimelineEvent, check,
};

fn main() {
    let chapters = std::env::args().nth(1).and_then(|number| number.parse().ok()).unwrap_or(2000);
    let story = book(chapters);
    let start = Instant::now();
    let found = check(&story, &Config::default());
    println!("{chapters} chapters: {} findings in {:.1?}", found.len(), start.elapsed());
}

/// A book in which every character appears, with two dated events in each chapter.
fn book(chapters: u32) -> Story {
    let cast = chapters / 4 + 2;
    let name = |number: u32| format!("人物{}", number % cast);
    let characters = (0..cast).map(|number| Character {
        id: format!("c-{}", number + 1),
        name: name(number),
        role_type: if number == 0 { RoleType::Protagonist } else { RoleType::Supporting },
        background: "从旧港来，有一段不愿提起的往事。".repeat(4),
        ..Character::default()
    });
    let relations = (1..cast).map(|number| CharacterRelation {
        id: format!("r-{number}"),
        from: name(number),
        to: name(number - 1),
        kind: RelationKind::Ally,
        ..CharacterRelation::default()
    });
    let nodes = (0..chapters).map(|number| OutlineNode {
        id: format!("o-{}", number + 1),
        name: format!("第{}章 雨夜", number + 1),
        order: number + 1,
        goal: "逼近真相".into(),
        description: format!("{}在旧港遇见{}，得知一桩旧案的线索。", name(number), name(number * 7)).repeat(5),
        participants: vec![name(number), name(number * 7)],
        ..OutlineNode::default()
    });
    let events = (0..chapters * 2).map(|number| TimelineEvent {
        id: format!("e-{}", number + 1),
        title: format!("事件{number}"),
        timestamp: format!("第{}天 10:{:02}", number / 50 + 1, number % 50),
        after: number.checked_sub(1).map(|before| format!("事件{before}")).into_iter().collect(),
        participants: vec![name(number), name(number * 3)],
        deaths: if number % 100 == 99 { vec![name(number)] } else { Vec::new() },
        location: Some("旧港".into()),
        outline_node: Some(format!("o-{}", number / 2 + 1)),
        ..TimelineEvent::default()
    });
    Story {
        characters: characters.collect(),
        character_relations: relations.collect(),
        outline_nodes: nodes.collect(),
        timeline_events: events.collect(),
        ..Story::default()
    }
}

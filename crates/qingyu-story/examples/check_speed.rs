//! Shows how long checking a long book takes: 2,000 chapters, 500 characters, 4,000 events, 60,000 facts, by default.
//!
//! `cargo run --release -p qingyu-story --example check_speed [chapters]`

use std::time::Instant;

use qingyu_story::truth::{GroundTruth, Question};
use qingyu_story::{
    Character, CharacterRelation, Config, Document, Fact, Item, Knower, Location, OutlineNode, Quotation, RelationKind,
    RoleType, Story, TimelineEvent, Worldview, check, impact,
};
use serde_json::json;

fn main() {
    let chapters = std::env::args().nth(1).and_then(|number| number.parse().ok()).unwrap_or(2000);
    let story = book(chapters);
    for _ in 0..3 {
        let start = Instant::now();
        let found = check(&story, &Config::default());
        let elapsed = start.elapsed();
        println!("{chapters} chapters, {} facts: {} findings in {elapsed:.1?}", story.facts.len(), found.len());
    }
    let bare = Story { facts: Vec::new(), ..story.clone() };
    let start = Instant::now();
    let found = check(&bare, &Config::default());
    println!("the same without facts: {} findings in {:.1?}", found.len(), start.elapsed());
    let start = Instant::now();
    let truth = GroundTruth::of(&story);
    println!("the ground truth: {:.1?}", start.elapsed());
    let start = Instant::now();
    let question = Question { about: Some("人物1".into()), as_of: Some("第900章".into()), ..Question::default() };
    let answers = truth.ask(&question).expect("the book knows them");
    println!("a question: {} answers in {:.1?}", answers.len(), start.elapsed());
    let start = Instant::now();
    let touched = impact(&story, "f-77", Some(3)).expect("the fact is there");
    println!("the impact of a fact: {} pieces in {:.1?}", touched.len(), start.elapsed());
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
    let items = (0..cast / 2).map(|number| Item {
        id: format!("i-{}", number + 1),
        name: format!("器物{number}"),
        ..Item::default()
    });
    let port = Location { id: "l-1".into(), name: "旧港".into(), ..Location::default() };
    let documents = (0..chapters).map(|number| Document {
        id: format!("d-{}", number + 1),
        title: format!("雨夜{}", number + 1),
        order: number + 1,
        outline_node: Some(format!("o-{}", number + 1)),
        version: 1,
        text: "雨下了一夜。".repeat(20),
    });
    Story {
        worldview: Some(Worldview { locations: vec![port], items: items.collect(), ..Worldview::default() }),
        documents: documents.collect(),
        facts: (0..chapters * 30).map(|number| fact(number, cast, &name)).collect(),
        characters: characters.collect(),
        character_relations: relations.collect(),
        outline_nodes: nodes.collect(),
        timeline_events: events.collect(),
        ..Story::default()
    }
}

/// A fact of one of ten sorts, thirty in a chapter: attributes, holdings, stays, numbers, and who knows what.
fn fact(number: u32, cast: u32, name: &impl Fn(u32) -> String) -> Fact {
    let chapter = number / 30;
    let subject = name(number * 13);
    let item = format!("器物{}", number % (cast / 2));
    let day = |from: u32| format!("第{}天", number / 1500 + 1 + from);
    let (predicate, object, value, unit) = match number % 10 {
        0 => ("瞳色", None, json!("黑"), ""),
        1 => ("身高", None, json!(175), "厘米"),
        2 | 3 => ("持有", Some(item), json!(null), ""),
        4 => ("位于", Some("旧港".to_owned()), json!(null), ""),
        5 => ("余额", None, json!(1000 + number), "文"),
        6 => ("收入", None, json!(1), "文"),
        7 => ("使用", Some(item), json!(null), ""),
        8 => ("提到", Some(format!("f-{}", number / 2 + 1)), json!(null), ""),
        _ => ("喜欢", None, json!("雨"), ""),
    };
    let knower = Knower { who: name(number * 17), since: day(1), ..Knower::default() };
    let source =
        Quotation {
            document: format!("d-{}", chapter + 1), quote: "雨下了一夜。".into(), ..Quotation::default()
        };
    Fact {
        id: format!("f-{}", number + 1),
        subject,
        predicate: predicate.into(),
        object,
        value,
        unit: unit.into(),
        from: if number.is_multiple_of(4) { format!("事件{}", number / 15) } else { day(0) },
        until: if number.is_multiple_of(3) { day(1) } else { String::new() },
        source: Some(source),
        known_by: if number.is_multiple_of(5) { vec![knower] } else { Vec::new() },
        ..Fact::default()
    }
}

//! Measures settling one chapter of a long book, and updating the book after an edit; default: 2,000 chapters, 60,000
//! facts.
//!
//! `cargo run --release -p qingyu-story --example settle_speed [chapters]`

use std::time::{Duration, Instant};

use qingyu_story::settlement::extraction::{Learns, ToldEvent, ToldFact};
use qingyu_story::settlement::{Config, Extraction, extract, follow, settle, withdraw};
use qingyu_story::{
    Character, Document, Fact, Item, Location, OutlineNode, Quotation, Story, TimelineEvent, Worldview,
};

const PEOPLE: usize = 500;

fn main() {
    let chapters = std::env::args().nth(1).and_then(|number| number.parse().ok()).unwrap_or(2000);
    let mut story = book(chapters);
    println!("{chapters} chapters, {} characters, {} facts", story.characters.len(), story.facts.len());
    let all: Vec<Extraction> = (0..chapters).map(reading).collect();
    let start = Instant::now();
    for (chapter, reading) in all.iter().enumerate() {
        put(&mut story, chapter, reading);
    }
    row("every chapter, one after the other", start.elapsed() / chapters as u32, "each");
    println!("  now {} facts", story.facts.len());
    let middle = chapters / 2;
    let told = &all[middle];
    let clean = {
        let mut clean = story.clone();
        withdraw(&mut clean, &name(middle)).expect("it is there");
        clean
    };
    row("a chapter for the first time", best(&clean, |story| put(story, middle, told)), "");
    row("a chapter again, unchanged", best(&story, |story| put(story, middle, told)), "");
    let other = Extraction { facts: told.facts[told.facts.len() / 2..].to_vec(), ..told.clone() };
    row("a chapter again, half of it gone", best(&story, |story| put(story, middle, &other)), "");
    row("a chapter withdrawn", best(&story, |story| drop(withdraw(story, &name(middle)).expect("it is there"))), "");
    let mut edited = story.clone();
    let before = edited.documents[middle].clone();
    let text = before.text.replacen(&sentence(middle, 3), "人物7今年三十一岁。", 1);
    edited.documents[middle] = Document { text, version: 2, ..before.clone() };
    let after = edited.documents[middle].clone();
    row("a sentence edited by hand", best(&edited, |story| drop(follow(story, &before, Some(&after)))), "");
    row("what the rules read in a chapter", best(&story, |story| drop(extract(story, &name(middle)))), "");
}

fn put(story: &mut Story, chapter: usize, reading: &Extraction) {
    let settlement = settle(story, &name(chapter), reading, Config::default()).expect("it is there");
    assert!(settlement.rejected.is_empty() && settlement.questions.is_empty(), "{:?}", settlement.rejected.first());
}

/// Returns the shortest of five runs; copying the story is not timed.
fn best(story: &Story, mut work: impl FnMut(&mut Story)) -> Duration {
    let once = |_| {
        let mut story = story.clone();
        let start = Instant::now();
        work(&mut story);
        start.elapsed()
    };
    (0..5).map(once).min().expect("it ran")
}

fn row(what: &str, time: Duration, note: &str) {
    println!("{what:40} {:8.2} ms  {note}", time.as_secs_f64() * 1e3);
}

fn name(chapter: usize) -> String {
    format!("d-{}", chapter + 1)
}

fn sentence(chapter: usize, number: usize) -> String {
    format!("人物{}在第{}次说起物件{}。", (chapter * 7 + number * 31) % PEOPLE, chapter * 100 + number, number)
}

/// Returns ten facts and two events for a chapter.
fn reading(chapter: usize) -> Extraction {
    let fact = |number: usize| ToldFact {
        subject: format!("人物{}", (chapter * 7 + number * 31) % PEOPLE),
        predicate: ["知道的事", "职务", "持有", "心情"][number % 4].into(),
        object: (number % 4 == 2).then(|| format!("物件{number}")),
        value: if number % 4 == 2 { serde_json::Value::Null } else { format!("说法{chapter}-{number}").into() },
        known_by: vec![Learns { who: format!("人物{}", number * 3), how: "听说".into() }],
        quote: sentence(chapter, number),
        confidence: 0.9,
        ..ToldFact::default()
    };
    let event = |number: usize| ToldEvent {
        title: format!("第{}章的事{number}", chapter + 1),
        participants: vec![format!("人物{}", chapter % PEOPLE)],
        quote: sentence(chapter, number),
        confidence: 0.9,
        importance: 3,
        ..ToldEvent::default()
    };
    let (facts, events) = ((0..10).map(fact).collect(), vec![event(1), event(2)]);
    Extraction { summary: "发生了许多事。".into(), events, facts, ..Extraction::default() }
}

/// Returns a book with twenty facts by the author per chapter, and prose of about two thousand characters each.
fn book(chapters: usize) -> Story {
    let character = |number: usize| Character {
        id: format!("c-{}", number + 1),
        name: format!("人物{number}"),
        alias: vec![format!("阿{number}号")],
        ..Character::default()
    };
    let node = |number: usize| OutlineNode {
        id: format!("o-{}", number + 1),
        name: format!("第{}章 夜", number + 1),
        order: number as u32 + 1,
        ..OutlineNode::default()
    };
    let event = |number: usize| TimelineEvent {
        id: format!("e-{}", number + 1),
        title: format!("计划{number}"),
        timestamp: format!("第{}天", number / 2 + 1),
        outline_node: Some(format!("o-{}", number / 2 + 1)),
        ..TimelineEvent::default()
    };
    let document = |number: usize| {
        let sentences: String = (0..60).map(|at| sentence(number, at) + "雨下了一夜，街上没有人。").collect();
        Document {
            id: name(number),
            title: format!("正文{}", number + 1),
            order: number as u32 + 1,
            outline_node: Some(format!("o-{}", number + 1)),
            version: 1,
            text: sentences,
            ..Document::default()
        }
    };
    let fact = |number: usize| Fact {
        id: format!("f-{}", number + 1),
        subject: format!("人物{}", number % PEOPLE),
        predicate: ["心情", "职业", "去过", "年龄"][number % 4].into(),
        value: format!("值{number}").into(),
        from: format!("第{}天", number / 20 + 1),
        source: Some(Quotation {
            document: name(number / 20 % chapters),
            version: 1,
            start: Some(0),
            end: Some(12),
            quote: sentence(number / 20 % chapters, number % 20),
        }),
        ..Fact::default()
    };
    let item =
        |number: usize| Item { id: format!("i-{}", number + 1), name: format!("物件{number}"), ..Item::default() };
    let place = Location { id: "l-1".into(), name: "旧港".into(), ..Location::default() };
    Story {
        characters: (0..PEOPLE).map(character).collect(),
        worldview: Some(Worldview {
            items: (0..60).map(item).collect(),
            locations: vec![place],
            ..Worldview::default()
        }),
        outline_nodes: (0..chapters).map(node).collect(),
        timeline_events: (0..chapters * 2).map(event).collect(),
        documents: (0..chapters).map(document).collect(),
        facts: (0..chapters * 20).map(fact).collect(),
        ..Story::default()
    }
}

//! A book of hundreds of chapters: what is asked for chapter 500 is no longer than for chapter 10.

use crate::WritingTask;
use qingyu_llm::ChatRequest;
use qingyu_llm::testing::request_tokens;
use qingyu_story::{
    Character, CharacterRelation, Document, Fact, Location, OutlineNode, Promise, Quotation, Story, StyleGuide,
    TimelineEvent, Worldview,
};

use super::bench::{Bench, prose};
use crate::context::ChapterProseContext;

const CHAPTERS: u32 = 500;

/// A book in which every chapter but one has a text, facts, events and promises, by turns about forty people.
fn long() -> Story {
    let person = |number: u32| Character {
        id: format!("c-{number}"),
        name: format!(
            "周{}",
            ["青", "澜", "岳", "舟", "宁"][number as usize % 5].repeat(1 + number as usize / 5 % 3)
                + &number.to_string()
        ),
        occupation: "码头工人".into(),
        traits: vec!["谨慎".into(), "寡言".into()],
        personality: "先看手再看脸，不轻易信人。".repeat(3),
        background: "在旧港长大，父亲死于一场没有查清的火灾。".repeat(3),
        goals: "找到那一夜的真相".into(),
        ..Character::default()
    };
    let people: Vec<Character> = (1..=40).map(person).collect();
    let name = |number: u32| people[number as usize % 40].name.clone();
    let mut story = Story {
        worldview: Some(Worldview {
            summary: "一座永远下雨的港口城市。".repeat(10),
            locations: (1..=30)
                .map(|number| Location {
                    name: format!("码头{number}号"),
                    description: "湿滑的石阶。".repeat(5),
                    ..Location::default()
                })
                .collect(),
            ..Worldview::default()
        }),
        style: Some(StyleGuide {
            tone: "冷峻".into(),
            guidelines: vec!["对话不过三行".into()],
            ..StyleGuide::default()
        }),
        ..Story::default()
    };
    for number in 1..=CHAPTERS {
        let participants: Vec<String> = (0..4).map(|other| name(number + other * 7)).collect();
        story.outline_nodes.push(OutlineNode {
            id: format!("o-{number}"),
            order: number,
            name: format!("第{number}章 码头"),
            description: format!("{}在码头{}号找到线索，和{}对质。", participants[0], number % 30 + 1, participants[1])
                .repeat(3),
            goal: "让调查更近一步。".repeat(3),
            participants: participants.clone(),
            location: Some(format!("码头{}号", number % 30 + 1)),
            ..OutlineNode::default()
        });
        let asked = ChapterProseContext { chapter: number, words: 1_200, ..ChapterProseContext::default() };
        let text = format!("{}到了码头。{}", participants[0], prose(&asked));
        let quote = text.split_inclusive('。').next().unwrap().to_owned();
        story.documents.push(Document {
            id: format!("d-{number}"),
            title: format!("第{number}章 码头"),
            order: number,
            outline_node: Some(format!("o-{number}")),
            version: 1,
            summary: format!("{}在码头问出了一个名字，又被人跟踪。", participants[0]).repeat(3),
            text,
            ..Document::default()
        });
        // What a chapter of this length usually comes to when it is settled.
        for (index, who) in participants.iter().cycle().take(12).enumerate() {
            story.facts.push(Fact {
                id: format!("f-{}", number * 100 + u32::try_from(index).unwrap()),
                subject: who.clone(),
                predicate: format!("知道的第{}件事", number * 12 + u32::try_from(index).unwrap()),
                value: format!("码头{}号的账本少了一页", number % 30 + 1).into(),
                source: Some(Quotation {
                    document: format!("d-{number}"),
                    quote: quote.clone(),
                    ..Quotation::default()
                }),
                ..Fact::default()
            });
        }
        for part in 1..=3 {
            story.timeline_events.push(TimelineEvent {
                id: format!("e-{}", number * 10 + part),
                title: format!("第{number}天的第{part}次对质"),
                description: "两个人在雨里说了半个钟头的话，谁也没有退让。".into(),
                timestamp: format!("第{number}天"),
                participants: participants.clone(),
                outline_node: Some(format!("o-{number}")),
                importance: 5,
                ..TimelineEvent::default()
            });
        }
        story.promises.push(Promise {
            id: format!("promise-{number}"),
            name: format!("第{number}页账本"),
            description: "读者会想知道它在谁手里。".into(),
            planted: vec![format!("o-{number}")],
            importance: 5,
            ..Promise::default()
        });
    }
    for number in 1..40 {
        story.character_relations.push(CharacterRelation {
            from: name(number),
            to: name(number + 7),
            strength: 0.5,
            description: "互相提防，又不得不一起查下去。".into(),
            ..CharacterRelation::default()
        });
    }
    story.characters = people;
    story
}

/// The tokens of all requests for a chapter of the book as it is when that chapter is written, and their number.
async fn tokens(number: u32) -> (u64, usize) {
    let mut story = long();
    story.documents.retain(|document| document.order < number);
    let told = |teller: &str| teller.trim_start_matches("o-").parse::<u32>().unwrap() < number;
    story.facts.retain(|fact| fact.id.trim_start_matches("f-").parse::<u32>().unwrap() / 100 < number);
    story.promises.retain(|promise| told(&promise.planted[0]));
    let bench = Bench::with(story, Bench::new(1).model)
        .task(WritingTask::Draft { chapters: vec![number.into()] })
        .config(|config| (config.words, config.read_before) = (2_000, 0));
    let state = bench.run().await.done();
    assert_eq!(state.accepted.len(), 1, "{:?}", state.errors);
    let requests: Vec<ChatRequest> = bench.model.requests();
    let all = requests.iter().map(request_tokens);
    let by_purpose: Vec<String> =
        requests.iter().map(|request| format!("{} {}", request.purpose, request_tokens(request))).collect();
    println!("chapter {number}: {}", by_purpose.join(", "));
    (all.sum(), requests.len())
}

#[tokio::test]
async fn chapter_500_costs_no_more_than_chapter_10() {
    let (early, calls) = tokens(10).await;
    for number in [50, 200, 500] {
        let (late, calls_late) = tokens(number).await;
        assert_eq!(calls, calls_late);
        let ratio = late as f64 / early as f64;
        println!("chapter {number}: {late} tokens, {ratio:.3} of chapter 10 ({early}, {calls} requests)");
        // A young book does not fill all sections of the card yet.
        assert!((0.9..=1.15).contains(&ratio), "chapter {number} takes {late} tokens, chapter 10 {early}");
    }
}

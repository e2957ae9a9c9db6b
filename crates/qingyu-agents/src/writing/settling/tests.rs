use qingyu_story::{Character, Fact, OutlineNode, Quotation, TimelineEvent};

use qingyu_story::settlement::extraction::{ToldEvent, ToldFact};

use super::*;
use crate::writing::book::BaseDocument;

fn story() -> Story {
    let node = |order: u32| OutlineNode {
        id: format!("o-{order}"),
        order,
        name: format!("第{order}章"),
        ..OutlineNode::default()
    };
    let fact = |id: &str, value: &str, document: &str, quote: &str| Fact {
        id: id.into(),
        subject: "林青".into(),
        predicate: "瞳色".into(),
        value: value.into(),
        source: Some(Quotation { document: document.into(), quote: quote.into(), ..Quotation::default() }),
        ..Fact::default()
    };
    let document = |id: &str, order: u32, text: &str| Document {
        id: id.into(),
        order,
        title: format!("第{order}章"),
        outline_node: Some(format!("o-{order}")),
        version: 1,
        text: text.into(),
        ..Document::default()
    };
    Story {
        outline_nodes: (1..=3).map(node).collect(),
        characters: vec![Character { id: "c-1".into(), name: "林青".into(), ..Character::default() }],
        documents: vec![
            document("d-1", 1, "林青的眼睛是黑色的。雨停了。"),
            document("d-2", 2, "他走进旧港的酒馆。林青的眼睛是蓝色的。没有人说话。"),
        ],
        facts: vec![fact("f-1", "黑", "d-1", "林青的眼睛是黑色的。"), fact("f-2", "蓝", "d-2", "林青的眼睛是蓝色的。")],
        ..Story::default()
    }
}

fn chapter(story: &Story, number: u32) -> ChapterInHand {
    let book = NumberedBook::of(story);
    let node = book.node(number).unwrap();
    let document = book.document(number);
    ChapterInHand {
        number,
        node: node.id.clone(),
        title: node.name.clone(),
        base: document.map(|document| BaseDocument { document: document.id.clone(), version: document.version }),
        text: document.map(|document| document.text.clone()).unwrap_or_default(),
        ..ChapterInHand::default()
    }
}

#[test]
fn a_contradiction_of_facts_is_shown_by_the_sentence_that_asserts_it() {
    let mut story = story();
    story.facts.truncate(1);
    let told = ToldFact {
        subject: "林青".into(),
        predicate: "瞳色".into(),
        value: "蓝".into(),
        quote: "林青的眼睛是蓝色的。".into(),
        confidence: 0.9,
        ..ToldFact::default()
    };
    settle_in(&mut story, "d-2", &Extraction { facts: vec![told], ..Extraction::default() }).unwrap();
    let chapter = chapter(&story, 2);
    let found = check(&story, &chapter, &chapter.text, &Config::default(), FindingFilter::All).unwrap();
    let colour = found.iter().find(|finding| finding.code.as_deref() == Some("QY408")).expect("two colours");
    assert_eq!(colour.quote, "林青的眼睛是蓝色的。");
    assert!(colour.against.iter().any(|other| other.contains("黑")), "{colour:?}");
    let mended = chapter.text.replace("蓝色", "黑色");
    let found = check(&story, &chapter, &mended, &Config::default(), FindingFilter::All).unwrap();
    assert!(
        !found.iter().any(|finding| finding.code.as_deref() == Some("QY408")),
        "the old sentence is gone: {found:?}"
    );
}

#[test]
fn a_finding_of_a_chapter_says_how_to_mend_its_text() {
    let mut story = story();
    let event = |id: &str, title: &str| TimelineEvent {
        id: id.into(),
        title: title.into(),
        timestamp: "景和十七年八月初七".into(),
        outline_node: Some("o-2".into()),
        ..TimelineEvent::default()
    };
    story.timeline_events = vec![event("e-1", "进酒馆")];
    let text = "八月十二，雨。他走进旧港的酒馆。";
    story.documents[1].text = text.into();
    let told = ToldEvent {
        title: "进酒馆".into(),
        planned: Some("进酒馆".into()),
        timestamp: "八月十二".into(),
        participants: vec!["林青".into()],
        quote: "他走进旧港的酒馆。".into(),
        confidence: 0.9,
        ..ToldEvent::default()
    };
    settle_in(&mut story, "d-2", &Extraction { events: vec![told], ..Extraction::default() }).unwrap();
    let chapter = chapter(&story, 2);
    let found = |draft: &str| {
        let found = check(&story, &chapter, draft, &Config::default(), FindingFilter::All).unwrap();
        found.into_iter().find(|finding| finding.code.as_deref() == Some("QY316"))
    };
    let date = found(text).expect("another day than planned");
    assert_eq!(date.quote, "八月十二，雨。");
    assert!(date.fix.starts_with("把正文改成"), "{}", date.fix);
    let planned = "景和十七年八月初七：进酒馆";
    assert!(date.against.iter().any(|other| other.starts_with(planned)), "the plan is told whole: {:?}", date.against);
    assert_eq!(found(&text.replace("八月十二", "八月初七")), None);
}

#[test]
fn what_the_rules_read_in_a_draft_is_held_against_the_story() {
    let mut story = story();
    let height = Fact {
        id: "f-3".into(),
        subject: "林青".into(),
        predicate: "身高".into(),
        value: 170.into(),
        unit: "厘米".into(),
        ..Fact::default()
    };
    story.facts.push(height);
    let chapter = chapter(&story, 3);
    let found = check(&story, &chapter, "天亮了。林青身高190厘米。", &Config::default(), FindingFilter::New).unwrap();
    assert!(found.iter().any(|finding| finding.quote == "林青身高190厘米。"), "{found:?}");
}

#[test]
fn a_fact_as_settled_is_held_against_cards_and_relations() {
    let story = |language: &str, hero: &str, parent: &str, text: &str, mut fact: serde_json::Value| -> Story {
        fact["id"] = json!("f-1");
        fact["from"] = json!("1926-10-09");
        fact["source"] = json!({ "document": "d-1", "quote": text });
        serde_json::from_value(json!({
            "language": language,
            "characters": [
                { "id": "c-1", "name": hero, "age": 65, "birth": "1861" }, { "id": "c-2", "name": parent },
            ],
            "character_relations": [{ "id": "r-1", "from": parent, "to": hero, "type": "parent_of" }],
            "outline_nodes": [{ "id": "o-1", "name": "1", "order": 1 }],
            "timeline_events": [{ "id": "e-1", "title": "e", "timestamp": "1926-10-09", "outline_node": "o-1" }],
            "documents": [{ "id": "d-1", "title": "1", "order": 1, "outline_node": "o-1", "text": text, "settled": {} }],
            "facts": [fact],
        }))
        .unwrap()
    };
    for (language, hero, parent, text) in
        [("zh", "沈岳", "沈大山", "他今年六十八岁了。"), ("en", "Gideon Nance", "Amos Nance", "He was sixty-eight.")]
    {
        let found = |fact: serde_json::Value| {
            let story = story(language, hero, parent, text, fact);
            let found = contradictions(&story, (&chapter(&story, 1), "d-1", text), &Config::default());
            found.into_iter().map(|finding| (finding.code.unwrap_or_default(), finding.quote)).collect::<Vec<_>>()
        };
        let age = |years: u32| json!({ "subject": hero, "predicate": "age", "value": years });
        assert_eq!(found(age(68)), [("QY314".to_owned(), text.to_owned())], "{language}");
        assert_eq!(found(age(65)), [], "{language}");
        let kin = found(json!({ "subject": hero, "predicate": "parent_of", "object": parent }));
        assert!(kin.iter().any(|(code, _)| code.starts_with("QY6")), "{language}: {kin:?}");
    }
}

#[test]
fn the_sentence_to_mend_of_a_thing_in_hand_after_its_loss_is_the_later_one() {
    let story: Story = serde_json::from_value(json!({
        "characters": [{ "id": "c-1", "name": "林深" }],
        "worldview": { "items": [{ "id": "i-1", "name": "铜钥匙" }] },
        "outline_nodes": [{ "id": "o-1", "name": "第1章", "order": 1 }],
    }))
    .unwrap();
    let draft = "临行前，林深把铜钥匙送给了卖花的孩子。天黑了。他从袖子里摸出铜钥匙，开了锁。";
    let found = check(&story, &chapter(&story, 1), draft, &Config::default(), FindingFilter::New).unwrap();
    let held = found.iter().find(|finding| finding.code.as_deref() == Some("QY402")).expect("it was given away");
    assert!(held.quote.contains("摸出铜钥匙"), "{held:?}");
    assert!(held.against.iter().any(|other| other.contains("送给了卖花的孩子")), "{held:?}");
}

#[test]
fn only_what_a_draft_brings_is_new() {
    let story = story();
    let chapter = chapter(&story, 3);
    assert_eq!(check(&story, &chapter, "天亮了，雨停了。", &Config::default(), FindingFilter::New).unwrap(), []);
    let draft = "作为一个AI语言模型，我无法描写这一幕。天亮了。";
    let found = check(&story, &chapter, draft, &Config::default(), FindingFilter::New).unwrap();
    assert!(
        found.iter().any(|finding| finding.code.as_deref() == Some("QS071") && !finding.quote.is_empty()),
        "{found:?}"
    );
    assert!(
        found.iter().all(|finding| finding.severity <= Severity::Critical && finding.code.as_deref() != Some("QY408"))
    );
}

#[test]
fn a_plan_without_text_is_no_fault_of_the_chapter() {
    let mut story = story();
    story.outline_nodes.push(OutlineNode {
        id: "o-4".into(),
        order: 4,
        name: "第4章".into(),
        ..OutlineNode::default()
    });
    story.timeline_events.push(TimelineEvent {
        id: "e-1".into(),
        title: "林青过河".into(),
        participants: vec!["林青".into()],
        outline_node: Some("o-4".into()),
        ..TimelineEvent::default()
    });
    let dies = |story: &Story| {
        let found = check(story, &chapter(story, 3), "天亮了。林青死了。", &Config::default(), FindingFilter::New);
        found.unwrap().iter().any(|finding| finding.code.as_deref() == Some("QY201"))
    };
    assert!(!dies(&story), "the plan follows the text");
    story.documents.push(Document {
        id: "d-4".into(),
        order: 4,
        title: "第4章".into(),
        outline_node: Some("o-4".into()),
        version: 1,
        text: "林青过了河。".into(),
        ..Document::default()
    });
    assert!(dies(&story), "a later chapter tells it");
}

#[test]
fn a_severe_finding_about_an_event_is_one_of_the_chapter_that_tells_it() {
    let mut story = story();
    story.facts.clear();
    let event = |id: &str, title: &str, when: &str, node: &str| TimelineEvent {
        id: id.into(),
        title: title.into(),
        timestamp: when.into(),
        participants: vec!["林青".into()],
        outline_node: Some(node.into()),
        ..TimelineEvent::default()
    };
    let death = TimelineEvent { deaths: vec!["林青".into()], ..event("e-1", "坠桥", "2077-03-05", "第1章") };
    story.timeline_events = vec![death, event("e-2", "进酒馆", "2077-03-07", "o-2")];
    let found = |story: &Story, number: u32| {
        let chapter = chapter(story, number);
        let found = check(story, &chapter, &chapter.text, &Config::default(), FindingFilter::All).unwrap();
        found.into_iter().find(|finding| finding.code.as_deref() == Some("QY201"))
    };
    let dead = found(&story, 2).expect("the chapter shows somebody dead");
    assert_eq!(dead.severity, Severity::High);
    assert!(dead.fix.contains("第2章"), "the text is to be corrected: {}", dead.fix);
    assert_eq!(found(&story, 1), None, "the later text is to be corrected");
    let quote = "他走进旧港的酒馆。";
    let made = serde_json::json!({"made": [{"kind": "event", "id": "e-2", "digest": "x", "quote": quote}]});
    story.documents[1].settled = Some(serde_json::from_value(made).unwrap());
    assert_eq!(found(&story, 2).expect("it is still there").quote, quote, "a place that can be mended");
}

#[test]
fn a_new_chapter_gets_its_place_and_is_found_again() {
    let story = story();
    let chapter = chapter(&story, 3);
    let placed = place(&story, &chapter, "天亮了。").unwrap();
    let document = &placed.story.documents[2];
    assert_eq!((document.id.as_str(), document.order, document.version), ("d-3", 3, 1));
    assert_eq!((document.title.as_str(), document.outline_node.as_deref()), ("第3章", Some("o-3")));
    let again = place(&placed.story, &chapter, "天亮了。").unwrap();
    assert_eq!((again.document.as_str(), again.changes.len()), ("d-3", 0));
}

#[test]
fn an_event_that_was_made_and_is_named_as_planned_is_counted_once() {
    let made = |title: &str| Piece::Event(TimelineEvent { title: title.into(), ..TimelineEvent::default() });
    let settlement = Settlement {
        change: AppliedEdit { steps: Vec::new() },
        made: vec![made("交钱取表"), made("翻老账")],
        doubtful: Vec::new(),
        questions: Vec::new(),
        rejected: Vec::new(),
        kept: Vec::new(),
    };
    let told = |planned: &str| ToldEvent { planned: Some(planned.into()), ..ToldEvent::default() };
    let extraction = Extraction {
        events: vec![told("交钱取表"), told("逼问姜德厚"), ToldEvent::default()],
        ..Extraction::default()
    };
    assert_eq!(counts(&settlement, &extraction).events, 3);
}

#[test]
fn only_new_cards_of_a_settlement_are_counted() {
    let card = |name: &str| Piece::Character(Character { name: name.into(), ..Character::default() });
    let step = |before, after| edit::EditStep { position: 0, before, after: Some(after) };
    let settlement = Settlement {
        change: AppliedEdit { steps: vec![step(None, card("林深")), step(Some(card("周原")), card("周原"))] },
        made: vec![card("林深"), card("周原")],
        doubtful: Vec::new(),
        questions: Vec::new(),
        rejected: Vec::new(),
        kept: Vec::new(),
    };
    assert_eq!(counts(&settlement, &Extraction::default()).cards, 1);
}

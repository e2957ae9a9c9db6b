use qingyu_story::{Config, Fact, Item, Location, OutlineNodeKind, Promise, Worldview};

use super::*;
use crate::levels::material::{LevelRequest, context, later};
use crate::levels::step::LevelStep;

/// A volume of an arc of four chapters, of which two are written.
fn story(language: Language) -> Story {
    let zh = language == Language::Zh;
    let said = |chinese: &str, english: &str| if zh { chinese.to_owned() } else { english.to_owned() };
    let node = |id: &str, kind, order, name: String, parent: Option<&str>| OutlineNode {
        id: id.into(),
        kind,
        order,
        name,
        parent: parent.map(str::to_owned),
        chapters: matches!(kind, OutlineNodeKind::Act | OutlineNodeKind::Arc).then_some(4),
        ..OutlineNode::default()
    };
    let mut nodes = vec![
        node("o-1", OutlineNodeKind::Act, 1, said("第一卷 码头", "Volume 1: The Quay"), None),
        node("o-2", OutlineNodeKind::Arc, 2, said("第一幕 旧账", "Arc 1: Old Debts"), Some("o-1")),
    ];
    for number in 1..=4_u32 {
        let id = format!("o-{}", number + 2);
        let name = said(&format!("第{number}章 夜"), &format!("Chapter {number}: Night"));
        nodes.push(node(&id, OutlineNodeKind::Chapter, number + 2, name, Some("o-2")));
    }
    let text = |order: u32, text: String, summary: String| Document {
        id: format!("d-{order}"),
        title: nodes[order as usize + 1].name.clone(),
        order,
        outline_node: Some(format!("o-{}", order + 2)),
        text,
        summary,
        ..Document::default()
    };
    let documents = vec![
        text(1, said("老周死了。", "Zhou died."), said("林青查出船是空的。", "Lin finds that the ship was empty.")),
        text(2, said("雨停了。", "The rain stopped."), said("林青上了岸。", "Lin goes ashore.")),
    ];
    Story { language, outline_nodes: nodes, documents, ..Story::default() }
}

fn lines<'s>(story: &'s Story, read: impl Fn(&'s Story, &NumberedBook<'s>) -> Vec<String>) -> Vec<String> {
    read(story, &NumberedBook::of(story))
}

#[test]
fn only_what_the_written_text_planted_is_waited_for() {
    for (language, told, due) in [
        (Language::Zh, "钥匙（第 1 章埋下，已过 1 章）", "账本（第 2 章埋下，已过 0 章，排在第 4 章兑现）"),
        (
            Language::En,
            "钥匙 (planted in chapter 1, 1 chapter ago)",
            "账本 (planted in chapter 2, 0 chapters ago, to be paid in chapter 4)",
        ),
    ] {
        let mut story = story(language);
        let promise = |name: &str, planted: &str, paid: &[&str]| Promise {
            name: name.into(),
            planted: vec![planted.into()],
            paid: paid.iter().map(|one| (*one).to_owned()).collect(),
            ..Promise::default()
        };
        story.promises = vec![
            promise("钥匙", "d-1", &[]),
            promise("账本", "o-4", &["o-6"]),
            promise("还清", "d-1", &["d-2"]),
            promise("未来", "o-6", &[]),
        ];
        assert_eq!(lines(&story, |story, book| promises(story, book, 2)), [told, due], "promises");
        story.promises.clear();
        story.outline_nodes[2].plants = vec!["钥匙".into(), "还清".into()];
        story.outline_nodes[3].plants = vec!["账本".into()];
        story.outline_nodes[3].pays = vec!["还清".into()];
        story.outline_nodes[5].plants = vec!["未来".into()];
        story.outline_nodes[5].pays = vec!["账本".into()];
        assert_eq!(lines(&story, |story, book| promises(story, book, 2)), [due, told], "plants");
    }
}

#[test]
fn what_planned_chapters_plant_is_known_with_its_payment() {
    for (language, open, paid, promised) in [
        (
            Language::Zh,
            "断灯（排在第 3 章埋下，还没有排兑现）",
            "潮声（排在第 3 章埋下，第 4 章兑现）",
            "暗号（排在第 4 章埋下，还没有排兑现）",
        ),
        (
            Language::En,
            "断灯 (to be planted in chapter 3, not yet to be paid)",
            "潮声 (to be planted in chapter 3, paid in chapter 4)",
            "暗号 (to be planted in chapter 4, not yet to be paid)",
        ),
    ] {
        let mut story = story(language);
        story.outline_nodes[2].plants = vec!["钥匙".into()];
        story.outline_nodes[4].plants = vec!["潮声".into(), "断灯".into(), "钥匙".into()];
        story.outline_nodes[5].pays = vec!["潮声".into()];
        story.promises = vec![
            Promise { name: "暗号".into(), planted: vec!["o-6".into()], ..Promise::default() },
            Promise { name: "账本".into(), planted: vec!["d-1".into()], ..Promise::default() },
        ];
        assert_eq!(lines(&story, |story, book| planned(story, book)), [promised, open, paid]);
    }
}

#[test]
fn only_turns_that_were_not_told_are_offered() {
    for (language, spent, again, open) in [
        (Language::Zh, "船是空的", "老周是线人", "船长是林青的父亲"),
        (Language::En, "The ship was empty", "Zhou was the informer", "The captain is Lin's father"),
    ] {
        let mut story = story(language);
        story.outline_nodes[0].reveals = vec![spent.into(), again.into(), open.into()];
        let offered = |story: &Story| {
            let levels = Levels::of(story).unwrap();
            twists(story, &NumberedBook::of(story), &levels, 3)
        };
        assert_eq!(offered(&story), [again, open], "a summary tells it");
        story.outline_nodes[3].pays = vec![again.into()];
        assert_eq!(offered(&story), [open], "a written chapter pays it");
        let mut by_secret = story.clone();
        by_secret.worldview = Some(Worldview { truth: open.into(), ..Worldview::default() });
        assert_eq!(offered(&by_secret), [open]);
        let told = serde_json::json!({"revealed": [{"of": "", "quote": by_secret.documents[1].text}]});
        by_secret.documents[1].settled = Some(serde_json::from_value(told).unwrap());
        assert!(offered(&by_secret).is_empty(), "the truth is out");
    }
}

#[test]
fn planners_know_secrets_things_places_and_the_dead() {
    for (language, dead) in
        [(Language::Zh, "老周，死在《第1章 夜》"), (Language::En, "老周, dies in “Chapter 1: Night”")]
    {
        let mut story = story(language);
        let quote = story.documents[0].text.clone();
        story.characters = vec![
            Character {
                id: "c-1".into(), name: "林青".into(), secret: "林青就是船长".into(), ..Character::default()
            },
            Character { id: "c-2".into(), name: "老周".into(), ..Character::default() },
        ];
        story.worldview = Some(Worldview {
            truth: "货从来没有装船".into(),
            items: vec![Item { name: "铜钥匙".into(), ..Item::default() }],
            locations: vec![Location { name: "旧港".into(), description: "雨多。".into(), ..Location::default() }],
            ..Worldview::default()
        });
        let source = |quote: &str| {
            Some(qingyu_story::Quotation { document: "d-1".into(), quote: quote.into(), ..Default::default() })
        };
        let fact = |subject: &str, predicate: &str, object: Option<&str>| Fact {
            subject: subject.into(),
            predicate: predicate.into(),
            object: object.map(str::to_owned),
            value: if object.is_none() { true.into() } else { serde_json::Value::Null },
            source: source(&quote),
            ..Fact::default()
        };
        story.facts = vec![fact("老周", "dies", None), fact("林青", "持有", Some("铜钥匙"))];
        story.outline_nodes[5].participants = vec!["老周".into()];
        let step = LevelStep::Chapters { arc: story.outline_nodes[1].id.clone(), numbers: vec![3, 4] };
        let shown = context(&story, &step, &LevelRequest { length: 4, ..LevelRequest::default() }).shown;
        assert_eq!(shown.dead, [dead]);
        assert!(shown.hidden.len() == 2 && shown.hidden[0].contains("货从来没有装船"), "{:?}", shown.hidden);
        assert!(shown.hidden[1].contains("林青就是船长"), "{:?}", shown.hidden);
        assert!(shown.things[0].starts_with("铜钥匙") && shown.things[0].contains("林青"), "{:?}", shown.things);
        assert!(shown.places[0].starts_with("旧港"), "{:?}", shown.places);
        assert!(shown.facts.is_empty(), "nothing twice: {:?}", shown.facts);
        let later = later(&story, &Config::default(), &[]).unwrap();
        assert_eq!((&later.hidden, &later.places, &later.things), (&shown.hidden, &shown.places, &shown.things));
        assert_eq!((&later.cast, &later.stable), (&shown.cast, &shown.stable));
        let plan = &story.outline_nodes[5].name;
        assert!(later.dead[0].starts_with(dead) && later.dead[0].contains(plan.as_str()), "{:?}", later.dead);
        let plan = later.plans.iter().find(|shown| shown.id == "o-6").unwrap();
        let field = plan.fields.iter().find(|field| field.name == "participants").unwrap();
        assert_eq!((field.items.as_slice(), field.text.as_str()), (["老周".to_owned()].as_slice(), ""));
    }
}

use qingyu_story::{OutlineNodeKind, RoleType, TimelineEvent};
use serde_json::json;

use super::*;

fn long_story() -> Story {
    let node = |order: u32| OutlineNode {
        id: format!("o-{order}"),
        order,
        name: format!("第{order}章"),
        description: "雨".repeat(5_000),
        goal: "找".repeat(2_000),
        participants: vec!["林青".into()],
        ..OutlineNode::default()
    };
    let document = |order: u32| Document {
        id: format!("d-{order}"),
        order,
        title: format!("第{order}章"),
        outline_node: Some(format!("o-{order}")),
        text: "他走了。".repeat(1_000),
        ..Document::default()
    };
    Story { outline_nodes: (1..=9).map(node).collect(), documents: (1..=8).map(document).collect(), ..Story::default() }
}

#[test]
fn every_section_keeps_its_limit() {
    let story = long_story();
    let around = surroundings(&Book::of(&story), 9);
    assert!(around.outline.iter().all(|section| estimate::tokens(section) <= limit::NODE + 20), "{around:?}");
    assert!(around.ending.chars().count() <= ENDING && around.ending.ends_with("他走了。"));
    assert_eq!(around.next, "", "the last chapter has none after it");
    let entries: Vec<Value> = (0..900)
        .map(|number| json!({"title": format!("事件{number}"), "description": "雨".repeat(50), "timestamp": format!("第{number}天")}))
        .collect();
    let facts: Vec<Value> = (0..900)
        .map(|number| json!({"fact": format!("f-{number}"), "subject": "林青", "predicate": "知道", "value": format!("{number}{}", "雨".repeat(30)), "mode": "said", "by": "苏曼", "known_by": [{"who": "老周"}]}))
        .collect();
    let related = json!({"timeline_events": entries, "facts": facts, "participating_characters": entries});
    let passages = (0..50).map(|_| json!({"name": "第一章", "text": "雨".repeat(400)})).collect();
    let found = Gathered { story: Some(&story), related, passages, ..Gathered::default() };
    let card = chapter(&around, &found, 6_000);
    assert!(estimate::tokens(&card) <= 6_000);
    assert!(card.contains("【已经成立】\n- 林青：苏曼说：知道"), "events do not crowd out facts: {card}");
    assert!(card.contains("第899天") && !card.contains("第0天："), "the last events are the nearest");
    assert!(card.contains("写明知道的：老周"));
    assert!(card.contains("【前文片段】"));
}

#[test]
fn all_chapters_are_told_in_constant_size() {
    let book_of = |count: u32| {
        let arc = |number: u32| OutlineNode {
            id: format!("a-{number}"),
            kind: OutlineNodeKind::Act,
            order: number * 1_000,
            name: format!("第{number}卷"),
            description: "卷末揭出棺中人不是太子。".into(),
            ..OutlineNode::default()
        };
        let node = |number: u32| OutlineNode {
            id: format!("o-{number}"),
            order: number / 20 * 1_000 + 1_000 + number,
            name: format!("第{number}章"),
            parent: Some(format!("a-{}", number / 20 + 1)),
            description: "计划里的事。".into(),
            ..OutlineNode::default()
        };
        let document = |number: u32| Document {
            id: format!("d-{number}"),
            order: number,
            title: format!("第{number}章"),
            outline_node: Some(format!("o-{number}")),
            text: "他走了。".into(),
            summary: format!("第{number}件事发生了。接着又有许多别的事，一件一件说来很长。"),
            ..Document::default()
        };
        Story {
            outline_nodes: (1..=count / 20 + 1).map(arc).chain((1..=count).map(node)).collect(),
            documents: (1..count).map(document).collect(),
            ..Story::default()
        }
    };
    for count in [10, 100, 500] {
        let story = book_of(count);
        let before = surroundings(&Book::of(&story), count).before;
        let text = before.join("\n");
        assert!(estimate::tokens(&text) <= 1_500, "{count}: {}", estimate::tokens(&text));
        assert!(count > 100 || text.contains("第1件事发生了。"), "the first chapter is not forgotten: {text}");
        assert!(count < 20 || text.contains("第1卷（第1～19章）："), "every volume is told: {text}");
        assert!(text.contains(&format!("第{}件事发生了。接着又有许多别的事", count - 1)), "the last one is whole");
        assert!(!text.contains("棺中人"), "the plan of a volume is no past: {text}");
        assert!(!text.contains("计划里的事"), "{text}");
    }
}

#[test]
fn a_chapter_is_not_told_as_past_before_it_is_written() {
    let mut story = long_story();
    story.timeline_events = vec![TimelineEvent {
        id: "e-1".into(),
        title: "灌颅得砂".into(),
        timestamp: "景和十七年八月十七".into(),
        outline_node: Some("o-9".into()),
        ..TimelineEvent::default()
    }];
    story.documents.remove(7);
    let around = surroundings(&Book::of(&story), 9);
    assert!(around.before.iter().any(|line| line.starts_with("第8章：还没有写")), "{:?}", around.before);
    let related = json!({"timeline_events": story.timeline_events, "world_settings": [{"kind": "world_rule", "name": "皇骨不凿"}, {"kind": "item", "name": "银骨尺", "description": "尺尾中空"}]});
    let found = Gathered { story: Some(&story), related, ..Gathered::default() };
    let card = chapter(&around, &found, 6_000);
    assert_eq!(card.matches("灌颅得砂").count(), 1, "nothing stands twice: {card}");
    assert!(!card.contains("皇骨不凿") && card.contains("银骨尺：尺尾中空"), "{card}");
}

#[test]
fn facts_are_told_in_the_language_of_the_book_and_as_of_now() {
    let facts = vec![
        json!({"fact": "f-1", "subject": "沈砚秋", "predicate": "holds", "object": "银骨尺", "mode": "narrated"}),
        json!({"fact": "f-2", "subject": "沈砚秋", "predicate": "holds", "object": "银骨尺", "mode": "narrated"}),
        json!({"fact": "f-3", "subject": "沈砚秋", "predicate": "age", "value": 21, "unit": "岁", "mode": "flashback"}),
        json!({"fact": "f-4", "subject": "沈砚秋", "predicate": "lives_in", "object": "青阳县", "mode": "flashback", "from": "景和十四年"}),
        json!({"fact": "f-5", "subject": "姜衡", "predicate": "dies", "value": true, "mode": "said", "by": "裴慎之"}),
        json!({"fact": "f-6", "subject": "田七", "predicate": "denies", "object": "沈伯安", "known_by": [{"who": "田七"}]}),
    ];
    let said = known::facts(&facts, &["沈砚秋".into(), "田七".into()], "", words::of(Language::Zh));
    let lines = by_subject(said, words::of(Language::Zh), 500);
    assert_eq!(
        lines,
        [
            "田七：否认沈伯安（写明知道的：田七）",
            "沈砚秋：持有银骨尺；景和十四年、往事：住在青阳县",
            "姜衡：裴慎之说：死亡",
        ]
    );
    let english = known::facts(&facts[..1], &[], "", words::of(Language::En));
    assert_eq!(by_subject(english, words::of(Language::En), 500), ["沈砚秋: holds 银骨尺"]);
}

#[test]
fn the_protagonist_is_cut_last_and_at_the_end_of_a_sentence() {
    let card = |id: &str, name: &str, role_type: RoleType| Character {
        id: id.into(),
        name: name.into(),
        role_type,
        personality: "进门先看地，再看手。".repeat(4),
        background: "从前的事说来话长。".repeat(12),
        ..Character::default()
    };
    let cast: Vec<Character> = std::iter::once(card("c-1", "沈砚秋", RoleType::Protagonist))
        .chain((2..20).map(|id| card(&format!("c-{id}"), &format!("配角{id}"), RoleType::Supporting)))
        .collect();
    let cards = cards(&cast, &BTreeMap::new(), Language::Zh);
    assert!(cards[0].ends_with("从前的事说来话长。") && cards[0].contains("过去：从前"), "{}", cards[0]);
    assert!(
        cards[1..].iter().all(|card| card.ends_with(['。', '…']) && card.chars().count() < cards[0].chars().count())
    );
    assert!(cards[1..].iter().all(|card| card.contains("进门先看地")), "everybody has a card: {cards:?}");
    let total: u64 = cards.iter().map(|card| estimate::tokens(card)).sum();
    assert!(total <= limit::CAST + 100, "{total}");
}

#[test]
fn what_is_hidden_is_told_with_its_term() {
    let mut story = long_story();
    story.characters = vec![Character {
        id: "c-1".into(),
        name: "林青".into(),
        secret: "密旨是他自己请的。".into(),
        secret_until: Some("o-5".into()),
        ..Character::default()
    }];
    story.worldview = Some(qingyu_story::Worldview { truth: "棺中人不是太子。".into(), ..Default::default() });
    let hidden = |number| surroundings(&Book::of(&story), number).hidden;
    assert_eq!(hidden(4), ["真相：棺中人不是太子。", "林青的秘密（《第5章》之前读者不能知道）：密旨是他自己请的。"]);
    assert_eq!(hidden(5)[1], "林青的秘密（可以说破了）：密旨是他自己请的。");
}

#[test]
fn people_are_heard_in_what_they_have_said() {
    let story = Story {
        characters: vec![
            Character { id: "c-1".into(), name: "沈砚秋".into(), ..Character::default() },
            Character { id: "c-2".into(), name: "崔景明".into(), ..Character::default() },
        ],
        ..Story::default()
    };
    let text = "“死人不会说话，只有尺寸是他自己的。”沈砚秋说。\n“移骨？”崔景明看着沈砚秋，“本朝没有先例。”\n“走罢。”";
    let heard = said(&story, &["c-1".into(), "c-2".into()], [text].into_iter());
    assert_eq!(
        heard.into_iter().collect::<Vec<_>>(),
        [("c-1".to_owned(), vec!["“死人不会说话，只有尺寸是他自己的。”".to_owned()])]
    );
}

#[test]
fn clipping_keeps_the_limit() {
    for text in ["雨夜里的灯。".repeat(40), "a stormy night ".repeat(40)] {
        for tokens in [1, 7, 50, 100_000] {
            let clipped = clip(&text, tokens);
            assert!(estimate::tokens(&clipped) <= tokens.max(1), "{clipped} > {tokens}");
        }
    }
}

#[test]
fn scenes_are_the_nodes_below() {
    let mut story = long_story();
    let scene = OutlineNode {
        id: "o-20".into(),
        kind: OutlineNodeKind::Scene,
        parent: Some("第2章".into()),
        order: 20,
        name: "码头".into(),
        ..OutlineNode::default()
    };
    story.outline_nodes.push(scene);
    let book = Book::of(&story);
    let of =
        |number| scenes(&book, book.node(number).unwrap()).iter().map(|node| node.name.clone()).collect::<Vec<_>>();
    assert_eq!((of(1), of(2)), (vec![], vec!["码头".to_owned()]));
}

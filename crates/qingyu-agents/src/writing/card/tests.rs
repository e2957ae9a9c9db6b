mod facts;
mod later;
mod lists;
mod outline;
mod secrets;

use qingyu_llm::estimate;
use qingyu_story::holdings::Whereabouts;
use qingyu_story::{Fact, OutlineNodeKind, RoleType, TimelineEvent};
use serde_json::json;

use super::related::by_subject;
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

/// A book of two written chapters, whose facts move a ruler and tell a secret.
fn told_story() -> Story {
    let fact = |id: &str, subject: &str, predicate: &str, object: &str, chapter: u32| Fact {
        id: id.into(),
        subject: subject.into(),
        predicate: predicate.into(),
        object: Some(object.into()),
        from: format!("第{chapter}章"),
        source: Some(qingyu_story::Quotation { document: format!("d-{chapter}"), ..Default::default() }),
        ..Fact::default()
    };
    let item = |name: &str| qingyu_story::Item { name: name.into(), ..Default::default() };
    let card = |id: &str, name: &str| Character { id: id.into(), name: name.into(), ..Character::default() };
    let mut story = long_story();
    story.characters = vec![card("c-1", "沈砚秋"), card("c-2", "裴慎之")];
    story.worldview = Some(qingyu_story::Worldview {
        era: "景和十七年".into(),
        items: vec![
            qingyu_story::Item { holder: Some("裴慎之".into()), ..item("铜钥匙") },
            item("银骨尺"),
            item("双鱼玉扣"),
        ],
        ..Default::default()
    });
    story.timeline_events = vec![TimelineEvent {
        id: "e-1".into(),
        title: "抵京".into(),
        timestamp: "景和十七年八月十一 夜".into(),
        outline_node: Some("o-2".into()),
        ..TimelineEvent::default()
    }];
    story.facts = vec![
        fact("f-1", "沈砚秋", "holds", "银骨尺", 1),
        fact("f-2", "沈砚秋", "gets", "铜钥匙", 2),
        Fact { mode: qingyu_story::Mode::Flashback, ..fact("f-3", "裴慎之", "holds", "双鱼玉扣", 2) },
        Fact { object: None, value: json!("八月冰房"), ..fact("f-4", "沈砚秋", "gets", "", 2) },
        fact("f-5", "裴慎之", "gets", "银骨尺", 8),
    ];
    story
}

#[test]
fn every_section_keeps_its_limit() {
    let story = long_story();
    let around = surroundings(&NumberedBook::of(&story), 9, "");
    assert!(around.outline.iter().all(|section| estimate::tokens(section) <= limit::NODE + 20), "{around:?}");
    assert!(around.ending.chars().count() <= ENDING && around.ending.ends_with("他走了。"));
    assert_eq!(around.next, "", "the last chapter has none after it");
    let entries: Vec<Value> = (0..900)
        .map(|number| json!({"title": format!("事件{number}"), "description": "雨".repeat(50), "timestamp": format!("第{number}天")}))
        .collect();
    let facts: Vec<Value> = (0..900)
        .map(|number| json!({"fact": format!("f-{number}"), "subject": "林青", "predicate": "知道", "value": format!("{number}{}", "雨".repeat(30)), "mode": "said", "by": "苏曼", "known_by": if number % 2 == 0 { json!([{"who": "老周"}]) } else { json!([]) }}))
        .collect();
    let related = json!({"timeline_events": entries, "facts": facts, "participating_characters": entries});
    let passages = (0..50).map(|_| json!({"name": "第一章", "text": "雨".repeat(400)})).collect();
    let found = CardMaterial { story: Some(&story), related, passages, ..CardMaterial::default() };
    let card = chapter(&around, &found, 6_000);
    assert!(estimate::tokens(&card) <= 6_000);
    assert!(card.contains("【已经成立】\n- 林青：苏曼说：知道"), "events do not crowd out facts: {card}");
    assert!(card.contains("第899天") && !card.contains("第0天："), "the last events are the nearest");
    assert!(!card.contains("【谁知道什么】"), "nobody is here from whom it is kept: {card}");
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
        let before = surroundings(&NumberedBook::of(&story), count, "").before;
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
fn a_summary_of_an_earlier_text_is_marked() {
    let mut story = long_story();
    story.documents[7].summary = "他走了。".into();
    let record =
        |text: &str| serde_json::from_value(json!({"digest": qingyu_story::settlement::digest(text)})).unwrap();
    let last = |story: &Story| surroundings(&NumberedBook::of(story), 9, "").before.pop().unwrap();
    story.documents[7].settled = Some(record(&story.documents[7].text));
    assert_eq!(last(&story), "第8章：他走了。");
    story.documents[7].settled = Some(record("他没有走。"));
    assert_eq!(last(&story), "第8章（正文后来改过，这里可能不准）：他走了。");
}

#[test]
fn the_outline_of_a_text_without_a_summary_is_marked_as_the_outline() {
    for (language, marked) in [
        (Language::Zh, "第8章：（照大纲，正文未必照写）他应该走。"),
        (Language::En, "第8章: (by the outline; the text may differ) 他应该走。"),
    ] {
        let mut story = Story { language, ..long_story() };
        story.documents[7].summary.clear();
        story.outline_nodes[7].description = "他应该走。".into();
        let last = surroundings(&NumberedBook::of(&story), 9, "").before.pop().unwrap();
        assert_eq!(last, marked);
    }
}

#[test]
fn whoever_is_dead_does_not_take_part_whatever_the_outline_says() {
    for (language, warning, dead) in [
        (Language::Zh, "老周已经死在《第8章》里", "- 老周（已死，见《第8章》）"),
        (Language::En, "老周 died in “第8章”: the outline was not changed", "- 老周 (dead since “第8章”)"),
    ] {
        let mut story = Story { language, ..long_story() };
        story.outline_nodes[8].description = "老周交出账本。".into();
        story.outline_nodes[8].participants = vec!["老周".into(), "林青".into()];
        let card = |name: &str| Character { id: name.into(), name: name.into(), ..Character::default() };
        story.characters = ["老周", "林青"].map(card).into();
        let before = surroundings(&NumberedBook::of(&story), 9, "");
        assert_eq!(before.participants, ["老周", "林青"]);
        let source =
            qingyu_story::Quotation { document: "d-8".into(), quote: "他走了。".into(), ..Default::default() };
        story.facts = vec![Fact {
            subject: "老周".into(),
            predicate: "dies".into(),
            value: true.into(),
            source: Some(source),
            ..Fact::default()
        }];
        let after = surroundings(&NumberedBook::of(&story), 9, "");
        assert_eq!(after.participants, ["林青"]);
        assert!(after.outline[0].contains(warning), "{:?}", after.outline);
        assert_eq!(after.absent, ["老周"], "the chapter is about him");
        let found = CardMaterial { story: Some(&story), absent: vec!["老周".into()], ..CardMaterial::default() };
        let text = chapter(&after, &found, 6_000);
        assert!(text.contains(dead), "{text}");
    }
}

#[test]
fn worn_out_phrases_of_the_last_chapters_are_not_used_again() {
    let mut story = long_story();
    story.documents[7].text = "他倒吸一口凉气，像一只受惊的鸟。".into();
    let images = surroundings(&NumberedBook::of(&story), 9, "").images;
    assert!(images.iter().any(|words| words == "倒吸一口凉气"), "{images:?}");
}

#[test]
fn a_comparison_is_shown_to_the_end_of_its_clause() {
    let shown = |text: &str, words: &str| {
        let at = text.find(words).expect("it stands there");
        comparison(text, &(at..at + words.len())).to_owned()
    };
    let text = "He wrote a four, open at the top like a chair seen from behind, and then another.";
    assert_eq!(shown(text, "like a chair seen"), "like a chair seen from behind");
    assert_eq!(shown("It hung like a lamp.", "like a lamp"), "like a lamp");
    let long = format!("It hung like a lamp {}.", "that swings ".repeat(9));
    assert_eq!(shown(&long, "like a lamp"), "like a lamp");
    assert_eq!(shown("他像一只受惊的鸟缩在墙角。", "像一只受惊的鸟"), "像一只受惊的鸟");
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
    let around = surroundings(&NumberedBook::of(&story), 9, "");
    assert!(around.before.iter().any(|line| line.starts_with("第8章：还没有写")), "{:?}", around.before);
    let related = json!({"timeline_events": story.timeline_events, "world_settings": [{"kind": "world_rule", "name": "皇骨不凿"}, {"kind": "item", "name": "银骨尺", "description": "尺尾中空"}]});
    let found = CardMaterial { story: Some(&story), related, ..CardMaterial::default() };
    let card = chapter(&around, &found, 6_000);
    assert_eq!(card.matches("灌颅得砂").count(), 1, "nothing stands twice: {card}");
    assert!(!card.contains("皇骨不凿") && card.contains("银骨尺：尺尾中空"), "{card}");
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
    let speech = "“雨停了。灯还亮着。”他说。";
    for tokens in [20, 50] {
        assert!(clip(&speech.repeat(20), tokens).ends_with("他说。"), "not inside a quotation");
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
    let book = NumberedBook::of(&story);
    let of =
        |number| scenes(&book, book.node(number).unwrap()).iter().map(|node| node.name.clone()).collect::<Vec<_>>();
    assert_eq!((of(1), of(2)), (vec![], vec!["码头".to_owned()]));
}

#[test]
fn an_event_of_a_summarized_chapter_is_only_dated() {
    let mut story = long_story();
    story.documents[7].summary = "田七劝她称病，又认出了尺。".into();
    let event = |node: &str, title: &str| TimelineEvent {
        title: title.into(),
        description: "田七说了很多话。".into(),
        timestamp: "八月十一".into(),
        outline_node: Some(node.into()),
        participants: vec!["田七".into()],
        ..TimelineEvent::default()
    };
    story.timeline_events = vec![event("o-2", "读口供"), event("o-8", "义庄拜祖师")];
    let around = surroundings(&NumberedBook::of(&story), 9, "");
    let related = json!({"timeline_events": story.timeline_events});
    let found = CardMaterial { story: Some(&story), related, ..CardMaterial::default() };
    let card = chapter(&around, &found, 6_000);
    assert!(card.contains("- 八月十一：读口供：田七说了很多话。\n- 八月十一：义庄拜祖师"), "{card}");
    assert_eq!(card.matches("田七说了很多话").count(), 1, "{card}");
}

#[test]
fn a_relation_and_its_inverse_are_one() {
    let relation = |from: &str, kind: &str, to: &str, description: &str| json!({"from": from, "type": kind, "to": to, "description": description});
    let lines = known::relations(
        &[
            relation("沈伯安", "parent_of", "沈砚秋", "父女，也是师徒。"),
            relation("沈砚秋", "child_of", "沈伯安", "在找他的尸骨"),
            relation("沈砚秋", "ally", "裴慎之", ""),
            relation("裴慎之", "ally", "沈砚秋", "彼此防着"),
            relation("裴慎之", "rival", "沈砚秋", ""),
        ],
        &[],
        labels::of(Language::Zh),
    );
    assert_eq!(
        lines,
        [
            "沈伯安是沈砚秋的父母之一：父女，也是师徒；在找他的尸骨",
            "沈砚秋和裴慎之是盟友：彼此防着",
            "裴慎之和沈砚秋是对手"
        ]
    );
}

#[test]
fn people_whom_the_chapter_is_about_have_a_card_and_their_secret() {
    let card = |id: &str, name: &str, secret: &str| Character {
        id: id.into(),
        name: name.into(),
        secret: secret.into(),
        personality: "进门先看地。".into(),
        ..Character::default()
    };
    let mut story = long_story();
    story.outline_nodes[4].description = "林青翻看姜衡留下的信。".into();
    story.characters = vec![
        card("c-1", "林青", ""),
        card("c-2", "姜衡", "信是假的。"),
        card("c-3", "田七", "他欠林青一条命。"),
        card("c-4", "老周", ""),
    ];
    let around = surroundings(&NumberedBook::of(&story), 5, "");
    assert_eq!(around.absent, ["姜衡", "田七"], "named in the outline; the holder of a secret about somebody present");
    assert!(around.hidden[0].starts_with("姜衡的秘密") && around.hidden[1].starts_with("田七的秘密"), "{around:?}");
    let asked = surroundings(&NumberedBook::of(&story), 5, "让老周说一句话");
    assert_eq!(asked.absent, ["姜衡", "老周", "田七"], "named by the author");
    let absent = vec!["c-2".to_owned(), "c-3".to_owned()];
    let related = json!({"participating_characters": story.characters});
    let people = vec!["c-1".to_owned()];
    let found = CardMaterial { story: Some(&story), related, people, absent, ..CardMaterial::default() };
    let text = chapter(&around, &found, 6_000);
    assert!(text.contains("【不在场，但本章写到的人】\n- 姜衡。性格：进门先看地。\n- 田七"), "{text}");
    assert!(text.contains("【相关的人】\n- 老周"), "nobody stands twice: {text}");
}

#[test]
fn the_dead_are_marked_among_the_other_people_too() {
    let card = |id: &str, name: &str| Character { id: id.into(), name: name.into(), ..Character::default() };
    let mut story = long_story();
    story.characters = vec![card("c-1", "林青"), card("c-2", "老周")];
    let source = qingyu_story::Quotation { document: "d-3".into(), quote: "他走了。".into(), ..Default::default() };
    story.facts = vec![Fact {
        id: "f-1".into(),
        subject: "老周".into(),
        predicate: "dies".into(),
        value: true.into(),
        source: Some(source),
        ..Fact::default()
    }];
    let around = surroundings(&NumberedBook::of(&story), 5, "");
    let heard =
        json!({"fact": "f-2", "subject": "老周", "predicate": "dies", "value": true, "mode": "said", "by": "田七"});
    let related = json!({"participating_characters": story.characters, "facts": [heard]});
    let people = vec!["c-1".to_owned()];
    let found = CardMaterial { story: Some(&story), related, people, ..CardMaterial::default() };
    let text = chapter(&around, &found, 6_000);
    assert!(text.contains("- 老周（已死，见《第3章》）"), "{text}");
    assert!(!text.contains("田七说"), "what is certain is not hearsay as well: {text}");
}

#[test]
fn cards_of_absent_people_cost_nothing_more() {
    let card = |id: u32| Character {
        id: format!("c-{id}"),
        name: format!("Person{id}"),
        personality: "Looks at the floor first. ".repeat(40),
        ..Character::default()
    };
    let mut story = Story { language: Language::En, ..long_story() };
    story.characters = (1..=12).map(card).collect();
    story.outline_nodes[4].participants = (1..=8).map(|id| format!("Person{id}")).collect();
    let related = json!({"participating_characters": story.characters});
    let people: Vec<String> = (1..=8).map(|id| format!("c-{id}")).collect();
    let size = |absent: &[&str]| {
        let absent = absent.iter().map(|id| (*id).to_owned()).collect();
        let (related, people) = (related.clone(), people.clone());
        let found = CardMaterial { story: Some(&story), related, people, absent, ..CardMaterial::default() };
        let text = material(&found, 6_000);
        assert!(text.contains("Person1") && text.contains("Person8"), "{text}");
        (text.contains("Not there, but what the chapter is about"), estimate::tokens(&text))
    };
    let (without, with) = (size(&[]), size(&["c-9", "c-10"]));
    assert_eq!((without.0, with.0), (false, true));
    assert!(with.1 <= without.1 + 60, "{with:?} {without:?}");
}

#[test]
fn the_planner_has_short_lists_of_people_things_and_promises() {
    let mut story = told_story();
    story.outline_nodes[0].plants = vec!["断尺".into(), "旧债".into()];
    story.outline_nodes[1].pays = vec!["旧债".into()];
    story.outline_nodes[2].description = "沈砚秋把铜钥匙还回去。".into();
    story.characters[1].occupation = "大理寺少卿".into();
    let promise = |name: &str, planted: &str, paid: &[&str]| qingyu_story::Promise {
        name: name.into(),
        description: "她会回来。还有更多。".into(),
        planted: vec![planted.into()],
        paid: paid.iter().map(|place| (*place).to_owned()).collect(),
        ..qingyu_story::Promise::default()
    };
    story.promises = vec![promise("归期", "d-1", &[]), promise("已了", "d-1", &["d-2"]), promise("后话", "o-7", &[])];
    let known = surroundings(&NumberedBook::of(&story), 3, "").known;
    assert_eq!(
        known,
        [
            "【人物表】\n- 沈砚秋\n- 裴慎之：大理寺少卿",
            "【物件表】\n- 铜钥匙（在沈砚秋手里）\n- 银骨尺（在沈砚秋手里）\n- 双鱼玉扣",
            "【还没有兑现的伏笔】\n- 归期：她会回来。\n- 断尺",
        ]
    );
    story.language = Language::En;
    let known = surroundings(&NumberedBook::of(&story), 3, "").known;
    assert!(known[0].contains("People of the book") && known[2].contains("Promises still open"), "{known:?}");
    // A book of any length has lists of the same size.
    story.characters.extend((0..500).map(|id| Character { name: format!("Person {id}"), ..Character::default() }));
    let known = surroundings(&NumberedBook::of(&story), 3, "ask Person 499").known;
    assert!(estimate::tokens(&known[0]) < 320 && known[0].contains("Person 499"), "{}", known[0]);
}

#[test]
fn the_title_of_an_event_is_not_told_twice() {
    use qingyu_story::Mode::{Flashback, Narrated, Said};
    let line = |title: &str, description: &str, mode, language| {
        let (title, description) = (title.to_owned(), description.to_owned());
        let event = qingyu_story::TimelineEvent { title, description, mode, ..qingyu_story::TimelineEvent::default() };
        known::event_line(&event, labels::of(language))
    };
    let bought = "罗世昌在亨达利买下银壳怀表。";
    for (title, description, mode, expected) in [
        ("罗世昌买表", bought, Narrated, bought.to_owned()),
        ("罗世昌买表", bought, Said, format!("有人说：{bought}")),
        ("陆怀谷退职", "陆怀谷辞去法医。", Flashback, "往事：陆怀谷退职。陆怀谷辞去法医。".into()),
        ("陆怀谷退职", "陆怀谷辞去法医。", Narrated, "陆怀谷退职：陆怀谷辞去法医。".into()),
    ] {
        assert_eq!(line(title, description, mode, Language::Zh), expected);
    }
    let sold = "Ann sells the old watch.";
    for (title, mode, expected) in [
        ("Ann sells the watch", Narrated, sold),
        ("The watch is gone", Narrated, "The watch is gone: Ann sells the old watch."),
        ("The watch is gone", Flashback, "in the past: The watch is gone. Ann sells the old watch."),
    ] {
        assert_eq!(line(title, sold, mode, Language::En), expected);
    }
}

#[test]
fn what_somebody_means_to_do_is_no_past_event() {
    let event = |title: &str, who: &[&str]| qingyu_story::TimelineEvent {
        title: title.into(),
        participants: who.iter().map(|name| (*name).to_owned()).collect(),
        mode: qingyu_story::Mode::Planned,
        ..qingyu_story::TimelineEvent::default()
    };
    let line = |event, language| known::event_line(&event, labels::of(language));
    assert_eq!(line(event("启程去京城", &["林青"]), Language::Zh), "林青打算：启程去京城");
    assert_eq!(
        line(event("leaves for the city", &["Mara", "Ann"]), Language::En),
        "Mara plans: leaves for the city (Ann)"
    );
    assert_eq!(line(event("启程去京城", &[]), Language::Zh), "有人打算：启程去京城");
    let story = long_story();
    let related =
        json!({"timeline_events": [event("启程去京城", &["林青"]), {"title": "接旨", "description": "旨意到了"}]});
    let found = CardMaterial { story: Some(&story), related, ..CardMaterial::default() };
    let card = material(&found, 4_000);
    assert!(card.contains("【已经发生】\n- 接旨：旨意到了"), "{card}");
    assert!(card.contains("【人物打算做的事】\n- 林青打算：启程去京城"), "{card}");
}

#[test]
fn what_an_unwritten_chapter_plans_has_not_happened() {
    let event = |title: &str, node: &str| json!({"id": title, "title": title, "outline_node": node});
    for (language, told, planned) in [
        (Language::Zh, "【已经发生】\n- 抵京", "【大纲里在本章之前，正文还没有写到】\n- 接旨"),
        (Language::En, "What has happened", "Planned before this chapter, not told yet"),
    ] {
        let story = Story { language, ..long_story() };
        let related = json!({"timeline_events": [event("抵京", "o-2"), event("接旨", "o-9")]});
        let found = CardMaterial { story: Some(&story), related, ..CardMaterial::default() };
        let card = material(&found, 4_000);
        let (told, planned) = (card.find(told).expect("it is told"), card.find(planned).expect("it is planned"));
        let (first, second) =
            (card.find("抵京").expect("it stands there"), card.find("接旨").expect("it stands there"));
        assert!(told < first && first < planned && planned < second, "{card}");
    }
}

#[test]
fn what_has_happened_and_is_told_later_stands_apart() {
    for (language, heading) in [
        (Language::Zh, "早已发生，后面的章节才讲到，读者还不能知道"),
        (Language::En, "Has happened before, told by a later chapter; readers must not know it yet"),
    ] {
        let story = Story { language, ..long_story() };
        let event =
            json!({"id": "e-1", "title": "押表", "outline_node": "o-9", "mode": "flashback", "told_later": true});
        let related = json!({"timeline_events": [event]});
        let found = CardMaterial { story: Some(&story), related, ..CardMaterial::default() };
        let card = material(&found, 4_000);
        assert!(card.find(heading).is_some_and(|at| card[at..].contains("押表")), "{card}");
    }
}

#[test]
fn a_parent_is_named_by_the_gender_on_the_card() {
    let relation = json!({"from": "沈伯安", "type": "parent_of", "to": "沈砚秋"});
    let card = |gender: &str| Character { name: "沈伯安".into(), gender: gender.into(), ..Character::default() };
    let told =
        |gender: &str| known::relations(std::slice::from_ref(&relation), &[card(gender)], labels::of(Language::Zh));
    assert_eq!(told("男"), ["沈伯安是沈砚秋的父亲"]);
    assert_eq!(told("女"), ["沈伯安是沈砚秋的母亲"]);
    assert_eq!(told(""), ["沈伯安是沈砚秋的父母之一"]);
}

#[test]
fn siblings_are_named_by_the_genders_on_their_cards() {
    let relation = json!({"from": "佟秀云", "type": "sibling", "to": "佟秀敏"});
    let card =
        |name: &str, gender: &str| Character { name: name.into(), gender: gender.into(), ..Character::default() };
    let told = |language: Language, genders: [&str; 2]| {
        let cast = [card("佟秀云", genders[0]), card("佟秀敏", genders[1])];
        known::relations(std::slice::from_ref(&relation), &cast, labels::of(language)).concat()
    };
    assert_eq!(told(Language::Zh, ["女", "女"]), "佟秀云和佟秀敏是姐妹");
    assert_eq!(told(Language::Zh, ["男", "男"]), "佟秀云和佟秀敏是兄弟");
    assert_eq!(told(Language::Zh, ["女", "男"]), "佟秀云和佟秀敏是兄弟姐妹");
    assert_eq!(told(Language::En, ["female", "female"]), "佟秀云 and 佟秀敏 are sisters");
    assert_eq!(told(Language::En, ["female", "male"]), "佟秀云 and 佟秀敏 are brother and sister");
    assert_eq!(told(Language::En, ["", "male"]), "佟秀云 and 佟秀敏 are siblings");
}

#[test]
fn sentences_in_one_line_have_their_full_stop_at_the_end() {
    let listed = |language, texts: [&str; 3]| labels::of(language).listed(&texts.map(str::to_owned));
    assert_eq!(listed(Language::Zh, ["他不动了。", "户房老书吏", "失去铜钥。"]), "他不动了；户房老书吏；失去铜钥。");
    assert_eq!(listed(Language::En, ["He is still.", "Wait...", "A clerk."]), "He is still; Wait...; A clerk.");
}

#[test]
fn every_chapter_is_told_how_the_author_wants_the_book() {
    let premise = "海军外科医生的日志，他答应过一个女孩。第一人称。不写战斗。";
    let story = Story { premise: premise.into(), ..Story::default() };
    let told = stable(&story, &Config::default(), &Constraints::default(), &[]);
    let conceived = "【作者对全书的构想】\n- 海军外科医生的日志，他答应过一个女孩。\n";
    assert_eq!(told, format!("{conceived}【作者对全书的要求】\n- 第一人称\n- 不写战斗"));
    assert_eq!(world_and_style(&story, &Config::default()), "", "the prompt of a plan has the author's words");
}

#[test]
fn the_sentences_of_a_conception_keep_their_marks() {
    for (language, premise, shown) in [
        (
            Language::En,
            "Isobel, 31, keeps the house; Euan, 27, farms it; and Morag is back. Who has the ring? Their mother died in \
             February; their father was lost at sea.\nFirst person.",
            "- Isobel, 31, keeps the house; Euan, 27, farms it; and Morag is back. Who has the ring? Their mother died \
             in February; their father was lost at sea.\n",
        ),
        (Language::En, "She keeps the house; first person.", "- She keeps the house.\n"),
        (Language::Zh, "姐姐管家；哥哥种地。戒指在谁手里？第一人称。", "- 姐姐管家；哥哥种地。戒指在谁手里？\n"),
    ] {
        let story = Story { premise: premise.into(), language, ..Story::default() };
        let told = stable(&story, &Config::default(), &Constraints::default(), &[]);
        assert!(told.contains(shown), "{told}");
    }
}

#[test]
fn the_writer_is_told_where_and_when_a_book_without_a_world_plays() {
    let premise = "An inheritance mystery in Whitby, October 1911. Dr. Marsh keeps a ledger.\n\n[Parameters, which take \
                   precedence over the words above] genre: mystery; chapters: 3";
    let story = Story { premise: premise.into(), language: Language::En, ..Story::default() };
    let told = stable(&story, &Config::default(), &Constraints::default(), &[]);
    assert_eq!(
        told,
        "[The book as its author conceived it]\n- An inheritance mystery in Whitby, October 1911. Dr. Marsh keeps a \
         ledger.\n- Genre: mystery"
    );
    let long = Story { premise: "他在旧港等船。".repeat(200), ..Story::default() };
    let told = stable(&long, &Config::default(), &Constraints::default(), &[]);
    assert!(estimate::tokens(&told) <= limit::PREMISE + 20, "{told}");
    let none = stable(&Story::default(), &Config::default(), &Constraints::default(), &[]);
    assert_eq!(none, "", "an imported text has no premise");
}

#[test]
fn a_passage_ends_where_the_end_of_the_previous_chapter_begins() {
    let ending = "He put: I gave the captain my promise.\nOverhead somebody walked.";
    let cut = |line| before_ending(line, ending);
    assert_eq!(cut("There was a sheet left. He put: I gave the captain my promise."), "There was a sheet left.");
    assert_eq!(cut("He put: I gave the captain my promise."), "");
    assert_eq!(cut("There was a sheet left."), "There was a sheet left.");
    assert_eq!(cut("That was what he put down. He"), "That was what he put down. He", "a word in common is chance");
    assert_eq!(
        before_ending("门开了。火头亮起来，她看见木龛是空的。", "火头亮起来，她看见木龛是空的。她没有喊。"),
        "门开了。"
    );
}

#[test]
fn a_death_before_the_chapter_is_on_the_card() {
    let mut story = told_story();
    story.characters[1].death = Some("景和十七年八月初一".into());
    let event = |node: &str, time: &str| TimelineEvent {
        title: time.into(),
        timestamp: time.into(),
        outline_node: Some(node.into()),
        ..TimelineEvent::default()
    };
    story.timeline_events = vec![event("o-1", "景和十七年七月初一"), event("o-2", "景和十七年八月十一")];
    let dead = |story: &Story, number: u32| {
        let dead = related::dead_before(&NumberedBook::of(story), number, labels::of(Language::Zh));
        dead.into_iter().collect::<Vec<_>>()
    };
    assert!(dead(&story, 1).is_empty(), "it has not happened yet");
    assert_eq!(dead(&story, 2), [("c-2".to_owned(), "已死（景和十七年八月初一）".to_owned())]);
    assert!(dead(&story, 3).is_empty(), "nobody knows when the chapter is");
    let dies = |chapter: u32| Fact {
        subject: "裴慎之".into(),
        predicate: "dies".into(),
        value: true.into(),
        source: Some(qingyu_story::Quotation {
            document: format!("d-{chapter}"),
            quote: "他走了。".into(),
            ..Default::default()
        }),
        ..Fact::default()
    };
    story.facts = vec![dies(2)];
    assert_eq!(
        dead(&story, 3),
        [("c-2".to_owned(), "已死（景和十七年八月初一）".to_owned())],
        "the chapter of the funeral is not the day of the death"
    );
}

#[test]
fn an_event_that_another_chapter_tells_is_no_plan_of_this_one() {
    let mut story = told_story();
    let event = |id: &str| TimelineEvent {
        id: id.into(),
        title: format!("抵京{id}"),
        outline_node: Some("o-1".into()),
        ..TimelineEvent::default()
    };
    story.timeline_events = vec![event("e-1"), event("e-2")];
    let planned = |story: &Story| {
        let outline = surroundings(&NumberedBook::of(story), 1, "").outline.join("\n");
        ["e-1", "e-2"].map(|id| outline.contains(&format!("抵京{id}")))
    };
    let record =
        |event: &str| Some(serde_json::from_value(json!({"events": [{"event": event, "quote": "他走了。"}]})).unwrap());
    assert_eq!(planned(&story), [true, true]);
    story.documents[1].settled = record("e-2");
    assert_eq!(planned(&story), [true, true], "its own chapter may still tell it");
    story.documents[0].settled = record("e-1");
    assert_eq!(planned(&story), [true, false]);
    let mut second = Document { id: "d-1b".into(), ..story.documents[0].clone() };
    second.settled = record("e-2");
    story.documents.push(second);
    assert_eq!(planned(&story), [true, true], "another text of the same chapter tells it");
    story.documents.last_mut().unwrap().settled = None;
    assert_eq!(planned(&story), [true, true], "another text of the same chapter may still tell it");
}

#[test]
fn a_question_of_the_outline_is_followed_by_no_full_stop() {
    for (language, goal, description, said) in [
        (Language::Zh, "谁杀了他？", "他走了。", "谁杀了他？他走了。"),
        (Language::Zh, "找到凶手", "他走了。", "找到凶手。他走了。"),
        (Language::En, "Who killed him?", "He leaves.", "Who killed him? He leaves."),
        (Language::En, "She asks “Who?”", "He leaves.", "She asks “Who?” He leaves."),
        (Language::En, "Find the killer.", "He leaves.", "Find the killer. He leaves."),
        (Language::En, "Find the killer", "", "Find the killer"),
    ] {
        assert_eq!(labels::of(language).sentences(&[goal, description]), said);
        let mut story = Story { language, ..long_story() };
        (story.outline_nodes[5].goal, story.outline_nodes[5].description) = (goal.into(), description.into());
        let next = surroundings(&NumberedBook::of(&story), 5, "").next;
        assert!(next.ends_with(said), "{next}");
    }
    let card = |name: &str| Character { name: name.into(), personality: "Bold".into(), ..Character::default() };
    let lines = cards(&[card("Who?"), card("Mara")], &BTreeMap::new(), &BTreeMap::new(), Language::En);
    assert!(lines[0].starts_with("Who? ") && lines[1].starts_with("Mara. "), "{lines:?}");
}

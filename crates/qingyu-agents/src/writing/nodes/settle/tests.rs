use serde_json::json;

use qingyu_story::OutlineNode;

use super::*;

const TEXT: &str = "林深把旧罗盘收进怀里。他今年二十六岁。Mara left the harbour.";

#[track_caller]
fn check(told: serde_json::Value) -> Vec<String> {
    problems(&serde_json::from_value(told).expect("it is an extraction"), TEXT, Language::En)
}

#[test]
fn predicates_are_listed_by_what_they_take() {
    let lines = predicates(Language::Zh);
    assert_eq!(lines.len(), 5, "{lines:?}");
    assert!(lines[0].starts_with("`object` 是名字：位于、"), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("`value` 是数：") && line.contains("年龄")), "{lines:?}");
    let english = predicates(Language::En);
    assert!(english[0].starts_with("`object` is a name: is_at, "), "{english:?}");
    let count = |lines: &[String], comma: &str| lines.iter().map(|line| line.split(comma).count()).sum::<usize>();
    assert_eq!(count(&english, ", "), predicate::all().len() + 1, "one label has a comma");
}

#[test]
fn problems_are_told_in_the_language_of_the_book() {
    let told: Extraction = serde_json::from_value(json!({"events": [{"title": ""}]})).expect("it is an extraction");
    assert_eq!(problems(&told, TEXT, Language::Zh), ["/events/0：缺少 `title`"]);
    assert_eq!(problems(&told, TEXT, Language::En), ["/events/0: `title` is missing"]);
}

#[test]
fn an_answer_that_says_nothing_is_bad_and_a_quiet_chapter_is_not() {
    assert_eq!(check(json!({})).len(), 1);
    assert_eq!(check(json!({"summary": " ", "facts": []})).len(), 1);
    assert_eq!(check(json!({"summary": "林深收起了罗盘。"})), [""; 0]);
    assert_eq!(check(json!({"summary": "Mara leaves."})), [""; 0]);
}

#[test]
fn entries_without_a_name_are_asked_about_unless_few() {
    let quote = "他今年二十六岁。";
    let wordy = json!({"quote": quote, "value": "林深二十六岁"});
    assert_eq!(
        check(json!({"summary": "林深收起了罗盘。", "facts": [wordy, wordy]})),
        ["/facts/0: `subject` is missing", "/facts/1: `subject` is missing"]
    );
    let event = json!({"description": "Mara leaves", "quote": "Mara left the harbour."});
    assert_eq!(check(json!({"summary": "Mara leaves.", "events": [event]})), ["/events/0: `title` is missing"]);
    let good = json!({"subject": "林深", "predicate": "年龄", "value": 26, "quote": quote});
    assert_eq!(check(json!({"facts": [good, good, wordy]})), [""; 0], "one of three is left out later");
}

#[test]
fn what_an_earlier_chapter_gave_away_is_no_secret() {
    let story: Story = serde_json::from_value(json!({
        "language": "en",
        "worldview": {"truth": "The ledger was forged."},
        "characters": [{"id": "c-1", "name": "Ann", "secret": "sold it"}, {"id": "c-2", "name": "Tom", "secret": "saw it"}],
        "outline_nodes": [{"id": "o-1", "name": "Chapter 1", "order": 1}, {"id": "o-2", "name": "Chapter 2", "order": 2}],
        "documents": [{"id": "d-1", "title": "Chapter 1", "order": 1, "outline_node": "o-1", "text": "Ann sold it.",
            "settled": {"revealed": [{"of": "c-1", "quote": "Ann sold it."}, {"of": "c-2", "quote": "Edited away."}]}}]
    }))
    .unwrap();
    let secrets = |number: u32| {
        let chapter = ChapterInHand { number, node: format!("o-{number}"), ..ChapterInHand::default() };
        ReaderContext::of(&story, &chapter, "Ann met Tom.").secrets
    };
    let truth = format!("{}: The ledger was forged.", labels::of(Language::En).truth);
    assert_eq!(secrets(1), [truth.clone(), "Ann: sold it".into(), "Tom: saw it".into()]);
    assert_eq!(secrets(2), [truth, "Tom: saw it".into()]);
}

#[test]
fn a_person_named_by_a_first_name_is_known_with_the_secret() {
    let person =
        |name: &str| Character { id: name.into(), name: name.into(), secret: "sold it".into(), ..Character::default() };
    let characters = vec![person("Ottilie Marsh"), person("Fenwick Marsh")];
    let story = Story { language: Language::En, characters, ..Story::default() };
    let known = ReaderContext::of(&story, &ChapterInHand::default(), "Fenwick's slates lay in rows.");
    assert_eq!(known.cards, ["character: Fenwick Marsh"]);
    assert_eq!(known.secrets, ["Fenwick Marsh: sold it"]);
}

#[test]
fn whom_the_text_calls_by_less_than_a_name_and_who_is_planned_are_known() {
    let person = |name: &str| Character { id: name.into(), name: name.into(), ..Character::default() };
    let location = |name: &str| qingyu_story::Location { name: name.into(), ..qingyu_story::Location::default() };
    let characters = ["沈砚秋", "裴慎之", "崔景明", "田七", "Mara Voss"].map(person).to_vec();
    let locations = (0..20).map(|at| location(&format!("渡口{at}"))).collect();
    let worldview = qingyu_story::Worldview { locations, ..qingyu_story::Worldview::default() };
    let node = OutlineNode { id: "o-1".into(), name: "第一章".into(), order: 1, ..OutlineNode::default() };
    let scene =
        OutlineNode { participants: vec!["景明".into()], location: Some("渡口3".into()), ..OutlineNode::default() };
    let event = TimelineEvent {
        participants: vec!["田七".into()],
        outline_node: Some("o-1".into()),
        ..TimelineEvent::default()
    };
    let story = Story {
        characters,
        worldview: Some(worldview),
        outline_nodes: vec![node],
        timeline_events: vec![event],
        ..Story::default()
    };
    let mut chapter = ChapterInHand { number: 1, node: "o-1".into(), ..ChapterInHand::default() };
    chapter.surroundings.scenes = vec![scene];
    let known = ReaderContext::of(&story, &chapter, "砚秋看了裴大人一眼。Mara没有说话。").cards;
    assert_eq!(
        known[..6],
        [
            "character: 沈砚秋",
            "character: Mara Voss",
            "character: 崔景明",
            "character: 田七",
            "location: 渡口3",
            "character: 裴慎之"
        ]
    );
    assert!(known.len() <= 6 + UNNAMED && !known.contains(&"location: 渡口0".to_owned()), "{known:?}");
    let everybody = (0..80).map(|at| person(&format!("人{at:02}"))).collect::<Vec<_>>();
    let text = everybody.iter().map(|card| card.name.as_str()).collect::<Vec<_>>().join("、");
    let story = Story { characters: everybody, ..Story::default() };
    assert_eq!(ReaderContext::of(&story, &chapter, &text).cards.len(), KNOWN, "the block has a bound");
}

#[test]
fn whom_a_chapter_speaks_of_without_a_name_is_known() {
    let person = |name: &str| Character { id: name.into(), name: name.into(), ..Character::default() };
    let event = TimelineEvent {
        title: "林深听到流言".into(),
        description: "有人说林远山是自己走的。".into(),
        participants: vec!["林深".into()],
        outline_node: Some("o-1".into()),
        ..TimelineEvent::default()
    };
    let story = Story {
        characters: ["林深", "林远山", "周沉", "沈舟"].map(person).to_vec(),
        outline_nodes: vec![OutlineNode {
            id: "o-1".into(),
            name: "第一章".into(),
            order: 1,
            ..OutlineNode::default()
        }],
        timeline_events: vec![event],
        ..Story::default()
    };
    let mut chapter = ChapterInHand { number: 1, node: "o-1".into(), ..ChapterInHand::default() };
    chapter.surroundings.absent = vec!["周沉".into()];
    let known = ReaderContext::of(&story, &chapter, "林深听人说，他爹是自己走的。").cards;
    assert_eq!(known, ["character: 林深", "character: 周沉", "character: 林远山"]);
}

#[test]
fn what_happened_before_the_book_may_be_told_in_any_chapter() {
    let story: Story = serde_json::from_value(json!({
        "language": "en",
        "characters": [{"id": "c-1", "name": "Silas Crane"}, {"id": "c-2", "name": "Ann Lowe"}],
        "outline_nodes": [{"id": "o-1", "name": "Chapter 1", "order": 1}, {"id": "o-2", "name": "Chapter 2", "order": 2}],
        "timeline_events": [
            {"id": "e-1", "title": "The sale", "timestamp": "1887-01-14", "participants": ["Silas Crane"]},
            {"id": "e-2", "title": "The journey", "participants": ["Ann Lowe"]},
            {"id": "e-3", "title": "The trial", "participants": ["Silas Crane"], "outline_node": "o-2"},
            {"id": "e-4", "title": "The ring", "participants": ["Silas Crane"], "outline_node": "o-1"}
        ],
    }))
    .unwrap();
    let chapter = ChapterInHand { number: 1, node: "o-1".into(), ..ChapterInHand::default() };
    let known = ReaderContext::of(&story, &chapter, "Silas Crane said that he had sold it.");
    assert_eq!(known.planned, ["The ring", "The sale | 1887-01-14"], "nobody else's, no other chapter's");
}

#[test]
fn what_a_chapter_was_found_to_tell_is_known_when_it_is_settled_again() {
    let story: Story = serde_json::from_value(json!({
        "language": "en",
        "characters": [{"id": "c-1", "name": "Marian Tillery"}, {"id": "c-2", "name": "Walter Tillery"}],
        "outline_nodes": [{"id": "o-1", "name": "Chapter 1", "order": 1}, {"id": "o-2", "name": "Chapter 2", "order": 2}],
        "documents": [
            {"id": "d-1", "title": "Chapter 1", "order": 1, "outline_node": "o-1", "text": "He gave Marian Tillery the bell.",
             "settled": {"version": 1, "events": [{"event": "e-1", "quote": "He gave Marian Tillery the bell."}]}},
            {"id": "d-2", "title": "Chapter 2", "order": 2, "outline_node": "o-2", "text": "Marian Tillery rang."}
        ],
        "timeline_events": [
            {"id": "e-1", "title": "The promise", "timestamp": "1977-11-06", "participants": ["Walter Tillery"]},
            {"id": "e-2", "title": "The departure", "participants": ["Marian Tillery"]}
        ],
    }))
    .unwrap();
    let planned = |number: u32, node: &str| {
        let chapter = ChapterInHand { number, node: node.into(), ..ChapterInHand::default() };
        ReaderContext::of(&story, &chapter, "Marian Tillery rang.").planned
    };
    assert_eq!(planned(1, "o-1"), ["The promise | 1977-11-06", "The departure"]);
    assert_eq!(planned(2, "o-2"), ["The departure"], "the first chapter tells it");
}

#[test]
fn what_an_earlier_chapter_left_untold_may_be_told_in_a_later_one() {
    for (language, name) in [("zh", "沈伯庸"), ("en", "Walter Tillery")] {
        let text = format!("{name}。");
        let event = |id: &str, title: &str, node: &str, people: &[&str]| TimelineEvent {
            id: id.into(),
            title: title.into(),
            outline_node: Some(node.into()),
            participants: people.iter().map(|name| (*name).to_owned()).collect(),
            ..TimelineEvent::default()
        };
        let story: Story = serde_json::from_value(json!({
            "language": language,
            "characters": [{"id": "c-1", "name": name}, {"id": "c-2", "name": "Ann Lowe"}],
            "outline_nodes": [
                {"id": "o-1", "name": "1", "order": 1}, {"id": "o-2", "name": "2", "order": 2},
                {"id": "o-3", "name": "3", "order": 3}
            ],
            "documents": [{"id": "d-1", "title": "1", "order": 1, "outline_node": "o-1", "text": text,
                "settled": {"version": 1, "events": [{"event": "e-2", "quote": text}]}}],
            "timeline_events": [
                event("e-1", "A", "o-1", &[name]), event("e-2", "B", "o-1", &[name]),
                event("e-3", "C", "o-1", &["Ann Lowe"]), event("e-4", "D", "o-2", &[name]),
                event("e-5", "E", "o-3", &[name])
            ],
        }))
        .unwrap();
        let chapter = ChapterInHand { number: 2, node: "o-2".into(), ..ChapterInHand::default() };
        let known = ReaderContext::of(&story, &chapter, &text);
        assert_eq!(known.planned, ["D", "A"], "neither told, nor of others, nor of a later chapter");
    }
}

#[test]
fn the_promises_of_a_chapter_settled_again_are_those_open_in_it() {
    let story: Story = serde_json::from_value(json!({
        "outline_nodes": [
            {"id": "o-1", "name": "第一章", "order": 1}, {"id": "o-2", "name": "第二章", "order": 2},
            {"id": "o-3", "name": "第三章", "order": 3}
        ],
        "documents": [
            {"id": "d-1", "title": "第一章", "order": 1, "outline_node": "o-1", "text": "一。"},
            {"id": "d-2", "title": "第二章", "order": 2, "outline_node": "o-2", "text": "二。"},
            {"id": "d-3", "title": "第三章", "order": 3, "outline_node": "o-3", "text": "三。"}
        ],
        "promises": [
            {"id": "promise-1", "name": "交账", "planted": ["d-2"], "paid": ["d-3"], "importance": 5},
            {"id": "promise-2", "name": "旧债", "planted": ["d-1"], "paid": ["d-1"], "importance": 4},
            {"id": "promise-3", "name": "归期", "planted": ["d-3"], "importance": 3},
            {"id": "promise-4", "name": "木样", "planted": ["o-1"], "paid": ["d-2"], "importance": 2}
        ],
    }))
    .unwrap();
    let known = |number: u32, node: &str| {
        let chapter = ChapterInHand { number, node: node.into(), ..ChapterInHand::default() };
        ReaderContext::of(&story, &chapter, "二。").promises
    };
    assert_eq!(known(2, "o-2"), ["交账", "木样"], "neither paid before nor planted later");
    assert_eq!(known(1, "o-1"), ["旧债", "木样"]);
    assert_eq!(known(3, "o-3"), ["交账", "归期"]);
}

#[test]
fn the_truth_is_known_whole_and_every_column_of_a_plan_has_its_place() {
    let truth = "当年是弟弟替哥哥顶了债，把祖传的罗盘押在邱家，又照样铸了一只放回木龛。".repeat(3);
    let truth = format!("{truth}哥哥一直说债早已还清。");
    let story: Story = serde_json::from_value(json!({
        "worldview": {"truth": truth},
        "outline_nodes": [{"id": "o-1", "name": "第一章", "order": 1}],
        "timeline_events": [
            {"id": "e-1", "title": "船股亏光", "timestamp": "1998年10月", "description": "钱没了", "outline_node": "o-1"},
            {"id": "e-2", "title": "守灵", "location": "老屋", "outline_node": "o-1"}
        ],
    }))
    .unwrap();
    let chapter = ChapterInHand { number: 1, node: "o-1".into(), ..ChapterInHand::default() };
    let known = ReaderContext::of(&story, &chapter, "她守了一夜。");
    assert!(known.secrets[0].ends_with("哥哥一直说债早已还清。"), "{:?}", known.secrets);
    assert_eq!(known.planned, ["船股亏光 | 1998年10月 | - | 钱没了", "守灵 | - | 老屋"]);
}

#[test]
fn what_later_chapters_tell_of_lives_and_things_is_shown() {
    let story: Story = serde_json::from_value(json!({
        "language": "en",
        "characters": [{"id": "c-1", "name": "Silas Crane"}, {"id": "c-2", "name": "Ann Lowe"}],
        "worldview": {"items": [{"id": "i-1", "name": "the ledger"}]},
        "outline_nodes": [{"id": "o-1", "name": "Chapter 1", "order": 1}, {"id": "o-2", "name": "Chapter 2", "order": 2}],
        "documents": [
            {"id": "d-1", "title": "Chapter 1", "order": 1, "outline_node": "o-1", "text": "Silas Crane sold the ledger."},
            {"id": "d-2", "title": "Chapter 2", "order": 2, "outline_node": "o-2", "text": "Silas Crane has the ledger. He dies."}
        ],
        "facts": [
            {"id": "f-1", "subject": "Silas Crane", "predicate": "dies", "value": true, "from": "1887-03-02",
             "source": {"document": "d-2", "quote": "He dies."}},
            {"id": "f-2", "subject": "Silas Crane", "predicate": "holds", "object": "the ledger",
             "source": {"document": "d-2", "quote": "Silas Crane has the ledger."}},
            {"id": "f-3", "subject": "Silas Crane", "predicate": "mood", "value": "calm",
             "source": {"document": "d-2", "quote": "He dies."}},
            {"id": "f-4", "subject": "Ann Lowe", "predicate": "dies", "value": true,
             "source": {"document": "d-2", "quote": "He dies."}}
        ]
    }))
    .unwrap();
    let later = |number: u32, node: &str| {
        let mut chapter = ChapterInHand { number, node: node.into(), ..ChapterInHand::default() };
        chapter.surroundings.later = vec!["Chapter 2: He dies.".into()];
        ReaderContext::of(&story, &chapter, "Silas Crane sold the ledger.").later
    };
    assert_eq!(
        later(1, "o-1"),
        ["Chapter 2: He dies.", "Chapter 2: Silas Crane dies (1887-03-02)", "Chapter 2: Silas Crane holds the ledger"]
    );
    assert_eq!(later(2, "o-2"), ["Chapter 2: He dies."], "nothing is written after it");
}

#[test]
fn things_at_hand_are_known_even_if_the_text_does_not_name_them() {
    let item = |name: &str, holder: Option<&str>| qingyu_story::Item {
        name: name.into(),
        holder: holder.map(str::to_owned),
        ..qingyu_story::Item::default()
    };
    let mut items = vec![item("承影", Some("林深"))];
    items[0].alias = ["甲", "乙", "丙", "丁", "断水"].map(str::to_owned).into();
    items.extend((0..20).map(|at| item(&format!("杂物{at}"), None)));
    let location = |name: &str| qingyu_story::Location { name: name.into(), ..qingyu_story::Location::default() };
    let story = Story {
        characters: vec![Character { name: "林深".into(), ..Character::default() }],
        worldview: Some(qingyu_story::Worldview {
            items,
            locations: vec![location("旧港"), location("青阳")],
            ..qingyu_story::Worldview::default()
        }),
        ..Story::default()
    };
    let mut chapter = ChapterInHand { number: 2, ..ChapterInHand::default() };
    chapter.surroundings.participants = vec!["林深".into()];
    let known = ReaderContext::of(&story, &chapter, "林深握紧了霜寒。").cards;
    assert_eq!(known[..2], ["character: 林深", "item: 承影 = 断水 = 丁 = 丙 = 乙"], "the newest name first");
    assert_eq!(known.iter().filter(|line| line.starts_with("item: ")).count(), UNNAMED);
    assert!(known.contains(&"item: 杂物19".to_owned()) && !known.contains(&"item: 杂物0".to_owned()), "{known:?}");
    assert!(known.contains(&"location: 旧港".to_owned()), "{known:?}");
    // What the text names does not count among those that it does not name.
    let known = ReaderContext::of(&story, &chapter, "林深握紧了承影。").cards;
    assert_eq!(known.iter().filter(|line| line.starts_with("item: ")).count(), 1 + UNNAMED, "{known:?}");
}

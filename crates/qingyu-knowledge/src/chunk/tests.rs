use proptest::prelude::*;
use qingyu_story::{
    Character, CharacterRelation, CustomField, Fact, Language, Location, Mode, OutlineNode, Promise, RelationKind,
    RoleType, TimelineEvent, Worldview,
};

use super::*;
use crate::Filter;

fn node(id: &str, name: &str, order: u32, kind: OutlineNodeKind) -> OutlineNode {
    OutlineNode { id: id.into(), name: name.into(), order, kind, ..OutlineNode::default() }
}

#[test]
fn every_field_is_listed() {
    let chunks = of(&story());
    let unknown = chunks.iter().flat_map(|chunk| chunk.fields.keys()).find(|field| !FIELDS.contains(&field.as_str()));
    assert_eq!(unknown, None);
    assert!(FIELDS.is_sorted());
}

fn story() -> Story {
    let text = format!("第一章 雨夜\n阿深走进旧港。{}\n***\n苏曼没有来。", "雨一直下着，没有停。".repeat(80));
    Story {
        worldview: Some(Worldview {
            locations: vec![Location { id: "l-1".into(), name: "旧港".into(), ..Location::default() }],
            ..Worldview::default()
        }),
        outline_nodes: vec![
            node("o-3", "第二章 天明", 4, OutlineNodeKind::Chapter),
            node("o-1", "上卷", 1, OutlineNodeKind::Act),
            OutlineNode {
                location: Some("旧港".into()), ..node("o-2", "第一章 雨夜", 2, OutlineNodeKind::Chapter)
            },
            node("o-4", "码头", 3, OutlineNodeKind::Scene),
        ],
        characters: vec![
            Character {
                id: "c-1".into(),
                name: "林深".into(),
                alias: vec!["阿深".into()],
                role_type: RoleType::Protagonist,
                traits: vec!["勇敢".into()],
                background: "他在旧港长大。".repeat(200),
                ..Character::default()
            },
            Character {
                name: "苏曼".into(),
                gender: "女".into(),
                custom: vec![CustomField { name: "灵根".into(), value: "水火双灵根".into() }],
                ..Character::default()
            },
        ],
        timeline_events: vec![TimelineEvent {
            id: "e-1".into(),
            title: "停电".into(),
            outline_node: Some("第二章".into()),
            ..TimelineEvent::default()
        }],
        documents: vec![Document {
            id: "d-1".into(),
            title: "雨夜".into(),
            order: 9,
            outline_node: Some("o-2".into()),
            version: 3,
            text,
            ..Document::default()
        }],
        promises: vec![Promise { name: "芯片".into(), planted: vec!["d-1".into()], ..Promise::default() }],
        ..Story::default()
    }
}

fn found(condition: &str) -> String {
    let filter = Filter::parse(condition).unwrap();
    let chunks = of(&story()).into_iter().filter(|chunk| filter.fits(&chunk.fields));
    chunks
        .map(|chunk| format!("{}/{}/{}", chunk.source.kind.name(), chunk.source.id, chunk.part))
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn filters_find_what_the_fields_say() {
    for (condition, expected) in [
        ("role_type=protagonist and traits contains 勇敢", "character/c-1/0 character/c-1/1 character/c-1/2"),
        ("name = 苏曼", "character/#1/0"),
        ("gender = 女", "character/#1/0"),
        ("custom contains 双灵根 and not custom contains 单", "character/#1/0"),
        ("participants = 林深", "document/d-1/0"),
        ("participants = 苏曼", "document/d-1/2"),
        ("scene = 2", "document/d-1/2"),
        ("places = 旧港 and doc_type = outline_node", "outline_node/o-2/0"),
        (
            "chapter = 1 and doc_type != document",
            "outline_node/o-1/0 outline_node/o-2/0 outline_node/o-4/0 promise/#0/0",
        ),
        ("chapter > 1", "outline_node/o-3/0 event/e-1/0"),
        ("open = true and planted <= 1", "promise/#0/0"),
    ] {
        assert_eq!(found(condition), expected, "{condition}");
    }
}

#[test]
fn chunks_of_prose_are_slices_of_their_document() {
    let story = story();
    let text = &story.documents[0].text;
    let chunks: Vec<Chunk> = of(&story).into_iter().filter(|chunk| chunk.range.is_some()).collect();
    for chunk in &chunks {
        let range = chunk.range.clone().unwrap();
        assert!(text[..range.end].ends_with(&chunk.text) && chunk.text.ends_with(&text[range]));
        assert_eq!(chunk.version, 3);
    }
    assert_eq!(chunks[0].embedded().lines().next(), Some("雨夜 · 旧港 · 林深"));
}

#[test]
fn every_part_of_a_long_card_bears_its_name() {
    let mut story = story();
    story.characters.push(Character { name: "白露".into(), ..Character::default() });
    let chunks = of(&story);
    let parts = chunks.iter().filter(|chunk| chunk.source.id == "c-1");
    assert!(parts.clone().all(|chunk| chunk.text.starts_with("林深 (阿深)\n")));
    assert!(parts.clone().all(|chunk| chunk.text.chars().count() <= 820));
    assert!(!chunks.iter().find(|chunk| chunk.source.id == "#2").unwrap().says_something());
}

#[test]
fn facts_and_relations_are_worded_in_the_language_of_the_book() {
    let mut story = story();
    story.facts = vec![Fact {
        id: "f-9".into(),
        subject: "林深".into(),
        predicate: "dies".into(),
        value: true.into(),
        ..Fact::default()
    }];
    story.character_relations = vec![CharacterRelation {
        id: "r-9".into(),
        from: "林深".into(),
        to: "苏曼".into(),
        kind: RelationKind::EmployeeOf,
        ..CharacterRelation::default()
    }];
    for (language, told) in
        [(Language::Zh, ["林深是苏曼的手下", "林深 死亡"]), (Language::En, ["林深 is 苏曼's employee", "林深 dies"])]
    {
        story.language = language;
        let chunks = of(&story);
        let text = |id: &str| chunks.iter().find(|chunk| chunk.source.id == id).unwrap().text.clone();
        assert_eq!([text("r-9"), text("f-9")], told);
    }
}

#[test]
fn a_fact_that_is_only_said_says_who_says_it() {
    let lie = |by: Option<&str>| Fact {
        id: "f-9".into(),
        subject: "林深".into(),
        predicate: "暗中监视".into(),
        object: Some("旧港".into()),
        mode: Mode::Lied,
        by: by.map(str::to_owned),
        ..Fact::default()
    };
    for (language, by, told) in [
        (Language::Zh, Some("苏曼"), "苏曼谎称：林深 暗中监视 旧港"),
        (Language::Zh, Some("林深"), "林深谎称自己暗中监视 旧港"),
        (Language::Zh, None, "有人谎称：林深 暗中监视 旧港"),
        (Language::En, Some("苏曼"), "苏曼 falsely claims: 林深 暗中监视 旧港"),
    ] {
        let chunks = of(&Story { language, facts: vec![lie(by)], ..Story::default() });
        assert_eq!((chunks[0].title(), chunks[0].text.as_str()), (told, told));
    }
}

/// Changes of a story, one by one.
fn edits() -> Vec<fn(&mut Story)> {
    vec![
        |story| story.characters[1].name = "苏漫".into(),
        |story| story.characters[0].traits.push("固执".into()),
        |story| story.outline_nodes[2].order = 9,
        |story| story.outline_nodes[2].location = None,
        |story| story.outline_nodes[2].name = "第七章".into(),
        |story| story.documents[0].outline_node = None,
        |story| story.documents[0].order = 2,
        |story| story.promises[0].paid = vec!["o-3".into()],
        |story| drop(story.outline_nodes.remove(1)),
        |story| story.timeline_events[0].outline_node = None,
        |story| story.worldview = None,
        |story| story.language = Language::En,
    ]
}

proptest! {
    /// What an incremental index relies on.
    #[test]
    fn chunks_change_only_with_the_piece_or_its_fingerprint(first in 0usize..12, second in 0usize..12) {
        let mut before = story();
        edits()[first](&mut before);
        let mut after = before.clone();
        edits()[second](&mut after);
        let (old, new) = (Chunker::new(&before), Chunker::new(&after));
        for kind in PieceKind::ALL {
            for (was, is) in before.pieces_of(kind).zip(after.pieces_of(kind)) {
                if was == is && old.fingerprint(&was) == new.fingerprint(&is) {
                    prop_assert_eq!(old.chunks("x", &was), new.chunks("x", &is));
                }
            }
        }
    }
}

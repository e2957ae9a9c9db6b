use super::Names;
use super::fold::without_note;
use crate::piece::PieceKind;
use crate::{Character, Item, Location, OutlineNode, Story, Worldview};

fn story() -> Story {
    let character = |id: &str, name: &str, alias: &[&str]| Character {
        id: id.into(),
        name: name.into(),
        alias: alias.iter().map(|&alias| alias.to_owned()).collect(),
        ..Character::default()
    };
    let node = |id: &str, name: &str| OutlineNode { id: id.into(), name: name.into(), ..OutlineNode::default() };
    Story {
        characters: vec![
            character("c-1", "林青", &["青鸟", "The Heron"]),
            character("c-2", "林青羽", &[]),
            character("c-3", "Ada Lovelace", &["Ada"]),
            character("c-4", "岚", &["老板"]),
            character("c-5", "让·瓦尔让", &["老板"]),
        ],
        outline_nodes: vec![node("o-1", "第三章 雨夜来客"), node("o-2", "Chapter 4: The Port")],
        worldview: Some(Worldview {
            locations: vec![Location { id: "l-1".into(), name: "旧港".into(), ..Location::default() }],
            items: vec![Item { id: "i-1".into(), name: "青鸟".into(), ..Item::default() }],
            ..Worldview::default()
        }),
        ..Story::default()
    }
}

#[test]
fn looking_up() {
    let names = Names::of(&story());
    let cases: &[(PieceKind, &str, Option<&str>)] = &[
        (PieceKind::Character, "林青", Some("c-1")),
        (PieceKind::Character, " 林青 ", Some("c-1")),
        (PieceKind::Character, "c-2", Some("c-2")),
        (PieceKind::Character, "青鸟", Some("c-1")),
        (PieceKind::Item, "青鸟", Some("i-1")),
        (PieceKind::Character, "ADA LOVELACE", Some("c-3")),
        (PieceKind::Character, "Ａｄａ", Some("c-3")),
        (PieceKind::Character, "the heron", Some("c-1")),
        (PieceKind::Character, "让•瓦尔让", Some("c-5")),
        (PieceKind::Character, "林青（侦探）", Some("c-1")),
        (PieceKind::Character, "Ada (the engineer)", Some("c-3")),
        (PieceKind::Character, "老板", None),
        (PieceKind::Character, "旧港", None),
        (PieceKind::Character, "", None),
        (PieceKind::Character, "（）", None),
        (PieceKind::OutlineNode, "第三章", Some("o-1")),
        (PieceKind::OutlineNode, "chapter 4", Some("o-2")),
        (PieceKind::OutlineNode, "第 3 章", Some("o-1")),
        (PieceKind::OutlineNode, "Chapter Three", Some("o-1")),
        (PieceKind::OutlineNode, "第四章", Some("o-2")),
        (PieceKind::OutlineNode, "第五章", None),
    ];
    for (kind, name, expected) in cases {
        assert_eq!(names.resolve(*kind, name).map(|named| named.id.as_str()), *expected, "{kind} {name}");
    }
    assert!(names.knows(PieceKind::Character, "老板"), "two bearers are known, though not resolved");
    assert_eq!(names.find(PieceKind::Character, "老板").len(), 2);
}

#[test]
fn mentions_in_text() {
    let names = Names::of(&story());
    let cases: &[(&str, &[&str])] = &[
        ("林青在旧港遇见林青羽。", &["林青", "旧港", "林青羽"]),
        ("青鸟飞走了", &["青鸟"]),
        ("岚风吹过", &[]),
        ("Ada met ada; Adalbert did not.", &["Ada", "ada"]),
        ("ada lovelace's engine", &["ada lovelace"]),
        ("遇见Ada说", &["Ada"]),
        ("看第三章的开头", &["第三章"]),
        ("c-1 and c-12", &["c-1"]),
        ("让·瓦尔让来了", &["让·瓦尔让"]),
        ("", &[]),
    ];
    for (text, expected) in cases {
        let found: Vec<&str> = names.mentions(text).iter().map(|mention| &text[mention.start..mention.end]).collect();
        assert_eq!(found, *expected, "{text}");
    }
    assert_eq!(names.mentions("青鸟")[0].bearers.len(), 2, "a character and a thing");
    assert!(names.mentioned("老板来了", PieceKind::Character, 3));
}

#[test]
fn notes_in_brackets() {
    assert_eq!(without_note("林青（主角）"), Some("林青"));
    assert_eq!(without_note("（主角）"), None);
    assert_eq!(without_note("林青"), None);
}

use super::Names;
use super::fold::without_note;
use crate::piece::PieceKind;
use crate::{Character, Item, Location, Organisation, OutlineNode, Story, Worldview};

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
fn an_english_article_makes_no_other_name() {
    let item = |id: &str, name: &str| Item { id: id.into(), name: name.into(), ..Item::default() };
    let world = Worldview {
        items: vec![
            item("i-1", "The sextant"),
            item("i-2", "Log of 1912"),
            item("i-3", "The lamp"),
            item("i-4", "Lamp"),
        ],
        ..Worldview::default()
    };
    let names = Names::of(&Story { worldview: Some(world), ..story() });
    let found = |name: &str| names.resolve(PieceKind::Item, name).map(|named| named.id.clone());
    assert_eq!(found("sextant").as_deref(), Some("i-1"));
    assert_eq!(found("The Log of 1912").as_deref(), Some("i-2"));
    assert_eq!((found("lamp").as_deref(), found("the lamp").as_deref()), (Some("i-4"), Some("i-3")), "as it is spelt");
    assert_eq!(found("the key"), None);
    assert!(names.resolve(PieceKind::Character, "Heron").is_none(), "an article is part of a person's name");
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
fn a_part_of_a_name_means_the_only_one_who_has_it() {
    let card = |id: &str, name: &str, alias: &[&str]| Character {
        id: id.into(),
        name: name.into(),
        alias: alias.iter().map(|&alias| alias.to_owned()).collect(),
        ..Character::default()
    };
    let characters = vec![
        card("c-1", "沈砚秋", &[]),
        card("c-2", "沈伯安", &["砚翁"]),
        card("c-3", "Mara Voss", &[]),
        card("c-4", "Captain Ned Voss", &["Fen"]),
        card("c-5", "Fen Marsh", &[]),
        card("c-6", "林文远", &[]),
        card("c-7", "周文远", &[]),
    ];
    let worldview = Some(Worldview {
        items: vec![Item { id: "i-1".into(), name: "伯安".into(), ..Item::default() }],
        ..Worldview::default()
    });
    let names = Names::of(&Story { characters, worldview, ..Story::default() });
    let cases: &[(&str, Option<&str>)] = &[
        ("砚秋", Some("c-1")),
        (" 砚秋（女） ", Some("c-1")),
        ("伯安", Some("c-2")),
        ("Mara", Some("c-3")),
        ("mara", None),
        ("Ned", Some("c-4")),
        ("Fen", Some("c-4")),
        ("Marsh", Some("c-5")),
        ("Voss", None),
        ("Captain", None),
        ("文远", None),
        ("秋", None),
        ("沈", None),
    ];
    for (name, expected) in cases {
        let found = names.resolve(PieceKind::Character, name);
        assert_eq!(found.map(|named| named.id.as_str()), *expected, "{name}");
        assert_eq!(names.knows(PieceKind::Character, name), expected.is_some(), "{name}");
    }
    assert!(names.find(PieceKind::Character, "Mara").is_empty(), "a card called Mara is another one");
    let meant = |name: &str| names.meant(&[PieceKind::Character, PieceKind::Item], name)[0].id.clone();
    assert_eq!(["伯安", "砚秋"].map(meant), ["i-1", "c-1"], "a whole name comes first");
    let text = "砚秋和沈砚秋；Mara's key, a mara, Maras, Ned Voss.";
    let found = names.mentions_in_part(text);
    let found: Vec<(&str, usize)> = found.iter().map(|(at, who)| (&text[*at..*at + 3], *who)).collect();
    assert_eq!(found, [("砚", 0), ("Mar", 2), ("Ned", 3)]);
    assert_eq!(names.addressed("沈大人和老林来了。"), [0, 1, 5]);
    assert_eq!(names.addressed_alone("沈大人和老林来了。"), [5], "two are called 沈");
    let two = ["沈砚秋", "老沈"].map(|name| card("", name, &[]));
    let names = Names::of(&Story { characters: two.into(), ..Story::default() });
    assert_eq!(names.addressed_alone("沈大人来了。"), [0; 0], "老沈 is called 沈 too");
}

#[test]
fn a_part_of_a_name_that_is_something_else_too_means_nobody() {
    let card = |name: &str| Character { name: name.into(), ..Character::default() };
    let characters = ["李青云", "Hope Lane", "艾琳·沃斯", "王奶奶", "Will Pyke", "大胡子", "林天明"].map(card).to_vec();
    let mut story = Story { characters, ..Story::default() };
    let found =
        |story: &Story, name: &str| Names::of(story).resolve(PieceKind::Character, name).map(|one| one.position);
    assert_eq!(found(&story, "青云"), Some(0));
    assert_eq!(found(&story, "Hope"), Some(1));
    assert_eq!(found(&story, "hope"), None, "a word, not a name");
    assert_eq!(found(&story, "艾琳"), Some(2));
    assert_eq!(found(&story, "奶奶"), None, "everybody's own");
    let text = "“奶奶！”沃斯喊。天明时分，胡子白了。Will you come? Then Will came.";
    let names = Names::of(&story);
    let mentioned: Vec<usize> = names.mentions_in_part(text).into_iter().map(|(_, position)| position).collect();
    assert_eq!(mentioned, [2, 4]);
    let sect = Organisation { name: "青云".into(), ..Organisation::default() };
    story.worldview = Some(Worldview { organisations: vec![sect], ..Worldview::default() });
    assert_eq!(found(&story, "青云"), None, "the sect takes part");
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

//! Cards read back from their files.

use proptest::prelude::*;
use qingyu_story::{
    Character, CustomField, Item, Language, Location, Organisation, PieceKind, Story, Travel, Worldview,
};
use serde_json::{Value, json};

use super::file;
use crate::mirror::{CardReading, MirrorSource, UnreadField, UnreadReason, mirror, read_card};

fn own(name: &str, value: &str) -> CustomField {
    CustomField { name: name.into(), value: value.into() }
}

fn person() -> Character {
    Character {
        id: "c-1".into(),
        name: "林青".into(),
        alias: vec!["阿青".into(), "守灯人".into()],
        age: Some(52),
        occupation: "灯塔看守人".into(),
        background: "生在海边。\n\n十岁那年父亲没有回来。\n**那一年**：雾很大。".into(),
        voice: vec!["别点灯。".into(), "我说过，\n别点灯。".into()],
        custom: vec![own("灵根", "火"), own("道侣", " ")],
        ..Character::default()
    }
}

fn story() -> Story {
    let place = Location {
        id: "l-1".into(),
        name: "灯塔".into(),
        alias: vec!["白塔".into()],
        description: "立在礁石上。\n\n每年七月十五不点灯。".into(),
        travel: vec![Travel { to: "镇上".into(), duration: "2小时".into(), by: "小船".into() }],
    };
    let lamp = Item { id: "i-1".into(), name: "铜灯".into(), holder: Some("林青".into()), ..Item::default() };
    let guild = Organisation {
        id: "g-1".into(),
        name: "航标会".into(),
        description: "管灯。".into(),
        ..Organisation::default()
    };
    let world =
        Worldview { locations: vec![place], organisations: vec![guild], items: vec![lamp], ..Worldview::default() };
    Story { language: Language::Zh, characters: vec![person()], worldview: Some(world), ..Story::default() }
}

fn written(story: &Story, id: &str) -> String {
    let is_its = |source: &MirrorSource| matches!(source, MirrorSource::Card { id: of, .. } if of == id);
    mirror(story, "守灯人").into_iter().find(|file| file.source.as_ref().is_some_and(is_its)).unwrap().content
}

/// Returns the changed fields with their values.
fn edits(reading: &CardReading) -> Vec<(&str, &Value)> {
    reading.edits.iter().map(|edit| (edit.field.as_str(), &edit.value)).collect()
}

fn unread(label: &str, reason: UnreadReason) -> Vec<UnreadField> {
    vec![UnreadField { label: label.into(), reason }]
}

#[test]
fn a_card_without_changes_is_the_same_card() {
    let story = story();
    for (kind, id) in [
        (PieceKind::Character, "c-1"),
        (PieceKind::Location, "l-1"),
        (PieceKind::Organisation, "g-1"),
        (PieceKind::Item, "i-1"),
    ] {
        let content = written(&story, id);
        for file in [content.clone(), content.replace('\n', "\r\n"), format!("\u{feff}\n{content}\n\n")] {
            assert!(read_card(&story, kind, id, &file).unwrap().is_empty(), "{file}");
        }
    }
    assert_eq!(read_card(&story, PieceKind::Character, "c-9", "# 林青\n"), None);
    assert_eq!(read_card(&story, PieceKind::Document, "c-1", "# 林青\n"), None);
}

#[test]
fn an_edit_of_a_field_changes_that_field_alone() {
    let story = story();
    let read = |kind, id: &str, old: &str, new: &str| {
        let content = written(&story, id);
        assert!(content.contains(old), "{content}");
        read_card(&story, kind, id, &content.replace(old, new)).unwrap()
    };
    let of_person = |old: &str, new: &str| read(PieceKind::Character, "c-1", old, new);
    for (old, new, field, value) in [
        ("52", "53", "age", json!(53)),
        ("\n**年龄**：52\n", "", "age", Value::Null),
        ("**年龄**：52", "**年龄:** 53", "age", json!(53)),
        ("阿青、守灯人", "阿青、老林、守灯人", "alias", json!(["阿青", "老林", "守灯人"])),
        ("灯塔看守人", "看守人", "occupation", json!("看守人")),
        (
            "雾很大。",
            "雾很大，很冷。",
            "background",
            json!("生在海边。\n\n十岁那年父亲没有回来。\n**那一年**：雾很大，很冷。"),
        ),
        ("**背景**", "**性别**：女\n\n**背景**", "gender", json!("女")),
        ("\n\n我说过", "\n\n等等。\n\n我说过", "voice", json!(["别点灯。", "等等。", "我说过，\n别点灯。"])),
        ("：火", "：水", "custom", json!([{"name": "灵根", "value": "水"}, {"name": "道侣", "value": " "}])),
        ("**灵根**", "**灵脉**", "custom", json!([{"name": "道侣", "value": " "}, {"name": "灵脉", "value": "火"}])),
        (
            "**灵根**",
            "**道侣**：李四\n\n**灵根**",
            "custom",
            json!([{"name": "灵根", "value": "火"}, {"name": "道侣", "value": "李四"}]),
        ),
    ] {
        let reading = of_person(old, new);
        assert_eq!((edits(&reading), &reading.unread), (vec![(field, &value)], &vec![]), "{new}");
    }
    let place = read(PieceKind::Location, "l-1", "立在礁石上。", "立在黑礁石上。");
    assert_eq!(edits(&place), [("description", &json!("立在黑礁石上。\n\n每年七月十五不点灯。"))]);
    let added = read(PieceKind::Location, "l-1", "2小时 小船\n", "2小时 小船\n\n有人守着。\n");
    assert_eq!(edits(&added), [("description", &json!("立在礁石上。\n\n每年七月十五不点灯。\n\n\n有人守着。"))]);
    let item = read(PieceKind::Item, "i-1", "**持有者**：林青\n", "");
    assert_eq!(edits(&item), [("holder", &Value::Null)]);
}

#[test]
fn what_cannot_be_read_is_left_and_named() {
    let story = story();
    let read = |kind, id: &str, old: &str, new: &str| {
        let content = written(&story, id);
        assert!(content.contains(old), "{content}");
        read_card(&story, kind, id, &content.replace(old, new)).unwrap()
    };
    let of_person = |old: &str, new: &str| read(PieceKind::Character, "c-1", old, new);
    assert_eq!(of_person("# 林青", "# 林岚").unread, unread("林岚", UnreadReason::Name));
    let reading = of_person("52", "五十三");
    assert_eq!((edits(&reading), reading.unread.clone()), (vec![], unread("年龄", UnreadReason::NotANumber)));
    let misspelled = of_person("**年龄**", "**年纪**");
    assert!(misspelled.edits.is_empty(), "{misspelled:?}");
    let expected = [unread("年龄", UnreadReason::Missing), unread("年纪", UnreadReason::UnknownField)].concat();
    assert_eq!(misspelled.unread, expected);
    let both = of_person("52\n\n**职业**：灯塔看守人", "很老\n\n**职业**：看守人");
    assert_eq!(
        (edits(&both), both.unread.clone()),
        (vec![("occupation", &json!("看守人"))], unread("年龄", UnreadReason::NotANumber))
    );
    assert_eq!(of_person("# 林青\n", "# 林青\n\n他来了。\n").unread, unread("他来了。", UnreadReason::UnknownField));
    assert_eq!(of_person("52", "52\n\n**年龄**：53").unread, unread("年龄", UnreadReason::Ambiguous));
    let travel = read(PieceKind::Location, "l-1", "2小时", "3小时");
    assert_eq!(travel.unread, unread("路程", UnreadReason::OnlyInStudio));
    let unknown = read(PieceKind::Item, "i-1", "**持有者**", "**产地**：南海\n\n**持有者**");
    assert_eq!(unknown.unread, unread("产地", UnreadReason::UnknownField));
    for blank in ["", "\n \n"] {
        let reading = read_card(&story, PieceKind::Character, "c-1", blank).unwrap();
        assert_eq!((edits(&reading), reading.unread.clone()), (vec![], unread("林青", UnreadReason::Empty)));
    }
}

#[test]
fn a_field_that_its_file_does_not_show_exactly_is_left() {
    let mut story = story();
    story.characters[0].alias = vec!["阿青、小青".into()];
    story.characters[0].background = "见下。\n**秘密**：没有。".into();
    let content = written(&story, "c-1");
    let read = |file: &str| read_card(&story, PieceKind::Character, "c-1", file).unwrap();
    assert!(read(&content).is_empty());
    assert_eq!(read(&content.replace("小青", "大青")).unread, unread("别名", UnreadReason::Ambiguous));
    let reading = read(&content.replace("没有。", "有。").replace("52", "53"));
    assert_eq!(
        (edits(&reading), reading.unread.clone()),
        (vec![("age", &json!(53))], unread("秘密", UnreadReason::Ambiguous))
    );
}

#[test]
fn a_card_knows_its_piece() {
    let mut story = story();
    story.characters.push(Character { name: "李四".into(), ..Character::default() });
    let files = mirror(&story, "守灯人");
    let source = MirrorSource::Card { kind: PieceKind::Character, id: "c-1".into() };
    assert_eq!(file(&files, "人物/林青.md").source, Some(source));
    assert_eq!(file(&files, "人物/李四.md").source, None, "a card without an id");
}

proptest! {
    #[test]
    fn a_written_card_changes_nothing(
        texts in prop::collection::vec("[雨。#*：:、, \\-\na\u{3000}\r]{0,30}", 8),
        name in "[a雨*：]{1,4}",
        age in prop::option::of(any::<i32>()),
    ) {
        let [background, goals, alias, value, description, holder, voice, other] = &texts[..] else { unreachable!() };
        let person = Character {
            id: "c-1".into(),
            name: name.clone(),
            age,
            background: background.clone(),
            goals: goals.clone(),
            alias: vec![alias.clone(), other.clone()],
            voice: vec![voice.clone()],
            custom: vec![own(&name, value), own("年龄", other)],
            ..Character::default()
        };
        let item = Item {
            id: "i-1".into(),
            name,
            alias: vec![alias.clone()],
            description: description.clone(),
            holder: Some(holder.clone()),
        };
        let world = Worldview { items: vec![item], ..Worldview::default() };
        let story = Story { language: Language::Zh, characters: vec![person], worldview: Some(world), ..Story::default() };
        for (kind, id) in [(PieceKind::Character, "c-1"), (PieceKind::Item, "i-1")] {
            let reading = read_card(&story, kind, id, &written(&story, id)).unwrap();
            prop_assert!(reading.is_empty(), "{:?}", reading);
        }
    }
}

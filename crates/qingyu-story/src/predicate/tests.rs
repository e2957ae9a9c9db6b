use std::collections::BTreeMap;

use serde_json::json;

use super::{PredicateRole, ValueKind, all, find, number, numbers_differ, texts_differ};
use crate::language::is_han;
use crate::names::fold_word;

#[test]
fn every_name_means_one_word_and_every_word_has_both_languages() {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for predicate in all() {
        for name in predicate.aliases.iter().chain([&predicate.name]) {
            let other = seen.insert(fold_word(name), &predicate.name);
            assert!(other.is_none_or(|other| other == predicate.name), "{name}: {other:?} and {}", predicate.name);
        }
        assert!(predicate.aliases.iter().any(|alias| alias.chars().any(is_han)), "{} in Chinese", predicate.name);
        if let Some(inverse) = &predicate.inverse {
            let other = find(inverse).unwrap_or_else(|| panic!("{inverse} is not a word"));
            assert_eq!(other.inverse.as_ref(), Some(&predicate.name));
        }
    }
    assert_eq!(find("Eye Color").map(|word| word.name.as_str()), Some("eye_colour"));
    assert_eq!(find("持有").and_then(|word| word.role), Some(PredicateRole::Holding));
    assert!(find("仰慕").is_none());
}

/// Facts as a reader of either language puts them, with what they say. In each, the first is the left side of the word.
const DIRECTIONS: [(&str, &[&str], &[&str]); 11] = [
    // 沈伯安 is the father of 沈砚秋.
    (
        "parent_of",
        &["孩子", "子女", "子女是", "女儿", "之女", "生下"],
        &["child", "daughter", "father_of", "is parent of"],
    ),
    (
        "child_of",
        &["父母是", "父母", "父亲", "爹", "母亲是"],
        &["parent", "father", "mother", "daughter_of", "parents"],
    ),
    ("birth_father", &["生父", "亲生父亲"], &["birth_father"]),
    ("birth_mother", &["生母"], &["birth_mother"]),
    // 林青 belongs to 青云门.
    ("member_of", &["隶属", "加入", "效力于"], &["belongs_to", "joins", "works_for"]),
    ("has_member", &["成员", "成员是", "部下"], &["member", "members"]),
    // 林青 has the ruler.
    ("holds", &["持有", "佩戴", "拥有"], &["has", "owns", "carries"]),
    ("held_by", &["持有者", "在谁手里", "归属"], &["holder", "owned_by", "carried_by"]),
    // 周茂 killed 冯二.
    ("kills", &["杀死", "杀害"], &["murders", "slays", "killer_of"]),
    ("killed_by", &["凶手", "凶手是"], &["murdered_by", "killer", "slain by"]),
    // The room lies in the house.
    ("within", &["属于地点", "地处"], &["lies_in", "part_of_place"]),
];

#[test]
fn every_relation_reads_in_one_direction_in_both_languages() {
    for (word, chinese, english) in DIRECTIONS {
        for name in chinese.iter().chain(english) {
            assert_eq!(find(name).map(|found| found.name.as_str()), Some(word), "{name}");
        }
    }
    let tested = |word: &str| DIRECTIONS.iter().any(|(name, ..)| *name == word);
    let untested: Vec<&str> = all()
        .iter()
        .filter(|word| word.inverse.is_some() && !tested(&word.name))
        .map(|word| word.name.as_str())
        .collect();
    assert_eq!(untested, [""; 0], "a word with an inverse has its row");
}

#[test]
fn numbers_are_compared_in_one_unit() {
    for (a, b, differ) in [
        ((6.0, "尺"), (2.0, "米"), false),
        ((1.83, "m"), (6.0, "feet"), false),
        ((3.0, "丈"), (6.0, "米"), true),
        ((3.0, "尺"), (4.0, "尺"), true),
        ((3.0, "尺"), (4.0, "斤"), false),
        ((3.0, "界"), (4.0, "界"), true),
        ((3.0, "界"), (4.0, "尺"), false),
        ((2.0, "万"), (20000.0, "人"), false),
        ((0.0, "两"), (0.0, "斤"), false),
    ] {
        assert_eq!(numbers_differ(a, b), differ, "{a:?} {b:?}");
    }
    assert_eq!((number(&json!("12")), number(&json!("约12")), number(&json!(2.5))), (Some(12.0), None, Some(2.5)));
}

#[test]
fn texts_differ_only_for_certain() {
    for (kind, a, b, differ) in [
        (ValueKind::Colour, "黑色", "墨黑", false),
        (ValueKind::Colour, "black", "黑", false),
        (ValueKind::Colour, "黑", "蓝色", true),
        (ValueKind::Colour, "dark brown", "brown", false),
        (ValueKind::Colour, "blue", "green", true),
        (ValueKind::Colour, "灰蓝", "蓝", false),
        (ValueKind::Code, "A型", "AB", true),
        (ValueKind::Code, "O型", "o", false),
        (ValueKind::Text, "左将军", "将军", false),
        (ValueKind::Text, "县令", "captain", false),
        (ValueKind::Text, "县令", "千户", true),
    ] {
        assert_eq!(texts_differ(kind, a, b), differ, "{a} {b}");
    }
}

#[test]
fn a_word_is_shown_in_the_language_of_the_reader() {
    for (name, chinese, english) in
        [("eye_colour", "瞳色", "eye colour"), ("年龄", "年龄", "age"), ("own_word", "own word", "own word")]
    {
        let shown = [crate::Language::Zh, crate::Language::En].map(|language| super::shown(name, language));
        assert_eq!(shown, [chinese, english]);
    }
}

#[test]
fn no_word_of_one_language_is_shown_in_the_other() {
    let relations = crate::RelationKind::ALL.map(|kind| kind.name().to_owned());
    let of_facts = relations.iter().map(|name| format!("{}_of", name.trim_end_matches("_of")));
    let names = all().iter().flat_map(|word| word.aliases.iter().chain([&word.name])).cloned();
    for name in names.chain(relations.iter().cloned()).chain(of_facts) {
        let chinese = super::shown(&name, crate::Language::Zh);
        assert!(chinese.chars().all(is_han), "{name}: {chinese}");
        let english = super::shown(&name, crate::Language::En);
        assert!(!english.contains('_') && !english.chars().any(is_han), "{name}: {english}");
        for is_so in [true, false] {
            let chinese = super::whether(&chinese, is_so, crate::Language::Zh);
            assert!(chinese.chars().all(is_han), "{name}: {chinese}");
        }
    }
    for kind in crate::RelationKind::ALL {
        assert_eq!(crate::RelationKind::named(kind.name()), Some(kind));
        assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        assert!(kind.shown(crate::Language::Zh).chars().all(is_han));
    }
    let card = |gender: &str| crate::Character { gender: gender.into(), ..crate::Character::default() };
    let parent = |gender: &str| crate::RelationKind::ParentOf.of_one(card(gender).is_male(), crate::Language::Zh);
    assert_eq!(["男", "女性", "Female", "", "不详"].map(parent), ["父亲", "母亲", "母亲", "父母之一", "父母之一"]);
    assert_eq!(crate::RelationKind::named("ally of"), Some(crate::RelationKind::Ally));
    assert_eq!(crate::RelationKind::named("ally_with"), None);
}

#[test]
fn people_who_know_each_other_are_acquainted_in_the_language_of_the_book() {
    let shown = |language| super::shown("acquainted_with", language);
    assert_eq!(shown(crate::Language::Zh), "相识");
    assert_eq!(shown(crate::Language::En), "acquainted with");
}

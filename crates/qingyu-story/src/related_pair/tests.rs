use serde::Deserialize;
use serde_json::json;

use super::*;
use crate::{Character, CharacterRelation, RelationKind};

fn card(name: &str, gender: &str, birth: Option<&str>, age: Option<i32>) -> Character {
    let (name, gender, birth) = (name.into(), gender.into(), birth.map(str::to_owned));
    Character { name, gender, birth, age, ..Character::default() }
}

/// A case of two siblings, 甲 and 乙; the studio's pages read the same cases.
#[derive(Deserialize)]
struct SiblingCase {
    genders: [String; 2],
    ages: [Option<i32>; 2],
    /// The description of the relation.
    description: String,
    sentence: String,
    word: Option<String>,
}

#[test]
fn siblings_are_named_by_sex_and_age() {
    let cases: Vec<SiblingCase> = serde_json::from_str(include_str!("siblings.cases.json")).unwrap();
    for SiblingCase { genders, ages, description, sentence, word } in cases {
        let cast = [card("甲", &genders[0], None, ages[0]), card("乙", &genders[1], None, ages[1])];
        let relation: CharacterRelation =
            serde_json::from_value(json!({"from": "甲", "to": "乙", "type": "sibling", "description": description}))
                .unwrap();
        assert_eq!(relation.sentence(&cast, Language::Zh), sentence, "{genders:?} {ages:?} {description}");
        let found = relation.pair(&cast).sibling_word(Language::Zh);
        assert_eq!(found, word.as_deref(), "{genders:?} {ages:?} {description}");
    }
}

#[test]
fn births_tell_the_older_before_ages() {
    let cast = [
        card("甲", "女", Some("1910年"), Some(20)),
        card("乙", "男", Some("1907年3月"), Some(22)),
        card("丙", "男", None, Some(19)),
    ];
    let relation = |from: &str, to: &str| CharacterRelation {
        from: from.into(),
        to: to.into(),
        kind: RelationKind::Sibling,
        ..CharacterRelation::default()
    };
    assert_eq!(relation("甲", "乙").sentence(&cast, Language::Zh), "甲是乙的妹妹");
    assert_eq!(relation("丙", "甲").sentence(&cast, Language::Zh), "丙是甲的弟弟");
    assert_eq!(relation("甲", "乙").sentence(&cast, Language::En), "甲 and 乙 are brother and sister");
    assert_eq!(relation("甲", "丁").sentence(&cast, Language::En), "甲 and 丁 are siblings");
}

#[test]
fn words_for_siblings_say_nothing_of_other_relations() {
    let relation = CharacterRelation {
        from: "甲".into(),
        to: "乙".into(),
        kind: RelationKind::ParentOf,
        description: "姐弟俩的母亲".into(),
        ..CharacterRelation::default()
    };
    assert_eq!(relation.sentence(&[], Language::Zh), "甲是乙的父母之一");
}

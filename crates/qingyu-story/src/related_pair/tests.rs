use serde_json::json;

use super::*;
use crate::{Character, CharacterRelation, RelationKind};

fn card(name: &str, gender: &str, birth: Option<&str>, age: Option<i32>) -> Character {
    let (name, gender, birth) = (name.into(), gender.into(), birth.map(str::to_owned));
    Character { name, gender, birth, age, ..Character::default() }
}

#[test]
fn siblings_are_named_by_sex_and_age() {
    let cases = [
        (["女", "男"], [Some(20), Some(17)], "", "甲是乙的姐姐", Some("姐弟")),
        (["女", "男"], [Some(17), Some(20)], "", "甲是乙的妹妹", Some("兄妹")),
        (["男", "女"], [Some(17), Some(20)], "", "甲是乙的弟弟", Some("姐弟")),
        (["男", "男"], [Some(20), Some(17)], "", "甲是乙的哥哥", Some("兄弟")),
        (["", "女"], [Some(20), Some(17)], "", "乙是甲的妹妹", None),
        (["女", "男"], [None, None], "", "甲和乙是兄弟姐妹", None),
        (["女", "男"], [Some(20), Some(20)], "", "甲和乙是兄弟姐妹", None),
        (["女", "女"], [None, None], "", "甲和乙是姐妹", Some("姐妹")),
        (["", ""], [Some(20), Some(17)], "", "甲和乙是兄弟姐妹", None),
        // The description of the relation tells what the cards leave open.
        (["", ""], [None, None], "一母同胞的姐弟。", "甲和乙是姐弟", Some("姐弟")),
        (["", ""], [Some(17), Some(20)], "一母同胞的姐弟。", "甲是乙的弟弟", Some("姐弟")),
        (["女", ""], [None, None], "一母同胞的姐弟。", "甲是乙的姐姐", Some("姐弟")),
        (["女", "男"], [None, None], "兄妹相依为命", "甲是乙的妹妹", Some("兄妹")),
        (["", "男"], [None, None], "兄弟二人", "甲和乙是兄弟", Some("兄弟")),
        // Nothing is learnt from a word that contradicts the cards, nor from several.
        (["女", "男"], [None, None], "情同姐妹", "甲和乙是兄弟姐妹", None),
        (["", ""], [None, None], "兄弟姐妹里最小的两个", "甲和乙是兄弟姐妹", None),
        (["女", "男"], [Some(20), Some(17)], "兄妹", "甲是乙的姐姐", Some("姐弟")),
    ];
    for (genders, ages, description, expected, word) in cases {
        let cast = [card("甲", genders[0], None, ages[0]), card("乙", genders[1], None, ages[1])];
        let relation: CharacterRelation =
            serde_json::from_value(json!({"from": "甲", "to": "乙", "type": "sibling", "description": description}))
                .unwrap();
        assert_eq!(relation.sentence(&cast, Language::Zh), expected, "{genders:?} {ages:?} {description}");
        assert_eq!(relation.pair(&cast).sibling_word(Language::Zh), word, "{genders:?} {ages:?} {description}");
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

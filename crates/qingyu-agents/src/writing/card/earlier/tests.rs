use qingyu_story::rules::earlier_book;
use qingyu_story::{EarlierKind, Language};
use serde_json::json;

use super::*;
use crate::writing::card::stable;
use crate::writing::task::Constraints;

fn earlier() -> EarlierBooks {
    let story: Story = serde_json::from_value(json!({
        "worldview": {
            "rules": [{"id": "w-1", "name": "潮规", "statement": "退潮时不得出海"}],
            "locations": [{"id": "l-1", "name": "旧港", "description": "废弃的货港"}],
        },
        "characters": [
            {"id": "c-1", "name": "林青", "occupation": "船医"},
            {"id": "c-2", "name": "老周"},
            {"id": "c-3", "name": "白鸽"},
        ],
        "character_relations": [{"id": "r-1", "from": "老周", "to": "林青", "type": "parent_of"}],
        "promises": [{"id": "promise-1", "name": "沉船里的信", "description": "信还没有拆开"}],
        "facts": [
            {"id": "f-1", "subject": "老周", "predicate": "dies", "value": true},
            {"id": "f-2", "subject": "林青", "predicate": "瞳色", "value": "黑"},
        ],
    }))
    .unwrap();
    vec![earlier_book("潮声", EarlierKind::Volume, "十年", &story)].into()
}

fn story() -> Story {
    let story = json!({
        "worldview": {"locations": [{"id": "l-1", "name": "旧港"}]},
        "characters": [{"id": "c-1", "name": "林青"}, {"id": "c-2", "name": "周德海", "alias": ["老周"]}],
    });
    serde_json::from_value(story).unwrap()
}

#[test]
fn all_chapters_are_told_of_the_dead_rules_and_promises_but_not_of_what_the_book_has_itself() {
    let rules = qingyu_story::Config { earlier: earlier(), ..qingyu_story::Config::default() };
    let told = stable(&story(), &rules, &Constraints::default(), &[]);
    for words in ["潮声", "十年", "老周", "潮规", "退潮时不得出海", "沉船里的信"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert!(!told.contains("旧港"), "{told}");
    let alone = stable(&story(), &qingyu_story::Config::default(), &Constraints::default(), &[]);
    assert!(!alone.contains("潮声"), "{alone}");
}

#[test]
fn a_chapter_is_told_of_its_people_with_the_name_of_the_book() {
    let story = story();
    let names = Names::of(&story);
    let told = people(&story, &names, &earlier(), &[0, 1]);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].contains("潮声") && told[0].contains("林青") && told[0].contains("船医"), "{told:?}");
    assert!(told[0].contains("瞳色 黑"), "{told:?}");
    assert!(told[1].contains("周德海") && told[1].contains(labels::of(Language::Zh).dead()), "{told:?}");
    assert_eq!(people(&story, &names, &earlier(), &[]), [""; 0]);
    assert_eq!(people(&story, &names, &EarlierBooks::default(), &[0]), [""; 0]);
}

#[test]
fn a_statement_of_the_book_itself_is_not_told_again() {
    let mut story = story();
    let fact = json!({"id": "f-1", "subject": "林青", "predicate": "瞳色", "value": "黑"});
    story.facts = vec![serde_json::from_value(fact).unwrap()];
    let told = people(&story, &Names::of(&story), &earlier(), &[0]);
    assert!(!told[0].contains("瞳色"), "{told:?}");
}

#[test]
fn the_dead_of_canon_are_told_only_if_time_has_passed_since() {
    let with = |gap: &str| -> EarlierBooks {
        let canon = |book: &EarlierBook| EarlierBook { kind: EarlierKind::Canon, gap: gap.into(), ..book.clone() };
        earlier().iter().map(canon).collect::<Vec<_>>().into()
    };
    let (story, dead) = (story(), labels::of(Language::Zh).dead());
    assert!(earlier_lines(&story, &with("十年")).join("\n").contains(dead));
    assert!(!earlier_lines(&story, &with("")).join("\n").contains(dead));
}

#[test]
fn a_book_without_a_cast_is_told_of_the_people_of_the_earlier_one() {
    let story = Story { language: Language::Zh, ..Story::default() };
    let told = earlier_lines(&story, &earlier()).join("\n");
    for words in ["白鸽", "林青", "潮规", "沉船里的信"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert_eq!(earlier_lines(&story, &EarlierBooks::default()), [""; 0]);
}

//! What later chapters that are written say of a chapter.

use super::*;

#[test]
fn a_chapter_written_again_is_shown_what_later_ones_say_of_its_things() {
    let mut story = long_story();
    story.documents.truncate(2);
    story.documents[0].text = "她从领口拉出剑穗，穗尾缺了三根。".into();
    story.documents[1].text = "雨停了。\n她把照夜剑放上剑架，解下剑穗，系回剑柄。\n剑穗旧了。".into();
    let items = json!({"items": [{"id": "i-1", "name": "剑穗"}, {"id": "i-2", "name": "照夜剑"}]});
    story.worldview = serde_json::from_value(items).unwrap();
    let later = |story: &Story| surroundings(&NumberedBook::of(story), 1, "").later;
    assert_eq!(later(&story), [""; 0], "a thing alone is no reference");
    story.outline_nodes[0].description = "她找照夜剑。".into();
    assert_eq!(later(&story), ["第2章：她把照夜剑放上剑架，解下剑穗，系回剑柄。"]);
}

#[test]
fn a_chapter_written_again_is_shown_what_later_ones_say_of_it() {
    for (language, hero, place, time, passage, other) in [
        ("zh", "沈岳", "青石渡", "景和三年三月十一 亥时", "“三月十一，死在青石渡。”她说。", "天亮以后，船过了江。"),
        ("en", "Owen Hale", "Stone Ferry", "March 5, 2077", "He died on March 5, at Stone Ferry.", "The boat left."),
    ] {
        let story: Story = serde_json::from_value(json!({
            "language": language,
            "characters": [{"id": "c-1", "name": hero}],
            "outline_nodes": [
                {"id": "o-1", "name": "一", "order": 1, "kind": "chapter", "location": place, "participants": [hero]},
                {"id": "o-2", "name": "二", "order": 2, "kind": "chapter"}
            ],
            "timeline_events": [{"id": "e-1", "title": "x", "timestamp": time, "location": place, "deaths": [hero],
                "participants": [hero], "outline_node": "o-1"}],
            "documents": [
                {"id": "d-1", "title": "一", "order": 1, "outline_node": "o-1", "text": passage},
                {"id": "d-2", "title": "二", "order": 2, "outline_node": "o-2", "text": format!("{other}\n{passage}\n{other}")}
            ]
        }))
        .unwrap();
        let book = NumberedBook::of(&story);
        let later = surroundings(&book, 1, "").later;
        assert!(later.len() == 1 && later[0].contains(passage) && !later[0].contains(other), "{later:?}");
        assert_eq!(surroundings(&book, 2, "").later, [""; 0], "the last chapter has nothing after it");
        let mut unwritten = story.clone();
        unwritten.documents.truncate(1);
        assert_eq!(surroundings(&NumberedBook::of(&unwritten), 1, "").later, [""; 0]);
    }
}

#[test]
fn what_later_chapters_tell_of_its_people_and_their_summaries_are_shown() {
    for (language, title, hero, summary, dies) in [
        ("zh", "第二章", "沈岳", "船过了江，沈岳没有回来。", "第二章：沈岳 死亡"),
        ("en", "Chapter 2", "Owen Hale", "The boat left without Owen Hale.", "Chapter 2: Owen Hale dies"),
    ] {
        let story: Story = serde_json::from_value(json!({
            "language": language,
            "characters": [{"id": "c-1", "name": hero}],
            "outline_nodes": [
                {"id": "o-1", "name": "One", "order": 1, "kind": "chapter", "participants": [hero]},
                {"id": "o-2", "name": title, "order": 2, "kind": "chapter"}
            ],
            "documents": [
                {"id": "d-1", "title": "One", "order": 1, "outline_node": "o-1", "text": hero},
                {"id": "d-2", "title": title, "order": 2, "outline_node": "o-2", "text": "x", "summary": summary}
            ],
            "facts": [{"id": "f-1", "subject": hero, "predicate": "dies", "value": true,
                "source": {"document": "d-2", "quote": "x"}}]
        }))
        .unwrap();
        let later = surroundings(&NumberedBook::of(&story), 1, "").later;
        let colon = if language == "zh" { "：" } else { ": " };
        assert_eq!(later, [dies.to_owned(), format!("{title}{colon}{summary}")]);
    }
}

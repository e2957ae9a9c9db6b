use super::{ChapterEdit, edit_chapters, rows, same_numbers};
use crate::chapters::{ChapterName, Chapters};
use crate::{Character, Document, OutlineNode, OutlineNodeKind, Story, TimelineEvent};

/// Two volumes of two chapters; the last is only planned. The second has a scene.
fn story() -> Story {
    use OutlineNodeKind::{Act, Chapter, Scene};
    let node = |id: &str, order, kind, name: &str, parent: Option<&str>| OutlineNode {
        id: id.into(),
        order,
        kind,
        name: name.into(),
        parent: parent.map(Into::into),
        ..OutlineNode::default()
    };
    let text = |id: &str, order, title: &str, node: &str, text: &str| Document {
        id: id.into(),
        order,
        title: title.into(),
        outline_node: Some(node.into()),
        version: 1,
        text: text.into(),
        ..Document::default()
    };
    Story {
        outline_nodes: vec![
            node("o-1", 1, Act, "第一卷", None),
            node("o-2", 2, Chapter, "第一章 雨夜", Some("o-1")),
            node("o-3", 3, Chapter, "第二章 旧港", Some("o-1")),
            node("o-4", 4, Scene, "码头", Some("o-3")),
            node("o-5", 5, Act, "第二卷", None),
            node("o-6", 6, Chapter, "第三章 归来", Some("o-5")),
            node("o-7", 7, Chapter, "第四章 灯", Some("o-5")),
        ],
        documents: vec![
            text("d-1", 1, "第一章 雨夜", "o-2", "雨下了一夜。\n\n天亮了。"),
            text("d-2", 2, "第二章 旧港", "第二章 旧港", "船来了。"),
            text("d-3", 3, "第三章 归来", "o-6", "他回来了。"),
        ],
        timeline_events: vec![TimelineEvent {
            id: "e-1".into(),
            title: "归来".into(),
            outline_node: Some("第三章 归来".into()),
            ..TimelineEvent::default()
        }],
        ..Story::default()
    }
}

/// `title [texts] volume`, a chapter each.
fn told(story: &Story) -> Vec<String> {
    let text = |id: &String| story.documents.iter().find(|document| document.id == *id).map(|one| one.text.clone());
    let row = |row: super::ChapterRow| {
        let texts: Vec<String> = row.documents.iter().filter_map(text).collect();
        format!("{} {:?} {}", row.title, texts, row.volume.unwrap_or_default())
    };
    rows(story, &Chapters::of(story)).into_iter().map(row).collect()
}

fn edited(edit: &ChapterEdit) -> Story {
    let mut story = story();
    edit_chapters(&mut story, edit).unwrap();
    story
}

fn name(name: &str) -> ChapterName {
    name.into()
}

#[test]
fn a_new_title_is_that_of_node_and_text() {
    let story = edited(&ChapterEdit::Rename { chapter: name("2"), title: "第二章 码头".into() });
    assert_eq!(
        (story.outline_nodes[2].name.as_str(), story.documents[1].title.as_str()),
        ("第二章 码头", "第二章 码头")
    );
    assert_eq!(story.documents[1].outline_node.as_deref(), Some("第二章 码头"), "the reference by name follows");
    let story = edited(&ChapterEdit::Rename { chapter: name("第四章"), title: "第三章 灯".into() });
    let same = same_numbers(&Chapters::of(&story));
    assert_eq!(same.len(), 1, "{same:?}");
    assert_eq!(same[0].chapters, ["第三章 归来 (#3)", "第三章 灯 (#4)"]);
}

#[test]
fn chapters_are_moved_with_scenes_and_texts() {
    let story = edited(&ChapterEdit::Move { chapter: name("2"), after: Some(name("3")), into: None });
    assert_eq!(
        told(&story),
        [
            "第一章 雨夜 [\"雨下了一夜。\\n\\n天亮了。\"] 第一卷",
            "第三章 归来 [\"他回来了。\"] 第二卷",
            "第二章 旧港 [\"船来了。\"] 第二卷",
            "第四章 灯 [] 第二卷",
        ]
    );
    let orders: Vec<(u32, &str)> = story.outline_nodes.iter().map(|node| (node.order, node.name.as_str())).collect();
    assert!(orders.contains(&(6, "码头")), "the scene stays with it: {orders:?}");
    let first = edited(&ChapterEdit::Move { chapter: name("3"), after: None, into: None });
    assert!(told(&first)[0].starts_with("第三章 归来"), "{:?}", told(&first));
    assert_eq!(first.documents.iter().map(|one| one.order).collect::<Vec<_>>(), [2, 3, 1]);
}

#[test]
fn chapters_are_moved_into_volumes_and_arcs() {
    let mut planned = story();
    let arc = |id: &str, order, parent: &str| OutlineNode {
        id: id.into(),
        order,
        kind: OutlineNodeKind::Arc,
        name: format!("{id} 幕"),
        parent: Some(parent.into()),
        ..OutlineNode::default()
    };
    planned.outline_nodes.extend([arc("o-8", 8, "o-5"), arc("o-9", 9, "第二卷")]);
    let moved = |chapter: &str, after: Option<&str>, into: &str| {
        let mut story = planned.clone();
        let edit = ChapterEdit::Move { chapter: name(chapter), after: after.map(name), into: Some(into.to_owned()) };
        edit_chapters(&mut story, &edit).map(|()| story)
    };
    let parent = |story: &Story, id: &str| {
        story.outline_nodes.iter().find(|node| node.id == id).and_then(|node| node.parent.clone()).unwrap()
    };
    let titles = |story: &Story| {
        let title = |row: String| row.split(' ').next().unwrap_or_default().to_owned();
        told(story).into_iter().map(title).collect::<Vec<_>>()
    };
    // Into an arc without chapters; its scene and its text go along.
    let story = moved("2", Some("第四章"), "o-9 幕").unwrap();
    assert_eq!((parent(&story, "o-3").as_str(), parent(&story, "o-4").as_str()), ("o-9", "o-3"));
    assert_eq!(titles(&story), ["第一章", "第三章", "第四章", "第二章"]);
    assert_eq!(story.documents.iter().map(|one| one.order).collect::<Vec<_>>(), [1, 3, 2]);
    // To the beginning of a volume: the chapter behind which it goes stands in another.
    let story = moved("4", Some("2"), "o-5").unwrap();
    assert_eq!((titles(&story)[2].as_str(), parent(&story, "o-7").as_str()), ("第四章", "o-5"));
    // Behind a chapter of the volume.
    let story = moved("1", Some("第三章"), "第二卷").unwrap();
    assert_eq!(titles(&story), ["第二章", "第三章", "第一章", "第四章"]);
    assert!(moved("1", None, "第九卷").is_err() && moved("1", None, "第四章 灯").is_err());
}

#[test]
fn chapters_are_added_in_the_right_volume() {
    let insert = |after, text: &str| ChapterEdit::Insert { after, title: "间章".into(), text: text.into() };
    let story = edited(&insert(Some(name("2")), "夜里。"));
    assert_eq!(told(&story)[2], "间章 [\"夜里。\"] 第一卷");
    let orders: Vec<u32> = story.documents.iter().map(|document| document.order).collect();
    assert_eq!(orders, [1, 2, 4, 3]);
    let story = edited(&insert(None, ""));
    assert_eq!(told(&story)[0], "间章 [] 第一卷");
    let taken = ChapterEdit::Insert { after: None, title: "第四章 灯".into(), text: String::new() };
    assert!(edit_chapters(&mut self::story(), &taken).is_err());
}

#[test]
fn a_chapter_is_split_and_joined_again() {
    let split = ChapterEdit::Split { chapter: name("1"), at: "天亮了".into(), title: "第一章之二".into() };
    let mut story = edited(&split);
    assert_eq!(told(&story)[..2], ["第一章 雨夜 [\"雨下了一夜。\"] 第一卷", "第一章之二 [\"天亮了。\"] 第一卷"]);
    edit_chapters(&mut story, &ChapterEdit::Join { chapter: name("第一章 雨夜") }).unwrap();
    assert_eq!(told(&story), told(&self::story()));
    let not_there = ChapterEdit::Split { chapter: name("1"), at: "不在".into(), title: "二".into() };
    assert!(edit_chapters(&mut story, &not_there).is_err());
}

#[test]
fn a_split_chapter_takes_the_cast_that_its_text_names() {
    let mut story = story();
    let card = |name: &str| Character { name: name.into(), ..Character::default() };
    story.characters = ["佟秀敏", "姜德厚"].map(card).to_vec();
    story.documents[0].text = "雨下了一夜。姜德厚没有睡。\n\n天亮了。秀敏推开门。".into();
    let node = &mut story.outline_nodes[1];
    node.participants = vec!["佟秀敏".into(), "姜德厚".into()];
    node.location = Some("寄卖行".into());
    let split = ChapterEdit::Split { chapter: name("1"), at: "天亮了".into(), title: "第一章之二".into() };
    edit_chapters(&mut story, &split).unwrap();
    let new = story.outline_nodes.iter().find(|node| node.name == "第一章之二").unwrap();
    assert_eq!((new.participants.as_slice(), new.location.as_deref()), (&["佟秀敏".to_owned()][..], None));
}

#[test]
fn joining_takes_what_refers_to_the_second_along() {
    let mut story = story();
    edit_chapters(&mut story, &ChapterEdit::Join { chapter: name("2") }).unwrap();
    assert_eq!(told(&story)[1], "第二章 旧港 [\"船来了。\\n\\n他回来了。\"] 第一卷");
    assert_eq!(story.timeline_events[0].outline_node.as_deref(), Some("o-3"));
    assert!(edit_chapters(&mut story, &ChapterEdit::Join { chapter: name("第四章") }).is_err(), "nothing follows");
}

#[test]
fn what_is_deleted_is_gone_everywhere() {
    let story = edited(&ChapterEdit::Delete { chapter: name("第二章") });
    assert_eq!(story.outline_nodes.len(), 5, "the scene went with it");
    assert!(story.documents.iter().all(|document| document.id != "d-2"));
    assert_eq!(rows(&story, &Chapters::of(&story)).len(), 3);
    let untouched = self::story();
    let mut same = untouched.clone();
    assert!(edit_chapters(&mut same, &ChapterEdit::Delete { chapter: name("第九章") }).is_err());
    assert_eq!(same, untouched);
}

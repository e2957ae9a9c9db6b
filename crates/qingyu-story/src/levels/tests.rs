use super::*;
use crate::OutlineNode;

fn node(kind: OutlineNodeKind, order: u32, name: &str, parent: &str, chapters: u32) -> OutlineNode {
    OutlineNode {
        kind,
        order,
        name: name.into(),
        parent: Some(parent.to_owned()).filter(|parent| !parent.is_empty()),
        chapters: Some(chapters).filter(|count| *count > 0),
        ..OutlineNode::default()
    }
}

fn story() -> Story {
    use OutlineNodeKind::{Act, Arc, Book, Chapter};
    let mut nodes = vec![
        node(Book, 1, "书", "", 60),
        node(Act, 2, "第一卷 起", "", 30),
        node(Arc, 3, "第一卷第一幕 甲", "第一卷 起", 12),
        node(Arc, 30, "第一卷第二幕 乙", "第一卷 起", 18),
        node(Act, 60, "第二卷 落", "", 30),
    ];
    nodes.extend((1..=12).map(|n| node(Chapter, 3 + n, &format!("第{}章 灯", chinese(n)), "第一卷第一幕 甲", 0)));
    Story { outline_nodes: nodes, ..Story::default() }
}

#[test]
fn every_chapter_has_one_place() {
    let levels = Levels::of(&story()).unwrap();
    assert_eq!((levels.length, levels.planned, levels.open()), (60, 12, 48));
    let ranges: Vec<(u32, u32)> = levels.arcs().map(|(_, arc)| (arc.first, arc.last)).collect();
    assert_eq!(ranges, [(1, 12), (13, 30)]);
    let (volume, arc) = levels.next_open().unwrap();
    assert_eq!((volume.ordinal, arc.ordinal, arc.open()), (1, 2, 13..=30));
    assert_eq!((levels.volumes[1].first, levels.volumes[1].last, levels.volumes[1].without_arc()), (31, 60, 31));
    assert_eq!(levels.place(14, Language::Zh), "第 14 章 / 约 60 章，第一卷第二幕");
    assert_eq!(levels.place(40, Language::En), "chapter 40 of about 60, volume 2");
    assert!(is_open(&story()) && !is_open(&Story::default()));
}

#[test]
fn a_closed_arc_has_the_chapters_that_it_has() {
    let mut story = story();
    // A chapter of the first arc is deleted, one of the second planned.
    story.outline_nodes.retain(|node| node.name != "第十二章 灯");
    story.outline_nodes.push(node(OutlineNodeKind::Chapter, 31, "第十二章 火", "第一卷第二幕 乙", 0));
    let levels = Levels::of(&story).unwrap();
    let open: Vec<_> = levels.arcs().map(|(_, arc)| (*arc.open().start(), *arc.open().end())).collect();
    assert_eq!(open, [(12, 11), (13, 29)], "nothing is open in the first");
    assert_eq!((levels.volumes[1].first, levels.volumes[1].last), (30, 59));
}

#[test]
fn chapters_of_an_outline_without_levels_come_first() {
    let mut story = story();
    story.outline_nodes.insert(0, node(OutlineNodeKind::Chapter, 0, "楔子", "", 0));
    let levels = Levels::of(&story).unwrap();
    assert_eq!((levels.before, levels.volumes[0].first), (1, 2));
    let plain = Story { outline_nodes: vec![node(OutlineNodeKind::Act, 1, "上", "", 0)], ..Story::default() };
    assert_eq!(Levels::of(&plain), None);
}

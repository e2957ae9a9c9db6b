use qingyu_story::{OutlineNode, OutlineNodeKind};

use super::*;

#[test]
fn a_plan_goes_from_the_book_to_its_chapters() {
    let mut story = Story::default();
    assert_eq!(next_level(&story, 500).map(|step| step.name()), Some("book/1-500".into()));
    assert_eq!(next_chapters(&story, 500), None);
    let node = |kind, order, name: &str, parent: &str, chapters| OutlineNode {
        kind,
        order,
        name: name.into(),
        parent: Some(parent.to_owned()).filter(|parent| !parent.is_empty()),
        chapters: Some(chapters),
        ..OutlineNode::default()
    };
    story.outline_nodes = vec![
        node(OutlineNodeKind::Book, 1, "全书", "", 50),
        node(OutlineNodeKind::Act, 2, "上卷", "", 20),
        node(OutlineNodeKind::Act, 50, "下卷", "", 30),
        node(OutlineNodeKind::Arc, 3, "甲", "上卷", 20),
    ];
    assert_eq!(next_level(&story, 50).map(|step| step.name()), Some("arcs/21-50".into()));
    story.outline_nodes.push(node(OutlineNodeKind::Arc, 51, "乙", "下卷", 30));
    assert_eq!(next_level(&story, 50), None);
    assert_eq!(next_level(&story, 80).map(|step| step.name()), Some("book/51-80".into()), "a longer book");
    assert_eq!(last_chapter(&story, PlanTarget::Next), Some(20));
    assert_eq!(last_chapter(&story, PlanTarget::Arc { number: 2 }), Some(50));
    assert_eq!(last_chapter(&story, PlanTarget::Arc { number: 3 }), None);
    assert_eq!(last_chapter(&story, PlanTarget::Chapter { number: 21 }), Some(50));
    assert_eq!(next_chapters(&story, 20).map(|step| step.name()), Some("chapters/1-10".into()));
}

#[test]
fn a_book_is_planned_on_levels_if_it_is_long_or_its_author_says_how_long_its_parts_are() {
    for (requirement, language, length) in [
        ("写一部24章的悬疑，每幕5章", Language::Zh, Some(24)),
        ("写一部二十四章的悬疑，每卷十二章", Language::Zh, Some(24)),
        ("写一部24章的悬疑，每幕24章", Language::Zh, None),
        ("写一部24章的悬疑", Language::Zh, None),
        ("写一部41章的悬疑", Language::Zh, Some(41)),
        ("a mystery of 24 chapters with arcs of five chapters", Language::En, Some(24)),
        ("a mystery of 6 chapters, 5 chapters per arc", Language::En, Some(6)),
        ("a mystery of 24 chapters", Language::En, None),
        ("a mystery with arcs of five chapters", Language::En, None),
    ] {
        assert_eq!(planned_length(requirement, language), length, "{requirement}");
    }
}

#[test]
fn an_outline_without_levels_is_continued() {
    let chapter = |order| OutlineNode { order, name: format!("第{order}章"), ..OutlineNode::default() };
    let story = Story { outline_nodes: (1..=12).map(chapter).collect(), ..Story::default() };
    assert_eq!(next_level(&story, 200).map(|step| step.name()), Some("book/13-200".into()));
    assert_eq!(next_level(&story, 12), None);
}

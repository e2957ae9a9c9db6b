use qingyu_story::Document;

use super::*;
use crate::levels::step::{next_chapters, next_level};

fn volume(first: u32, last: u32) -> VolumePlan {
    let (name, description) = (format!("卷{first}"), "林青对上旧港的人".into());
    VolumePlan { first, last, name, description, ..VolumePlan::default() }
}

fn arc(first: u32, last: u32) -> ArcPlan {
    let (name, description) = (format!("幕{first}"), "林青守住码头".into());
    ArcPlan { first, last, name, description, ..ArcPlan::default() }
}

fn chapter(number: u32) -> ChapterOutline {
    let (name, description) = (format!("灯{number}"), "林青点灯".into());
    ChapterOutline { number, name, description, ..ChapterOutline::default() }
}

/// A book of two volumes with the arcs of the first.
fn planned() -> Story {
    let mut story = Story::default();
    let step = next_level(&story, 60).unwrap();
    let volumes = vec![volume(1, 30), volume(31, 60)];
    story = book(&story, &step, &BookPlan { course: "守灯".into(), volumes, ..BookPlan::default() }).story;
    let step = next_level(&story, 60).unwrap();
    arcs(&story, &step, &ArcsPlan { arcs: vec![arc(1, 12), arc(13, 30)], ..ArcsPlan::default() }).story
}

#[test]
fn an_answer_that_was_cut_is_noticed_by_the_count() {
    let story = Story::default();
    let step = next_level(&story, 100).unwrap();
    assert_eq!(step.range(), (1, 100));
    // The second volume repeats the first, the last leaves a gap.
    let volumes = vec![volume(1, 40), volume(1, 40), volume(61, 100)];
    let accepted = book(&story, &step, &BookPlan { volumes, ..BookPlan::default() });
    assert_eq!((accepted.taken, accepted.refused), (1, 2));
    let rest = next_level(&accepted.story, 100).unwrap();
    assert_eq!(rest.range(), (41, 100));
    let whole = book(&accepted.story, &rest, &BookPlan { volumes: vec![volume(41, 100)], ..BookPlan::default() });
    let levels = Levels::of(&whole.story).unwrap();
    assert_eq!(levels.volumes.iter().map(|level| (level.first, level.last)).collect::<Vec<_>>(), [(1, 40), (41, 100)]);
    assert_eq!(whole.story.outline_nodes.iter().filter(|node| node.kind == OutlineNodeKind::Book).count(), 1);
}

#[test]
fn chapters_have_each_number_once() {
    let story = planned();
    let step = next_chapters(&story, 12).unwrap();
    assert_eq!(step.range(), (1, 10));
    // 3 is missing, 2 stands twice, 11 was not asked for, 4 says nothing.
    let empty = ChapterOutline { description: "〔待写〕".into(), ..chapter(4) };
    let answer = ChaptersPlan {
        chapters: vec![chapter(1), chapter(2), chapter(2), empty, chapter(11)],
        ..ChaptersPlan::default()
    };
    let accepted = chapters(&story, &step, &answer);
    assert_eq!((accepted.taken, accepted.refused), (2, 3));
    let step = next_chapters(&accepted.story, 12).unwrap();
    assert_eq!(step.range(), (3, 12));
    let all = ChaptersPlan { chapters: (3..=12).map(chapter).collect(), ..ChaptersPlan::default() };
    let whole = chapters(&accepted.story, &step, &all);
    assert_eq!(next_chapters(&whole.story, 12), None);
    let names: Vec<&str> = whole
        .story
        .outline_nodes
        .iter()
        .filter(|node| node.kind == OutlineNodeKind::Chapter)
        .map(|node| node.name.as_str())
        .collect();
    assert_eq!((names.len(), names[0], names[11]), (12, "第一章 灯1", "第十二章 灯12"));
    let again = chapters(&whole.story, &step, &all);
    assert_eq!(again.taken, 0, "an answer is inserted once");
}

#[test]
fn existing_nodes_stay_byte_for_byte() {
    let mut story = planned();
    let mine = OutlineNode {
        kind: OutlineNodeKind::Chapter,
        order: story.outline_nodes[2].order + 1,
        name: "第一章 我的开头".into(),
        parent: Some(story.outline_nodes[2].name.clone()),
        description: "作者自己写的".into(),
        ..OutlineNode::default()
    };
    story.outline_nodes.push(mine);
    ids::assign(&mut story);
    let step = next_chapters(&story, 12).unwrap();
    assert_eq!(step.range(), (2, 11));
    let all = ChaptersPlan { chapters: (1..=11).map(chapter).collect(), ..ChaptersPlan::default() };
    let after = chapters(&story, &step, &all).story;
    for node in &story.outline_nodes {
        assert!(after.outline_nodes.contains(node), "{}", node.name);
    }
    assert_eq!(Levels::of(&after).unwrap().planned, 11);
    let mut orders: Vec<u32> = after.outline_nodes.iter().map(|node| node.order).collect();
    orders.dedup();
    assert_eq!(orders.len(), after.outline_nodes.len());
}

#[test]
fn arcs_keep_their_size() {
    let mut story = Story::default();
    let step = next_level(&story, 60).unwrap();
    story = book(&story, &step, &BookPlan { volumes: vec![volume(1, 60)], ..BookPlan::default() }).story;
    let step = next_level(&story, 60).unwrap();
    for (offered, taken) in [
        (vec![arc(1, 5), arc(6, 20)], 0),
        (vec![arc(1, 60)], 0),
        (vec![arc(1, 20), arc(21, 55), arc(56, 60)], 3),
        (vec![arc(11, 20)], 0),
    ] {
        let accepted = arcs(&story, &step, &ArcsPlan { arcs: offered, ..ArcsPlan::default() });
        assert_eq!(accepted.taken, taken);
    }
}

#[test]
fn the_author_and_a_short_book_have_short_arcs() {
    let taken = |premise: &str, length: u32, arcs_offered: Vec<ArcPlan>| {
        let mut story = Story { premise: premise.into(), ..Story::default() };
        let step = next_level(&story, length).unwrap();
        story = book(&story, &step, &BookPlan { volumes: vec![volume(1, length)], ..BookPlan::default() }).story;
        let step = next_level(&story, length).unwrap();
        arcs(&story, &step, &ArcsPlan { arcs: arcs_offered, ..ArcsPlan::default() }).taken
    };
    let fives = |length: u32| (1..=length).step_by(5).map(|first| arc(first, length.min(first + 4))).collect();
    assert_eq!(taken("写一部六十章的悬疑", 60, fives(60)), 0, "nobody asks for arcs of five chapters");
    assert_eq!(taken("写一部六十章的悬疑，每幕5章", 60, fives(60)), 12);
    assert_eq!(taken("写一部六十章的悬疑，每幕5章", 60, vec![arc(1, 20)]), 0, "the author asks for five");
    assert_eq!(taken("写一部五百章的悬疑，每幕五到八章", 500, fives(500)), 100);
    assert_eq!(taken("写一部三十章的悬疑", 30, fives(30)), 6, "a short book has short arcs");
}

#[test]
fn shorter_arcs_than_planned_for_keep_the_order_of_the_book() {
    let mut story = Story::default();
    let step = next_level(&story, 60).unwrap();
    let volumes = vec![volume(1, 30), volume(31, 60)];
    story = book(&story, &step, &BookPlan { volumes, ..BookPlan::default() }).story;
    let note = Document { text: "每幕5章".into(), order: 0, ..Document::default() };
    story.documents.push(note);
    for first in [1, 31] {
        let step = next_level(&story, 60).unwrap();
        let fives = (first..first + 30).step_by(5).map(|first| arc(first, first + 4)).collect();
        let accepted = arcs(&story, &step, &ArcsPlan { arcs: fives, ..ArcsPlan::default() });
        assert_eq!(accepted.taken, 6);
        story = accepted.story;
    }
    while let Some(step) = next_chapters(&story, 60) {
        let (first, last) = step.range();
        let plan = ChaptersPlan { chapters: (first..=last).map(chapter).collect(), ..ChaptersPlan::default() };
        let accepted = chapters(&story, &step, &plan);
        assert!(accepted.taken > 0, "{step:?}");
        story = accepted.story;
    }
    let mut nodes: Vec<&OutlineNode> =
        story.outline_nodes.iter().filter(|node| node.kind == OutlineNodeKind::Chapter).collect();
    nodes.sort_by_key(|node| node.order);
    let numbers: Vec<&str> = nodes.iter().filter_map(|node| node.name.split('灯').next_back()).collect();
    assert_eq!(numbers, (1..=60).map(|number| number.to_string()).collect::<Vec<_>>());
    let orders: BTreeSet<u32> = story.outline_nodes.iter().map(|node| node.order).collect();
    assert_eq!(orders.len(), story.outline_nodes.len(), "each place once");
}

#[test]
fn a_prologue_does_not_shift_the_numbers_in_headings() {
    let mut story = planned();
    let prologue = OutlineNode { order: 1, name: "楔子".into(), ..OutlineNode::default() };
    story.outline_nodes.iter_mut().for_each(|node| node.order += 1);
    story.outline_nodes.insert(0, prologue);
    let step = next_chapters(&story, 13).unwrap();
    assert_eq!(step.range(), (2, 11));
    let all = ChaptersPlan { chapters: (2..=11).map(chapter).collect(), ..ChaptersPlan::default() };
    let after = chapters(&story, &step, &all).story;
    assert!(after.outline_nodes.iter().any(|node| node.name == "第一章 灯2"));
    assert!(after.outline_nodes.iter().any(|node| node.name == "第十章 灯11"));
}

use insta::assert_snapshot;

use super::DrawingSelection;
use crate::graph::{NodeKind, SpanEvaluator, StoryGraph, StorySpan, tests::story};
use crate::pattern::{Query, QueryLimits};

fn drawing(chapter: u32, choice: &DrawingSelection) -> super::StoryDrawing {
    let graph = StoryGraph::of(&story());
    let holding = SpanEvaluator::new(&graph, StorySpan::AsOf(graph.chapter(chapter).expect("there is such a chapter")));
    graph.drawing(&holding, choice)
}

#[test]
fn the_story_as_of_a_chapter() {
    let people = DrawingSelection { kinds: vec![NodeKind::Character, NodeKind::Item], ..DrawingSelection::default() };
    assert_snapshot!("people_in_chapter_2_mermaid", drawing(2, &people).to_mermaid());
    assert_snapshot!("people_in_chapter_4_svg", drawing(4, &people).to_svg());
    let few = drawing(4, &DrawingSelection { most: 3, ..DrawingSelection::default() });
    assert_eq!(few.nodes.len(), 3);
    let all = drawing(4, &DrawingSelection::default());
    assert_eq!(few.left_out, all.nodes.len() - 3);
    assert!(few.to_svg().contains(&format!(">+{}<", few.left_out)));
}

#[test]
fn names_are_escaped_and_equal_drawings_are_equal() {
    let mut story = story();
    story.characters[1].name = r#"苏"婉"]<script>&#'|"#.into();
    story.character_relations[0].from = story.characters[1].name.clone();
    let graph = StoryGraph::of(&story);
    let found = Query::parse(r#"(x)-[:friend_of]-("林青")"#).unwrap().run(&graph, QueryLimits::default()).unwrap();
    let drawn = found.drawing(&graph, 10).worded(|word| format!("<{word}>"));
    assert_snapshot!("odd_names_mermaid", drawn.to_mermaid());
    let svg = drawn.to_svg();
    assert!(svg.contains("苏&quot;婉&quot;]&lt;script&gt;&amp;#&#39;|") && !svg.contains("<script"), "{svg}");
    assert_eq!(svg, found.drawing(&graph, 10).worded(|word| format!("<{word}>")).to_svg());
}

#[test]
fn no_box_covers_another_one() {
    for chapter in 1..=4 {
        let drawn = drawing(chapter, &DrawingSelection::default());
        let (places, width, height) = super::layout::layout(&drawn);
        for (number, one) in places.iter().enumerate() {
            assert!(one.x - one.width / 2.0 >= 0.0 && one.x + one.width / 2.0 <= width);
            assert!(one.y - one.height / 2.0 >= 0.0 && one.y + one.height / 2.0 <= height);
            for other in &places[number + 1..] {
                let beside = (one.x - other.x).abs() >= f64::midpoint(one.width, other.width);
                let above = (one.y - other.y).abs() >= f64::midpoint(one.height, other.height);
                assert!(beside || above, "{one:?} {other:?}");
            }
        }
    }
    let nothing = StoryGraph::of(&qingyu_story::Story::default()).drawing_of(&[], &[], 5);
    assert!(nothing.to_svg().ends_with("</svg>\n"));
}

use proptest::prelude::*;

use super::*;
use crate::drawing::DrawingEdge;

const KINDS: [DrawingEdgeKind; 5] = [
    DrawingEdgeKind::Edge,
    DrawingEdgeKind::Join,
    DrawingEdgeKind::Route,
    DrawingEdgeKind::Command,
    DrawingEdgeKind::Error,
];

fn drawing(nodes: usize, connections: impl IntoIterator<Item = (String, String, DrawingEdgeKind)>) -> GraphDrawing {
    let node = |index| Node { name: name(index), is_deferred: false, subgraph: None };
    let connection = |(from, to, kind)| DrawingEdge { from: vec![from], to, kind };
    GraphDrawing {
        name: "drawing".to_owned(),
        nodes: (0..nodes).map(node).collect(),
        connections: connections.into_iter().map(connection).collect(),
    }
}

/// Of growing width.
fn name(index: usize) -> String {
    format!("{index}{}", "节点".repeat(index % 4))
}

/// A drawing whose nodes are entered in their order and which ends; the rest is chance.
fn any_drawing() -> impl Strategy<Value = GraphDrawing> {
    let ways = |nodes| prop::collection::vec((0..nodes, 0..nodes + 1, prop::sample::select(&KINDS[..])), 0..3 * nodes);
    (1_usize..12).prop_flat_map(move |nodes| (Just(nodes), ways(nodes))).prop_map(|(nodes, ways)| {
        let target = |to| if to == nodes { END.to_owned() } else { name(to) };
        let entry = (START.to_owned(), name(0), DrawingEdgeKind::Edge);
        let sources = ways.iter().map(|(from, ..)| *from).collect::<Vec<_>>();
        let ways = ways.into_iter().map(|(from, to, kind)| (name(from), target(to), kind));
        let mut drawing = drawing(nodes, std::iter::once(entry).chain(ways));
        // The joins wait for a second source.
        let joins = drawing.connections.iter_mut().filter(|way| way.kind == DrawingEdgeKind::Join);
        joins.zip(sources).for_each(|(join, source)| join.from.push(name(source)));
        drawing
    })
}

/// Drawings in drawings.
fn any_nested() -> impl Strategy<Value = GraphDrawing> {
    any_drawing().prop_recursive(3, 4, 2, |inner| {
        (any_drawing(), prop::collection::vec(inner, 1..3)).prop_map(|(mut outer, inner)| {
            for (node, inner) in outer.nodes.iter_mut().zip(inner) {
                node.subgraph = Some(Box::new(inner));
            }
            outer
        })
    })
}

fn overlap((low, high): (i64, i64), (other_low, other_high): (i64, i64)) -> bool {
    low < other_high && other_low < high
}

fn across(shape: &PlacedNode<'_>) -> (i64, i64) {
    (shape.left, shape.left + shape.width)
}

fn down(shape: &PlacedNode<'_>) -> (i64, i64) {
    (shape.top, shape.top + shape.height)
}

/// Whether a line runs through a box, not only along its border. An S keeps between its ends.
fn runs_through(from: LayoutPoint, to: LayoutPoint, shape: &PlacedNode<'_>) -> bool {
    // Numbers are whole, so a point is a line of less than one pixel.
    let sideways = (2 * from.x.min(to.x) - 1, 2 * from.x.max(to.x) + 1);
    let (left, right) = across(shape);
    overlap((from.y.min(to.y), from.y.max(to.y)), down(shape)) && overlap(sideways, (2 * left, 2 * right))
}

/// Everything that must hold of any picture, and of those in it.
fn check(picture: &LayoutPicture<'_>) {
    for (index, shape) in picture.shapes.iter().enumerate() {
        assert!(shape.left >= MARGIN && across(shape).1 + MARGIN <= picture.width, "{shape:?} sticks out");
        assert!(shape.top >= MARGIN && down(shape).1 + MARGIN <= picture.height, "{shape:?} sticks out");
        for other in &picture.shapes[..index] {
            let meet = overlap(across(shape), across(other)) && overlap(down(shape), down(other));
            assert!(!meet, "{shape:?} is on {other:?}");
        }
        if let PlacedContent::Subgraph(_, inner) = &shape.what {
            assert!(inner.width <= shape.width && TITLE + inner.height <= shape.height, "{shape:?} is too small");
            check(inner);
        }
    }
    type Border = fn(&PlacedNode<'_>) -> i64;
    let (top, bottom): (Border, Border) = (|shape| shape.top, |shape| down(shape).1);
    let is_on = |point: &LayoutPoint, border: Border| {
        let touches =
            |shape: &PlacedNode<'_>| border(shape) == point.y && (across(shape).0..=across(shape).1).contains(&point.x);
        picture.shapes.iter().any(touches)
    };
    for (number, line) in picture.lines.iter().enumerate() {
        let LinePath::Way { points, head } = &line.course else { continue };
        let [first, .., last] = points.as_slice() else { panic!("{line:?} has no end") };
        for pair in points.windows(2) {
            assert!(pair.iter().all(|point| (0..=picture.width).contains(&point.x)), "{line:?} sticks out");
            let hit = picture.shapes.iter().find(|shape| runs_through(pair[0], pair[1], shape));
            assert!(hit.is_none(), "{line:?} runs through {hit:?}");
        }
        assert!(is_on(first, bottom) || is_on(first, top), "{line:?} begins nowhere");
        let arrives = match head {
            Some(ArrowHead::Down) => is_on(last, top),
            Some(ArrowHead::Up) => is_on(last, bottom),
            None => picture.lines[..number].iter().any(|other| other.kind == line.kind && passes(other, *last)),
        };
        assert!(arrives, "{line:?} ends nowhere");
    }
}

/// Whether `point` is on an upright piece of `line`.
fn passes(line: &PlacedLine, point: LayoutPoint) -> bool {
    let LinePath::Way { points, .. } = &line.course else { return false };
    points.windows(2).any(|pair| {
        let (low, high) = (pair[0].y.min(pair[1].y), pair[0].y.max(pair[1].y));
        pair.iter().all(|end| end.x == point.x) && (low..=high).contains(&point.y)
    })
}

proptest! {
    #[test]
    fn boxes_keep_apart_and_lines_touch_only_their_ends(drawing in any_nested()) {
        check(&layout(&drawing));
    }

    #[test]
    fn without_loops_every_line_leads_down(ways in prop::collection::vec((0_usize..10, 1_usize..10), 0..30)) {
        let ways = ways.into_iter().filter(|(from, step)| from + step < 10);
        let drawing = drawing(10, ways.map(|(from, step)| (name(from), name(from + step), DrawingEdgeKind::Edge)));
        for line in layout(&drawing).lines {
            let LinePath::Way { points, .. } = line.course else { panic!("there is no loop") };
            prop_assert!(points.is_sorted_by_key(|point| point.y));
        }
    }

    #[test]
    fn equal_drawings_look_equal(drawing in any_nested()) {
        prop_assert_eq!(drawing.svg(), drawing.clone().svg());
    }
}

/// How many points the lines of a picture have, a measure of all that was laid out.
fn points(drawing: &GraphDrawing) -> usize {
    let count = |line: &PlacedLine| match &line.course {
        LinePath::Way { points, .. } => points.len(),
        LinePath::Loop { .. } => 2,
    };
    layout(drawing).lines.iter().map(count).sum()
}

/// A chain; every node may also fail, give up, begin anew and try again.
fn long(nodes: usize) -> GraphDrawing {
    let ways = (0..nodes - 1).flat_map(|index| {
        let way = |to: String, kind| (name(index), to, kind);
        let chain = way(if index + 2 < nodes { name(index + 1) } else { END.to_owned() }, DrawingEdgeKind::Edge);
        let (fail, give_up) =
            (way(name(nodes - 1), DrawingEdgeKind::Error), way(END.to_owned(), DrawingEdgeKind::Command));
        [chain, fail, give_up, way(name(0), DrawingEdgeKind::Route), way(name(index), DrawingEdgeKind::Command)]
    });
    drawing(nodes, std::iter::once((START.to_owned(), name(0), DrawingEdgeKind::Edge)).chain(ways))
}

#[test]
fn a_long_graph_costs_in_proportion_and_little_stack() {
    let draw = || {
        let (half, whole) = (long(1_000), long(2_000));
        assert!(points(&whole) <= 2 * points(&half) + 20, "{} after {}", points(&whole), points(&half));
        let (half, whole) = (half.svg().len(), whole.svg().len());
        assert!(whole < half * 21 / 10, "{whole} bytes after {half}");
    };
    let thread = std::thread::Builder::new().stack_size(128 * 1024).spawn(draw).unwrap();
    thread.join().unwrap();
}

#[test]
fn a_wide_graph_is_one_row() {
    let ways = (1..2_000).map(|index| (name(0), name(index), DrawingEdgeKind::Edge));
    let drawing = drawing(2_000, ways);
    let picture = layout(&drawing);
    let tops: std::collections::BTreeSet<_> = picture.shapes.iter().map(|shape| shape.top).collect();
    assert_eq!(tops.len(), 2);
}

#[test]
fn what_can_run_uncrossed_does() {
    // Each source leads to two of three in another order than they were declared in.
    let ways = [(0, 5), (1, 4), (2, 3), (0, 4), (2, 4)].map(|(from, to)| (name(from), name(to), DrawingEdgeKind::Edge));
    let drawing = drawing(6, ways);
    let picture = layout(&drawing);
    let left = |index: usize| picture.shapes[index].left;
    let order = |mut indexes: [usize; 3]| {
        indexes.sort_unstable_by_key(|index| left(*index));
        indexes
    };
    let (sources, targets) = (order([0, 1, 2]), order([3, 4, 5]));
    assert!((sources == [0, 1, 2] && targets == [5, 4, 3]) || (sources == [2, 1, 0] && targets == [3, 4, 5]));
}

#[test]
fn lines_to_one_place_do_not_cross() {
    for (left, right, crossings) in [([0, 1], [2, 3], 0), ([2, 3], [0, 1], 4), ([0, 2], [1, 3], 1), ([1, 2], [1, 2], 1)]
    {
        assert_eq!(order::inversions(&left, &right), crossings, "{left:?} {right:?}");
    }
}

#[test]
fn the_way_that_closes_a_loop_is_the_later_one() {
    let ways = [(0, 1), (1, 2), (2, 1), (2, 0)].map(|(from, to)| (name(from), name(to), DrawingEdgeKind::Route));
    let drawing = drawing(3, ways);
    let picture = layout(&drawing);
    assert!(picture.shapes.is_sorted_by_key(|shape| shape.top));
}

#[test]
fn the_end_is_below_everything() {
    let end = |index| (name(index), END.to_owned(), DrawingEdgeKind::Route);
    let way = |from, to| (name(from), name(to), DrawingEdgeKind::Edge);
    let drawing = drawing(3, [end(0), way(0, 1), way(1, 2), way(2, 0)]);
    let picture = layout(&drawing);
    let lowest = picture.shapes.iter().max_by_key(|shape| shape.top).unwrap();
    assert!(matches!(lowest.what, PlacedContent::End));
}

#[test]
fn a_chain_runs_straight() {
    let drawing = drawing(4, (0..3).map(|index| (name(index), name(index + 1), DrawingEdgeKind::Edge)));
    for line in layout(&drawing).lines {
        let LinePath::Way { points, .. } = line.course else { panic!("there is no loop") };
        assert_eq!(points.len(), 2, "{points:?}");
    }
}

#[test]
fn ways_to_nowhere_are_not_drawn() {
    let nowhere = |from: &str, to: &str| (from.to_owned(), to.to_owned(), DrawingEdgeKind::Edge);
    let drawing = drawing(1, [nowhere("0", "1"), nowhere("1", "0"), nowhere(END, "0"), nowhere("0", START)]);
    assert_eq!(layout(&drawing).lines, []);
    assert_eq!(drawing.mermaid().lines().count(), 2);
}

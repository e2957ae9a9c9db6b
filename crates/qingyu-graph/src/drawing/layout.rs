//! Where everything in a picture stands: a layered layout after Sugiyama, in whole pixels and so the same everywhere.
//!
//! Nodes are put in rows so that connections lead down, those that close a loop lead up ([`rows`]); within the rows
//! they are ordered to cross little ([`order`]) and moved sideways to run straight ([`columns`]); then connections
//! get their places at the boxes ([`strands`]). A subgraph is a box as large as its own picture.

use std::collections::HashMap;

use self::rows::{Link, Rows, Vertex};
use super::{Drawing, Kind, Node, text};
use crate::{END, START};

mod columns;
mod order;
mod rows;
mod strands;

/// Around a picture.
const MARGIN: i64 = 16;
/// Beside a name in its box.
const PADDING: i64 = 14;
const BOX_HEIGHT: i64 = 36;
/// A box has room for several lines.
const LEAST_WIDTH: i64 = 64;
/// The start and the end are circles as wide as this.
pub(super) const CIRCLE: i64 = 22;
/// Above the picture in the box of a subgraph.
pub(super) const TITLE: i64 = 30;
/// How far a connection from a node to itself stands out; a further kind goes round the first.
const LOOP: i64 = 26;

/// A laid-out drawing.
#[derive(Debug)]
pub(super) struct Picture<'a> {
    pub(super) width: i64,
    pub(super) height: i64,
    pub(super) shapes: Vec<Shape<'a>>,
    pub(super) lines: Vec<Line>,
}

/// A node in its place.
#[derive(Debug)]
pub(super) struct Shape<'a> {
    pub(super) left: i64,
    pub(super) top: i64,
    pub(super) width: i64,
    pub(super) height: i64,
    pub(super) what: What<'a>,
}

#[derive(Debug)]
pub(super) enum What<'a> {
    Start,
    End,
    Node(&'a Node),
    /// A node with the picture of its subgraph, which stands below its title.
    Subgraph(&'a Node, Picture<'a>),
}

/// A connection, or the part of it that it does not share with those before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) kind: Kind,
    pub(super) course: Course,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Course {
    /// From point to point: straight up or down, or else an S whose ends are upright.
    Way { points: Vec<Point>, head: Option<Head> },
    /// Out of the right side of a box at `out` and back below, reaching as far as `right`.
    Loop { out: Point, back: Point, right: i64 },
}

/// Where the arrow at the last point of a way points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Head {
    Down,
    Up,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Point {
    pub(super) x: i64,
    pub(super) y: i64,
}

/// Lays `drawing` out.
pub(super) fn layout(drawing: &Drawing) -> Picture<'_> {
    let Model { inhabitants, vertices, links, loops, end } = model(drawing);
    let mut rows = rows::arrange(vertices, &links, end);
    order::uncross(&mut rows);
    let x = columns::columns(&rows);
    let (tops, lines) = strands::trace(&rows, &x);
    picture(inhabitants, &rows, &x, &tops, lines, &loops)
}

/// A drawing as vertices and links.
struct Model<'a> {
    inhabitants: Vec<What<'a>>,
    vertices: Vec<Vertex>,
    links: Vec<Link>,
    /// The connections of vertices to themselves.
    loops: Vec<(usize, Kind)>,
    /// The vertex that stands below all others.
    end: Option<usize>,
}

fn model(drawing: &Drawing) -> Model<'_> {
    let connections: Vec<_> = drawing.drawn().collect();
    let mut inhabitants = Vec::with_capacity(drawing.nodes.len() + 2);
    let mut index = HashMap::with_capacity(drawing.nodes.len() + 2);
    if connections.iter().any(|way| way.from.iter().any(|from| from == START)) {
        index.insert(START, inhabitants.len());
        inhabitants.push(What::Start);
    }
    for node in &drawing.nodes {
        index.insert(&node.name, inhabitants.len());
        inhabitants.push(match &node.subgraph {
            None => What::Node(node),
            Some(inner) => What::Subgraph(node, layout(inner)),
        });
    }
    let end = connections.iter().any(|way| way.to == END).then_some(inhabitants.len());
    if let Some(end) = end {
        index.insert(END, end);
        inhabitants.push(What::End);
    }
    let (mut links, mut loops) = (Vec::new(), Vec::new());
    for (number, way) in connections.into_iter().enumerate() {
        let to = index[way.to.as_str()];
        // Each join is a bundle of its own: what it waits for is seen by what runs together.
        let join = (way.kind == Kind::Join).then_some(number);
        for from in way.from.iter().map(|from| index[from.as_str()]) {
            match from == to {
                true => loops.push((from, way.kind)),
                false => links.push(Link { from, to, kind: way.kind, join }),
            }
        }
    }
    loops.sort_unstable();
    loops.dedup();
    let mut vertices: Vec<_> = inhabitants.iter().map(vertex).collect();
    for (vertex, _) in &loops {
        vertices[*vertex].right += LOOP;
    }
    Model { inhabitants, vertices, links, loops, end }
}

fn vertex(what: &What<'_>) -> Vertex {
    let (width, height) = match what {
        What::Start | What::End => (CIRCLE, CIRCLE),
        What::Node(node) => (width_of(node), BOX_HEIGHT),
        What::Subgraph(node, picture) => (width_of(node).max(picture.width), TITLE + picture.height),
    };
    // An even width has a middle.
    let half = (width + 1) / 2;
    Vertex { left: half, right: half, height, layer: 0, is_bend: false }
}

fn width_of(node: &Node) -> i64 {
    (text::width(&text::shorten(&node.name)) + 2 * PADDING).max(LEAST_WIDTH)
}

fn picture<'a>(
    inhabitants: Vec<What<'a>>,
    rows: &Rows,
    x: &[i64],
    tops: &[i64],
    mut lines: Vec<Line>,
    loops: &[(usize, Kind)],
) -> Picture<'a> {
    let place = |(index, what)| {
        let Vertex { left, height, layer, .. } = rows.vertices[index];
        let top = tops[layer] + (rows.heights[layer] - height) / 2;
        Shape { left: x[index] - left, top, width: 2 * left, height, what }
    };
    let shapes: Vec<_> = inhabitants.into_iter().enumerate().map(place).collect();
    for (number, (vertex, kind)) in loops.iter().enumerate() {
        let Shape { left, top, width, height, .. } = shapes[*vertex];
        // The first kind of a vertex runs innermost.
        let round = loops[..number].iter().rev().take_while(|(other, _)| other == vertex).count();
        let round = i64::try_from(round).expect("there are five kinds");
        let (side, middle) = (left + width, top + height / 2);
        let point = |y| Point { x: side, y };
        let reach = (5 + 8 * round).min(height / 2 - 4);
        let course = Course::Loop {
            out: point(middle - reach),
            back: point(middle + reach),
            right: side + LOOP * (round + 1) - 8,
        };
        lines.push(Line { kind: *kind, course });
    }
    let right = (0..rows.vertices.len()).map(|vertex| x[vertex] + rows.vertices[vertex].right).max();
    let bottom = tops.last().map(|top| top + rows.heights[tops.len() - 1]);
    Picture { width: right.unwrap_or(MARGIN) + MARGIN, height: bottom.unwrap_or(MARGIN) + MARGIN, shapes, lines }
}

#[cfg(test)]
mod tests;

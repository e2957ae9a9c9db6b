//! A layered layout after Sugiyama, in whole pixels and so identical on all machines.
//!
//! Nodes are assigned to rows so that connections lead down, and connections that close a loop lead up ([`rows`]);
//! within the rows nodes are ordered to minimize crossings ([`order`]) and moved sideways to straighten connections
//! ([`columns`]); then connections get ports at the boxes ([`strands`]). A subgraph is a box as large as its own
//! picture; [`picture`] holds the result.

use std::collections::HashMap;

use self::picture::MARGIN;
use self::rows::{Vertex, VertexLink, VertexRows};
use super::graph_drawing::{DrawingEdgeKind, GraphDrawing, Node};
use super::text;
use crate::endpoints::{END, START};

pub(super) use self::picture::{
    ArrowHead, CIRCLE, LayoutPicture, LayoutPoint, LinePath, PlacedContent, PlacedLine, PlacedNode, TITLE,
};

mod columns;
mod order;
mod picture;
mod rows;
mod strands;

/// The padding beside a name in a box, in pixels.
const PADDING: i64 = 14;
const BOX_HEIGHT: i64 = 36;
/// The minimum width of a box, with room for several lines.
const LEAST_WIDTH: i64 = 64;
/// How far a connection from a node to itself extends; a further kind goes around the first.
const LOOP: i64 = 26;

/// Returns the layout of `drawing`.
pub(super) fn layout(drawing: &GraphDrawing) -> LayoutPicture<'_> {
    let LayoutModel { inhabitants, vertices, links, loops, end } = model(drawing);
    let mut rows = rows::arrange(vertices, &links, end);
    order::uncross(&mut rows);
    let x = columns::columns(&rows);
    let (tops, lines) = strands::trace(&rows, &x);
    picture(inhabitants, &rows, &x, &tops, lines, &loops)
}

/// A drawing as vertices and links.
struct LayoutModel<'a> {
    inhabitants: Vec<PlacedContent<'a>>,
    vertices: Vec<Vertex>,
    links: Vec<VertexLink>,
    /// The connections of vertices to themselves.
    loops: Vec<(usize, DrawingEdgeKind)>,
    /// The vertex below all others.
    end: Option<usize>,
}

fn model(drawing: &GraphDrawing) -> LayoutModel<'_> {
    let connections: Vec<_> = drawing.drawn().collect();
    let mut inhabitants = Vec::with_capacity(drawing.nodes.len() + 2);
    let mut index = HashMap::with_capacity(drawing.nodes.len() + 2);
    if connections.iter().any(|way| way.from.iter().any(|from| from == START)) {
        index.insert(START, inhabitants.len());
        inhabitants.push(PlacedContent::Start);
    }
    for node in &drawing.nodes {
        index.insert(&node.name, inhabitants.len());
        inhabitants.push(match &node.subgraph {
            None => PlacedContent::Node(node),
            Some(inner) => PlacedContent::Subgraph(node, layout(inner)),
        });
    }
    let end = connections.iter().any(|way| way.to == END).then_some(inhabitants.len());
    if let Some(end) = end {
        index.insert(END, end);
        inhabitants.push(PlacedContent::End);
    }
    let (mut links, mut loops) = (Vec::new(), Vec::new());
    for (number, way) in connections.into_iter().enumerate() {
        let to = index[way.to.as_str()];
        // Each join is a separate bundle: lines that meet show the sources of one join.
        let join = (way.kind == DrawingEdgeKind::Join).then_some(number);
        for from in way.from.iter().map(|from| index[from.as_str()]) {
            match from == to {
                true => loops.push((from, way.kind)),
                false => links.push(VertexLink { from, to, kind: way.kind, join }),
            }
        }
    }
    loops.sort_unstable();
    loops.dedup();
    let mut vertices: Vec<_> = inhabitants.iter().map(vertex).collect();
    for (vertex, _) in &loops {
        vertices[*vertex].right += LOOP;
    }
    LayoutModel { inhabitants, vertices, links, loops, end }
}

fn vertex(what: &PlacedContent<'_>) -> Vertex {
    let (width, height) = match what {
        PlacedContent::Start | PlacedContent::End => (CIRCLE, CIRCLE),
        PlacedContent::Node(node) => (width_of(node), BOX_HEIGHT),
        PlacedContent::Subgraph(node, picture) => (width_of(node).max(picture.width), TITLE + picture.height),
    };
    // An even width has a middle.
    let half = (width + 1) / 2;
    Vertex { left: half, right: half, height, layer: 0, is_bend: false }
}

fn width_of(node: &Node) -> i64 {
    (text::width(&text::shorten(&node.name)) + 2 * PADDING).max(LEAST_WIDTH)
}

fn picture<'a>(
    inhabitants: Vec<PlacedContent<'a>>,
    rows: &VertexRows,
    x: &[i64],
    tops: &[i64],
    mut lines: Vec<PlacedLine>,
    loops: &[(usize, DrawingEdgeKind)],
) -> LayoutPicture<'a> {
    let place = |(index, what)| {
        let Vertex { left, height, layer, .. } = rows.vertices[index];
        let top = tops[layer] + (rows.heights[layer] - height) / 2;
        PlacedNode { left: x[index] - left, top, width: 2 * left, height, what }
    };
    let shapes: Vec<_> = inhabitants.into_iter().enumerate().map(place).collect();
    for (number, (vertex, kind)) in loops.iter().enumerate() {
        let PlacedNode { left, top, width, height, .. } = shapes[*vertex];
        // The first kind of loop at a vertex is innermost.
        let round = loops[..number].iter().rev().take_while(|(other, _)| other == vertex).count();
        let round = i64::try_from(round).expect("there are five kinds");
        let (side, middle) = (left + width, top + height / 2);
        let point = |y| LayoutPoint { x: side, y };
        let reach = (5 + 8 * round).min(height / 2 - 4);
        let course = LinePath::Loop {
            out: point(middle - reach),
            back: point(middle + reach),
            right: side + LOOP * (round + 1) - 8,
        };
        lines.push(PlacedLine { kind: *kind, course });
    }
    let right = (0..rows.vertices.len()).map(|vertex| x[vertex] + rows.vertices[vertex].right).max();
    let bottom = tops.last().map(|top| top + rows.heights[tops.len() - 1]);
    LayoutPicture { width: right.unwrap_or(MARGIN) + MARGIN, height: bottom.unwrap_or(MARGIN) + MARGIN, shapes, lines }
}

#[cfg(test)]
mod tests;

//! A drawing with positions.

use crate::drawing::graph_drawing::{DrawingEdgeKind, Node};

/// The margin around a picture, in pixels.
pub(super) const MARGIN: i64 = 16;
/// The diameter of the start and the end.
pub(in crate::drawing) const CIRCLE: i64 = 22;
/// The height of the title above a subgraph.
pub(in crate::drawing) const TITLE: i64 = 30;

/// A drawing with positions.
#[derive(Debug)]
pub(in crate::drawing) struct LayoutPicture<'a> {
    pub(in crate::drawing) width: i64,
    pub(in crate::drawing) height: i64,
    pub(in crate::drawing) shapes: Vec<PlacedNode<'a>>,
    pub(in crate::drawing) lines: Vec<PlacedLine>,
}

/// A node with a position.
#[derive(Debug)]
pub(in crate::drawing) struct PlacedNode<'a> {
    pub(in crate::drawing) left: i64,
    pub(in crate::drawing) top: i64,
    pub(in crate::drawing) width: i64,
    pub(in crate::drawing) height: i64,
    pub(in crate::drawing) what: PlacedContent<'a>,
}

#[derive(Debug)]
pub(in crate::drawing) enum PlacedContent<'a> {
    Start,
    End,
    Node(&'a Node),
    /// A node with the picture of its subgraph below the title.
    Subgraph(&'a Node, LayoutPicture<'a>),
}

/// A connection, or the part not shared with earlier connections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::drawing) struct PlacedLine {
    pub(in crate::drawing) kind: DrawingEdgeKind,
    pub(in crate::drawing) course: LinePath,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::drawing) enum LinePath {
    /// A path from point to point: straight up or down, or an S whose ends are vertical.
    Way { points: Vec<LayoutPoint>, head: Option<ArrowHead> },
    /// A loop out of the right side of a box at `out` and back below, extending to `right`.
    Loop { out: LayoutPoint, back: LayoutPoint, right: i64 },
}

/// The direction of the arrow at the last point of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::drawing) enum ArrowHead {
    Down,
    Up,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::drawing) struct LayoutPoint {
    pub(in crate::drawing) x: i64,
    pub(in crate::drawing) y: i64,
}

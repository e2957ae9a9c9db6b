//! A drawing of a graph: nodes and edges as plain data, rendered as Mermaid text or as SVG.
//!
//! `graph_drawing` is the data; `layout` places it, `mermaid` and `svg` render it, and `rendering` calls them.

mod graph_drawing;
mod layout;
mod mermaid;
mod rendering;
mod svg;
mod text;

pub use graph_drawing::{Captions, DrawingEdge, DrawingEdgeKind, GraphDrawing, Node};

//! The renderings of a drawing.

use super::graph_drawing::{Captions, GraphDrawing};
use super::{mermaid, svg};

impl GraphDrawing {
    /// Returns the drawing as Mermaid text: plain edges solid, joins thick, routes and commands dotted.
    pub fn mermaid(&self) -> String {
        mermaid::draw(self)
    }

    /// Returns the drawing as a self-contained SVG image for light and dark backgrounds.
    ///
    /// Equal drawings return equal texts. The time is proportional to the layers crossed by connections, the stack to
    /// the depth of subgraphs.
    pub fn svg(&self) -> String {
        self.svg_with(&Captions::default())
    }

    /// Returns [`GraphDrawing::svg`] with other captions, such as captions in another language.
    pub fn svg_with(&self, captions: &Captions) -> String {
        svg::draw(self, captions)
    }
}

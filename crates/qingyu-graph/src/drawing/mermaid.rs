//! Rendering as Mermaid text.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::graph_drawing::{DrawingEdge, DrawingEdgeKind, GraphDrawing};
use crate::endpoints::{END, START};

/// Returns Mermaid text: plain edges solid, joins thick, routes and commands dotted, deferred nodes with a dashed
/// border.
pub(super) fn draw(drawing: &GraphDrawing) -> String {
    let mut page = MermaidWriter { text: "flowchart TD\n".to_owned(), deferred: Vec::new() };
    page.graph(drawing, "", 1);
    if !page.deferred.is_empty() {
        page.line(1, "classDef deferred stroke-dasharray: 4 3");
        let deferred = page.deferred.join(",");
        page.line(1, &format!("class {deferred} deferred"));
    }
    page.text
}

struct MermaidWriter {
    text: String,
    /// The ids of deferred nodes.
    deferred: Vec<String>,
}

impl MermaidWriter {
    /// Appends a graph whose ids start with `prefix`.
    fn graph(&mut self, drawing: &GraphDrawing, prefix: &str, depth: usize) {
        let known: Vec<_> = drawing.drawn().collect();
        let mentions = |name: &str| known.iter().any(|way| way.to == name || way.from.iter().any(|from| from == name));
        let mut ids = HashMap::from([(START, format!("{prefix}start")), (END, format!("{prefix}finish"))]);
        if mentions(START) {
            self.line(depth, &format!("{prefix}start([start])"));
        }
        for (index, node) in drawing.nodes.iter().enumerate() {
            let id = format!("{prefix}n{index}");
            let name = escape(&node.name);
            match &node.subgraph {
                None => self.line(depth, &format!("{id}[\"{name}\"]")),
                Some(inner) => {
                    self.line(depth, &format!("subgraph {id}[\"{name}\"]"));
                    // Without a direction some renderers turn the subgraph sideways.
                    self.line(depth + 1, "direction TD");
                    self.graph(inner, &format!("{id}_"), depth + 1);
                    self.line(depth, "end");
                }
            }
            if node.is_deferred {
                self.deferred.push(id.clone());
            }
            ids.insert(&node.name, id);
        }
        if mentions(END) {
            self.line(depth, &format!("{prefix}finish([end])"));
        }
        for DrawingEdge { from, to, kind } in known {
            let from: Vec<_> = from.iter().map(|from| ids[from.as_str()].as_str()).collect();
            self.line(depth, &format!("{} {} {}", from.join(" & "), arrow(*kind), ids[to.as_str()]));
        }
    }

    fn line(&mut self, depth: usize, content: &str) {
        writeln!(self.text, "{:indent$}{content}", "", indent = depth * 4).expect("writing to a string cannot fail");
    }
}

fn arrow(kind: DrawingEdgeKind) -> &'static str {
    match kind {
        DrawingEdgeKind::Edge => "-->",
        DrawingEdgeKind::Join => "==>",
        DrawingEdgeKind::Route | DrawingEdgeKind::Command => "-.->",
        DrawingEdgeKind::Error => "-. error .->",
    }
}

/// Returns `name` as quoted text, with markup and quotes as entities.
fn escape(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for character in name.chars() {
        match character {
            '"' => text.push_str("#quot;"),
            '#' | '&' | '<' | '>' | '`' | '\\' => {
                write!(text, "#{};", u32::from(character)).expect("writing to a string cannot fail");
            }
            '\u{fffe}' | '\u{ffff}' => text.push(' '),
            _ if character.is_control() => text.push(' '),
            _ => text.push(character),
        }
    }
    text
}

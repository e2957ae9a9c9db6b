//! Rendering as Mermaid text.

use std::fmt::Write as _;

use super::{DrawnNode, StoryDrawing};
use crate::graph::NodeKind;

/// Returns Mermaid text: characters round, events six-sided, places and the rest as boxes of other shapes.
pub(super) fn draw(drawing: &StoryDrawing) -> String {
    let mut text = "flowchart LR\n".to_owned();
    let mut line = |content: &str| writeln!(text, "    {content}").expect("writing to a string cannot fail");
    for (place, DrawnNode { kind, name }) in drawing.nodes.iter().enumerate() {
        let (open, close) = brackets(*kind);
        line(&format!("n{place}{open}\"{}\"{close}", escape(name)));
    }
    for one in &drawing.lines {
        let words: Vec<String> = one.words.iter().map(|word| escape(word)).collect();
        let arrow = if one.is_directed { "-->" } else { "---" };
        line(&format!("n{} {arrow}|\"{}\"| n{}", one.from, words.join(", "), one.to));
    }
    if drawing.left_out > 0 {
        let caption =
            if drawing.caption.is_empty() { format!("+{}", drawing.left_out) } else { escape(&drawing.caption) };
        line(&format!("more[/\"{caption}\"/]"));
    }
    text
}

fn brackets(kind: NodeKind) -> (&'static str, &'static str) {
    match kind {
        NodeKind::Character => ("(", ")"),
        NodeKind::Event => ("{{", "}}"),
        NodeKind::Location => ("[(", ")]"),
        NodeKind::Organisation => ("[[", "]]"),
        NodeKind::Unknown => (">", "]"),
        NodeKind::Item | NodeKind::Chapter | NodeKind::Plot | NodeKind::Fact => ("[", "]"),
    }
}

/// Returns `name` as quoted text, with markup and quotes as entities.
fn escape(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for character in name.chars() {
        match character {
            '"' | '#' | '&' | '<' | '>' | '`' | '\\' => {
                write!(text, "#{};", u32::from(character)).expect("writing to a string cannot fail");
            }
            _ if character.is_control() => text.push(' '),
            _ => text.push(character),
        }
    }
    text
}

//! Propagates a new name to references and prose.

use super::change::EditStep;
use crate::names::{Names, fold};
use crate::piece::{Piece, PieceKind};
use crate::story::Story;

/// Appends the steps replacing a piece's old name throughout the story: in references, and in prose where
/// [`Names::mentions`] finds the old name for the given piece alone.
///
/// Nothing is renamed if another piece of the same kind has the old name too, since a reference would be ambiguous.
pub(super) fn carry_name(story: &Story, before: &Piece, after: &Piece, position: usize, steps: &mut Vec<EditStep>) {
    let kind = before.kind();
    let (old, new) = (before.name().trim(), after.name().trim());
    let names = Names::of(story);
    if old.is_empty() || names.find(kind, old).len() != 1 {
        return;
    }
    for other_kind in PieceKind::ALL {
        for other_position in 0..story.count(other_kind) {
            let is_itself = other_kind == kind && other_position == position;
            let Some(original) = story.piece(other_kind, other_position) else { continue };
            let mut other = if is_itself { after.clone() } else { original.clone() };
            for (to, name) in other.references_mut() {
                let means_it = to.contains(&kind) && fold(name) == fold(old);
                if means_it && to.iter().all(|other| *other == kind || names.find(*other, old).is_empty()) {
                    new.clone_into(name);
                }
            }
            for text in other.texts_mut() {
                if let Some(replaced) = replace_name(&names, text, kind, position, old, new) {
                    *text = replaced;
                }
            }
            other.succeed(&original);
            if is_itself {
                steps[0].after = Some(other);
            } else if other != original {
                steps.push(EditStep { position: other_position, before: Some(original), after: Some(other) });
            }
        }
    }
}

/// Returns `text` with every mention of `old` for the given piece alone replaced by `new`, or `None` without a mention.
fn replace_name(names: &Names, text: &str, kind: PieceKind, position: usize, old: &str, new: &str) -> Option<String> {
    let mut replaced = String::new();
    let mut copied = 0;
    for mention in names.mentions(text) {
        let means_it = matches!(mention.bearers.as_slice(), [one] if one.kind == kind && one.position == position);
        if means_it && fold(&text[mention.start..mention.end]) == fold(old) {
            replaced.push_str(&text[copied..mention.start]);
            replaced.push_str(new);
            copied = mention.end;
        }
    }
    if copied == 0 {
        return None;
    }
    replaced.push_str(&text[copied..]);
    Some(replaced)
}

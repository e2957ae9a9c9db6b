//! QY110: a piece without a name, unusable as a reference target.

use serde_json::{Value, json};

use super::{FindingDraft, Rule, RuleMaterial};
use crate::piece::{Piece, PieceKind};
use crate::{Action, Category, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy110_nameless_piece.toml");
    Rule::new("QY110", (Severity::Medium, Category::Completeness, "outline"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let named_kinds = PieceKind::ALL.into_iter().filter(|kind| Piece::empty(*kind).needs_name());
    let nameless = named_kinds.flat_map(|kind| material.story.pieces_of(kind));
    let nameless = nameless.filter(|piece| piece.name().trim().is_empty());
    nameless.map(|piece| draft(&piece)).collect()
}

fn draft(piece: &Piece) -> FindingDraft {
    let kind = piece.kind();
    let empty = Piece::empty(kind).fields();
    let told = piece.fields().into_iter().filter(|(field, value)| empty.get(field) != Some(value));
    let told: Vec<String> = told.map(|(field, value)| format!("{field}: {value}")).collect();
    let handle = if piece.id().is_empty() { told.join("; ") } else { piece.id().to_owned() };
    let short: String = handle.chars().take(60).collect();
    let draft = FindingDraft::about([kind.name().to_owned(), handle])
        .in_work_of(kind)
        .say("piece", &short)
        .say("list", kind.list())
        .affects(&short)
        .quote(format!("{}/{short}/name", kind.list()), told.join("; ").chars().take(80).collect::<String>());
    let field =
        if matches!(kind, PieceKind::Event | PieceKind::PlotNode | PieceKind::Document) { "title" } else { "name" };
    if piece.id().is_empty() {
        return draft;
    }
    draft.fix("name", Action::Update, kind, json!({ "id": piece.id(), field: Value::Null }))
}

//! QY105: two pieces of one kind have the same name.

use std::collections::BTreeMap;

use serde_json::json;

use super::{FindingDraft, Rule, RuleMaterial};
use crate::names::fold;
use crate::phrase::in_brackets;
use crate::piece::{Piece, PieceKind};
use crate::{Action, Category, Language, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy105_duplicate_name.toml");
    Rule::new("QY105", (Severity::High, Category::Consistency, "character"), texts, run)
}

/// The kinds with unique names, since other pieces refer to them by name.
const UNIQUE: [PieceKind; 6] = [
    PieceKind::Character,
    PieceKind::Event,
    PieceKind::PlotNode,
    PieceKind::Location,
    PieceKind::Organisation,
    PieceKind::Item,
];

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut same: BTreeMap<(PieceKind, String), Vec<Piece>> = BTreeMap::new();
    let pieces = UNIQUE.into_iter().flat_map(|kind| material.story.pieces_of(kind));
    for piece in pieces.filter(|piece| !piece.name().trim().is_empty()) {
        same.entry((piece.kind(), fold(piece.name()))).or_default().push(piece);
    }
    let twice = same.into_iter().filter(|(_, pieces)| pieces.len() > 1);
    twice.map(|((kind, name), pieces)| draft(kind, &name, pieces, material.story.language)).collect()
}

fn draft(kind: PieceKind, name: &str, mut pieces: Vec<Piece>, language: Language) -> FindingDraft {
    pieces.sort_by_cached_key(|piece| (std::cmp::Reverse(filled(piece)), piece.id().to_owned(), format!("{piece:?}")));
    let shown = pieces[0].name().trim().to_owned();
    let mut draft = FindingDraft::about([kind.name().to_owned(), name.to_owned()])
        .in_work_of(kind)
        .say("name", &shown)
        .say("count", pieces.len().to_string())
        .affects(&shown);
    for piece in &pieces {
        let handle = if piece.id().is_empty() { piece.name().trim() } else { piece.id() };
        draft = draft.quote(format!("{}/{handle}", kind.list()), summary(piece));
    }
    for (number, piece) in pieces.iter().enumerate().skip(1).filter(|(_, piece)| !piece.id().is_empty()) {
        if adds_nothing(piece, &pieces[0]) {
            draft = draft.fix("delete", Action::Delete, kind, json!({ "id": piece.id() }));
        } else {
            let new_name = format!("{shown}{}", in_brackets(&(number + 1).to_string(), language));
            draft = draft.fix("rename", Action::Update, kind, json!({ "id": piece.id(), "new_name": new_name }));
        }
        draft = draft.fix_says("id", piece.id());
    }
    draft
}

/// Counts the non-empty fields.
fn filled(piece: &Piece) -> usize {
    let empty = Piece::empty(piece.kind()).fields();
    piece.fields().iter().filter(|(field, value)| empty.get(*field) != Some(value)).count()
}

/// Returns whether every non-empty field of `piece` is equal in `other`.
fn adds_nothing(piece: &Piece, other: &Piece) -> bool {
    let (empty, other) = (Piece::empty(piece.kind()).fields(), other.fields());
    let adds = |field: &String, value: &serde_json::Value| {
        field != "id" && empty.get(field) != Some(value) && other.get(field) != Some(value)
    };
    !piece.fields().iter().any(|(field, value)| adds(field, value))
}

/// Returns a short summary of the piece.
fn summary(piece: &Piece) -> String {
    let empty = Piece::empty(piece.kind()).fields();
    let told = piece.fields().into_iter().filter(|(field, value)| field != "id" && empty.get(field) != Some(value));
    let text: String = told.map(|(field, value)| format!("{field}: {value}; ")).collect();
    text.chars().take(80).collect()
}

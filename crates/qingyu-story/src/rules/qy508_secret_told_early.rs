//! QY508: a chapter gives a secret away before the outline node that may.

use serde_json::json;

use super::material::target;
use super::secrets::{KeptSecret, kept_secrets, kind, placed_chapters};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::settlement::Revealed;
use crate::{Action, Category, Document, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy508_secret_told_early.toml");
    Rule::new("QY508", (Severity::High, Category::Consistency, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let secrets = kept_secrets(material);
    if secrets.is_empty() {
        return Vec::new();
    }
    let mut drafts = Vec::new();
    for (document, place) in placed_chapters(material) {
        for secret in secrets.iter().filter(|secret| place.end() < secret.place.start()) {
            drafts.extend(secret.told(document).next().map(|told| draft(secret, document, told)));
        }
    }
    drafts
}

fn draft(secret: &KeptSecret<'_>, document: &Document, told: &Revealed) -> FindingDraft {
    let whose = secret.of.map_or_else(|| "truth".to_owned(), handle);
    let draft = FindingDraft::about([whose, handle(document)])
        .in_work_of(kind(secret))
        .say("secret", secret.text.as_str())
        .say("chapter", document.title.trim())
        .say("until", secret.node)
        .affects(document.title.trim())
        .quote(anchor(PieceKind::Document, document, "text"), told.quote.trim())
        .fix_text("rewrite", document, &[]);
    let Some(card) = secret.of else { return draft };
    let node = document.outline_node.as_deref().unwrap_or_default().trim();
    draft.affects(card.name.trim()).quote(anchor(PieceKind::Character, card, "secret_until"), secret.until).fix(
        "allow",
        Action::Update,
        PieceKind::Character,
        target(card, json!({ "secret_until": node })),
    )
}

//! QY509: a secret has not come out long after the outline node from which it may.

use super::keeping::is_whole;
use super::secrets::{KeptSecret, kept_secrets, kind, placed_chapters};
use super::{FindingDraft, Rule, RuleMaterial};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Category, Document, Severity};

/// Chapters after the named one within which a secret comes out.
const SOON: usize = 3;

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy509_secret_untold.toml");
    Rule::new("QY509", (Severity::Low, Category::Consistency, "plot"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let secrets = kept_secrets(material);
    if secrets.is_empty() {
        return Vec::new();
    }
    let chapters = placed_chapters(material);
    let is_over = is_whole(material);
    let draft = |secret: &KeptSecret<'_>| {
        let since: Vec<&Document> =
            chapters.iter().filter(|(_, place)| place.end() >= secret.place.start()).map(|(text, _)| *text).collect();
        let later = chapters.iter().filter(|(_, place)| place.start() > secret.place.end()).count();
        // Only a model says where a secret is told.
        let are_read = since.iter().all(|text| text.read.is_some() && text.settled.is_some());
        let is_told = chapters.iter().any(|(text, _)| secret.told(text).next().is_some());
        let is_late = later >= SOON || is_over;
        let last = since.into_iter().max_by_key(|text| text.order)?;
        (are_read && is_late && !is_told).then(|| untold(secret, last))
    };
    secrets.iter().filter_map(draft).collect()
}

fn untold(secret: &KeptSecret<'_>, last: &Document) -> FindingDraft {
    let draft = FindingDraft::about([secret.of.map_or_else(|| "truth".to_owned(), handle)])
        .in_work_of(kind(secret))
        .say("secret", secret.text.as_str())
        .say("until", secret.node)
        .say("chapter", last.title.trim())
        .affects(last.title.trim())
        .fix_text("tell", last, &[]);
    match secret.of {
        Some(card) => {
            draft.affects(card.name.trim()).quote(anchor(PieceKind::Character, card, "secret_until"), secret.until)
        }
        None => draft.quote("worldview/truth_until", secret.until),
    }
}

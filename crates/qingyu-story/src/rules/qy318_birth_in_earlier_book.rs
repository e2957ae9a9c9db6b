//! QY318: a card gives another birth than the card of an earlier book.

use serde_json::json;

use super::material::target;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::earlier::EarlierBook;
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, Character, Severity, time};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy318_birth_in_earlier_book.toml");
    Rule::new("QY318", (Severity::High, Category::Consistency, "character"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let mut drafts = Vec::new();
    for book in material.earlier().iter() {
        for (name, position) in book.shared(&material.names) {
            let card = &material.story.characters[position];
            let (now, told) = (card.birth.as_deref(), book.person(name).map(|person| person.birth.as_str()));
            let births = now.zip(told).map(|(now, told)| (now.trim(), told));
            drafts.extend(births.filter(|(now, told)| differ(now, told)).map(|births| draft(card, book, births)));
        }
    }
    drafts
}

/// Returns whether two times on one calendar certainly differ.
fn differ(now: &str, told: &str) -> bool {
    let moments = time::parse(now).moment().zip(time::parse(told).moment());
    moments.is_some_and(|(now, told)| now.is_dated() && (now.is_before(&told) || told.is_before(&now)))
}

fn draft(card: &Character, book: &EarlierBook, (now, told): (&str, &str)) -> FindingDraft {
    FindingDraft::about([handle(card), book.key().to_owned()])
        .say("name", card.name.trim())
        .say("book", &book.title)
        .say("now", now)
        .say("told", told)
        .affects(card.name.trim())
        .quote(anchor(PieceKind::Character, card, "birth"), now)
        .fix("same", Action::Update, PieceKind::Character, target(card, json!({ "birth": told })))
}

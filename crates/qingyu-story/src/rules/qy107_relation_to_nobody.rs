//! QY107: a relation to an unknown character.

use serde_json::json;

use super::qy101_undefined_character::undefined;
use super::{FindingDraft, Rule, RuleMaterial};
use crate::names::{fold, titled};
use crate::part::{anchor, handle};
use crate::piece::PieceKind;
use crate::{Action, Category, RoleType, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy107_relation_to_nobody.toml");
    Rule::new("QY107", (Severity::High, Category::Consistency, "relation"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    let elsewhere = undefined(material);
    let mut drafts = Vec::new();
    for relation in &material.story.character_relations {
        for (field, name, other) in [("from", &relation.from, &relation.to), ("to", &relation.to, &relation.from)] {
            let known =
                [PieceKind::Character, PieceKind::Organisation].iter().any(|kind| material.names.knows(*kind, name));
            if known || name.trim().is_empty() {
                continue;
            }
            let draft = FindingDraft::about([handle(relation), field.to_owned(), fold(name)])
                .say("name", name.trim())
                .say("other", other.trim())
                .affects(name.trim())
                .affects(other.trim())
                .quote(anchor(PieceKind::Relation, relation, field), name.trim());
            // If the name is also missing among participants, QY101 creates the card.
            drafts.push(if elsewhere.contains_key(&fold(name)) {
                draft
            } else if let Some(card) = titled(&material.story.characters, name) {
                draft.fix_alias(card, name.trim())
            } else {
                let parameters = json!({ "name": name.trim(), "role_type": RoleType::Minor });
                draft.fix("create", Action::Create, PieceKind::Character, parameters)
            });
        }
    }
    drafts
}

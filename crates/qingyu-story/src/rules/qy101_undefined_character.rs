//! QY101: a participant without a character card.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::{FindingDraft, Rule, RuleMaterial};
use crate::language::is_han;
use crate::names::{fold, parts, titled};
use crate::part::anchor;
use crate::piece::PieceKind;
use crate::{Action, Category, RoleType, Severity};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy101_undefined_character.toml");
    Rule::new("QY101", (Severity::High, Category::Consistency, "character"), texts, run)
}

fn run(material: &RuleMaterial<'_>) -> Vec<FindingDraft> {
    undefined(material).into_values().map(|missing| missing.draft(material)).collect()
}

/// A participant name without a card.
pub(super) struct MissingCharacter {
    pub(super) name: String,
    places: BTreeSet<(String, String)>,
    pieces: BTreeSet<String>,
}

/// Returns the participant names without a character, by folded name.
pub(super) fn undefined(material: &RuleMaterial<'_>) -> BTreeMap<String, MissingCharacter> {
    let mut all: BTreeMap<String, MissingCharacter> = BTreeMap::new();
    let mut note = |name: &str, anchor: String, piece: &str| {
        if is_known(material, name) {
            return;
        }
        let trimmed = name.trim();
        let missing = all.entry(fold(trimmed)).or_insert_with(|| MissingCharacter {
            name: trimmed.to_owned(),
            places: BTreeSet::new(),
            pieces: BTreeSet::new(),
        });
        // Of several spellings, the smallest is used consistently.
        if trimmed < missing.name.as_str() {
            trimmed.clone_into(&mut missing.name);
        }
        missing.places.insert((anchor, trimmed.to_owned()));
        missing.pieces.insert(piece.trim().to_owned());
    };
    for node in &material.story.outline_nodes {
        for name in &node.participants {
            note(name, anchor(PieceKind::OutlineNode, node, "participants"), &node.name);
        }
    }
    for event in &material.story.timeline_events {
        for (field, names) in [("participants", &event.participants), ("deaths", &event.deaths)] {
            for name in names {
                note(name, anchor(PieceKind::Event, event, field), &event.title);
            }
        }
    }
    all
}

/// Returns whether the name belongs to a character or organisation, or is generic.
pub(super) fn is_known(material: &RuleMaterial<'_>, name: &str) -> bool {
    let names = &material.names;
    names.knows(PieceKind::Character, name) || names.knows(PieceKind::Organisation, name) || is_generic(material, name)
}

/// Returns whether the name is a word for a crowd or a role, without need of a card.
fn is_generic(material: &RuleMaterial<'_>, name: &str) -> bool {
    let name = name.trim();
    let has_protagonist = material.story.characters.iter().any(|one| one.role_type == RoleType::Protagonist);
    let is_part = matches!(fold(name).as_str(), "主角" | "主人公" | "protagonist" | "the protagonist");
    let crowd = [
        "们", "众", "群", "等人", "众人", "队员", "群众", "路人", "村民", "居民", "士兵", "守卫", "警察", "警员",
        "船员", "人群",
    ];
    let is_crowd = crowd.iter().any(|ending| name.ends_with(ending));
    let is_proper = name.chars().any(|c| is_han(c) || c.is_uppercase()) && !fold(name).starts_with("the ");
    name.is_empty() || is_crowd || !is_proper || (is_part && has_protagonist)
}

impl MissingCharacter {
    fn draft(self, material: &RuleMaterial<'_>) -> FindingDraft {
        let in_prose = material.passages.iter().filter_map(|passage| {
            let start = passage.text.find(&self.name)?;
            Some((passage.anchor.clone(), passage.quote(&(start..start + self.name.len()))))
        });
        let role = if self.places.len() > 1 { RoleType::Supporting } else { RoleType::Minor };
        let mut draft = FindingDraft::about([fold(&self.name)])
            .say("name", &self.name)
            .list("pieces", self.pieces.iter().cloned())
            .affects(&self.name)
            .quotes(in_prose)
            .quotes(self.places.iter().cloned());
        for piece in &self.pieces {
            draft = draft.affects(piece);
        }
        match self.alias_of(material) {
            Some(card) => draft.fix_alias(card, &self.name),
            None => {
                let parameters = json!({ "name": self.name, "role_type": role });
                draft.fix("create", Action::Create, PieceKind::Character, parameters)
            }
        }
    }

    /// Returns the only character of whose name the name is a title: 队长 of 陈队长. It means nobody by itself, and is no
    /// further character. Or else the only character whose family name with a title it is: 沈先生 of 沈砚秋.
    fn alias_of<'s>(&self, material: &RuleMaterial<'s>) -> Option<&'s crate::Character> {
        let short = fold(&self.name);
        let is_titled = |card: &&crate::Character| parts(&card.name).any(|part| fold(part) == short);
        let mut cards = material.story.characters.iter().filter(is_titled);
        let one = cards.next().filter(|_| cards.next().is_none());
        one.or_else(|| titled(&material.story.characters, &self.name))
    }
}

//! Edits of single pieces, as plain commands that can be logged and undone.
//!
//! - [`Edit`]: create, update or delete one piece; [`apply`] carries it out
//! - [`Change`]: what an edit did, with before and after; [`Change::inverse`] undoes it
//! - [`from_instruction`]: the edit that a correction instruction describes by its parameters
//! - [`incremental`]: the guard that lets an agent's answer change only what its instructions name

mod change;
mod error;
mod incremental;
mod instruction;
mod lists;
mod matching;
mod replacement;
mod scope;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chapters::Chapters;
use crate::ids::{Issuer, same_name};
use crate::names::{Names, fold};
use crate::piece::{Piece, PieceKind};
use crate::{RelationKind, Story, settlement};

pub use change::{Change, Step};
pub use error::Error;
pub use incremental::{Outcome, Reason, Refusal, incremental};
pub use instruction::from_instruction;
use lists::Setting;
pub use replacement::{Replacement, replace};
pub use scope::is_blank;

/// A change of one piece, as a command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "edits are few and short-lived")]
pub enum Edit {
    /// Adds a piece. It gets an id if it has none, or one that is taken.
    Create {
        /// The piece.
        piece: Piece,
    },
    /// Sets fields of a piece. A new name is carried into all references and into the prose of the story; that of a chapter
    /// to its node and to the text that has the same title.
    Update {
        /// The kind of the piece.
        kind: PieceKind,
        /// Which piece.
        target: Target,
        /// The fields to set, by their JSON names. `add_participants` adds entries to a list, `remove_participants`
        /// takes them out, `replace_description` makes [`Replacement`]s in a text.
        fields: BTreeMap<String, Value>,
    },
    /// Takes a piece out. References to it stay, and the checker reports them.
    Delete {
        /// The kind of the piece.
        kind: PieceKind,
        /// Which piece.
        target: Target,
    },
}

/// Which piece an edit is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// By id, name, title or alias, as [`Names::find`] understands them.
    Named(String),
    /// A relation by its ends, and by its kind if the pair has several.
    Pair {
        /// Whose relation it is.
        from: String,
        /// The other.
        to: String,
        /// What the other is to them.
        kind: Option<RelationKind>,
    },
    /// The only one of its kind: the world or the style.
    Only,
}

/// Carries out `edit` on `story`.
///
/// Fails without touching the story if the edit does not fit it: the piece is not there, more than one could be meant,
/// a field does not exist or does not take the value, or a name is taken.
pub fn apply(story: &mut Story, edit: Edit) -> Result<Change, Error> {
    let steps = match edit {
        Edit::Create { piece } => create(story, piece)?,
        Edit::Update { kind, target, fields } => {
            let position = locate(story, kind, &target)?;
            let steps = update(story, kind, position, fields)?;
            with_twin(story, steps)?
        }
        Edit::Delete { kind, target } => delete(story, kind, &target)?,
    };
    let change = Change { steps };
    change.apply(story)?;
    Ok(change)
}

/// The place of the piece that `target` means.
pub(crate) fn locate(story: &Story, kind: PieceKind, target: &Target) -> Result<usize, Error> {
    let found = match target {
        Target::Only => (0..story.count(kind)).take(2).collect(),
        Target::Named(name) if kind == PieceKind::Relation => relations_by(story, |relation| relation.id == *name),
        Target::Named(id) if kind == PieceKind::Fact => {
            let facts = story.facts.iter().enumerate();
            facts.filter(|(_, fact)| !id.trim().is_empty() && fact.id == *id).map(|(position, _)| position).collect()
        }
        Target::Named(name) => Names::of(story).find(kind, name).iter().map(|named| named.position).collect(),
        Target::Pair { from, to, kind } => pair(story, from, to, *kind),
    };
    match found.as_slice() {
        [position] => Ok(*position),
        [] => Err(Error::NotFound { kind, target: target.label() }),
        several => Err(Error::Ambiguous { kind, target: target.label(), count: several.len() }),
    }
}

/// The relations of a pair. With several, the kind decides; with one, the kind may be what is to be changed.
fn pair(story: &Story, from: &str, to: &str, kind: Option<RelationKind>) -> Vec<usize> {
    let names = Names::of(story);
    let same = |a: &str, b: &str| {
        fold(a) == fold(b)
            || names.resolve(PieceKind::Character, a).is_some_and(|a| names.resolve(PieceKind::Character, b) == Some(a))
    };
    let all = relations_by(story, |relation| same(&relation.from, from) && same(&relation.to, to));
    match kind {
        Some(kind) if all.len() > 1 => {
            all.into_iter().filter(|position| story.character_relations[*position].kind == kind).collect()
        }
        _ => all,
    }
}

fn relations_by(story: &Story, is_meant: impl Fn(&crate::CharacterRelation) -> bool) -> Vec<usize> {
    let relations = story.character_relations.iter().enumerate();
    relations.filter(|(_, relation)| is_meant(relation)).map(|(position, _)| position).collect()
}

fn create(story: &Story, mut piece: Piece) -> Result<Vec<Step>, Error> {
    let kind = piece.kind();
    refuse_if_taken(story, &piece, None)?;
    let mut steps = Vec::new();
    if kind.in_world() && story.worldview.is_none() {
        steps.push(Step { position: 0, before: None, after: Some(Piece::empty(PieceKind::Worldview)) });
    }
    if !kind.is_single() {
        let mut issuer = Issuer::of(story);
        let taken = story.pieces().any(|other| other.id() == piece.id());
        if !issuer.take(piece.id(), taken) {
            piece.set_id(issuer.next(kind));
        }
    }
    steps.push(Step { position: story.count(kind), before: None, after: Some(piece) });
    Ok(steps)
}

/// The steps that set `fields` of the piece at `position`, and carry a new name along. Empty if nothing changes.
pub(crate) fn update(
    story: &Story,
    kind: PieceKind,
    position: usize,
    fields: BTreeMap<String, Value>,
) -> Result<Vec<Step>, Error> {
    let before = story.piece(kind, position).expect("the position was found in this story");
    let mut after = before.clone();
    for (field, value) in fields {
        if field == "id" && value.as_str() != Some(before.id()) {
            return Err(Error::IdIsFixed { path: "parameters/id".to_owned() });
        }
        let unknown = || Error::UnknownField { path: format!("parameters/{field}") };
        after = Setting::read(&after, &field).ok_or_else(unknown)?.make(&after, value)?;
    }
    after.succeed(&before);
    if after == before {
        return Ok(Vec::new());
    }
    let renamed = fold(before.name()) != fold(after.name()) || kind == PieceKind::Relation;
    if renamed {
        refuse_if_taken(story, &after, Some(position))?;
    }
    let mut steps = vec![Step { position, before: Some(before.clone()), after: Some(after.clone()) }];
    if before.name().trim() != after.name().trim() {
        carry_name(story, &before, &after, position, &mut steps);
        settlement::kept_up(story, &mut steps);
    }
    Ok(steps)
}

/// The steps, and those that give the new name of a chapter's node to its text, or that of its text to its node, where both
/// were called the same.
fn with_twin(story: &Story, mut steps: Vec<Step>) -> Result<Vec<Step>, Error> {
    let Some(Step { position, before: Some(before), after: Some(after) }) = steps.first() else { return Ok(steps) };
    let (old, new) = (fold(before.name()), after.name().to_owned());
    if old == fold(&new) || !matches!(before.kind(), PieceKind::OutlineNode | PieceKind::Document) {
        return Ok(steps);
    }
    let chapters = Chapters::of(story);
    let twin = if before.kind() == PieceKind::OutlineNode {
        let chapter = chapters.of_node(*position);
        let mut texts = chapter.into_iter().flat_map(|chapter| &chapter.documents);
        texts.find(|at| fold(&story.documents[**at].title) == old).map(|at| (PieceKind::Document, "title", *at))
    } else {
        let node = chapters.of_document(*position).and_then(|chapter| chapter.node);
        node.filter(|at| fold(&story.outline_nodes[*at].name) == old).map(|at| (PieceKind::OutlineNode, "name", at))
    };
    let Some((kind, field, at)) = twin else { return Ok(steps) };
    let mut renamed = story.clone();
    Change { steps: steps.clone() }.apply(&mut renamed)?;
    match update(&renamed, kind, at, BTreeMap::from([(field.to_owned(), Value::from(new))])) {
        Ok(more) => steps.extend(more),
        // Another chapter has the title: the twin keeps its own.
        Err(Error::NameTaken { .. }) => {}
        Err(error) => return Err(error),
    }
    Ok(steps)
}

fn delete(story: &Story, kind: PieceKind, target: &Target) -> Result<Vec<Step>, Error> {
    let position = locate(story, kind, target)?;
    if kind == PieceKind::Worldview && story.worldview.as_ref().is_some_and(|world| !world.is_bare()) {
        return Err(Error::NotEmpty { kind });
    }
    Ok(vec![Step { position, before: story.piece(kind, position), after: None }])
}

fn refuse_if_taken(story: &Story, piece: &Piece, own: Option<usize>) -> Result<(), Error> {
    let kind = piece.kind();
    let taken = match piece {
        Piece::Worldview(_) | Piece::Style(_) => own.is_none() && story.count(kind) > 0,
        Piece::Relation(_) => (0..story.count(kind))
            .filter(|position| Some(*position) != own)
            .any(|position| story.piece(kind, position).is_some_and(|other| same_name(&other, piece))),
        Piece::Fact(_) => false,
        _ if piece.name().trim().is_empty() => return Err(Error::NoName { kind }),
        _ => {
            let names = Names::of(story);
            let bearers = names.find(kind, piece.name());
            bearers.iter().any(|named| Some(named.position) != own && bears(named.position, story, piece))
        }
    };
    if taken { Err(Error::NameTaken { kind, name: piece.label() }) } else { Ok(()) }
}

/// Whether the piece at `position` has the name of `piece` as its name or alias, not only as its id or number.
fn bears(position: usize, story: &Story, piece: &Piece) -> bool {
    story.piece(piece.kind(), position).is_some_and(|other| other.is_called(piece.name()))
}

/// Adds the steps that put the new name of a piece wherever the story uses the old one: in references, and in prose
/// where [`Names::mentions`] finds the old name of this piece and no other.
///
/// Nothing is carried if another piece of the same kind bears the old name too, because then a reference may mean either.
fn carry_name(story: &Story, before: &Piece, after: &Piece, position: usize, steps: &mut Vec<Step>) {
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
                if means_it && to.iter().all(|other| *other == kind || !names.knows(*other, old)) {
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
                steps.push(Step { position: other_position, before: Some(original), after: Some(other) });
            }
        }
    }
}

/// `text` with every mention of `old` that means only the given piece replaced by `new`; `None` if there is none.
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

impl Target {
    /// The target in words, for messages.
    pub fn label(&self) -> String {
        match self {
            Self::Named(name) => name.clone(),
            Self::Pair { from, to, .. } => format!("{from} > {to}"),
            Self::Only => String::new(),
        }
    }
}

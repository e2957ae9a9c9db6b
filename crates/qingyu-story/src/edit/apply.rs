//! Applies edits to a story.

use std::collections::BTreeMap;

use serde_json::Value;

use super::change::{AppliedEdit, EditStep};
use super::command::{Edit, EditTarget};
use super::error::Error;
use super::lists::FieldUpdate;
use super::locate::locate;
use super::renaming::carry_name;
use crate::chapters::Chapters;
use crate::ids::{Issuer, same_name};
use crate::names::{Names, fold};
use crate::piece::{Piece, PieceKind};
use crate::settlement::kept_up;
use crate::story::Story;

/// Applies `edit` to `story`.
///
/// Returns an error and leaves the story unchanged if the edit does not fit: no piece or several pieces match, a field
/// does not exist or rejects the value, or a name is taken.
pub fn apply(story: &mut Story, edit: Edit) -> Result<AppliedEdit, Error> {
    let steps = match edit {
        Edit::Create { piece } => create(story, piece)?,
        Edit::Update { kind, target, fields } => {
            let position = locate(story, kind, &target)?;
            let steps = update(story, kind, position, fields)?;
            with_twin(story, steps)?
        }
        Edit::Delete { kind, target } => delete(story, kind, &target)?,
    };
    let change = AppliedEdit { steps };
    change.apply(story)?;
    Ok(change)
}

fn create(story: &Story, mut piece: Piece) -> Result<Vec<EditStep>, Error> {
    let kind = piece.kind();
    refuse_if_taken(story, &piece, None)?;
    let mut steps = Vec::new();
    if kind.in_world() && story.worldview.is_none() {
        steps.push(EditStep { position: 0, before: None, after: Some(Piece::empty(PieceKind::Worldview)) });
    }
    if !kind.is_single() {
        let mut issuer = Issuer::of(story);
        let taken = story.pieces().any(|other| other.id() == piece.id());
        if !issuer.take(piece.id(), taken) {
            piece.set_id(issuer.next(kind));
        }
    }
    steps.push(EditStep { position: story.count(kind), before: None, after: Some(piece) });
    Ok(steps)
}

/// Returns the steps setting `fields` of the piece at `position` and propagating a new name; empty if nothing changes.
pub(crate) fn update(
    story: &Story,
    kind: PieceKind,
    position: usize,
    fields: BTreeMap<String, Value>,
) -> Result<Vec<EditStep>, Error> {
    let before = story.piece(kind, position).expect("the position was found in this story");
    let mut after = before.clone();
    for (field, value) in fields {
        // A chapter may be named by its number.
        let value = match value {
            Value::Number(number) if OF_NODES.contains(&field.as_str()) => Value::String(number.to_string()),
            value => value,
        };
        if field == "id" && value.as_str() != Some(before.id()) {
            return Err(Error::IdIsFixed { path: "parameters/id".to_owned() });
        }
        let unknown = || Error::UnknownField { path: format!("parameters/{field}") };
        after = FieldUpdate::read(&after, &field).ok_or_else(unknown)?.make(&after, value)?;
    }
    name_chapters(story, &before, &mut after);
    after.succeed(&before);
    if after == before {
        return Ok(Vec::new());
    }
    let renamed = fold(before.name()) != fold(after.name()) || kind == PieceKind::Relation;
    if renamed {
        refuse_if_taken(story, &after, Some(position))?;
    }
    let mut steps = vec![EditStep { position, before: Some(before.clone()), after: Some(after.clone()) }];
    if before.name().trim() != after.name().trim() {
        carry_name(story, &before, &after, position, &mut steps);
        kept_up(story, &mut steps);
    }
    Ok(steps)
}

/// Fields with the name of an outline node.
const OF_NODES: [&str; 7] = ["truth_until", "secret_until", "since", "until", "due", "outline_node", "parent"];

/// Replaces new references to outline nodes that are no names, such as `3` or `chapter 3`, by the name of the chapter.
fn name_chapters(story: &Story, before: &Piece, after: &mut Piece) {
    let known: Vec<String> = before.clone().references_mut().into_iter().map(|(_, name)| name.clone()).collect();
    let (mut names, mut chapters) = (None, None);
    for (kinds, name) in after.references_mut() {
        if kinds != [PieceKind::OutlineNode] || known.contains(name) || name.trim().is_empty() {
            continue;
        }
        let names = names.get_or_insert_with(|| Names::of(story));
        if !names.find(PieceKind::OutlineNode, name).is_empty() {
            continue;
        }
        let chapters = chapters.get_or_insert_with(|| Chapters::with(story, names));
        let node = chapters.resolve(name).ok().and_then(|chapter| chapter.node);
        if let Some(node) = node.map(|node| &story.outline_nodes[node]).filter(|node| !node.name.trim().is_empty()) {
            node.name.trim().clone_into(name);
        }
    }
}

/// Returns the steps, plus the steps renaming a chapter's text with its node, or the node with its text, if both had
/// the same name.
fn with_twin(story: &Story, mut steps: Vec<EditStep>) -> Result<Vec<EditStep>, Error> {
    let Some(EditStep { position, before: Some(before), after: Some(after) }) = steps.first() else { return Ok(steps) };
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
    AppliedEdit { steps: steps.clone() }.apply(&mut renamed)?;
    match update(&renamed, kind, at, BTreeMap::from([(field.to_owned(), Value::from(new))])) {
        Ok(more) => steps.extend(more),
        // Another chapter has the title: the twin keeps its own title.
        Err(Error::NameTaken { .. }) => {}
        Err(error) => return Err(error),
    }
    Ok(steps)
}

fn delete(story: &Story, kind: PieceKind, target: &EditTarget) -> Result<Vec<EditStep>, Error> {
    let position = locate(story, kind, target)?;
    if kind == PieceKind::Worldview && story.worldview.as_ref().is_some_and(|world| !world.is_bare()) {
        return Err(Error::NotEmpty { kind });
    }
    Ok(vec![EditStep { position, before: story.piece(kind, position), after: None }])
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

/// Returns whether the piece at `position` has the name of `piece` as name or alias, not only as id or number.
fn bears(position: usize, story: &Story, piece: &Piece) -> bool {
    story.piece(piece.kind(), position).is_some_and(|other| other.is_called(piece.name()))
}

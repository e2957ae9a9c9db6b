//! The changes allowed by a set of correction instructions.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::blank::is_blank;
use super::command::EditTarget;
use super::instruction::Parameters;
use super::lists::FieldUpdate;
use super::locate::locate;
use crate::names::{Names, fold};
use crate::piece::{Piece, PieceKind};
use crate::{Action, CorrectionInstruction, Story};

/// The allowed updates, creations and deletions, built once from the story before the changes.
#[derive(Debug, Default)]
pub(super) struct CorrectionScope {
    updates: BTreeMap<(PieceKind, usize), AllowedFields>,
    /// The pieces with a requested new name, by folded name.
    renames: BTreeMap<(PieceKind, String), usize>,
    creations: Vec<AllowedCreation>,
    deletions: BTreeSet<(PieceKind, usize)>,
    /// Delete instructions without an identifiable piece.
    pub(super) lost_deletions: Vec<(PieceKind, String)>,
}

/// The changeable fields of a piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum AllowedFields {
    /// All fields but the name.
    All,
    /// Only these fields, each with whether emptying is allowed.
    Only(BTreeMap<String, bool>),
}

/// A piece allowed to be created.
#[derive(Debug)]
struct AllowedCreation {
    kinds: Vec<PieceKind>,
    /// The name, if given by the instruction; for a relation, its ends.
    name: Option<String>,
    ends: Option<(String, String)>,
}

impl CorrectionScope {
    pub(super) fn of(story: &Story, instructions: &[CorrectionInstruction]) -> Self {
        let names = Names::of(story);
        let mut scope = Self::default();
        for instruction in instructions {
            match instruction.action {
                Action::Create => scope.allow_creation(instruction),
                Action::Update => scope.allow_update(story, &names, instruction),
                Action::Delete => scope.allow_deletion(story, &names, instruction),
            }
        }
        scope
    }

    /// Returns the changeable fields of a piece; `None` if the piece is not named.
    pub(super) fn fields(&self, kind: PieceKind, position: usize) -> Option<&AllowedFields> {
        self.updates.get(&(kind, position))
    }

    /// Returns the index of the piece to be renamed to `name`.
    pub(super) fn renamed_to(&self, kind: PieceKind, name: &str) -> Option<usize> {
        self.renames.get(&(kind, fold(name))).copied()
    }

    /// Iterates over the pieces to delete.
    pub(super) fn deletions(&self) -> impl Iterator<Item = (PieceKind, usize)> + '_ {
        self.deletions.iter().copied()
    }

    /// Returns whether an instruction requests the new piece. A relation is also allowed if one end is a character
    /// created by an instruction.
    pub(super) fn allows_creation(&self, piece: &Piece) -> bool {
        self.creations.iter().any(|creation| creation.allows(piece))
    }

    fn allow_creation(&mut self, instruction: &CorrectionInstruction) {
        let (kinds, parameters) = read(instruction);
        let name = parameters.as_ref().and_then(new_name);
        let ends = parameters.as_ref().and_then(|parameters| match &parameters.target {
            Some(EditTarget::Pair { from, to, .. }) => Some((fold(from), fold(to))),
            _ => None,
        });
        self.creations.push(AllowedCreation { kinds, name: name.map(fold), ends });
    }

    fn allow_update(&mut self, story: &Story, names: &Names, instruction: &CorrectionInstruction) {
        let (kinds, parameters) = read(instruction);
        let fields = parameters.as_ref().map_or(AllowedFields::All, AllowedFields::named);
        let new_name = parameters.as_ref().and_then(new_name).map(fold);
        for place in named(story, names, instruction, &kinds, parameters.as_ref()) {
            if let Some(new_name) = &new_name {
                self.renames.insert((place.0, new_name.clone()), place.1);
            }
            self.updates.entry(place).and_modify(|known| known.widen(&fields)).or_insert_with(|| fields.clone());
        }
    }

    fn allow_deletion(&mut self, story: &Story, names: &Names, instruction: &CorrectionInstruction) {
        let (kinds, parameters) = read(instruction);
        let found = named(story, names, instruction, &kinds, parameters.as_ref());
        match found.as_slice() {
            [place] => {
                self.deletions.insert(*place);
            }
            _ => {
                let target =
                    parameters.as_ref().and_then(|parameters| parameters.target.as_ref()).map(EditTarget::label);
                self.lost_deletions.push((kinds[0], target.unwrap_or_default()));
            }
        }
    }
}

impl AllowedFields {
    /// Returns the fields named by the parameters, by default all. A field may be emptied if the parameters give no
    /// value or remove something; a field left to the agent may not.
    fn named(parameters: &Parameters) -> Self {
        let empty = Piece::empty(parameters.kind);
        let given = parameters.fields.iter().filter_map(|(name, value)| {
            let setting = FieldUpdate::read(&empty, name)?;
            let takes_out = matches!(setting, FieldUpdate::Remove(_) | FieldUpdate::Replace(_));
            Some((setting.field().to_owned(), takes_out || is_blank(value)))
        });
        let open = parameters.left_open.iter().filter_map(|name| FieldUpdate::read(&empty, name));
        let open = open.map(|setting| (setting.field().to_owned(), false));
        let mut named = BTreeMap::new();
        for (field, may_empty) in open.chain(given).filter(|(field, _)| field != "id") {
            *named.entry(field).or_default() |= may_empty;
        }
        if named.is_empty() { Self::All } else { Self::Only(named) }
    }

    fn widen(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Self::Only(own), Self::Only(more)) => {
                for (field, may_empty) in more {
                    *own.entry(field.clone()).or_default() |= may_empty;
                }
            }
            _ => *self = Self::All,
        }
    }

    /// Returns whether the field was named.
    pub(super) fn names(&self, field: &str) -> bool {
        matches!(self, Self::Only(fields) if fields.contains_key(field))
    }

    /// Returns whether the field may be emptied.
    pub(super) fn may_empty(&self, field: &str) -> bool {
        matches!(self, Self::Only(fields) if fields.get(field) == Some(&true))
    }

    /// Returns whether the field may change.
    pub(super) fn allow(&self, field: &str) -> bool {
        match self {
            Self::All => !matches!(field, "id" | "name" | "title"),
            Self::Only(fields) => fields.contains_key(field),
        }
    }
}

impl AllowedCreation {
    fn allows(&self, piece: &Piece) -> bool {
        if let Piece::Relation(relation) = piece {
            let (from, to) = (fold(&relation.from), fold(&relation.to));
            let of_new_character = self.kinds.contains(&PieceKind::Character)
                && self.name.as_ref().is_some_and(|name| *name == from || *name == to);
            let asked_for = self.kinds.contains(&PieceKind::Relation)
                && self.name.is_none()
                && self.ends.as_ref().is_none_or(|ends| *ends == (from, to));
            return of_new_character || asked_for;
        }
        let named = self.name.as_ref().is_none_or(|name| *name == fold(piece.name()));
        self.kinds.contains(&piece.kind()) && named
    }
}

/// Returns the name given by the parameters, new or old.
fn new_name(parameters: &Parameters) -> Option<&str> {
    ["name", "title"].into_iter().find_map(|field| parameters.fields.get(field)).and_then(Value::as_str)
}

/// Returns the possible kinds of an instruction, and its parameters if parsed.
fn read(instruction: &CorrectionInstruction) -> (Vec<PieceKind>, Option<Parameters>) {
    let parameters = Parameters::read(instruction).ok();
    let says_kind = instruction.parameters.get("kind").and_then(Value::as_str).and_then(PieceKind::parse).is_some();
    let kinds = match &parameters {
        Some(parameters) if says_kind || parameters.target.is_some() && parameters.kind != PieceKind::Worldview => {
            vec![parameters.kind]
        }
        _ => PieceKind::of_agent(instruction.target_agent).collect(),
    };
    (kinds, parameters)
}

/// Returns the indices of the pieces named by an instruction: from its parameters, or as a fallback from mentions in
/// its text.
fn named(
    story: &Story,
    names: &Names,
    instruction: &CorrectionInstruction,
    kinds: &[PieceKind],
    parameters: Option<&Parameters>,
) -> Vec<(PieceKind, usize)> {
    let by_parameters = parameters.and_then(|parameters| Some((parameters, parameters.target.as_ref()?)));
    if let Some((Parameters { kind, .. }, target)) = by_parameters
        && kinds == [*kind]
    {
        return match locate(story, *kind, target) {
            Ok(position) => vec![(*kind, position)],
            Err(_) if kind.is_single() => vec![(*kind, 0)], // To be made by the answer.
            Err(_) => Vec::new(),
        };
    }
    let mentions = names.mentions(&instruction.specific_instruction);
    let bearers = mentions.iter().flat_map(|mention| &mention.bearers);
    let mut places: Vec<_> =
        bearers.filter(|named| kinds.contains(&named.kind)).map(|named| (named.kind, named.position)).collect();
    places.sort_unstable();
    places.dedup();
    if places.is_empty()
        && let Some(single) = kinds.iter().find(|kind| kind.is_single())
    {
        places.push((*single, 0));
    }
    places
}

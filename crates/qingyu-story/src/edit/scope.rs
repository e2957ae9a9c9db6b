//! What a set of correction instructions allows to change.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::instruction::Parameters;
use super::{Setting, Target, locate};
use crate::names::{Names, fold};
use crate::piece::{Piece, PieceKind};
use crate::{Action, CorrectionInstruction, Story, is_unwritten};

/// What may be changed, created and deleted. Built once from the story as it was before.
#[derive(Debug, Default)]
pub(super) struct Scope {
    updates: BTreeMap<(PieceKind, usize), Fields>,
    /// Where a new name that is ordered goes, by the folded name.
    renames: BTreeMap<(PieceKind, String), usize>,
    creations: Vec<Creation>,
    deletions: BTreeSet<(PieceKind, usize)>,
    /// Delete instructions whose piece cannot be told.
    pub(super) lost_deletions: Vec<(PieceKind, String)>,
}

/// Which fields of a piece may change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fields {
    /// All but the name.
    All,
    /// These, each with whether it may also be emptied.
    Only(BTreeMap<String, bool>),
}

/// A piece that may be created.
#[derive(Debug)]
struct Creation {
    kinds: Vec<PieceKind>,
    /// Its name, if the instruction says so; for a relation its ends.
    name: Option<String>,
    ends: Option<(String, String)>,
}

impl Scope {
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

    /// Which fields of that piece may change; `None` if the piece is not named.
    pub(super) fn fields(&self, kind: PieceKind, position: usize) -> Option<&Fields> {
        self.updates.get(&(kind, position))
    }

    /// The place of the piece that is to be called `name`.
    pub(super) fn renamed_to(&self, kind: PieceKind, name: &str) -> Option<usize> {
        self.renames.get(&(kind, fold(name))).copied()
    }

    /// The places of the pieces to delete.
    pub(super) fn deletions(&self) -> impl Iterator<Item = (PieceKind, usize)> + '_ {
        self.deletions.iter().copied()
    }

    /// Whether an instruction asks for this new piece. A relation is also asked for if one of its ends is a character
    /// that an instruction creates.
    pub(super) fn allows_creation(&self, piece: &Piece) -> bool {
        self.creations.iter().any(|creation| creation.allows(piece))
    }

    fn allow_creation(&mut self, instruction: &CorrectionInstruction) {
        let (kinds, parameters) = read(instruction);
        let name = parameters.as_ref().and_then(new_name);
        let ends = parameters.as_ref().and_then(|parameters| match &parameters.target {
            Some(Target::Pair { from, to, .. }) => Some((fold(from), fold(to))),
            _ => None,
        });
        self.creations.push(Creation { kinds, name: name.map(fold), ends });
    }

    fn allow_update(&mut self, story: &Story, names: &Names, instruction: &CorrectionInstruction) {
        let (kinds, parameters) = read(instruction);
        let fields = parameters.as_ref().map_or(Fields::All, Fields::named);
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
                let target = parameters.as_ref().and_then(|parameters| parameters.target.as_ref()).map(Target::label);
                self.lost_deletions.push((kinds[0], target.unwrap_or_default()));
            }
        }
    }
}

impl Fields {
    /// The fields that the parameters name, all if they name none. A field may be emptied if they give it no value or take
    /// something out of it; one whose value is left to the agent may not.
    fn named(parameters: &Parameters) -> Self {
        let empty = Piece::empty(parameters.kind);
        let given = parameters.fields.iter().filter_map(|(name, value)| {
            let setting = Setting::read(&empty, name)?;
            let takes_out = matches!(setting, Setting::Remove(_) | Setting::Replace(_));
            Some((setting.field().to_owned(), takes_out || is_blank(value)))
        });
        let open = parameters.left_open.iter().filter_map(|name| Setting::read(&empty, name));
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

    /// Whether the field was named.
    pub(super) fn names(&self, field: &str) -> bool {
        matches!(self, Self::Only(fields) if fields.contains_key(field))
    }

    /// Whether the field may be emptied.
    pub(super) fn may_empty(&self, field: &str) -> bool {
        matches!(self, Self::Only(fields) if fields.get(field) == Some(&true))
    }

    /// Whether the field may change.
    pub(super) fn allow(&self, field: &str) -> bool {
        match self {
            Self::All => !matches!(field, "id" | "name" | "title"),
            Self::Only(fields) => fields.contains_key(field),
        }
    }
}

impl Creation {
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

/// Whether a field with this value holds nothing, or only marks of what is to be written.
pub fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => is_unwritten(text),
        Value::Array(entries) => entries.is_empty(),
        _ => false,
    }
}

/// The name that the parameters give to a piece, new or old.
fn new_name(parameters: &Parameters) -> Option<&str> {
    ["name", "title"].into_iter().find_map(|field| parameters.fields.get(field)).and_then(Value::as_str)
}

/// The kinds an instruction may be about, and its parameters if they can be read.
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

/// The places of the pieces an instruction names: those of its parameters, and only if these name none, those that its
/// text mentions.
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

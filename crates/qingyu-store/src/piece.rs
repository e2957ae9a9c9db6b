//! Splitting of a story into pieces, and assembly of stories.

use std::collections::{BTreeMap, HashSet};

use qingyu_story::{PLACE, PieceKind, Story};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Error, StoredKind};

/// The body field of the version number.
const VERSION: &str = "version";

/// A stored piece of a story.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredPiece {
    /// The kind of the piece.
    pub kind: StoredKind,
    /// The id, unique by kind: the piece's own id unless a duplicate, otherwise derived from the position.
    pub id: String,
    /// The position among the pieces of the kind, from 0.
    pub position: u32,
    /// The piece as JSON.
    pub body: Value,
}

impl StoredPiece {
    /// Returns the name or title, or the two ends of a relation; empty without a name.
    pub fn name(&self) -> String {
        let text = |key: &str| self.body.get(key).and_then(Value::as_str).unwrap_or_default();
        match self.kind {
            StoredKind::Piece(PieceKind::Relation) => format!("{} → {}", text("from"), text("to")),
            StoredKind::Comment => {
                self.body.pointer("/anchor/quote").and_then(Value::as_str).unwrap_or_default().to_owned()
            }
            _ => [text("name"), text("title")].into_iter().find(|name| !name.is_empty()).unwrap_or_default().into(),
        }
    }

    /// Returns whether both pieces have equal content. Version numbers of texts and values are ignored, and the places of
    /// comments.
    fn says_the_same_as(&self, other: &Self) -> bool {
        let ignored = self.kind.bookkeeping();
        match (&self.body, &other.body) {
            (Value::Object(own), Value::Object(others)) if !ignored.is_empty() => {
                let is_same = |(name, value): (&String, &Value)| {
                    ignored.contains(&name.as_str()) || others.get(name) == Some(value)
                };
                own.len() == others.len() && own.iter().all(is_same)
            }
            (own, others) => own == others,
        }
    }

    /// Returns whether the piece has the content of `body`, wherever either stands.
    pub(crate) fn is_moved_from(&self, body: &Value) -> bool {
        let content = |body: &Value| {
            let mut body = body.clone();
            if let Value::Object(fields) = &mut body {
                fields.remove(PLACE);
            }
            body
        };
        self.body == *body || content(&self.body) == content(body)
    }

    /// Returns the version number; 0 for a piece without versions.
    pub(crate) fn version(&self) -> u64 {
        self.body.get(VERSION).and_then(Value::as_u64).unwrap_or_default()
    }

    /// Returns the piece prepared to replace `now`: with a new version number if the kind has versions and the content
    /// differs. The number is above all of `given`, since a number reused for another text would defeat the check for
    /// concurrent changes. A comment keeps the place of `now`.
    pub(crate) fn in_place_of(&self, now: Option<&Self>, given: impl IntoIterator<Item = u64>) -> Self {
        let mut piece = self.clone();
        if let Some(content) = self.kind.content()
            && now.is_none_or(|now| now.body.get(content) != self.body.get(content))
        {
            let newest = given.into_iter().chain(now.map(Self::version)).fold(self.version(), u64::max);
            piece.body[VERSION] = newest.saturating_add(1).into();
        }
        if let (StoredKind::Comment, Some(now)) = (self.kind, now) {
            for place in self.kind.bookkeeping() {
                piece.body[*place] = now.body[*place].clone();
            }
        }
        piece
    }

    /// Returns the number in a generated id, such as 3 in `o-3`.
    fn number(&self) -> Option<u64> {
        let number = self.id.strip_prefix(self.kind.prefix()?)?.strip_prefix('-')?.parse().ok()?;
        (number < u64::from(u32::MAX)).then_some(number)
    }
}

/// Returns whether both are present with equal content, or both absent.
pub(crate) fn same(one: Option<&StoredPiece>, other: Option<&StoredPiece>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.says_the_same_as(other),
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// Raises the highest numbers used in ids to the numbers in `pieces` (see [`Story::last_ids`]).
pub(crate) fn note_numbers<'a>(
    last_ids: &mut BTreeMap<String, u64>,
    pieces: impl IntoIterator<Item = &'a StoredPiece>,
) {
    for piece in pieces {
        if let Some(number) = piece.number() {
            let last = last_ids.entry(piece.kind.prefix().unwrap_or_default().into()).or_default();
            *last = number.max(*last);
        }
    }
}

/// Splits a story into pieces. Premise and language are no pieces; both belong to the project.
pub(crate) fn take_apart(story: &Story) -> Vec<StoredPiece> {
    let mut lists = serde_json::to_value(story).expect("a story is plain data");
    let mut pieces = Vec::new();
    // Kinds nested in the worldview are removed first, so that only the worldview's own fields remain.
    let (single, listed): (Vec<_>, Vec<_>) = StoredKind::all().partition(|kind| kind.is_single());
    for kind in listed {
        let Some(Value::Array(values)) = take(&mut lists, kind) else { continue };
        let mut ids = HashSet::new();
        for (position, body) in (0..).zip(values) {
            let own = body.get(kind.id_key()).and_then(Value::as_str).unwrap_or_default();
            let taken = own.is_empty() || !ids.insert(own.to_owned());
            let id = if taken { format!("{own}#{position}") } else { own.to_owned() };
            ids.insert(id.clone());
            pieces.push(StoredPiece { kind, id, position, body });
        }
    }
    for kind in single {
        if let Some(body @ Value::Object(_)) = take(&mut lists, kind) {
            pieces.push(StoredPiece { kind, id: kind.name().into(), position: 0, body });
        }
    }
    pieces
}

/// Assembles a story from its pieces, each kind in order.
pub(crate) fn put_together(kinds: BTreeMap<StoredKind, Vec<StoredPiece>>, head: &StoryHead) -> Result<Story, Error> {
    let mut story = serde_json::json!(head);
    for (kind, pieces) in kinds {
        let mut bodies = pieces.into_iter().map(|piece| piece.body);
        if kind.is_single() {
            let Some(Value::Object(fields)) = bodies.next() else { continue };
            place(&mut story, kind).as_object_mut().expect("made as one").extend(fields);
        } else {
            let list: Vec<Value> = bodies.collect();
            if !list.is_empty() {
                *place(&mut story, kind) = list.into();
            }
        }
    }
    serde_json::from_value(story)
        .map_err(|error| Error::BadRow { what: "the story".into(), message: error.to_string() })
}

/// Deserializes a piece of the story; `None` if the kind is outside the story.
pub(crate) fn read(piece: StoredPiece) -> Result<Option<qingyu_story::Piece>, Error> {
    let StoredKind::Piece(kind) = piece.kind else { return Ok(None) };
    Ok(put_together(BTreeMap::from([(piece.kind, vec![piece])]), &StoryHead::default())?.piece(kind, 0))
}

/// The parts of a story beside its pieces.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct StoryHead {
    pub(crate) premise: String,
    pub(crate) language: qingyu_story::Language,
    pub(crate) last_ids: BTreeMap<String, u64>,
}

/// Removes the list or object of a kind from the story JSON and returns the value.
fn take(story: &mut Value, kind: StoredKind) -> Option<Value> {
    let mut names = kind.list().split('/').peekable();
    let mut place = story;
    loop {
        let name = names.next()?;
        let fields = place.as_object_mut()?;
        if names.peek().is_none() {
            return fields.remove(name);
        }
        place = fields.get_mut(name)?;
    }
}

/// Returns the place of a kind in the story JSON, inserting an object by default.
fn place(story: &mut Value, kind: StoredKind) -> &mut Value {
    let mut place = story;
    for name in kind.list().split('/') {
        let fields = place.as_object_mut().expect("places are objects down to the last");
        place = fields.entry(name).or_insert_with(|| Map::new().into());
    }
    place
}

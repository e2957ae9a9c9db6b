//! A story taken to pieces and put together again.

use std::collections::{BTreeMap, HashSet};

use qingyu_story::{PieceKind, Story};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Error, Kind};

/// Where pieces that have versions count them.
const VERSION: &str = "version";

/// A piece of a story, as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Piece {
    /// What kind.
    pub kind: Kind,
    /// Its id, unique among its kind: the piece's own if no earlier piece has it, else made from the position.
    pub id: String,
    /// Its place among its kind, from 0.
    pub position: u32,
    /// The piece.
    pub body: Value,
}

impl Piece {
    /// The name or title, or the two ends of a relation; empty if it has none.
    pub fn name(&self) -> String {
        let text = |key: &str| self.body.get(key).and_then(Value::as_str).unwrap_or_default();
        match self.kind {
            Kind::Piece(PieceKind::Relation) => format!("{} → {}", text("from"), text("to")),
            _ => [text("name"), text("title")].into_iter().find(|name| !name.is_empty()).unwrap_or_default().into(),
        }
    }

    /// Whether both say the same. The number of a version is none of what a text or a value says.
    pub fn says_the_same_as(&self, other: &Self) -> bool {
        match (&self.body, &other.body) {
            (Value::Object(own), Value::Object(others)) if self.kind.content().is_some() => {
                let is_same = |(name, value): (&String, &Value)| name == VERSION || others.get(name) == Some(value);
                own.len() == others.len() && own.iter().all(is_same)
            }
            (own, others) => own == others,
        }
    }

    /// The number of its version; 0 for a piece without one.
    pub(crate) fn version(&self) -> u64 {
        self.body.get(VERSION).and_then(Value::as_u64).unwrap_or_default()
    }

    /// The piece as it takes the place of `now`: as a new version if it has versions and what it says is another. Its number is above
    /// all of `given`: one never stands for two texts, or whoever read the one could write over the other and not be told.
    pub(crate) fn in_place_of(&self, now: Option<&Self>, given: impl IntoIterator<Item = u64>) -> Self {
        let mut piece = self.clone();
        if let Some(content) = self.kind.content()
            && now.is_none_or(|now| now.body.get(content) != self.body.get(content))
        {
            let newest = given.into_iter().chain(now.map(Self::version)).fold(self.version(), u64::max);
            piece.body[VERSION] = newest.saturating_add(1).into();
        }
        piece
    }

    /// The number in an id that the studio gave, such as 3 in `o-3`.
    fn number(&self) -> Option<u64> {
        let number = self.id.strip_prefix(self.kind.prefix()?)?.strip_prefix('-')?.parse().ok()?;
        (number < u64::from(u32::MAX)).then_some(number)
    }
}

/// Whether both are there and say the same, or neither is.
pub(crate) fn same(one: Option<&Piece>, other: Option<&Piece>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.says_the_same_as(other),
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// Raises the highest numbers given in ids to those in `pieces` (see [`Story::last_ids`]).
pub(crate) fn note_numbers<'a>(last_ids: &mut BTreeMap<String, u64>, pieces: impl IntoIterator<Item = &'a Piece>) {
    for piece in pieces {
        if let Some(number) = piece.number() {
            let last = last_ids.entry(piece.kind.prefix().unwrap_or_default().into()).or_default();
            *last = number.max(*last);
        }
    }
}

/// Takes a story to pieces. Its premise and language are no pieces; they belong to the project.
pub fn take_apart(story: &Story) -> Vec<Piece> {
    let mut lists = serde_json::to_value(story).expect("a story is plain data");
    let mut pieces = Vec::new();
    // The kinds that live inside the worldview come before it, so that only its own fields are left of it.
    let (single, listed): (Vec<_>, Vec<_>) = Kind::all().partition(|kind| kind.is_single());
    for kind in listed {
        let Some(Value::Array(values)) = take(&mut lists, kind) else { continue };
        let mut ids = HashSet::new();
        for (position, body) in (0..).zip(values) {
            let own = body.get(kind.id_key()).and_then(Value::as_str).unwrap_or_default();
            let taken = own.is_empty() || !ids.insert(own.to_owned());
            let id = if taken { format!("{own}#{position}") } else { own.to_owned() };
            ids.insert(id.clone());
            pieces.push(Piece { kind, id, position, body });
        }
    }
    for kind in single {
        if let Some(body @ Value::Object(_)) = take(&mut lists, kind) {
            pieces.push(Piece { kind, id: kind.name().into(), position: 0, body });
        }
    }
    pieces
}

/// Puts a story together from its pieces, each kind in its order.
pub(crate) fn put_together(kinds: BTreeMap<Kind, Vec<Piece>>, head: &Head) -> Result<Story, Error> {
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

/// One piece as the story has it; none if it is no piece.
pub(crate) fn read(piece: Piece) -> Result<Option<qingyu_story::Piece>, Error> {
    let Kind::Piece(kind) = piece.kind else { return Ok(None) };
    Ok(put_together(BTreeMap::from([(piece.kind, vec![piece])]), &Head::default())?.piece(kind, 0))
}

/// What a story has beside its pieces.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Head {
    pub(crate) premise: String,
    pub(crate) language: qingyu_story::Language,
    pub(crate) last_ids: BTreeMap<String, u64>,
}

/// Takes the list or object of a kind out of a story as JSON.
fn take(story: &mut Value, kind: Kind) -> Option<Value> {
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

/// The place of a kind in a story as JSON, an object if it is new.
fn place(story: &mut Value, kind: Kind) -> &mut Value {
    let mut place = story;
    for name in kind.list().split('/') {
        let fields = place.as_object_mut().expect("places are objects down to the last");
        place = fields.entry(name).or_insert_with(|| Map::new().into());
    }
    place
}

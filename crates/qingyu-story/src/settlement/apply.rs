//! Application of a settlement, an edit or a withdrawal to the pieces made from a document.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use super::digest::digest_of;
use super::outcome::{Kept, Stays};
use super::record::{Added, Made, Retold, Settled};
use super::references::{label, references};
use super::work::{StoryEdit, places};
use crate::piece::{Piece, PieceKind};
use crate::{Mode, Story};

/// The current state of a piece made from a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PieceState {
    /// Unchanged, at the index.
    AsMade(usize),
    /// Changed by the user.
    Changed(usize),
    /// Deleted by the user.
    TakenOut,
}

/// Returns the states of the pieces made from a document, in record order.
pub(super) fn states(story: &Story, record: &Settled) -> Vec<PieceState> {
    let places = places(story, record.made.iter().map(|made| (made.kind, made.id.as_str())));
    let state = |made: &Made| match places.get(&(made.kind, made.id.clone())) {
        None => PieceState::TakenOut,
        Some(position) => {
            let piece = story.piece(made.kind, *position).expect("the position was found in this story");
            if digest_of(&piece) == made.digest {
                PieceState::AsMade(*position)
            } else {
                PieceState::Changed(*position)
            }
        }
    };
    record.made.iter().map(state).collect()
}

/// Removes the pieces at the indices `which` of the record from the story, and their entries from `record`.
///
/// Changed pieces, pieces referred to by others, and pieces told by another document too remain; returns the remaining
/// pieces.
pub(super) fn withdraw(
    work: &mut StoryEdit<'_>,
    document: usize,
    record: &mut Settled,
    which: &BTreeSet<usize>,
) -> Vec<Kept> {
    let mut kept = Vec::new();
    let states = states(work.story, record);
    let mut going: Vec<(PieceKind, usize)> = Vec::new();
    for index in which {
        let made = &record.made[*index];
        match states[*index] {
            PieceState::AsMade(position) => going.push((made.kind, position)),
            PieceState::Changed(position) => {
                let label = label(work.story, made.kind, position);
                kept.push(Kept { kind: made.kind, id: made.id.clone(), label, why: Stays::Changed });
            }
            PieceState::TakenOut => {}
        }
    }
    let mut at = 0;
    let gone: Vec<Made> = record
        .made
        .extract_if(.., |_| {
            at += 1;
            which.contains(&(at - 1))
        })
        .collect();
    let staying = staying(work.story, &going);
    let mut owners = PieceOwners { document, of: None };
    let mut out: FxHashMap<PieceKind, Vec<usize>> = FxHashMap::default();
    // Remaining pieces are determined before any list index changes.
    let facts = going.iter().filter(|(kind, _)| *kind == PieceKind::Fact);
    let facts: Vec<(usize, String)> =
        facts.map(|(_, position)| (*position, work.story.facts[*position].id.clone())).collect();
    let mut handed: FxHashSet<usize> = FxHashSet::default();
    for (position, id) in facts {
        if let Some((heir, retold)) = heir(work.story, document, &id) {
            let by = super::reconcile::reference(&work.story.documents[heir]).to_owned();
            hand_fact(work, position, heir, &retold);
            let label = label(work.story, PieceKind::Fact, position);
            kept.push(Kept { kind: PieceKind::Fact, id, label, why: Stays::Retold { by } });
            handed.insert(position);
        }
    }
    for (index, (kind, position)) in going.iter().enumerate() {
        if *kind == PieceKind::Fact && handed.contains(position) {
            continue;
        }
        let Some(referrers) = staying.get(&index) else {
            out.entry(*kind).or_default().push(*position);
            continue;
        };
        let piece = work.story.piece(*kind, *position).expect("it stays");
        let by =
            referrers.iter().map(|(kind, position)| label(work.story, *kind, *position)).next().unwrap_or_default();
        let heir = owners.of_all(work.story, referrers);
        let made = gone.iter().find(|made| made.kind == *kind && made.id == piece.id());
        if let Some((heir, made)) = heir.zip(made) {
            work.document(heir, |document| {
                document.settled.get_or_insert_default().made.push(made.clone());
            });
        }
        kept.push(Kept {
            kind: *kind,
            id: piece.id().to_owned(),
            label: piece.shown(work.story.language),
            why: Stays::Referred { by },
        });
    }
    for kind in PieceKind::ALL {
        if let Some(positions) = out.remove(&kind) {
            work.remove(kind, positions);
        }
    }
    kept
}

/// Returns, of the pieces to remove, the pieces with references from remaining pieces, each with the referring pieces;
/// also pieces referred to only by such pieces.
fn staying(story: &Story, going: &[(PieceKind, usize)]) -> FxHashMap<usize, Vec<(PieceKind, usize)>> {
    let places: FxHashMap<(PieceKind, usize), usize> =
        going.iter().enumerate().map(|(at, place)| (*place, at)).collect();
    let references = references(story, going);
    let mut staying: FxHashMap<usize, Vec<(PieceKind, usize)>> = FxHashMap::default();
    loop {
        let before: usize = staying.values().map(Vec::len).sum();
        for reference in &references {
            let from = places.get(&(reference.kind, reference.position));
            if from.is_none_or(|from| staying.contains_key(from)) {
                let by = staying.entry(reference.to).or_default();
                if !by.contains(&(reference.kind, reference.position)) {
                    by.push((reference.kind, reference.position));
                }
            }
        }
        if staying.values().map(Vec::len).sum::<usize>() == before {
            return staying;
        }
    }
}

/// The documents by the pieces made from each.
struct PieceOwners {
    document: usize,
    of: Option<FxHashMap<(PieceKind, String), usize>>,
}

impl PieceOwners {
    /// Returns the first document, in reading order, among the makers of all these pieces; `None` if a piece is the
    /// author's own.
    fn of_all(&mut self, story: &Story, pieces: &[(PieceKind, usize)]) -> Option<usize> {
        let of = self.of.get_or_insert_with(|| {
            let documents = story.documents.iter().enumerate().filter(|(position, _)| *position != self.document);
            let made = documents.flat_map(|(position, document)| {
                let made = document.settled.iter().flat_map(|settled| &settled.made);
                made.map(move |made| ((made.kind, made.id.clone()), position))
            });
            made.collect()
        });
        let owner = |(kind, position): &(PieceKind, usize)| {
            let id = story.piece(*kind, *position)?.id().to_owned();
            of.get(&(*kind, id)).copied()
        };
        let owners: Option<Vec<usize>> = pieces.iter().map(owner).collect();
        owners?.into_iter().min_by_key(|position| (story.documents[*position].order, *position))
    }
}

/// Returns the first other document telling the fact too, with the sentence.
fn heir(story: &Story, document: usize, id: &str) -> Option<(usize, Retold)> {
    let others = story.documents.iter().enumerate().filter(|(position, _)| *position != document);
    let tells = others.filter_map(|(position, other)| {
        let retold =
            other.settled.as_ref()?.retold.iter().find(|retold| retold.id == id && retold.source.start.is_some())?;
        Some((other.order, position, retold))
    });
    tells.min_by_key(|(order, position, _)| (*order, *position)).map(|(_, position, retold)| (position, retold.clone()))
}

/// Transfers a fact to another document telling the fact too.
fn hand_fact(work: &mut StoryEdit<'_>, position: usize, heir: usize, retold: &Retold) {
    let mut fact = work.story.facts[position].clone();
    fact.source = Some(retold.source.clone());
    let piece = Piece::Fact(fact);
    let made = Made {
        kind: PieceKind::Fact,
        id: retold.id.clone(),
        digest: digest_of(&piece),
        quote: String::new(),
        followed: false,
    };
    work.replace(position, piece);
    work.document(heir, |document| {
        let record = document.settled.get_or_insert_default();
        record.retold.retain(|other| other.id != retold.id);
        record.made.push(made);
    });
}

/// Returns the piece's field for added entries; `None` if the piece has no such field.
fn field_of<'p>(piece: &'p mut Piece, field: &str) -> Option<FieldMut<'p>> {
    Some(match (piece, field) {
        (Piece::Promise(promise), "planted") => FieldMut::Names(&mut promise.planted),
        (Piece::Promise(promise), "advanced") => FieldMut::Names(&mut promise.advanced),
        (Piece::Promise(promise), "paid") => FieldMut::Names(&mut promise.paid),
        (Piece::Event(event), "participants") => FieldMut::Names(&mut event.participants),
        (Piece::Event(event), "deaths") => FieldMut::Names(&mut event.deaths),
        (Piece::Event(event), "timestamp") => FieldMut::Text(&mut event.timestamp),
        (Piece::Event(event), "description") => FieldMut::Text(&mut event.description),
        (Piece::Event(event), "location") => FieldMut::Name(&mut event.location),
        (Piece::Event(event), "by") => FieldMut::Name(&mut event.by),
        (Piece::Event(event), "mode") => FieldMut::Said(&mut event.mode),
        (Piece::Fact(fact), "known_by") => FieldMut::Knowers(&mut fact.known_by),
        (Piece::Character(card), "alias") => FieldMut::Names(&mut card.alias),
        (Piece::Location(place), "alias") => FieldMut::Names(&mut place.alias),
        (Piece::Item(item), "alias") => FieldMut::Names(&mut item.alias),
        (Piece::Organisation(power), "alias") => FieldMut::Names(&mut power.alias),
        (Piece::Event(event), "alias") => FieldMut::Names(&mut event.alias),
        (Piece::Promise(promise), "alias") => FieldMut::Names(&mut promise.alias),
        _ => return None,
    })
}

enum FieldMut<'p> {
    Names(&'p mut Vec<String>),
    Knowers(&'p mut Vec<crate::Knower>),
    /// A value; set while empty only.
    Text(&'p mut String),
    Name(&'p mut Option<String>),
    /// The mode of something said, which turns out to be a lie or to have happened.
    Said(&'p mut Mode),
}

/// Inserts the entry into its field; returns whether the entry was missing.
pub(super) fn put(piece: &mut Piece, added: &Added) -> bool {
    match field_of(piece, &added.field) {
        Some(FieldMut::Text(text)) => {
            let Some(entry) = added.entry.as_str().filter(|_| text.trim().is_empty()) else { return false };
            entry.clone_into(text);
            true
        }
        Some(FieldMut::Name(name)) => {
            let is_empty = name.as_deref().is_none_or(|name| name.trim().is_empty());
            let Some(entry) = added.entry.as_str().filter(|_| is_empty) else { return false };
            *name = Some(entry.to_owned());
            true
        }
        Some(FieldMut::Names(names)) => {
            let Some(entry) = added.entry.as_str().filter(|entry| !names.iter().any(|name| name == entry)) else {
                return false;
            };
            names.push(entry.to_owned());
            true
        }
        Some(FieldMut::Said(mode)) => {
            let told: Option<Mode> = serde_json::from_value(added.entry.clone()).ok();
            let Some(told) = told.filter(|_| *mode == Mode::Said) else { return false };
            *mode = told;
            true
        }
        Some(FieldMut::Knowers(knowers)) => {
            let entry: Option<crate::Knower> = serde_json::from_value(added.entry.clone()).ok();
            let Some(entry) = entry.filter(|entry| !knowers.iter().any(|known| known.who == entry.who)) else {
                return false;
            };
            knowers.push(entry);
            true
        }
        None => false,
    }
}

/// Removes the entry from its field, if unchanged since the insertion.
fn take(piece: &mut Piece, added: &Added) {
    match field_of(piece, &added.field) {
        Some(FieldMut::Text(text)) if added.entry.as_str() == Some(text) => text.clear(),
        Some(FieldMut::Name(name)) if added.entry.as_str() == name.as_deref() => *name = None,
        Some(FieldMut::Said(mode)) if serde_json::to_value(*mode).ok().as_ref() == Some(&added.entry) => {
            *mode = Mode::Said;
        }
        Some(FieldMut::Text(_) | FieldMut::Name(_) | FieldMut::Said(_)) => {}
        Some(FieldMut::Names(names)) => names.retain(|name| added.entry.as_str() != Some(name)),
        Some(FieldMut::Knowers(knowers)) => {
            let entry: Option<crate::Knower> = serde_json::from_value(added.entry.clone()).ok();
            knowers.retain(|known| entry.as_ref() != Some(known));
        }
        None => {}
    }
}

/// Removes the selected entries of the record from their pieces.
pub(super) fn take_back(work: &mut StoryEdit<'_>, record: &mut Settled, which: impl Fn(&Added) -> bool) {
    let (back, left) = std::mem::take(&mut record.added).into_iter().partition(which);
    record.added = left;
    each_piece(work, &back, take);
}

/// Appends entries to pieces, and registers the new entries in the record.
pub(super) fn add(work: &mut StoryEdit<'_>, record: &mut Settled, new: &[Added]) {
    let mut put_in = Vec::new();
    each_piece(work, new, |piece, added| {
        if put(piece, added) {
            put_in.push(added.clone());
        }
    });
    record.added.extend(put_in);
}

/// Changes each piece with entries, once.
fn each_piece(work: &mut StoryEdit<'_>, entries: &[Added], mut change: impl FnMut(&mut Piece, &Added)) {
    let places = places(work.story, entries.iter().map(|added| (added.kind, added.id.as_str())));
    let mut seen = FxHashSet::default();
    for first in entries.iter().filter(|added| seen.insert((added.kind, &added.id))) {
        let Some(position) = places.get(&(first.kind, first.id.clone())) else { continue };
        let mut piece = work.story.piece(first.kind, *position).expect("the position was found in this story");
        for added in entries.iter().filter(|added| added.kind == first.kind && added.id == first.id) {
            change(&mut piece, added);
        }
        work.amend(*position, piece);
    }
}

/// Inserts the additions by other documents into `piece`, when the piece is made again.
pub(super) fn with_additions(story: &Story, document: usize, piece: &mut Piece) {
    let (kind, id) = (piece.kind(), piece.id().to_owned());
    let is_added_to = matches!(
        kind,
        PieceKind::Promise
            | PieceKind::Event
            | PieceKind::Fact
            | PieceKind::Character
            | PieceKind::Location
            | PieceKind::Item
            | PieceKind::Organisation
    );
    if !is_added_to {
        return;
    }
    let others = story.documents.iter().enumerate().filter(|(position, _)| *position != document);
    let settled = others.filter_map(|(_, other)| other.settled.as_ref());
    for added in settled.flat_map(|settled| &settled.added).filter(|added| added.kind == kind && added.id == id) {
        put(piece, added);
    }
}

/// Returns the record of a new piece.
pub(super) fn made(piece: &Piece, quote: &str, followed: bool) -> Made {
    let quote = if piece.kind() == PieceKind::Fact { String::new() } else { quote.to_owned() };
    Made { kind: piece.kind(), id: piece.id().to_owned(), digest: digest_of(piece), quote, followed }
}

/// Returns the words of the document that a piece rests on: those of a fact's source, or the words in the record.
pub(super) fn quote_of(piece: &Piece, recorded: &str) -> String {
    match piece {
        Piece::Fact(fact) => fact.source.as_ref().map(|source| source.quote.clone()).unwrap_or_default(),
        _ => recorded.to_owned(),
    }
}

/// Returns the words that told a piece when the document was read; an edit may have left a fact in others.
pub(super) fn quote_read(piece: &Piece, recorded: &str) -> String {
    if recorded.trim().is_empty() { quote_of(piece, recorded) } else { recorded.to_owned() }
}

/// Serializes a piece for the record.
pub(super) fn stored(piece: &Piece) -> Value {
    serde_json::to_value(piece).expect("pieces are plain values")
}

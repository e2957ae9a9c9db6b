//! Settling a document into the story, and taking that back.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::{FxHashSet, FxHasher};
use serde::Serialize;

use super::Extraction;
use super::apply::{self, State, states};
use super::outcome::{Config, Kept, Reason, Rejected, Settlement};
use super::passing;
use super::reconcile::{Leaving, Plan, Reconciler, Wanted, says_the_same};
use super::record::{Made, Settled, digest, digest_of};
use super::standing::Standing;
use super::work::Work;
use crate::Story;
use crate::edit::{Change, Error};
use crate::ids::Issuer;
use crate::names::{Names, fold};
use crate::piece::{Piece, PieceKind};

/// What came of withdrawing a document.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Withdrawal {
    /// All that changed in the story; its inverse takes it back.
    pub change: Change,
    /// What stays though it came from the document.
    pub kept: Vec<Kept>,
}

/// Puts what a document says, as `extraction` tells it, into `story`, in place of what was settled from it before.
///
/// A statement is believed if the document says the words that it quotes. What is there already is not doubled; a piece
/// that was settled before and is told again keeps its id. A piece that is not told again stays as long as the words that it
/// rests on stand in the text and the extraction says nothing else of them; otherwise it goes, unless somebody changed it or
/// others refer to it. All is one change, which can be taken back. The same extraction settled twice changes nothing.
///
/// Fails with [`Error::NotFound`] or [`Error::Ambiguous`] if no one document is of that id or title.
pub fn settle(story: &mut Story, document: &str, extraction: &Extraction, config: Config) -> Result<Settlement, Error> {
    settle_from(story, document, extraction, config, Earlier::Stands, &mut Shared::default())
}

/// What becomes of what was settled before and is not told again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Earlier {
    /// It stays while its words stand in the text.
    Stands,
    /// It goes: the reading is whole.
    Goes,
}

/// What the settling of one chapter knows of the story and the next one needs again.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// The names, with the fingerprint of all that settling may change of them.
    names: Option<(u64, Arc<Names>)>,
    issuer: Option<Issuer>,
}

impl Shared {
    /// The names of `story`; outline nodes and documents must be called as before.
    fn names(&mut self, story: &Story) -> Arc<Names> {
        let mut hasher = FxHasher::default();
        let kinds = PieceKind::ALL.into_iter();
        for kind in kinds.filter(|kind| !matches!(kind, PieceKind::Fact | PieceKind::OutlineNode | PieceKind::Document))
        {
            for part in story.parts(kind) {
                (kind as usize, part.id(), part.name(), part.aliases()).hash(&mut hasher);
            }
        }
        let fingerprint = hasher.finish();
        match &self.names {
            Some((known, names)) if *known == fingerprint => Arc::clone(names),
            _ => {
                let names = Arc::new(Names::of(story));
                self.names = Some((fingerprint, Arc::clone(&names)));
                names
            }
        }
    }
}

/// As [`settle`], with what becomes of an earlier reading, and what chapters that are settled one after the other share.
pub(super) fn settle_from(
    story: &mut Story,
    document: &str,
    extraction: &Extraction,
    config: Config,
    earlier: Earlier,
    shared: &mut Shared,
) -> Result<Settlement, Error> {
    let position = find(story, document)?;
    let mut record = story.documents[position].settled.clone().unwrap_or_default();
    let before = states(story, &record);
    let text = story.documents[position].text.clone();
    let standing = match earlier {
        Earlier::Stands => Standing::of(&text, story, &record, &before),
        Earlier::Goes => Standing::none(&record),
    };
    let leaving = leaving(story, &record, &before, &standing);
    let plan = Reconciler::new(story, shared.names(story), position, leaving, config).reconcile(extraction);
    let Plan { wanted, mut added, mut retold, differs, doubtful, questions, mut rejected } = plan;
    added.extend(standing.added(&record, &added));
    retold.extend(standing.retold(&record, &retold));

    let mut work = Work::issuing(story, shared.issuer.take());
    let matched = Matching::of(work.story, &record, &before, &wanted);
    let superseded: BTreeSet<usize> =
        (0..before.len()).filter(|old| standing.is_superseded(*old, &wanted, &matched.of)).collect();
    let mut new = Vec::new();
    for (index, Wanted { mut piece, quote, told }) in wanted.into_iter().enumerate() {
        let Some(old) = matched.of[index] else {
            new.push((index, piece, quote));
            continue;
        };
        match before[old] {
            State::AsMade(position) => {
                piece.set_id(record.made[old].id.clone());
                apply::with_additions(work.story, self::find(work.story, document)?, &mut piece);
                record.made[old] = apply::made(&piece, &quote.quote, false);
                work.replace(position, piece);
            }
            State::Changed(_) => {}
            State::TakenOut => rejected.push(Rejected { told, reason: Reason::TakenOut }),
        }
    }
    let told_again: BTreeSet<usize> = matched.of.iter().flatten().copied().collect();
    let stays = |index: &usize| told_again.contains(index) || (standing.stands(*index) && !superseded.contains(index));
    let gone: BTreeSet<usize> = (0..before.len()).filter(|index| !stays(index)).collect();
    // New pieces first, so that what refers to nothing else may be referred to by them.
    for (_, mut piece, quote) in new {
        let id = work.create(piece.clone());
        piece.set_id(id);
        record.made.push(apply::made(&piece, &quote.quote, false));
    }
    let kept = apply::withdraw(&mut work, position, &mut record, &gone);
    apply::take_back(&mut work, &mut record, |old| !added.iter().any(|new| new.is_of(old)));
    let known = record.added.clone();
    let fresh = added.into_iter().filter(|new| !known.iter().any(|old| old.is_of(new)));
    apply::add(&mut work, &mut record, &fresh.collect::<Vec<_>>());
    record.retold = retold;
    record.gone.clear();
    record.lost.clear();
    (record.version, record.digest) = (work.story.documents[position].version, digest(&text));
    record.years = passing::years(&text);
    record.differs = differs;
    record.sort();
    let summary = extraction.summary.trim();
    let made = pieces(work.story, &record.made);
    work.document(position, |document| {
        if !summary.is_empty() {
            summary.clone_into(&mut document.summary);
        }
        document.settled = Some(record);
    });
    shared.issuer = work.issuer().cloned();
    Ok(Settlement { change: work.finish(), made, doubtful, questions, rejected, kept })
}

/// Takes back what was settled from a document.
///
/// What somebody changed since, what other pieces refer to and what another document tells too stays, and is told; what
/// other documents need becomes theirs.
///
/// Fails with [`Error::NotFound`] or [`Error::Ambiguous`] if no one document is of that id or title.
pub fn withdraw(story: &mut Story, document: &str) -> Result<Withdrawal, Error> {
    let position = find(story, document)?;
    let Some(mut record) = story.documents[position].settled.clone() else {
        return Ok(Withdrawal { change: Change { steps: Vec::new() }, kept: Vec::new() });
    };
    let mut work = Work::on(story);
    let kept = withdraw_all(&mut work, position, &mut record);
    work.document(position, |document| {
        document.settled = None;
        document.summary.clear();
    });
    Ok(Withdrawal { change: work.finish(), kept })
}

/// Takes back all that a record names.
pub(super) fn withdraw_all(work: &mut Work<'_>, position: usize, record: &mut Settled) -> Vec<Kept> {
    apply::take_back(work, record, |_| true);
    let all = (0..record.made.len()).collect();
    apply::withdraw(work, position, record, &all)
}

/// The position of the document of that id or title.
pub(super) fn find(story: &Story, document: &str) -> Result<usize, Error> {
    let (name, folded) = (document.trim(), fold(document));
    let all = || story.documents.iter().enumerate();
    // Nearly always the id as it is; a book has thousands of them.
    let is_named = |id: &str| !name.is_empty() && (id == name || id.len() > name.len() && id.trim() == name);
    let mut found: Vec<usize> = all().filter(|(_, one)| is_named(&one.id)).map(|(position, _)| position).collect();
    if found.is_empty() && !name.is_empty() {
        found = all().filter(|(_, one)| fold(&one.title) == folded).map(|(position, _)| position).collect();
    }
    let (kind, target) = (PieceKind::Document, name.to_owned());
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(Error::NotFound { kind, target }),
        several => Err(Error::Ambiguous { kind, target, count: several.len() }),
    }
}

/// What came from the document before and may go.
fn leaving<'s>(story: &'s Story, record: &Settled, states: &[State], standing: &Standing<'_>) -> Leaving<'s> {
    let mut leaving = Leaving { facts: FxHashSet::default(), cards: BTreeSet::new(), own: BTreeSet::new() };
    let mut cards = Vec::new();
    for (index, (made, state)) in record.made.iter().zip(states).enumerate() {
        match (made.kind, state) {
            (PieceKind::Fact, State::AsMade(position) | State::Changed(position)) => {
                leaving.facts.insert(story.facts[*position].id.as_str());
            }
            (kind, State::AsMade(position)) => {
                leaving.own.insert((kind, *position));
                if !standing.stands(index) {
                    cards.push((kind, *position));
                }
            }
            (kind, State::Changed(position)) => drop(leaving.own.insert((kind, *position))),
            (_, State::TakenOut) => {}
        }
    }
    // What others refer to stays whatever the chapter says, so it may be spoken of without being introduced again.
    let own: FxHashSet<&str> = record.made.iter().map(|made| made.id.as_str()).collect();
    let references = super::references::references(story, &cards);
    let foreign = references.iter().filter(|reference| {
        story.piece(reference.kind, reference.position).is_none_or(|piece| !own.contains(piece.id()))
    });
    let needed: FxHashSet<usize> = foreign.map(|reference| reference.to).collect();
    let may_go = cards.into_iter().enumerate().filter(|(index, _)| !needed.contains(index));
    leaving.cards = may_go.map(|(_, card)| card).collect();
    leaving
}

/// Whether what was made before is the wanted piece of that number.
type Likeness<'a> = dyn Fn(&Made, Option<&Piece>, usize) -> bool + 'a;

/// Which wanted piece is which that was made before.
struct Matching {
    /// For each wanted piece, its place in the record.
    of: Vec<Option<usize>>,
}

impl Matching {
    fn of(story: &Story, record: &Settled, states: &[State], wanted: &[Wanted]) -> Self {
        let mut taken = BTreeSet::new();
        let mut of = vec![None; wanted.len()];
        let pieces: Vec<Option<Piece>> = record
            .made
            .iter()
            .zip(states)
            .map(|(made, state)| match state {
                State::AsMade(position) | State::Changed(position) => story.piece(made.kind, *position),
                State::TakenOut => None,
            })
            .collect();
        let digests: Vec<String> = wanted.iter().map(|wanted| digest_of(&wanted.piece)).collect();
        let exact = |made: &Made, _: Option<&Piece>, new: usize| made.digest == digests[new];
        let same = |_: &Made, old: Option<&Piece>, new: usize| old.is_some_and(|old| is_same(old, &wanted[new].piece));
        let near = |_: &Made, old: Option<&Piece>, new: usize| old.is_some_and(|old| is_near(old, &wanted[new].piece));
        let passes: [&Likeness<'_>; 3] = [&exact, &same, &near];
        for is_it in passes {
            for (new, slot) in of.iter_mut().enumerate().filter(|(_, slot)| slot.is_none()) {
                let kind = wanted[new].piece.kind();
                *slot = (0..record.made.len()).find(|old| {
                    let made = &record.made[*old];
                    made.kind == kind && !taken.contains(old) && is_it(made, pieces[*old].as_ref(), new)
                });
                taken.extend(*slot);
            }
        }
        Self { of }
    }
}

/// Whether both are the same piece: of the same name, or facts that say the same.
fn is_same(old: &Piece, new: &Piece) -> bool {
    match (old, new) {
        (Piece::Fact(old), Piece::Fact(new)) => says_the_same(old, new),
        _ => fold(old.name()) == fold(new.name()),
    }
}

/// Whether both are about the same, by the same words.
fn is_near(old: &Piece, new: &Piece) -> bool {
    let (Piece::Fact(old), Piece::Fact(new)) = (old, new) else { return false };
    let quote = |fact: &crate::Fact| fact.source.as_ref().map(|source| fold(&source.quote));
    old.subject == new.subject
        && fold(&old.predicate) == fold(&new.predicate)
        && old.mode == new.mode
        && quote(old) == quote(new)
}

/// The pieces of a record, as they are now.
fn pieces(story: &Story, made: &[Made]) -> Vec<Piece> {
    let places = super::work::places(story, made.iter().map(|made| (made.kind, made.id.as_str())));
    let piece = |made: &Made| story.piece(made.kind, *places.get(&(made.kind, made.id.clone()))?);
    made.iter().filter_map(piece).collect()
}

//! Settles a document into the story and reverts a settlement.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::Extraction;
use super::apply::{self, PieceState, states};
use super::digest::{digest, digest_of};
use super::edited_text::EditedText;
use super::fact_index::SubjectFacts;
use super::likeness::TitleComparer;
use super::names_cache::NamesCache;
use super::outcome::{Config, Kept, Reason, Rejected, Settlement};
use super::passing;
use super::reconcile::{LeavingPieces, PlannedPiece, Reconciler, SettlementPlan, says_the_same};
use super::record::{Made, Settled};
use super::reported;
use super::requote::requote;
use super::standing::EarlierPieces;
use super::work::StoryEdit;
use crate::Story;
use crate::edit::Error;
use crate::ids::Issuer;
use crate::names::fold;
use crate::piece::{Piece, PieceKind};

/// Writes the statements of `extraction` into `story`, replacing the earlier settlement of the document.
///
/// A statement is accepted if the document contains the quoted words. Existing pieces are not duplicated; a piece
/// settled before and extracted again keeps the same id. A piece missing from the new extraction stays while the quoted
/// words remain in the text and no new statement rests on the same words; otherwise the piece is removed, unless
/// changed by hand or referenced by other pieces. The result is a single revertible change. Settling the same
/// extraction twice changes nothing.
///
/// Fails with [`Error::NotFound`] or [`Error::Ambiguous`] unless exactly one document has the given id or title.
pub fn settle(story: &mut Story, document: &str, extraction: &Extraction, config: Config) -> Result<Settlement, Error> {
    let extraction = reported::with_tellers(story, document, extraction)?;
    settle_from(story, document, &extraction, config, StalePolicy::Stands, &mut SettlingCache::default())
}

/// The policy for pieces settled earlier and missing from the new extraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StalePolicy {
    /// Keep the piece while the quoted words remain in the text.
    Stands,
    /// Remove the piece: the new extraction is complete.
    Goes,
}

/// A cache shared by consecutive chapter settlements.
#[derive(Debug, Default)]
pub(super) struct SettlingCache {
    names: NamesCache,
    issuer: Option<Issuer>,
    facts: Arc<SubjectFacts>,
}

impl SettlingCache {
    /// Returns the index of the facts of `story`, which only settling changed since.
    fn facts(&mut self, story: &Story) -> Arc<SubjectFacts> {
        Arc::make_mut(&mut self.facts).extend(story);
        Arc::clone(&self.facts)
    }
}

/// Works like [`settle`], with a policy for earlier pieces and a cache shared between chapters.
pub(super) fn settle_from(
    story: &mut Story,
    document: &str,
    extraction: &Extraction,
    config: Config,
    earlier: StalePolicy,
    shared: &mut SettlingCache,
) -> Result<Settlement, Error> {
    let position = find(story, document)?;
    let mut record = story.documents[position].settled.clone().unwrap_or_default();
    let before = states(story, &record);
    let text = story.documents[position].text.clone();
    let standing = match earlier {
        StalePolicy::Stands => EarlierPieces::of(&text, story, &record, &before),
        StalePolicy::Goes => EarlierPieces::none(&record),
    };
    let leaving = leaving(story, &record, &before, &standing);
    let (names, facts) = (shared.names.of(story), shared.facts(story));
    let plan = Reconciler::new(story, names, facts, position, leaving, config).reconcile(extraction);
    let SettlementPlan {
        wanted,
        mut added,
        mut retold,
        differs,
        mut events,
        mut revealed,
        doubtful,
        questions,
        mut rejected,
    } = plan;
    events.extend(standing.events(&record, &events));
    revealed.extend(standing.revealed(&record, &revealed));
    added.extend(standing.added(&record, &added));
    retold.extend(standing.retold(&record, &retold));

    let mut work = StoryEdit::issuing(story, shared.issuer.take());
    if earlier == StalePolicy::Stands {
        let version = work.story.documents[position].version;
        requote(&mut work, &mut record, (&EditedText::unchanged(&text), version), |start| start);
        // The words that were read are those of the text from now on.
        record.made.iter_mut().filter(|made| made.kind == PieceKind::Fact).for_each(|made| made.quote.clear());
    }
    let matched = Matching::of(work.story, &record, &before, &wanted, &standing);
    let superseded: BTreeSet<usize> =
        (0..before.len()).filter(|old| standing.is_superseded(*old, &wanted, &matched.of)).collect();
    let mut new = Vec::new();
    for (index, PlannedPiece { mut piece, quote, told }) in wanted.into_iter().enumerate() {
        let Some(old) = matched.of[index] else {
            new.push((piece, quote));
            continue;
        };
        match before[old] {
            PieceState::AsMade(place) => {
                piece.set_id(record.made[old].id.clone());
                keep_name(work.story, place, &mut piece);
                apply::with_additions(work.story, position, &mut piece);
                record.made[old] = apply::made(&piece, &quote.quote, false);
                work.replace(place, piece);
            }
            PieceState::Changed(_) => {}
            PieceState::TakenOut => rejected.push(Rejected { told, reason: Reason::TakenOut }),
        }
    }
    let told_again: BTreeSet<usize> = matched.of.iter().flatten().copied().collect();
    let stays = |index: &usize| told_again.contains(index) || (standing.stands(*index) && !superseded.contains(index));
    let gone: BTreeSet<usize> = (0..before.len()).filter(|index| !stays(index)).collect();
    // Insert new pieces first, so later pieces can refer to them.
    for (mut piece, quote) in new {
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
    // A reader without events, such as the rules, does not say which events the text tells.
    record.events = (!extraction.events.is_empty() || !events.is_empty()).then_some(events);
    record.revealed = revealed;
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
    let change = work.finish();
    Arc::make_mut(&mut shared.facts).note(&change);
    Ok(Settlement { change, made, doubtful, questions, rejected, kept })
}

/// Reverts the settlement of a document, and returns its pieces which were not removed.
///
/// Pieces changed by hand since, referenced by other pieces or also extracted from another document are kept; ownership
/// of pieces needed by other documents moves to those documents.
///
/// Fails with [`Error::NotFound`] or [`Error::Ambiguous`] unless exactly one document has the given id or title.
pub fn withdraw(story: &mut Story, document: &str) -> Result<Vec<Kept>, Error> {
    let position = find(story, document)?;
    let Some(mut record) = story.documents[position].settled.clone() else {
        return Ok(Vec::new());
    };
    let mut work = StoryEdit::on(story);
    let kept = withdraw_all(&mut work, position, &mut record);
    work.document(position, |document| {
        document.settled = None;
        document.summary.clear();
    });
    work.finish();
    Ok(kept)
}

/// Reverts everything listed in a settlement record and returns the kept pieces.
pub(super) fn withdraw_all(work: &mut StoryEdit<'_>, position: usize, record: &mut Settled) -> Vec<Kept> {
    apply::take_back(work, record, |_| true);
    let all = (0..record.made.len()).collect();
    apply::withdraw(work, position, record, &all)
}

/// Returns the position of the document with the given id or title.
pub(super) fn find(story: &Story, document: &str) -> Result<usize, Error> {
    let (name, folded) = (document.trim(), fold(document));
    let all = || story.documents.iter().enumerate();
    // The id nearly always matches untrimmed; a book has thousands of ids.
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

/// Returns the earlier pieces of the document eligible for removal.
fn leaving<'s>(
    story: &'s Story,
    record: &Settled,
    states: &[PieceState],
    standing: &EarlierPieces<'_>,
) -> LeavingPieces<'s> {
    let mut leaving = LeavingPieces { facts: FxHashSet::default(), cards: BTreeSet::new(), own: BTreeSet::new() };
    let mut cards = Vec::new();
    for (index, (made, state)) in record.made.iter().zip(states).enumerate() {
        match (made.kind, state) {
            (PieceKind::Fact, PieceState::AsMade(position) | PieceState::Changed(position)) => {
                leaving.facts.insert(story.facts[*position].id.as_str());
            }
            (kind, PieceState::AsMade(position)) => {
                leaving.own.insert((kind, *position));
                if !standing.stands(index) {
                    cards.push((kind, *position));
                }
            }
            (kind, PieceState::Changed(position)) => drop(leaving.own.insert((kind, *position))),
            (_, PieceState::TakenOut) => {}
        }
    }
    // Pieces referenced elsewhere stay in any case, so the chapter may mention them without introducing them again.
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

/// A predicate: whether the earlier piece at the first index matches the wanted piece at the second.
type Likeness<'a> = dyn Fn(usize, usize) -> bool + 'a;

/// A mapping from wanted pieces to earlier pieces.
struct Matching {
    /// The index in the settlement record for each wanted piece.
    of: Vec<Option<usize>>,
}

impl Matching {
    fn of(
        story: &Story,
        record: &Settled,
        states: &[PieceState],
        wanted: &[PlannedPiece],
        standing: &EarlierPieces<'_>,
    ) -> Self {
        let mut taken = BTreeSet::new();
        let mut of = vec![None; wanted.len()];
        let pieces: Vec<Option<Piece>> = record
            .made
            .iter()
            .zip(states)
            .map(|(made, state)| match state {
                PieceState::AsMade(position) | PieceState::Changed(position) => story.piece(made.kind, *position),
                PieceState::TakenOut => None,
            })
            .collect();
        let digests: Vec<String> = wanted.iter().map(|wanted| digest_of(&wanted.piece)).collect();
        let titles = OnceCell::new();
        let exact = |old: usize, new: usize| record.made[old].digest == digests[new];
        let same = |old: usize, new: usize| pieces[old].as_ref().is_some_and(|old| is_same(old, &wanted[new].piece));
        let near = |old: usize, new: usize| pieces[old].as_ref().is_some_and(|old| is_near(old, &wanted[new].piece));
        // A promise in the same words, under another name.
        let renamed = |old: usize, new: usize| {
            let (Some(Piece::Promise(known)), Piece::Promise(told)) = (&pieces[old], &wanted[new].piece) else {
                return false;
            };
            let titles: &TitleComparer = titles.get_or_init(|| TitleComparer::of(story));
            let is_like = || titles.like(&known.name)(&told.name) || titles.like(&known.description)(&told.description);
            standing.is_in_words(old, &wanted[new].quote.quote) && is_like()
        };
        let passes: [&Likeness<'_>; 4] = [&exact, &same, &near, &renamed];
        for is_it in passes {
            for (new, slot) in of.iter_mut().enumerate().filter(|(_, slot)| slot.is_none()) {
                let kind = wanted[new].piece.kind();
                *slot = (0..record.made.len())
                    .find(|old| record.made[*old].kind == kind && !taken.contains(old) && is_it(*old, new));
                taken.extend(*slot);
            }
        }
        Self { of }
    }
}

/// Gives a promise the name under which the story has it; other chapters and the outline use that one.
fn keep_name(story: &Story, position: usize, piece: &mut Piece) {
    if let Piece::Promise(promise) = piece
        && let Some(known) = story.promises.get(position)
    {
        promise.name.clone_from(&known.name);
    }
}

/// Returns whether two pieces are the same: an equal name, or facts with equal content.
fn is_same(old: &Piece, new: &Piece) -> bool {
    match (old, new) {
        (Piece::Fact(old), Piece::Fact(new)) => says_the_same(old, new),
        _ => fold(old.name()) == fold(new.name()),
    }
}

/// Returns whether two facts share subject, predicate, mode and quote.
fn is_near(old: &Piece, new: &Piece) -> bool {
    let (Piece::Fact(old), Piece::Fact(new)) = (old, new) else { return false };
    let quote = |fact: &crate::Fact| fact.source.as_ref().map(|source| fold(&source.quote));
    old.subject == new.subject
        && fold(&old.predicate) == fold(&new.predicate)
        && old.mode == new.mode
        && quote(old) == quote(new)
}

/// Returns the current pieces of a settlement record.
fn pieces(story: &Story, made: &[Made]) -> Vec<Piece> {
    let places = super::work::places(story, made.iter().map(|made| (made.kind, made.id.as_str())));
    let piece = |made: &Made| story.piece(made.kind, *places.get(&(made.kind, made.id.clone()))?);
    made.iter().filter_map(piece).collect()
}

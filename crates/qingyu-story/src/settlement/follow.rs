//! What an edit by hand means for all that came from the text, without asking anybody.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::apply::{self, State, states};
use super::outcome::{Config, Kept};
use super::reconcile::{Leaving, Plan, Reconciler, Wanted, reference};
use super::record::{Gone, Settled, digest, digest_of};
use super::settle::{find, withdraw_all};
use super::work::Work;
use super::{passing, rules};
use crate::edit::Change;
use crate::names::Names;
use crate::piece::{Piece, PieceKind};
use crate::settlement::quotes::Quotable;
use crate::{Document, Quotation, Story};

/// What came of following an edit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Following {
    /// All that changed in the story beside the text; its inverse takes it back.
    pub change: Change,
    /// The pieces whose sentence is gone, and that went with it.
    pub gone: Vec<Piece>,
    /// The pieces whose sentence is back, and that came back with it.
    pub back: Vec<Piece>,
    /// What the rules found in the paragraphs that changed.
    pub found: Vec<Piece>,
    /// Pieces that stay though their sentence is gone.
    pub kept: Vec<Kept>,
}

/// Lets a story follow an edit of a text that was made in it already: `before` is the document as it was, `after` as it is,
/// none if it was deleted.
///
/// Facts whose quote still stands get its new place. What was settled from a sentence that is gone goes with it, and comes
/// back with it; the rules read the paragraphs that changed. What the author made is never touched, but for the place of
/// its quote. A text that was never settled makes nothing.
pub fn follow(story: &mut Story, before: &Document, after: Option<&Document>) -> Following {
    let mut following =
        Following { change: Change { steps: Vec::new() }, gone: vec![], back: vec![], found: vec![], kept: vec![] };
    let Some(after) = after else {
        let Some(mut record) = before.settled.clone() else { return following };
        let mut work = Work::on(story);
        following.gone = standing(work.story, &record);
        following.kept = withdraw_all(&mut work, usize::MAX, &mut record);
        following.gone.retain(|piece| !following.kept.iter().any(|kept| is_kept(kept, piece)));
        following.change = work.finish();
        return following;
    };
    let Ok(position) = find(story, reference(after)) else { return following };
    if before.text == after.text && before.version == after.version {
        return following;
    }
    let shift = Shift::between(&before.text, &after.text);
    let text = Quotable::of(&after.text);
    let mut work = Work::on(story);
    anchor(&mut work, before, after, &text, &shift);
    if let Some(record) = after.settled.clone() {
        settled(&mut work, position, record, before, after, &text, &mut following);
    }
    following.change = work.finish();
    following
}

/// Lets `after` follow all edits of texts that led to it from `before`; gives what came of each that had consequences.
pub fn follow_all(before: &Story, after: &mut Story) -> Vec<Following> {
    let known: BTreeMap<&str, &Document> =
        after.documents.iter().map(|document| (reference(document), document)).collect();
    let edited =
        |old: &Document| known.get(reference(old)).is_none_or(|new| new.text != old.text || new.version != old.version);
    let edits: Vec<(Document, Option<Document>)> = before
        .documents
        .iter()
        .filter(|old| edited(old))
        .map(|old| (old.clone(), known.get(reference(old)).map(|new| Document::clone(new))))
        .collect();
    let follow = |(old, new): (Document, Option<Document>)| follow(after, &old, new.as_ref());
    edits.into_iter().map(follow).filter(|following| !following.change.is_empty()).collect()
}

/// What follows for the pieces that were settled from the text.
fn settled(
    work: &mut Work<'_>,
    position: usize,
    mut record: Settled,
    before: &Document,
    after: &Document,
    text: &Quotable<'_>,
    following: &mut Following,
) {
    let stands = |quote: &str| quote.trim().is_empty() || text.find(quote, 0).is_some();
    let is_as_settled = digest(&after.text) == record.digest;
    let all = states(work.story, &record);
    let mut going = BTreeSet::new();
    let mut gone: Vec<Gone> = Vec::new();
    for (index, (made, state)) in record.made.iter().zip(&all).enumerate() {
        let (State::AsMade(place) | State::Changed(place)) = *state else { continue };
        let piece = work.story.piece(made.kind, place).expect("the position was found in this story");
        let quote = quote_of(&piece, &made.quote);
        let is_superseded = is_as_settled && made.followed;
        if stands(&quote) && !is_superseded {
            continue;
        }
        going.insert(index);
        if *state == State::AsMade(place) {
            following.gone.push(piece.clone());
            if !made.followed {
                gone.push(Gone { position: place, piece: apply::stored(&piece), quote: made.quote.clone() });
            }
        }
    }
    following.kept = apply::withdraw(work, position, &mut record, &going);
    let kept = &following.kept;
    following.gone.retain(|piece| !kept.iter().any(|kept| is_kept(kept, piece)));
    gone.retain(|gone| !kept.iter().any(|kept| gone.piece["piece"]["id"] == Value::String(kept.id.clone())));
    let mut lost: Vec<_> = record.added.iter().filter(|added| !stands(&added.quote)).cloned().collect();
    apply::take_back(work, &mut record, |added| lost.contains(added));
    let (again, still): (Vec<_>, Vec<_>) = record.lost.drain(..).partition(|added| stands(&added.quote));
    lost.extend(still);
    record.lost = lost;
    for retold in &mut record.retold {
        let found = text.find(&retold.source.quote, retold.source.start.unwrap_or_default());
        (retold.source.start, retold.source.end) = (found.map(|span| span.0), found.map(|span| span.1));
    }
    come_back(work, &mut record, after, text, following);
    apply::add(work, &mut record, &again);
    record.gone.extend(gone);
    if is_as_settled {
        record.gone.clear();
        record.lost.clear();
    } else {
        read_changed(work, position, &mut record, before, following);
    }
    record.years = passing::years(&after.text);
    record.sort();
    work.document(position, |document| document.settled = Some(record));
}

/// Brings back the pieces whose sentence stands again.
fn come_back(
    work: &mut Work<'_>,
    record: &mut Settled,
    after: &Document,
    text: &Quotable<'_>,
    following: &mut Following,
) {
    let mut waiting: Vec<Gone> = record.gone.drain(..).collect();
    waiting.sort_by_key(|gone| gone.position);
    for gone in waiting {
        let piece: Option<Piece> = serde_json::from_value(gone.piece.clone()).ok();
        let Some(mut piece) = piece else { continue };
        let quote = quote_of(&piece, &gone.quote);
        let is_taken = work.story.parts(piece.kind()).any(|part| part.id() == piece.id());
        let Some(found) = text.quotation(reference(after), after.version, &quote, 0).filter(|_| !is_taken) else {
            record.gone.push(gone);
            continue;
        };
        if let Piece::Fact(fact) = &mut piece {
            fact.source = Some(found);
        }
        record.made.push(apply::made(&piece, &gone.quote, false));
        following.back.push(piece.clone());
        work.restore(gone.position, piece);
    }
}

/// Lets the rules read the paragraphs that the text did not have before.
fn read_changed(
    work: &mut Work<'_>,
    position: usize,
    record: &mut Settled,
    before: &Document,
    following: &mut Following,
) {
    let old: BTreeSet<&str> = before.text.lines().map(str::trim).collect();
    let text = &work.story.documents[position].text;
    let names = Names::of_entities(work.story);
    let extraction = rules::read(&names, text, |paragraph| !old.contains(text[paragraph.clone()].trim()));
    if extraction.facts.is_empty() {
        return;
    }
    let leaving = Leaving { facts: Default::default(), cards: BTreeSet::new(), own: BTreeSet::new() };
    let plan = Reconciler::new(work.story, Arc::new(Names::of(work.story)), position, leaving, Config::default())
        .reconcile(&extraction);
    let Plan { wanted, added, retold, .. } = plan;
    for Wanted { mut piece, quote, .. } in wanted {
        // What the author took out stays out.
        let digest = digest_of(&piece);
        if record.made.iter().any(|made| made.digest == digest) {
            continue;
        }
        let id = work.create(piece.clone());
        piece.set_id(id);
        record.made.push(apply::made(&piece, &quote.quote, true));
        following.found.push(piece);
    }
    let own = |id: &str| record.made.iter().any(|made| made.id == id);
    let new: Vec<_> = retold.into_iter().filter(|retold| !own(&retold.id)).collect();
    for retold in new {
        record.retold.retain(|other| other.id != retold.id);
        record.retold.push(retold);
    }
    apply::add(work, record, &added);
}

/// Gives the facts that quote the document the places of their quotes.
fn anchor(work: &mut Work<'_>, before: &Document, after: &Document, text: &Quotable<'_>, shift: &Shift) {
    let is_named = |name: &str| {
        let names = [&before.id, &before.title, &after.id, &after.title];
        names.into_iter().any(|other| !other.trim().is_empty() && other.trim() == name.trim())
    };
    let quoting: Vec<usize> = work
        .story
        .facts
        .iter()
        .enumerate()
        .filter(|(_, fact)| {
            fact.source.as_ref().is_some_and(|source| is_named(&source.document) && !source.quote.trim().is_empty())
        })
        .map(|(position, _)| position)
        .collect();
    // A text that is as it was settled is read as it was then: what is quoted is the first of several places.
    let record = after.settled.as_ref().filter(|record| record.digest == digest(&after.text));
    for position in quoting {
        let fact = &work.story.facts[position];
        let source = fact.source.as_ref().expect("it quotes");
        let is_settled = record.is_some_and(|record| record.made(PieceKind::Fact, &fact.id).is_some());
        let near = source.start.filter(|_| !is_settled).map_or(0, |start| shift.of(start));
        let Some((start, end)) = text.find(&source.quote, near) else { continue };
        // A quote without a place was never anchored to a version.
        let source = Quotation { version: after.version, start: Some(start), end: Some(end), ..source.clone() };
        let fact = crate::Fact { source: Some(source), ..fact.clone() };
        work.replace(position, Piece::Fact(fact));
    }
}

/// How characters move by an edit.
struct Shift {
    /// So many characters at the beginning are the same.
    head: u32,
    /// By how many the rest moved.
    by: i64,
}

impl Shift {
    fn between(before: &str, after: &str) -> Self {
        let head = before.chars().zip(after.chars()).take_while(|(a, b)| a == b).count();
        let by = after.chars().count() as i64 - before.chars().count() as i64;
        Self { head: u32::try_from(head).unwrap_or(u32::MAX), by }
    }

    /// About where the character is now.
    fn of(&self, at: u32) -> u32 {
        if at < self.head { at } else { u32::try_from((i64::from(at) + self.by).max(0)).unwrap_or(u32::MAX) }
    }
}

/// The words that a piece rests on.
fn quote_of(piece: &Piece, recorded: &str) -> String {
    match piece {
        Piece::Fact(fact) => fact.source.as_ref().map(|source| source.quote.clone()).unwrap_or_default(),
        _ => recorded.to_owned(),
    }
}

fn is_kept(kept: &Kept, piece: &Piece) -> bool {
    kept.kind == piece.kind() && kept.id == piece.id()
}

/// The pieces of a record that are as they were made.
fn standing(story: &Story, record: &Settled) -> Vec<Piece> {
    let all = states(story, record);
    let piece = |(made, state): (&super::Made, &State)| match state {
        State::AsMade(position) => story.piece(made.kind, *position),
        _ => None,
    };
    record.made.iter().zip(&all).filter_map(piece).filter(|piece| piece.kind() != PieceKind::Document).collect()
}

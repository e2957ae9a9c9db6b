//! Updates of the pieces made from a text after an edit by hand, without questions to the author.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::apply::{self, PieceState, quote_of, quote_read, states};
use super::changed_sentence::piece_still_left;
use super::digest::{digest, digest_of};
use super::edited_text::{EditedText, TextShift};
use super::extraction::ToldFact;
use super::fact_index::SubjectFacts;
use super::likely_words::{StatementWords, with_likely_words, with_words_alike};
use super::named_cards::NamedCards;
use super::outcome::{Config, Kept, Stays};
use super::reconcile::{LeavingPieces, PlannedPiece, Reconciler, SettlementPlan, reference};
use super::record::{Added, Gone, Made, Settled};
use super::remaining::words_left;
use super::requote::requote;
use super::rules::KnownCast;
use super::settle::{find, withdraw_all};
use super::still_told::requote_differences;
use super::work::StoryEdit;
use super::{passing, rules};
use crate::edit::AppliedEdit;
use crate::names::Names;
use crate::piece::{Piece, PieceKind};
use crate::predicate::word;
use crate::settlement::quotes::Quotable;
use crate::{Document, Fact, Quotation, Story};

/// The result of following an edit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EditReport {
    /// All changes of the story besides the text; the inverse reverts them.
    pub change: AppliedEdit,
    /// The pieces removed together with their sentence.
    pub gone: Vec<Piece>,
    /// The pieces restored together with their sentence.
    pub back: Vec<Piece>,
    /// The pieces found by the rules in the changed paragraphs.
    pub found: Vec<Piece>,
    /// Pieces remaining without their sentence.
    pub kept: Vec<Kept>,
}

/// Updates a story after an edit of a text already applied to the story: `before` is the old document, `after` the new,
/// `None` if deleted.
///
/// Facts with an existing quote get its new position, and facts whose sentence has another number or other clauses that
/// they do not rest on quote the sentence as it is now. Pieces settled from a removed sentence are removed too, and
/// restored if the sentence returns; a card stays while the text names it. The rules read the changed paragraphs. The
/// author's own pieces are never changed, except for the position of a quote. A text never settled makes no pieces.
pub fn follow(story: &mut Story, before: &Document, after: Option<&Document>) -> EditReport {
    let mut following = EditReport {
        change: AppliedEdit { steps: Vec::new() },
        gone: vec![],
        back: vec![],
        found: vec![],
        kept: vec![],
    };
    let Some(after) = after else {
        let Some(mut record) = before.settled.clone() else { return following };
        let mut work = StoryEdit::on(story);
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
    let shift = TextShift::between(&before.text, &after.text);
    let mut record = after.settled.clone();
    let text = EditedText::of(story, record.as_ref(), before, &after.text, &shift);
    let mut work = StoryEdit::on(story);
    if let Some(record) = &mut record {
        requote(&mut work, record, (&text, after.version), |start| shift.of(start));
    }
    anchor(&mut work, before, after, text.whole(), &shift);
    if let Some(record) = record {
        settled(&mut work, position, record, before, after, &text, &mut following);
    }
    following.change = work.finish();
    following
}

/// Updates `after` for all text edits since `before`; returns the result of each edit with consequences.
pub fn follow_all(before: &Story, after: &mut Story) -> Vec<EditReport> {
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

/// Updates the pieces settled from the text.
fn settled(
    work: &mut StoryEdit<'_>,
    position: usize,
    mut record: Settled,
    before: &Document,
    after: &Document,
    edited: &EditedText<'_>,
    following: &mut EditReport,
) {
    let text = edited.whole();
    let stands = |quote: &str| quote.trim().is_empty() || text.find(quote, 0).is_some();
    let is_as_settled = digest(&after.text) == record.digest;
    let all = states(work.story, &record);
    let cards = NamedCards::of(work.story, &after.text);
    let cards_before = NamedCards::of(work.story, &before.text);
    let mut unnamed: Vec<Made> = Vec::new();
    let mut going = BTreeSet::new();
    let mut gone: Vec<Gone> = Vec::new();
    for (index, (made, state)) in record.made.iter().zip(&all).enumerate() {
        let (PieceState::AsMade(place) | PieceState::Changed(place)) = *state else { continue };
        let piece = work.story.piece(made.kind, place).expect("the position was found in this story");
        let quote = quote_of(&piece, &made.quote);
        let is_superseded = is_as_settled && made.followed;
        let is_told = quote.trim().is_empty()
            || piece_still_left(edited.around(&made.id), &piece, (&quote, &quote_read(&piece, &made.quote)), 0)
                .is_some()
            || cards.sentence(made.kind, place).is_some();
        if is_told && !is_superseded {
            continue;
        }
        going.insert(index);
        if PieceKind::CARDS.contains(&made.kind) && cards_before.sentence(made.kind, place).is_none() {
            unnamed.push(made.clone());
        }
        if *state == PieceState::AsMade(place) {
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
    // A card that the text never named rests on others that refer to it, and the edit changes nothing of that.
    let is_made_elsewhere = |made: &Made| {
        let mut others = work.story.documents.iter().enumerate().filter(|(at, _)| *at != position);
        others.any(|(_, other)| other.settled.as_ref().is_some_and(|other| other.made(made.kind, &made.id).is_some()))
    };
    following.kept.retain(|kept| {
        let is_referred = matches!(kept.why, Stays::Referred { .. });
        let made = unnamed.iter().find(|made| is_referred && made.kind == kept.kind && made.id == kept.id);
        let made = made.filter(|made| !is_made_elsewhere(made));
        record.made.extend(made.cloned());
        made.is_none()
    });
    let is_told = |added: &Added| {
        let is_likely = || {
            let entry = StatementWords::of_entry(&added.entry);
            !added.is_value() && with_likely_words(text, &added.quote, 0, &entry).is_some()
        };
        stands(&added.quote) || added.words_in(text).is_some() || is_likely()
    };
    let mut lost: Vec<_> = record.added.iter().filter(|added| !is_told(added)).cloned().collect();
    apply::take_back(work, &mut record, |added| lost.contains(added));
    let (again, still): (Vec<_>, Vec<_>) = record.lost.drain(..).partition(is_told);
    lost.extend(still);
    record.lost = lost;
    for retold in &mut record.retold {
        let found = text.find(&retold.source.quote, retold.source.start.unwrap_or_default());
        (retold.source.start, retold.source.end) = (found.map(|span| span.0), found.map(|span| span.1));
    }
    requote_differences(text, &mut record);
    let told = record.events.iter_mut().flatten().map(|here| &mut here.quote);
    for quote in told.chain(record.revealed.iter_mut().map(|told| &mut told.quote)).filter(|quote| !stands(quote)) {
        // The number in the sentence of an event or a secret is not what is told of it.
        let left = words_left(text, PieceKind::Promise, quote).or_else(|| with_words_alike(text, quote));
        let left = left.filter(|words| stands(words));
        left.into_iter().for_each(|words| *quote = words);
    }
    come_back(work, &mut record, (before, after), text, following);
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

/// Restores the pieces whose sentence has returned. A sentence that stood elsewhere in the text before the edit has not.
fn come_back(
    work: &mut StoryEdit<'_>,
    record: &mut Settled,
    (before, after): (&Document, &Document),
    text: &Quotable<'_>,
    following: &mut EditReport,
) {
    if record.gone.is_empty() {
        return;
    }
    let mut waiting = std::mem::take(&mut record.gone);
    waiting.sort_by_key(|gone| gone.position);
    let old = Quotable::of(&before.text);
    let is_as_settled = digest(&after.text) == record.digest;
    let is_back = |quote: &str| is_as_settled || old.find(quote, 0).is_none() || text.count(quote) > old.count(quote);
    for gone in waiting {
        let piece: Option<Piece> = serde_json::from_value(gone.piece.clone()).ok();
        let Some(mut piece) = piece else { continue };
        let quote = quote_of(&piece, &gone.quote);
        let is_taken = work.story.parts(piece.kind()).any(|part| part.id() == piece.id());
        let found = |quote: &str| text.quotation(reference(after), after.version, quote, 0).filter(|_| is_back(quote));
        let found = found(&quote).or_else(|| found(&gone.quote));
        let Some(found) = found.filter(|_| !is_taken) else {
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

/// Runs the rules on the paragraphs new to the text.
fn read_changed(
    work: &mut StoryEdit<'_>,
    position: usize,
    record: &mut Settled,
    before: &Document,
    following: &mut EditReport,
) {
    let old: BTreeSet<&str> = before.text.lines().map(str::trim).collect();
    let text = &work.story.documents[position].text;
    let now: BTreeSet<&str> = text.lines().map(str::trim).collect();
    let cast = KnownCast::of(work.story);
    let mut extraction = rules::read(&cast, text, |paragraph| !old.contains(text[paragraph.clone()].trim()));
    let known = rules::read(&cast, &before.text, |paragraph| !now.contains(before.text[paragraph.clone()].trim()));
    drop(cast);
    let gone = following.gone.iter().filter_map(|piece| match piece {
        Piece::Fact(fact) => Some(fact),
        _ => None,
    });
    let settled: Vec<&Fact> = work.story.facts.iter().chain(gone).collect();
    let is_left_out = |fact: &ToldFact| !settled.iter().any(|settled| is_in_words_of(fact, settled));
    extraction.facts.retain(|fact| !known.facts.iter().any(|other| is_reread(fact, other)) || !is_left_out(fact));
    if extraction.facts.is_empty() {
        return;
    }
    let leaving = LeavingPieces { facts: Default::default(), cards: BTreeSet::new(), own: BTreeSet::new() };
    let mut facts = SubjectFacts::default();
    facts.extend(work.story);
    let (names, facts) = (Arc::new(Names::of(work.story)), Arc::new(facts));
    let plan = Reconciler::new(work.story, names, facts, position, leaving, Config::default()).reconcile(&extraction);
    let SettlementPlan { wanted, added, retold, .. } = plan;
    for PlannedPiece { mut piece, quote, .. } in wanted {
        // Pieces deleted by the author stay deleted.
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

/// Returns whether the rules read the fact in the text before the edit, too, whatever its date: the sentence stands.
fn is_reread(fact: &ToldFact, before: &ToldFact) -> bool {
    (&fact.subject, &fact.predicate, &fact.object) == (&before.subject, &before.predicate, &before.object)
        && (&fact.value, &fact.quote) == (&before.value, &before.quote)
}

/// Returns whether a settled fact has the same predicate in the same words; what the rules read in a sentence that stands
/// was otherwise left out when the chapter was settled.
fn is_in_words_of(fact: &ToldFact, settled: &Fact) -> bool {
    let is_there = |source: &Quotation| source.quote.contains(&fact.quote) || fact.quote.contains(&source.quote);
    word(&settled.predicate) == word(&fact.predicate) && settled.source.as_ref().is_some_and(is_there)
}

/// Updates the quote positions of the facts quoting the document.
fn anchor(work: &mut StoryEdit<'_>, before: &Document, after: &Document, text: &Quotable<'_>, shift: &TextShift) {
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
    // A text equal to the settled text is read as before: of several positions, the first is quoted.
    let record = after.current_settlement();
    for position in quoting {
        let fact = &work.story.facts[position];
        let source = fact.source.as_ref().expect("it quotes");
        let is_settled = record.is_some_and(|record| record.made(PieceKind::Fact, &fact.id).is_some());
        let near = source.start.filter(|_| !is_settled).map_or(0, |start| shift.of(start));
        let Some((start, end)) = text.find(&source.quote, near) else { continue };
        // A quote without a position was never anchored to a version.
        let source = Quotation { version: after.version, start: Some(start), end: Some(end), ..source.clone() };
        let fact = crate::Fact { source: Some(source), ..fact.clone() };
        work.replace(position, Piece::Fact(fact));
    }
}

fn is_kept(kept: &Kept, piece: &Piece) -> bool {
    kept.kind == piece.kind() && kept.id == piece.id()
}

/// Returns the unchanged pieces of a record.
fn standing(story: &Story, record: &Settled) -> Vec<Piece> {
    let all = states(story, record);
    let piece = |(made, state): (&Made, &PieceState)| match state {
        PieceState::AsMade(position) => story.piece(made.kind, *position),
        _ => None,
    };
    record.made.iter().zip(&all).filter_map(piece).filter(|piece| piece.kind() != PieceKind::Document).collect()
}

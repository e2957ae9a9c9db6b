//! Sentences of later texts that rest on words which a change took out of an earlier text.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::apply::quote_read;
use super::changed_counts::changed_counts;
use super::quotes::Quotable;
use super::record::{Added, Settled};
use super::work::places;
use crate::impact::{Because, DependencyGraph, Touched};
use crate::names::{fold, fold_word};
use crate::piece::{Piece, PieceKind};
use crate::predicate::{self, PredicateRole};
use crate::{Document, Fact, Language, Mode, Remark, Severity, Story};

/// A sentence of a later text that rests on words which an earlier text no longer has.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct UnsupportedPassage {
    /// The id of the later document.
    pub document: String,
    /// The sentence that rests on it.
    pub quote: String,
    /// The title of the earlier document.
    pub earlier: String,
    /// The words that are gone from it.
    pub gone: String,
}

/// A story before its changes, with the graph of its pieces, built for the first text that lost something.
type StoryBefore<'g, 's> = (&'s Story, &'g OnceCell<DependencyGraph<'s>>);

/// The kinds of pieces that later chapters rest on.
const KINDS: [PieceKind; 4] = [PieceKind::Fact, PieceKind::Event, PieceKind::Item, PieceKind::Promise];

impl UnsupportedPassage {
    /// Returns the passage as a remark on its document.
    pub fn remark(&self, language: Language) -> Remark {
        let Self { quote, earlier, gone, .. } = self;
        let (title, why, fix) = match language {
            Language::Zh => (
                format!("这一句依据的内容在《{earlier}》里已经改掉"),
                format!("《{earlier}》原来写着“{gone}”，改动后没有了，这一句还以它为前提"),
                format!("改这一句，或者在《{earlier}》里补回它所依据的内容"),
            ),
            Language::En => (
                format!("This sentence relies on words removed from “{earlier}”"),
                format!("“{earlier}” used to say “{gone}”; it no longer does, and this sentence still relies on it"),
                format!("Change this sentence, or tell what it relies on in “{earlier}” again"),
            ),
        };
        Remark { severity: Severity::Medium, title, quote: quote.clone(), why, fix, ..Remark::default() }
    }
}

/// Adds a remark to each sentence of a later text that rests on words which the changes from `before` to `after` took out
/// of an earlier one, and removes such remarks where the words are back. Returns the passages, in reading order for each
/// changed text.
///
/// A sentence rests on a fact, event, thing or promise of the earlier text if it teaches somebody the fact, uses a thing
/// that was obtained there, refers to the event, keeps or pays the promise, or is the first left to name the thing. A
/// piece that another text before it still tells is not lost. A sentence of any other text rests on a count, such as
/// `forty silver dollars`, if it has it and a sentence of the changed text now has another number. A text that was never
/// settled, or was deleted, has no such sentences.
pub fn mark_unsupported(before: &Story, after: &mut Story) -> Vec<UnsupportedPassage> {
    let documents: FxHashMap<&str, &Document> = after.documents.iter().map(|new| (new.id.as_str(), new)).collect();
    // A new reading of the same text may tell again what was lost.
    let is_changed = |old: &&Document| {
        documents.get(old.id.as_str()).is_some_and(|new| new.text != old.text || new.settled != old.settled)
    };
    let changed: Vec<&Document> = before.documents.iter().filter(is_changed).collect();
    let graph = OnceCell::new();
    changed.into_iter().flat_map(|document| mark((before, &graph), after, &document.id)).collect()
}

/// Does the same for one changed document.
fn mark(before: StoryBefore<'_, '_>, after: &mut Story, document: &str) -> Vec<UnsupportedPassage> {
    let mut passages = unsupported(before, after, document);
    for passage in counted_otherwise(before.0, after, document) {
        let is_it = |other: &UnsupportedPassage| (&other.document, &other.quote) == (&passage.document, &passage.quote);
        if !passages.iter().any(is_it) {
            passages.push(passage);
        }
    }
    let language = after.language;
    let back = restored_reasons(before.0, after, document);
    for document in &mut after.documents {
        document.remarks.retain(|remark| !back.contains(&remark.why));
    }
    for passage in &passages {
        let remark = passage.remark(language);
        if let Some(document) = after.documents.iter_mut().find(|other| other.id == passage.document)
            && !document.remarks.contains(&remark)
        {
            document.remarks.push(remark);
        }
    }
    passages
}

/// Returns the reasons of remarks about words that the document has, in its text or as the words of a piece that it tells,
/// and about words whose pieces it tells again in others.
fn restored_reasons(known: &Story, story: &Story, document: &str) -> BTreeSet<String> {
    let again = told_again(known, story, document);
    let Some(document) = story.documents.iter().find(|other| other.id == document) else { return BTreeSet::new() };
    let facts = story.facts.iter().filter_map(|fact| fact.source.as_ref());
    let names = [document.id.trim(), document.title.trim()];
    let facts = facts.filter(|source| names.contains(&source.document.trim())).map(|source| &source.quote);
    let made = document.settled.iter().flat_map(|record| &record.made).map(|made| &made.quote);
    let added = document.settled.iter().flat_map(|record| &record.added).map(|added| &added.quote);
    let words: BTreeSet<&String> = facts.chain(made).chain(added).filter(|quote| !quote.trim().is_empty()).collect();
    let reason = |gone: &str| {
        let (earlier, gone) = (document.title.clone(), gone.to_owned());
        UnsupportedPassage { document: String::new(), quote: String::new(), earlier, gone }.remark(story.language).why
    };
    let mut reasons: BTreeSet<String> = words.into_iter().chain(&again).map(|words| reason(words)).collect();
    // A reading of the text as it is now need not tell the piece again.
    let text = Quotable::of(&document.text);
    let frame = reason("\0");
    let Some((before, after)) = frame.split_once('\0') else { return reasons };
    for remark in story.documents.iter().flat_map(|other| &other.remarks) {
        let gone = remark.why.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
        if gone.is_some_and(|gone| !gone.trim().is_empty() && text.find(gone, 0).is_some()) {
            reasons.insert(remark.why.clone());
        }
    }
    reasons
}

/// Returns the words that an edit took out of the document before the change, of which the change tells each piece again.
fn told_again(before: &Story, after: &Story, document: &str) -> Vec<String> {
    let find = |story: &Story| story.documents.iter().position(|other| other.id == document);
    let (Some(old), Some(new)) = (find(before), find(after)) else { return Vec::new() };
    let gone = before.documents[old].settled.iter().flat_map(|record| &record.gone);
    let made = after.documents[new].settled.iter().flat_map(|record| &record.made);
    let made: Vec<(PieceKind, &str)> = made.map(|made| (made.kind, made.id.as_str())).collect();
    let is_at = places(after, made.iter().copied());
    let told: Vec<Piece> = is_at.iter().filter_map(|((kind, _), at)| after.piece(*kind, *at)).collect();
    let is_again = |lost: &Piece| {
        told.iter().any(|told| match (lost, told) {
            // With another value, it is another statement about the same.
            (Piece::Fact(lost), Piece::Fact(told)) => {
                let is_it = |object: &str| {
                    told.object.as_deref().or(told.value.as_str()).is_some_and(|other| fold(other) == fold(object))
                };
                fold(&lost.subject) == fold(&told.subject)
                    && fold_word(&lost.predicate) == fold_word(&told.predicate)
                    && lost.object.as_deref().is_none_or(is_it)
            }
            _ => lost.kind() == told.kind() && fold(&lost.label()) == fold(&told.label()),
        })
    };
    let mut words: BTreeMap<String, bool> = BTreeMap::new();
    for gone in gone {
        let Ok(piece) = serde_json::from_value::<Piece>(gone.piece.clone()) else { continue };
        if KINDS.contains(&piece.kind()) {
            let is_told = is_again(&piece);
            *words.entry(quote_read(&piece, &gone.quote).trim().to_owned()).or_insert(true) &= is_told;
        }
    }
    words.into_iter().filter(|(words, is_told)| *is_told && !words.is_empty()).map(|(words, _)| words).collect()
}

fn unsupported((before, graph): StoryBefore<'_, '_>, after: &Story, document: &str) -> Vec<UnsupportedPassage> {
    let find = |story: &Story| story.documents.iter().position(|other| other.id == document);
    let (Some(old), Some(new)) = (find(before), find(after)) else { return Vec::new() };
    let (old, new) = (&before.documents[old], &after.documents[new]);
    // A reading of the text as it is may find that an edit took out what was read before.
    if old.text == new.text && old.settled == new.settled || old.order == 0 {
        return Vec::new();
    }
    let lost = lost(before, after, old, new);
    if lost.is_empty() {
        return Vec::new();
    }
    let graph = graph.get_or_init(|| DependencyGraph::of(before));
    let touched: Vec<Vec<Touched>> = lost.iter().map(|lost| graph.direct_dependents(lost.piece.id())).collect();
    let change = RewrittenText::of((before, old), (after, new));
    let mut found = BTreeSet::new();
    for (lost, touched) in lost.iter().zip(&touched) {
        let supported = change.supported_from(lost);
        for (order, words) in change.resting(lost, touched).range(..supported) {
            let Some(document) = change.later.get(order) else { continue };
            let text = Quotable::of(&document.text);
            let mut words = words.iter().filter(|words| !words.trim().is_empty());
            let quote = words.find_map(|words| text.quotation(&document.id, document.version, words, 0));
            if let Some(quote) = quote {
                let (earlier, gone) = (new.title.clone(), lost.quote.trim().to_owned());
                let document = document.id.clone();
                found.insert((*order, UnsupportedPassage { document, quote: quote.quote, earlier, gone }));
            }
        }
    }
    // A sentence that rests on several things is shown once.
    let mut seen = BTreeSet::new();
    let passages = found.into_iter().map(|(_, passage)| passage);
    passages.filter(|passage| seen.insert((passage.document.clone(), passage.quote.clone()))).collect()
}

/// Returns the sentences of all other texts that still have the old number of a count which the edit changed, in reading order.
fn counted_otherwise(before: &Story, after: &Story, document: &str) -> Vec<UnsupportedPassage> {
    let find = |story: &Story| story.documents.iter().position(|other| other.id == document);
    let (Some(old), Some(new)) = (find(before), find(after)) else { return Vec::new() };
    let (old, new) = (&before.documents[old], &after.documents[new]);
    if old.settled.is_none() || old.order == 0 {
        return Vec::new();
    }
    let changed = changed_counts(&old.text, &new.text);
    if changed.is_empty() {
        return Vec::new();
    }
    let mut others: Vec<&Document> =
        after.documents.iter().filter(|other| other.order > 0 && other.id != new.id).collect();
    others.sort_by_key(|other| other.order);
    let mut passages = Vec::new();
    for other in others {
        for count in &changed {
            for sentence in count.sentences_of(&other.text) {
                let (document, quote) = (other.id.clone(), sentence.to_owned());
                let (earlier, gone) = (new.title.clone(), count.clause.clone());
                passages.push(UnsupportedPassage { document, quote, earlier, gone });
            }
        }
    }
    passages
}

/// A piece that a document no longer tells.
struct LostPiece {
    piece: Piece,
    /// The words that told it.
    quote: String,
}

/// Returns the pieces that the old text told and the new one does not, in no words.
fn lost(before: &Story, after: &Story, old: &Document, new: &Document) -> Vec<LostPiece> {
    let Some(record) = &old.settled else { return Vec::new() };
    let text = Quotable::of(&new.text);
    let is_gone = |quote: &str| !quote.trim().is_empty() && text.find(quote, 0).is_none();
    let empty = Settled::default();
    let told = new.settled.as_ref().unwrap_or(&empty);
    let ids = |record: &Settled| record.made.iter().map(|made| (made.kind, made.id.clone())).collect::<Vec<_>>();
    let (was, is) = (ids(record), ids(told));
    let was_at = places(before, was.iter().map(|(kind, id)| (*kind, id.as_str())));
    let is_at = places(after, is.iter().map(|(kind, id)| (*kind, id.as_str())));
    let label = |(kind, _): &(PieceKind, String), at: &usize| Some((*kind, fold(&after.piece(*kind, *at)?.label())));
    let labels: BTreeSet<(PieceKind, String)> = is_at.iter().filter_map(|(made, at)| label(made, at)).collect();
    let mut lost = Vec::new();
    for made in record.made.iter().filter(|made| KINDS.contains(&made.kind)) {
        let key = (made.kind, made.id.clone());
        let Some(piece) = was_at.get(&key).and_then(|at| before.piece(made.kind, *at)) else { continue };
        let quote = quote_read(&piece, &made.quote);
        let is_told = is.contains(&key) || labels.contains(&(made.kind, fold(&piece.label())));
        if !is_told && is_gone(&quote) {
            lost.push(LostPiece { piece, quote });
        }
    }
    for added in record.added.iter().filter(|added| added.kind == PieceKind::Promise && added.field == "planted") {
        let place = |added: &Added| (added.kind, added.id.clone(), added.field.clone());
        let is_again = told.added.iter().any(|other| place(other) == place(added));
        let is_planted = after.promises.iter().any(|other| other.id == added.id && !other.planted.is_empty());
        let promise = before.promises.iter().find(|other| other.id == added.id);
        if let Some(promise) = promise.filter(|_| !is_again && !is_planted && is_gone(&added.quote)) {
            lost.push(LostPiece { piece: Piece::Promise(promise.clone()), quote: added.quote.clone() });
        }
    }
    lost
}

/// The change of one text.
struct RewrittenText<'s> {
    before: &'s Story,
    after: &'s Story,
    old: &'s Document,
    new: &'s Document,
    /// The later texts as they are now, by place in reading order.
    later: BTreeMap<u32, &'s Document>,
    /// The place of each other text, by id and title.
    orders: FxHashMap<&'s str, u32>,
}

impl<'s> RewrittenText<'s> {
    fn of((before, old): (&'s Story, &'s Document), (after, new): (&'s Story, &'s Document)) -> Self {
        let texts = || after.documents.iter().filter(|other| other.order > 0 && !other.text.trim().is_empty());
        let later = texts().filter(|other| other.order > old.order).map(|other| (other.order, other)).collect();
        let others = texts().filter(|other| other.id != new.id);
        let names = others.flat_map(|other| [(other.id.trim(), other.order), (other.title.trim(), other.order)]);
        let orders = names.filter(|(name, _)| !name.is_empty()).collect();
        Self { before, after, old, new, later, orders }
    }

    /// Returns the place of the text that the fact is from; `None` for the changed text, or no text.
    fn order_of(&self, fact: &Fact) -> Option<u32> {
        self.orders.get(fact.source.as_ref()?.document.trim()).copied()
    }

    /// Returns the first place from which on another text tells the piece, or tells it of the same thing.
    fn supported_from(&self, lost: &LostPiece) -> u32 {
        let first = match &lost.piece {
            Piece::Fact(old) => {
                let held = possession(old).filter(|_| is_having(old));
                let place = |fact: &Fact| {
                    if fact.id == old.id {
                        return self.order_of(fact);
                    }
                    let is_same = held.is_some() && is_having(fact) && possession(fact) == held;
                    self.order_of(fact).filter(|_| is_same).map(|order| order + 1)
                };
                self.after.facts.iter().filter_map(place).min()
            }
            Piece::Item(item) => {
                let names: Vec<&str> = std::iter::once(&item.name).chain(&item.alias).map(|name| name.trim()).collect();
                let is_named = |text: &str| names.iter().any(|name| !name.is_empty() && text.contains(name));
                let texts = self.after.documents.iter().filter(|other| other.order > 0 && is_named(&other.text));
                texts.map(|other| other.order + 1).min()
            }
            _ => None,
        };
        first.unwrap_or(u32::MAX)
    }

    /// Returns the words of later texts that rest on the piece, by place, the most certain first.
    fn resting(&self, lost: &LostPiece, touched: &'s [Touched]) -> BTreeMap<u32, Vec<&'s str>> {
        let (kind, id) = (lost.piece.kind(), lost.piece.id());
        let mut resting: BTreeMap<u32, Vec<&'s str>> = BTreeMap::new();
        let mut rests = |order: u32, words: &'s str| resting.entry(order).or_default().push(words);
        let is_later = |document: &&Document| self.later.contains_key(&document.order);
        let later = self.before.documents.iter().filter(is_later);
        let records: Vec<(u32, &'s Settled)> =
            later.filter_map(|document| Some((document.order, document.settled.as_ref()?))).collect();
        for &(order, record) in &records {
            let added = record.added.iter().filter(|added| added.kind == kind && added.id == id);
            added.for_each(|added| rests(order, &added.quote));
        }
        let refers = |one: &&Touched| one.path.last().is_some_and(|link| link.because == Because::RefersTo);
        let referring: BTreeSet<(PieceKind, &str)> =
            touched.iter().filter(refers).map(|one| (one.kind, one.piece.as_str())).collect();
        let (held, is_changed) = match &lost.piece {
            Piece::Fact(old) => (possession(old).filter(|_| is_having(old)), self.is_changed(old)),
            _ => (None, false),
        };
        for fact in &self.before.facts {
            let refers = referring.contains(&(PieceKind::Fact, fact.id.as_str()));
            let Some(source) = &fact.source else { continue };
            if refers || fact.id != id && held.is_some() && possession(fact) == held {
                let order = self.orders.get(source.document.trim()).filter(|order| self.later.contains_key(*order));
                order.into_iter().for_each(|order| rests(*order, &source.quote));
            }
        }
        for &(order, record) in &records {
            let made = record.made.iter().filter(|made| referring.contains(&(made.kind, made.id.as_str())));
            made.for_each(|made| rests(order, &made.quote));
            let retold = record.retold.iter().filter(|retold| is_changed && retold.id == id);
            retold.for_each(|retold| rests(order, &retold.source.quote));
        }
        for one in touched.iter().filter(|one| kind == PieceKind::Item && one.kind == PieceKind::Document) {
            let order = self.orders.get(one.piece.trim()).filter(|order| self.later.contains_key(*order));
            order.into_iter().for_each(|order| one.sentences.iter().for_each(|words| rests(*order, &words.quote)));
        }
        resting
    }

    /// Returns whether the new text tells another value of the fact.
    fn is_changed(&self, old: &Fact) -> bool {
        let is_single = predicate::find(&old.predicate).is_some_and(|word| word.single);
        let is_made = |document: &Document, fact: &Fact| {
            document.settled.as_ref().is_some_and(|record| record.made(PieceKind::Fact, &fact.id).is_some())
        };
        let (subject, word) = (fold(&old.subject), fold_word(&old.predicate));
        let is_other = |fact: &&Fact| is_made(self.new, fact) && !is_made(self.old, fact);
        is_single
            && self
                .after
                .facts
                .iter()
                .filter(is_other)
                .any(|fact| fold(&fact.subject) == subject && fold_word(&fact.predicate) == word)
    }
}

/// Returns whether the fact tells that somebody has or gets something.
fn is_having(fact: &Fact) -> bool {
    let role = predicate::find(&fact.predicate).and_then(|word| word.role);
    matches!(role, Some(PredicateRole::Holding | PredicateRole::Getting))
}

/// Returns the owner and the thing of a narrated fact about having, getting, using or losing it.
fn possession(fact: &Fact) -> Option<(String, String)> {
    let word = predicate::find(&fact.predicate).filter(|_| fact.mode == Mode::Narrated)?;
    let roles = [PredicateRole::Holding, PredicateRole::Getting, PredicateRole::Use, PredicateRole::Parting];
    word.role.filter(|role| roles.contains(role))?;
    let object = fact.object.as_deref().filter(|object| !object.trim().is_empty()).or(fact.value.as_str());
    let thing = object.map(fold).filter(|thing| !thing.is_empty())?;
    let owner = fold(&fact.subject);
    Some(if word.name == "held_by" { (thing, owner) } else { (owner, thing) })
}

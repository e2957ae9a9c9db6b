//! Reconstruction of an extraction from a chapter's earlier reading.

use super::Extraction;
use super::changed_sentence::piece_likely_left;
use super::compare::{ExtractionDisagreement, check_extraction, merge};
use super::extraction::{
    Introduced, IntroducedKind, Learns, PromiseAction, ToldEvent, ToldFact, ToldPromise, ToldSecret,
};
use super::named_cards::NamedCards;
use super::quotes::Quotable;
use super::reconcile::reference;
use super::record::{Added, Settled};
use super::settle::find;
use super::time_of::ChapterTime;
use super::work::places;
use crate::edit::Error;
use crate::names::Names;
use crate::piece::{Piece, PieceKind};
use crate::{Document, Fact, Story, TimelineEvent};

/// Returns the statements settled from a document and still in the text, plus the rules' findings.
///
/// Settling the result reproduces the record without statements removed by edits: a fallback without a new reading. For
/// a document never read, returns only the rules' findings.
///
/// Returns [`Error::NotFound`] or [`Error::Ambiguous`] unless exactly one document has the id or title.
pub fn recall(story: &Story, document: &str) -> Result<Extraction, Error> {
    let position = find(story, document)?;
    if story.documents[position].settled.is_none() {
        return super::extract(story, document);
    }
    let told = recorded(story, &story.documents[position]);
    let found = check_extraction(story, document, &told)?;
    // Recorded statements were already accepted; the rules only fill gaps.
    let gaps: Vec<ExtractionDisagreement> = found.into_iter().filter(|one| one.against.is_none()).collect();
    Ok(merge(told, &gaps, super::Config::default()))
}

/// Returns the statements settled from the document, by the current state of the pieces.
fn recorded(story: &Story, document: &Document) -> Extraction {
    let mut told = Extraction { summary: document.summary.clone(), ..Extraction::default() };
    let Some(record) = &document.settled else { return told };
    let names = Names::of(story);
    let hour = ChapterTime::of(story, document, &names);
    let text = Quotable::of(&document.text);
    let stands = |quote: &str| text.find(quote, 0).is_some();
    let cards = NamedCards::of(story, &document.text);
    let at = places(story, record.made.iter().map(|made| (made.kind, made.id.as_str())));
    for made in &record.made {
        let Some(position) = at.get(&(made.kind, made.id.clone())).copied() else { continue };
        let Some(piece) = story.piece(made.kind, position) else { continue };
        let quote = piece_likely_left(&text, &piece, &made.quote, 0);
        let quote = quote.or_else(|| cards.sentence(made.kind, position).map(str::to_owned));
        let quote = quote.unwrap_or_else(|| made.quote.clone());
        match &piece {
            Piece::Fact(fact) => told.facts.push(fact_of(fact, &hour)),
            Piece::Event(event) => told.events.push(event_of(event, quote)),
            Piece::Promise(promise) => {
                let this = reference(document);
                let is_here = |action: &PromiseAction| action.texts(promise).iter().any(|name| name == this);
                let actions: Vec<PromiseAction> = PromiseAction::ALL.into_iter().filter(is_here).collect();
                let known = Some(promise.name.clone()).filter(|_| !promise.alias.is_empty());
                let names = if promise.alias.is_empty() { std::slice::from_ref(&promise.name) } else { &promise.alias };
                for name in names {
                    told.promises.extend(actions.iter().map(|action| ToldPromise {
                        name: name.clone(),
                        same: known.clone(),
                        action: *action,
                        description: promise.description.clone(),
                        due: promise.due.clone(),
                        importance: promise.importance,
                        quote: quote.clone(),
                        confidence: 1.0,
                    }));
                }
            }
            _ => told.entities.extend(card_of(&piece, quote)),
        }
    }
    for added in &record.added {
        if added.field == "alias" {
            told_again(story, added, &text, &mut told);
            continue;
        }
        let name = || story.promises.iter().find(|promise| promise.id == added.id).map(|promise| promise.name.clone());
        let action = PromiseAction::ALL.into_iter().find(|action| action.field() == added.field);
        let Some(action) = action else { continue };
        if let Some(name) = name().filter(|_| added.kind == PieceKind::Promise) {
            let quote = added.words_in(&text).unwrap_or_else(|| added.quote.clone());
            let is_alias =
                |other: &&Added| (other.kind, &other.id, other.field.as_str()) == (added.kind, &added.id, "alias");
            let alias = record.added.iter().find(is_alias).and_then(|other| other.entry.as_str());
            let (name, same) = match alias {
                Some(alias) => (alias.to_owned(), Some(name)),
                None => (name, None),
            };
            told.promises.push(ToldPromise { name, same, action, quote, confidence: 1.0, ..ToldPromise::default() });
        }
    }
    told.revealed.extend(record.revealed.iter().map(|one| ToldSecret {
        of: one.of.clone(),
        quote: one.quote.clone(),
        confidence: 1.0,
    }));
    retold(story, document, &hour, &mut told);
    for added in record.added.iter().filter(|added| added.kind == PieceKind::Event) {
        let Some(event) = story.timeline_events.iter().find(|event| event.id == added.id) else { continue };
        let entry = added.entry.as_str().unwrap_or_default().to_owned();
        let mut again = joined(event, record, &added.quote);
        match added.field.as_str() {
            "participants" => again.participants.push(entry),
            "deaths" => again.deaths.push(entry),
            "timestamp" => again.timestamp = entry,
            "description" => again.description = entry,
            "location" => again.location = Some(entry),
            "by" => again.by = Some(entry),
            "alias" => again.title = entry,
            _ => continue,
        }
        told.events.push(again);
    }
    for differs in &record.differs {
        let Some(event) = story.timeline_events.iter().find(|event| event.id == differs.event) else { continue };
        // The words of a date need not be those of the event.
        let mut here = record.events.iter().flatten().filter(|here| here.event == differs.event && stands(&here.quote));
        let here = here.next().filter(|_| differs.field == "timestamp" && stands(&differs.quote));
        let mut again = joined(event, record, here.map_or(&differs.quote, |here| &here.quote));
        match differs.field.as_str() {
            "timestamp" => again.timestamp = differs.told.clone(),
            "description" => again.description = differs.told.clone(),
            "location" => again.location = Some(differs.told.clone()),
            // Told by who is left out of the planned people.
            _ => {}
        }
        told.events.push(again);
    }
    let is_recalled = |event: &TimelineEvent, told: &Extraction| {
        told.events.iter().any(|other| other.planned.as_deref() == Some(event.title.as_str()))
    };
    for here in record.events.iter().flatten() {
        let mut named = story.timeline_events.iter().filter(|event| event.id == here.event);
        let Some(event) = named.next().filter(|event| !is_recalled(event, &told)) else { continue };
        // A title of two events would be neither of them.
        if story.timeline_events.iter().filter(|other| other.title == event.title).count() == 1 {
            let again = joined(event, record, &here.quote);
            told.events.push(ToldEvent { participants: Vec::new(), deaths: Vec::new(), ..again });
        }
    }
    told.facts.retain(|fact| stands(&fact.quote));
    told.events.retain(|event| stands(&event.quote));
    told.promises.retain(|promise| stands(&promise.quote));
    told.entities.retain(|one| stands(&one.quote));
    told.revealed.retain(|one| stands(&one.quote));
    told
}

/// Returns a planned event as a document tells it, without time, place and description: with the planned people, but for
/// those that the document leaves out.
fn joined(event: &TimelineEvent, record: &Settled, quote: &str) -> ToldEvent {
    let planned = |field: &str, names: &[String]| {
        let is_own = |name: &&String| {
            let mut added = record.added.iter().filter(|added| added.kind == PieceKind::Event && added.id == event.id);
            let mut differs = record.differs.iter().filter(|differs| differs.event == event.id);
            !added.any(|added| added.field == field && added.entry.as_str() == Some(name.as_str()))
                && !differs.any(|differs| differs.field == field && differs.told == **name)
        };
        names.iter().filter(is_own).cloned().collect()
    };
    ToldEvent {
        title: event.title.clone(),
        planned: Some(event.title.clone()),
        participants: planned("participants", &event.participants),
        deaths: planned("deaths", &event.deaths),
        mode: event.mode,
        quote: quote.to_owned(),
        confidence: 1.0,
        ..ToldEvent::default()
    }
}

/// Appends a card that the document calls by another name.
fn told_again(story: &Story, added: &Added, text: &Quotable<'_>, told: &mut Extraction) {
    let place = places(story, [(added.kind, added.id.as_str())]);
    let Some(position) = place.get(&(added.kind, added.id.clone())) else { return };
    let Some(piece) = story.piece(added.kind, *position) else { return };
    let quote = added.words_in(text).unwrap_or_else(|| added.quote.clone());
    let name = added.entry.as_str().unwrap_or_default().to_owned();
    let same = Some(piece.name().to_owned());
    if let Some(one) = card_of(&piece, quote) {
        told.entities.push(Introduced { name, same, alias: Vec::new(), ..one });
    }
}

/// Appends the facts told by the document too, with the characters learning them there.
fn retold(story: &Story, document: &Document, hour: &ChapterTime, told: &mut Extraction) {
    let Some(record) = &document.settled else { return };
    let at = places(story, record.retold.iter().map(|retold| (PieceKind::Fact, retold.id.as_str())));
    for retold in &record.retold {
        let Some(fact) = at.get(&(PieceKind::Fact, retold.id.clone())).map(|at| &story.facts[*at]) else { continue };
        let learns = record.added.iter().filter(|added| added.kind == PieceKind::Fact && added.id == retold.id);
        let learns = learns.filter_map(|added| serde_json::from_value::<crate::Knower>(added.entry.clone()).ok());
        let known_by = learns.map(|knower| Learns { who: knower.who, how: knower.how }).collect();
        told.facts.push(ToldFact { known_by, quote: retold.source.quote.clone(), ..fact_of(fact, hour) });
    }
}

fn fact_of(fact: &Fact, hour: &ChapterTime) -> ToldFact {
    let from = if fact.from == hour.words() { String::new() } else { fact.from.clone() };
    ToldFact {
        subject: fact.subject.clone(),
        predicate: fact.predicate.clone(),
        object: fact.object.clone(),
        value: fact.value.clone(),
        unit: fact.unit.clone(),
        from,
        until: fact.until.clone(),
        mode: fact.mode,
        by: fact.by.clone(),
        known_by: fact.known_by.iter().map(|one| Learns { who: one.who.clone(), how: one.how.clone() }).collect(),
        quote: fact.source.as_ref().map(|source| source.quote.clone()).unwrap_or_default(),
        confidence: 1.0,
    }
}

fn event_of(event: &TimelineEvent, quote: String) -> ToldEvent {
    ToldEvent {
        title: event.title.clone(),
        description: event.description.clone(),
        planned: None,
        timestamp: event.timestamp.clone(),
        participants: event.participants.clone(),
        deaths: event.deaths.clone(),
        location: event.location.clone(),
        mode: event.mode,
        by: event.by.clone(),
        importance: event.importance,
        quote,
        confidence: 1.0,
    }
}

fn card_of(piece: &Piece, quote: String) -> Option<Introduced> {
    let kind = match piece.kind() {
        PieceKind::Character => IntroducedKind::Character,
        PieceKind::Location => IntroducedKind::Location,
        PieceKind::Item => IntroducedKind::Item,
        PieceKind::Organisation => IntroducedKind::Organisation,
        _ => return None,
    };
    let description = match piece {
        Piece::Character(card) => &card.background,
        Piece::Location(place) => &place.description,
        Piece::Item(item) => &item.description,
        Piece::Organisation(power) => &power.description,
        _ => return None,
    };
    let (name, alias) = (piece.name().to_owned(), piece.aliases().to_vec());
    let description = description.clone();
    Some(Introduced { kind, name, alias, same: None, description, quote, confidence: 1.0 })
}

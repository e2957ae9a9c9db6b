//! Deaths that the written text tells, and planned chapters in which the dead still appear.

use std::collections::{BTreeMap, BTreeSet};

use super::RuleMaterial;
use super::as_dead::NamedPerson;
use super::telling::{MEMORY, RETURN, the_dead_may_return};
use crate::language::has_any;
use crate::names::clear_parts;
use crate::part::anchor;
use crate::piece::PieceKind;
use crate::predicate::{self, PredicateRole};
use crate::settlement::{Presence, PresenceText, as_told, told_events};
use crate::time::Moment;
use crate::{Character, Fact, Mode, OutlineNode, Story, TimelineEvent, says_something};

/// The death of a character, as the written text tells it.
#[derive(Debug, Clone, PartialEq)]
pub struct SettledDeath {
    /// Position of the character.
    pub character: usize,
    /// Position of the document that tells the death.
    pub document: usize,
    /// The words that tell it: the sentence, or the title of the event.
    pub quote: String,
    /// The location of the statement: `facts/f-3/source`.
    pub(super) anchor: String,
    /// The reading order of the chapter that tells it.
    order: u32,
    /// When it happens, as written; empty if unknown.
    pub(super) when: String,
    /// When it happens, if known.
    moment: Option<Moment>,
}

/// A planned chapter with somebody who is dead by then, among its participants or those of its planned events.
#[derive(Debug, Clone, PartialEq)]
pub struct DeadInPlan {
    /// Position of the outline node.
    pub node: usize,
    /// The participant, as the node names it, or else its first event.
    pub name: String,
    /// Whether the person is among the participants of the node itself.
    pub in_node: bool,
    /// Positions of the planned events of the node with the person.
    pub events: Vec<usize>,
    /// The death.
    pub death: SettledDeath,
}

/// Returns the deaths that the written text of `story` tells as happening, a character's first, in the order of telling.
///
/// Deaths that are only planned, said, dreamt or believed do not count, and neither do those of characters who are back
/// or never died by a later statement.
pub fn settled_deaths(story: &Story) -> Vec<SettledDeath> {
    let told = as_told(story);
    let mut deaths: Vec<SettledDeath> = deaths(&RuleMaterial::with(&told, Vec::new())).into_values().collect();
    deaths.sort_by_key(|death| (death.order, death.character));
    deaths
}

/// Returns the planned chapters without a text in which, or in whose planned events, somebody takes part who is dead by
/// then, in reading order.
///
/// Chapters that are read before the death are left alone, and so are those planned for an earlier time, and those that
/// speak of the person in a memory, a dream, as a body, a ghost, a recording or an impostor.
pub fn dead_in_plan(story: &Story) -> Vec<DeadInPlan> {
    found(&RuleMaterial::with(&as_told(story), Vec::new()))
}

/// Same as [`dead_in_plan`], with the lookups of `material`.
pub(super) fn found(material: &RuleMaterial<'_>) -> Vec<DeadInPlan> {
    let story = material.story;
    let plans = story.outline_nodes.iter().any(|node| !node.participants.is_empty())
        || story.timeline_events.iter().any(|event| !event.participants.is_empty() && event.outline_node.is_some());
    if !plans || the_dead_may_return(material) {
        return Vec::new();
    }
    let deaths = deaths(material);
    if deaths.is_empty() {
        return Vec::new();
    }
    let (written, events) = (written(material), events_of_nodes(material));
    let mut found = Vec::new();
    for (position, node) in story.outline_nodes.iter().enumerate() {
        if !is_only_planned(material, &written, position) {
            continue;
        }
        let planned = events.get(&position).map(Vec::as_slice).unwrap_or_default();
        let of_events = planned.iter().flat_map(|event| &story.timeline_events[*event].participants);
        let mut seen = BTreeSet::new();
        for name in node.participants.iter().chain(of_events) {
            let death = material.character_position(name).and_then(|at| deaths.get(&at));
            let Some(death) = death.filter(|death| death.order < node.order && seen.insert(death.character)) else {
                continue;
            };
            let person = named(story, death.character);
            let card = &story.characters[death.character];
            if appears_as_dead(&person, card, node) || is_earlier(material, position, death) {
                continue;
            }
            let is_there =
                |names: &[String]| names.iter().any(|name| material.character_position(name) == Some(death.character));
            let with_person = planned.iter().copied().filter(|event| {
                let event = &story.timeline_events[*event];
                is_there(&event.participants)
                    && !is_spoken_of_as_dead(&person, card, &[&event.title, &event.description])
            });
            let (in_node, own) = (is_there(&node.participants), with_person.collect::<Vec<usize>>());
            if in_node || !own.is_empty() {
                let death = death.clone();
                found.push(DeadInPlan { node: position, name: name.clone(), in_node, events: own, death });
            }
        }
    }
    found.sort_by_key(|one| (story.outline_nodes[one.node].order, one.node));
    found
}

/// Returns whether a node is a chapter or a scene without a text. `written` holds the nodes that have one.
pub(super) fn is_only_planned(material: &RuleMaterial<'_>, written: &BTreeSet<usize>, position: usize) -> bool {
    let nodes = &material.story.outline_nodes;
    let node = &nodes[position];
    let is_written = written.contains(&position)
        || parent(material, position).is_some_and(|above| written.contains(&above) && !nodes[above].kind.is_group());
    !node.kind.is_group() && node.order > 0 && !is_written
}

/// Returns the outline nodes that have a text, and the chapters of such scenes, by position.
pub(super) fn written(material: &RuleMaterial<'_>) -> BTreeSet<usize> {
    let documents = material.story.documents.iter().filter(|one| one.order > 0 && says_something(&one.text));
    let nodes = documents.filter_map(|document| node_of(material, document.outline_node.as_deref()?));
    nodes.flat_map(|node| [Some(node), parent(material, node)]).flatten().collect()
}

pub(super) fn node_of(material: &RuleMaterial<'_>, name: &str) -> Option<usize> {
    material.names.resolve(PieceKind::OutlineNode, name).map(|named| named.position)
}

pub(super) fn parent(material: &RuleMaterial<'_>, node: usize) -> Option<usize> {
    node_of(material, material.story.outline_nodes[node].parent.as_deref()?)
}

/// Returns the first death of each character that the texts tell, by position of the character.
pub(super) fn deaths(material: &RuleMaterial<'_>) -> BTreeMap<usize, SettledDeath> {
    let story = material.story;
    let mut deaths: BTreeMap<usize, SettledDeath> = BTreeMap::new();
    let mut add = |death: SettledDeath| {
        let known = deaths.get(&death.character);
        let is_first = known.is_none_or(|known| (death.order, &death.anchor) < (known.order, &known.anchor));
        if is_first {
            deaths.insert(death.character, death);
        }
    };
    for fact in story.facts.iter().filter(|fact| fact.mode == Mode::Narrated) {
        let Some(character) = victim(material, fact) else { continue };
        let source = fact.source.as_ref().and_then(|source| Some((document(material, &source.document)?, source)));
        let Some(((document, order), source)) = source else { continue };
        let quote = source.quote.trim().to_owned();
        let anchor = anchor(PieceKind::Fact, fact, "source");
        let (when, moment) = (time_words(material, &fact.from).to_owned(), moment(material, &fact.from));
        add(SettledDeath { character, document, quote, anchor, order, when, moment });
    }
    let is_death = |event: &TimelineEvent| event.mode == Mode::Narrated && !event.deaths.is_empty();
    if story.timeline_events.iter().any(is_death) {
        let tellers = tellers(material);
        for (position, event) in told_events(story).iter().enumerate().filter(|(_, event)| is_death(event)) {
            let Some((document, order)) = tellers.get(event.id.as_str()).copied() else { continue };
            for character in event.deaths.iter().filter_map(|name| material.character_position(name)) {
                let anchor = anchor(PieceKind::Event, &story.timeline_events[position], "deaths");
                let (quote, moment) = (event.title.trim().to_owned(), material.times[position].clone());
                let when = event.timestamp.trim().to_owned();
                add(SettledDeath { character, document, quote, anchor, order, when, moment });
            }
        }
    }
    deaths.retain(|character, death| !is_back(material, *character, death.order));
    deaths
}

/// Returns the character who dies by a fact.
fn victim(material: &RuleMaterial<'_>, fact: &Fact) -> Option<usize> {
    material.character_position(fact.victim()?)
}

/// Returns the written document with the id or title, and the reading order of its chapter.
pub(super) fn document(material: &RuleMaterial<'_>, name: &str) -> Option<(usize, u32)> {
    let position = material.names.resolve(PieceKind::Document, name)?.position;
    let document = &material.story.documents[position];
    let node = document.outline_node.as_deref().and_then(|name| material.outline_node(name));
    let order = node.map(|node| node.order).filter(|order| *order > 0)?;
    (document.order > 0 && says_something(&document.text)).then_some((position, order))
}

/// Returns the documents whose settlement tells an event, with their reading order, by id of the event.
fn tellers<'s>(material: &RuleMaterial<'s>) -> BTreeMap<&'s str, (usize, u32)> {
    let mut tellers: BTreeMap<&str, (usize, u32)> = BTreeMap::new();
    let node = |name: Option<&str>| name.and_then(|name| material.outline_node(name)).map(|node| node.order);
    let deaths = material.story.timeline_events.iter().filter(|event| !event.deaths.is_empty());
    let planned: BTreeMap<&str, Option<u32>> =
        deaths.map(|event| (event.id.as_str(), node(event.outline_node.as_deref()))).collect();
    for text in &material.story.documents {
        let Some(settled) = &text.settled else { continue };
        let Some(told) = document(material, &text.id) else { continue };
        let made = settled.made.iter().filter(|made| made.kind == PieceKind::Event).map(|made| made.id.as_str());
        let added = settled.added.iter().filter(|added| added.kind == PieceKind::Event).map(|added| added.id.as_str());
        let differs = settled.differs.iter().map(|differs| differs.event.as_str());
        // The chapter of a planned death may let somebody tell of it.
        let own = node(text.outline_node.as_deref());
        let is_own = |event: &&str| own.is_some() && planned.get(event).copied() == Some(own);
        let here = settled.events.iter().flatten().map(|here| here.event.as_str()).filter(is_own);
        for event in made.chain(added).chain(differs).chain(here) {
            let known = tellers.entry(event).or_insert(told);
            if (told.1, told.0) < (known.1, known.0) {
                *known = told;
            }
        }
    }
    tellers
}

/// Returns whether the character is back or never died, by a statement that is not told before the chapter of the `death`
/// in reading order, or by what the card or the truth of the book hides.
pub(super) fn is_back(material: &RuleMaterial<'_>, character: usize, death: u32) -> bool {
    let card = &material.story.characters[character];
    let mut facts = material.story.facts.iter().filter(|fact| {
        let role = predicate::find(&fact.predicate).and_then(|word| word.role);
        let says_alive = match role {
            Some(PredicateRole::Revival) => fact.value != false,
            Some(PredicateRole::Death) => fact.value == false,
            _ => false,
        };
        says_alive && fact.mode != Mode::Retconned && material.character_position(&fact.subject) == Some(character)
    });
    let is_later = |fact: &Fact| {
        let told = fact.source.as_ref().and_then(|source| document(material, &source.document));
        told.is_none_or(|(_, order)| order >= death)
    };
    let truth = material.story.worldview.as_ref().map(|world| world.truth.as_str()).unwrap_or_default();
    let is_hidden = truth.contains(card.name.trim()) && has_any(truth, RETURN);
    facts.any(is_later) || has_any(&card.secret, RETURN) || is_hidden
}

/// Returns whether the plan of a chapter speaks of the dead as dead or only mentions them, or is a memory or a dream as a
/// whole.
pub(super) fn appears_as_dead(person: &NamedPerson, card: &Character, node: &OutlineNode) -> bool {
    let frame = [RETURN, MEMORY].into_iter().any(|words| has_any(&node.name, words));
    let texts = [
        &node.name,
        &node.description,
        &node.goal,
        &node.function,
        &node.opening,
        &node.pressure,
        &node.payoff,
        &node.hook,
    ];
    frame || is_spoken_of_as_dead(person, card, &texts.map(String::as_str))
}

/// Returns whether the texts speak of the person as of the dead, or mention them without showing them.
fn is_spoken_of_as_dead(person: &NamedPerson, card: &Character, texts: &[&str]) -> bool {
    person.is_dead_in(texts) || PresenceText::of(&texts.join("\n")).presence(card) == Presence::Mentioned
}

/// Returns whether an event speaks of the character as dead, of a return from death, or of the character without showing
/// them.
pub(super) fn is_event_of_the_dead(story: &Story, character: usize, event: &TimelineEvent) -> bool {
    let text = format!("{}\n{}", event.title, event.description);
    has_any(&text, RETURN)
        || named(story, character).is_dead_at(&text)
        || PresenceText::of(&text).presence(&story.characters[character]) == Presence::Mentioned
}

/// Returns the names of a character and their parts, and those of the others; a part that others have too is theirs.
pub(super) fn named(story: &Story, character: usize) -> NamedPerson {
    let names = |card: &Character| -> Vec<String> {
        let names = std::iter::once(&card.name).chain(&card.alias).map(|name| name.trim().to_lowercase());
        names.filter(|name| !name.is_empty()).collect()
    };
    let calls = |card: &Character| -> Vec<String> { clear_parts(&card.name).map(str::to_lowercase).collect() };
    let card = &story.characters[character];
    let mut own = names(card);
    let others = story.characters.iter().enumerate().filter(|(position, _)| *position != character);
    let others = others.flat_map(|(_, card)| names(card).into_iter().chain(calls(card)));
    let others: Vec<String> = others.filter(|name| !own.contains(name)).collect();
    own.extend(calls(card).into_iter().filter(|part| !others.contains(part)));
    NamedPerson { own, others }
}

/// Returns the planned and narrated events of each outline node, by position.
fn events_of_nodes(material: &RuleMaterial<'_>) -> BTreeMap<usize, Vec<usize>> {
    let mut events: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (position, event) in material.story.timeline_events.iter().enumerate() {
        let node = event.outline_node.as_deref().filter(|_| !event.participants.is_empty());
        let is_present = matches!(event.mode, Mode::Narrated | Mode::Planned);
        if let Some(node) = node.filter(|_| is_present).and_then(|name| node_of(material, name)) {
            events.entry(node).or_default().push(position);
        }
    }
    events
}

/// Returns whether an event planned for the node is no present event with the character, or certainly before the death.
fn is_earlier(material: &RuleMaterial<'_>, node: usize, death: &SettledDeath) -> bool {
    let is_of_node = |name: &str| node_of(material, name) == Some(node);
    let events = material.story.timeline_events.iter().enumerate();
    let mut planned = events.filter(|(_, event)| event.outline_node.as_deref().is_some_and(is_of_node));
    planned.any(|(position, event)| {
        let takes_part =
            event.participants.iter().any(|name| material.character_position(name) == Some(death.character));
        let is_past = event.mode != Mode::Narrated && event.mode != Mode::Planned && takes_part;
        let times = material.times[position].as_ref().zip(death.moment.as_ref());
        is_past || times.is_some_and(|(planned, death)| planned.is_before(death))
    })
}

/// Returns the words of a time: the timestamp of the event that they name, or the words.
pub(super) fn time_words<'s>(material: &RuleMaterial<'s>, words: &'s str) -> &'s str {
    let event = material.names.resolve(PieceKind::Event, words).map(|named| named.position);
    event.map_or(words, |event| material.story.timeline_events[event].timestamp.as_str()).trim()
}

/// Returns the moment of words: a time, or the time of the event that they name.
fn moment(material: &RuleMaterial<'_>, words: &str) -> Option<Moment> {
    let event = material.names.resolve(PieceKind::Event, words).map(|named| named.position);
    match event {
        Some(event) => material.times[event].clone(),
        None => material.truth().timeline.moment_of(words),
    }
}

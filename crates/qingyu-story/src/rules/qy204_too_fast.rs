//! QY204: somebody travels faster than the world allows.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::claims::{contradiction, lies_in, take_out};
use super::material::{anchor, handle, target, when};
use super::qy203_two_places::overlapping;
use super::telling::{LEAPS, speaks_of};
use super::{Draft, Material, Rule};
use crate::piece::PieceKind;
use crate::predicate::Role;
use crate::time::chronology::Hurry;
use crate::time::{Length, Moment, length};
use crate::truth::{Basis, Entity, GroundTruth, Statement};
use crate::{Action, Category, Severity, Travel};

pub(super) fn rule() -> Rule {
    let texts = include_str!("qy204_too_fast.toml");
    Rule::new("QY204", (Severity::High, Category::Consistency, "timeline"), texts, run)
}

/// The least time from place to place, by their positions, and how the world says it.
type Ways<'s> = BTreeMap<(usize, usize), (Length, &'s str)>;

fn run(material: &Material<'_>) -> Vec<Draft> {
    let ways = ways(material);
    if ways.is_empty() {
        return Vec::new();
    }
    let travel = ways.iter().map(|(way, (length, _))| (*way, *length)).collect();
    let together = overlapping(material);
    let hurries = material.chronology().hurries(material.story, &material.names, &travel);
    let mut pairs: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for Hurry { character, first, second } in hurries {
        // Who is at both at one time is the business of QY203.
        let is_torn = together.contains(&(first.min(second), first.max(second)));
        if !is_torn && !leaps(material, character, first, second) {
            pairs.entry(in_order(material, first, second)).or_default().push(character);
        }
    }
    let mut drafts: Vec<Draft> =
        pairs.into_iter().filter_map(|(pair, people)| draft(material, &ways, pair, &people)).collect();
    drafts.extend(by_facts(material, &ways));
    drafts
}

/// That somebody is at a place by a fact or an event: from when, until when at least, and who says so.
struct Stop<'t, 's> {
    place: usize,
    first: &'t Moment,
    last: &'t Moment,
    said: &'t Statement<'s>,
}

/// The findings for stops of which at least one is told by a fact.
fn by_facts(material: &Material<'_>, ways: &Ways<'_>) -> Vec<Draft> {
    let truth = material.truth();
    let mut drafts = Vec::new();
    for (subject, term, group) in truth.by_subject() {
        let is_stay = truth.predicate(term).is_some_and(|word| word.role == Some(Role::Place));
        let has_fact = || group.iter().any(|index| matches!(truth.statements[*index].basis, Basis::Fact(_)));
        if !is_stay || subject.kind != Some(PieceKind::Character) || !has_fact() {
            continue;
        }
        let stops = stops(truth, group);
        for (index, second) in stops.iter().enumerate() {
            let first = stops[..index].iter().rev().take(BEFORE).find(|first| {
                let is_fact = [first.said, second.said].iter().any(|one| matches!(one.basis, Basis::Fact(_)));
                let is_same = |a, b| truth.timeline.is_same(a, b);
                // What is at one moment is the business of QY409.
                is_fact
                    && !first.said.span.overlaps(second.said.span, &truth.timeline, is_same)
                    && is_too_soon(ways, first, second)
                    && is_too_soon(ways, second, first)
                    && !leaps_by_facts(truth, [first.said, second.said])
            });
            drafts.extend(first.map(|first| draft_of_facts(material, ways, first, second)));
        }
    }
    drafts
}

/// How many of the stops before each are looked at.
const BEFORE: usize = 4;

/// The narrated stops of a group by their times.
fn stops<'t, 's>(truth: &'t GroundTruth<'s>, group: &[usize]) -> Vec<Stop<'t, 's>> {
    let statements = group.iter().map(|index| &truth.statements[*index]);
    let stop = |said: &'t Statement<'s>| {
        let place = said.object.filter(|place| place.kind == Some(PieceKind::Location))?.index;
        let first = truth.timeline.moment(said.span.from?)?;
        let last = said.span.until.and_then(|until| truth.timeline.moment(until)).unwrap_or(first);
        Some(Stop { place, first, last, said })
    };
    let told = statements.filter(|said| said.is_narrated() && !said.is_denied());
    let mut stops: Vec<Stop<'t, 's>> = told.filter_map(stop).collect();
    stops.sort_by_key(|stop| (stop.first.bounds(), stop.said.basis.key(truth.story)));
    stops
}

/// Whether the second stop certainly begins sooner after the end of the first than the way takes.
fn is_too_soon(ways: &Ways<'_>, first: &Stop<'_, '_>, second: &Stop<'_, '_>) -> bool {
    let (from, to) = (first.place, second.place);
    let way = ways.get(&(from, to)).or_else(|| ways.get(&(to, from)));
    let gap = second.first.bounds().1 - first.last.bounds().0;
    from != to
        && first.last.is_comparable(second.first)
        && way.is_some_and(|(takes, _)| gap < takes.least - takes.slack / 2)
}

/// Whether the sentence or event of a stop speaks of a way that takes no time.
fn leaps_by_facts(truth: &GroundTruth<'_>, said: [&Statement<'_>; 2]) -> bool {
    said.into_iter().any(|one| {
        let event = one.span.from.and_then(|from| truth.timeline.event(from));
        let event = event.map(|event| &truth.story.timeline_events[event]);
        let told = event.map(|event| format!("{} {}", event.title, event.description)).unwrap_or_default();
        let source = truth.asserting(one).and_then(|fact| fact.source.as_ref());
        speaks_of(&told, LEAPS) || source.is_some_and(|source| speaks_of(&source.quote, LEAPS))
    })
}

fn draft_of_facts<'s>(material: &Material<'s>, ways: &Ways<'_>, first: &Stop<'_, 's>, second: &Stop<'_, 's>) -> Draft {
    let truth = material.truth();
    let name = |place: usize| material.story.locations()[place].name.trim();
    let way = ways.get(&(first.place, second.place)).or_else(|| ways.get(&(second.place, first.place)));
    let [this, that] = [first, second].map(|stop| stop.said.evidence(truth).quote);
    let draft = contradiction(truth, (first.said, second.said))
        .list("names", [truth.registry.name(first.said.subject).to_owned()])
        .say("here", name(first.place))
        .say("there", name(second.place))
        .say("takes", way.map_or("", |(_, takes)| takes))
        .say("this_time", this)
        .say("that_time", that);
    take_out(truth, draft, [second.said, first.said])
}

/// The one that is certainly over first, first; if neither is, by id.
fn in_order(material: &Material<'_>, first: usize, second: usize) -> (usize, usize) {
    let key = |event: usize| handle(&material.story.timeline_events[event]);
    let is_turned = material.is_earlier(second, first)
        || !material.is_earlier(first, second) && key(second) < key(first);
    if is_turned { (second, first) } else { (first, second) }
}

/// The ways between the places where something happens: what is said of two regions holds for the places in them.
fn ways<'s>(material: &Material<'s>) -> Ways<'s> {
    let truth = material.truth();
    let position = |name: &str| material.names.resolve(PieceKind::Location, name).map(|named| named.position);
    let happens = material.narrated().filter_map(|(_, event)| position(event.location.as_deref()?));
    let stays = truth.with_role(Role::Place).filter(|one| matches!(one.basis, Basis::Fact(_)));
    let stays = stays.filter_map(|one| one.object).filter(|place| place.kind == Some(PieceKind::Location));
    let places: BTreeSet<usize> = happens.chain(stays.map(|place| place.index)).collect();
    let entity = |place: usize| Entity { kind: Some(PieceKind::Location), index: place };
    let within = |region: usize| {
        let inside = places.iter().copied().filter(move |place| lies_in(truth, entity(*place), entity(region)));
        inside.collect::<BTreeSet<_>>()
    };
    let mut told: Ways<'s> = BTreeMap::new();
    for (from, location) in material.story.locations().iter().enumerate() {
        for Travel { to, duration, .. } in &location.travel {
            let (Some(to), Some(takes)) = (position(to), length(duration)) else { continue };
            // Of several means the fastest counts.
            let known = told.entry((from, to)).or_insert((takes, duration.trim()));
            if takes.least < known.0.least {
                *known = (takes, duration.trim());
            }
        }
    }
    let mut ways: Ways<'s> = BTreeMap::new();
    for (&(from, to), way) in &told {
        let (starts, ends) = (within(from), within(to));
        for start in starts.difference(&ends) {
            for end in ends.difference(&starts) {
                let is_told = told.contains_key(&(*start, *end)) && (*start, *end) != (from, to);
                let is_longer = |known: &(Length, &str)| known.0.least >= way.0.least;
                if !is_told && !ways.get(&(*start, *end)).is_some_and(is_longer) {
                    ways.insert((*start, *end), *way);
                }
            }
        }
    }
    ways
}

/// Whether somebody may have gone there by a way that takes no time: one of the events says so, or something that they use.
fn leaps(material: &Material<'_>, character: usize, first: usize, second: usize) -> bool {
    let truth = material.truth();
    let told = [first, second].into_iter().any(|event| {
        let event = &material.story.timeline_events[event];
        speaks_of(&format!("{} {}", event.title, event.description), LEAPS)
    });
    let who = Entity { kind: Some(PieceKind::Character), index: character };
    let (start, end) = (truth.timeline.of_event(first), truth.timeline.of_event(second));
    let mut used = truth.of_role_by(who, Role::Use).filter(|one| {
        one.span.from.is_none_or(|from| !truth.timeline.is_before(from, start) && !truth.timeline.is_before(end, from))
    });
    told || used.any(|one| {
        let thing = one.object.map(|thing| truth.registry.name(thing)).unwrap_or_default();
        let quote = truth.asserting(one).and_then(|fact| fact.source.as_ref()).map_or("", |source| source.quote.as_str());
        speaks_of(thing, LEAPS) || speaks_of(quote, LEAPS)
    })
}

fn draft(material: &Material<'_>, ways: &Ways<'_>, (first, second): (usize, usize), people: &[usize]) -> Option<Draft> {
    let [first, second] = [first, second].map(|event| &material.story.timeline_events[event]);
    let position = |name: &str| material.names.resolve(PieceKind::Location, name).map(|named| named.position);
    let (here, there) = (position(first.location.as_deref()?)?, position(second.location.as_deref()?)?);
    let (_, takes) = ways.get(&(here, there)).or_else(|| ways.get(&(there, here)))?;
    let mut names: Vec<&str> = people.iter().map(|one| material.story.characters[*one].name.trim()).collect();
    names.sort_unstable();
    let is_one = |name: &&String| material.character_position(name).is_some_and(|one| people.contains(&one));
    let leaving: Vec<&String> = second.participants.iter().filter(is_one).collect();
    let place = |at: usize| material.story.locations()[at].name.trim();
    let mut draft = Draft::about([handle(first), handle(second)])
        .list("names", names.iter().map(|name| (*name).to_owned()))
        .say("first", first.title.trim())
        .say("second", second.title.trim())
        .say("here", place(here))
        .say("there", place(there))
        .say("takes", *takes)
        .say("this_time", when(first).1)
        .say("that_time", when(second).1)
        .affects(first.title.trim())
        .affects(second.title.trim());
    for event in [first, second] {
        let at = event.location.as_deref().unwrap_or_default();
        let quote = format!("{}, {at}: {}", when(event).1, event.participants.join(", "));
        draft = draft.quote(anchor(PieceKind::Event, event, "participants"), quote);
    }
    for name in names {
        draft = draft.affects(name);
    }
    let told = [here, there].map(|at| &material.story.locations()[at]);
    let told = told.into_iter().find(|place| !place.travel.is_empty());
    let draft = match told {
        Some(place) => draft.quote(anchor(PieceKind::Location, place, "travel"), *takes),
        None => draft,
    };
    let parameters = target(second, json!({ "remove_participants": leaving }));
    Some(draft.fix("leave_out", Action::Update, PieceKind::Event, parameters))
}

//! Events and promises known to the story under other names: asked about, never doubled.

use rustc_hash::FxHashSet;

use super::reconciler::Reconciler;
use crate::names::fold;
use crate::piece::PieceKind;
use crate::settlement::cast::Candidate;
use crate::settlement::extraction::{ToldEvent, ToldPromise};
use crate::settlement::likeness::TitleComparer;
use crate::time::{self, Moment};
use crate::{Mode, OutlineNode, Story};

/// The confidence of statements confirmed by the author; the names in them are not questioned again.
const CERTAIN: f32 = 1.0;

/// The result of looking for an event under other names.
pub(super) enum KnownEvent {
    /// A new event.
    None,
    /// The event at the position.
    Certain(usize),
    /// One of these, or a new event.
    Perhaps(Vec<Candidate>),
}

impl Reconciler<'_> {
    /// Looks for the event among plans and events told as past: those with a like title and a common participant.
    ///
    /// Of these, an event at an overlapping time, or told by the document before, is certainly the same. Events narrated
    /// by other chapters are never meant, since things happen again.
    pub(super) fn known_event(&self, event: &ToldEvent, participants: &[String]) -> KnownEvent {
        let is_own = [event.title.trim().to_owned(), self.noted(&event.title)]
            .iter()
            .any(|title| self.is_own_name(PieceKind::Event, title));
        let is_decided = event.confidence >= CERTAIN || is_own;
        if is_decided || participants.is_empty() {
            return KnownEvent::None;
        }
        let titles = self.titles.get_or_init(|| TitleComparer::of(self.story));
        let is_like = titles.like(&event.title);
        let told = time::parse(event.timestamp.trim()).moment();
        let made = self.made_events.get_or_init(|| made_events(self.story));
        let mut perhaps = Vec::new();
        for (position, known) in self.story.timeline_events.iter().enumerate() {
            let is_past = event.mode != Mode::Narrated || known.mode != Mode::Narrated;
            let is_open = is_past || !made.contains(known.id.as_str());
            if !is_open || self.cast.is_own(PieceKind::Event, position) {
                continue;
            }
            let takes_part =
                |name: &String| participants.iter().any(|one| self.is_same(PieceKind::Character, name, one));
            // Comparing titles costs most, so it is last.
            if !known.participants.iter().any(takes_part) || !is_like(&known.title) {
                continue;
            }
            if self.was_told(PieceKind::Event, &known.id) {
                return KnownEvent::Certain(position);
            }
            let times = told.as_ref().zip(time::parse(known.timestamp.trim()).moment());
            let overlap = |one: &Moment, other: &Moment| {
                one.is_comparable(other) && !one.is_before(other) && !other.is_before(one)
            };
            if times.is_some_and(|(one, other)| overlap(one, &other)) {
                return KnownEvent::Certain(position);
            }
            if is_past || known.outline_node.as_deref().is_none_or(|node| self.is_own_node(node)) {
                let (id, name) = (known.id.clone(), known.title.clone());
                perhaps.push(Candidate { kind: PieceKind::Event, id, name });
            }
        }
        if perhaps.is_empty() { KnownEvent::None } else { KnownEvent::Perhaps(perhaps) }
    }

    /// Returns whether the document told the piece before, as one of another document or of the plan.
    pub(super) fn was_told(&self, kind: PieceKind, id: &str) -> bool {
        self.document.settled.as_ref().is_some_and(|record| {
            record.added.iter().any(|added| added.kind == kind && added.id == id)
                || kind == PieceKind::Event && record.differs.iter().any(|differs| differs.event == id)
        })
    }

    /// Returns whether the document made a piece with the name before.
    fn is_own_name(&self, kind: PieceKind, name: &str) -> bool {
        self.cast.names().find(kind, name).iter().any(|named| self.cast.is_own(kind, named.position))
    }

    /// Returns the outline node planting the promise, up to the document's own.
    pub(super) fn planting_node(&self, name: &str) -> Option<&OutlineNode> {
        let folded = fold(name);
        self.plants().find(|(_, plant)| fold(plant) == folded).map(|(node, _)| node)
    }

    /// Iterates over the promises planted by the outline up to the document's own node, with their nodes.
    fn plants(&self) -> impl Iterator<Item = (&OutlineNode, &String)> {
        let names = self.cast.names();
        let own = self.document.outline_node.as_deref();
        let own = own.and_then(|node| names.resolve(PieceKind::OutlineNode, node));
        let own = own.map(|named| &self.story.outline_nodes[named.position]);
        let last = own.map(|node| node.order).filter(|order| *order > 0).unwrap_or(u32::MAX);
        let is_scene = move |node: &OutlineNode| {
            let parent = node.parent.as_deref();
            parent.is_some()
                && own.is_some_and(|own| parent == Some(own.id.as_str()) || parent == Some(own.name.as_str()))
        };
        let nodes = self.story.outline_nodes.iter().filter(move |node| node.order <= last || is_scene(node));
        nodes.flat_map(|node| node.plants.iter().map(move |plant| (node, plant)))
    }

    /// Returns the open promises and plants of the outline with a name like that of a new promise; empty for a promise
    /// planted by the document before, or by the outline under this name.
    pub(super) fn like_promises(&self, promise: &ToldPromise) -> Vec<Candidate> {
        let is_known =
            self.is_own_name(PieceKind::Promise, &promise.name) || self.planting_node(&promise.name).is_some();
        if promise.confidence >= CERTAIN || is_known {
            return Vec::new();
        }
        let titles = self.titles.get_or_init(|| TitleComparer::of(self.story));
        let is_like = titles.like(&promise.name);
        let promises = self.story.promises.iter().enumerate().filter(|(position, known)| {
            known.paid.is_empty() && !self.cast.is_own(PieceKind::Promise, *position) && is_like(&known.name)
        });
        let candidate = |id: &str, name: &str| Candidate {
            kind: PieceKind::Promise,
            id: id.trim().to_owned(),
            name: name.trim().to_owned(),
        };
        let mut of: Vec<Candidate> = promises.map(|(_, known)| candidate(&known.id, &known.name)).collect();
        for (_, plant) in self.plants().filter(|(_, plant)| is_like(plant)) {
            // A plant has no id; its name is the name of the promise.
            if !of.iter().any(|known| known.name == plant.trim()) {
                of.push(candidate(plant, plant));
            }
        }
        of
    }
}

/// Returns the ids of the events made from any document.
fn made_events(story: &Story) -> FxHashSet<&str> {
    let records = story.documents.iter().filter_map(|document| document.settled.as_ref());
    let made = records.flat_map(|record| &record.made).filter(|made| made.kind == PieceKind::Event);
    made.map(|made| made.id.as_str()).collect()
}

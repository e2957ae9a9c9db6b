//! Cards, events and promises known to the story under other names: asked about, never doubled.

use rustc_hash::FxHashSet;
use serde_json::Value;

use super::reconciler::Reconciler;
use super::spoken_of::is_on_same_day;
use crate::names::fold;
use crate::piece::{Piece, PieceKind};
use crate::settlement::apply;
use crate::settlement::cast::{Candidate, NameLookup};
use crate::settlement::differing::are_other_times;
use crate::settlement::extraction::{Introduced, ToldEvent, ToldPromise};
use crate::settlement::likeness::TitleComparer;
use crate::settlement::outcome::Told;
use crate::settlement::record::Added;
use crate::time::{self, Moment};
use crate::{Mode, OutlineNode, Story, TimelineEvent};

/// The confidence of statements confirmed by the author; the names in them are not questioned again.
pub(super) const CERTAIN: f32 = 1.0;

/// Words by which a text says that one thing has two names.
const NAMING: [&str; 37] = [
    "改名",
    "改叫",
    "改称",
    "改作",
    "更名",
    "易名",
    "又名",
    "又称",
    "也称",
    "原名",
    "原称",
    "原来叫",
    "旧名",
    "旧称",
    "本名",
    "别名",
    "别称",
    "新名字",
    "从此叫",
    "从此便叫",
    "从此就叫",
    "重新取名",
    "重新命名",
    "renamed",
    "rechristened",
    "now called",
    "now known as",
    "now named",
    "once called",
    "used to be called",
    "formerly called",
    "formerly known as",
    "formerly named",
    "also called",
    "also known as",
    "another name",
    "new name",
];

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
    /// Returns the card that `name` is said to be another name of: one of the kind, or else of any kind. `None` if
    /// `same` is unknown, ambiguous or the name itself.
    pub(super) fn known_card(&self, kind: PieceKind, same: &str, name: &str) -> Option<Candidate> {
        let find = |kinds: &[PieceKind]| match self.cast.find(same, kinds) {
            NameLookup::One(one) => Some(one),
            _ => None,
        };
        (fold(same) != fold(name)).then(|| find(&[kind]).or_else(|| find(&PieceKind::CARDS))).flatten()
    }

    /// Returns the cards that may be `one` under an earlier name: those of its kind that its sentence or description names
    /// beside a word of naming, such as 改名 or `renamed`.
    pub(super) fn named_before(&self, kind: PieceKind, one: &Introduced) -> Vec<Candidate> {
        let says_so = |text: &&str| {
            let folded = fold(text);
            NAMING.iter().any(|word| folded.contains(word))
        };
        let mut found: Vec<Candidate> = Vec::new();
        for text in [one.quote.as_str(), &one.description].into_iter().filter(says_so) {
            let named = self.cast.names().mentions(text).into_iter().flat_map(|mention| mention.bearers);
            let others = named.filter(|named| named.kind == kind && !self.cast.is_own(kind, named.position));
            for named in others.filter(|named| fold(&named.name) != fold(&one.name)) {
                let known = Candidate { kind, id: named.id.clone(), name: named.name.clone() };
                if !found.contains(&known) {
                    found.push(known);
                }
            }
        }
        found
    }

    /// Makes `name` another name of a card, in this chapter and as an alias.
    pub(super) fn call(&mut self, told: &Told, name: &str, card: &Candidate) {
        let Some(quote) = self.believe(told) else { return };
        self.cast.rename(name, card);
        let new = alias(card, name, quote.quote);
        if !card.id.is_empty() {
            let is_known = self.has_alias(card, name) && !self.was_added(&new);
            if !is_known && !self.plan.added.iter().any(|other| other.is_of(&new)) {
                self.plan.added.push(new);
            }
            return;
        }
        let is_card = |piece: &Piece| piece.kind() == card.kind && piece.name() == card.name;
        if let Some(wanted) = self.plan.wanted.iter_mut().find(|wanted| is_card(&wanted.piece)) {
            apply::put(&mut wanted.piece, &new);
        }
    }

    /// Keeps the alias of a card that the document gave it before.
    pub(super) fn call_again(&mut self, told: &Told, name: &str, card: &Candidate) {
        if self.was_added(&alias(card, name, String::new())) {
            self.call(told, name, card);
        }
    }

    /// Returns whether the name is an alias, and not the name, of a card that the document made and that stays.
    pub(super) fn is_own_alias(&self, kind: PieceKind, name: &str) -> bool {
        match self.cast.find(name, &[kind]) {
            NameLookup::One(known) => {
                !known.id.is_empty() && self.is_own_name(kind, name) && fold(&known.name) != fold(name)
            }
            _ => false,
        }
    }

    pub(super) fn has_alias(&self, card: &Candidate, name: &str) -> bool {
        let found = self.cast.names().find(card.kind, name);
        found.iter().any(|named| named.id == card.id)
    }

    /// Returns the name under which the story has the promise: that of the promise or plant that it is said to be, or
    /// that of the document's own promise with this alias. `None` if the name is its own.
    pub(super) fn known_promise(&self, promise: &ToldPromise) -> Option<String> {
        let find = |name: &str| {
            let named = self.cast.names().resolve(PieceKind::Promise, name).map(|named| named.name.clone());
            named.or_else(|| self.plants().map(|(_, plant)| plant).find(|plant| fold(plant) == fold(name)).cloned())
        };
        let same = promise.same.as_deref().and_then(find);
        let own = || find(&promise.name).filter(|_| self.is_own_name(PieceKind::Promise, &promise.name));
        same.or_else(own).map(|name| name.trim().to_owned()).filter(|name| fold(name) != fold(&promise.name))
    }

    /// Looks for the event among plans and events told as past: those with a common participant and a like title, or with
    /// the death of the same person.
    ///
    /// Of these, an event at an overlapping time, or told by the document before, is certainly the same. Events narrated
    /// by other chapters are never meant, since things happen again. A reading that lists two events says that they are two,
    /// unless they are at one time. A rumour, lie or dream is never an event that another chapter plans as really happening.
    /// But an event that somebody speaks of may be one planned for this or an earlier chapter, under any name; see
    /// `may_be_spoken_of`.
    pub(super) fn known_event(&self, event: &ToldEvent, participants: &[String], deaths: &[String]) -> KnownEvent {
        let is_own = [event.title.trim().to_owned(), self.noted(&event.title)]
            .iter()
            .any(|title| self.is_own_name(PieceKind::Event, title));
        // A plan is no event yet; a later chapter tells its outcome.
        let is_decided = event.confidence >= CERTAIN || is_own || event.mode == Mode::Planned;
        let is_said = matches!(event.mode, Mode::Said | Mode::Believed);
        if is_decided || participants.is_empty() && !is_said {
            return KnownEvent::None;
        }
        let titles = self.titles.get_or_init(|| TitleComparer::of(self.story));
        let is_like = titles.like(&event.title);
        let told = time::parse(event.timestamp.trim()).moment();
        let made = self.made_events();
        let is_of_mind = !matches!(event.mode, Mode::Narrated | Mode::Flashback);
        let (mut perhaps, mut spoken_of) = (Vec::new(), Vec::new());
        let candidate = |known: &TimelineEvent| {
            let (id, name) = (known.id.clone(), known.title.clone());
            Candidate { kind: PieceKind::Event, id, name }
        };
        for (position, known) in self.story.timeline_events.iter().enumerate() {
            let is_past = event.mode != Mode::Narrated || known.mode != Mode::Narrated;
            let is_made = made.contains(known.id.as_str());
            let is_open = !is_made || is_past && known.mode != Mode::Planned;
            if !is_open || self.cast.is_own(PieceKind::Event, position) {
                continue;
            }
            let is_among = |people: &[String], name: &String| {
                people.iter().any(|one| self.is_same(PieceKind::Character, name, one))
            };
            let takes_part = |name: &String| is_among(participants, name);
            let is_alias = || known.alias.iter().any(|alias| fold(alias) == fold(&event.title));
            // Nobody dies twice.
            let is_death = known.deaths.iter().any(|name| is_among(deaths, name));
            // Comparing titles costs most, so it is last.
            let is_meant = || is_death || is_alias() || is_like(&known.title);
            let is_listed = self.named_events.contains(&position);
            if !known.participants.iter().any(takes_part) || !is_meant() {
                if !is_listed && self.may_be_spoken_of(event, participants, known) {
                    if is_alias() {
                        return KnownEvent::Certain(position);
                    }
                    spoken_of.push(candidate(known));
                }
                continue;
            }
            let is_same_death = is_death && fold(&known.title) == fold(&event.title);
            if is_same_death || is_alias() || !is_listed && self.was_told(PieceKind::Event, &known.id) {
                return KnownEvent::Certain(position);
            }
            let is_own = known.outline_node.as_deref().is_none_or(|node| self.is_own_node(node));
            let is_true = matches!(known.mode, Mode::Narrated | Mode::Flashback);
            // At another time, it is another event if its people differ, or if only one of the two really happens.
            let is_among_all = |one: &[String], all: &[String]| one.iter().all(|name| is_among(all, name));
            let are_others =
                !is_among_all(participants, &known.participants) && !is_among_all(&known.participants, participants);
            let is_saying = is_of_mind && known.mode == Mode::Narrated
                || known.mode.is_said_or_imagined() && event.mode == Mode::Narrated;
            let is_unlike = (are_others || is_saying)
                && !is_death
                && are_other_times(known.timestamp.trim(), event.timestamp.trim());
            if is_unlike {
                continue;
            }
            if is_of_mind && is_true && !is_own && !is_made {
                let is_other_day = || is_on_same_day(event, known) == Some(false);
                if !is_listed && self.may_speak_of(event, known) && !is_other_day() {
                    perhaps.push(candidate(known));
                }
                continue;
            }
            let times = told.as_ref().zip(time::parse(known.timestamp.trim()).moment());
            let overlap = |one: &Moment, other: &Moment| {
                one.is_comparable(other) && !one.is_before(other) && !other.is_before(one)
            };
            if times.as_ref().is_some_and(|(one, other)| overlap(one, other)) {
                return KnownEvent::Certain(position);
            }
            if is_listed {
                continue;
            }
            // What another chapter narrates at another time is not what this one tells of the past.
            let is_apart = !is_own && known.mode == Mode::Narrated;
            let is_apart = is_apart && times.is_some_and(|(one, other)| one.is_comparable(&other));
            if (is_past || is_own) && !is_apart {
                perhaps.push(candidate(known));
            }
        }
        // A like title weighs more than the same day alone.
        let candidates = if perhaps.is_empty() { spoken_of } else { perhaps };
        if candidates.is_empty() { KnownEvent::None } else { KnownEvent::Perhaps(candidates) }
    }

    /// Returns the ids of the events made from any document.
    pub(super) fn made_events(&self) -> &FxHashSet<&str> {
        self.made_events.get_or_init(|| made_events(self.story))
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
            known.is_open() && !self.cast.is_own(PieceKind::Promise, *position) && is_like(&known.name)
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

/// Returns the addition of an alias to a piece.
pub(super) fn alias(piece: &Candidate, name: &str, quote: String) -> Added {
    let (kind, id, entry) = (piece.kind, piece.id.clone(), Value::String(name.trim().to_owned()));
    Added { kind, id, field: "alias".to_owned(), entry, quote }
}

/// Returns the ids of the events made from any document.
fn made_events(story: &Story) -> FxHashSet<&str> {
    let records = story.documents.iter().filter_map(|document| document.settled.as_ref());
    let made = records.flat_map(|record| &record.made).filter(|made| made.kind == PieceKind::Event);
    made.map(|made| made.id.as_str()).collect()
}

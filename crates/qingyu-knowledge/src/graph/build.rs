//! Building the graph of a story.

use std::collections::BTreeMap;

use qingyu_story::holdings::Holdings;
use qingyu_story::names::{Names, fold};
use qingyu_story::predicate::{self, PredicateRole};
use qingyu_story::settlement::as_described;
use qingyu_story::truth::{Claim, Clock, GroundTruth, Party};
use qingyu_story::{Evidence, Mode, PieceKind, Story};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::parts::{DatedSpan, EdgeWord, HoldingEnd, KindId, NodeId, NodeKind, Property, StoryEdge, StoryNode};
use super::story_graph::{Adjacency, StoryGraph};
use super::vocabulary;

impl StoryGraph {
    /// Returns the graph of `story`, with its events as the texts tell them. The time is proportional to the story.
    pub fn of(story: &Story) -> Self {
        let told = as_described(story);
        Self::from_truth(&told, &GroundTruth::of(&told))
    }

    /// Returns the graph of `story` with a given ground truth.
    pub(super) fn from_truth(story: &Story, truth: &GroundTruth<'_>) -> Self {
        let mut builder = Builder::new(story, truth.clock());
        builder.cards();
        let claims: Vec<Claim<'_>> = truth.claims().collect();
        builder.holdings(&claims);
        claims.iter().for_each(|claim| builder.claim(claim));
        builder.events();
        builder.outline();
        builder.finish()
    }
}

struct Builder<'s> {
    story: &'s Story,
    names: Names,
    clock: Clock,
    nodes: Vec<StoryNode>,
    edges: Vec<StoryEdge>,
    kinds: Vec<EdgeWord>,
    kind_numbers: FxHashMap<String, KindId>,
    /// The meaning of each word of the story: the number, and whether the edge is reversed.
    words: FxHashMap<String, (KindId, bool)>,
    pieces: FxHashMap<(PieceKind, usize), NodeId>,
    /// Names without a piece, by their places in the ground truth.
    strangers: FxHashMap<usize, NodeId>,
    /// Events by the names used in claims.
    events: FxHashMap<String, usize>,
    /// The places in reading order at which facts about holders end, by position of the fact.
    ended: FxHashMap<usize, u32>,
    /// The places in reading order at which things leave the holder on their card, by position of the item.
    left_card: FxHashMap<usize, u32>,
}

impl<'s> Builder<'s> {
    fn new(story: &'s Story, clock: Clock) -> Self {
        let called = |(position, event): (usize, &qingyu_story::TimelineEvent)| {
            let id = if event.id.trim().is_empty() { event.title.trim() } else { event.id.trim() };
            (id.to_owned(), position)
        };
        Self {
            story,
            names: Names::of(story),
            clock,
            nodes: Vec::new(),
            edges: Vec::new(),
            kinds: Vec::new(),
            kind_numbers: FxHashMap::default(),
            words: FxHashMap::default(),
            pieces: FxHashMap::default(),
            strangers: FxHashMap::default(),
            events: story.timeline_events.iter().enumerate().map(called).collect(),
            ended: FxHashMap::default(),
            left_card: FxHashMap::default(),
        }
    }

    /// Reads who holds things, and until when. A fact without a place in the telling is so from the beginning.
    fn holdings(&mut self, claims: &[Claim<'_>]) {
        let mut told: FxHashMap<usize, u32> = FxHashMap::default();
        for claim in claims.iter().filter(|claim| claim.piece.0 == PieceKind::Fact) {
            let of_time = || claim.from.and_then(|point| self.clock.order(point));
            told.insert(claim.position, claim.told.or_else(of_time).unwrap_or(0));
        }
        let order = |fact: usize| told.get(&fact).copied();
        let holdings = Holdings::of(self.story, &self.names, order);
        let place = |(of, end): (usize, usize)| (of, order(end).unwrap_or(0));
        self.ended = holdings.ended.into_iter().map(place).collect();
        self.left_card = holdings.left_card.into_iter().map(place).collect();
    }

    /// Returns until when a claim about the holder of a thing with a card holds; `None` for any other claim.
    fn end_of_holding(&self, claim: &Claim<'_>) -> Option<HoldingEnd> {
        let is_thing = claim.object.is_some_and(|object| object.kind == Some(PieceKind::Item));
        if !is_thing || !is_holding(claim) {
            return None;
        }
        let end = match (claim.piece.0, claim.mode) {
            (_, Mode::Flashback) => return Some(HoldingEnd::NotNow),
            (PieceKind::Item, _) => self.left_card.get(&claim.position),
            (PieceKind::Fact, Mode::Narrated) => self.ended.get(&claim.position),
            _ => return None,
        };
        Some(end.map_or(HoldingEnd::Open, |end| HoldingEnd::At(*end)))
    }

    /// Adds the pieces with a card.
    fn cards(&mut self) {
        let story = self.story;
        for (position, card) in story.characters.iter().enumerate() {
            let mut fields = vec![
                ("role_type", json!(card.role_type)),
                ("gender", json!(card.gender.trim())),
                ("appearance", json!(card.appearance)),
                ("weakness", json!(card.weakness)),
                ("personality", json!(card.personality)),
                ("background", json!(card.background)),
                ("goals", json!(card.goals)),
                ("conflicts", json!(card.conflicts)),
                ("arc", json!(card.arc)),
            ];
            fields.extend(card.custom_fields().map(|(name, value)| (name, json!(value))));
            self.card(NodeKind::Character, position, (&card.id, &card.name), &card.alias, &fields);
        }
        for (position, card) in story.locations().iter().enumerate() {
            let fields = [("description", json!(card.description))];
            self.card(NodeKind::Location, position, (&card.id, &card.name), &card.alias, &fields);
        }
        for (position, card) in story.items().iter().enumerate() {
            let fields = [("description", json!(card.description))];
            self.card(NodeKind::Item, position, (&card.id, &card.name), &card.alias, &fields);
        }
        for (position, card) in story.organisations().iter().enumerate() {
            let fields = [("description", json!(card.description))];
            self.card(NodeKind::Organisation, position, (&card.id, &card.name), &card.alias, &fields);
        }
        for (position, card) in story.timeline_events.iter().enumerate() {
            let fields = [
                ("description", json!(card.description)),
                ("timestamp", json!(card.timestamp)),
                ("importance", json!(card.importance)),
                ("mode", json!(card.mode)),
            ];
            self.card(NodeKind::Event, position, (&card.id, &card.title), &[], &fields);
        }
        for (position, card) in story.outline_nodes.iter().enumerate() {
            let fields = [
                ("description", json!(card.description)),
                ("goal", json!(card.goal)),
                ("order", json!(card.order)),
                ("type", json!(card.kind)),
            ];
            self.card(NodeKind::Chapter, position, (&card.id, &card.name), &[], &fields);
        }
        for (position, card) in story.plot_nodes.iter().enumerate() {
            let fields = [("description", json!(card.description)), ("type", json!(card.kind))];
            self.card(NodeKind::Plot, position, (&card.id, &card.title), &[], &fields);
        }
    }

    fn card(
        &mut self,
        kind: NodeKind,
        position: usize,
        (id, name): (&str, &str),
        aliases: &[String],
        fields: &[(&str, Value)],
    ) {
        let mut properties: BTreeMap<String, Vec<Property>> = BTreeMap::new();
        let aliases = aliases.iter().map(|alias| ("alias", json!(alias)));
        for (field, value) in fields.iter().cloned().chain(aliases) {
            if value != json!("") {
                let property = Property { value, unit: String::new(), dated: DatedSpan::default() };
                properties.entry(field.to_owned()).or_default().push(property);
            }
        }
        let node = StoryNode { kind, id: id.trim().to_owned(), name: name.trim().to_owned(), properties };
        let added = self.add(node);
        if let Some(piece) = kind.piece() {
            self.pieces.insert((piece, position), added);
        }
    }

    fn add(&mut self, node: StoryNode) -> NodeId {
        self.nodes.push(node);
        NodeId(u32::try_from(self.nodes.len() - 1).expect("a story has fewer than four thousand million pieces"))
    }

    fn node(&mut self, party: Party<'_>) -> NodeId {
        match party.kind {
            Some(kind) => {
                if let Some(known) = self.pieces.get(&(kind, party.position)) {
                    return *known;
                }
                // Only facts have no card of their own here.
                let name = self.story.facts.get(party.position).map_or_else(String::new, qingyu_story::Fact::label);
                let id = party.name.to_owned();
                let added = self.add(StoryNode { kind: NodeKind::Fact, id, name, properties: BTreeMap::new() });
                self.pieces.insert((kind, party.position), added);
                added
            }
            None => {
                if let Some(known) = self.strangers.get(&party.position) {
                    return *known;
                }
                let name = party.name.to_owned();
                let node = StoryNode { kind: NodeKind::Unknown, id: String::new(), name, properties: BTreeMap::new() };
                let added = self.add(node);
                self.strangers.insert(party.position, added);
                added
            }
        }
    }

    /// Returns the word's number, and whether the edge is reversed.
    fn word(&mut self, name: &str) -> (KindId, bool) {
        if let Some(known) = self.words.get(name) {
            return *known;
        }
        let mut meaning = vocabulary::meaning(name);
        if let Some((kind, is_inverse)) = self.story.own_relation_kind(name).filter(|_| !meaning.known) {
            meaning = vocabulary::own_meaning(kind, is_inverse);
        }
        let next = KindId(u32::try_from(self.kinds.len()).expect("words are few"));
        let kind = *self.kind_numbers.entry(meaning.word.name.clone()).or_insert(next);
        if kind == next {
            self.kinds.push(meaning.word);
        }
        self.words.insert(name.to_owned(), (kind, meaning.turned));
        (kind, meaning.turned)
    }

    fn claim(&mut self, claim: &Claim<'_>) {
        let dated = self.dated(claim);
        let from = self.node(claim.subject);
        let by = claim.by.map(|by| self.node(by));
        let Some(object) = claim.object else {
            if claim.predicate == "dies"
                && claim.piece.0 == PieceKind::Event
                && let Some(event) = self.events.get(claim.piece.1)
                && let Some(event) = self.pieces.get(&(PieceKind::Event, *event)).copied()
            {
                let source = (claim.piece.0, claim.piece.1.to_owned());
                let edge = self.edge((from, "died_in", event), source, claim.says.clone(), dated);
                self.push(StoryEdge { by, since: claim.when[0].to_owned(), ..edge });
            }
            let value = if claim.value.is_null() { json!(true) } else { claim.value.clone() };
            let property = Property { value, unit: claim.unit.to_owned(), dated };
            self.nodes[from.0 as usize].properties.entry(claim.predicate.to_owned()).or_default().push(property);
            return;
        };
        let to = self.node(object);
        let [since, until] = claim.when.map(str::to_owned);
        let source = (claim.piece.0, claim.piece.1.to_owned());
        let edge =
            StoryEdge { since, until, by, ..self.edge((from, claim.predicate, to), source, claim.says.clone(), dated) };
        if claim.predicate == "is_at" && self.nodes[to.0 as usize].kind == NodeKind::Location {
            // A visit holds forever, without an end.
            let (kind, _) = self.word("visited");
            let lasting = DatedSpan { end: None, end_order: None, ..dated };
            let since = edge.since.clone();
            self.push(StoryEdge { kind, dated: lasting, since, until: String::new(), ..edge.clone() });
        }
        if dated.holding.is_some() && claim.predicate != "holds" {
            // Who gets a thing holds it from then on.
            let (kind, _) = self.word("holds");
            self.push(StoryEdge { kind, ..edge.clone() });
        }
        self.push(edge);
    }

    fn dated(&self, claim: &Claim<'_>) -> DatedSpan {
        let order = |point: Option<_>| point.and_then(|point| self.clock.order(point));
        DatedSpan {
            begin: claim.from,
            end: claim.until,
            begin_order: order(claim.from),
            end_order: order(claim.until),
            told: claim.told,
            sentence: claim.sentence,
            mode: claim.mode,
            is_first: claim.piece.0 == PieceKind::Item,
            holding: self.end_of_holding(claim),
        }
    }

    fn edge(
        &mut self,
        (from, word, to): (NodeId, &str, NodeId),
        source: (PieceKind, String),
        says: Evidence,
        dated: DatedSpan,
    ) -> StoryEdge {
        let (kind, turned) = self.word(word);
        let (from, to) = if turned { (to, from) } else { (from, to) };
        StoryEdge { from, to, kind, source, says, since: String::new(), until: String::new(), by: None, dated }
    }

    /// Appends an edge, unless both ends are the same.
    fn push(&mut self, edge: StoryEdge) {
        if edge.from != edge.to {
            self.edges.push(edge);
        }
    }

    /// Adds the places of events, their chapters, and the events before them.
    fn events(&mut self) {
        let story = self.story;
        for (position, event) in story.timeline_events.iter().enumerate() {
            let Some(itself) = self.pieces.get(&(PieceKind::Event, position)).copied() else { continue };
            let node = event.outline_node.as_deref().and_then(|name| self.resolve(PieceKind::OutlineNode, name));
            let told = node.and_then(|(position, _)| place(story, position));
            let point = Some(self.clock.event(position));
            let order = point.and_then(|point| self.clock.order(point));
            let dated = DatedSpan { begin: point, begin_order: order, told, mode: event.mode, ..DatedSpan::default() };
            let location = event.location.as_deref().and_then(|name| self.resolve(PieceKind::Location, name));
            let before = event.after.iter().filter_map(|name| self.resolve(PieceKind::Event, name));
            let mut ties: Vec<(&str, &str, NodeId)> =
                before.map(|(_, other)| ("after", "comes_after", other)).collect();
            ties.extend(location.map(|(_, place)| ("location", "happened_at", place)));
            ties.extend(node.map(|(_, node)| ("outline_node", "told_in", node)));
            for (field, word, other) in ties {
                let says = self.says(PieceKind::Event, (&event.id, &event.title), field, (itself, word, other));
                let source = (PieceKind::Event, named(&event.id, &event.title).to_owned());
                let edge = self.edge((itself, word, other), source, says, dated);
                self.push(StoryEdge { since: event.timestamp.trim().to_owned(), ..edge });
            }
        }
    }

    /// Adds the participants and places of chapters, and the visits of the cast.
    fn outline(&mut self) {
        let story = self.story;
        for (position, node) in story.outline_nodes.iter().enumerate() {
            let Some(itself) = self.pieces.get(&(PieceKind::OutlineNode, position)).copied() else { continue };
            let order = place(story, position);
            let dated = DatedSpan { told: order, begin_order: order, ..DatedSpan::default() };
            let cast = node.participants.iter().filter_map(|name| self.resolve(PieceKind::Character, name));
            let cast: Vec<NodeId> = cast.map(|(_, character)| character).collect();
            let location = node.location.as_deref().and_then(|name| self.resolve(PieceKind::Location, name));
            let mut ties: Vec<(&str, NodeId, &str, NodeId)> =
                cast.iter().map(|who| ("participants", *who, "appears_in", itself)).collect();
            if let Some((_, location)) = location {
                ties.push(("location", itself, "set_in", location));
                // An act or chapter may be set in one place and lead its cast through others.
                ties.extend(cast.iter().map(|who| ("location", *who, "visited", location)));
            }
            for (field, from, word, to) in ties {
                let says = self.says(PieceKind::OutlineNode, (&node.id, &node.name), field, (from, word, to));
                let source = (PieceKind::OutlineNode, named(&node.id, &node.name).to_owned());
                let edge = self.edge((from, word, to), source, says, dated);
                self.push(StoryEdge { since: node.name.trim().to_owned(), ..edge });
            }
        }
    }

    fn says(
        &self,
        kind: PieceKind,
        (id, name): (&str, &str),
        field: &str,
        (from, word, to): (NodeId, &str, NodeId),
    ) -> Evidence {
        let called = |node: NodeId| &self.nodes[node.0 as usize].name;
        Evidence {
            anchor: format!("{}/{}/{field}", kind.list(), named(id, name)),
            quote: format!("{} {word} {} ({})", called(from), called(to), name.trim()),
        }
    }

    fn resolve(&self, kind: PieceKind, name: &str) -> Option<(usize, NodeId)> {
        let found = self.names.resolve(kind, name)?;
        Some((found.position, *self.pieces.get(&(kind, found.position))?))
    }

    fn finish(self) -> StoryGraph {
        let mut by_kind: BTreeMap<NodeKind, Vec<NodeId>> = BTreeMap::new();
        let mut strangers: FxHashMap<String, Vec<NodeId>> = FxHashMap::default();
        for (id, node) in (0..).map(NodeId).zip(&self.nodes) {
            by_kind.entry(node.kind).or_default().push(id);
            if node.kind == NodeKind::Unknown {
                strangers.entry(fold(&node.name)).or_default().push(id);
            }
        }
        let mut counts = vec![0; self.kinds.len()];
        self.edges.iter().for_each(|edge| counts[edge.kind.0 as usize] += 1);
        StoryGraph {
            counts,
            outgoing: Adjacency::new(self.nodes.len(), &self.edges, |edge| (edge.from, edge.to)),
            incoming: Adjacency::new(self.nodes.len(), &self.edges, |edge| (edge.to, edge.from)),
            nodes: self.nodes,
            edges: self.edges,
            kinds: self.kinds,
            kind_numbers: self.kind_numbers,
            by_kind,
            names: self.names,
            pieces: self.pieces,
            strangers,
            clock: self.clock,
            own_kinds: self.story.relation_kinds().to_vec(),
        }
    }
}

/// Returns whether a claim says that somebody holds or gets something, not how many.
fn is_holding(claim: &Claim<'_>) -> bool {
    let role = predicate::find(claim.predicate).and_then(|word| word.role);
    matches!(role, Some(PredicateRole::Holding | PredicateRole::Getting)) && !claim.value.is_number()
}

/// Returns the place in reading order of an outline node, if given.
fn place(story: &Story, position: usize) -> Option<u32> {
    Some(story.outline_nodes[position].order).filter(|order| *order > 0)
}

fn named<'t>(id: &'t str, name: &'t str) -> &'t str {
    if id.trim().is_empty() { name.trim() } else { id.trim() }
}

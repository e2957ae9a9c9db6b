//! A pattern with the names, words and times of one graph looked up.

use std::collections::BTreeSet;

use qingyu_story::names::fold;
use qingyu_story::predicate;
use serde_json::Value as Json;

use super::error::similar;
use super::{
    Comparison, Direction, EdgePattern, Error, Hops, Instant, Name, NodePattern, Path, Pattern, Test, Value, When,
};
use crate::graph::{EdgeId, Holding, KindId, Node, NodeId, NodeKind, Property, Span, StoryGraph, vocabulary};

/// A pattern as it is searched for.
#[derive(Debug)]
pub(super) struct Plan<'g> {
    pub(super) nodes: Vec<Sought>,
    pub(super) edges: Vec<Link<'g>>,
}

/// A node that is looked for; all patterns of one variable together.
#[derive(Debug, Default)]
pub(super) struct Sought {
    pub(super) variable: Option<Name>,
    /// The nodes that its names may mean; none if it has no name.
    pub(super) named: Option<Vec<NodeId>>,
    pub(super) kinds: Option<BTreeSet<NodeKind>>,
    pub(super) tests: Vec<(String, Comparison)>,
    /// The nodes that fit, if it has a name or a test; filled by [`Plan::narrow`].
    pub(super) fitting: Option<Vec<NodeId>>,
}

/// An edge that is looked for, between two of the nodes.
#[derive(Debug)]
pub(super) struct Link<'g> {
    pub(super) variable: Option<Name>,
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) words: Vec<Way>,
    pub(super) hops: Hops,
    pub(super) span: Span,
    pub(super) holding: Holding<'g>,
    pub(super) tests: Vec<(String, Comparison)>,
    pub(super) tests_mode: bool,
}

/// A word, and which edges of a node it may be: those that leave it, those that arrive, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Way {
    pub(super) kind: KindId,
    pub(super) leaves: bool,
    pub(super) arrives: bool,
}

impl<'g> Plan<'g> {
    /// Fails if the story has no such name, word, property or time.
    pub(super) fn of(pattern: &Pattern, when: &When, graph: &'g StoryGraph) -> Result<Self, Error> {
        let mut plan = Self { nodes: Vec::new(), edges: Vec::new() };
        for Path { start, steps } in &pattern.paths {
            let mut before = plan.node(start, graph)?;
            for (edge, node) in steps {
                let next = plan.node(node, graph)?;
                plan.edges.push(link(edge, (before, next), when, graph)?);
                before = next;
            }
        }
        Ok(plan)
    }

    /// Looks up which nodes fit where few do.
    pub(super) fn narrow(&mut self, graph: &StoryGraph, holding: &Holding<'_>) {
        for sought in self.nodes.iter_mut().filter(|sought| sought.named.is_some() || !sought.tests.is_empty()) {
            let mut fitting = sought.all(graph);
            fitting.retain(|node| sought.fits(*node, graph, holding));
            fitting.sort_unstable();
            sought.fitting = Some(fitting);
        }
    }

    /// The place of the node among those that are looked for.
    fn node(&mut self, pattern: &NodePattern, graph: &StoryGraph) -> Result<usize, Error> {
        let known = pattern
            .variable
            .as_ref()
            .and_then(|name| self.nodes.iter().position(|sought| sought.variable.as_ref() == Some(name)));
        let place = known.unwrap_or_else(|| {
            self.nodes.push(Sought { variable: pattern.variable.clone(), ..Sought::default() });
            self.nodes.len() - 1
        });
        let sought = &mut self.nodes[place];
        if let Some(name) = &pattern.name {
            let called = called(name, &pattern.kinds, graph)?;
            match &mut sought.named {
                Some(others) => others.retain(|node| called.contains(node)),
                None => sought.named = Some(called),
            }
        }
        if !pattern.kinds.is_empty() {
            let kinds: BTreeSet<NodeKind> = pattern.kinds.iter().copied().collect();
            sought.kinds = Some(match &sought.kinds {
                Some(others) => others.intersection(&kinds).copied().collect(),
                None => kinds,
            });
        }
        for Test { property, is } in &pattern.tests {
            sought.tests.push((property_name(property, graph)?, is.clone()));
        }
        Ok(place)
    }
}

impl Sought {
    /// How many nodes may fit.
    pub(super) fn candidates(&self, graph: &StoryGraph) -> usize {
        if let Some(fitting) = &self.fitting {
            return fitting.len();
        }
        match (&self.named, &self.kinds) {
            (Some(named), _) => named.len(),
            (None, Some(kinds)) => kinds.iter().map(|kind| graph.of_kind(*kind).len()).sum(),
            (None, None) => graph.nodes().len(),
        }
    }

    /// The nodes that may fit.
    pub(super) fn all(&self, graph: &StoryGraph) -> Vec<NodeId> {
        if let Some(fitting) = &self.fitting {
            return fitting.clone();
        }
        match (&self.named, &self.kinds) {
            (Some(named), _) => named.clone(),
            (None, Some(kinds)) => kinds.iter().flat_map(|kind| graph.of_kind(*kind)).copied().collect(),
            (None, None) => graph.nodes().map(|(id, _)| id).collect(),
        }
    }

    /// Whether the node fits; `holding` tells which values it has.
    pub(super) fn fits(&self, id: NodeId, graph: &StoryGraph, holding: &Holding<'_>) -> bool {
        if let Some(fitting) = &self.fitting {
            return fitting.binary_search(&id).is_ok();
        }
        let node = &graph[id];
        self.kinds.as_ref().is_none_or(|kinds| kinds.contains(&node.kind))
            && self.named.as_ref().is_none_or(|named| named.contains(&id))
            && self.tests.iter().all(|(property, is)| passes(node, property, is, holding))
    }
}

impl Link<'_> {
    /// Whether the edge counts: it holds, is told as asked, and passes the tests.
    pub(super) fn counts(&self, id: EdgeId, graph: &StoryGraph) -> bool {
        let edge = &graph[id];
        if !self.tests_mode && !edge.dated.is_certain() {
            return false;
        }
        self.holding.holds(id) && self.tests.iter().all(|(property, is)| edge_passes(graph, id, property, is))
    }

    /// The words as seen from the first or the second end.
    pub(super) fn ways(&self, from_first: bool) -> impl Iterator<Item = Way> {
        self.words.iter().map(move |way| match from_first {
            true => *way,
            false => Way { kind: way.kind, leaves: way.arrives, arrives: way.leaves },
        })
    }
}

fn link<'g>(
    edge: &EdgePattern,
    (from, to): (usize, usize),
    when: &When,
    graph: &'g StoryGraph,
) -> Result<Link<'g>, Error> {
    let span = span(if edge.when.is_ever() { when } else { &edge.when }, graph)?;
    let mut words: Vec<Way> = Vec::new();
    let mut add = |name: &str, turned: bool, symmetric: bool| {
        let Some(kind) = graph.kind(name) else { return };
        let is_both = symmetric || edge.direction == Direction::Either;
        let leaves = is_both || (edge.direction == Direction::Right) != turned;
        let arrives = is_both || !leaves;
        match words.iter_mut().find(|way| way.kind == kind) {
            Some(way) => {
                way.leaves |= leaves;
                way.arrives |= arrives;
            }
            None => words.push(Way { kind, leaves, arrives }),
        }
    };
    if edge.words.is_empty() {
        graph.words().into_iter().for_each(|word| add(&word.name, false, word.symmetric));
    }
    for word in &edge.words {
        if !vocabulary::is_known(word) && graph.kind(&vocabulary::meaning(word).word.name).is_none() {
            return Err(unknown_word(word, graph));
        }
        for meaning in vocabulary::meanings(word) {
            add(&meaning.word.name, meaning.turned, meaning.word.symmetric);
        }
    }
    words.sort_unstable();
    let tests = edge.tests.iter().map(|test| (test.property.clone(), test.is.clone())).collect();
    let tests_mode = edge.tests.iter().any(|test| test.property == "mode");
    let holding = Holding::new(graph, span.clone());
    let (variable, hops) = (edge.variable.clone(), edge.hops);
    Ok(Link { variable, from, to, words, hops, span, holding, tests, tests_mode })
}

/// The nodes of that name and of one of these kinds.
fn called(name: &str, kinds: &[NodeKind], graph: &StoryGraph) -> Result<Vec<NodeId>, Error> {
    let mut called = graph.called(name);
    called.retain(|node| kinds.is_empty() || kinds.contains(&graph[*node].kind));
    if called.is_empty() {
        let is_meant = |node: &Node| kinds.is_empty() || kinds.contains(&node.kind);
        let names = graph.nodes().filter(|(_, node)| is_meant(node)).map(|(_, node)| node.name.as_str());
        let suggestions = similar(name, names);
        return Err(Error::Name { name: name.to_owned(), suggestions });
    }
    Ok(called)
}

fn unknown_word(word: &str, graph: &StoryGraph) -> Error {
    let mut known: Vec<&str> = vocabulary::names().collect();
    known.extend(graph.words().into_iter().map(|word| word.name.as_str()));
    Error::Word { word: word.to_owned(), suggestions: similar(word, known) }
}

/// A time of a pattern in the story's time.
pub(super) fn span(when: &When, graph: &StoryGraph) -> Result<Span, Error> {
    let time = |instant: &Instant| match instant {
        Instant::Chapter(number) => graph.chapter(*number),
        Instant::Words(words) => graph.clock().read(words)?.ok_or_else(|| Error::Time(words.clone())),
    };
    Ok(match when {
        When::Ever => Span::Ever,
        When::AsOf(instant) => Span::AsOf(time(instant)?),
        When::During(from, to) => {
            let (from, to) = (time(from)?, time(to)?);
            if let (Some(first), Some(last)) = (from.order(), to.order())
                && first > last
            {
                return Err(Error::Invalid(format!("a time from place {first} to place {last} runs backwards")));
            }
            Span::During(from, to)
        }
    })
}

/// Fields of cards under other names.
const FIELDS: [(&str, &str); 8] = [
    ("traits", "trait"),
    ("aliases", "alias"),
    ("role", "role_type"),
    ("角色", "role_type"),
    ("名字", "name"),
    ("名称", "name"),
    ("别名", "alias"),
    ("目标", "goals"),
];

/// Fields that cards have.
pub(super) const CARD_FIELDS: [&str; 17] = [
    "name",
    "id",
    "role_type",
    "alias",
    "weakness",
    "personality",
    "background",
    "goals",
    "conflicts",
    "arc",
    "description",
    "timestamp",
    "importance",
    "mode",
    "goal",
    "order",
    "type",
];

/// The name under which nodes keep a property.
pub(super) fn property_name(name: &str, graph: &StoryGraph) -> Result<String, Error> {
    let key = predicate::key(name);
    if let Some((_, field)) = FIELDS.iter().find(|(other, _)| *other == key) {
        return Ok((*field).to_owned());
    }
    if CARD_FIELDS.contains(&key.as_str()) {
        return Ok(key);
    }
    if let Some(known) = predicate::find(name) {
        return Ok(known.name.clone());
    }
    let own: BTreeSet<&String> = graph.nodes().flat_map(|(_, node)| node.properties.keys()).collect();
    let found = own.iter().copied().find(|other| predicate::key(other) == key);
    found.cloned().ok_or_else(|| {
        let words = predicate::all().iter().flat_map(|word| word.aliases.iter().chain([&word.name]));
        let all = CARD_FIELDS.into_iter().chain(own.into_iter().map(String::as_str)).chain(words.map(String::as_str));
        Error::Property { property: name.to_owned(), suggestions: similar(name, all) }
    })
}

fn passes(node: &Node, property: &str, is: &Comparison, holding: &Holding<'_>) -> bool {
    let text = |text: &str| Property { value: text.into(), unit: String::new(), dated: crate::graph::Dated::default() };
    match property {
        "name" => any_passes(&[&text(&node.name)], is),
        "id" => any_passes(&[&text(&node.id)], is),
        _ => any_passes(&holding.values(node, property), is),
    }
}

fn any_passes(values: &[&Property], is: &Comparison) -> bool {
    match is {
        Comparison::NotEqual(wanted) => !values.iter().any(|value| is_equal(value, wanted)),
        _ => values.iter().any(|value| value_passes(value, is)),
    }
}

fn value_passes(property: &Property, is: &Comparison) -> bool {
    let number = || predicate::quantity(&property.value, &property.unit).map(|(number, _)| number);
    let number_is = |test: &dyn Fn(f64) -> bool| number().is_some_and(test);
    match is {
        Comparison::Equal(wanted) => is_equal(property, wanted),
        Comparison::NotEqual(wanted) => !is_equal(property, wanted),
        Comparison::In(wanted) => wanted.iter().any(|wanted| is_equal(property, wanted)),
        Comparison::Contains(part) => property.value.as_str().is_some_and(|text| fold(text).contains(&fold(part))),
        Comparison::Less(most) => number_is(&|number| number < *most),
        Comparison::AtMost(most) => number_is(&|number| number <= *most),
        Comparison::Greater(least) => number_is(&|number| number > *least),
        Comparison::AtLeast(least) => number_is(&|number| number >= *least),
    }
}

fn is_equal(property: &Property, wanted: &Value) -> bool {
    match (&property.value, wanted) {
        (Json::Bool(flag), Value::Flag(wanted)) => flag == wanted,
        (Json::String(text), Value::Text(wanted)) => {
            let is_plain = text.is_ascii() && wanted.is_ascii();
            if is_plain { text.trim().eq_ignore_ascii_case(wanted.trim()) } else { fold(text) == fold(wanted) }
        }
        (value, Value::Number(wanted)) => {
            predicate::quantity(value, &property.unit).is_some_and(|(number, _)| number == *wanted)
        }
        _ => false,
    }
}

fn edge_passes(graph: &StoryGraph, id: EdgeId, property: &str, is: &Comparison) -> bool {
    let edge = &graph[id];
    let text = |value: Json| Property { value, unit: String::new(), dated: crate::graph::Dated::default() };
    let values: Vec<Property> = match property {
        "mode" => vec![text(serde_json::to_value(edge.dated.mode).unwrap_or(Json::Null))],
        "by" => edge.by.iter().map(|by| text(graph[*by].name.clone().into())).collect(),
        _ => vec![text(edge.source.1.clone().into())],
    };
    any_passes(&values.iter().collect::<Vec<_>>(), is)
}

//! Resolution of a pattern's names, words and times in a graph.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_story::names::{fold, fold_word};
use qingyu_story::predicate;
use serde_json::Value as Json;

use super::error::Error;
use super::error::similar;
use super::query::{
    EdgeDirection, EdgePattern, GraphPattern, Hops, Instant, Name, NodePattern, Path, PropertyComparison, PropertyTest,
    Value, When,
};
use crate::graph::{
    EdgeId, KindId, NodeId, NodeKind, Property, SpanEvaluator, StoryGraph, StoryNode, StorySpan, vocabulary,
};

/// A pattern ready for the search.
#[derive(Debug)]
pub(super) struct PatternPlan<'g> {
    pub(super) nodes: Vec<NodeCriteria>,
    pub(super) edges: Vec<EdgeCriteria<'g>>,
}

/// The criteria for a node; all patterns of one variable together.
#[derive(Debug, Default)]
pub(super) struct NodeCriteria {
    pub(super) variable: Option<Name>,
    /// The nodes with a matching name; `None` without a name.
    pub(super) named: Option<Vec<NodeId>>,
    pub(super) kinds: Option<BTreeSet<NodeKind>>,
    pub(super) tests: Vec<(String, PropertyComparison)>,
    /// The matching nodes, with a name or a test; set by [`PatternPlan::narrow`].
    pub(super) fitting: Option<Vec<NodeId>>,
}

/// The criteria for an edge between two of the nodes.
#[derive(Debug)]
pub(super) struct EdgeCriteria<'g> {
    pub(super) variable: Option<Name>,
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) words: Vec<WordDirection>,
    pub(super) hops: Hops,
    pub(super) span: StorySpan,
    pub(super) holding: SpanEvaluator<'g>,
    pub(super) tests: Vec<(String, PropertyComparison)>,
    pub(super) tests_mode: bool,
}

/// A word, and the matching edges of a node: outgoing, incoming, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WordDirection {
    pub(super) kind: KindId,
    pub(super) leaves: bool,
    pub(super) arrives: bool,
}

impl<'g> PatternPlan<'g> {
    /// Resolves a pattern; fails for a name, word, property or time unknown to the story.
    pub(super) fn of(pattern: &GraphPattern, when: &When, graph: &'g StoryGraph) -> Result<Self, Error> {
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

    /// Computes the matching nodes of all criteria with a name or a test.
    pub(super) fn narrow(&mut self, graph: &StoryGraph, holding: &SpanEvaluator<'_>) {
        for sought in self.nodes.iter_mut().filter(|sought| sought.named.is_some() || !sought.tests.is_empty()) {
            let mut fitting = sought.all(graph);
            fitting.retain(|node| sought.fits(*node, graph, holding));
            fitting.sort_unstable();
            sought.fitting = Some(fitting);
        }
    }

    /// Restricts the matching nodes of variables to the given nodes.
    pub(super) fn restrict(
        &mut self,
        graph: &StoryGraph,
        holding: &SpanEvaluator<'_>,
        among: &BTreeMap<Name, BTreeSet<NodeId>>,
    ) {
        for sought in &mut self.nodes {
            let Some(nodes) = sought.variable.as_ref().and_then(|name| among.get(name)) else { continue };
            let fitting = nodes.iter().filter(|node| sought.fits(**node, graph, holding));
            sought.fitting = Some(fitting.copied().collect());
        }
    }

    /// Returns the index of the node, inserted if new.
    fn node(&mut self, pattern: &NodePattern, graph: &StoryGraph) -> Result<usize, Error> {
        let known = pattern
            .variable
            .as_ref()
            .and_then(|name| self.nodes.iter().position(|sought| sought.variable.as_ref() == Some(name)));
        let place = known.unwrap_or_else(|| {
            self.nodes.push(NodeCriteria { variable: pattern.variable.clone(), ..NodeCriteria::default() });
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
        for PropertyTest { property, is } in &pattern.tests {
            sought.tests.push((property_name(property, graph)?, is.clone()));
        }
        Ok(place)
    }
}

impl NodeCriteria {
    /// Returns the number of candidates.
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

    /// Returns the candidates.
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

    /// Returns whether the node matches; `holding` evaluates the values.
    pub(super) fn fits(&self, id: NodeId, graph: &StoryGraph, holding: &SpanEvaluator<'_>) -> bool {
        if let Some(fitting) = &self.fitting {
            return fitting.binary_search(&id).is_ok();
        }
        let node = &graph[id];
        self.kinds.as_ref().is_none_or(|kinds| kinds.contains(&node.kind))
            && self.named.as_ref().is_none_or(|named| named.contains(&id))
            && self.tests.iter().all(|(property, is)| passes(node, property, is, holding))
    }
}

impl EdgeCriteria<'_> {
    /// Returns whether the edge counts: the edge holds, has the right mode, and passes the tests.
    pub(super) fn counts(&self, id: EdgeId, graph: &StoryGraph) -> bool {
        let edge = &graph[id];
        if !self.tests_mode && !edge.dated.is_certain() {
            return false;
        }
        self.holding.holds(id) && self.tests.iter().all(|(property, is)| edge_passes(graph, id, property, is))
    }

    /// Returns an iterator over the words as seen from the first or the second end.
    pub(super) fn ways(&self, from_first: bool) -> impl Iterator<Item = WordDirection> {
        self.words.iter().map(move |way| match from_first {
            true => *way,
            false => WordDirection { kind: way.kind, leaves: way.arrives, arrives: way.leaves },
        })
    }
}

fn link<'g>(
    edge: &EdgePattern,
    (from, to): (usize, usize),
    when: &When,
    graph: &'g StoryGraph,
) -> Result<EdgeCriteria<'g>, Error> {
    let span = span(if edge.when.is_ever() { when } else { &edge.when }, graph)?;
    let mut words: Vec<WordDirection> = Vec::new();
    let mut add = |name: &str, turned: bool, symmetric: bool| {
        let Some(kind) = graph.kind(name) else { return };
        let is_both = symmetric || edge.direction == EdgeDirection::Either;
        let leaves = is_both || (edge.direction == EdgeDirection::Right) != turned;
        let arrives = is_both || !leaves;
        match words.iter_mut().find(|way| way.kind == kind) {
            Some(way) => {
                way.leaves |= leaves;
                way.arrives |= arrives;
            }
            None => words.push(WordDirection { kind, leaves, arrives }),
        }
    };
    if edge.words.is_empty() {
        graph.words().into_iter().for_each(|word| add(&word.name, false, word.symmetric));
    }
    for word in &edge.words {
        let meanings = graph.meanings(word);
        let is_in_story = |name: &str| graph.kind(name).is_some();
        if !meanings.iter().any(|meaning| meaning.known || is_in_story(&meaning.word.name)) {
            return Err(unknown_word(word, graph));
        }
        for meaning in meanings {
            add(&meaning.word.name, meaning.turned, meaning.word.symmetric);
        }
    }
    words.sort_unstable();
    let tests = edge.tests.iter().map(|test| (test.property.clone(), test.is.clone())).collect();
    let tests_mode = edge.tests.iter().any(|test| test.property == "mode");
    let holding = SpanEvaluator::new(graph, span.clone());
    let (variable, hops) = (edge.variable.clone(), edge.hops);
    Ok(EdgeCriteria { variable, from, to, words, hops, span, holding, tests, tests_mode })
}

/// Returns the nodes with the given name and one of the kinds.
fn called(name: &str, kinds: &[NodeKind], graph: &StoryGraph) -> Result<Vec<NodeId>, Error> {
    let mut called = graph.called(name);
    called.retain(|node| kinds.is_empty() || kinds.contains(&graph[*node].kind));
    if called.is_empty() {
        let is_meant = |node: &StoryNode| kinds.is_empty() || kinds.contains(&node.kind);
        let names = graph.nodes().filter(|(_, node)| is_meant(node)).map(|(_, node)| node.name.as_str());
        let suggestions = similar(name, names);
        return Err(Error::Name { name: name.to_owned(), suggestions });
    }
    Ok(called)
}

fn unknown_word(word: &str, graph: &StoryGraph) -> Error {
    let mut known: Vec<&str> = vocabulary::names().collect();
    known.extend(graph.relation_names());
    Error::Word { word: word.to_owned(), suggestions: similar(word, known) }
}

/// Converts a time of a pattern to the story's time.
pub(super) fn span(when: &When, graph: &StoryGraph) -> Result<StorySpan, Error> {
    let time = |instant: &Instant| match instant {
        Instant::Chapter(number) => graph.chapter(*number),
        Instant::Words(words) => graph.clock().read(words)?.ok_or_else(|| Error::Time(words.clone())),
    };
    Ok(match when {
        When::Ever => StorySpan::Ever,
        When::AsOf(instant) => StorySpan::AsOf(time(instant)?),
        When::During(from, to) => {
            let (from, to) = (time(from)?, time(to)?);
            if let (Some(first), Some(last)) = (from.order(), to.order())
                && first > last
            {
                return Err(Error::Invalid(format!("a time from place {first} to place {last} runs backwards")));
            }
            StorySpan::During(from, to)
        }
    })
}

/// Alternative names of card fields.
const FIELDS: [(&str, &str); 11] = [
    ("traits", "trait"),
    ("aliases", "alias"),
    ("role", "role_type"),
    ("角色", "role_type"),
    ("名字", "name"),
    ("名称", "name"),
    ("别名", "alias"),
    ("目标", "goals"),
    ("性别", "gender"),
    ("外貌", "appearance"),
    ("looks", "appearance"),
];

/// The fields of cards.
pub(super) const CARD_FIELDS: [&str; 19] = [
    "name",
    "id",
    "role_type",
    "alias",
    "gender",
    "appearance",
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

/// Returns the name of a property in nodes.
pub(super) fn property_name(name: &str, graph: &StoryGraph) -> Result<String, Error> {
    let key = fold_word(name);
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
    let found = own.iter().copied().find(|other| fold_word(other) == key);
    found.cloned().ok_or_else(|| {
        let words = predicate::all().iter().flat_map(|word| word.aliases.iter().chain([&word.name]));
        let all = CARD_FIELDS.into_iter().chain(own.into_iter().map(String::as_str)).chain(words.map(String::as_str));
        Error::Property { property: name.to_owned(), suggestions: similar(name, all) }
    })
}

fn passes(node: &StoryNode, property: &str, is: &PropertyComparison, holding: &SpanEvaluator<'_>) -> bool {
    let text =
        |text: &str| Property { value: text.into(), unit: String::new(), dated: crate::graph::DatedSpan::default() };
    match property {
        "name" => any_passes(&[&text(&node.name)], is),
        "id" => any_passes(&[&text(&node.id)], is),
        _ => any_passes(&holding.values(node, property), is),
    }
}

fn any_passes(values: &[&Property], is: &PropertyComparison) -> bool {
    match is {
        PropertyComparison::NotEqual(wanted) => !values.iter().any(|value| is_equal(value, wanted)),
        _ => values.iter().any(|value| value_passes(value, is)),
    }
}

fn value_passes(property: &Property, is: &PropertyComparison) -> bool {
    let number = || predicate::quantity(&property.value, &property.unit).map(|(number, _)| number);
    let number_is = |test: &dyn Fn(f64) -> bool| number().is_some_and(test);
    match is {
        PropertyComparison::Equal(wanted) => is_equal(property, wanted),
        PropertyComparison::NotEqual(wanted) => !is_equal(property, wanted),
        PropertyComparison::In(wanted) => wanted.iter().any(|wanted| is_equal(property, wanted)),
        PropertyComparison::Contains(part) => {
            property.value.as_str().is_some_and(|text| fold(text).contains(&fold(part)))
        }
        PropertyComparison::Less(most) => number_is(&|number| number < *most),
        PropertyComparison::AtMost(most) => number_is(&|number| number <= *most),
        PropertyComparison::Greater(least) => number_is(&|number| number > *least),
        PropertyComparison::AtLeast(least) => number_is(&|number| number >= *least),
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

fn edge_passes(graph: &StoryGraph, id: EdgeId, property: &str, is: &PropertyComparison) -> bool {
    let edge = &graph[id];
    let text = |value: Json| Property { value, unit: String::new(), dated: crate::graph::DatedSpan::default() };
    let values: Vec<Property> = match property {
        "mode" => vec![text(serde_json::to_value(edge.dated.mode).unwrap_or(Json::Null))],
        "by" => edge.by.iter().map(|by| text(graph[*by].name.clone().into())).collect(),
        _ => vec![text(edge.source.1.clone().into())],
    };
    any_passes(&values.iter().collect::<Vec<_>>(), is)
}

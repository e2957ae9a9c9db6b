//! Translation of a query to Cypher, for a database of the [rows](crate::graph::NodeRow) of the graph.
//!
//! Names, values, times and the story's own words are parameters, never part of the text. The names of the story are
//! looked up here, so aliases mean the same as in memory.

use std::collections::BTreeMap;

use qingyu_story::names::fold;
use qingyu_story::predicate;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::error::Error;
use super::order;
use super::query::{Goal, GraphPattern, Name, Operator, PropertyComparison, Query, Set, Value, When};
use super::resolve::{CARD_FIELDS, EdgeCriteria, NodeCriteria, PatternPlan};
use crate::graph::{SpanEvaluator, StoryGraph, StorySpan, vocabulary};

/// A statement in Cypher with parameters.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cypher {
    /// The statement. The columns `c0`, `c1`, … are the keys of the nodes of [`columns`](Self::columns); `hops` is the
    /// length of the path for `shortest` and `within`, `ties` the numbers of edges as evidence. Without a variable in
    /// the query the column `rows` is the number of matches.
    pub text: String,
    /// The values of `$a0`, `$a1`, …
    pub parameters: BTreeMap<String, Json>,
    /// The variables of the query, by column.
    pub columns: Vec<Name>,
}

impl Query {
    /// Returns the query in the Cypher of Neo4j 5. With `within`, only nodes whose property `scope` has this value are
    /// matched, for a database with many graphs: no edge crosses graphs, so only the first nodes of a pattern are tested.
    ///
    /// Fails as [`run`](Self::run) does, and with [`Error::Cypher`] for times that are no places in reading order, and
    /// for values of facts (not of cards) as of a time. The limit of a query whose outermost operator is `or` is not
    /// part of the statement.
    pub fn to_cypher(&self, graph: &StoryGraph, within: Option<&str>) -> Result<Cypher, Error> {
        self.check()?;
        let set = self.rewritten()?;
        let columns = self.columns(&set, &set.variables()?);
        let mut writer = CypherWriter {
            query: self,
            graph,
            within,
            keys: graph.keys(),
            parameters: BTreeMap::new(),
            clauses: Vec::new(),
            live: Vec::new(),
            count: 0,
        };
        let mut alternatives = Vec::new();
        let branches = if columns.is_empty() { vec![&set] } else { branches(&set) };
        let is_one = branches.len() == 1;
        for branch in branches {
            writer.live.clear();
            let mut scope = BTreeMap::new();
            writer.set(branch, &mut scope)?;
            let answer = writer.answer(&columns, &scope, is_one);
            writer.clauses.push(answer);
            alternatives.push(std::mem::take(&mut writer.clauses).join("\n"));
        }
        let mut text = alternatives.join("\nUNION\n");
        if let (Some(limit), true) = (self.limit, is_one) {
            let limit = writer.parameter(json!(limit));
            text = format!("{text}\nLIMIT {limit}");
        }
        Ok(Cypher { text, parameters: writer.parameters, columns })
    }
}

/// Returns the sides of an outermost `or`, which become a union.
fn branches(set: &Set) -> Vec<&Set> {
    match set {
        Set::Join { how: Operator::Or, left, right } => [branches(left), branches(right)].concat(),
        other => vec![other],
    }
}

struct CypherWriter<'q, 'g> {
    query: &'q Query,
    graph: &'g StoryGraph,
    /// The scope of all nodes; `None` for a database with one graph.
    within: Option<&'q str>,
    keys: Vec<String>,
    parameters: BTreeMap<String, Json>,
    clauses: Vec<String>,
    /// The bound variables of the statement.
    live: Vec<String>,
    count: usize,
}

/// The variables of the query, with their names in the statement.
type VariableScope = BTreeMap<Name, String>;

impl CypherWriter<'_, '_> {
    fn answer(&self, columns: &[Name], scope: &VariableScope, with_ties: bool) -> String {
        let edges = self.live.iter().filter(|name| name.starts_with('e'));
        let ties = edges.map(|edge| format!("collect(DISTINCT {edge}.number)")).collect::<Vec<_>>().join(" + ");
        let hops = self.live.iter().find(|name| name.starts_with('h')).filter(|_| self.query.goal != Goal::Match);
        let mut parts: Vec<String> =
            (0..).zip(columns).map(|(place, name)| format!("{}.key AS c{place}", scope[name])).collect();
        if columns.is_empty() {
            parts.push("count(*) AS rows".into());
        }
        parts.extend(hops.map(|hops| format!("min({hops}) AS hops")));
        if with_ties && !ties.is_empty() {
            parts.push(format!("{ties} AS ties"));
        }
        let order = if hops.is_some() { "\nORDER BY hops" } else { "" };
        format!("RETURN DISTINCT {}{order}", parts.join(", "))
    }

    fn set(&mut self, set: &Set, scope: &mut VariableScope) -> Result<(), Error> {
        let (how, left, right) = match set {
            Set::Pattern(pattern) => return self.pattern(pattern, scope),
            Set::Join { how, left, right } => (*how, left, right),
        };
        match how {
            Operator::And => {
                self.set(left, scope)?;
                self.hide(left, scope)?;
                self.set(right, scope)
            }
            Operator::Except => {
                self.set(left, scope)?;
                let inner = self.inside(right, scope)?;
                self.clauses.push(format!("WITH * WHERE NOT {inner}"));
                Ok(())
            }
            Operator::Or => {
                let (one, other) = (left.variables()?, right.variables()?);
                for name in one.intersection(&other) {
                    if !scope.contains_key(*name) {
                        let node = self.fresh("n");
                        let within = self.within();
                        self.clauses.push(format!("MATCH ({node}{within})"));
                        scope.insert((*name).clone(), node);
                    }
                }
                let (one, other) = (self.inside(left, scope)?, self.inside(right, scope)?);
                self.clauses.push(format!("WITH * WHERE {one} OR {other}"));
                Ok(())
            }
        }
    }

    /// Removes the variables of a set that are not in the rows.
    fn hide(&mut self, set: &Set, scope: &mut VariableScope) -> Result<(), Error> {
        let shown = set.variables()?;
        scope.retain(|name, _| shown.contains(name));
        Ok(())
    }

    /// Returns the set as a condition on the variables of `scope` that are in the rows.
    fn inside(&mut self, set: &Set, scope: &VariableScope) -> Result<String, Error> {
        let shown = set.variables()?;
        let mut inner: VariableScope = scope.clone();
        inner.retain(|name, _| shown.contains(name));
        let outer = std::mem::take(&mut self.clauses);
        let live = self.live.clone();
        self.set(set, &mut inner)?;
        self.live = live;
        let clauses = std::mem::replace(&mut self.clauses, outer).join("\n  ");
        Ok(format!("EXISTS {{\n  {clauses}\n  RETURN true\n}}"))
    }

    fn pattern(&mut self, pattern: &GraphPattern, scope: &mut VariableScope) -> Result<(), Error> {
        let mut plan = PatternPlan::of(pattern, &self.query.when, self.graph)?;
        let span = super::resolve::span(&self.query.when, self.graph)?;
        plan.narrow(self.graph, &SpanEvaluator::new(self.graph, span));
        let mut names: Vec<String> = Vec::new();
        for sought in &plan.nodes {
            let known = sought.variable.as_ref().and_then(|name| scope.get(name)).cloned();
            let name = known.unwrap_or_else(|| self.fresh("n"));
            if let Some(variable) = &sought.variable {
                scope.insert(variable.clone(), name.clone());
            }
            names.push(name);
        }
        let mut found: Vec<usize> = Vec::new();
        for step in order::steps(&plan, self.graph) {
            let sought = &plan.nodes[step.node];
            let name = &names[step.node];
            let mut conditions = self.conditions(sought, name)?;
            let may_be_same = |other: &&usize| match (&plan.nodes[**other].kinds, &sought.kinds) {
                (Some(one), Some(other)) => !one.is_disjoint(other),
                _ => true,
            };
            conditions.extend(found.iter().filter(may_be_same).map(|other| format!("{} <> {name}", names[*other])));
            match step.over {
                Some(edge) => {
                    let fresh = (step.node, self.labelled(sought, name));
                    self.edge(&plan.edges[edge], &names, Some(&fresh), conditions)?;
                }
                None => {
                    let labelled = self.labelled(sought, name);
                    self.push(&format!("MATCH ({labelled})"), &conditions);
                }
            }
            for edge in step.checks {
                self.edge(&plan.edges[edge], &names, None, Vec::new())?;
            }
            found.push(step.node);
        }
        Ok(())
    }

    fn edge(
        &mut self,
        link: &EdgeCriteria<'_>,
        names: &[String],
        new: Option<&(usize, String)>,
        mut conditions: Vec<String>,
    ) -> Result<(), Error> {
        let end = |node: usize| match new {
            Some((fresh, labelled)) if *fresh == node => labelled.clone(),
            _ => names[node].clone(),
        };
        let (from, to) = (end(link.from), end(link.to));
        let ways = EdgeWordSet::of(link, self.graph);
        let words = ways.names();
        let types = if ways.are_known && !ways.are_all && !words.is_empty() {
            format!(":{}", words.join("|"))
        } else {
            String::new()
        };
        let (left, right) = ways.arrow();
        if words.is_empty() {
            conditions.push("false".into());
        }
        if link.hops.is_one() {
            let edge = self.fresh("e");
            conditions.extend(self.of_edge(link, &ways, &edge, &names[link.from])?);
            self.push(&format!("MATCH ({from}){left}-[{edge}{types}]-{right}({to})"), &conditions);
            return Ok(());
        }
        let (path, hops) = (self.fresh("p"), self.fresh("h"));
        let (least, most) = (link.hops.least, link.hops.most);
        if ways.is_mixed() {
            let before = format!("nodes({path})[i]");
            let each = self.of_edge(link, &ways, &format!("relationships({path})[i]"), &before)?.join(" AND ");
            conditions.push(format!("all(i IN range(0, length({path}) - 1) WHERE {each})"));
        } else {
            let each = self.of_edge(link, &ways, "r", "")?.join(" AND ");
            conditions.push(format!("all(r IN relationships({path}) WHERE {each})"));
        }
        let way = format!("({from}){left}-[{types}*1..{most}]-{right}({to})");
        match self.query.goal {
            Goal::Shortest => self.push(&format!("MATCH {path} = shortestPath({way})"), &conditions),
            _ => self.push(&format!("MATCH {path} = {way}"), &conditions),
        }
        // Only the length of the shortest path counts.
        let mut kept: Vec<String> = self.live.iter().filter(|name| **name != path && **name != hops).cloned().collect();
        kept.push(format!("min(length({path})) AS {hops}"));
        let at_least = self.parameter(json!(least));
        self.clauses.push(format!("WITH {} WHERE {hops} >= {at_least}", kept.join(", ")));
        self.live.retain(|name| *name != path);
        Ok(())
    }

    /// Returns the pattern of a node at its first occurrence.
    fn labelled(&mut self, sought: &NodeCriteria, name: &str) -> String {
        let within = self.within();
        let only = sought.kinds.as_ref().filter(|kinds| kinds.len() == 1).and_then(|kinds| kinds.first());
        only.map_or_else(|| format!("{name}{within}"), |kind| format!("{name}:{}{within}", kind.name()))
    }

    fn within(&mut self) -> String {
        self.within.map(|scope| format!(" {{scope: {}}}", self.parameter(json!(scope)))).unwrap_or_default()
    }

    fn push(&mut self, clause: &str, conditions: &[String]) {
        self.clauses.push(match conditions {
            [] => clause.to_owned(),
            _ => format!("{clause} WHERE {}", conditions.join(" AND ")),
        });
    }

    /// Returns the conditions on a node.
    fn conditions(&mut self, sought: &NodeCriteria, name: &str) -> Result<Vec<String>, Error> {
        let mut conditions = Vec::new();
        if let Some(named) = &sought.named {
            let keys: Vec<&String> = named.iter().map(|node| &self.keys[node.0 as usize]).collect();
            let keys = json!(keys);
            conditions.push(format!("{name}.key IN {}", self.parameter(keys)));
        }
        if let Some(kinds) = sought.kinds.as_ref().filter(|kinds| kinds.len() != 1) {
            let kinds = json!(kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>());
            conditions.push(format!("{name}.kind IN {}", self.parameter(kinds)));
        }
        for (property, is) in &sought.tests {
            if self.query.when != When::Ever && !CARD_FIELDS.contains(&property.as_str()) && property != "trait" {
                let why = format!("'{property}' is kept without its times; leave out the time of the whole query");
                return Err(Error::Cypher(why));
            }
            conditions.push(self.test(name, property, is));
        }
        Ok(conditions)
    }

    /// Returns the conditions on an edge between the node before and the next node.
    fn of_edge(
        &mut self,
        link: &EdgeCriteria<'_>,
        ways: &EdgeWordSet,
        edge: &str,
        before: &str,
    ) -> Result<Vec<String>, Error> {
        let mut conditions = Vec::new();
        if !ways.are_known && !ways.are_all {
            let names = self.parameter(json!(ways.names()));
            conditions.push(format!("type({edge}) IN {names}"));
        }
        if ways.is_mixed() {
            let [both, leaving, arriving] = [&ways.both, &ways.leaving, &ways.arriving].map(|names| json!(names));
            let (both, leaving, arriving) = (self.parameter(both), self.parameter(leaving), self.parameter(arriving));
            conditions.push(format!(
                "(type({edge}) IN {both} OR startNode({edge}) = {before} AND type({edge}) IN {leaving} \
                 OR endNode({edge}) = {before} AND type({edge}) IN {arriving})"
            ));
        }
        if !link.tests_mode {
            let certain = self.parameter(json!(["narrated", "flashback"]));
            conditions.push(format!("{edge}.mode IN {certain}"));
        }
        for (property, is) in &link.tests {
            conditions.push(self.edge_test(edge, property, is));
        }
        if let Some((first, last)) = places(&link.span)? {
            let is_moment = matches!(link.span, StorySpan::AsOf(_));
            let (first, last) = (self.parameter(json!(first)), self.parameter(json!(last)));
            let later = if is_moment { ">" } else { ">=" };
            conditions.push(format!(
                "coalesce({edge}.told, {last}) <= {last} AND coalesce({edge}.begin, {last}) <= {last} \
                 AND coalesce({edge}.end, {first}) >= {first} AND coalesce({edge}.replaced, {first} + 1) {later} {first}"
            ));
        }
        Ok(conditions)
    }

    /// Returns a test of a node's property, which is a list.
    fn test(&mut self, name: &str, property: &str, is: &PropertyComparison) -> String {
        let (is_not, suffix, condition) = self.comparison("v", is);
        let property = format!("{property}{suffix}");
        let is_fixed =
            |name: &str| CARD_FIELDS.contains(&name) || predicate::find(name).is_some_and(|known| known.name == name);
        let access = match is_fixed(property.trim_end_matches(suffix)) {
            true => format!("{name}.{property}"),
            false => format!("{name}[{}]", self.parameter(json!(property))),
        };
        let not = if is_not { "NOT " } else { "" };
        format!("{not}any(v IN coalesce({access}, []) WHERE {condition})")
    }

    /// Returns a test of an edge's property, which is a single text.
    fn edge_test(&mut self, edge: &str, property: &str, is: &PropertyComparison) -> String {
        let (is_not, _, condition) = self.comparison(&format!("{edge}.{property}"), is);
        match is_not {
            true => format!("NOT coalesce({condition}, false)"),
            false => condition,
        }
    }

    /// Returns whether the test is negated, the suffix of the property's name, and the condition on `value`.
    fn comparison(&mut self, value: &str, is: &PropertyComparison) -> (bool, &'static str, String) {
        let suffix = |value: &Value| match value {
            Value::Text(_) => "_text",
            Value::Number(_) => "_number",
            Value::Flag(_) => "_flag",
        };
        let (sign, number) = match is {
            PropertyComparison::Equal(wanted) | PropertyComparison::NotEqual(wanted) => {
                let is_not = matches!(is, PropertyComparison::NotEqual(_));
                let parameter = self.parameter(json_of(wanted));
                return (is_not, suffix(wanted), format!("{value} = {parameter}"));
            }
            PropertyComparison::Contains(part) => {
                let part = self.parameter(json!(fold(part)));
                return (false, "_text", format!("{value} CONTAINS {part}"));
            }
            PropertyComparison::In(wanted) => {
                let all = Json::Array(wanted.iter().map(json_of).collect());
                let all = self.parameter(all);
                return (false, wanted.first().map_or("_text", suffix), format!("{value} IN {all}"));
            }
            PropertyComparison::Less(number) => ("<", number),
            PropertyComparison::AtMost(number) => ("<=", number),
            PropertyComparison::Greater(number) => (">", number),
            PropertyComparison::AtLeast(number) => (">=", number),
        };
        let number = self.parameter(json!(number));
        (false, "_number", format!("{value} {sign} {number}"))
    }

    fn parameter(&mut self, value: Json) -> String {
        if let Some((name, _)) = self.parameters.iter().find(|(_, known)| **known == value) {
            return format!("${name}");
        }
        let name = format!("a{}", self.parameters.len());
        self.parameters.insert(name.clone(), value);
        format!("${name}")
    }

    fn fresh(&mut self, letter: &str) -> String {
        let name = format!("{letter}{}", self.count);
        self.count += 1;
        self.live.push(name.clone());
        name
    }
}

/// The words of an edge, by direction.
struct EdgeWordSet {
    both: Vec<String>,
    leaving: Vec<String>,
    arriving: Vec<String>,
    /// Whether all words are in a vocabulary, and so may be part of the text.
    are_known: bool,
    /// Whether any word matches, in both directions.
    are_all: bool,
}

impl EdgeWordSet {
    fn of(link: &EdgeCriteria<'_>, graph: &StoryGraph) -> Self {
        let mut ways =
            Self { both: Vec::new(), leaving: Vec::new(), arriving: Vec::new(), are_known: true, are_all: false };
        for way in &link.words {
            let name = graph.word(way.kind).name.clone();
            let is_plain = name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
            ways.are_known &= is_plain && vocabulary::is_known(&name);
            match (way.leaves, way.arrives) {
                (true, true) => ways.both.push(name),
                (true, false) => ways.leaving.push(name),
                _ => ways.arriving.push(name),
            }
        }
        ways.are_all = !ways.both.is_empty() && ways.both.len() == graph.words().len();
        ways
    }

    fn names(&self) -> Vec<String> {
        [self.both.clone(), self.leaving.clone(), self.arriving.clone()].concat()
    }

    /// Returns the heads of the arrow at both ends.
    fn arrow(&self) -> (&'static str, &'static str) {
        match (self.both.is_empty(), self.leaving.is_empty(), self.arriving.is_empty()) {
            (true, false, true) => ("", ">"),
            (true, true, false) => ("<", ""),
            _ => ("", ""),
        }
    }

    /// Returns whether words differ in direction, so that the arrow alone is not enough.
    fn is_mixed(&self) -> bool {
        let directed = !self.leaving.is_empty() || !self.arriving.is_empty();
        self.arrow() == ("", "") && directed
    }
}

/// Returns the first and the last place in reading order of a span; `None` for any time.
fn places(span: &StorySpan) -> Result<Option<(u32, u32)>, Error> {
    let place = |time: &qingyu_story::truth::Time| {
        time.order().ok_or_else(|| Error::Cypher("a time that is no chapter; name a chapter such as ch30".into()))
    };
    Ok(match span {
        StorySpan::Ever => None,
        StorySpan::AsOf(time) => Some((place(time)?, place(time)?)),
        StorySpan::During(first, last) => Some((place(first)?, place(last)?)),
    })
}

fn json_of(value: &Value) -> Json {
    match value {
        Value::Text(text) => json!(fold(text)),
        Value::Number(number) => json!(number),
        Value::Flag(flag) => json!(flag),
    }
}

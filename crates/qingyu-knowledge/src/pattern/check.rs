//! Validation of a query independent of a story.

use std::collections::BTreeSet;

use super::error::Error;
use super::query::{
    EdgePattern, Goal, GraphPattern, Hops, MOST_HOPS, MOST_PATTERNS, Name, NodePattern, Operator, Path,
    PropertyComparison, PropertyTest, Query, Set, Value,
};

/// The testable properties of edges.
pub(super) const EDGE_PROPERTIES: [&str; 3] = ["mode", "by", "source"];

/// The maximum number of edges in one pattern.
const MOST_EDGES: usize = 64;

impl Query {
    /// Validates the rules not expressed by the types; fails with [`Error::Invalid`].
    pub fn check(&self) -> Result<(), Error> {
        let patterns = self.set.patterns();
        if patterns.len() > MOST_PATTERNS {
            return Err(invalid(format!("a query joins at most {MOST_PATTERNS} patterns")));
        }
        patterns.into_iter().try_for_each(check_pattern)?;
        check_goal(self)?;
        let variables = self.set.variables()?;
        for name in &self.returns {
            if !variables.contains(name) {
                let known: Vec<&str> = variables.iter().map(|name| name.as_str()).collect();
                return Err(invalid(format!("'{name}' cannot be returned: the pattern has {}", listed(&known))));
            }
        }
        match self.limit {
            Some(0) => Err(invalid("a limit of 0 rows leaves nothing".into())),
            _ => Ok(()),
        }
    }
}

impl Set {
    /// Returns the node variables of the set's rows.
    pub(super) fn variables(&self) -> Result<BTreeSet<&Name>, Error> {
        let (how, left, right) = match self {
            Self::Pattern(pattern) => return Ok(pattern.node_variables()),
            Self::Join { how, left, right } => (*how, left.variables()?, right.variables()?),
        };
        let common: BTreeSet<&Name> = left.intersection(&right).copied().collect();
        if common.is_empty() {
            let word = match how {
                Operator::And => "and",
                Operator::Or => "or",
                Operator::Except => "except",
            };
            return Err(invalid(format!(
                "the two sides of '{word}' have no variable in common; name a node on both sides, such as (x)"
            )));
        }
        Ok(match how {
            Operator::And => left.union(&right).copied().collect(),
            Operator::Or => common,
            Operator::Except => left,
        })
    }
}

impl GraphPattern {
    /// Returns the variables of the pattern's nodes.
    pub(super) fn node_variables(&self) -> BTreeSet<&Name> {
        self.paths.iter().flat_map(Path::nodes).filter_map(|node| node.variable.as_ref()).collect()
    }

    fn edges(&self) -> impl Iterator<Item = &EdgePattern> {
        self.paths.iter().flat_map(|path| path.steps.iter().map(|(edge, _)| edge))
    }
}

fn check_goal(query: &Query) -> Result<(), Error> {
    let only = match (&query.goal, &query.set) {
        (Goal::Match, _) => return Ok(()),
        (_, Set::Pattern(GraphPattern { paths })) => match paths.as_slice() {
            [path] => path.steps.as_slice(),
            _ => return Err(invalid("'shortest' and 'within' take one path".into())),
        },
        (_, Set::Join { .. }) => return Err(invalid("'shortest' and 'within' take one path, not sets".into())),
    };
    match (query.goal, only) {
        (Goal::Shortest, [_]) => Ok(()),
        (Goal::Shortest, _) => Err(invalid("'shortest' takes one edge, such as (a)-[*..6]-(b)".into())),
        (Goal::Within(hops), _) if hops == 0 || hops > MOST_HOPS => {
            Err(invalid(format!("'within' takes from 1 to {MOST_HOPS} hops, not {hops}")))
        }
        (Goal::Within(_), [] | [_]) if only.iter().all(|(edge, _)| edge.hops.is_one()) => Ok(()),
        (Goal::Within(_), _) => {
            Err(invalid("'within' takes a node and at most one edge without hops, such as (a)-[:friend_of]-()".into()))
        }
        (Goal::Match, _) => Ok(()),
    }
}

fn check_pattern(pattern: &GraphPattern) -> Result<(), Error> {
    if pattern.paths.is_empty() {
        return Err(invalid("a pattern needs at least one node, such as (x)".into()));
    }
    if pattern.edges().count() > MOST_EDGES {
        return Err(invalid(format!("a pattern has at most {MOST_EDGES} edges")));
    }
    let nodes = pattern.node_variables();
    let mut seen = BTreeSet::new();
    for edge in pattern.edges() {
        check_edge(edge)?;
        let Some(name) = &edge.variable else { continue };
        if nodes.contains(name) || !seen.insert(name) {
            return Err(invalid(format!("'{name}' names an edge and something else; give each edge its own variable")));
        }
    }
    for path in &pattern.paths {
        let nodes: Vec<&NodePattern> = path.nodes().collect();
        if let Some(pair) =
            nodes.windows(2).find(|pair| pair[0].variable.is_some() && pair[0].variable == pair[1].variable)
        {
            let name = optional_name(pair[0]);
            return Err(invalid(format!("nothing is tied to itself, so no edge can lead from '{name}' to '{name}'")));
        }
    }
    pattern.paths.iter().flat_map(Path::nodes).try_for_each(check_node)
}

fn optional_name(node: &NodePattern) -> &str {
    node.variable.as_ref().map_or("", Name::as_str)
}

fn check_node(node: &NodePattern) -> Result<(), Error> {
    node.tests.iter().try_for_each(check_test)
}

fn check_edge(edge: &EdgePattern) -> Result<(), Error> {
    let Hops { least, most } = edge.hops;
    if least == 0 || least > most || most > MOST_HOPS {
        return Err(invalid(format!("{least} to {most} hops cannot be: from 1 to {MOST_HOPS}, the smaller one first")));
    }
    if edge.words.iter().any(|word| word.trim().is_empty()) {
        return Err(invalid("a relation without a name".into()));
    }
    for test in &edge.tests {
        check_test(test)?;
        if !EDGE_PROPERTIES.contains(&test.property.as_str()) {
            let known = listed(&EDGE_PROPERTIES);
            return Err(invalid(format!("edges have no property '{}': they have {known}", test.property)));
        }
    }
    Ok(())
}

fn check_test(test: &PropertyTest) -> Result<(), Error> {
    let is_number = |value: &Value| !matches!(value, Value::Number(number) if !number.is_finite());
    let is_fine = match &test.is {
        PropertyComparison::Equal(value) | PropertyComparison::NotEqual(value) => is_number(value),
        PropertyComparison::Less(number) | PropertyComparison::AtMost(number) => number.is_finite(),
        PropertyComparison::Greater(number) | PropertyComparison::AtLeast(number) => number.is_finite(),
        PropertyComparison::Contains(_) => true,
        PropertyComparison::In(values) => !values.is_empty() && values.iter().all(is_number),
    };
    match is_fine && !test.property.trim().is_empty() {
        true => Ok(()),
        false => Err(invalid(format!("the test on '{}' has no name, no value or an infinite one", test.property))),
    }
}

fn invalid(what: String) -> Error {
    Error::Invalid(what)
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() { "no variable".into() } else { names.join(", ") }
}

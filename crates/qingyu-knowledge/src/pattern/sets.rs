//! The whole query: the rows of its patterns, joined as sets.

use std::collections::{BTreeMap, BTreeSet};

use super::error::Error;
use super::found::{CutReason, PatternResult, PatternRow, QueryLimits};
use super::query::{
    EdgeDirection, EdgePattern, Goal, GraphPattern, Hops, Name, NodePattern, Operator, Path, Query, Set,
};
use super::reach::SearchEffort;
use super::rows::{MOST_ROWS, PatternRows};
use super::run;
use crate::graph::{NodeId, StoryGraph};

impl Query {
    /// Runs the query on the graph and returns the rows.
    ///
    /// Fails if the query is invalid ([`Error::Invalid`]), or for a name, word, property or time unknown to the story.
    pub fn run(&self, graph: &StoryGraph, limits: QueryLimits) -> Result<PatternResult, Error> {
        self.run_among(graph, limits, &BTreeMap::new())
    }

    /// Runs the query with variables restricted to the given nodes, such as the nodes of a graph engine's answer, whose
    /// evidence is looked up here.
    ///
    /// Fails as [`run`](Self::run) does.
    pub fn run_among(
        &self,
        graph: &StoryGraph,
        limits: QueryLimits,
        among: &BTreeMap<Name, BTreeSet<NodeId>>,
    ) -> Result<PatternResult, Error> {
        self.check()?;
        let set = self.rewritten()?;
        let all = set.variables()?;
        let wanted: BTreeSet<&Name> = if self.returns.is_empty() { all } else { self.returns.iter().collect() };
        let limit = self.limit.map_or(limits.rows, |own| own.min(limits.rows));
        let mut effort = SearchEffort { left: limits.work };
        let in_order = matches!(self.goal, Goal::Match);
        let asked = if in_order && matches!(set, Set::Pattern(_)) { limit } else { MOST_ROWS };
        let mut rows = self.rows(&set, (&wanted, among), graph, (asked, &mut effort))?;
        rows.project(&self.columns(&set, &wanted));
        let hops = |row: &PatternRow| row.ties.iter().map(|tie| tie.hops.len()).sum::<usize>();
        rows.rows.sort_by_cached_key(|row| (if in_order { 0 } else { hops(row) }, row.nodes.clone()));
        if rows.rows.len() > limit {
            rows.rows.truncate(limit);
            rows.cut = rows.cut.or(Some(CutReason::Rows));
        }
        Ok(PatternResult { columns: rows.columns, rows: rows.rows, cut: rows.cut })
    }

    /// Returns the wanted variables, in the order of `return`, by default in query order.
    pub(super) fn columns(&self, set: &Set, wanted: &BTreeSet<&Name>) -> Vec<Name> {
        if !self.returns.is_empty() {
            return self.returns.clone();
        }
        let mut columns: Vec<Name> = Vec::new();
        let paths = set.patterns().into_iter().flat_map(|pattern| &pattern.paths);
        for name in paths.flat_map(Path::nodes).filter_map(|node| node.variable.as_ref()) {
            if wanted.contains(name) && !columns.contains(name) {
                columns.push(name.clone());
            }
        }
        columns
    }

    /// Returns `within` rewritten as a pattern of several hops.
    pub(super) fn rewritten(&self) -> Result<Set, Error> {
        let (Goal::Within(most), Set::Pattern(pattern)) = (self.goal, &self.set) else { return Ok(self.set.clone()) };
        let path = &pattern.paths[0];
        let (edge, end) = path.steps.first().cloned().unwrap_or_else(|| {
            (EdgePattern { direction: EdgeDirection::Either, ..EdgePattern::default() }, NodePattern::default())
        });
        let free = |wanted: &str, taken: Option<&Name>| match taken {
            Some(taken) if taken.as_str() == wanted => Name::new(&format!("{wanted}_")),
            _ => Name::new(wanted),
        };
        let start = NodePattern {
            variable: Some(path.start.variable.clone().map_or_else(|| free("center", end.variable.as_ref()), Ok)?),
            ..path.start.clone()
        };
        let end = NodePattern {
            variable: Some(end.variable.clone().map_or_else(|| free("near", start.variable.as_ref()), Ok)?),
            ..end
        };
        let edge = EdgePattern { hops: Hops { least: 1, most }, ..edge };
        Ok(Set::Pattern(GraphPattern { paths: vec![Path { start, steps: vec![(edge, end)] }] }))
    }

    fn rows(
        &self,
        set: &Set,
        (wanted, among): (&BTreeSet<&Name>, &BTreeMap<Name, BTreeSet<NodeId>>),
        graph: &StoryGraph,
        (limit, effort): (usize, &mut SearchEffort),
    ) -> Result<PatternRows, Error> {
        let (how, left, right) = match set {
            Set::Pattern(pattern) => return run::rows(pattern, &self.when, (wanted, among), graph, (limit, effort)),
            Set::Join { how, left, right } => (*how, left, right),
        };
        let (left_names, right_names) = (left.variables()?, right.variables()?);
        let common: BTreeSet<&Name> = left_names.intersection(&right_names).copied().collect();
        let needed = |names: &BTreeSet<&Name>| match how {
            Operator::Or => common.iter().filter(|name| names.contains(*name)).copied().collect(),
            _ => {
                let chosen = wanted.iter().chain(&common).filter(|name| names.contains(*name));
                chosen.copied().collect::<BTreeSet<&Name>>()
            }
        };
        let of_right = if how == Operator::Except { common.clone() } else { needed(&right_names) };
        let mut one = self.rows(left, (&needed(&left_names), among), graph, (MOST_ROWS, &mut *effort))?;
        let other = self.rows(right, (&of_right, among), graph, (MOST_ROWS, effort))?;
        if how == Operator::Except && other.cut.is_some() {
            return Err(Error::Invalid(
                "what 'except' takes away is too much to be looked through; restrict it".into(),
            ));
        }
        let common: Vec<Name> = common.into_iter().cloned().collect();
        one.cut = one.cut.or(other.cut);
        match how {
            Operator::And => one.and(&other, &common),
            Operator::Or => one.or(other, &common),
            Operator::Except => one.except(&other, &common),
        }
        Ok(one)
    }
}

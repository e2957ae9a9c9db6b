//! Rows of patterns joined as sets, and the whole query.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::reach::Effort;
use super::{
    Cut, Direction, EdgePattern, Error, Found, Goal, Hops, Limits, Name, NodePattern, Operator, Path, Pattern, Query,
    Row, Set, run,
};
use crate::graph::{NodeId, StoryGraph};

/// Rows with their columns.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) columns: Vec<Name>,
    pub(super) rows: Vec<Row>,
    pub(super) cut: Option<Cut>,
}

/// The most rows of a part of a query.
const MOST_ROWS: usize = 200_000;

impl Query {
    /// Asks the graph.
    ///
    /// Fails if the query makes no sense ([`Error::Invalid`]) or the story does not know one of its names, words,
    /// properties or times.
    pub fn run(&self, graph: &StoryGraph, limits: Limits) -> Result<Found, Error> {
        self.check()?;
        let set = self.rewritten()?;
        let all = set.variables()?;
        let wanted: BTreeSet<&Name> = if self.returns.is_empty() { all } else { self.returns.iter().collect() };
        let limit = self.limit.map_or(limits.rows, |own| own.min(limits.rows));
        let mut effort = Effort { left: limits.work };
        let in_order = matches!(self.goal, Goal::Match);
        let asked = if in_order && matches!(set, Set::Pattern(_)) { limit } else { MOST_ROWS };
        let mut rows = self.rows(&set, &wanted, graph, (asked, &mut effort))?;
        rows.project(&self.columns(&set, &wanted));
        let hops = |row: &Row| row.ties.iter().map(|tie| tie.hops.len()).sum::<usize>();
        rows.rows.sort_by_cached_key(|row| (if in_order { 0 } else { hops(row) }, row.nodes.clone()));
        if rows.rows.len() > limit {
            rows.rows.truncate(limit);
            rows.cut = rows.cut.or(Some(Cut::Rows));
        }
        Ok(Found { columns: rows.columns, rows: rows.rows, cut: rows.cut })
    }

    /// The wanted variables, in the order of `return`, else as they stand in the query.
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

    /// `within` as a pattern of several hops.
    pub(super) fn rewritten(&self) -> Result<Set, Error> {
        let (Goal::Within(most), Set::Pattern(pattern)) = (self.goal, &self.set) else { return Ok(self.set.clone()) };
        let path = &pattern.paths[0];
        let (edge, end) = path.steps.first().cloned().unwrap_or_else(|| {
            (EdgePattern { direction: Direction::Either, ..EdgePattern::default() }, NodePattern::default())
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
        Ok(Set::Pattern(Pattern { paths: vec![Path { start, steps: vec![(edge, end)] }] }))
    }

    fn rows(
        &self,
        set: &Set,
        wanted: &BTreeSet<&Name>,
        graph: &StoryGraph,
        (limit, effort): (usize, &mut Effort),
    ) -> Result<Rows, Error> {
        let (how, left, right) = match set {
            Set::Pattern(pattern) => return run::rows(pattern, &self.when, wanted, graph, (limit, effort)),
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
        let mut one = self.rows(left, &needed(&left_names), graph, (MOST_ROWS, &mut *effort))?;
        let other = self.rows(right, &of_right, graph, (MOST_ROWS, effort))?;
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

impl Rows {
    fn places(&self, names: &[Name]) -> Vec<usize> {
        let place = |name: &Name| self.columns.iter().position(|column| column == name);
        names.iter().filter_map(place).collect()
    }

    /// Keeps these columns, and of rows that become the same the first.
    fn project(&mut self, columns: &[Name]) {
        let places = self.places(columns);
        let mut seen = FxHashSet::default();
        self.rows.retain_mut(|row| {
            row.nodes = key(row, &places);
            seen.insert(row.nodes.clone())
        });
        self.columns = columns.to_vec();
    }

    fn and(&mut self, other: &Self, common: &[Name]) {
        let (here, there) = (self.places(common), other.places(common));
        let mut by_key: FxHashMap<Vec<NodeId>, Vec<&Row>> = FxHashMap::default();
        other.rows.iter().for_each(|row| by_key.entry(key(row, &there)).or_default().push(row));
        let added: Vec<usize> = (0..other.columns.len()).filter(|place| !there.contains(place)).collect();
        let mut joined = Vec::new();
        for row in &self.rows {
            for partner in by_key.get(&key(row, &here)).into_iter().flatten() {
                if joined.len() == MOST_ROWS {
                    self.cut = Some(Cut::Work);
                    break;
                }
                let nodes = [row.nodes.clone(), key(partner, &added)].concat();
                joined.push(Row { nodes, ties: [row.ties.clone(), partner.ties.clone()].concat() });
            }
        }
        self.rows = joined;
        self.columns.extend(added.iter().map(|place| other.columns[*place].clone()));
    }

    fn or(&mut self, mut other: Self, common: &[Name]) {
        self.project(common);
        other.project(common);
        self.rows.append(&mut other.rows);
        self.project(common);
    }

    fn except(&mut self, other: &Self, common: &[Name]) {
        let (here, there) = (self.places(common), other.places(common));
        let taken: FxHashSet<Vec<NodeId>> = other.rows.iter().map(|row| key(row, &there)).collect();
        self.rows.retain(|row| !taken.contains(&key(row, &here)));
    }
}

fn key(row: &Row, places: &[usize]) -> Vec<NodeId> {
    places.iter().map(|place| row.nodes[*place]).collect()
}

//! Backtracking search for a pattern, node by node.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::error::Error;
use super::found::{CutReason, EdgeEvidence, PatternRow};
use super::order::{self, SearchStep};
use super::query::{GraphPattern, Name, When};
use super::reach::{self, Arrivals, ReachCache, SearchEffort};
use super::resolve::PatternPlan;
use super::rows::PatternRows;
use crate::graph::{NodeId, SpanEvaluator, StoryGraph};

/// Returns the rows of one pattern, without duplicates of the `wanted` variables; at most `limit`. `among` restricts
/// variables to nodes.
pub(super) fn rows(
    pattern: &GraphPattern,
    when: &When,
    (wanted, among): (&BTreeSet<&Name>, &BTreeMap<Name, BTreeSet<NodeId>>),
    graph: &StoryGraph,
    (limit, effort): (usize, &mut SearchEffort),
) -> Result<PatternRows, Error> {
    let mut plan = PatternPlan::of(pattern, when, graph)?;
    let holding = when.evaluator(graph)?;
    plan.narrow(graph, &holding);
    plan.restrict(graph, &holding, among);
    let steps = order::steps(&plan, graph);
    let is_wanted = |node: usize| plan.nodes[node].variable.as_ref().is_some_and(|variable| wanted.contains(variable));
    let columns: Vec<usize> = (0..plan.nodes.len()).filter(|node| is_wanted(*node)).collect();
    let free_from = steps.iter().rposition(|step| is_wanted(step.node)).map_or(0, |last| last + 1);
    let mut search = PatternSearch {
        bound: vec![None; plan.nodes.len()],
        graph,
        holding,
        plan: &plan,
        steps: &steps,
        columns: &columns,
        free_from,
        limit,
        effort,
        reached: ReachCache::default(),
        seen: FxHashSet::default(),
        rows: Vec::new(),
        cut: None,
    };
    search.from(0);
    let names = columns.iter().filter_map(|node| plan.nodes[*node].variable.clone()).collect();
    Ok(PatternRows { columns: names, rows: search.rows, cut: search.cut })
}

struct PatternSearch<'a, 'g> {
    plan: &'a PatternPlan<'g>,
    graph: &'g StoryGraph,
    /// The evaluator of property values.
    holding: SpanEvaluator<'g>,
    steps: &'a [SearchStep],
    /// The nodes by which rows are distinguished.
    columns: &'a [usize],
    /// The first step after which no node is wanted, so that a single match is enough.
    free_from: usize,
    limit: usize,
    effort: &'a mut SearchEffort,
    bound: Vec<Option<NodeId>>,
    reached: ReachCache,
    seen: FxHashSet<Vec<NodeId>>,
    rows: Vec<PatternRow>,
    cut: Option<CutReason>,
}

impl PatternSearch<'_, '_> {
    /// Searches the nodes from the given step on; returns whether there is a match.
    fn from(&mut self, step: usize) -> bool {
        let Some(SearchStep { node, over, checks }) = self.steps.get(step) else {
            self.add();
            return true;
        };
        let mut is_found = false;
        for candidate in self.candidates(*node, *over) {
            if self.cut.is_some() {
                break;
            }
            if !self.effort.spend(1) {
                self.cut = Some(CutReason::Work);
                break;
            }
            let is_taken = self.bound.contains(&Some(candidate));
            if is_taken || !self.plan.nodes[*node].fits(candidate, self.graph, &self.holding) {
                continue;
            }
            self.bound[*node] = Some(candidate);
            if checks.iter().all(|edge| self.is_tied(*edge)) {
                is_found |= self.from(step + 1);
            }
            self.bound[*node] = None;
            if is_found && step >= self.free_from {
                break;
            }
        }
        is_found
    }

    fn candidates(&mut self, node: usize, over: Option<usize>) -> Vec<NodeId> {
        let Some(place) = over else { return self.plan.nodes[node].all(self.graph) };
        let link = &self.plan.edges[place];
        let from_first = link.to == node && self.bound[link.from].is_some();
        let here = if from_first { link.from } else { link.to };
        let here = self.bound[here].expect("the step leads over an edge from a node that is found");
        if link.hops.is_one() {
            return reach::neighbours(link, from_first, here, self.graph, self.effort);
        }
        let least = link.hops.least;
        let reached = self.distances(place, from_first, here);
        let far = reached.iter().filter(|(_, arrival)| arrival.hops >= least);
        let mut nodes: Vec<NodeId> = far.map(|(node, _)| *node).collect();
        nodes.sort_unstable();
        nodes
    }

    /// Returns whether the two ends of the edge, both found, are connected.
    fn is_tied(&mut self, place: usize) -> bool {
        let link = &self.plan.edges[place];
        let (Some(from), Some(to)) = (self.bound[link.from], self.bound[link.to]) else { return false };
        if link.hops.is_one() {
            return reach::are_tied(link, from, to, self.graph);
        }
        let least = link.hops.least;
        self.distances(place, true, from).get(&to).is_some_and(|arrival| arrival.hops >= least)
    }

    fn distances(&mut self, place: usize, from_first: bool, node: NodeId) -> Rc<Arrivals> {
        if let Some(known) = self.reached.get(&(place, from_first, node)) {
            return Rc::clone(known);
        }
        let link = &self.plan.edges[place];
        let other = &self.plan.nodes[if from_first { link.to } else { link.from }];
        let wanted = match other.fitting.as_deref() {
            Some([one]) => Some(*one),
            _ => None,
        };
        let found = reach::distances(link, from_first, (node, wanted), self.graph, self.effort);
        let found = Rc::new(found);
        self.reached.insert((place, from_first, node), Rc::clone(&found));
        found
    }

    /// Inserts a row, unless the nodes are a duplicate.
    fn add(&mut self) {
        let bound = |node: usize| self.bound[node].expect("all nodes are found");
        let nodes: Vec<NodeId> = self.columns.iter().map(|node| bound(*node)).collect();
        if self.seen.contains(&nodes) {
            return;
        }
        if self.rows.len() == self.limit {
            self.cut = Some(CutReason::Rows);
            return;
        }
        self.seen.insert(nodes.clone());
        let ends: Vec<_> = self.plan.edges.iter().map(|link| (bound(link.from), bound(link.to))).collect();
        let ties = (0..).zip(ends).map(|(place, (from, to))| self.tie(place, from, to)).collect();
        self.rows.push(PatternRow { nodes, ties });
    }

    /// Returns the evidence for the edge.
    fn tie(&mut self, place: usize, from: NodeId, to: NodeId) -> EdgeEvidence {
        let link = &self.plan.edges[place];
        let nodes = if link.hops.is_one() { vec![from, to] } else { self.way(place, from, to) };
        let hops = nodes.windows(2).map(|pair| reach::between(link, pair[0], pair[1], self.graph)).collect();
        EdgeEvidence { variable: link.variable.clone(), nodes, hops }
    }

    /// Returns a shortest path, reconstructed from the nodes reached from one of the ends.
    fn way(&mut self, place: usize, from: NodeId, to: NodeId) -> Vec<NodeId> {
        if let Some(back) = self.reached.get(&(place, false, to)).filter(|back| back.contains_key(&from)) {
            return reach::way_back(back, from);
        }
        let mut way = reach::way_back(&self.distances(place, true, from), to);
        way.reverse();
        way
    }
}

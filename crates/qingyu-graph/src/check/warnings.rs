//! What a graph may say, but hardly means.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::{END, Graph, START, State};

/// Something in a graph that works, but surely not as it was meant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Warning {
    /// Plain edges lead from one node to another on ways of different lengths, so that it runs in several supersteps.
    #[error("{node} runs twice after {fork}: by {}, and later by {}", path(&ways[0]), path(&ways[1]))]
    RunsTwice {
        /// The node.
        node: String,
        /// Where the ways part.
        fork: String,
        /// Two of the ways, from the fork to the node; the shorter one first.
        ways: [Vec<String>; 2],
    },
    /// Plain edges lead round, and no node in the circle can go elsewhere instead.
    #[error("{} never ends", path(nodes))]
    EndlessLoop {
        /// The circle; its first node stands at its end once more.
        nodes: Vec<String>,
    },
    /// An edge or a join is declared more than once, which changes nothing.
    #[error("{place} is declared twice")]
    DeclaredTwice {
        /// What is declared.
        place: String,
    },
    /// A join waits for one node only, as an edge would.
    #[error("the join into {to} waits for {from} only")]
    JoinOfOne {
        /// The node that it waits for.
        from: String,
        /// The node behind the join.
        to: String,
    },
    /// An edge leads past a join with the same ends, so that the node behind it does not wait.
    #[error("{to} is joined from {from} and others, but an edge from {from} leads there as well")]
    EdgeBesideJoin {
        /// A source of both.
        from: String,
        /// The target of both.
        to: String,
    },
    /// Something is set for a node more than once; only the last counts.
    #[error("{node} has more than one {setting}; only the last counts")]
    Overridden {
        /// The node.
        node: String,
        /// What is set.
        setting: &'static str,
    },
}

impl Warning {
    /// What to do about it.
    pub fn advice(&self) -> String {
        match self {
            Self::RunsTwice { node, ways, .. } => {
                let before = ways.iter().map(|way| way[way.len() - 2].as_str()).collect::<Vec<_>>();
                format!("let {node} wait with a join of {} instead of their edges", before.join(" and "))
            }
            Self::EndlessLoop { nodes } => {
                format!("let a route or a command of one of them choose between {} and the way out", nodes[0])
            }
            Self::DeclaredTwice { .. } => "declare it once".to_owned(),
            Self::JoinOfOne { from, to } => format!("use an edge from {from} to {to}, or name what else it waits for"),
            Self::EdgeBesideJoin { from, to } => format!("leave out the edge from {from} to {to}"),
            Self::Overridden { setting, .. } => format!("keep one {setting}"),
        }
    }
}

/// Everything that looks like a slip in `graph`, which has no mistakes.
pub(crate) fn warnings<S: State>(graph: &Graph<S>) -> Vec<Warning> {
    let mut found = BTreeSet::new();
    repetitions(graph, &mut found);
    needless_joins(graph, &mut found);
    let flow = Flow::of(graph);
    let ranks = flow.ranks();
    flow.endless_loops(&ranks, &mut found);
    flow.double_runs(&ranks, &mut found);
    found.into_iter().collect()
}

fn repetitions<S: State>(graph: &Graph<S>, found: &mut BTreeSet<Warning>) {
    let edges = graph.edges.iter().map(|(from, to)| format!("the edge {from} -> {to}"));
    let joins = graph.joins.iter().map(|(sources, to)| format!("the join {}", crate::blueprint::join_key(sources, to)));
    let mut declared = HashSet::new();
    let twice = edges.chain(joins).filter(|place| !declared.insert(place.clone()));
    found.extend(twice.map(|place| Warning::DeclaredTwice { place }));
    let settings = (graph.retries.iter().map(|(node, _)| (node, "retry policy")))
        .chain(graph.time_limits.iter().map(|(node, _)| (node, "set of time limits")))
        .chain(graph.caches.iter().map(|(node, _)| (node, "cache")))
        .chain(graph.handlers.iter().map(|(node, _)| (node, "error handler")));
    let mut set = HashSet::new();
    let again = settings.filter(|setting| !set.insert(*setting));
    found.extend(again.map(|(node, setting)| Warning::Overridden { node: node.clone(), setting }));
}

fn needless_joins<S: State>(graph: &Graph<S>, found: &mut BTreeSet<Warning>) {
    let edges: HashSet<_> = graph.edges.iter().map(|(from, to)| (from, to)).collect();
    for (sources, to) in &graph.joins {
        let ends = |from: &String| (from.clone(), to.clone());
        if let (Some(from), 1) = (sources.first(), sources.len()) {
            let (from, to) = ends(from);
            found.insert(Warning::JoinOfOne { from, to });
        } else if to != END {
            let beside = sources.iter().filter(|from| edges.contains(&(*from, to))).map(ends);
            found.extend(beside.map(|(from, to)| Warning::EdgeBesideJoin { from, to }));
        }
    }
}

/// Where plain edges lead.
struct Flow<'a> {
    /// The start and the nodes in declaration order.
    nodes: Vec<&'a str>,
    next: HashMap<&'a str, BTreeSet<&'a str>>,
    /// What may go elsewhere than along its edges: by a command, or when it fails.
    may_leave: HashSet<&'a str>,
    /// What does not run when an edge leads to it, but later: deferred nodes, and those behind joins.
    waits: HashSet<&'a str>,
}

impl<'a> Flow<'a> {
    fn of<S: State>(graph: &'a Graph<S>) -> Self {
        let names = graph.nodes.iter().map(|(name, _)| name.as_str());
        let mut next: HashMap<_, BTreeSet<_>> = HashMap::new();
        for (from, to) in graph.edges.iter().filter(|(_, to)| to != END) {
            next.entry(from.as_str()).or_default().insert(to.as_str());
        }
        let commanded = graph.targets.iter().map(|(node, _)| node.as_str());
        let handled = graph.handlers.iter().map(|(node, _)| node.as_str());
        let joined = graph.joins.iter().map(|(_, to)| to.as_str());
        Self {
            nodes: std::iter::once(START).chain(names).collect(),
            next,
            may_leave: commanded.chain(handled).collect(),
            waits: graph.deferred.iter().map(String::as_str).chain(joined).collect(),
        }
    }

    fn next(&self, node: &str) -> impl Iterator<Item = &'a str> {
        self.next.get(node).into_iter().flatten().copied()
    }

    /// What surely runs when `node` has run.
    fn surely_next(&self, node: &str) -> impl Iterator<Item = &'a str> {
        let surely = !self.may_leave.contains(node);
        self.next(node).filter(move |_| surely)
    }

    /// Numbers the nodes so that what surely follows has a higher number. Endless loops and what comes after them have
    /// none.
    fn ranks(&self) -> HashMap<&'a str, usize> {
        let mut before: HashMap<&str, usize> = HashMap::new();
        for next in self.nodes.iter().flat_map(|node| self.surely_next(node)) {
            *before.entry(next).or_default() += 1;
        }
        let mut ready: Vec<_> = self.nodes.iter().copied().filter(|node| !before.contains_key(node)).collect();
        let mut done = 0;
        while let Some(&node) = ready.get(done) {
            done += 1;
            for next in self.surely_next(node) {
                let open = before.get_mut(next).expect("what follows something was counted");
                *open -= 1;
                if *open == 0 {
                    ready.push(next);
                }
            }
        }
        ready.into_iter().zip(0..).collect()
    }

    fn endless_loops(&self, ranks: &HashMap<&str, usize>, found: &mut BTreeSet<Warning>) {
        let mut before: HashMap<&str, &str> = HashMap::new();
        let unranked = || self.nodes.iter().copied().filter(|node| !ranks.contains_key(node));
        for node in unranked() {
            for next in self.surely_next(node) {
                before.entry(next).or_insert(node);
            }
        }
        // Before everything without a number is something without a number: going back leads into a circle.
        let mut known = HashSet::new();
        for node in unranked() {
            let mut path = Vec::new();
            let mut at = node;
            while known.insert(at) {
                path.push(at);
                at = before[at];
            }
            if let Some(first) = path.iter().position(|node| *node == at) {
                let mut nodes: Vec<_> = path[first..].iter().rev().map(ToString::to_string).collect();
                nodes.rotate_right(1);
                nodes.push(at.to_owned());
                found.insert(Warning::EndlessLoop { nodes });
            }
        }
    }

    fn double_runs(&self, ranks: &HashMap<&'a str, usize>, found: &mut BTreeSet<Warning>) {
        let mut known = HashSet::new();
        for &fork in self.nodes.iter().filter(|node| self.next(node).nth(1).is_some()) {
            for (node, ways) in self.runs_twice(fork, ranks) {
                if known.insert(node) {
                    found.insert(Warning::RunsTwice { node: node.to_owned(), fork: fork.to_owned(), ways });
                }
            }
        }
    }

    /// What plain edges from `fork` come to at different times, on ways that part there.
    ///
    /// Follows them in the order of `ranks`: when a node is come to, all ways to it are known. Nothing is followed
    /// beyond a node that may go elsewhere, waits, or runs twice itself.
    fn runs_twice(&self, fork: &'a str, ranks: &HashMap<&'a str, usize>) -> Vec<(&'a str, [Vec<String>; 2])> {
        let mut found = Vec::new();
        let mut passed: HashMap<&str, Arrival<'_>> = HashMap::new();
        let mut due: BTreeMap<usize, (&str, Vec<Arrival<'_>>)> = BTreeMap::new();
        let lead = |due: &mut BTreeMap<_, (_, Vec<_>)>, arrival, next: &'a str| {
            if let Some(rank) = ranks.get(next).filter(|_| next != fork) {
                due.entry(*rank).or_insert((next, Vec::new())).1.push(arrival);
            }
        };
        self.next(fork).for_each(|next| lead(&mut due, Arrival { from: fork, superstep: 1 }, next));
        while let Some((_, (node, arrivals))) = due.pop_first() {
            if self.waits.contains(node) {
                continue;
            }
            let first = arrivals.iter().min_by_key(|arrival| arrival.superstep);
            let last = arrivals.iter().max_by_key(|arrival| arrival.superstep);
            let (&first, &last) = first.zip(last).expect("what is due was come to");
            if first.superstep == last.superstep {
                passed.insert(node, first);
                let arrival = Arrival { from: node, superstep: first.superstep + 1 };
                self.surely_next(node).for_each(|next| lead(&mut due, arrival, next));
                continue;
            }
            let ways = [first, last].map(|arrival| arrival.way(node, fork, &passed));
            let inner: HashSet<_> = ways[0][1..].iter().filter(|step| *step != node).collect();
            // Else they part later, at another fork.
            if !ways[1][1..].iter().any(|step| inner.contains(step)) {
                found.push((node, ways));
            }
        }
        found
    }
}

/// How a node is come to.
#[derive(Clone, Copy)]
struct Arrival<'a> {
    from: &'a str,
    /// Counted from the fork.
    superstep: usize,
}

impl Arrival<'_> {
    /// The nodes from `fork` to `node`.
    fn way(self, node: &str, fork: &str, passed: &HashMap<&str, Self>) -> Vec<String> {
        let mut way = vec![node.to_owned(), self.from.to_owned()];
        let mut at = self.from;
        while at != fork {
            at = passed[at].from;
            way.push(at.to_owned());
        }
        way.reverse();
        way
    }
}

fn path(nodes: &[String]) -> String {
    nodes.join(" -> ")
}

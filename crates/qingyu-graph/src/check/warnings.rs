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
    let order = flow.order();
    flow.endless_loops(&order, &mut found);
    flow.double_runs(&order, &mut found);
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

    /// The nodes, each before what surely follows it; without endless loops and what comes after them.
    fn order(&self) -> Vec<&'a str> {
        let mut before: HashMap<&str, usize> = HashMap::new();
        for next in self.nodes.iter().flat_map(|node| self.surely_next(node)) {
            *before.entry(next).or_default() += 1;
        }
        let mut order: Vec<_> = self.nodes.iter().copied().filter(|node| !before.contains_key(node)).collect();
        let mut done = 0;
        while let Some(&node) = order.get(done) {
            done += 1;
            for next in self.surely_next(node) {
                let open = before.get_mut(next).expect("what follows something was counted");
                *open -= 1;
                if *open == 0 {
                    order.push(next);
                }
            }
        }
        order
    }

    fn endless_loops(&self, order: &[&str], found: &mut BTreeSet<Warning>) {
        let ordered: HashSet<_> = order.iter().copied().collect();
        let rest: Vec<_> = self.nodes.iter().copied().filter(|node| !ordered.contains(node)).collect();
        let mut before = HashMap::new();
        for &node in &rest {
            for next in self.surely_next(node) {
                before.entry(next).or_insert(node);
            }
        }
        // Before all that has no place in the order is something else that has none: going back leads into a circle.
        let mut known = HashSet::new();
        for node in rest {
            let mut way = Vec::new();
            let mut at = node;
            while known.insert(at) {
                way.push(at);
                at = before[at];
            }
            if let Some(first) = way.iter().position(|node| *node == at) {
                let mut nodes: Vec<_> = way[first..].iter().rev().map(ToString::to_string).collect();
                nodes.rotate_right(1);
                nodes.push(at.to_owned());
                found.insert(Warning::EndlessLoop { nodes });
            }
        }
    }

    /// Finds what is come to from one origin at different times.
    ///
    /// A node that is surely come to has the origins of those before it, one superstep later. The start, and what may
    /// go elsewhere or waits, is an origin of its own: nobody knows when it runs. What runs twice counts as if it
    /// waited, so that what merely follows from it is not told.
    fn double_runs(&self, order: &[&'a str], found: &mut BTreeSet<Warning>) {
        let mut before: HashMap<&str, Vec<&str>> = HashMap::new();
        for &node in &self.nodes {
            self.next(node).for_each(|next| before.entry(next).or_default().push(node));
        }
        let mut origins: HashSet<_> = self.may_leave.union(&self.waits).copied().collect();
        let mut known = Arrivals::new();
        for &node in order.iter().filter(|node| !self.waits.contains(*node)) {
            let mut arrivals: BTreeMap<&str, Vec<Arrival<'_>>> = BTreeMap::new();
            for &from in before.get(node).into_iter().flatten() {
                if origins.contains(from) {
                    arrivals.entry(from).or_default().push(Arrival { from, superstep: 1 });
                    continue;
                }
                for (origin, Arrival { superstep, .. }) in known.get(from).into_iter().flatten() {
                    arrivals.entry(origin).or_default().push(Arrival { from, superstep: superstep + 1 });
                }
            }
            if arrivals.is_empty() {
                origins.insert(node);
            }
            let mut ways = None;
            let last_of = |(origin, mut arrivals): (&'a str, Vec<Arrival<'a>>)| {
                arrivals.sort_by_key(|arrival| arrival.superstep);
                let [first, last] = [arrivals[0], arrivals[arrivals.len() - 1]];
                // What comes back to its origin is a loop, and meant.
                if ways.is_none() && first.superstep < last.superstep && origin != node {
                    ways = Some(part(node, origin, [first, last], &known));
                }
                (origin, last)
            };
            let arrivals = arrivals.into_iter().map(last_of).collect();
            known.insert(node, arrivals);
            if let Some(ways) = ways {
                let [short, _] = &ways;
                let (fork, node) = (short[0].clone(), node.to_owned());
                found.insert(Warning::RunsTwice { node, fork, ways });
            }
        }
    }
}

/// By node and origin.
type Arrivals<'a> = HashMap<&'a str, BTreeMap<&'a str, Arrival<'a>>>;

/// How a node is come to from an origin.
#[derive(Clone, Copy)]
struct Arrival<'a> {
    from: &'a str,
    /// Counted from the origin.
    superstep: usize,
}

/// Two ways to `node`, from where they part last; the shorter one must come first.
fn part(node: &str, origin: &str, arrivals: [Arrival<'_>; 2], known: &Arrivals<'_>) -> [Vec<String>; 2] {
    let mut at = arrivals;
    let mut ways = at.map(|arrival| vec![node, arrival.from]);
    while at[0].from != at[1].from {
        // Going back from what is later, they meet where they part.
        let later = usize::from(at[1].superstep >= at[0].superstep);
        at[later] = known[at[later].from][origin];
        ways[later].push(at[later].from);
    }
    ways.map(|way| way.into_iter().rev().map(str::to_owned).collect())
}

fn path(nodes: &[String]) -> String {
    nodes.join(" -> ")
}

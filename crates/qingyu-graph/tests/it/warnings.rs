//! What compiles, but is hardly meant.

use std::future::{Ready, ready};
use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use qingyu_graph::{Context, END, Graph, GraphWarning, NodeError, RetryPolicy, START, TimeLimits};

use crate::board::{Board, BoardUpdate, log};

/// Logs its name, which has one letter.
fn logger(name: char) -> impl Fn(Arc<Board>, Context) -> Ready<Result<BoardUpdate, NodeError>> + Send + Sync {
    move |_, _| ready(Ok(log(name)))
}

async fn node(_: Arc<Board>, _: Context) -> Result<(), NodeError> {
    Ok(())
}

/// A graph of plain edges, `a -> b`; START and END are `^` and `$`. Nodes are declared as they are named first.
fn graph(edges: &[&str]) -> Graph<Board> {
    let mut graph = Graph::new("g");
    let mut known = vec!["^", "$"];
    let name = |short| match short {
        "^" => START,
        "$" => END,
        name => name,
    };
    for edge in edges {
        let path: Vec<_> = edge.split(" -> ").collect();
        for &short in &path {
            if !known.contains(&short) {
                known.push(short);
                graph = graph.node(short, node);
            }
        }
        for pair in path.windows(2) {
            graph = graph.edge(name(pair[0]), name(pair[1]));
        }
    }
    graph
}

fn warnings(graph: Graph<Board>) -> Vec<String> {
    graph.compile().unwrap().warnings().iter().map(GraphWarning::to_string).collect()
}

#[test]
fn c04_a_node_that_plain_edges_reach_at_different_times_is_warned_about() {
    let cases: [(&[&str], &[&str]); 9] = [
        (
            &["^ -> a -> b -> d -> $", "a -> c -> c2 -> d"],
            &["d runs twice after a: by a -> b -> d, and later by a -> c -> c2 -> d"],
        ),
        // The start is a fork, too.
        (
            &["^ -> a -> d -> $", "^ -> b -> b2 -> d"],
            &["d runs twice after __start__: by __start__ -> a -> d, and later by __start__ -> b -> b2 -> d"],
        ),
        // A way may be a single edge.
        (&["^ -> a -> b -> d -> $", "a -> d"], &["d runs twice after a: by a -> d, and later by a -> b -> d"]),
        // What follows from it is not told again, nor what a fork before the fork has to do with it.
        (
            &["^ -> a -> b -> d -> e -> $", "b -> c -> d", "a -> z -> $"],
            &["d runs twice after b: by b -> d, and later by b -> c -> d"],
        ),
        // Unless it would happen all the same if the first waited.
        (
            &["^ -> a -> b -> d -> e -> f -> $", "a -> d", "b -> f"],
            &[
                "d runs twice after a: by a -> d, and later by a -> b -> d",
                "f runs twice after b: by b -> f, and later by b -> d -> e -> f",
            ],
        ),
        // Two that have nothing to do with each other.
        (
            &["^ -> a -> b -> c -> $", "a -> c", "^ -> x -> y -> z -> $", "x -> z"],
            &[
                "c runs twice after a: by a -> c, and later by a -> b -> c",
                "z runs twice after x: by x -> z, and later by x -> y -> z",
            ],
        ),
        // Of three ways the shortest and the longest.
        (
            &["^ -> a -> d -> $", "a -> b -> d", "a -> c -> c2 -> d"],
            &["d runs twice after a: by a -> d, and later by a -> c -> c2 -> d"],
        ),
        // Ways of one length end in one superstep.
        (&["^ -> a -> b -> d -> $", "a -> c -> d"], &[]),
        // The end does not run.
        (&["^ -> a -> b -> $", "a -> $"], &[]),
    ];
    for (edges, expected) in cases {
        assert_eq!(warnings(graph(edges)), expected, "{edges:?}");
    }
}

#[test]
fn c04_what_waits_or_may_not_come_is_not_warned_about() {
    let uneven = || graph(&["^ -> a -> b -> d -> $", "a -> c -> c2 -> d"]);
    let open = || graph(&["^ -> a -> b", "a -> c -> c2", "b -> d -> $"]);
    let cases = [
        ("deferred", uneven().defer("d")),
        ("behind a deferred node", uneven().defer("c2")),
        ("joined", graph(&["^ -> a -> b", "a -> c -> c2", "d -> $"]).join(["b", "c2"], "d")),
        ("joined and reached", graph(&["^ -> a -> b", "a -> c -> c2", "a -> x -> y -> d -> $"]).join(["b", "c2"], "d")),
        ("a command may lead elsewhere", uneven().targets("c", [END])),
        ("a handler may take over", uneven().node("h", node).on_error("b", "h").edge("h", END)),
        ("a route may not choose it", open().route("c2", ["d", END], |_| [END])),
        ("a loop by a route", graph(&["^ -> a -> b -> c"]).route("c", ["a", END], |_| [END])),
        ("a loop by a command", graph(&["^ -> a -> b -> a"]).targets("b", [END])),
        ("a loop with a fork", graph(&["^ -> a -> b -> d", "a -> c -> d"]).route("d", ["a", END], |_| [END])),
        ("a loop back to the fork", graph(&["^ -> a -> b -> a", "a -> c -> c2 -> a"]).targets("a", [END])),
        ("a handler that leads back", graph(&["^ -> a -> b -> $", "h -> a"]).on_error("b", "h")),
    ];
    for (what, graph) in cases {
        assert_eq!(warnings(graph), [""; 0], "{what}");
    }
}

proptest! {
    /// A graph of plain edges without loops: what is warned about is what happens.
    #[test]
    fn c04_a_warning_tells_what_happens(edges in prop::collection::btree_set((0_usize..7, 1_usize..7), 0..16)) {
        let edges: Vec<_> = edges.into_iter().filter(|(from, to)| from < to).collect();
        let names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
        let mut graph = Graph::<Board>::new("g");
        for (index, name) in names.into_iter().enumerate() {
            graph = graph.node(name, logger(name));
            if edges.iter().all(|(_, to)| *to != index) {
                graph = graph.edge(START, name);
            }
            if edges.iter().all(|(from, _)| *from != index) {
                graph = graph.edge(name, END);
            }
        }
        for (from, to) in edges {
            graph = graph.edge(names[from], names[to]);
        }
        let graph = graph.compile().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let log = runtime.block_on(graph.run(Board::update())).unwrap().log;
        let runs = |node: &str| log.iter().filter(|logged| *logged == node).count();
        for warning in graph.warnings() {
            let GraphWarning::RunsTwice { node, .. } = warning else { panic!("{warning}") };
            prop_assert!(runs(node) > 1, "{warning}, but {log:?}");
        }
        let runs_once = names.iter().all(|name| runs(&name.to_string()) == 1);
        prop_assert_eq!(runs_once, graph.warnings().is_empty(), "{:?}", log);
    }
}

#[test]
fn c04_the_advice_is_a_join_and_the_join_needs_none() {
    let uneven = graph(&["^ -> a -> b -> d -> $", "a -> c -> c2 -> d"]).compile().unwrap();
    let [warning] = uneven.warnings() else { panic!("there is one warning") };
    let ways = [vec!["a", "b", "d"], vec!["a", "c", "c2", "d"]].map(|way| way.into_iter().map(str::to_owned).collect());
    assert_eq!(*warning, GraphWarning::RunsTwice { node: "d".to_owned(), fork: "a".to_owned(), ways });
    assert_eq!(warning.advice(), "let d wait with a join of b and c2 instead of their edges");
}

#[test]
fn a_loop_that_nothing_leaves_is_warned_about() {
    let cases: [(Graph<Board>, &[&str]); 5] = [
        (graph(&["^ -> a -> b -> c -> a", "c -> $"]), &["a -> b -> c -> a never ends"]),
        // A route leads on as well, but the edge leads back all the same.
        (graph(&["^ -> a -> b -> a"]).route("b", ["a", END], |_| [END]), &["a -> b -> a never ends"]),
        (graph(&["^ -> a -> a -> $"]), &["a -> a never ends"]),
        // What follows runs for ever, but is not the reason.
        (graph(&["^ -> a -> a -> b -> c -> $", "a -> c"]), &["a -> a never ends"]),
        (
            graph(&["^ -> x -> y -> x -> $", "^ -> a -> b -> a -> $"]),
            &["a -> b -> a never ends", "x -> y -> x never ends"],
        ),
    ];
    for (graph, expected) in cases {
        assert_eq!(warnings(graph), expected);
    }
}

#[test]
fn what_is_declared_for_nothing_is_warned_about() {
    let line = || graph(&["^ -> a -> b -> $"]);
    let short = Duration::from_secs(1);
    let limits = TimeLimits::default;
    let two = || graph(&["^ -> a", "^ -> b", "c -> $"]).join(["a", "b"], "c");
    let cases: [(Graph<Board>, &[&str]); 10] = [
        (line(), &[]),
        (two(), &[]),
        (line().edge("a", "b"), &["the edge a -> b is declared twice"]),
        (two().join(["b", "a"], "c"), &["the join a + b -> c is declared twice"]),
        (line().node("c", node).join(["b"], "c").edge("c", END), &["the join into c waits for b only"]),
        (two().edge("a", "c"), &["c is joined from a and others, but an edge from a leads there as well"]),
        (
            line().retry("a", RetryPolicy::default()).retry("a", RetryPolicy::default()),
            &["a has more than one retry policy; only the last counts"],
        ),
        (
            line().time_limits("a", limits()).time_limits("a", limits()),
            &["a has more than one set of time limits; only the last counts"],
        ),
        (
            line().cache("a", short, |board| board.x).cache("a", short, |_| ()),
            &["a has more than one cache; only the last counts"],
        ),
        (line().on_error("a", "b").on_error("a", "a"), &["a has more than one error handler; only the last counts"]),
    ];
    for (graph, expected) in cases {
        assert_eq!(warnings(graph), expected);
    }
}

#[test]
fn c04_compiling_logs_each_warning_once() {
    let log = tempfile::NamedTempFile::new().unwrap();
    let subscriber = tracing_subscriber::fmt().without_time().with_ansi(false).with_writer(log.reopen().unwrap());
    let graph = graph(&["^ -> a -> b -> d -> $", "a -> d", "a -> d"]);
    let compiled = tracing::subscriber::with_default(subscriber.finish(), || graph.compile().unwrap());
    let logged = std::fs::read_to_string(log.path()).unwrap();
    let lines: Vec<_> = logged.lines().collect();
    assert_eq!(lines.len(), compiled.warnings().len(), "{logged}");
    for (line, warning) in lines.iter().zip(compiled.warnings()) {
        assert!(line.trim_start().starts_with("WARN") && line.contains(&warning.to_string()), "{line}");
        assert!(line.contains("graph=\"g\"") && line.contains(&warning.advice()), "{line}");
    }
}

//! What is found before a graph runs.

use std::sync::Arc;
use std::time::Duration;

use qingyu_graph::{Context, END, Error, Graph, GraphProblem, NodeError, RetryPolicy, START, TimeLimits};

use crate::board::Board;

async fn node(_: Arc<Board>, _: Context) -> Result<(), NodeError> {
    Ok(())
}

fn problems(graph: Graph<Board>) -> Vec<String> {
    match graph.compile() {
        Err(Error::InvalidGraph { problems, .. }) => problems.iter().map(GraphProblem::to_string).collect(),
        other => panic!("it should not compile: {other:?}"),
    }
}

#[test]
fn c53_mistakes_are_found_at_compile_time() {
    let line = || Graph::<Board>::new("g").node("a", node).edge(START, "a").edge("a", END);
    assert_eq!(line().compile().unwrap().name(), "g");
    let cases: [(Graph<Board>, &str); 26] = [
        (Graph::new("g"), "nothing follows the start"),
        (Graph::new("g").node("a", node).edge("a", END), "nothing follows the start"),
        (line().node("a", node), "there are two nodes a"),
        (line().node(END, node), "a node cannot be called \"__end__\""),
        (line().node(START, node), "a node cannot be called \"__start__\""),
        (line().node("", node), "a node cannot be called \"\""),
        (line().node("a#1", node), "a node cannot be called \"a#1\""),
        (line().edge("a", "b"), "the edge a -> b names the unknown node b"),
        (line().edge("b", "a"), "the edge b -> a names the unknown node b"),
        (line().edge(END, "a"), "the edge __end__ -> a leaves the end"),
        (line().edge("a", START), "the edge a -> __start__ leads to the start"),
        (line().route("a", ["b"], |_| ["b"]), "the route of a names the unknown node b"),
        (line().route("a", [""; 0], |_| [END]), "the route of a is empty"),
        (line().targets("a", ["b"]), "the list of targets of a names the unknown node b"),
        (line().retry("b", RetryPolicy::default()), "a retry policy names the unknown node b"),
        (line().defer("b"), "the list of deferred nodes names the unknown node b"),
        (line().pause_before("b"), "a breakpoint names the unknown node b"),
        (line().pause_after("b"), "a breakpoint names the unknown node b"),
        (line().cache("b", Duration::MAX, |board| board.x), "a cache names the unknown node b"),
        (line().time_limits("b", TimeLimits::default()), "a time limit names the unknown node b"),
        (line().on_error("b", "a"), "an error handler names the unknown node b"),
        (line().on_error("a", END), "an error handler names the unknown node __end__"),
        (line().join([START, "a"], END), "the join into __end__ names the unknown node __start__"),
        (line().join(["a", "b"], END), "the join into __end__ names the unknown node b"),
        (line().node("b", node).edge("b", END), "b cannot be reached"),
        (line().node("b", node).edge("a", "b").edge("b", "b"), "there is no way from b to the end"),
    ];
    for (graph, expected) in cases {
        assert_eq!(problems(graph), [expected]);
    }
}

#[test]
fn c53_a_join_with_an_unreachable_source_is_found() {
    let graph = Graph::<Board>::new("g")
        .node("a", node)
        .node("b", node)
        .node("c", node)
        .edge(START, "a")
        .join(["a", "b"], "c")
        .edge("c", "b")
        .edge("c", END);
    assert_eq!(problems(graph), ["b cannot be reached", "c cannot be reached"]);
}

#[test]
fn all_mistakes_are_reported_together() {
    let graph = Graph::<Board>::new("g").node("a", node).edge(START, "x").edge("y", "a");
    let error = graph.compile().unwrap_err().to_string();
    insta::assert_snapshot!(error, @"the graph g has 2 mistakes: the edge __start__ -> x names the unknown node x; the edge y -> a names the unknown node y");
}

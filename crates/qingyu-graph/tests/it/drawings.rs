//! How graphs look, as text and as pictures.

use std::sync::Arc;

use qingyu_graph::drawing::{Captions, DrawingEdge, DrawingEdgeKind, GraphDrawing, Node};
use qingyu_graph::{Command, Context, END, Goto, Graph, NodeError, START};

use crate::board::{Board, log};

async fn node(_: Arc<Board>, _: Context) -> Result<(), NodeError> {
    Ok(())
}

#[track_caller]
fn check(name: &str, drawing: &GraphDrawing) {
    insta::assert_snapshot!(format!("{name}_mermaid"), drawing.mermaid());
    insta::assert_snapshot!(format!("{name}_svg"), drawing.svg());
}

fn chain() -> Graph<Board> {
    Graph::<Board>::new("chain")
        .node("outline", node)
        .node("draft", node)
        .edge(START, "outline")
        .edge("outline", "draft")
        .edge("draft", END)
}

fn router() -> Graph<Board> {
    Graph::<Board>::new("router")
        .node("审校", node)
        .node("plot \"A\"", node)
        .node("cast", node)
        .node("sum up", node)
        .defer("sum up")
        .edge(START, "审校")
        .route("审校", ["plot \"A\"", "cast", "审校"], |_| ["cast"])
        .join(["plot \"A\"", "cast"], "sum up")
        .on_error("cast", "plot \"A\"")
        .route("sum up", ["审校", END], |_| [END])
}

#[test]
fn c52_a_chain_is_drawn() {
    let graph = chain().compile().unwrap();
    check("chain", graph.drawing());
    assert_eq!(graph.mermaid(), graph.drawing().mermaid());
}

#[test]
fn c52_a_router_is_drawn() {
    check("router", router().compile().unwrap().drawing());
}

#[test]
fn c52_sends_are_drawn() {
    let graph = Graph::<Board>::new("send")
        .node("list", node)
        .node("write", node)
        .node("bind", node)
        .edge(START, "list")
        .route("list", ["write"], |_| (0..3).map(|chapter| Goto::send("write", chapter)))
        .edge("write", "bind")
        .edge("bind", END);
    check("send", graph.compile().unwrap().drawing());
}

#[test]
fn c52_targets_of_commands_are_drawn() {
    let graph = Graph::<Board>::new("command")
        .node("plan", |_: Arc<Board>, _: Context| async {
            Ok::<_, NodeError>(Command::update(log("plan")).goto(["write"]))
        })
        .node("write", node)
        .node("ask", node)
        .edge(START, "plan")
        .targets("plan", ["write", "ask", END])
        .edge("write", "plan")
        .targets("ask", ["plan", "ask"]);
    check("command", graph.compile().unwrap().drawing());
}

#[test]
fn c52_subgraphs_are_drawn_in_their_nodes() {
    let of = |graph: Graph<Board>| graph.compile().unwrap().drawing().clone();
    let within = |mut outer: GraphDrawing, place: usize, inner: GraphDrawing| {
        outer.nodes[place].subgraph = Some(Box::new(inner));
        outer
    };
    let review = within(of(router()), 1, of(chain()));
    let book = Graph::<Board>::new("book")
        .node("brief", node)
        .node("write", node)
        .node("review", node)
        .defer("review")
        .edge(START, "brief")
        .edge("brief", "write")
        .edge("brief", "review")
        .edge("write", END)
        .route("review", ["brief", END], |_| [END]);
    check("nested", &within(within(of(book), 1, of(chain())), 2, review));
}

#[test]
fn what_is_told_twice_is_drawn_once() {
    let twice = chain().edge("draft", END).edge("outline", "draft");
    assert_eq!(twice.compile().unwrap().drawing(), chain().compile().unwrap().drawing());
    let handlers = |graph: Graph<Board>| {
        let drawing = graph.compile().unwrap().drawing().clone();
        drawing
            .connections
            .into_iter()
            .filter(|way| way.kind == DrawingEdgeKind::Error)
            .map(|way| way.to)
            .collect::<Vec<_>>()
    };
    assert_eq!(handlers(chain().on_error("outline", "outline").on_error("outline", "draft")), ["draft"]);
}

#[test]
fn names_cannot_break_out_of_a_drawing() {
    let name = "]<script>&\"'`#35;\u{1}\u{fffe}\n-->";
    let connection =
        |from: &str, to: &str| DrawingEdge { from: vec![from.into()], to: to.into(), kind: DrawingEdgeKind::Edge };
    let nodes = vec![Node { name: name.to_owned(), is_deferred: false, subgraph: None }];
    let drawing = GraphDrawing { name: name.to_owned(), nodes, connections: vec![connection(START, name)] };
    insta::assert_snapshot!(drawing.mermaid(), @r#"
    flowchart TD
        start([start])
        n0["]#60;script#62;#38;#quot;'#96;#35;35;   --#62;"]
        start --> n0
    "#);
    let svg = drawing.svg();
    assert_eq!(svg.matches("]&lt;script&gt;&amp;\"'`#35;   --&gt;<").count(), 3, "{svg}");
    assert!(!svg.contains("<script"));
}

#[test]
fn a_long_name_is_cut_but_told() {
    let name = "第一章".repeat(30);
    let nodes = vec![Node { name: name.clone(), is_deferred: false, subgraph: None }];
    let svg = GraphDrawing { name: "long".to_owned(), nodes, connections: Vec::new() }.svg();
    assert!(svg.contains(&format!("<title>{name}</title>")));
    assert!(svg.contains(">第一章第一章第一章第一章第一章第一章第…</text>"), "{svg}");
}

#[test]
fn captions_are_in_any_language() {
    let drawing = router().compile().unwrap().drawing().clone();
    let captions = Captions { join: "汇合".to_owned(), deferred: "延后".to_owned(), ..Captions::default() };
    let svg = drawing.svg_with(&captions);
    for caption in ["edge", "汇合", "route", "error", "延后"] {
        assert!(svg.contains(&format!(">{caption}</text>")), "{caption}");
    }
    assert!(!svg.contains(">command</text>"), "what is not used needs no explanation");
    assert!(!chain().compile().unwrap().drawing().svg().contains(">edge</text>"));
}

#[test]
fn c52_a_subgraph_is_drawn_where_it_is_called() {
    let chain = chain().compile().unwrap();
    let inner = chain.drawing().clone();
    let graph = Graph::<Board>::new("outer")
        .node("brief", node)
        .subgraph("write", chain, |_, _| Ok(Board::update()), |_| ())
        .edge(START, "brief")
        .edge("brief", "write")
        .edge("write", END);
    let drawing = graph.compile().unwrap().drawing().clone();
    assert_eq!(drawing.nodes.into_iter().map(|node| node.subgraph).collect::<Vec<_>>(), [None, Some(Box::new(inner))]);
}

/// Three ways from a node to itself, a subgraph that is narrower than its title, two deferred nodes, and connections that
/// pass others by.
#[test]
fn c52_all_that_can_be_in_a_drawing_is_drawn() {
    let to = |from: &str, to: &str, kind: DrawingEdgeKind| DrawingEdge {
        from: vec![from.to_owned()],
        to: to.to_owned(),
        kind,
    };
    let node = |name: &str, is_deferred| Node { name: name.to_owned(), is_deferred, subgraph: None };
    let inner = GraphDrawing {
        name: "inner".to_owned(),
        nodes: vec![node("a", true)],
        connections: vec![to(START, "a", DrawingEdgeKind::Edge), to("a", END, DrawingEdgeKind::Edge)],
    };
    let titled = Node { subgraph: Some(Box::new(inner)), ..node("a title that is wider than what is inside", false) };
    let title = titled.name.clone();
    let drawing = GraphDrawing {
        name: "all".to_owned(),
        nodes: vec![node("plan", false), titled, node("考证与润色", true), node("b", false), node("c", false)],
        connections: vec![
            to(START, "plan", DrawingEdgeKind::Edge),
            to("plan", "plan", DrawingEdgeKind::Route),
            to("plan", "plan", DrawingEdgeKind::Command),
            to("plan", "plan", DrawingEdgeKind::Error),
            to("plan", &title, DrawingEdgeKind::Edge),
            to("plan", "b", DrawingEdgeKind::Route),
            to("plan", "c", DrawingEdgeKind::Error),
            to("plan", END, DrawingEdgeKind::Command),
            to("b", "c", DrawingEdgeKind::Edge),
            DrawingEdge {
                from: vec![title.clone(), "c".to_owned()],
                to: "考证与润色".to_owned(),
                kind: DrawingEdgeKind::Join,
            },
            to("考证与润色", "plan", DrawingEdgeKind::Route),
            to("考证与润色", "b", DrawingEdgeKind::Edge),
            to("考证与润色", END, DrawingEdgeKind::Edge),
        ],
    };
    check("all", &drawing);
}

#[test]
fn a_deferred_node_is_explained_wherever_it_is() {
    let node = |name: &str, is_deferred| Node { name: name.to_owned(), is_deferred, subgraph: None };
    let drawing = |nodes| GraphDrawing { name: "drawing".to_owned(), nodes, connections: Vec::new() };
    let captions = Captions { deferred: "put off".to_owned(), ..Captions::default() };
    for which in 0..8 {
        let [beside, outside, inside] = [1, 2, 4].map(|bit| which & bit != 0);
        let inner = drawing(vec![node("inside", inside)]);
        let subgraph = Node { subgraph: Some(Box::new(inner)), ..node("subgraph", outside) };
        let svg = drawing(vec![node("beside", beside), subgraph]).svg_with(&captions);
        assert_eq!(svg.contains("put off"), which != 0, "{which}");
    }
}

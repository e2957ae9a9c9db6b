//! Threads that an older version of a graph has left behind.

use std::sync::Arc;

use qingyu_graph::{CompiledGraph, Context, END, Error, Graph, Migration, NodeError, Page, START, State};
use serde_json::json;

use crate::board::{Board, BoardUpdate, Counter, done, log, on_every_store, waiting};

type Written = Result<BoardUpdate, NodeError>;

/// What [`Board`] has become.
#[derive(Debug, Clone, Default, PartialEq, State)]
struct Sheet {
    /// Was `x`, a number.
    score: String,
    #[channel(append)]
    lines: Vec<String>,
}

/// `write` finishes, `review` has paid for something and asks.
fn old(paid: &Counter) -> CompiledGraph<Board> {
    let paid = paid.clone();
    Graph::<Board>::new("book")
        .version("1")
        .node("write", |_: Arc<Board>, _: Context| async { Written::Ok(log("written").x(3)) })
        .node("review", move |_: Arc<Board>, context: Context| {
            let paid = paid.clone();
            async move {
                context.step("paid", "x", async || Ok::<_, NodeError>(paid.call())).await?;
                let answer: String = context.ask("verdict", "?").await?;
                Written::Ok(log(answer))
            }
        })
        .node("beside", |_: Arc<Board>, _: Context| async { Written::Ok(log("beside").x(4)) })
        .edge(START, "write")
        .edge("write", "review")
        .edge("write", "beside")
        .join(["review", "beside"], END)
        .compile()
        .unwrap()
}

/// The same with other names, and a node behind a join.
fn new(paid: &Counter) -> Graph<Sheet> {
    let paid = paid.clone();
    let wrote = |text: &str| Ok::<_, NodeError>(Sheet::update().lines(vec![text.to_owned()]));
    Graph::<Sheet>::new("book")
        .version("3")
        .node("write", move |_: Arc<Sheet>, _: Context| async move { wrote("written") })
        .node("critic", move |_: Arc<Sheet>, context: Context| {
            let paid = paid.clone();
            async move {
                context.step("paid", "x", async || Ok::<_, NodeError>(paid.call())).await?;
                let answer: String = context.ask("verdict", "?").await?;
                wrote(&answer)
            }
        })
        .node("beside", move |_: Arc<Sheet>, _: Context| async move { wrote("beside") })
        .node("end", move |sheet: Arc<Sheet>, _: Context| async move { wrote(&format!("score {}", sheet.score)) })
        .edge(START, "write")
        .edge("write", "critic")
        .edge("write", "beside")
        .edge("critic", "end")
        .edge("end", END)
        .edge("beside", END)
}

fn renamed() -> Migration {
    Migration::new("1", "2").rename_node("review", "critic").rename_channel("log", "lines")
}

fn scored() -> Migration {
    let text = |number: serde_json::Value| number.as_i64().map(|n| json!(n.to_string())).ok_or("no number".to_owned());
    Migration::new("2", "3").rename_channel("x", "score").convert("score", text)
}

#[tokio::test]
async fn c48_a_waiting_thread_goes_on_in_a_graph_that_it_was_migrated_to() {
    on_every_store(async |store| {
        let paid = Counter::default();
        let before = old(&paid).thread(store.clone(), "t");
        waiting(before.start(Board::update()).await).await;
        let refused = new(&paid).migrate(renamed()).compile().unwrap().thread(store.clone(), "t").resume().await;
        assert!(matches!(&refused, Err(Error::GraphChanged { .. })), "half of the way is none: {refused:?}");

        let graph = new(&paid).migrate(renamed()).migrate(scored()).compile().unwrap();
        let after = graph.thread(store, "t");
        let snapshot = after.snapshot().await.unwrap().unwrap();
        assert_eq!((snapshot.committed().score.as_str(), snapshot.state.score.as_str()), ("3", "4"));
        assert_eq!((snapshot.next, &*snapshot.questions[0].node), (vec!["critic".to_owned()], "critic"));
        assert_eq!(snapshot.state.lines, ["written", "beside"], "with what had finished beside it");
        let run = after.answer("good").await.unwrap();
        let end = run.finish().await.unwrap().into_state();
        assert_eq!((end.lines.join(" "), paid.get()), ("written good beside score 4".to_owned(), 1));
        let history = after.history(Page::default()).await.unwrap();
        assert_eq!(history.last().unwrap().next, ["write"], "the past is read in the present form");
        assert_eq!(history[2].state.score, "3");
        // And once more, from what is now stored in the present form.
        let again = after.start(Sheet::update()).await.unwrap().finish().await.unwrap().into_state();
        assert_eq!(again.lines.len(), 6);
    })
    .await;
}

#[tokio::test]
async fn c48_a_migration_that_leaves_something_behind_is_refused() {
    on_every_store(async |store| {
        let paid = Counter::default();
        waiting(old(&paid).thread(store.clone(), "t").start(Board::update()).await).await;
        let forgetful = Migration::new("1", "3").rename_channel("log", "lines").rename_channel("x", "score");
        let forgetful = forgetful.convert("score", |number| Ok(json!(number.to_string())));
        let thread = new(&paid).migrate(forgetful).compile().unwrap().thread(store.clone(), "t");
        let error = thread.resume().await.unwrap_err();
        assert!(error.to_string().contains("node review is gone"), "{error}");
        let failing = scored().convert("score", |_| Err("not today".to_owned()));
        let thread = new(&paid).migrate(renamed()).migrate(failing).compile().unwrap().thread(store.clone(), "t");
        let error = thread.resume().await.unwrap_err();
        assert!(error.to_string().contains("`score` cannot be converted: not today"), "{error}");
        let circle = new(&paid).migrate(Migration::new("1", "1")).compile().unwrap().thread(store.clone(), "t");
        assert!(matches!(circle.resume().await, Err(Error::GraphChanged { .. } | Error::Corrupt { .. })));
        assert_eq!(done(old(&paid).thread(store, "t").answer("ok").await).await.log.len(), 3, "nothing was changed");
    })
    .await;
}

#[tokio::test]
async fn c48_a_version_is_a_fingerprint_until_it_is_given() {
    let graph = |version: Option<&str>, node: &'static str| {
        let graph = Graph::<Board>::new("g").node(node, |_: Arc<Board>, _: Context| async { Written::Ok(log("")) });
        let graph = graph.edge(START, node).edge(node, END);
        let graph = if let Some(version) = version { graph.version(version) } else { graph };
        graph.compile().unwrap().version().to_owned()
    };
    assert_eq!(graph(None, "a"), graph(None, "a"));
    assert_ne!(graph(None, "a"), graph(None, "b"));
    assert_eq!((graph(Some("7"), "a"), graph(Some("7"), "b")), ("7".to_owned(), "7".to_owned()));
}

/// `first` and, after another node, one that asks: then what `joins` them.
fn joining(version: &str, first: &'static str, total: &'static str) -> Graph<Board> {
    let node = |_: Arc<Board>, context: Context| async move { Written::Ok(log(context.node())) };
    Graph::<Board>::new("joining")
        .version(version)
        .node(first, node)
        .node("long", node)
        .node("asks", |_: Arc<Board>, context: Context| async move {
            let answer: String = context.ask("q", "?").await?;
            Written::Ok(log(answer))
        })
        .node(total, node)
        .edge(START, first)
        .edge(START, "long")
        .edge("long", "asks")
        .join([first, "asks"], total)
        .edge(total, END)
}

#[tokio::test]
async fn c48_a_join_that_waits_is_called_anew_with_its_nodes() {
    on_every_store(async |store| {
        waiting(
            joining("1", "short", "sum").compile().unwrap().thread(store.clone(), "t").start(Board::update()).await,
        )
        .await;
        let half = Migration::new("1", "2").rename_node("short", "brief");
        let refused =
            joining("2", "brief", "total").migrate(half.clone()).compile().unwrap().thread(store.clone(), "t");
        let error = refused.resume().await.unwrap_err();
        assert!(error.to_string().contains("edge asks + brief -> sum is gone"), "{error}");
        let whole = half.rename_node("sum", "total");
        let thread = joining("2", "brief", "total").migrate(whole).compile().unwrap().thread(store, "t");
        assert_eq!(done(thread.answer("yes").await).await.log, ["short", "long", "yes", "total"]);
    })
    .await;
}

#[tokio::test]
async fn c48_what_is_changed_by_hand_after_a_migration_is_of_the_new_version() {
    on_every_store(async |store| {
        let start =
            joining("1", "short", "sum").compile().unwrap().thread(store.clone(), "t").start(Board::update()).await;
        waiting(start).await;
        let whole = Migration::new("1", "2").rename_node("short", "brief").rename_node("sum", "total");
        let migrated = joining("2", "brief", "total").migrate(whole).compile().unwrap().thread(store.clone(), "t");
        migrated.update_state(Board::update().x(5), None).await.unwrap();
        let plain = joining("2", "brief", "total").compile().unwrap().thread(store, "t");
        waiting(plain.resume().await).await;
        let end = done(plain.answer("yes").await).await;
        assert_eq!((end.log.join(" "), end.x), ("short long yes total".to_owned(), 5));
    })
    .await;
}

//! What a run tells while it works.

use std::sync::Arc;

use futures::StreamExt;
use qingyu_graph::store::MemoryStore;
use qingyu_graph::{Context, END, EventKind, Graph, Mode, NodeError, START};
use serde_json::json;

use crate::board::{Board, BoardUpdate, asking, log, on_every_store};

type Written = Result<BoardUpdate, NodeError>;

#[tokio::test]
async fn c49_the_events_of_a_chain_come_in_order() {
    let graph = Graph::<Board>::new("chain")
        .node("a", |_: Arc<Board>, context: Context| async move {
            context.emit(json!({ "token": "雨" }));
            Written::Ok(log("a").x(1))
        })
        .node("b", |_: Arc<Board>, context: Context| async move {
            let text = context.step("draft", "x", async || Ok::<_, NodeError>("t".to_owned())).await?;
            Written::Ok(log(text).scratch(Some("unseen".to_owned())))
        })
        .edge(START, "a")
        .edge("a", "b")
        .edge("b", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let run = graph.thread(store, "t").start(Board::update()).await.unwrap();
        let events: Vec<_> = run.map(|event| serde_json::to_string(&event).unwrap()).collect().await;
        insta::allow_duplicates! {
            insta::assert_snapshot!(events.join("\n"), @r#"
            {"superstep":0,"node":"a","path":"a","event":"task_started","data":{"attempt":1}}
            {"superstep":0,"node":"a","path":"a","event":"custom","data":{"token":"雨"}}
            {"superstep":0,"node":"a","path":"a","event":"update","data":{"values":{"log":{"add":["a"]},"x":{"set":1}}}}
            {"superstep":0,"node":"a","path":"a","event":"task_finished"}
            {"superstep":0,"node":null,"path":"","event":"checkpoint","data":{"next":["b"]}}
            {"superstep":1,"node":"b","path":"b","event":"task_started","data":{"attempt":1}}
            {"superstep":1,"node":"b","path":"b","event":"step_started","data":{"key":"draft"}}
            {"superstep":1,"node":"b","path":"b","event":"update","data":{"values":{"log":{"add":["t"]}}}}
            {"superstep":1,"node":"b","path":"b","event":"task_finished"}
            {"superstep":1,"node":null,"path":"","event":"checkpoint","data":{"next":[]}}
            "#);
        }
    })
    .await;
}

#[tokio::test]
async fn a_context_left_behind_does_not_keep_the_stream_open() {
    let graph = Graph::<Board>::new("leak")
        .node("leak", |_: Arc<Board>, context: Context| async move {
            tokio::spawn(async move {
                std::future::pending::<()>().await;
                drop(context);
            });
            Written::Ok(log("leak"))
        })
        .edge(START, "leak")
        .edge("leak", END)
        .compile()
        .unwrap();
    let mut run = graph.thread(Arc::new(MemoryStore::new()), "t").start(Board::update()).await.unwrap();
    let mut count = 0;
    while run.next().await.is_some() {
        count += 1;
    }
    assert_eq!(count, 4, "started, update, finished, checkpoint");
    assert_eq!(run.finish().await.unwrap().into_state().log, ["leak"]);
}

#[tokio::test]
async fn a_slow_reader_loses_custom_events_but_none_of_the_engines() {
    let graph = Graph::<Board>::new("chatty")
        .node("chatty", |_: Arc<Board>, context: Context| async move {
            (0..5000).for_each(|number| context.emit(json!(number)));
            Written::Ok(log("done"))
        })
        .edge(START, "chatty")
        .edge("chatty", END)
        .compile()
        .unwrap();
    let run = graph.thread(Arc::new(MemoryStore::new()), "t").start(Board::update()).await.unwrap();
    let events: Vec<_> = run.collect().await;
    let engine = events.iter().filter(|event| !matches!(event.kind, qingyu_graph::EventKind::Custom(_))).count();
    assert_eq!(engine, 4);
    assert!(events.len() <= 5004);
}

#[tokio::test]
async fn a_question_is_told_once_and_where_it_is_asked() {
    let around = Graph::<Board>::new("around")
        .subgraph("inside", asking(), |_, _| Ok(Board::update()), |end| Board::update().log(end.log))
        .edge(START, "inside")
        .edge("inside", END)
        .compile()
        .unwrap();
    for (graph, asker) in [(asking(), "ask"), (around, "inside/ask")] {
        on_every_store(async |store| {
            let mut run = graph
                .thread(store, "t")
                .modes([Mode::Questions, Mode::Questions])
                .start(Board::update())
                .await
                .unwrap();
            let mut askers = Vec::new();
            while let Some(event) = run.next().await {
                assert!(matches!(event.kind, EventKind::Interrupted(_)), "{event:?}");
                askers.push(event.path);
            }
            assert_eq!(askers, [asker]);
        })
        .await;
    }
}

//! Work written as one function of steps and questions.

use std::sync::Arc;

use qingyu_graph::{CompiledGraph, Context, EventKind, Graph, NodeError};

use crate::board::{Board, BoardUpdate, Counter, done, log, on_every_store, waiting};

/// Pays for two steps, asks, and saves in `x` what the next run finds there.
fn essay(paid: &Counter) -> CompiledGraph<Board> {
    let paid = paid.clone();
    let essay = move |board: Arc<Board>, context: Context| {
        let paid = paid.clone();
        async move {
            let previous = board.x;
            let outline = context.step("outline", &previous, async || Ok::<_, NodeError>(paid.call())).await?;
            let draft = context.step("draft", &outline, async || Ok::<_, NodeError>(paid.call())).await?;
            let verdict: String = context.ask("verdict", &draft).await?;
            let line = format!("{verdict}: {outline} {draft}, previous {previous}");
            Result::<BoardUpdate, NodeError>::Ok(log(line).x(previous + 10))
        }
    };
    Graph::single("essay", essay).compile().unwrap()
}

#[tokio::test]
async fn c50_no_step_runs_again_after_the_answer_and_the_next_run_finds_what_was_saved() {
    on_every_store(async |store| {
        let paid = Counter::default();
        let thread = essay(&paid).thread(store, "t");
        waiting(thread.start(Board::update().x(1)).await).await;
        assert_eq!(paid.get(), 2);
        let mut run = thread.answer("good").await.unwrap();
        let mut reused = Vec::new();
        while let Some(event) = run.next().await {
            match event.kind {
                EventKind::StepReused { key } => reused.push(key),
                EventKind::StepStarted { key } => panic!("{key} must not be called"),
                _ => {}
            }
        }
        assert_eq!(reused, ["outline", "draft"]);
        assert_eq!(done(Ok(run)).await.log, ["good: 0 1, previous 1"]);

        waiting(thread.start(Board::update()).await).await;
        let board = done(thread.answer("better").await).await;
        assert_eq!(board.log[1..], ["better: 2 3, previous 11"]);
        assert_eq!((board.x, paid.get()), (21, 4));
    })
    .await;
}

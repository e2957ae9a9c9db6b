//! Attempts that take too long. Time is that of tokio, and paused; so the store is the one in memory.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use qingyu_graph::store::MemoryStore;
use qingyu_graph::{CompiledGraph, Context, END, Error, Graph, NodeError, RetryPolicy, START, TimeLimits, TimedOut};
use serde_json::json;
use tokio::time::sleep;

use crate::board::{Board, BoardUpdate, done, failed, log};

type Written = Result<BoardUpdate, NodeError>;

const SECOND: Duration = Duration::from_secs(1);
const RUN: TimeLimits = TimeLimits { run: Some(Duration::from_secs(2)), idle: None };
const IDLE: TimeLimits = TimeLimits { run: None, idle: Some(Duration::from_millis(1500)) };

/// One node that works for three seconds and gives a sign of life after each.
fn slow(limits: TimeLimits, sign: fn(&Context)) -> CompiledGraph<Board> {
    Graph::<Board>::new("slow")
        .node("slow", move |_: Arc<Board>, context: Context| async move {
            for _ in 0..3 {
                sleep(SECOND).await;
                sign(&context);
            }
            Written::Ok(log("in time"))
        })
        .time_limits("slow", limits)
        .edge(START, "slow")
        .edge("slow", END)
        .compile()
        .unwrap()
}

#[tokio::test(start_paused = true)]
async fn c26_an_attempt_is_given_up_when_a_limit_is_passed() {
    let silent: fn(&Context) = |_| {};
    for (limits, expected) in [(RUN, TimedOut::Run(2 * SECOND)), (IDLE, TimedOut::Idle(Duration::from_millis(1500)))] {
        let thread = slow(limits, silent).thread(Arc::new(MemoryStore::new()), "t");
        let error = failed(thread.start(Board::update()).await).await;
        let Error::Node { source: Some(source), .. } = &error else { panic!("{error}") };
        assert_eq!(source.get().downcast_ref::<TimedOut>(), Some(&expected));
        assert_eq!(thread.snapshot().await.unwrap().unwrap().next, ["slow"], "it can be resumed");
    }
    let unhurried = slow(TimeLimits::default(), silent).thread(Arc::new(MemoryStore::new()), "t");
    assert_eq!(done(unhurried.start(Board::update()).await).await.log, ["in time"]);
}

#[tokio::test(start_paused = true)]
async fn c26_signs_of_life_help_against_the_idle_limit_only() {
    for sign in [Context::heartbeat, (|context| context.emit(json!(1))) as fn(&Context)] {
        let idle = slow(IDLE, sign).thread(Arc::new(MemoryStore::new()), "t");
        assert_eq!(done(idle.start(Board::update()).await).await.log, ["in time"]);
        let run = slow(RUN, sign).thread(Arc::new(MemoryStore::new()), "t");
        failed(run.start(Board::update()).await).await;
    }
}

#[tokio::test(start_paused = true)]
async fn c26_late_writes_of_an_attempt_that_was_given_up_are_discarded() {
    let late = Arc::new(Mutex::new(None));
    let told = Arc::clone(&late);
    let graph = Graph::<Board>::new("late")
        .node("slow", move |board: Arc<Board>, context: Context| {
            let told = Arc::clone(&told);
            async move {
                if context.attempt() > 1 {
                    // Only then is the first attempt's step done; it must not be found here.
                    sleep(SECOND).await;
                    let step = context.step("s", "", async || Ok::<_, NodeError>("second".to_owned())).await?;
                    return Written::Ok(log(step));
                }
                let panics = board.x == 1;
                let left_behind = context.clone();
                tokio::spawn(async move {
                    let work = async || {
                        sleep(3 * SECOND).await;
                        Ok::<_, NodeError>("first".to_owned())
                    };
                    let step = left_behind.step("s", "", work).await;
                    left_behind.emit(json!("late"));
                    *told.lock().unwrap() = Some(step);
                });
                assert!(!panics, "it leaves a task behind");
                std::future::pending().await
            }
        })
        .time_limits("slow", RUN)
        .retry("slow", RetryPolicy { initial_interval: 2 * SECOND, jitter: false, ..RetryPolicy::default() })
        .edge(START, "slow")
        .edge("slow", END)
        .compile()
        .unwrap();
    let thread = graph.thread(Arc::new(MemoryStore::new()), "t");
    let mut run = thread.start(Board::update()).await.unwrap();
    while let Some(event) = run.next().await {
        assert!(!matches!(event.kind, qingyu_graph::EventKind::Custom(_)), "{event:?}");
    }
    assert_eq!(run.finish().await.unwrap().into_state().log, ["second"]);
    let refused = || {
        let late = late.lock().unwrap().take();
        matches!(late, Some(Err(NodeError::Engine(Error::TooLate { .. }))))
    };
    assert!(refused());
    let panicked = graph.thread(Arc::new(MemoryStore::new()), "panicked");
    failed(panicked.start(Board::update().x(1)).await).await;
    sleep(4 * SECOND).await;
    assert!(refused());
}

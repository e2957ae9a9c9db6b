//! Several at once on one thread: answers, cancellations and ends; and clocks that jump meanwhile.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use qingyu_graph::store::Owner;
use qingyu_graph::testing::InterposedStore;
use qingyu_graph::{CompiledGraph, Context, END, Error, Graph, NodeError, Outcome, START, Store};
use serde_json::json;
use tokio::sync::Semaphore;

use crate::board::{
    Board, BoardUpdate, Counter, asking, begun, done, failed, gated, log, on_every_store, sqlite, waiting,
};

type Written = Result<BoardUpdate, NodeError>;

/// As many as answer at once.
const RIVALS: usize = 16;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_sixteen_answers_at_once_one_is_taken() {
    on_every_store(async |store| {
        let graph = asking();
        for round in 0..4 {
            let thread = graph.thread(Arc::clone(&store), format!("t{round}"));
            let id = waiting(thread.start(Board::update()).await).await.remove(0);
            let answers = (0..RIVALS).map(|rival| {
                let (thread, answer) = (thread.clone(), BTreeMap::from([(id.clone(), format!("answer {rival}"))]));
                tokio::spawn(async move {
                    match thread.answer_map(answer).await {
                        Ok(run) => Some((rival, run.finish().await.unwrap())),
                        Err(Error::ThreadBusy { .. } | Error::NoSuchQuestion { .. }) => None,
                        Err(error) => panic!("{error}"),
                    }
                })
            });
            let mut taken = Vec::new();
            for answer in answers.collect::<Vec<_>>() {
                taken.extend(answer.await.unwrap());
            }
            let [(winner, Outcome::Done(board))] = &taken[..] else { panic!("{taken:?}") };
            assert_eq!(board.log, [format!("answer {winner}")]);
            assert_eq!(thread.snapshot().await.unwrap().unwrap().committed().log, board.log, "and it stays so");
        }
    })
    .await;
}

/// A chain of two nodes, each of which yields some times.
fn yielding(times: usize, begun: &Counter) -> CompiledGraph<Board> {
    let node = |name: &'static str| {
        let begun = begun.clone();
        move |_: Arc<Board>, _: Context| {
            let begun = begun.clone();
            async move {
                begun.call();
                for _ in 0..times {
                    tokio::task::yield_now().await;
                }
                Written::Ok(log(name))
            }
        }
    };
    Graph::<Board>::new("yielding")
        .node("first", node("first"))
        .node("second", node("second"))
        .edge(START, "first")
        .edge("first", "second")
        .edge("second", END)
        .compile()
        .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancel_that_races_with_the_end_is_told_as_it_was_decided() {
    on_every_store(async |store| {
        let (mut ended, mut cancelled) = (0, 0);
        for round in 0..60_u64 {
            let begun = Counter::default();
            let thread = yielding(3, &begun).thread(Arc::clone(&store), format!("t{round}"));
            let run = thread.start(Board::update()).await.unwrap();
            let cancel = run.cancel_handle();
            // At once, some time later, or never.
            let canceller = match round % 6 {
                0 => tokio::spawn(async move { cancel.cancel() }),
                5 => tokio::spawn(async {}),
                later => tokio::spawn(async move {
                    tokio::time::sleep(Duration::from_micros(later * 150)).await;
                    cancel.cancel();
                }),
            };
            let outcome = run.finish().await.unwrap();
            let snapshot = thread.snapshot().await.unwrap().unwrap();
            match outcome {
                Outcome::Done(board) => {
                    ended += 1;
                    assert_eq!(board.log, ["first", "second"]);
                    assert!(snapshot.next.is_empty(), "what is told as done is done: {snapshot:?}");
                }
                Outcome::Cancelled { state } => {
                    cancelled += 1;
                    // The last node may have finished; what it wrote is then kept, and applied by the next run.
                    let is_kept = snapshot.committed() != &snapshot.state;
                    assert!(!snapshot.next.is_empty() || is_kept, "what is cancelled has not ended: {snapshot:?}");
                    assert_eq!(snapshot.committed().log, state.log);
                    assert_eq!(done(thread.resume().await).await.log, ["first", "second"]);
                }
                Outcome::Waiting { .. } => panic!("nobody asks"),
            }
            assert_eq!(thread.snapshot().await.unwrap().unwrap().committed().log, ["first", "second"]);
            assert!(begun.get() <= 3, "only the node that was dropped is run again");
            canceller.await.unwrap();
        }
        assert!(ended > 0 && cancelled > 0, "{ended} ended and {cancelled} were cancelled");
    })
    .await;
}

/// Leases as they look once the clock of the database has jumped by so many milliseconds.
async fn jump(database: &qingyu_db::Sqlite, milliseconds: i64) {
    let job = move |tx: &rusqlite::Connection| {
        tx.execute("UPDATE graph_thread SET expires_ms = expires_ms - ?1", [milliseconds])?;
        Ok::<_, qingyu_db::Error>(())
    };
    database.write(job).await.unwrap();
}

const HOUR: i64 = 3_600_000;

#[tokio::test]
async fn a_clock_that_jumps_never_lets_two_owners_commit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.db");
    let ((database, one), (_, other)) = (sqlite(&path).await, sqlite(&path).await);
    let gate = Arc::new(Semaphore::new(0));
    let mut first = gated(&gate).thread(Arc::new(one), "t").start(Board::update()).await.unwrap();
    begun(&mut first).await;
    let open = Arc::new(Semaphore::new(1));
    let second = gated(&open).thread(Arc::new(other), "t");

    // An hour back: the lease only seems to last longer.
    jump(&database, -HOUR).await;
    assert!(matches!(second.resume().await, Err(Error::ThreadBusy { .. })));
    // An hour on: it seems to have run out, and whoever takes the thread is the only one who commits.
    jump(&database, 2 * HOUR).await;
    assert_eq!(done(second.resume().await).await.log, ["passed"]);
    gate.add_permits(1);
    let error = failed(Ok(first)).await;
    assert!(matches!(error, Error::Fenced { .. }), "{error}");
    assert_eq!(second.snapshot().await.unwrap().unwrap().committed().log, ["passed"], "once");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_clock_that_jumps_back_keeps_nobody_from_the_threads_of_a_dead_process() {
    let folder = tempfile::tempdir().unwrap();
    let (database, store) = sqlite(&folder.path().join("graph.db")).await;
    // As this process, but begun at another time: its number belongs to another one by now.
    let mut dead = serde_json::to_value(Owner::this_process()).unwrap();
    dead["identity"]["started"] = json!(1);
    let dead: Owner = serde_json::from_value(dead).unwrap();
    let store: Arc<dyn Store> = Arc::new(store);
    store.acquire(&"t".into(), &dead, Duration::from_secs(8)).await.unwrap();
    jump(&database, -HOUR).await;
    let gate = Arc::new(Semaphore::new(1));
    assert_eq!(done(gated(&gate).thread(Arc::clone(&store), "t").start(Board::update()).await).await.log, ["passed"]);

    // Of a process elsewhere nobody knows: its lease has to run out.
    let mut stranger = serde_json::to_value(Owner::this_process()).unwrap();
    stranger["identity"] = json!(null);
    let elsewhere = InterposedStore::new(Arc::clone(&store)).owned_by(serde_json::from_value(stranger).unwrap());
    elsewhere.acquire(&"u".into(), &dead, Duration::from_secs(8)).await.unwrap();
    jump(&database, -HOUR).await;
    let refused = gated(&gate).thread(store, "u").start(Board::update()).await;
    assert!(matches!(refused, Err(Error::ThreadBusy { .. })));
}

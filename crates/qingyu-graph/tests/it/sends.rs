//! Executions with payloads of their own.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use qingyu_graph::{Command, CompiledGraph, Context, END, Error, Goto, Graph, NodeError, START, State};
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use crate::board::{Board, BoardUpdate, Counter, done, failed, log, on_every_store};

type Written = Result<BoardUpdate, NodeError>;
type Commanded = Result<Command<Board>, NodeError>;

async fn logs_its_payload(_: Arc<Board>, context: Context) -> Written {
    Ok(log(format!("{} {}", context.node(), context.payload::<String>()?)))
}

async fn logs_its_name(_: Arc<Board>, context: Context) -> Written {
    Ok(log(context.node()))
}

#[tokio::test]
async fn c14_results_come_in_the_order_of_sending_whoever_is_first() {
    // Each worker waits for the one behind it, so that they finish in reverse.
    let gates: Arc<Vec<_>> = Arc::new((0..4).map(|_| Semaphore::new(0)).collect());
    let graph = Graph::<Board>::new("sends")
        .node("a", |_: Arc<Board>, _: Context| async {
            Commanded::Ok((0..3).fold(Command::update(log("a")), |command, number| command.send("w", number)))
        })
        .node("w", move |board: Arc<Board>, context: Context| {
            let gates = Arc::clone(&gates);
            async move {
                let number: usize = context.payload()?;
                if number < 2 {
                    gates[number + 1].acquire().await?.forget();
                }
                gates[number].add_permits(1);
                Written::Ok(log(format!("w{number} saw {}", board.log.join(","))))
            }
        })
        .node("end", logs_its_name)
        .targets("a", ["w"])
        .edge(START, "a")
        .edge("a", "end")
        .edge("w", "end")
        .edge("end", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let log = done(graph.thread(store, "t").start(Board::update()).await).await.log;
        assert_eq!(log, ["a", "w0 saw a", "w1 saw a", "w2 saw a", "end"], "the sends replace the edge a -> end");
    })
    .await;
}

#[tokio::test]
async fn c15_plain_nodes_are_folded_before_sends() {
    let nodes = || {
        let graph = Graph::<Board>::new("mixed").node("w", logs_its_payload).node("plain", logs_its_name);
        graph.edge("w", END).edge("plain", END)
    };
    let routed = nodes()
        .route(START, ["w", "plain"], |_| [Goto::send("w", "one"), "plain".into(), Goto::send("w", "two")])
        .compile()
        .unwrap();
    let commanded = nodes()
        .node("a", |_: Arc<Board>, _: Context| async {
            Commanded::Ok(Command::from(()).send("w", "one").goto(["plain"]).send("w", "two"))
        })
        .targets("a", ["w", "plain"])
        .edge(START, "a")
        .compile()
        .unwrap();
    on_every_store(async |store| {
        for (graph, name) in [(&routed, "routed"), (&commanded, "commanded")] {
            let board = done(graph.thread(store.clone(), name).start(Board::update()).await).await;
            assert_eq!(board.log, ["plain", "w one", "w two"], "{name}");
        }
    })
    .await;
}

#[tokio::test]
async fn c16_sends_of_several_nodes_are_ordered_by_sender_and_then_by_call() {
    let sender = |_: Arc<Board>, context: Context| async move {
        let payload = |number: u8| format!("{}{number}", context.node());
        Commanded::Ok(Command::from(()).send("w", payload(1)).send("w", payload(2)))
    };
    let graph = Graph::<Board>::new("senders")
        .node("b", sender)
        .node("a", sender)
        .node("w", logs_its_payload)
        .targets("b", ["w"])
        .targets("a", ["w"])
        .edge(START, "a")
        .edge(START, "b")
        .edge("w", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let board = done(graph.thread(store, "t").start(Board::update()).await).await;
        assert_eq!(board.log, ["w b1", "w b2", "w a1", "w a2"]);
    })
    .await;
}

/// `a` sends `payload` to `target`; only `w` is declared.
fn sending(target: &'static str, payload: impl Serialize + Clone + Send + Sync + 'static) -> CompiledGraph<Board> {
    Graph::<Board>::new("one send")
        .node("a", move |_: Arc<Board>, _: Context| {
            let command = Command::from(()).send(target, payload.clone());
            async { Commanded::Ok(command) }
        })
        .node("w", logs_its_payload)
        .targets("a", ["w", END])
        .edge(START, "a")
        .edge("w", END)
        .compile()
        .unwrap()
}

#[tokio::test]
async fn c17_a_send_to_an_unknown_node_or_the_end_is_an_error() {
    on_every_store(async |store| {
        for target in ["nobody", END] {
            let thread = sending(target, "x").thread(store.clone(), target);
            let error = failed(thread.start(Board::update()).await).await;
            let Error::UnknownTarget { node, target: named } = &error else { panic!("{error}") };
            assert_eq!((node.as_str(), named.as_str()), ("a", target));
        }
    })
    .await;
}

#[tokio::test]
async fn c31_a_payload_that_cannot_be_stored_or_read_is_an_error() {
    on_every_store(async |store| {
        let odd = std::collections::BTreeMap::from([((1_u8, 2_u8), 3_u8)]);
        let error = failed(sending("w", odd).thread(store.clone(), "odd").start(Board::update()).await).await;
        assert!(matches!(&error, Error::Encode { what, .. } if what == "the payload for w"), "{error}");
        let error = failed(sending("w", 7).thread(store.clone(), "number").start(Board::update()).await).await;
        assert!(matches!(&error, Error::WrongPayload { node, .. } if node == "w"), "{error}");
        let plain = Graph::<Board>::new("plain").node("w", logs_its_payload).edge(START, "w").edge("w", END);
        let error = failed(plain.compile().unwrap().thread(store, "plain").start(Board::update()).await).await;
        assert_eq!(error.to_string(), "w cannot read its payload: it was not sent one");
    })
    .await;
}

/// Counts how often the state that holds it is copied.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Copied;

static COPIES: AtomicUsize = AtomicUsize::new(0);

impl Clone for Copied {
    fn clone(&self) -> Self {
        COPIES.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

#[derive(Debug, Clone, Default, State)]
struct Wide {
    copied: Copied,
    #[channel(append)]
    numbers: Vec<u32>,
}

#[tokio::test]
async fn c18_a_thousand_sends_share_the_state_and_run_three_at_a_time() {
    let (live, most) = (Counter::default(), Arc::new(AtomicUsize::new(0)));
    let (living, highest) = (Arc::new(AtomicUsize::new(0)), Arc::clone(&most));
    let calls = live.clone();
    let graph = Graph::<Wide>::new("wide")
        .node("a", |_: Arc<Wide>, _: Context| async {
            Ok::<_, NodeError>((0..1000).fold(Command::from(()), |command, number| command.send("w", number)))
        })
        .node("w", move |_: Arc<Wide>, context: Context| {
            let (living, highest, calls) = (Arc::clone(&living), Arc::clone(&highest), calls.clone());
            async move {
                calls.call();
                highest.fetch_max(living.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                tokio::task::yield_now().await;
                living.fetch_sub(1, Ordering::SeqCst);
                Ok::<_, NodeError>(Wide::update().numbers(vec![context.payload()?]))
            }
        })
        .node("join", |wide: Arc<Wide>, _: Context| async move {
            Ok::<_, NodeError>(Wide::update().numbers(vec![u32::try_from(wide.numbers.len())?]))
        })
        .targets("a", ["w"])
        .edge(START, "a")
        .edge("w", "join")
        .edge("join", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        COPIES.store(0, Ordering::SeqCst);
        let before = live.get();
        let thread = graph.thread(store, "t").max_concurrency(NonZeroUsize::new(3).unwrap());
        let wide = thread.start(Wide::update()).await.unwrap().finish().await.unwrap().into_state();
        assert_eq!(wide.numbers[..1000], Vec::from_iter(0..1000));
        assert_eq!(wide.numbers[1000..], [1000]);
        assert_eq!(COPIES.load(Ordering::SeqCst), 0);
        assert_eq!(live.get() - before, 1000);
    })
    .await;
    assert_eq!(most.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn c35_a_failed_send_is_run_again_with_its_payload_and_alone() {
    let (calls, fails) = (Counter::default(), Counter::default());
    let (counted, failing) = (calls.clone(), fails.clone());
    let graph = Graph::<Board>::new("failing send")
        .node("w", move |_: Arc<Board>, context: Context| {
            counted.call();
            let failing = failing.clone();
            async move {
                let number: u8 = context.payload()?;
                if number == 1 && failing.call().is_multiple_of(2) {
                    return Err(NodeError::fatal("no luck"));
                }
                Written::Ok(log(number.to_string()))
            }
        })
        .route(START, ["w"], |_| (0..3).map(|number| Goto::send("w", number)).collect::<Vec<_>>())
        .edge("w", END)
        .compile()
        .unwrap();
    on_every_store(async |store| {
        let before = calls.get();
        let thread = graph.thread(store, "t");
        failed(thread.start(Board::update()).await).await;
        let snapshot = thread.snapshot().await.unwrap().unwrap();
        assert_eq!((snapshot.next, snapshot.state.log), (vec!["w#1".to_owned()], vec!["0".to_owned(), "2".to_owned()]));
        assert_eq!(done(thread.resume().await).await.log, ["0", "1", "2"]);
        assert_eq!(calls.get() - before, 4);
    })
    .await;
}

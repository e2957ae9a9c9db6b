use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::{Context, END, Graph, NodeError, START};

#[derive(Debug, Clone, Default, PartialEq, crate::State)]
pub(crate) struct Notes {
    topic: String,
    #[channel(append)]
    lines: Vec<u8>,
    #[channel(merge)]
    names: BTreeMap<String, u8>,
    #[channel(reduce = mix)]
    mixed: u64,
}

/// Not commutative, so that a wrong order shows.
fn mix(old: u64, new: u64) -> u64 {
    old.wrapping_mul(31).wrapping_add(new)
}

const NODES: [&str; 5] = ["e", "d", "c", "b", "a"];

/// Five nodes that may go anywhere, and a join of two of them.
pub(crate) fn graph() -> crate::CompiledGraph<Notes> {
    let node = |_: Arc<Notes>, _: Context| async { Ok::<_, NodeError>(()) };
    let mut graph = Graph::<Notes>::new("property");
    for name in NODES {
        graph = graph.node(name, node).edge(START, name).targets(name, NODES).edge(name, END);
    }
    graph.edge("e", "c").edge("d", "a").join(["a", "b"], "d").defer("b").compile().unwrap()
}

fn task(node: &str) -> TaskId {
    TaskId { node: node.into(), index: None }
}

fn writes() -> impl Strategy<Value = TaskWrites<NotesUpdate>> {
    let lines = prop::collection::vec(any::<u8>(), 0..3);
    let names = prop::collection::btree_map("[a-c]", any::<u8>(), 0..3);
    let goto = prop::option::of(prop::sample::subsequence(NODES.to_vec(), 0..=NODES.len()));
    let sends =
        prop::collection::vec((prop::sample::select(NODES.to_vec()).prop_map(str::to_owned), any::<u8>()), 0..3);
    (lines, names, any::<u64>(), any::<bool>(), goto, sends).prop_map(
        |(lines, names, mixed, overwrites, goto, sends)| {
            let update = Notes::update().names(names).mixed(mixed);
            let update = if overwrites { update.overwrite_lines(lines) } else { update.lines(lines) };
            let names = |nodes: Vec<&str>| nodes.into_iter().map(str::to_owned).collect();
            let way = goto.map_or_else(|| Way::Edges(Vec::new()), |nodes| Way::Goto(names(nodes)));
            let sends =
                sends.into_iter().map(|(node, payload)| Sent { node, payload: Arc::new(payload.into()) }).collect();
            TaskWrites::new(update, way, sends)
        },
    )
}

/// The writes of one superstep's tasks.
pub(crate) type Round = Vec<(&'static str, TaskWrites<NotesUpdate>)>;

/// One superstep's writes, with an order in which the tasks finished.
pub(crate) fn finished() -> impl Strategy<Value = Round> {
    prop::sample::subsequence(NODES.to_vec(), 1..=NODES.len()).prop_flat_map(|nodes| {
        let count = nodes.len();
        prop::collection::vec(writes(), count)
            .prop_map(move |writes| nodes.iter().copied().zip(writes).collect::<Vec<_>>())
            .prop_shuffle()
    })
}

/// Applies writes that finished in the given order, on a checkpoint that asked for exactly these tasks.
pub(crate) fn step(
    checkpoint: &Checkpoint<Notes>,
    topology: &Topology,
    order: &[(&'static str, TaskWrites<NotesUpdate>)],
) -> (Result<Checkpoint<Notes>, String>, Delta) {
    let mut finished = Finished::default();
    for (node, writes) in order {
        finished.0.insert(task(node), writes.clone());
    }
    let next = NODES.iter().filter(|node| order.iter().any(|(other, _)| other == *node)).map(|node| task(node));
    let mut checkpoint = Checkpoint { next: next.collect(), ..checkpoint.clone() };
    assert!(plan(&checkpoint, &finished, |_| false).is_empty());
    checkpoint.superstep += 1;
    let mut delta = Delta::default();
    let applied = apply(checkpoint, topology, finished, Some(&mut delta));
    (applied.map_err(|error| error.to_string()), delta)
}

type View = (Notes, Vec<String>, BTreeMap<String, BTreeSet<Arc<str>>>, Vec<Arc<Value>>, BTreeSet<Arc<str>>);

fn view(checkpoint: &Checkpoint<Notes>) -> View {
    let Checkpoint { state, next, joins, payloads, deferred, .. } = checkpoint.clone();
    (Notes::clone(&state), next.iter().map(ToString::to_string).collect(), joins, payloads, deferred)
}

proptest! {
    #[test]
    fn the_order_of_finishing_never_matters(mut order in finished(), seed in any::<u64>()) {
        let graph = graph();
        let topology = &graph.inner.topology;
        let start = Checkpoint::default();
        let (first, first_delta) = step(&start, topology, &order);
        let rotation = usize::try_from(seed % order.len() as u64).unwrap();
        order.rotate_left(rotation);
        order.reverse();
        let (second, second_delta) = step(&start, topology, &order);
        prop_assert_eq!(first.as_ref().map(view), second.as_ref().map(view));
        prop_assert_eq!(first_delta, second_delta);
    }

    #[test]
    fn deltas_replay_to_the_same_state_without_the_reducers(rounds in prop::collection::vec(finished(), 1..6)) {
        let graph = graph();
        let mut checkpoint = Checkpoint::<Notes>::default();
        let mut values = checkpoint.state.encode().unwrap();
        for round in rounds {
            let (applied, delta) = step(&checkpoint, &graph.inner.topology, &round);
            // Two overwrites of one channel are refused; nothing of them is stored.
            let Ok(applied) = applied else { continue };
            let text = serde_json::to_string(&delta).unwrap();
            serde_json::from_str::<Delta>(&text).unwrap().replay(&mut values).unwrap();
            checkpoint = applied;
            prop_assert_eq!(&Notes::decode(values.clone()).unwrap(), &*checkpoint.state);
        }
    }

    #[test]
    fn tasks_are_named_and_read_back(node in "[a-z审校]{1,8}", index in prop::option::of(any::<u32>())) {
        let task = TaskId { node: node.into(), index };
        prop_assert_eq!(TaskId::try_from(task.to_string()).unwrap(), task);
    }
}

#[test]
fn a_checkpoint_asks_for_what_is_neither_finished_nor_waiting() {
    let checkpoint = Checkpoint::<Notes> { next: NODES.map(task).to_vec(), ..Checkpoint::default() };
    let mut finished = Finished::default();
    finished.0.insert(task("d"), TaskWrites::new(Notes::update(), Way::Edges(Vec::new()), Vec::new()));
    let due = plan(&checkpoint, &finished, |task| &*task.node == "b");
    assert_eq!(due, ["e", "c", "a"].map(task));
}

#[test]
fn the_preview_folds_only_what_has_finished() {
    let checkpoint = Checkpoint::<Notes> { next: NODES.map(task).to_vec(), ..Checkpoint::default() };
    let mut finished = Finished::default();
    for (node, line) in [("a", 2), ("d", 1)] {
        let writes = TaskWrites::new(Notes::update().lines(vec![line]), Way::Edges(Vec::new()), Vec::new());
        finished.0.insert(task(node), writes);
    }
    assert_eq!(preview(&checkpoint, &finished).unwrap().lines, [1, 2]);
}

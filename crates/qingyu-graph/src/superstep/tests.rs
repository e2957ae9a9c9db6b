use proptest::prelude::*;

use super::*;

#[derive(Debug, Clone, Default, crate::State)]
struct Notes {
    #[channel(append)]
    lines: Vec<u8>,
}

const NODES: [&str; 5] = ["e", "d", "c", "b", "a"];

fn task(node: &str) -> TaskId {
    TaskId { node: node.into(), index: None }
}

proptest! {
    #[test]
    fn tasks_are_named_and_read_back(node in "[a-z审校]{1,8}", index in prop::option::of(any::<u32>())) {
        let task = TaskId { node: node.into(), index };
        prop_assert_eq!(TaskId::try_from(task.to_string()).unwrap(), task);
    }
}

#[test]
fn a_checkpoint_asks_for_what_is_neither_finished_nor_waiting() {
    let checkpoint = Checkpoint { next: NODES.map(task).to_vec(), ..Checkpoint::of(AnyState::new(Notes::default())) };
    let mut finished = FinishedTasks::default();
    finished.0.insert(task("d"), TaskWrites::new(AnyUpdate::default(), TaskRoute::Edges(Vec::new()), Vec::new()));
    let due = plan(&checkpoint, &finished, |task| &*task.node == "b");
    assert_eq!(due, ["e", "c", "a"].map(task));
}

#[test]
fn the_preview_folds_only_what_has_finished() {
    let checkpoint = Checkpoint { next: NODES.map(task).to_vec(), ..Checkpoint::of(AnyState::new(Notes::default())) };
    let mut finished = FinishedTasks::default();
    for (node, line) in [("a", 2), ("d", 1)] {
        let writes = TaskWrites::new(
            AnyUpdate::new(Notes::update().lines(vec![line])),
            TaskRoute::Edges(Vec::new()),
            Vec::new(),
        );
        finished.0.insert(task(node), writes);
    }
    assert_eq!(preview(&checkpoint, &finished).unwrap().owned::<Notes>().lines, [1, 2]);
}

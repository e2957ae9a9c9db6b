use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::Store;
use crate::store::{MemoryStore, Owner};
use crate::superstep::tests::{Notes, Round, finished, graph, step};

/// One thing that happens to a thread.
#[derive(Debug, Clone)]
enum Happening {
    Superstep(Round),
    /// From the checkpoint with this number, counted round and round.
    Fork(usize),
}

fn happenings() -> impl Strategy<Value = Vec<Happening>> {
    let superstep = finished().prop_map(Happening::Superstep);
    prop::collection::vec(prop_oneof![5 => superstep, 1 => any::<usize>().prop_map(Happening::Fork)], 1..50)
}

/// Lets everything happen, keeping whole checkpoints in memory, and compares them with what the store gives back.
async fn check(store: Arc<dyn Store>, happenings: Vec<Happening>) -> Result<(), TestCaseError> {
    let graph = graph();
    let lease = store.acquire(&"t".into(), &Owner::this_process(), Duration::from_secs(3600)).await.unwrap();
    let mut writer = Writer::new(Arc::clone(&store), Arc::new(lease), Durability::Sync);
    let mut weight = Weight::default();
    let mut branch = 0;
    let mut checkpoint = Checkpoint::<Notes>::default();
    let mut expected: Vec<(CheckpointId, u64, Checkpoint<Notes>)> = Vec::new();
    let first = Happening::Superstep(Vec::new());
    for happening in std::iter::once(first).chain(happenings) {
        let (source, delta) = match happening {
            Happening::Superstep(round) => {
                let (applied, delta) = step(&checkpoint, &graph.inner.topology, &round);
                // Two overwrites of one channel are refused; nothing of them is stored.
                let Ok(applied) = applied else { continue };
                checkpoint = applied;
                (Source::Loop, delta)
            }
            Happening::Fork(number) => {
                let (id, _, past) = &expected[number % expected.len()];
                branch += 1;
                writer.build_on(id.0, branch);
                checkpoint = past.clone();
                (Source::Fork, Delta::default())
            }
        };
        let whole = source == Source::Fork;
        let change = Change { source, delta, graph: &graph.inner.blueprint, whole };
        writer.checkpoint(&checkpoint, change, &mut weight, Vec::new()).await.unwrap();
        let position = writer.finish(&checkpoint, &graph.inner.blueprint).await.unwrap();
        expected.push((CheckpointId(position), branch, checkpoint.clone()));
    }
    let thread = graph.thread(store, "t");
    let history = thread.history(Page::default()).await.unwrap();
    prop_assert_eq!(history.len(), expected.len());
    for (past, (id, branch, checkpoint)) in history.iter().rev().zip(&expected) {
        prop_assert_eq!((past.id, past.branch, &past.state), (*id, *branch, &*checkpoint.state));
        let read = thread.past(*id).await.unwrap().checkpoint;
        prop_assert_eq!(&read.state, &checkpoint.state);
        prop_assert_eq!(&read.next, &checkpoint.next);
        prop_assert_eq!((&read.joins, &read.payloads), (&checkpoint.joins, &checkpoint.payloads));
        prop_assert_eq!(&read.deferred, &checkpoint.deferred);
        let page = Page { before: Some(*id), limit: Some(1) };
        let older = history.iter().find(|other| other.id < *id).cloned().into_iter().collect::<Vec<_>>();
        prop_assert_eq!(thread.history(page).await.unwrap(), older);
    }
    Ok(())
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

proptest! {
    #[test]
    fn c44_deltas_give_what_whole_snapshots_would_on_every_branch(happenings in happenings()) {
        runtime().block_on(check(Arc::new(MemoryStore::new()), happenings))?;
    }
}

#[cfg(feature = "sqlite")]
proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn c44_the_same_in_sqlite(happenings in happenings()) {
        runtime().block_on(async {
            let database = qingyu_db::Database::in_memory().await.unwrap();
            check(Arc::new(crate::store::SqliteStore::open(database).await.unwrap()), happenings).await
        })?;
    }
}

//! Deleting, copying and pruning threads, and listing them.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use qingyu_graph::store::RecordKind::{Answer, Delta, Failure, Snapshot, Step, Writes};
use qingyu_graph::store::{CheckpointJournal, JournalRecord, MemoryStore, Owner, RecordKind};
use qingyu_graph::{
    CheckpointId, CompiledGraph, Context, END, Error, Graph, NodeError, Page, PastCheckpoint, START, Store, Thread,
    ThreadId,
};

use crate::board::{Board, BoardUpdate, Counter, done, log, on_every_store, sqlite, waiting};
use crate::extent::cases;

type Written = Result<BoardUpdate, NodeError>;

/// Logs `x` and counts it down to 0, then asks, and logs the answer.
fn countdown() -> CompiledGraph<Board> {
    Graph::<Board>::new("countdown")
        .node(
            "count",
            |board: Arc<Board>, _: Context| async move { Written::Ok(log(board.x.to_string()).x(board.x - 1)) },
        )
        .node("ask", |_: Arc<Board>, context: Context| async move {
            Written::Ok(log(context.ask::<String>("q", "?").await?))
        })
        .edge(START, "count")
        .route("count", ["count", "ask"], |board: &Board| [if board.x > 0 { "count" } else { "ask" }])
        .edge("ask", END)
        .compile()
        .unwrap()
}

async fn counted(store: Arc<dyn Store>, id: &str, from: i64) -> Thread<Board> {
    let thread = countdown().thread(store, id).recursion_limit(1000);
    waiting(thread.start(Board::update().x(from)).await).await;
    thread
}

async fn all(thread: &Thread<Board>) -> Vec<PastCheckpoint<Board>> {
    thread.history(Page::default()).await.unwrap()
}

fn count(number: usize) -> NonZeroUsize {
    NonZeroUsize::new(number).unwrap()
}

#[tokio::test]
async fn c54_a_deleted_thread_can_be_started_anew() {
    on_every_store(async |store| {
        let thread = counted(store.clone(), "t", 3).await;
        counted(store.clone(), "other", 1).await;
        thread.delete().await.unwrap();
        assert_eq!(thread.snapshot().await.unwrap(), None);
        assert_eq!(all(&thread).await, []);
        assert!(matches!(thread.resume().await, Err(Error::NoSuchThread { .. })));
        assert_eq!(store.threads(None, 9).await.unwrap(), [ThreadId::from("other")]);
        waiting(thread.start(Board::update().x(1)).await).await;
        assert_eq!(done(thread.answer("yes").await).await.log, ["1", "yes"]);
        assert_eq!(all(&thread).await.last().unwrap().id, 1.into());
        countdown().thread(store, "never").delete().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn c54_a_copy_has_the_whole_history_and_goes_on_by_itself() {
    on_every_store(async |store| {
        let thread = counted(store.clone(), "t", 20).await;
        let early = all(&thread).await[15].id;
        waiting(thread.at(early).resume().await).await;
        thread.prune(count(25)).await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let elsewhere: [Arc<dyn Store>; 3] =
            [store, Arc::new(MemoryStore::new()), Arc::new(sqlite(&folder.path().join("copy.db")).await.1)];
        for target in elsewhere {
            let copy = thread.copy_to(target, "copy").await.unwrap();
            assert_eq!(copy.id().as_str(), "copy");
            same_histories(&all(&thread).await, &all(&copy).await).unwrap();
            let before = thread.snapshot().await.unwrap();
            let board = done(copy.answer("in the copy").await).await;
            assert_eq!(board.log.last().unwrap(), "in the copy", "what was open there is open here");
            assert_eq!(thread.snapshot().await.unwrap(), before);
        }
        assert!(done(thread.answer("here").await).await.log.contains(&"here".to_owned()));
    })
    .await;
}

/// Checks that two histories are the same, whatever the ids of their checkpoints are.
fn same_histories(old: &[PastCheckpoint<Board>], new: &[PastCheckpoint<Board>]) -> Result<(), TestCaseError> {
    prop_assert_eq!(old.len(), new.len());
    let ids: BTreeMap<CheckpointId, CheckpointId> =
        old.iter().map(|past| past.id).zip(new.iter().map(|past| past.id)).collect();
    for (old, new) in old.iter().zip(new) {
        let parent = old.parent.and_then(|parent| ids.get(&parent).copied());
        prop_assert_eq!(&PastCheckpoint { id: ids[&old.id], parent, ..old.clone() }, new);
    }
    Ok(())
}

#[tokio::test]
async fn c54_a_copy_takes_nobodys_place() {
    on_every_store(async |store| {
        let thread = counted(store.clone(), "t", 2).await;
        counted(store.clone(), "other", 1).await;
        let before = all(&thread).await;
        for taken in ["other", "t"] {
            let error = thread.copy_to(store.clone(), taken).await.unwrap_err();
            assert!(matches!(&error, Error::ThreadExists { thread } if thread == taken), "{error}");
        }
        let nobody = countdown().thread(store.clone(), "nobody");
        let error = nobody.copy_to(store.clone(), "copy").await.unwrap_err();
        assert!(matches!(&error, Error::NoSuchThread { thread } if thread == "nobody"), "{error}");
        assert_eq!(store.threads(None, 9).await.unwrap(), ["other", "t"].map(ThreadId::from));
        assert_eq!(all(&thread).await, before);
        thread.copy_to(store.clone(), "copy").await.unwrap();
        thread.delete().await.unwrap();
        let moved = countdown().thread(store, "copy").copy_to(Arc::new(MemoryStore::new()), "t").await.unwrap();
        assert_eq!(all(&moved).await, before, "there and back again");
    })
    .await;
}

#[tokio::test]
async fn c54_pruning_keeps_the_newest_checkpoints_and_what_they_need() {
    on_every_store(async |store| {
        let thread = counted(store.clone(), "t", 100).await;
        let before = all(&thread).await;
        let snapshot = thread.snapshot().await.unwrap();
        // Spawned, as a service would do it.
        let pruned = thread.clone();
        tokio::spawn(async move { pruned.prune(count(10)).await }).await.unwrap().unwrap();
        let after = all(&thread).await;
        assert!((10..before.len() / 2).contains(&after.len()), "{} checkpoints are left", after.len());
        assert_eq!(after, before[..after.len()]);
        for past in &after {
            assert_eq!(thread.at(past.id).snapshot().await.unwrap().committed(), &past.state);
        }
        let gone = thread.at(before[after.len()].id).snapshot().await.unwrap_err();
        assert!(matches!(gone, Error::NoSuchCheckpoint { .. }), "{gone}");
        assert_eq!(thread.snapshot().await.unwrap(), snapshot);
        assert_eq!(done(thread.answer("on").await).await.log.len(), 101);
        thread.prune(count(1000)).await.unwrap();
        assert_eq!(all(&thread).await.len(), after.len() + 1);
        let nobody = countdown().thread(store, "nobody").prune(count(1)).await.unwrap_err();
        assert!(matches!(nobody, Error::NoSuchThread { .. }), "{nobody}");
    })
    .await;
}

#[tokio::test]
async fn c54_a_thread_that_somebody_holds_is_left_alone() {
    on_every_store(async |store| {
        let thread = counted(store.clone(), "t", 2).await;
        let free = counted(store.clone(), "free", 2).await;
        let before = store.records(thread.id(), 0, 99).await.unwrap();
        let lease = store.acquire(thread.id(), &Owner::this_process(), Duration::from_secs(60)).await.unwrap();
        for refused in [
            thread.delete().await,
            thread.prune(count(1)).await,
            thread.copy_to(store.clone(), "copy").await.map(drop),
            free.copy_to(store.clone(), "t").await.map(drop),
        ] {
            assert!(matches!(&refused, Err(Error::ThreadBusy { thread, .. }) if thread == "t"), "{refused:?}");
        }
        store.release(&lease).await.unwrap();
        assert_eq!(store.records(thread.id(), 0, 99).await.unwrap(), before);
        assert_eq!(store.threads(None, 9).await.unwrap(), ["free", "t"].map(ThreadId::from));
        free.copy_to(store, "copy").await.unwrap();
        free.delete().await.unwrap();
    })
    .await;
}

/// One record of a random journal.
#[derive(Debug, Clone)]
struct Entry {
    scope: &'static str,
    kind: RecordKind,
    /// Begins a branch at the scope's checkpoint with this number, counted round and round.
    fork: Option<usize>,
}

fn journals() -> impl Strategy<Value = Vec<Entry>> {
    let scope = prop_oneof![3 => Just(""), 1 => Just("a"), 1 => Just("a/b"), 1 => Just("雨")];
    let pending = prop::sample::select(vec![Step, Writes, Answer, Failure]);
    let kind = prop_oneof![5 => Just(Delta), 1 => Just(Snapshot), 3 => pending];
    let fork = prop::option::weighted(0.1, any::<usize>());
    let entry = (scope, kind, fork).prop_map(|(scope, kind, fork)| Entry { scope, kind, fork });
    prop::collection::vec(entry, 1..80)
}

/// Bodies as the engine writes them: a state, and a line that is added to its log.
async fn bodies() -> (String, String) {
    let store = Arc::new(MemoryStore::new());
    let thread = counted(store.clone(), "bodies", 1).await;
    let journal = store.newest(thread.id(), "").await.unwrap().unwrap();
    let [snapshot, delta] = &journal.checkpoints[..] else { panic!("two checkpoints: {journal:?}") };
    assert_eq!((snapshot.kind, delta.kind), (Snapshot, Delta));
    (snapshot.body.clone(), delta.body.clone())
}

/// A journal that begins with the graph's own snapshot, as every scope does with its own.
fn placed(entries: Vec<Entry>, (snapshot, delta): &(String, String)) -> Vec<(u64, JournalRecord)> {
    let first = Entry { scope: "", kind: Snapshot, fork: None };
    // The present branch and the checkpoints so far.
    let mut scopes: BTreeMap<&str, (u64, Vec<u64>)> = BTreeMap::new();
    let records = (1..).zip(std::iter::once(first).chain(entries)).map(|(position, Entry { scope, kind, fork })| {
        let (branch, checkpoints) = scopes.entry(scope).or_default();
        let kind = if checkpoints.is_empty() || fork.is_some() { Snapshot } else { kind };
        let parent = match fork {
            Some(number) if !checkpoints.is_empty() => {
                *branch += 1;
                checkpoints[number % checkpoints.len()]
            }
            _ => checkpoints.last().copied().unwrap_or_default(),
        };
        if is_checkpoint(kind) {
            checkpoints.push(position);
        }
        let body = match kind {
            Snapshot => snapshot,
            Delta => delta,
            _ => "{}",
        };
        let (scope, key, body) = (scope.to_owned(), position.to_string(), body.to_owned());
        (position, JournalRecord { scope, branch: *branch, parent, kind, task: String::new(), key, body })
    });
    records.collect()
}

fn is_checkpoint(kind: RecordKind) -> bool {
    matches!(kind, Snapshot | Delta)
}

/// What is left of `records` for the newest `keep` checkpoints of the graph itself.
fn kept(records: &[(u64, JournalRecord)], keep: usize) -> Vec<(u64, JournalRecord)> {
    let own = |(_, record): &&(u64, JournalRecord)| record.scope.is_empty() && is_checkpoint(record.kind);
    let newest = records.iter().rev().filter(own);
    let cut = newest.skip(keep - 1).find(|(_, record)| record.kind == Snapshot).map_or(1, |(position, _)| *position);
    let living: BTreeSet<_> =
        records.iter().filter(|(position, _)| *position >= cut).map(|(_, record)| &record.scope).collect();
    let stays = |position, scope: &String| position >= cut || !scope.is_empty() && living.contains(scope);
    records.iter().filter(|(position, record)| stays(*position, &record.scope)).cloned().collect()
}

/// Every checkpoint's journal, by its position.
async fn journals_of(
    store: &Arc<dyn Store>,
    thread: &ThreadId,
    records: &[(u64, JournalRecord)],
) -> BTreeMap<u64, CheckpointJournal> {
    let mut journals = BTreeMap::new();
    for (position, _) in records {
        if let Some(journal) = store.at(thread, *position).await.unwrap() {
            journals.insert(*position, journal);
        }
    }
    journals
}

async fn check(
    [source, target]: &[Arc<dyn Store>; 2],
    id: &str,
    records: Vec<(u64, JournalRecord)>,
    keep: usize,
) -> Result<(), TestCaseError> {
    let thread = countdown().thread(Arc::clone(source), id);
    let lease = source.acquire(thread.id(), &Owner::this_process(), Duration::from_secs(60)).await.unwrap();
    let bare = records.iter().map(|(_, record)| record.clone()).collect();
    source.append(&lease, bare, Vec::new()).await.unwrap();
    source.release(&lease).await.unwrap();
    let (history, journals) = (all(&thread).await, journals_of(source, thread.id(), &records).await);

    thread.prune(count(keep)).await.unwrap();
    let kept = kept(&records, keep);
    prop_assert_eq!(&source.records(thread.id(), 0, usize::MAX).await.unwrap(), &kept);
    let present: BTreeSet<_> = kept.iter().map(|(position, _)| *position).collect();
    let expected: BTreeMap<_, _> = journals.into_iter().filter(|(position, _)| present.contains(position)).collect();
    prop_assert_eq!(&journals_of(source, thread.id(), &records).await, &expected);
    let left = all(&thread).await;
    prop_assert!(left.len() >= keep.min(history.len()));
    prop_assert_eq!(&left, &history[..left.len()]);

    let copy = thread.copy_to(Arc::clone(target), id).await.unwrap();
    same_histories(&left, &all(&copy).await)?;
    let places: BTreeMap<u64, u64> = present.into_iter().zip(1..).collect();
    let moved = |record: JournalRecord| JournalRecord {
        parent: places.get(&record.parent).copied().unwrap_or_default(),
        ..record
    };
    let copied: Vec<_> = kept.into_iter().map(|(position, record)| (places[&position], moved(record))).collect();
    prop_assert_eq!(&target.records(copy.id(), 0, usize::MAX).await.unwrap(), &copied);
    let moved_all = |records: Vec<JournalRecord>| records.into_iter().map(moved).collect();
    let expected = expected.into_iter().map(|(position, CheckpointJournal { head, checkpoints, pending })| {
        let (checkpoints, pending) = (moved_all(checkpoints), moved_all(pending));
        (places[&position], CheckpointJournal { head: places[&head], checkpoints, pending })
    });
    prop_assert_eq!(journals_of(target, copy.id(), &copied).await, expected.collect::<BTreeMap<_, _>>());
    Ok(())
}

#[test]
fn c54_what_is_kept_reads_the_same_after_pruning_and_in_a_copy() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let bodies = runtime.block_on(bodies());
    let number = Counter::default();
    let check_all = |stores: [Arc<dyn Store>; 2], count| {
        let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(count) });
        let result = runner.run(&(journals(), 1..30_usize), |(entries, keep)| {
            let id = format!("case {}", number.call());
            runtime.block_on(check(&stores, &id, placed(entries, &bodies), keep))
        });
        result.unwrap();
    };
    let memory = || Arc::new(MemoryStore::new()) as Arc<dyn Store>;
    check_all([memory(), memory()], cases(40, 200));
    let folder = tempfile::tempdir().unwrap();
    let in_file = Arc::new(runtime.block_on(sqlite(&folder.path().join("graph.db"))).1) as Arc<dyn Store>;
    check_all([Arc::clone(&in_file), memory()], cases(8, 30));
    #[cfg(feature = "postgres")]
    if let Some(schema) = runtime.block_on(qingyu_graph::testing::TestSchema::new()) {
        let on_server = Arc::new(runtime.block_on(schema.store())) as Arc<dyn Store>;
        check_all([on_server, in_file], cases(4, 15));
    }
}

//! One writer per thread.

use std::sync::Arc;
use std::time::Duration;

use futures::future::ready;
use qingyu_graph::store::{MemoryStore, Owner};
use qingyu_graph::testing::InterposedStore;
use qingyu_graph::{Error, Store, ThreadId};
use serde_json::json;
use tokio::sync::Semaphore;

use crate::board::{Board, Counter, begun, done, failed, gated, on_every_store, sqlite};

#[tokio::test]
async fn c30_a_second_owner_is_refused_while_the_first_lives() {
    on_every_store(async |store| {
        let gate = Arc::new(Semaphore::new(0));
        let thread = gated(&gate).thread(store, "t");
        let mut first = thread.start(Board::update()).await.unwrap();
        begun(&mut first).await;
        for second in [thread.start(Board::update()).await, thread.resume().await, thread.answer(1).await] {
            let error = second.unwrap_err();
            assert!(matches!(&error, Error::ThreadBusy { thread, .. } if thread == "t"), "{error}");
        }
        assert!(thread.snapshot().await.unwrap().is_some(), "reading is always possible");
        gate.add_permits(1);
        assert_eq!(first.finish().await.unwrap().into_state().log, ["passed"]);
        assert_eq!(done(thread.resume().await).await.log, ["passed"], "the lease was given back");
    })
    .await;
}

#[tokio::test]
async fn c30_what_a_dead_process_held_is_free_at_once() {
    // The id of this process, which it has from another one that began a moment later.
    let mut owner = serde_json::to_value(Owner::this_process()).unwrap();
    let Some(started) = owner["identity"]["started"].as_u64() else {
        eprintln!("skipped: this system does not tell when a process was started");
        return;
    };
    owner["identity"]["started"] = json!(started + 1);
    let dead: Owner = serde_json::from_value(owner).unwrap();
    on_every_store(async |store| {
        let thread = ThreadId::from("t");
        let hour = Duration::from_secs(3600);
        let left = store.acquire(&thread, &dead, hour).await.unwrap();
        let taken = store.acquire(&thread, &Owner::this_process(), hour).await.unwrap();
        assert!(taken.epoch > left.epoch, "and what it might still say is not heard");
    })
    .await;
}

#[tokio::test]
async fn c30_two_databases_on_one_file_exclude_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.db");
    let stores: [Arc<dyn Store>; 2] = [Arc::new(sqlite(&path).await.1), Arc::new(sqlite(&path).await.1)];
    let gate = Arc::new(Semaphore::new(0));
    let [first, second] = stores.map(|store| gated(&gate).thread(store, "t"));
    let mut run = first.start(Board::update()).await.unwrap();
    begun(&mut run).await;
    assert!(matches!(second.resume().await, Err(Error::ThreadBusy { .. })));
    gate.add_permits(1);
    run.finish().await.unwrap();
    assert_eq!(done(second.resume().await).await.log, ["passed"]);
}

#[tokio::test]
async fn c30_an_owner_whose_lease_ran_out_cannot_commit() {
    on_every_store(async |store| {
        let gate = Arc::new(Semaphore::new(0));
        let late = gated(&gate).thread(store.clone(), "t").lease(Duration::ZERO);
        let mut late = late.start(Board::update()).await.unwrap();
        begun(&mut late).await;
        let open = Arc::new(Semaphore::new(1));
        assert_eq!(done(gated(&open).thread(store.clone(), "t").resume().await).await.log, ["passed"]);
        gate.add_permits(1);
        let error = failed(Ok(late)).await;
        assert!(matches!(error, Error::Fenced { .. }), "{error}");
        let snapshot = gated(&open).thread(store, "t").snapshot().await.unwrap().unwrap();
        assert_eq!(snapshot.committed().log, ["passed"], "once");
    })
    .await;
}

/// A store that tells of every renewal, and refuses those after the first `renewals`.
fn watched(renewals: usize) -> (Arc<dyn Store>, Arc<Semaphore>) {
    let (counter, seen) = (Counter::default(), Arc::new(Semaphore::new(0)));
    let told = Arc::clone(&seen);
    let watched = InterposedStore::new(Arc::new(MemoryStore::new())).before_renew(move |lease| {
        told.add_permits(1);
        let allowed = counter.call() < renewals;
        ready(if allowed { Ok(()) } else { Err(Error::Fenced { thread: lease.thread.to_string() }) })
    });
    (Arc::new(watched), seen)
}

#[tokio::test]
async fn a_run_renews_its_lease_until_it_ends() {
    let (store, seen) = watched(usize::MAX);
    let gate = Arc::new(Semaphore::new(0));
    let thread = gated(&gate).thread(store, "t").lease(Duration::from_millis(3));
    let run = thread.start(Board::update()).await.unwrap();
    seen.acquire_many(5).await.unwrap().forget();
    gate.add_permits(1);
    assert_eq!(run.finish().await.unwrap().into_state().log, ["passed"]);
}

#[tokio::test]
async fn a_run_that_loses_its_lease_stops_at_once() {
    let (store, _) = watched(1);
    let thread = gated(&Arc::new(Semaphore::new(0))).thread(store, "t").lease(Duration::from_millis(3));
    let error = failed(thread.start(Board::update()).await).await;
    assert!(matches!(error, Error::Fenced { .. }), "{error}");
}

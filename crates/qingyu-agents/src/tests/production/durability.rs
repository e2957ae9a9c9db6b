//! Runs that are broken off: wherever it happens, the same content comes of it, no stored call is repeated and no answer of
//! the user is lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::production::Order;
use futures::future::ready;
use qingyu_graph::Error;
use qingyu_graph::store::{MemoryStore, RecordKind};
use qingyu_graph::testing::InterposedStore;
use qingyu_llm::testing::ScriptedModel;

use super::bench::{Bench, Ended, good, whole_story};

/// What the user says, turn by turn; the run is broken off after so many appends and resumed.
const SAID: [&str; 2] = ["给独立开发者，两小时学完", "价格要有三档"];

/// How the purposes of paid calls begin.
const PAID: [&str; 4] = ["production.", "research.", "consumer.", "judge."];

/// Goes on until the run waits or is done, however often it breaks off.
async fn patiently(bench: &Bench, ended: Ended, left: &AtomicUsize) -> Ended {
    let mut ended = ended;
    while ended.outcome.is_err() {
        left.store(usize::MAX, Ordering::SeqCst);
        ended = bench.resume().await;
    }
    ended
}

async fn whole(bench: &Bench, left: &AtomicUsize) -> crate::ContentProductionState {
    let ended = bench.run().await;
    patiently(bench, ended, left).await.turn();
    for text in SAID {
        let ended = told(bench, Order::Say { text: text.into() }, left).await;
        patiently(bench, ended, left).await.turn();
    }
    for _ in 0..6 {
        let ended = told(bench, Order::Advance, left).await;
        patiently(bench, ended, left).await.turn();
    }
    let ended = told(bench, Order::Advance, left).await;
    patiently(bench, ended, left).await.done()
}

/// An answer whose delivery failed is given again; one that was taken is not.
async fn told(bench: &Bench, order: Order, left: &AtomicUsize) -> Ended {
    match bench.thread().answer(order.clone()).await {
        Ok(run) => Ended::of(run).await,
        Err(_) => {
            left.store(usize::MAX, Ordering::SeqCst);
            bench.order(order).await
        }
    }
}

#[tokio::test]
async fn wherever_a_run_breaks_off_the_same_content_comes_of_it() {
    let bench = || Bench::with(whole_story(), ScriptedModel::responding("scripted", good));
    let expected = bench();
    let state = whole(&expected, &AtomicUsize::new(usize::MAX)).await;
    let needed = expected.model.requests().len();
    let mut breaks = 0;
    for appends in 1.. {
        let (left, kept) = (Arc::new(AtomicUsize::new(appends)), Arc::new(AtomicUsize::new(0)));
        let (counter, steps) = (Arc::clone(&left), Arc::clone(&kept));
        let store = InterposedStore::new(Arc::new(MemoryStore::new())).before_append(move |records| {
            let take = |left: usize| if left == usize::MAX { Some(left) } else { left.checked_sub(1) };
            if counter.fetch_update(Ordering::SeqCst, Ordering::SeqCst, take).is_err() {
                return ready(Err(Error::Broken { reason: "the store broke".into() }));
            }
            let calls = records
                .iter()
                .filter(|record| record.kind == RecordKind::Step && PAID.iter().any(|paid| record.key.contains(paid)));
            steps.fetch_add(calls.count(), Ordering::SeqCst);
            ready(Ok(()))
        });
        let bench = Bench { store: Arc::new(store), ..bench() };
        let ended = whole(&bench, &left).await;
        let lost = bench.model.requests().len() - kept.load(Ordering::SeqCst);
        assert_eq!(kept.load(Ordering::SeqCst), needed, "after {appends} appends");
        // What is asked side by side may be lost at once, and no more: five readings of one persona.
        assert!(lost <= 5, "{lost} answers were lost after {appends} appends");
        assert_eq!(bench.workspace.story().fields, expected.workspace.story().fields, "after {appends} appends");
        assert_eq!(ended.messages, state.messages, "after {appends} appends");
        assert_eq!(ended.tokens_used, state.tokens_used, "after {appends} appends");
        if left.load(Ordering::SeqCst) != usize::MAX {
            break;
        }
        breaks += 1;
    }
    assert!(breaks >= 60, "only {breaks} breaks");
}

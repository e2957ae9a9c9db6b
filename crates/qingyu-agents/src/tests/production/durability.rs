//! Runs that are broken off: wherever it happens, the same content comes of it, no stored call is repeated and no answer of
//! the user is lost.

use std::sync::Arc;

use crate::ContentProductionState;
use crate::production::Order;
use qingyu_llm::testing::ScriptedModel;

use super::bench::{Bench, good, whole_story};
use crate::tests::ended::Ended;
use crate::tests::fragile::FragileStore;

/// What the user says, turn by turn; the run is broken off after so many appends and resumed.
const SAID: [&str; 2] = ["给独立开发者，两小时学完", "价格要有三档"];

/// How the purposes of paid calls begin.
const PAID: [&str; 4] = ["production.", "research.", "consumer.", "judge."];

/// Goes on until the run waits or is done, however often it breaks off.
async fn patiently(
    bench: &Bench,
    ended: Ended<ContentProductionState>,
    store: &FragileStore,
) -> Ended<ContentProductionState> {
    let mut ended = ended;
    while ended.outcome.is_err() {
        store.heal();
        ended = bench.resume().await;
    }
    ended
}

async fn whole(bench: &Bench, store: &FragileStore) -> ContentProductionState {
    let ended = bench.run().await;
    patiently(bench, ended, store).await.turn();
    for text in SAID {
        let ended = told(bench, Order::Say { text: text.into() }, store).await;
        patiently(bench, ended, store).await.turn();
    }
    for _ in 0..6 {
        let ended = told(bench, Order::Advance, store).await;
        patiently(bench, ended, store).await.turn();
    }
    let ended = told(bench, Order::Advance, store).await;
    patiently(bench, ended, store).await.done()
}

/// An answer whose delivery failed is given again; one that was taken is not.
async fn told(bench: &Bench, order: Order, store: &FragileStore) -> Ended<ContentProductionState> {
    match bench.thread().answer(order.clone()).await {
        Ok(run) => Ended::of(run).await,
        Err(_) => {
            store.heal();
            bench.order(order).await
        }
    }
}

#[tokio::test]
async fn wherever_a_run_breaks_off_the_same_content_comes_of_it() {
    let bench = || Bench::with(whole_story(), ScriptedModel::responding("scripted", good));
    let expected = bench();
    let state = whole(&expected, &FragileStore::new(usize::MAX)).await;
    let needed = expected.model.requests().len();
    let mut breaks = 0;
    for appends in 1.. {
        let store = FragileStore::new(appends);
        let bench = Bench { store: Arc::clone(&store.store), ..bench() };
        let ended = whole(&bench, &store).await;
        let kept = store.steps().iter().filter(|key| PAID.iter().any(|paid| key.contains(paid))).count();
        let lost = bench.model.requests().len() - kept;
        assert_eq!(kept, needed, "after {appends} appends");
        // What is asked side by side may be lost at once, and no more: five readings of one persona.
        assert!(lost <= 5, "{lost} answers were lost after {appends} appends");
        assert_eq!(bench.workspace.story().fields, expected.workspace.story().fields, "after {appends} appends");
        assert_eq!(ended.messages, state.messages, "after {appends} appends");
        assert_eq!(ended.tokens_used, state.tokens_used, "after {appends} appends");
        if !store.was_healed() {
            break;
        }
        breaks += 1;
    }
    assert!(breaks >= 60, "only {breaks} breaks");
}

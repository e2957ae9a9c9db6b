//! Runs of tasks that are broken off and go on.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{TaskOptions, Writes};
use futures::future::ready;
use qingyu_graph::Error;
use qingyu_graph::store::{JournalRecord, MemoryStore, RecordKind, Store};
use qingyu_graph::testing::InterposedStore;

use super::bench::{Bench, split, task};

/// Three agents, tools, a write and what builds on it.
const PARTS: &str = "t1 creative 3! 把对话改得更有张力; t2 data_analysis - 统计字数; t3 analysis 3 分析文风 <- t1; \
                     t4 checker - 检查时间线 <- t1 t2";

fn bench(store: Arc<dyn Store>) -> Bench {
    let bench = Bench::new().options(TaskOptions { writes: Writes::Allowed, ..TaskOptions::default() });
    let bench = Bench { store, ..bench };
    // The same answer whenever it is asked for again.
    for _ in 0..3 {
        bench.model.push("orchestrator.split", split(PARTS));
    }
    bench
}

/// The keys of the steps that a store kept.
type Keys = std::sync::Mutex<Vec<String>>;

/// A store that breaks after some appends and notes how many steps of which key it keeps.
fn fragile(appends: usize) -> (Arc<dyn Store>, Arc<AtomicUsize>, Arc<Keys>) {
    let left = Arc::new(AtomicUsize::new(appends));
    let kept = Arc::new(std::sync::Mutex::new(Vec::new()));
    let (counter, noted) = (Arc::clone(&left), Arc::clone(&kept));
    let take = move |records: &[JournalRecord]| {
        let less = |left: usize| if left == usize::MAX { Some(left) } else { left.checked_sub(1) };
        if counter.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less).is_err() {
            return Err(Error::Broken { reason: "the store broke".into() });
        }
        let steps = records.iter().filter(|record| record.kind == RecordKind::Step);
        noted.lock().unwrap().extend(steps.map(|record| record.key.clone()));
        Ok(())
    };
    let store = InterposedStore::new(Arc::new(MemoryStore::new())).before_append(move |records| ready(take(records)));
    (Arc::new(store), left, kept)
}

#[tokio::test]
async fn wherever_a_task_breaks_off_nothing_is_asked_or_written_twice() {
    let whole = bench(Arc::new(MemoryStore::new()));
    let expected = whole.run(task("改、统计、分析、检查")).await.done();
    let (needed, text) = (whole.purposes().len(), whole.text(3).await);
    assert_eq!(whole.version().await, 1);
    let mut breaks = 0;
    for appends in 1.. {
        let (store, left, kept) = fragile(appends);
        let bench = bench(store);
        let ended = bench.run(task("改、统计、分析、检查")).await;
        let is_broken = ended.outcome.is_err();
        let state = if is_broken {
            breaks += 1;
            let paid =
                |key: &&String| !key.starts_with("tool/") && !key.starts_with("read/") && !key.starts_with("save/");
            let stored = kept.lock().unwrap().iter().filter(paid).count();
            let asked = bench.purposes().len();
            left.store(usize::MAX, Ordering::SeqCst);
            let state = bench.resume().await.done();
            // Only calls whose answer was not stored are made again.
            assert_eq!(bench.purposes().len(), needed + asked - stored, "after {appends} appends");
            state
        } else {
            ended.done()
        };
        assert_eq!((bench.version().await, bench.text(3).await), (1, text.clone()), "written once, after {appends}");
        assert_eq!(state.output, expected.output);
        assert_eq!(state.tokens_used, expected.tokens_used);
        let keys = state.messages.iter().map(|call| call.key.as_str()).collect::<BTreeSet<_>>();
        assert_eq!(keys.len(), state.messages.len(), "a call is counted once");
        if !is_broken {
            break;
        }
    }
    assert!(breaks >= 15, "only {breaks} breaks");
}

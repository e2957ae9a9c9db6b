//! Runs of tasks that are broken off and go on.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::{TaskOptions, Writes};
use qingyu_graph::store::{MemoryStore, Store};

use super::bench::{Bench, split, task};
use crate::tests::fragile::FragileStore;

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

#[tokio::test]
async fn wherever_a_task_breaks_off_nothing_is_asked_or_written_twice() {
    let whole = bench(Arc::new(MemoryStore::new()));
    let expected = whole.run(task("改、统计、分析、检查")).await.done();
    let (needed, text) = (whole.purposes().len(), whole.text(3).await);
    assert_eq!(whole.version().await, 1);
    let mut breaks = 0;
    for appends in 1.. {
        let store = FragileStore::new(appends);
        let bench = bench(Arc::clone(&store.store));
        let ended = bench.run(task("改、统计、分析、检查")).await;
        let is_broken = ended.outcome.is_err();
        let state = if is_broken {
            breaks += 1;
            let paid =
                |key: &&String| !key.starts_with("tool/") && !key.starts_with("read/") && !key.starts_with("save/");
            let stored = store.steps().iter().filter(paid).count();
            let asked = bench.purposes().len();
            store.heal();
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

//! Runs that are broken off: wherever it happens, the same book comes of it, and no stored call is repeated.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::writing::review::Dimension;
use qingyu_llm::testing::ScriptedModel;
use qingyu_story::Severity;

use super::bench::{Bench, book, good, issue, plan, reading, review};
use crate::tests::bench::answered;
use crate::tests::fragile::FragileStore;

/// A book with scenes, seams and a mending. Its answers follow from the questions.
fn bench() -> Bench {
    let model = ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
        "chapter.understand" => answered(&plan(1, 2, 80)),
        "chapter.review" => {
            let first = reading(request).draft.split_inclusive('。').next().unwrap().to_owned();
            if first.contains("改了主意") {
                answered(&review(85, vec![]))
            } else {
                answered(&review(75, vec![issue(Severity::High, Dimension::Character, &first)]))
            }
        }
        _ => good(request),
    });
    Bench::with(book(2), model).config(|config| {
        config.words = 80;
        config.scene_limit = 40;
    })
}

#[tokio::test]
async fn wherever_a_run_breaks_off_the_same_book_comes_of_it() {
    let whole = bench();
    let expected = whole.run().await.done();
    let needed = whole.model.requests();
    let mut breaks = 0;
    for appends in 1.. {
        let store = FragileStore::new(appends);
        let bench = Bench { store: Arc::clone(&store.store), ..bench() };
        let ended = bench.run().await;
        let asked = bench.model.requests().len();
        let state = if ended.outcome.is_ok() {
            ended.done()
        } else {
            breaks += 1;
            let kept = store.steps().iter().filter(|key| key.contains("chapter.")).count();
            let lost = asked - kept;
            assert!(lost <= 1, "{lost} answers were lost after {appends} appends");
            store.heal();
            let state = bench.resume().await.done();
            assert_eq!(bench.model.requests().len(), needed.len() + lost, "after {appends} appends");
            state
        };
        // Byte-identical requests: those of the whole run, one of them perhaps twice.
        let texts = |requests: &[qingyu_llm::ChatRequest]| {
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for request in requests {
                *counts.entry(serde_json::to_string(request).unwrap()).or_default() += 1;
            }
            counts.into_keys().collect::<Vec<_>>()
        };
        assert_eq!(texts(&bench.model.requests()), texts(&needed), "after {appends} appends");
        assert_eq!(*bench.workspace.story(), *whole.workspace.story(), "after {appends} appends");
        assert_eq!((&state.accepted, state.tokens_used), (&expected.accepted, expected.tokens_used));
        if breaks < appends {
            break;
        }
    }
    assert!(breaks >= 40, "only {breaks} breaks");
}

//! Runs that are broken off and go on.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::output::Judgement;
use crate::progress::Progress;
use qingyu_graph::EventKind;
use qingyu_llm::testing::ScriptedModel;
use qingyu_story::{Action, Agent, CorrectionInstruction, Strategy};
use serde_json::json;

use crate::tests::bench::{Bench, answered, good, judgement, plan};
use crate::tests::fragile::FragileStore;

/// A run with parallel steps and one correction round. Its answers follow from the questions, so that a repeated
/// question gets the same answer.
fn bench() -> Bench {
    Bench::with(ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
        "plan.create" => {
            answered(&plan("1 worldview; 2 style; 3 outline <- 1; 4 character <- 3; 5 plot <- 3 4; 6 review"))
        }
        "review.judge" if request.context["story"]["characters"][0]["goals"] == "找到真相" => answered(&unhappy()),
        _ => good(request),
    }))
}

fn unhappy() -> Judgement {
    let instruction = CorrectionInstruction {
        target_agent: Agent::Character,
        action: Action::Update,
        parameters: json!({ "kind": "character", "name": "林深", "goals": null }),
        ..Default::default()
    };
    Judgement {
        correction_strategy: Strategy::IncrementalFix,
        correction_instructions: vec![instruction],
        ..judgement(70)
    }
}

fn counted(names: &[String]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for name in names {
        *counts.entry(name.as_str()).or_default() += 1;
    }
    counts
}

#[tokio::test]
async fn wherever_a_run_breaks_off_it_goes_on_and_no_stored_call_is_repeated() {
    let whole = bench();
    let expected = whole.run().await.done();
    let needed = whole.purposes();
    let mut breaks = 0;
    for appends in 1.. {
        let store = FragileStore::new(appends);
        let bench = Bench { store: Arc::clone(&store.store), ..bench() };
        let ended = bench.run().await;
        let (asked, kept) = (bench.purposes(), store.steps());
        let state = if ended.outcome.is_ok() {
            ended.done()
        } else {
            breaks += 1;
            store.heal();
            bench.resume().await.done()
        };
        // Only calls whose answer was not stored yet are made again.
        let (all, asked, kept, needed) = (bench.purposes(), counted(&asked), counted(&kept), counted(&needed));
        for (purpose, count) in counted(&all) {
            let of = |counts: &BTreeMap<&str, usize>| counts.get(purpose).copied().unwrap_or_default();
            assert_eq!(count, of(&needed) + of(&asked) - of(&kept), "{purpose} after {appends} appends");
        }
        assert_eq!(state.story(), expected.story());
        assert_eq!((state.review_passed, state.tokens_used), (true, expected.tokens_used));
        let keys = state.messages.iter().map(|call| call.key.as_str()).collect::<BTreeSet<_>>();
        assert_eq!(keys.len(), state.messages.len(), "a call is counted once");
        if breaks < appends {
            break;
        }
    }
    assert!(breaks >= 25, "only {breaks} breaks");
}

#[tokio::test]
async fn a_stored_answer_is_told_as_reused_and_not_asked_for_again() {
    let bench = bench();
    let mut run = bench.start().await;
    // The outline's answer is stored, its node has not ended.
    while let Some(event) = run.next().await {
        if let EventKind::Custom(value) = event.kind
            && let Ok(Progress::Called { agent, .. }) = serde_json::from_value(value)
            && agent == "outline_agent"
        {
            break;
        }
    }
    run.cancel_handle().cancel();
    drop(run.finish().await);
    let ended = bench.resume().await;
    let told = ended
        .progress
        .iter()
        .filter_map(|progress| match progress {
            Progress::Called { key, agent, reused, .. } if agent == "outline_agent" => Some((key.clone(), *reused)),
            _ => None,
        })
        .collect::<Vec<_>>();
    let state = ended.done();
    assert!(state.review_passed);
    assert_eq!(bench.purposes().iter().filter(|purpose| *purpose == "outline.generate").count(), 1);
    // Either the node had ended as well, or its answer was taken from the record under the same key.
    assert!(told.iter().all(|(key, reused)| *reused && *key == state.messages[3].key), "{told:?}");
}

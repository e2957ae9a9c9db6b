//! What a chapter says of its calls: purposes, chapters, prompts.

use std::collections::BTreeSet;

use crate::progress::Progress;

use super::bench::Bench;

#[tokio::test]
async fn every_call_is_told_with_its_chapter_and_prompt() {
    let bench = Bench::new(2);
    let ended = bench.run().await;
    let keys: Vec<String> = ended
        .progress
        .iter()
        .filter_map(|progress| match progress {
            Progress::Called { key, reused, .. } => {
                assert!(!reused);
                Some(key.clone())
            }
            _ => None,
        })
        .collect();
    let text = ended.progress.iter().any(|progress| matches!(progress, Progress::Text { .. }));
    let state = ended.done();
    assert!(text, "prose is streamed");
    assert_eq!(keys, state.messages.iter().map(|call| call.key.clone()).collect::<Vec<_>>());
    assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), 8);
    let chapters: Vec<_> = state.messages.iter().map(|call| call.chapter).collect();
    assert_eq!(chapters, [Some(1); 4].into_iter().chain([Some(2); 4]).collect::<Vec<_>>());
    assert!(state.messages.iter().all(|call| call.prompt_hash.len() == 64));
    for request in bench.model.requests() {
        assert!(request.context["chapter"].as_u64().is_some_and(|chapter| chapter > 0), "{}", request.purpose);
        assert_eq!(request.context["kind"], "draft", "{}", request.purpose);
    }
}

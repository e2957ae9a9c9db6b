use futures::future::join_all;
use tokio::time::Instant;

use super::*;
use crate::stack::RateLimitedModel;

fn limited(rate: RateLimit) -> RateLimitedModel {
    let model = ScriptedModel::responding("scripted", |_| answer("雪", 5, 1));
    RateLimitedModel::new(Arc::new(model), rate)
}

#[tokio::test(start_paused = true)]
async fn requests_wait_for_their_minute() {
    let model = limited(RateLimit { requests: 6.try_into().ok(), tokens: None });
    let start = Instant::now();
    let replies = join_all((0..8).map(|_| call(&model))).await;
    assert!(replies.iter().all(Result::is_ok));
    // Six at once, then one every ten seconds.
    assert_eq!(start.elapsed().as_secs(), 20);
}

#[tokio::test(start_paused = true)]
async fn tokens_wait_too_with_the_answer_s_limit() {
    let model = limited(RateLimit { requests: None, tokens: 600.try_into().ok() });
    let large = ChatRequest { max_tokens: Some(294), ..request() };
    let start = Instant::now();
    for _ in 0..3 {
        drain(model.stream(&large).await.unwrap()).await.unwrap();
    }
    // Three times 300 tokens at ten a second; the first two are in the first minute's share.
    assert!((29..=30).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
}

#[tokio::test(start_paused = true)]
async fn what_goes_over_the_estimate_is_charged_to_the_next_request() {
    let wire = ScriptedModel::responding("scripted", |_| answer("雪", 6, 594));
    let model = RateLimitedModel::new(Arc::new(wire), RateLimit { requests: None, tokens: 600.try_into().ok() });
    let start = Instant::now();
    call(&model).await.unwrap();
    call(&model).await.unwrap();
    assert_eq!(start.elapsed().as_secs(), 0, "600 and 6 tokens, a minute's share and 0.6 seconds");
    call(&model).await.unwrap();
    assert!((60..=61).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_request_above_a_minute_s_tokens_is_still_made() {
    let model = limited(RateLimit { requests: None, tokens: 100.try_into().ok() });
    let huge = ChatRequest { max_tokens: Some(1_000_000), ..request() };
    drain(model.stream(&huge).await.unwrap()).await.unwrap();
}

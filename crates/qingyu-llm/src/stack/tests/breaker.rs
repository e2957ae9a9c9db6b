use futures::StreamExt;
use tokio::time::advance;

use super::*;
use crate::stack::Breaker;

const REST: Duration = Duration::from_secs(30);

fn breaker(model: &ScriptedModel) -> Breaker {
    Breaker::new(Arc::new(model.clone()), BreakerSettings { failures: 2, rest: REST })
}

#[tokio::test(start_paused = true)]
async fn it_opens_rests_and_closes() {
    let scripts =
        [lost().into(), broken_off("雪", lost()), lost().into(), answer("夜", 1, 1), lost().into(), answer("门", 1, 1)];
    let model = scripted("scripted", scripts);
    let breaker = breaker(&model);
    assert!(matches!(call(&breaker).await, Err(Error::Transport { .. })));
    assert!(matches!(call(&breaker).await, Err(Error::Transport { .. })));
    advance(Duration::from_secs(10)).await;
    let Err(Error::Resting { retry_after, .. }) = call(&breaker).await else { panic!("open") };
    assert_eq!(retry_after, Duration::from_secs(20));
    assert_eq!(model.requests().len(), 2, "an open breaker asks nobody");

    advance(retry_after).await;
    assert!(matches!(call(&breaker).await, Err(Error::Transport { .. })), "the probe fails");
    assert!(matches!(call(&breaker).await, Err(Error::Resting { .. })), "and opens it again");
    advance(REST).await;
    assert_eq!(call(&breaker).await.unwrap().text, "夜");
    assert!(matches!(call(&breaker).await, Err(Error::Transport { .. })), "closed: one failure does not open it");
    assert_eq!(call(&breaker).await.unwrap().text, "门");
}

#[tokio::test(start_paused = true)]
async fn one_call_probes_at_a_time_and_a_given_up_probe_makes_room() {
    let model = scripted("scripted", [lost().into(), lost().into(), answer("雪", 1, 1), answer("夜", 1, 1)]);
    let breaker = breaker(&model);
    for _ in 0..2 {
        call(&breaker).await.unwrap_err();
    }
    advance(REST).await;
    let mut probe = breaker.stream(&request()).await.unwrap();
    probe.next().await.unwrap().unwrap();
    assert!(matches!(call(&breaker).await, Err(Error::Resting { .. })));
    drop(probe);
    assert_eq!(call(&breaker).await.unwrap().text, "夜");
}

#[tokio::test(start_paused = true)]
async fn only_failures_in_a_row_and_only_the_provider_s_count() {
    let scripts = [
        lost().into(),
        answer("雪", 1, 1),
        lost().into(),
        http(400, None).into(),
        lost().into(),
        http(401, None).into(),
        answer("夜", 1, 1),
    ];
    let model = scripted("scripted", scripts);
    let breaker = breaker(&model);
    for _ in 0..6 {
        assert!(!matches!(call(&breaker).await, Err(Error::Resting { .. })));
    }
    assert_eq!(call(&breaker).await.unwrap().text, "夜");
}

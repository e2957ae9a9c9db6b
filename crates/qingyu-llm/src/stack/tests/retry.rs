use tokio::time::Instant;

use super::*;
use crate::stack::ModelRetrySettings;

fn retrying(model: &ScriptedModel, attempts: u32) -> ModelRetrySettings {
    ModelRetrySettings::new(Arc::new(model.clone()), RetryModel { attempts, ..RetryModel::default() })
}

#[tokio::test(start_paused = true)]
async fn passing_failures_are_tried_again_with_growing_waits() {
    let early = ModelScript::Items(vec![Ok(ChatEvent::Reasoning("想".into())), Err(lost())]);
    let silent = ModelScript::Items(Vec::new());
    let model = scripted("scripted", [http(500, None).into(), early, silent, answer("雪", 1, 1)]);
    let start = Instant::now();
    assert_eq!(call(&retrying(&model, 4)).await.unwrap().text, "雪");
    // 1 + 2 + 4 seconds, each with up to as much again at random.
    let waited = start.elapsed();
    assert!((7..=14).contains(&waited.as_secs()), "{waited:?}");
    assert_eq!(model.requests(), vec![request(); 4]);
}

#[tokio::test(start_paused = true)]
async fn the_last_attempt_s_error_is_returned() {
    let model = scripted("scripted", [lost().into(), http(503, None).into(), answer("雪", 1, 1)]);
    assert!(matches!(call(&retrying(&model, 2)).await, Err(Error::Http { status: 503, .. })));
    assert_eq!(model.left(), 1);
}

#[tokio::test(start_paused = true)]
async fn what_will_not_pass_is_not_tried_again() {
    for error in [http(401, None), http(400, None), Error::Settings("no key".into())] {
        let model = scripted("scripted", [error.clone().into(), answer("雪", 1, 1)]);
        assert_eq!(call(&retrying(&model, 4)).await.unwrap_err().to_string(), error.to_string());
        assert_eq!(model.left(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn an_empty_answer_is_asked_for_once_more() {
    let thought = || ModelScript::from(Reply { reasoning: "想".into(), model: "scripted".into(), ..Reply::default() });
    let blank = || ModelScript::from(Reply { text: "\n ".into(), model: "scripted".into(), ..Reply::default() });
    let model = scripted("scripted", [thought(), answer("雪", 1, 1)]);
    assert_eq!(call(&retrying(&model, 4)).await.unwrap().text, "雪");

    let model = scripted("scripted", [blank(), thought(), answer("雪", 1, 1)]);
    let error = call(&retrying(&model, 4)).await.unwrap_err();
    assert_eq!(error.to_string(), "scripted gave an empty answer for draft.scene: all of it was thinking");
    assert_eq!(model.left(), 1);

    let filtered = Reply { finish: crate::FinishReason::Filtered, ..Reply::default() };
    let model = scripted("scripted", [filtered.into(), answer("雪", 1, 1)]);
    assert_eq!(call(&retrying(&model, 4)).await.unwrap().finish, crate::FinishReason::Filtered);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_tried_again_after_visible_text() {
    let model = scripted("scripted", [broken_off("雪", lost()), answer("雪夜", 1, 1)]);
    assert!(matches!(call(&retrying(&model, 4)).await, Err(Error::Transport { .. })));
    assert_eq!(model.left(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_provider_s_wish_is_obeyed_up_to_a_minute() {
    for (asked, waited) in [(30, 30), (3_600, 60), (0, 1)] {
        let refusal = http(429, Some(Duration::from_secs(asked)));
        let model = scripted("scripted", [refusal.into(), answer("雪", 1, 1)]);
        let start = Instant::now();
        call(&retrying(&model, 2)).await.unwrap();
        let seconds = start.elapsed().as_secs();
        assert!((waited..=waited + 1).contains(&seconds), "asked for {asked}, waited {seconds}");
    }
}

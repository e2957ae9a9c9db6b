//! What the user's words lead to.

use qingyu_agents::production::{Asks, Order, Routed};
use qingyu_llm::testing::ScriptedModel;
use qingyu_production::Intent;

use super::bench::{Bench, good, whole_story};
use crate::bench::answered;

/// A production that waits for the confirmation of its second phase, with a model that takes everything for `routed`.
async fn routed(routed: Routed) -> Bench {
    let bench = Bench::new();
    bench.run().await.turn();
    bench.order(Order::Advance).await.turn();
    bench.order(Order::Advance).await.turn();
    let model = ScriptedModel::responding("scripted", move |request| match request.purpose.as_str() {
        "production.route" => answered(&routed),
        _ => good(request),
    });
    Bench { model, ..bench }
}

fn intent(intent: Intent, fields: &[&str], confidence: f64) -> Routed {
    let fields = fields.iter().map(|path| (*path).to_owned()).collect();
    Routed { intent, fields, phase: None, instruction: "换个说法".into(), confidence }
}

#[tokio::test]
async fn words_that_are_not_clear_are_judged_by_a_model_and_lead_where_it_says() {
    for (wanted, fields, purposes) in [
        (Intent::Modify, vec!["inner/lessons/1"], vec!["production.route", "production.make"]),
        (Intent::Generate, vec!["outer/slogan"], vec!["production.route", "production.make"]),
        (Intent::Query, vec!["inner/outline"], vec!["production.route"]),
        (Intent::Chat, vec![], vec!["production.route", "production.chat"]),
    ] {
        let bench = routed(intent(wanted, &fields, 0.9)).await;
        let turn = bench.say("感觉差点意思").await.turn();
        assert_eq!(bench.purposes(), purposes, "{wanted:?}");
        assert_ne!(turn.asks, Asks::Choose, "{wanted:?}");
        if wanted == Intent::Query {
            assert!(turn.text.contains("怎样定价"), "{}", turn.text);
        }
    }
}

#[tokio::test]
async fn what_nobody_is_sure_of_is_asked_and_the_answer_is_about_what_was_said_before() {
    let bench = routed(intent(Intent::Modify, &["outer/slogan"], 0.3)).await;
    let turn = bench.say("感觉差点意思").await.turn();
    assert_eq!(turn.asks, Asks::Choose);
    assert!(turn.options.len() >= 2 && turn.options.contains(&Intent::Modify), "{turn:?}");
    assert_eq!(bench.purposes(), ["production.route"], "nothing is done before it is clear");
}

#[tokio::test]
async fn an_opinion_that_names_what_does_not_exist_is_asked_for_again_and_then_words_decide() {
    let bench = routed(intent(Intent::Modify, &["no/such"], 0.9)).await;
    let (state, turn) = bench.say("感觉差点意思").await.waiting();
    assert_eq!(bench.purposes(), ["production.route"; 3]);
    assert_eq!(turn.asks, Asks::Choose);
    assert_eq!(state.warnings.len(), 1, "{:?}", state.warnings);
}

#[tokio::test]
async fn the_first_order_of_a_run_needs_no_interview() {
    let order = Order::Make { fields: vec!["slogan".into()], instruction: String::new(), is_change: false };
    let bench = Bench::new().first(order);
    let turn = bench.run().await.turn();
    assert!(turn.text.contains("slogan"), "{}", turn.text);
    assert_eq!(bench.purposes(), ["production.make"]);
}

#[tokio::test]
async fn a_run_that_is_ended_keeps_the_project() {
    let bench = Bench::new();
    bench.run().await.turn();
    let state = bench.order(Order::End).await.done();
    assert_eq!(state.current_phase, "intent");
}

#[tokio::test]
async fn nothing_is_read_or_judged_where_nothing_is_written() {
    for order in [
        Order::Simulate { contents: Vec::new(), interactions: Vec::new(), personas: Vec::new() },
        Order::Evaluate { contents: Vec::new(), runs: None, criteria: Vec::new() },
    ] {
        let bench = Bench::with(whole_story(), ScriptedModel::responding("scripted", good)).first(order);
        let turn = bench.run().await.turn();
        assert!(turn.is_refusal && turn.text.contains("还没有可以读的内容"), "{turn:?}");
        assert_eq!((bench.standing(), bench.purposes()), (Vec::new(), Vec::new()), "no empty report is kept");
    }
    let bench = Bench::new();
    assert!(!bench.run().await.turn().is_refusal);
    let missing = Order::Evaluate { contents: vec!["没有".into()], runs: None, criteria: Vec::new() };
    assert!(bench.order(missing).await.turn().is_refusal);
}

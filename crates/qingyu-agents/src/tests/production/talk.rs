//! What the user's words lead to.

use crate::production::context::{ChatContext, FieldContext};
use crate::production::{Asks, Order, Routed};
use crate::progress::Progress;
use qingyu_llm::testing::ScriptedModel;
use qingyu_production::Intent;
use qingyu_story::production::Field;
use serde_json::json;

use super::bench::{Bench, context, good, story, whole_story};
use crate::tests::bench::answered;

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
async fn an_answer_that_ends_with_going_on_goes_on_and_is_kept() {
    let bench = Bench::new();
    bench.run().await.turn();
    let model = ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
        "production.route" => answered(&intent(Intent::AdvancePhase, &[], 0.95)),
        _ => good(request),
    });
    let bench = Bench { model, ..bench };
    let turn = bench.say("For hobby developers who don't like selling. That's enough, go ahead.").await.turn();
    assert_eq!(turn.asks, Asks::Confirm);
    assert_eq!(bench.purposes(), ["production.route", "production.make"]);
    let making: FieldContext = context(&bench.model.requests()[1]);
    assert!(making.conversation.iter().any(|line| line.text.contains("hobby developers")), "the answer is material");
}

#[tokio::test]
async fn an_order_about_one_field_is_said_back_and_done() {
    let bench = routed(intent(Intent::Modify, &["inner/outline"], 0.95)).await;
    let words = "In @outline, change only the exercise of lesson 2 so that a librarian who is alone can do it";
    let ended = bench.say(words).await;
    let said: Vec<&str> = ended
        .progress
        .iter()
        .filter_map(|progress| match progress {
            Progress::Understood { text } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert!(said.len() == 1 && said[0].contains("outline") && said[0].contains("换个说法"), "{said:?}");
    ended.turn();
    assert_eq!(bench.purposes(), ["production.route", "production.make"]);
    let making: FieldContext = context(&bench.model.requests()[1]);
    assert_eq!((making.path.as_str(), making.before.is_some()), ("inner/outline", true));
}

#[tokio::test]
async fn what_would_cost_more_than_one_field_is_agreed_to_first() {
    let bench = routed(intent(Intent::Modify, &["inner/lessons"], 0.95)).await;
    let words = "In the lessons, say less about the outline, but touch nothing else";
    let (state, turn) = bench.say(words).await.talk();
    assert_eq!((turn.asks, turn.fields.as_slice()), (Asks::Agree, ["inner/lessons".to_owned()].as_slice()));
    assert!(turn.text.contains("lessons") && state.turn.proposal.is_some(), "{}", turn.text);
    assert_eq!(bench.purposes(), ["production.route"], "nothing is paid before it is agreed to");
    let (state, _) = bench.say("好的").await.talk();
    assert_eq!(bench.purposes()[1..], ["production.make", "production.make"]);
    assert!(state.turn.proposal.is_none());
}

#[tokio::test]
async fn a_question_about_what_was_made_is_answered_from_passages_with_citations() {
    let bench = routed(intent(Intent::Query, &[], 0.9)).await;
    let model = ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
        "production.route" => answered(&intent(Intent::Query, &[], 0.9)),
        "production.chat" => "讲怎样定价[1]，没有别的[9]。".into(),
        _ => good(request),
    });
    let bench = Bench { model, ..bench };
    let turn = bench.say("怎样定价这一节讲什么，是讲价值吗？").await.turn();
    assert!(turn.text.starts_with("讲怎样定价[1]，没有别的。\n\n[1] ") && turn.text.contains(" @"), "{}", turn.text);
    let asked = bench.model.requests();
    let chatting: ChatContext = context(asked.last().unwrap());
    assert!(!chatting.sources.is_empty() && chatting.sources.len() <= 8 && chatting.conversation.is_empty());
    assert!(chatting.sources[0].text.contains("怎样定价"), "{chatting:?}");
}

#[tokio::test]
async fn what_a_reader_said_is_answered_from_the_report() {
    for (question, name, words) in [
        ("What did Ruth object to?", "Ruth", "nobody alone at a desk has an hour"),
        ("老王反对什么？", "老王", "一个人值班，没有整块的时间"),
    ] {
        let read = |persona: &str, words: &str| {
            let reaction = json!({"words": words, "objections": [{"words": words}]});
            json!({"persona": persona, "interaction": "objection", "reaction": reaction})
        };
        let mut story = story();
        let readings = json!([read("Amir", "fine"), read(name, words)]);
        story.fields.push(Field {
            path: "outer/readers".into(),
            title: "readers".into(),
            phase: "outer".into(),
            value: json!({"outcomes": [], "readings": readings}),
            schema: json!({"type": "object"}),
            version: 1,
            ..Field::default()
        });
        story.production.as_mut().unwrap().current_phase = "outer".into();
        let model = ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
            "production.chat" => "[1]".into(),
            _ => good(request),
        });
        let bench = Bench::with(story, model).first(Order::Say { text: question.into() });
        let turn = bench.run().await.turn();
        assert_eq!(bench.purposes(), ["production.chat"], "{question}: the words are clear");
        let chatting: ChatContext = context(&bench.model.requests()[0]);
        assert!(chatting.sources[0].text.contains(words), "{chatting:?}");
        assert!(turn.text.contains("@outer/readers"), "{}", turn.text);
    }
}

#[tokio::test]
async fn a_failure_is_not_told_to_a_model_later() {
    let bench = Bench::new();
    bench.run().await.turn();
    bench.order(Order::Advance).await.turn();
    let missing = Order::Make { fields: vec!["没有这一项".into()], instruction: String::new(), is_change: false };
    assert!(bench.order(missing).await.turn().is_refusal);
    bench.say("你好，在吗").await.turn();
    let asked = bench.model.requests();
    let chat = asked.iter().rev().find(|request| request.purpose == "production.chat").unwrap();
    let chatting: ChatContext = context(chat);
    assert!(chatting.conversation.iter().all(|line| !line.text.contains("没有这一项")), "{chatting:?}");
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
    let (state, turn) = bench.say("感觉差点意思").await.talk();
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
        Order::Simulate { contents: Vec::new(), text: None, interactions: Vec::new(), personas: Vec::new() },
        Order::Evaluate { contents: Vec::new(), text: None, runs: None, criteria: Vec::new() },
    ] {
        let bench = Bench::with(whole_story(), ScriptedModel::responding("scripted", good)).first(order);
        let turn = bench.run().await.turn();
        assert!(turn.is_refusal && turn.text.contains("还没有可以读的内容"), "{turn:?}");
        assert_eq!((bench.standing(), bench.purposes()), (Vec::new(), Vec::new()), "no empty report is kept");
    }
    let bench = Bench::new();
    assert!(!bench.run().await.turn().is_refusal);
    let missing = Order::Evaluate { contents: vec!["没有".into()], text: None, runs: None, criteria: Vec::new() };
    assert!(bench.order(missing).await.turn().is_refusal);
}

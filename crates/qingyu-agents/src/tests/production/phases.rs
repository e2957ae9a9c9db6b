//! The way through the phases.

use crate::production::{Asks, Order};
use crate::progress::Progress;
use qingyu_llm::testing::{ModelScript, ScriptedModel};
use qingyu_production::Status::{Confirmed, Draft};
use qingyu_story::production::{Autonomy, Field};

use super::bench::{Bench, good, story};

#[tokio::test]
async fn from_a_sentence_to_all_phases_done_with_nobody_asked() {
    let bench = Bench::new().alone();
    let state = bench.run().await.done();
    assert!(state.current_phase.is_empty());
    let standing = bench.standing();
    let paths: Vec<&str> = standing.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(
        paths,
        ["intent/report", "inner/outline", "inner/lessons/1", "inner/lessons/2", "outer/page", "outer/slogan"]
    );
    assert!(standing.iter().all(|(_, status)| *status == Confirmed), "{standing:?}");
    assert_eq!(state.made.len(), 6);
    assert_eq!(bench.purposes(), ["production.make"; 6], "nothing is made twice");
}

#[tokio::test]
async fn what_every_model_is_told_comes_before_every_question() {
    let bench = Bench::new().alone();
    bench.run().await.done();
    let requests = bench.model.requests();
    assert!(
        !requests[0].messages[1].text.contains("<golden_context>"),
        "there is nothing to tell before the intent is known"
    );
    for request in &requests[1..] {
        let text = request.messages[1].text.as_str();
        let golden = text.find("<golden_context>").unwrap_or_else(|| panic!("{}", request.purpose));
        assert!(golden < 200 && text[golden..].contains("教会定价"), "{text}");
        assert!(text.find("## 任务").unwrap() > text.find("</golden_context>").unwrap());
    }
}

#[tokio::test]
async fn a_conversation_asks_until_told_to_produce_and_waits_at_each_phase() {
    let bench = Bench::new();
    let (state, turn) = bench.run().await.talk();
    assert_eq!((turn.asks, turn.text.as_str(), state.waiting_for_human), (Asks::Answer, "给谁看？", true));
    let turn = bench.say("给独立开发者，两小时学完").await.turn();
    assert_eq!(turn.asks, Asks::Answer, "an answer is followed by the next question");
    let (state, turn) = bench.order(Order::Advance).await.talk();
    assert_eq!((turn.asks, turn.fields.as_slice()), (Asks::Confirm, ["intent/report".to_owned()].as_slice()));
    assert_eq!(bench.standing(), [("intent/report".to_owned(), Draft)]);
    assert_eq!(state.messages.len(), 3, "{:?}", state.messages);
    // What was said in the interview is what the report is made from.
    let requests = bench.model.requests();
    let making = requests.iter().find(|request| request.purpose == "production.make").unwrap();
    assert!(making.messages[1].text.contains("两小时学完"));

    let turn = bench.order(Order::Advance).await.turn();
    assert_eq!((turn.asks, turn.phase.as_str()), (Asks::Confirm, "inner"));
    assert_eq!(bench.standing()[0], ("intent/report".to_owned(), Confirmed));
    bench.order(Order::Advance).await.turn();
    let state = bench.order(Order::Advance).await.done();
    assert!(state.current_phase.is_empty() && state.turn.text.contains("导出"), "{:?}", state.turn);
}

#[tokio::test]
async fn fields_that_do_not_depend_on_each_other_are_made_side_by_side() {
    let bench = Bench::new().alone();
    let ended = bench.run().await;
    let steps: Vec<String> = ended
        .progress
        .iter()
        .filter_map(|progress| match progress {
            Progress::Field { path, step, .. } => Some(format!("{path} {step:?}")),
            _ => None,
        })
        .collect();
    let place = |wanted: &str| steps.iter().position(|step| step.starts_with(wanted)).unwrap();
    assert!(place("inner/lessons/2 Started") < place("inner/lessons/1 Made"), "{steps:#?}");
    assert!(place("inner/outline Made") < place("inner/lessons/1 Started"), "{steps:#?}");
    assert!(place("outer/slogan Started") < place("outer/page Made"), "{steps:#?}");
}

#[tokio::test]
async fn a_phase_with_a_gap_waits_for_a_person_even_if_it_need_not() {
    let model = ScriptedModel::responding("scripted", |request| match request.purpose.as_str() {
        "production.make" if request.context["path"] == "inner/outline" => ModelScript::from("这不是 JSON"),
        _ => good(request),
    });
    let bench = Bench::with(story(), model).alone();
    let (state, turn) = bench.run().await.talk();
    assert_eq!((turn.asks, turn.phase.as_str()), (Asks::Confirm, "inner"));
    assert!(turn.text.contains("outline"), "{}", turn.text);
    assert!(state.errors.iter().any(|error| error.starts_with("outline")), "{:?}", state.errors);
    assert!(bench.value("inner/outline").is_null(), "what cannot be read is no value");
    assert!(!bench.standing().iter().any(|(path, _)| path.starts_with("outer")), "the next phase has not begun");
    // Three attempts each, and nothing is made of what is not there.
    assert_eq!(bench.purposes(), ["production.make"; 4]);
}

#[tokio::test]
async fn enough_asked_makes_what_is_still_empty_and_keeps_what_the_user_wrote() {
    let mut story = story();
    let written = Field {
        path: "intent/profile".into(),
        title: "profile".into(),
        phase: "intent".into(),
        value: "十年经验".into(),
        version: 1,
        ..Field::default()
    };
    story.fields.insert(0, Field { schema: serde_json::json!({"type": "string"}), ..written });
    let bench = Bench::with(story, ScriptedModel::responding("scripted", good));
    bench.run().await.turn();
    let turn = bench.order(Order::Advance).await.turn();
    assert_eq!((turn.asks, turn.phase.as_str()), (Asks::Confirm, "intent"));
    assert_eq!(bench.standing(), [("intent/profile".to_owned(), Draft), ("intent/report".to_owned(), Draft)]);
    assert_eq!(bench.value("intent/profile"), "十年经验");
}

#[tokio::test]
async fn autonomy_can_be_changed_on_the_way() {
    let bench = Bench::new();
    bench.run().await.turn();
    let turn = bench.order(Order::Autonomy { phases: vec![("all".into(), Autonomy::Auto)] }).await.turn();
    assert!(turn.text.contains('3'), "{}", turn.text);
    let state = bench.order(Order::Advance).await.done();
    assert!(state.autonomy_settings.values().all(|waits| !waits));
    let turn = Bench::new();
    turn.run().await.turn();
    let refused = turn.order(Order::Autonomy { phases: vec![("nowhere".into(), Autonomy::Auto)] }).await.turn();
    assert!(refused.text.contains("nowhere"), "{}", refused.text);
}

use std::sync::Arc;
use std::time::Duration;

use qingyu_graph::store::MemoryStore;
use qingyu_graph::{Context, END, Graph, START};
use qingyu_llm::roles::ModelRoutes;
use qingyu_llm::testing::ScriptedModel;
use serde_json::{Value, json};

use super::*;
use crate::PipelineResources;
use crate::production::consumers::tests::{Desk, golden};

async fn run(model: &ScriptedModel, wanted: EvaluationRequest) -> Value {
    let workshop = PipelineResources::new(ModelRoutes::new(Arc::new(model.clone())));
    let (wanted, golden) = (Arc::new(wanted), Arc::new(golden()));
    let node = move |_: Arc<Desk>, context: Context| {
        let (workshop, wanted, golden) = (workshop.clone(), Arc::clone(&wanted), Arc::clone(&golden));
        async move {
            let seat =
                CallContext { workshop: &workshop, context: &context, language: wanted.language, golden: &golden };
            let (evaluation, records, warnings) = evaluate(&seat, &wanted).await?;
            let result = json!({"evaluation": evaluation, "calls": records.len(), "warnings": warnings});
            Ok::<_, NodeError>(Desk::update().result(result))
        }
    };
    let graph =
        Graph::<Desk>::new("judges").node("evaluate", node).edge(START, "evaluate").edge("evaluate", END).compile();
    let thread = graph.unwrap().thread(Arc::new(MemoryStore::new()), "t");
    thread.start(Desk::update()).await.unwrap().finish().await.unwrap().into_state().result
}

fn wanted(runs: u32) -> EvaluationRequest {
    let criterion = |name: &str, weight| Criterion { name: name.into(), weight, ..Criterion::default() };
    EvaluationRequest {
        language: Language::En,
        contents: vec![Content {
            path: "page".into(),
            text: "Price by value.".into(),
            version: 3,
            ..Content::default()
        }],
        criteria: vec![criterion("clarity", 3.0), criterion("voice", 1.0)],
        runs,
        budget: 1_000,
    }
}

fn scores(clarity: u8, voice: u8) -> String {
    let line = |criterion: &str, score: u8| json!({"criterion": criterion, "score": score, "why": "so", "quotes": ["by value"]});
    json!({"scores": [line("clarity", clarity), line("voice", voice)]}).to_string()
}

#[tokio::test(start_paused = true)]
async fn runs_are_side_by_side_and_one_that_gives_nothing_is_no_score() {
    // Every answer but the second run's is good, whatever is asked again.
    let model = ScriptedModel::responding("scripted", |request| match request.call.ends_with("/2") {
        true => "no idea".into(),
        false if request.call.ends_with("/1") => scores(60, 80).into(),
        false => scores(80, 80).into(),
    })
    .with_latency(Duration::from_secs(10));
    let begun = tokio::time::Instant::now();
    let result = run(&model, wanted(3)).await;
    assert!(begun.elapsed() < Duration::from_secs(40), "one run of three tries at most");
    let evaluation: Evaluation = serde_json::from_value(result["evaluation"].clone()).unwrap();
    assert_eq!((evaluation.runs, evaluation.failed, evaluation.total), (2, 1, Some(72.5)));
    let criteria = &result["evaluation"]["criteria"];
    assert_eq!((&criteria[0]["deviation"], &criteria[1]["deviation"]), (&json!(14.1421), &json!(0.0)));
    assert_eq!(evaluation.contents, [Judged { path: "page".into(), version: 3 }]);
    assert!(result["warnings"][0].as_str().unwrap().starts_with("judgement 2 "), "{result}");
    assert_eq!(result["calls"], 3);
    let requests = model.requests();
    for request in &requests {
        assert!(request.messages[1].text.contains("让独立开发者会定价"));
    }
    for role in ["editor", "practitioner", "sceptic"] {
        assert!(requests.iter().any(|request| request.messages[1].text.contains(role)), "{role}");
    }
    assert_eq!(evaluation.judges, ["editor", "sceptic"]);
}

#[tokio::test]
async fn a_quote_that_does_not_stand_there_is_asked_for_again() {
    let invented = scores(90, 90).replace("by value", "for free");
    let model = ScriptedModel::new("scripted").on("judge.score", invented).on("judge.score", scores(50, 50));
    let result = run(&model, wanted(1)).await;
    assert_eq!((model.requests().len(), &result["evaluation"]["total"]), (2, &json!(50.0)));
    assert!(result["evaluation"]["deviation"].is_null());
}

#[tokio::test]
async fn nothing_is_asked_without_criteria_or_content() {
    let model = ScriptedModel::new("scripted");
    for (wanted, says) in [
        (EvaluationRequest { criteria: Vec::new(), ..wanted(2) }, "there are no criteria"),
        (EvaluationRequest { contents: Vec::new(), ..wanted(2) }, "there is nothing to read"),
    ] {
        let result = run(&model, wanted).await;
        assert_eq!((&result["warnings"], &result["evaluation"]["total"]), (&json!([says]), &Value::Null));
    }
    assert_eq!(model.requests().len(), 0);
}

//! Models that fail, and what the run makes of it.

use qingyu_llm::Error;
use qingyu_story::StepState;

use crate::tests::bench::{Bench, cast, plan};

#[tokio::test]
async fn a_report_that_never_parses_never_passes() {
    let bench = (0..3)
        .fold(Bench::new(), |bench, _| bench.says("review.judge", "{\"passed\": true, \"quality_score\": \"很好\"}"));
    let (state, question) = bench.run().await.waiting();
    assert!(!state.review_passed);
    assert_eq!(question["reason"], "strategy");
    let report = state.diagnostic_report.unwrap();
    assert!(!report.passed && report.quality_score > 0);
    assert_eq!(serde_json::to_value(report.correction_strategy).unwrap(), "human_review");
    assert!(state.warnings.iter().any(|line| line.contains("没有得到审核模型的判断")), "{:?}", state.warnings);
    assert_eq!(bench.purposes().iter().filter(|purpose| *purpose == "review.judge").count(), 3);
}

/// A plan with a style whose agent gives `bad` answers that cannot be read before it gives a good one.
fn bench_of_style(bad: usize) -> Bench {
    let plan = plan("1 style; 2 outline <- 1; 3 character <- 2; 4 plot <- 2 3; 5 review");
    (0..bad).fold(Bench::new().on("plan.create", &plan), |bench, _| bench.says("style.generate", "嗯"))
}

#[tokio::test]
async fn a_step_that_failed_is_tried_again_before_anything_passes() {
    let state = bench_of_style(3).run().await.done();
    assert!(state.style.is_some() && state.review_passed);
    assert_eq!((state.failed_steps.as_slice(), state.iteration_count), ([1].as_slice(), 1));
    assert!(state.warnings.iter().any(|line| line.contains("文风智能体")));
    let basis = state.diagnostic_report.unwrap().basis;
    assert!(basis.steps.iter().all(|step| step.state == StepState::Done), "{:?}", basis.steps);
}

#[tokio::test]
async fn a_step_that_always_fails_never_passes_whatever_the_reviewer_says() {
    let (state, question) = bench_of_style(30).run().await.waiting();
    let report = state.diagnostic_report.unwrap();
    assert!(!report.passed && !state.review_passed);
    assert!(report.issues.iter().any(|issue| issue.id == "step-1" && !issue.root_cause.is_empty()), "{report:?}");
    assert_eq!(report.basis.unfinished().map(|step| step.agent.as_str()).collect::<Vec<_>>(), ["style_agent"]);
    assert_eq!(state.execution_plan.steps.len(), 5, "the step stays in the plan");
    assert!(["max_iterations", "stalled"].contains(&question["reason"].as_str().unwrap()), "{question}");
}

#[tokio::test]
async fn a_cast_that_cannot_be_had_is_missed_by_the_review_and_made_in_a_correction() {
    let bench = (0..3).fold(Bench::new(), |bench, _| bench.says("character.generate", "嗯"));
    let state = bench.on("character.correct", &cast()).run().await.done();
    assert_eq!(state.failed_steps, [2]);
    assert!(state.scores[0] < 80);
    assert_eq!((state.characters.len(), state.iteration_count, state.review_passed), (2, 1, true));
}

#[tokio::test]
async fn without_an_outline_the_run_ends_with_a_clear_error_and_can_be_tried_again() {
    let bench = (0..3).fold(Bench::new(), |bench, _| bench.says("outline.generate", "嗯"));
    let error = bench.run().await.error().to_string();
    assert!(error.contains("outline_agent could not do its work, and nothing can be made without it"), "{error}");
    let state = bench.resume().await.done();
    assert!(state.review_passed);
    assert_eq!(bench.purposes().iter().filter(|purpose| *purpose == "plan.create").count(), 1);
}

#[tokio::test]
async fn a_model_that_is_not_there_stops_the_run_and_loses_nothing() {
    let bench = Bench::new();
    bench.model.push(
        "plot.generate",
        Error::Http { model: "m".into(), status: 401, body: "no key".into(), retry_after: None, url: Box::default() },
    );
    let error = bench.run().await.error().to_string();
    assert!(error.contains("plot_agent: m answered 401: no key"), "{error}");
    let state = bench.resume().await.done();
    assert!(state.review_passed);
    assert_eq!(
        bench.purposes(),
        ["plan.create", "outline.generate", "character.generate", "plot.generate", "plot.generate", "review.judge"]
    );
}

#[tokio::test]
async fn answers_that_break_semantic_rules_are_asked_for_again() {
    let mut twice = crate::tests::bench::outline();
    twice.outline_nodes[1].name = twice.outline_nodes[0].name.clone();
    let bench = Bench::new().on("outline.generate", &twice);
    let state = bench.run().await.done();
    assert_eq!(state.messages[1].attempts, 2);
    let again = bench.request("outline.generate").messages;
    assert!(again.last().unwrap().text.contains("重复出现"), "{again:#?}");
}

#[tokio::test]
async fn an_empty_requirement_asks_no_model() {
    let bench = Bench::new();
    let input = crate::PipelineState::input("  ", qingyu_story::Language::Zh, bench.config.clone());
    let run = bench.thread().start(input).await.unwrap();
    assert!(run.finish().await.unwrap_err().to_string().contains("the requirement is empty"));
    assert_eq!(bench.purposes(), [""; 0]);
}

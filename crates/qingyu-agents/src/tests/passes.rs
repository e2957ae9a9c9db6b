//! Runs that pass the first review.

use std::time::Duration;

use crate::PipelineConfig;
use crate::progress::Progress;
use qingyu_llm::testing::ScriptedModel;

use crate::tests::bench::{Bench, good, judgement, plan, version_1};

#[tokio::test]
async fn a_requirement_becomes_a_reviewed_story() {
    let bench = Bench::new();
    let ended = bench.run().await;
    let told = ended.progress.clone();
    let state = ended.done();
    assert_eq!(
        bench.purposes(),
        ["plan.create", "outline.generate", "character.generate", "plot.generate", "review.judge"]
    );
    assert!(state.review_passed);
    assert_eq!((state.quality_score, state.iteration_count), (90, 0), "{:#?}", state.diagnostic_report);
    assert_eq!(
        state.completed_agents,
        ["planner_agent", "outline_agent", "character_agent", "plot_agent", "review_agent"]
    );
    assert_eq!(state.completed_steps, [1, 2, 3, 4]);
    let ids = state.story().pieces().map(|piece| piece.id().to_owned()).collect::<Vec<_>>();
    assert_eq!(ids, ["c-1", "c-2", "r-1", "o-1", "o-2", "e-1", "e-2", "p-1", "p-2", "p-3"]);
    assert_eq!(state.outline_summary, "一块芯片引出一桩失踪案");
    assert_eq!(state.tokens_used, 5 * 150);
    assert_eq!(state.messages.len(), 5);
    assert!(
        state.messages.iter().all(|call| call.prompt_hash.len() == 64 && call.attempts == 1 && !call.raw.is_empty())
    );
    assert_eq!(state.warnings, [""; 0]);
    let planned = told.iter().filter(|progress| matches!(progress, Progress::Planned { fallback: None, .. })).count();
    let reviewed = told.iter().filter(|progress| matches!(progress, Progress::Reviewed { iteration: 0, .. })).count();
    assert_eq!((planned, reviewed), (1, 1));
}

#[tokio::test]
async fn each_agent_is_shown_what_its_step_needs() {
    let bench = Bench::new();
    bench.run().await.done();
    let shown = |purpose: &str| {
        let request = bench.request(purpose);
        assert_eq!(request.messages.len(), 2);
        assert!(request.output.is_some(), "the answer of {purpose} has a schema");
        request.messages[1].text.clone()
    };
    assert!(shown("outline.generate").contains("还没有。"));
    let character = shown("character.generate");
    assert!(character.contains("【大纲】\n- ") && !character.contains("【时间线】"));
    let plot = shown("plot.generate");
    assert!(plot.contains("【大纲】\n- ") && plot.contains("【人物】\n- ") && plot.contains("任务3"));
    assert!(shown("review.judge").contains("【时间线】\n[{"));
    let context = bench.request("plot.generate").context;
    assert_eq!(context["story"]["characters"][0]["name"], "林深");
}

#[tokio::test]
async fn with_all_switches_off_it_is_version_1() {
    let bench = Bench::new().config(version_1());
    let state = bench.run().await.done();
    assert_eq!(bench.purposes(), ["outline.generate", "character.generate", "plot.generate", "review.judge"]);
    assert!(state.review_passed);
    assert!(state.warnings[0].contains("没有世界观智能体、文风智能体的步骤"), "{:?}", state.warnings);
}

#[tokio::test]
async fn without_a_planner_world_and_style_are_made_as_well() {
    let bench = Bench::new().config(PipelineConfig { enable_planner: false, ..PipelineConfig::default() });
    let state = bench.run().await.done();
    let expected = [
        "worldview.generate",
        "outline.generate",
        "character.generate",
        "plot.generate",
        "style.generate",
        "review.judge",
    ];
    assert_eq!(bench.purposes(), expected);
    assert!(state.worldview.is_some() && state.style.is_some() && state.review_passed);
    assert_eq!(state.warnings, [""; 0]);
}

#[tokio::test]
async fn version_1_starts_again_from_the_first_agent() {
    let config = PipelineConfig { max_iterations: 1, ..version_1() };
    let bench = Bench::new().config(config).on("review.judge", &judgement(70)).on("review.judge", &judgement(30));
    let (state, question) = bench.run().await.waiting();
    let round = ["outline.generate", "character.generate", "plot.generate", "review.judge"];
    assert_eq!(bench.purposes(), [round, round].concat());
    assert_eq!((state.iteration_count, &question["reason"]), (1, &"max_iterations".into()));
    assert!(!state.review_passed);
}

#[tokio::test(start_paused = true)]
async fn steps_that_do_not_need_each_other_overlap() {
    let model = ScriptedModel::responding("slow", good).with_latency(Duration::from_secs(10));
    let bench = Bench::with(model).on(
        "plan.create",
        &plan("1 worldview; 2 style; 3 outline <- 1; 4 character <- 1; 5 plot <- 3 4; 6 review <- 1 2 3 4 5"),
    );
    let begun = tokio::time::Instant::now();
    let state = bench.run().await.done();
    // plan, worldview + style, outline + character, plot, review
    assert_eq!(begun.elapsed().as_secs(), 50);
    assert_eq!(state.execution_plan.parallelizable_steps, [vec![1, 2], vec![3, 4]]);
    assert!(state.worldview.is_some() && state.style.is_some() && state.review_passed);
}

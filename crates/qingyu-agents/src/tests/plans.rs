//! Plans that cannot be had, and plans that change.

use std::sync::Arc;

use crate::progress::Progress;
use qingyu_story::{Document, Story};
use qingyu_tools::{Engine, MemoryWorkspace, Toolbox, workspace};

use crate::tests::bench::{Bench, plan};

#[tokio::test]
async fn a_plan_that_cannot_run_falls_back_and_says_so() {
    let hundred = (1..=100).map(|id| format!("{id} outline")).collect::<Vec<_>>().join(";");
    let cases = [
        ("1 outline <- 2; 2 character <- 1; 3 review", "1 → 2 互相等待"),
        ("1 poetry; 2 review", "「poetry_agent」不存在"),
        (hundred.as_str(), "计划有 100 步，最多允许 24 步"),
    ];
    for (line, expected) in cases {
        let bench = Bench::new().on("plan.create", &plan(line));
        let ended = bench.run().await;
        let told = ended.progress.iter().find_map(|progress| match progress {
            Progress::Planned { fallback, .. } => fallback.clone(),
            _ => None,
        });
        let state = ended.done();
        assert!(state.plan_fallback.as_ref().is_some_and(|why| why.contains(expected)), "{:?}", state.plan_fallback);
        assert_eq!(told, state.plan_fallback);
        assert_eq!(state.warnings.first(), state.plan_fallback.as_ref());
        assert_eq!(state.completed_steps, [1, 2, 3, 4, 5, 6]);
        assert!(state.review_passed && state.worldview.is_some() && state.style.is_some());
    }
}

#[tokio::test]
async fn a_planner_that_makes_no_sense_three_times_is_replaced_by_the_default_plan() {
    let bench =
        Bench::new().says("plan.create", "好的！").says("plan.create", "[]").says("plan.create", "{\"steps\": 7}");
    let state = bench.run().await.done();
    assert_eq!(bench.purposes()[..4], ["plan.create", "plan.create", "plan.create", "worldview.generate"]);
    assert!(state.plan_fallback.is_some() && state.review_passed);
    assert!(state.messages[0].error.is_some());
}

#[tokio::test]
async fn what_a_step_needs_and_nobody_planned_is_put_in() {
    let bench = Bench::new().on("plan.create", &plan("1 plot; 2 review"));
    let ended = bench.run().await;
    assert!(ended.progress.iter().any(|progress| matches!(progress, Progress::PlanAdjusted { .. })));
    let state = ended.done();
    assert_eq!(
        bench.purposes(),
        ["plan.create", "outline.generate", "character.generate", "plot.generate", "review.judge"]
    );
    assert!(state.review_passed);
    assert!(state.reasoning.iter().any(|line| line.contains("已插入第 3 步（大纲智能体）")), "{:?}", state.reasoning);
}

#[tokio::test]
async fn two_steps_of_one_agent_add_to_each_other() {
    let mut more = crate::tests::bench::outline();
    more.outline_nodes = vec![qingyu_story::OutlineNode {
        order: 3,
        name: "第三章 潮退".into(),
        description: "林深与苏曼和解。".into(),
        participants: vec!["林深".into(), "苏曼".into()],
        ..Default::default()
    }];
    let bench = Bench::new()
        .on("plan.create", &plan("1 outline; 2 outline; 3 character <- 1; 4 plot <- 2 3; 5 review"))
        .on("outline.generate", &crate::tests::bench::outline())
        .on("outline.generate", &more);
    let state = bench.run().await.done();
    let names = state.outline_nodes.iter().map(|node| format!("{} {}", node.id, node.name)).collect::<Vec<_>>();
    assert_eq!(names, ["o-1 第一章 雨夜来客", "o-2 第二章 旧港", "o-3 第三章 潮退"]);
    assert!(bench.request("outline.generate").messages[1].text.contains("现有大纲会保留"));
}

/// Returns a plan of two independent steps and a last one with these tools, over a book with a chapter.
fn with_tools(tools: &[&str]) -> Bench {
    let text = "旧港的铜钟每到午夜敲十三下，没有人知道是谁敲的。".repeat(8);
    let chapter = Document { id: "d-1".into(), title: "第一章".into(), version: 1, text, ..Document::default() };
    let story = Story { documents: vec![chapter], ..Story::default() };
    let mut planned = plan("1 outline; 2 worldview <- 1; 3 style <- 1; 4 review <- 1 2 3");
    let last = &mut planned.execution_plan.steps[2];
    last.task_description = "按旧港的铜钟定文风".into();
    last.required_tools = tools.iter().map(|tool| (*tool).to_owned()).collect();
    let mut bench = Bench::new().on("plan.create", &planned);
    let engine = Engine::new(Toolbox::writing(), workspace::only(MemoryWorkspace::new("project-1", story)));
    bench.tools = Some(Arc::new(engine));
    bench
}

fn called(progress: &[Progress]) -> Vec<String> {
    let tool = |progress: &Progress| match progress {
        Progress::ToolCalled { agent, tool, success: true, .. } => Some(format!("{agent} {tool}")),
        _ => None,
    };
    progress.iter().filter_map(tool).collect()
}

#[tokio::test]
async fn a_step_calls_the_tools_that_the_plan_names_and_no_other() {
    for (tools, expected) in [
        (&["RAGTool"][..], &["style_agent rag_tool"][..]),
        (&[], &[]),
        (&["OutlineTool"], &[]), // everything the tool shows is visible
    ] {
        let bench = with_tools(tools);
        let ended = bench.run().await;
        assert_eq!(called(&ended.progress), expected, "{tools:?}");
        let told = bench.request("style.generate").messages[1].text.contains("铜钟每到午夜");
        assert_eq!(told, tools.contains(&"RAGTool"), "{tools:?}");
        assert!(ended.done().review_passed);
    }
}

#[tokio::test]
async fn a_tool_that_fails_is_told_and_the_work_goes_on() {
    let mut bench = with_tools(&["RAGTool"]);
    let engine = Engine::new(Toolbox::writing(), workspace::only(MemoryWorkspace::new("another", Story::default())));
    bench.tools = Some(Arc::new(engine));
    let state = bench.run().await.done();
    assert!(state.warnings.iter().any(|warning| warning.contains("rag_tool 没有成功")), "{:?}", state.warnings);
    assert!(state.review_passed);
}

//! Books of every length: whole, or with everything open named.

use std::collections::BTreeSet;
use std::sync::Arc;

use qingyu_agents::levels::PlanTarget;
use qingyu_agents::output::{OutlineWork, PlotWork};
use qingyu_agents::{PipelineResources, WritingConfig, WritingResources, WritingState, WritingTask, writing};
use qingyu_graph::EventKind;
use qingyu_graph::store::MemoryStore;
use qingyu_llm::ModelRoutes;
use qingyu_story::{Language, Levels, OutlineNode, OutlineNodeKind, Story, placeholders};
use qingyu_tools::{Engine, MemoryWorkspace, Toolbox, Workspace, workspace};

use crate::bench::{ask, run, work};

fn requirement(chapters: u32, language: Language) -> String {
    match language {
        Language::Zh => format!("写一部{chapters}章的悬疑小说，主角是私家侦探"),
        Language::En => format!("A mystery of {chapters} chapters about a private detective"),
    }
}

fn chapters(story: &Story) -> Vec<&OutlineNode> {
    story.outline_nodes.iter().filter(|node| node.kind == OutlineNodeKind::Chapter).collect()
}

/// Plans the levels of a book up to its first arc; every answer is taken whole. Later chapters are planned from the text.
/// Returns the book and the closing line of the run.
async fn planned(requirement: &str, language: Language, length: u32) -> (Story, String) {
    let story = Story { premise: requirement.into(), language, ..Story::default() };
    let project = Arc::new(MemoryWorkspace::new("p-1", story));
    let workspace: Arc<dyn Workspace> = Arc::clone(&project) as Arc<dyn Workspace>;
    let resources = WritingResources {
        workshop: PipelineResources::new(ModelRoutes::new(Arc::new(qingyu_offline::model()))),
        tools: Arc::new(Engine::new(Toolbox::writing(), workspace::only(Arc::clone(&workspace)))),
        workspace,
    };
    let config = WritingConfig::default();
    let graph = writing(resources).unwrap();
    let thread =
        graph.thread(Arc::new(MemoryStore::default()), "run-1").recursion_limit(config.supersteps(length.max(200)));
    let task = WritingTask::Plan { until: PlanTarget::Arc { number: 1 } };
    let input = WritingState::input(task, language, config).run_id("run-1".into()).project_id("p-1".into());
    let mut run = thread.start(input).await.unwrap();
    while let Some(event) = run.next().await {
        let EventKind::Update { values } = event.kind else { continue };
        let feedback = values["plan_feedback"]["set"].as_str().unwrap_or_default();
        assert_eq!(feedback, "", "{requirement}");
    }
    let state = run.finish().await.unwrap().into_state();
    assert!(!state.has_failed(), "{requirement}: {:?}", state.errors);
    (Story::clone(&project.story()), state.final_output)
}

/// The number of chapters of the longest book that is planned at once.
const LONG: u32 = 40;

#[tokio::test]
async fn a_short_book_of_any_length_is_whole() {
    for language in [Language::Zh, Language::En] {
        for length in [1, 2, 7, 12, 17, 18, 25, 33, LONG] {
            let requirement = requirement(length, language);
            let mut material = work(&requirement, &Story::default());
            material.language = language;
            let outline: OutlineWork = ask("outline.generate", &material).await;
            let story = Story { outline_nodes: outline.outline_nodes, language, ..Story::default() };
            let made = chapters(&story);
            assert_eq!(made.len(), length as usize, "{requirement}");
            let open: Vec<_> = made.iter().filter(|node| !placeholders(&node.name).is_empty()).collect();
            assert!(open.is_empty(), "{requirement}: {open:?}");
            material.story = story.clone();
            let plot: PlotWork = ask("plot.generate", &material).await;
            let titles: BTreeSet<&str> = plot.timeline_events.iter().map(|event| event.title.as_str()).collect();
            assert_eq!((plot.timeline_events.len(), titles.len()), (made.len(), made.len()), "{requirement}");
        }
    }
}

#[tokio::test]
async fn a_long_book_of_any_length_is_planned_to_its_arcs_and_says_what_is_open() {
    for language in [Language::Zh, Language::En] {
        for length in (LONG + 1..=2_000).step_by(137).chain([99, 500, 1_000, 1_999, 2_000]) {
            let requirement = requirement(length, language);
            let (story, said) = planned(&requirement, language, length).await;
            let levels = Levels::of(&story).unwrap();
            let (mut next, mut last) = (1, 0);
            for (_, arc) in levels.arcs() {
                assert_eq!(arc.first, next, "{requirement}");
                (next, last) = (arc.last + 1, arc.last);
            }
            assert_eq!((levels.length, last), (length, length), "{requirement}");
            let text = serde_json::to_string(&story.outline_nodes).unwrap();
            assert!(placeholders(&text).is_empty(), "{requirement}");
            let orders: BTreeSet<u32> = story.outline_nodes.iter().map(|node| node.order).collect();
            assert_eq!(orders.len(), story.outline_nodes.len());
            let first_open = (levels.planned + 1).to_string();
            assert!(levels.open() == 0 || said.contains(&first_open), "{requirement}: {said}");
        }
    }
}

#[tokio::test]
async fn a_short_book_is_planned_on_levels_that_fit_it() {
    for language in [Language::Zh, Language::En] {
        for length in [1, 2, 7, 12, 20, 33, LONG] {
            let (story, _) = planned(&requirement(length, language), language, length).await;
            let levels = Levels::of(&story).unwrap();
            let arcs: Vec<(u32, u32)> = levels.arcs().map(|(_, arc)| (arc.first, arc.last)).collect();
            assert_eq!((levels.length, arcs[0].0, arcs[arcs.len() - 1].1), (length, 1, length));
            assert!(length < 12 || arcs.len() > 1, "{length}: {arcs:?}");
        }
    }
    let (story, _) = planned("写一部20章的悬疑小说，每幕5章，主角是私家侦探", Language::Zh, 20).await;
    let arcs: Vec<(u32, u32)> = Levels::of(&story).unwrap().arcs().map(|(_, arc)| (arc.first, arc.last)).collect();
    assert_eq!(arcs, [(1, 5), (6, 10), (11, 15), (16, 20)]);
}

#[tokio::test]
async fn a_long_book_goes_through_the_whole_pipeline() {
    for requirement in ["写一部五百章的玄幻小说，主角是废柴少年", "A fantasy saga of 300 chapters about a mapmaker"]
    {
        let (state, reports) = run(requirement).await;
        let story = state.story();
        let levels = Levels::of(&story).unwrap();
        assert!(levels.open() > 200 && levels.planned >= 10, "{requirement}: {levels:?}");
        assert_eq!(state.timeline_events.len(), levels.planned as usize, "no plot is lost");
        assert!(state.outline_summary.contains(&levels.length.to_string()), "{}", state.outline_summary);
        assert!(!reports.is_empty());
        let open = chapters(&story).into_iter().filter(|node| !placeholders(&node.name).is_empty()).count();
        assert_eq!(open, 0);
    }
}

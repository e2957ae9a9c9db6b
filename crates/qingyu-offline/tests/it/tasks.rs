use std::sync::Arc;

use qingyu_agents::orchestrator::Status;
use qingyu_agents::service::Failure;
use qingyu_agents::{AgentService, PipelineResources, Task, TaskOptions, TaskState, Writes, task_graph};
use qingyu_graph::store::MemoryStore;
use qingyu_llm::ModelRoutes;
use qingyu_story::{Character, Document, OutlineNode, Story};
use qingyu_tools::{Engine, MemoryWorkspace, Toolbox, workspace};

fn book() -> Story {
    let text = "雨停了，林深很高兴。“芯片在哪里？”林深说。“在旧港。”苏曼说。";
    Story {
        outline_nodes: vec![OutlineNode {
            id: "o-1".into(),
            order: 1,
            name: "第一章 雨夜".into(),
            ..OutlineNode::default()
        }],
        documents: vec![Document {
            id: "d-1".into(),
            title: "第一章 雨夜".into(),
            order: 1,
            outline_node: Some("o-1".into()),
            version: 1,
            text: text.into(),
            ..Document::default()
        }],
        characters: vec![Character { id: "c-1".into(), name: "林深".into(), ..Character::default() }],
        ..Story::default()
    }
}

async fn done(description: &str) -> TaskState {
    let workshop = PipelineResources::new(ModelRoutes::new(Arc::new(qingyu_offline::model())));
    let engine = Engine::new(Toolbox::writing(), workspace::only(MemoryWorkspace::new("p-1", book())));
    let graph = task_graph(AgentService::new(workshop, Arc::new(engine))).unwrap();
    let options = TaskOptions { writes: Writes::Never, ..TaskOptions::default() };
    let thread = graph.thread(Arc::new(MemoryStore::new()), "run-1").recursion_limit(options.supersteps());
    let task = Task { project: Some("p-1".into()), ..Task::new("task-1", description) };
    thread.start(TaskState::input(task, options)).await.unwrap().finish().await.unwrap().into_state()
}

#[tokio::test]
async fn a_task_is_taken_apart_and_what_can_be_computed_is_done() {
    let state = done("分析第一章的文风和节奏；统计对话占比；检查时间线").await;
    let agents = state.subtasks.iter().map(|part| part.agent.as_str()).collect::<Vec<_>>();
    assert_eq!(agents, ["analysis", "data_analysis", "checker"]);
    assert!(state.subtasks.iter().all(|part| state.status(&part.name) == Status::Done), "{:?}", state.results);
    assert_eq!(state.warnings, [""; 0], "what the rules say stands the checks");
    assert_eq!(state.split_fallback, None);
    assert!(state.output.contains("对话占比为 ") && state.output.contains("离线规则只报指标"), "{}", state.output);
}

#[tokio::test]
async fn prose_is_refused_and_the_rest_goes_on() {
    let state = done("续写第一章，同时检查一致性").await;
    let Some(Failure::Unsupported { model, hint, .. }) = &state.results["t1"].failure else { panic!("{state:?}") };
    assert!(model == qingyu_offline::NAME && hint.contains("qingyu doctor"), "{hint}");
    assert_eq!(state.status("t2"), Status::Done);
}

#[tokio::test]
async fn questions_are_answered_by_quoting() {
    let state = done("芯片在哪里？").await;
    assert_eq!(state.subtasks[0].agent, "assistant");
    assert!(state.output.contains("旧港") || state.output.contains("芯片在哪里"), "{}", state.output);
}

//! Runs the whole pipeline on the offline model.

use std::sync::Arc;

use qingyu_agents::context::WorkContext;
use qingyu_agents::output::{CharacterWork, OutlineWork, PlotWork, StyleWork, WorldviewWork};
use qingyu_agents::progress::Progress;
use qingyu_agents::{PipelineConfig, PipelineResources, PipelineState, pipeline};
use qingyu_graph::store::MemoryStore;
use qingyu_graph::{EventKind, Outcome};
use qingyu_llm::model::drain;
use qingyu_llm::{ChatModel, ChatRequest, Error, ModelRoutes, Reply};
use qingyu_story::{DiagnosticReport, Language, Story};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Requirements of different genres in both languages.
pub(crate) const REQUIREMENTS: [&str; 14] = [
    "创作一部赛博朋克背景的侦探小说，主角是私家侦探，擅长黑客技术",
    "A locked-room mystery on a generation ship; the detective is the ship's gardener",
    "写一部武侠，主角叫沈孤舟，是个退隐的镖师，为了查清当年灭门的真相重出江湖，十二章",
    "废柴少年入仙门，从杂役做起的修仙升级文",
    "一个甜宠言情故事，女主是花艺师，男主是急诊医生，发生在上海",
    "末世求生：粮站里的仓库管理员带着大家撑过冬天",
    "返乡的民俗记录员在山村遇到诡异规矩的中式恐怖小说",
    "民国上海滩，一个变戏法的要从银行里偷出一本账",
    "写一个关于灯塔看守和一只会说话的猫的温暖童话",
    "A fantasy quest: a mapmaker's apprentice must find the valley that maps forget",
    "Space opera romance between a smuggler and a diplomat, 9 chapters",
    "A heist in 1920s Chicago led by a retired safecracker named Dolly Pike",
    "A coming-of-age story about a girl who repairs the school clock",
    "Post-apocalyptic western: a courier carries seeds across the salt flats",
];

/// The end of a run and the reports on the way.
pub(crate) async fn run(requirement: &str) -> (PipelineState, Vec<DiagnosticReport>) {
    change(&Story::default(), requirement).await
}

/// The same on a story that is there already.
pub(crate) async fn change(story: &Story, requirement: &str) -> (PipelineState, Vec<DiagnosticReport>) {
    let graph = pipeline(PipelineResources::new(ModelRoutes::new(Arc::new(qingyu_offline::model())))).unwrap();
    let config = PipelineConfig::default();
    let thread = graph.thread(Arc::new(MemoryStore::default()), "test").recursion_limit(config.supersteps());
    let input = PipelineState::input(requirement, Language::of(requirement), config).story(&Story::default(), story);
    let mut run = thread.start(input).await.unwrap();
    let mut reports = Vec::new();
    while let Some(event) = run.next().await {
        let EventKind::Custom(value) = event.kind else { continue };
        if let Progress::Reviewed { report, .. } = serde_json::from_value(value).unwrap() {
            reports.push(*report);
        }
    }
    let state = match run.finish().await.unwrap() {
        Outcome::Done(state) | Outcome::Waiting { state, .. } => state,
        other => panic!("the run broke off: {other:?}"),
    };
    (state, reports)
}

/// Asks the offline model and reads its answer.
pub(crate) async fn ask<T: DeserializeOwned>(purpose: &str, context: &impl Serialize) -> T {
    let reply = reply(purpose, serde_json::to_value(context).unwrap()).await.unwrap();
    serde_json::from_str(&reply.text).unwrap()
}

/// The whole reply of the offline model.
pub(crate) async fn reply(purpose: &str, context: Value) -> Result<Reply, Error> {
    let request = ChatRequest { purpose: purpose.into(), context, ..ChatRequest::default() };
    drain(qingyu_offline::model().stream(&request).await?).await
}

/// The context of a specialist.
pub(crate) fn work(requirement: &str, story: &Story) -> WorkContext {
    let language = Language::of(requirement);
    WorkContext { requirement: requirement.into(), language, story: story.clone(), ..WorkContext::default() }
}

/// Everything the specialists make of a requirement, each seeing what its step depends on.
pub(crate) async fn everything(requirement: &str) -> (Story, String) {
    let mut story = Story { premise: requirement.into(), language: Language::of(requirement), ..Story::default() };
    let world: WorldviewWork = ask("worldview.generate", &work(requirement, &story)).await;
    story.worldview = Some(world.worldview);
    let outline: OutlineWork = ask("outline.generate", &work(requirement, &story)).await;
    let cast: CharacterWork = ask("character.generate", &work(requirement, &story)).await;
    story.outline_nodes = outline.outline_nodes;
    story.characters = cast.characters;
    story.character_relations = cast.character_relations;
    let plot: PlotWork = ask("plot.generate", &work(requirement, &story)).await;
    let style: StyleWork = ask("style.generate", &work(requirement, &story)).await;
    story.timeline_events = plot.timeline_events;
    story.plot_nodes = plot.plot_nodes;
    story.style = Some(style.style);
    (story, outline.outline_summary)
}

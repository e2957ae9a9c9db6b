//! A pipeline on a bench: scripted answers in, outcome, events and requests out.

use std::sync::{Arc, LazyLock};

use crate::output::{CharacterWork, Judgement, OutlineWork, Plan, PlotWork, StyleWork, WorldviewWork};
use crate::plan::{ExecutionPlan, Step};
use crate::{HumanReviewAnswer, PipelineConfig, PipelineResources, PipelineState, Prompts, WorkArchive, pipeline};
use qingyu_graph::store::{MemoryStore, Store};
use qingyu_graph::{Error, GraphRun, Thread};
use qingyu_llm::testing::{ModelScript, ScriptedModel};
use qingyu_llm::{ChatRequest, ModelRoutes, Reply, Usage};
use qingyu_story::{
    Character, CharacterRelation, Language, Location, OutlineNode, PlotKind, PlotNode, RelationKind, RoleType, Story,
    StyleGuide, TimelineEvent, WorldRule, Worldview,
};
use qingyu_tools::Engine;
use serde::Serialize;

use super::ended::Ended;

pub(crate) const REQUIREMENT: &str = "创作一部赛博朋克背景的侦探小说，主角是私家侦探，擅长黑客技术";

/// Returns a configuration with all switches off.
pub(crate) fn version_1() -> PipelineConfig {
    PipelineConfig {
        enable_planner: false,
        enable_meta_scheduler: false,
        enable_workspace_context: false,
        enable_rag: false,
        enable_knowledge_graph: false,
        preferences: false,
        ..PipelineConfig::default()
    }
}

/// A model, a store and a configuration.
pub(crate) struct Bench {
    pub(crate) model: ScriptedModel,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) config: PipelineConfig,
    pub(crate) archive: Option<Arc<dyn WorkArchive>>,
    pub(crate) tools: Option<Arc<Engine>>,
}

impl Bench {
    /// A bench whose model answers every purpose well, unless a test scripts something else.
    pub(crate) fn new() -> Self {
        Self::with(ScriptedModel::responding("scripted", good))
    }

    pub(crate) fn with(model: ScriptedModel) -> Self {
        Self {
            model,
            store: Arc::new(MemoryStore::new()),
            config: PipelineConfig::default(),
            archive: None,
            tools: None,
        }
    }

    pub(crate) fn config(self, config: PipelineConfig) -> Self {
        Self { config, ..self }
    }

    /// Scripts the next answer for `purpose`.
    pub(crate) fn on(self, purpose: &str, answer: &impl Serialize) -> Self {
        self.model.push(purpose, answered(answer));
        self
    }

    /// Scripts a text that is no answer.
    pub(crate) fn says(self, purpose: &str, text: &str) -> Self {
        self.model.push(purpose, text);
        self
    }

    pub(crate) fn thread(&self) -> Thread<PipelineState> {
        static PROMPTS: LazyLock<Arc<Prompts>> = LazyLock::new(Arc::default);
        let mut workshop = PipelineResources::new(ModelRoutes::new(Arc::new(self.model.clone())));
        workshop.prompts = Arc::clone(&PROMPTS);
        workshop.archive.clone_from(&self.archive);
        workshop.tools.clone_from(&self.tools);
        let graph = pipeline(workshop).unwrap();
        graph.thread(Arc::clone(&self.store), "run-1").recursion_limit(self.config.supersteps())
    }

    pub(crate) async fn start(&self) -> GraphRun<PipelineState> {
        let input = PipelineState::input(REQUIREMENT, Language::Zh, self.config.clone())
            .run_id("run-1".into())
            .project_id("project-1".into());
        self.thread().start(input).await.unwrap()
    }

    /// Runs on a story that is there already.
    pub(crate) async fn change(&self, story: &Story, requirement: &str) -> Ended<PipelineState> {
        let input = PipelineState::input(requirement, Language::Zh, self.config.clone())
            .run_id("run-1".into())
            .project_id("project-1".into());
        let input = input.story(&Story::default(), story);
        Ended::of(self.thread().start(input).await.unwrap()).await
    }

    pub(crate) async fn run(&self) -> Ended<PipelineState> {
        Ended::of(self.start().await).await
    }

    pub(crate) async fn resume(&self) -> Ended<PipelineState> {
        Ended::of(self.thread().resume().await.unwrap()).await
    }

    pub(crate) async fn answer(&self, answer: &HumanReviewAnswer) -> Ended<PipelineState> {
        Ended::of(self.thread().answer(answer).await.unwrap()).await
    }

    /// What was asked for, in order.
    pub(crate) fn purposes(&self) -> Vec<String> {
        self.model.requests().into_iter().map(|request| request.purpose).collect()
    }

    /// The last request of that purpose.
    pub(crate) fn request(&self, purpose: &str) -> ChatRequest {
        self.model.requests().into_iter().rfind(|request| request.purpose == purpose).unwrap()
    }
}

impl Ended<PipelineState> {
    pub(crate) fn error(self) -> Error {
        self.outcome.unwrap_err()
    }
}

/// The answer as a model sends it.
pub(crate) fn answered(answer: &impl Serialize) -> ModelScript {
    let text = serde_json::to_string(answer).unwrap();
    let usage = Usage { input: 100, output: 50, ..Usage::default() };
    ModelScript::from(Reply { text, usage, ..Reply::default() })
}

/// Good answers for every purpose.
pub(crate) fn good(request: &ChatRequest) -> ModelScript {
    match request.purpose.as_str() {
        "plan.create" => answered(&plan("1 outline; 2 character <- 1; 3 plot <- 1 2; 4 review <- 1 2 3")),
        "outline.generate" | "outline.regenerate" => answered(&outline()),
        "character.generate" | "character.regenerate" => answered(&cast()),
        "plot.generate" | "plot.regenerate" => answered(&plot()),
        "worldview.generate" | "worldview.regenerate" => answered(&world()),
        "style.generate" | "style.regenerate" => answered(&style()),
        "character.correct" => {
            let mut work = cast();
            work.characters[0].goals = "替搭档讨回公道".into();
            answered(&work)
        }
        "review.judge" => answered(&judgement(90)),
        other => panic!("no answer for {other}"),
    }
}

/// A plan in a line: `1 outline; 2 character <- 1; 3 review <- 1 2`.
pub(crate) fn plan(line: &str) -> Plan {
    let step = |text: &str| {
        let (step, dependencies) = text.split_once("<-").unwrap_or((text, ""));
        let (id, agent) = step.trim().split_once(' ').unwrap();
        Step {
            step_id: id.parse().unwrap(),
            agent: format!("{agent}_agent"),
            task_description: format!("任务{id}"),
            dependencies: dependencies.split_whitespace().map(|id| id.parse().unwrap()).collect(),
            ..Step::default()
        }
    };
    let execution_plan = ExecutionPlan { steps: line.split(';').map(step).collect(), ..Default::default() };
    Plan { execution_plan, reasoning: vec!["先有大纲".into()], ..Default::default() }
}

pub(crate) fn judgement(quality_score: u8) -> Judgement {
    Judgement { quality_score, reasoning_chain: vec!["读过了".into()], ..Default::default() }
}

pub(crate) fn outline() -> OutlineWork {
    let node = |order: u32, name: &str, description: &str| OutlineNode {
        order,
        name: name.into(),
        description: description.into(),
        goal: "推进调查".into(),
        participants: vec!["林深".into(), "苏曼".into()],
        ..Default::default()
    };
    OutlineWork {
        title: String::new(),
        outline_nodes: vec![
            node(1, "第一章 雨夜来客", "苏曼带着一块芯片找到林深，请他寻找失踪的哥哥。"),
            node(2, "第二章 旧港", "林深黑进港务系统，发现苏曼隐瞒了芯片的来历。"),
        ],
        outline_summary: "一块芯片引出一桩失踪案".into(),
        reasoning: vec!["两章足够".into()],
    }
}

pub(crate) fn card(name: &str, role_type: RoleType) -> Character {
    Character {
        name: name.into(),
        role_type,
        occupation: "侦探".into(),
        traits: vec!["冷静".into(), "固执".into()],
        weakness: "不肯求人".into(),
        personality: "先看手再看脸".into(),
        background: "当过港务警察".into(),
        goals: "找到真相".into(),
        conflicts: "真相会毁掉委托人".into(),
        arc: "学会信任".into(),
        ..Default::default()
    }
}

pub(crate) fn cast() -> CharacterWork {
    CharacterWork {
        characters: vec![card("林深", RoleType::Protagonist), card("苏曼", RoleType::Supporting)],
        character_relations: vec![CharacterRelation {
            from: "林深".into(),
            to: "苏曼".into(),
            kind: RelationKind::Ally,
            strength: 0.6,
            description: "互相提防的搭档".into(),
            ..Default::default()
        }],
        character_summary: "两个不说真话的人".into(),
        reasoning: Vec::new(),
    }
}

pub(crate) fn plot() -> PlotWork {
    let event = |title: &str, timestamp: &str, chapter: &str| TimelineEvent {
        title: title.into(),
        description: "林深与苏曼见面".into(),
        timestamp: timestamp.into(),
        participants: vec!["林深".into(), "苏曼".into()],
        importance: 6,
        outline_node: Some(chapter.into()),
        ..Default::default()
    };
    let node = |title: &str, kind, chapter: &str, event: &str| PlotNode {
        title: title.into(),
        description: "信任出现裂痕".into(),
        kind,
        outline_node: Some(chapter.into()),
        events: vec![event.into()],
        ..Default::default()
    };
    PlotWork {
        timeline_events: vec![event("委托", "第1天", "第一章 雨夜来客"), event("识破", "第3天", "第二章 旧港")],
        plot_nodes: vec![
            node("一块芯片", PlotKind::Conflict, "第一章 雨夜来客", "委托"),
            node("谎言败露", PlotKind::Climax, "第二章 旧港", "识破"),
            node("和解", PlotKind::Resolution, "第二章 旧港", "识破"),
        ],
        plot_summary: "从委托到识破".into(),
        reasoning: Vec::new(),
    }
}

pub(crate) fn world() -> WorldviewWork {
    WorldviewWork {
        worldview: Worldview {
            summary: "大公司统治的雨城".into(),
            genre: "赛博朋克".into(),
            rules: vec![WorldRule {
                name: "记忆税".into(),
                statement: "每年上缴一段记忆".into(),
                ..Default::default()
            }],
            locations: vec![Location {
                name: "旧港".into(), description: "雨不停的码头".into(), ..Default::default()
            }],
            ..Default::default()
        },
        reasoning: Vec::new(),
    }
}

pub(crate) fn style() -> StyleWork {
    StyleWork {
        style: StyleGuide {
            tone: "冷峻".into(), guidelines: vec!["对话不过三行".into()], ..Default::default()
        },
        reasoning: Vec::new(),
    }
}

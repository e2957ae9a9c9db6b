//! An orchestrator on a bench: a small book, scripted answers in, outcome and requests out.

use std::sync::{Arc, LazyLock};

use crate::service::Yardstick;
use crate::{AgentRegistry, AgentService, PipelineResources, Prompts, Task, TaskOptions, TaskState, task_graph};
use qingyu_graph::store::{MemoryStore, Store};
use qingyu_graph::{GraphRun, Outcome, Thread};
use qingyu_llm::testing::{ModelScript, ScriptedModel};
use qingyu_llm::{ChatRequest, ModelRoutes};
use qingyu_story::{Character, Document, Language, OutlineNode, Story, TimelineEvent};
use qingyu_tools::{Engine, MemoryWorkspace, Toolbox, Workspace, workspace};
use serde::Serialize;
use serde_json::{Value, json};

use crate::tests::ended::Ended;

pub(crate) const REWRITE_AND_CHECK: &str = "把第三章的对话改得更有张力，然后检查时间线";
pub(crate) const THIRD: &str = "雨停了。\n“你来了。”苏曼说。\n“来了。”林深说，“芯片在哪里？”\n苏曼没有回答，把灯关了。";

/// Three chapters; in the timeline the third day comes before the second.
pub(crate) fn book() -> Story {
    let texts = ["林深在旧港捡到一块芯片。夜里下着雨。", "苏曼卖掉了照相机。她等了三天。", THIRD];
    let names = ["第一章 雨夜", "第二章 等待", "第三章 旧港"];
    let nodes = (1..).zip(names).map(|(order, name)| OutlineNode {
        id: format!("o-{order}"),
        order,
        name: name.into(),
        participants: vec!["林深".into(), "苏曼".into()],
        ..OutlineNode::default()
    });
    let documents = (1..).zip(names.iter().zip(texts)).map(|(order, (name, text))| Document {
        id: format!("d-{order}"),
        order,
        title: (*name).into(),
        outline_node: Some(format!("o-{order}")),
        version: 1,
        text: text.into(),
        ..Document::default()
    });
    let character = |id: &str, name: &str| Character { id: id.into(), name: name.into(), ..Character::default() };
    let event = |id: &str, title: &str, after: &[&str]| TimelineEvent {
        id: id.into(),
        title: title.into(),
        after: after.iter().map(|name| (*name).into()).collect(),
        ..TimelineEvent::default()
    };
    Story {
        premise: "旧港的芯片".into(),
        language: Language::Zh,
        outline_nodes: nodes.collect(),
        documents: documents.collect(),
        characters: vec![character("c-1", "林深"), character("c-2", "苏曼")],
        timeline_events: vec![event("e-1", "捡到芯片", &["重逢"]), event("e-2", "重逢", &["捡到芯片"])],
        ..Story::default()
    }
}

/// A model, a store and a project.
pub(crate) struct Bench {
    pub(crate) model: ScriptedModel,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) workspace: Arc<MemoryWorkspace>,
    pub(crate) toolbox: Toolbox,
    pub(crate) options: TaskOptions,
    pub(crate) agents: AgentRegistry,
    pub(crate) yardstick: Option<Arc<Yardstick>>,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::with(ScriptedModel::responding("scripted", good))
    }

    pub(crate) fn with(model: ScriptedModel) -> Self {
        Self {
            model,
            store: Arc::new(MemoryStore::new()),
            workspace: Arc::new(MemoryWorkspace::new("p-1", book())),
            toolbox: Toolbox::writing(),
            options: TaskOptions::default(),
            agents: AgentRegistry::builtin(),
            yardstick: None,
        }
    }

    pub(crate) fn options(self, options: TaskOptions) -> Self {
        Self { options, ..self }
    }

    /// Scripts the next answer for `purpose`.
    pub(crate) fn on(self, purpose: &str, answer: impl Into<ModelScript>) -> Self {
        self.model.push(purpose, answer);
        self
    }

    pub(crate) fn thread(&self) -> Thread<TaskState> {
        static PROMPTS: LazyLock<Arc<Prompts>> = LazyLock::new(Arc::default);
        let mut workshop = PipelineResources::new(ModelRoutes::new(Arc::new(self.model.clone())));
        let folders = self.agents.iter().filter_map(|agent| agent.prompts()).collect::<Vec<_>>();
        workshop.prompts = Arc::new(PROMPTS.with_folders(&folders).unwrap());
        let engine = Engine::new(self.toolbox.clone(), workspace::only(Arc::clone(&self.workspace)));
        let service = AgentService {
            agents: self.agents.clone(),
            yardstick: self.yardstick.clone(),
            ..AgentService::new(workshop, Arc::new(engine))
        };
        let graph = task_graph(service).unwrap();
        graph.thread(Arc::clone(&self.store), "run-1").recursion_limit(self.options.supersteps())
    }

    pub(crate) async fn start(&self, task: Task) -> GraphRun<TaskState> {
        let input = TaskState::input(task, self.options.clone()).run_id("run-1".into()).project_id("p-1".into());
        self.thread().start(input).await.unwrap()
    }

    pub(crate) async fn run(&self, task: Task) -> Ended<TaskState> {
        Ended::of(self.start(task).await).await
    }

    pub(crate) async fn resume(&self) -> Ended<TaskState> {
        Ended::of(self.thread().resume().await.unwrap()).await
    }

    pub(crate) async fn answer(&self, answer: &impl Serialize) -> Ended<TaskState> {
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

    /// A chapter's text as it is in the project.
    pub(crate) async fn text(&self, order: u32) -> String {
        let story = self.workspace.load().await.unwrap().story;
        story.documents.iter().find(|document| document.order == order).unwrap().text.clone()
    }

    pub(crate) async fn version(&self) -> u64 {
        self.workspace.version().await.unwrap()
    }
}

impl Ended<TaskState> {
    /// What a person is asked.
    pub(crate) fn question(&self) -> Value {
        match self.outcome.as_ref().unwrap() {
            Outcome::Waiting { questions, .. } => questions[0].payload.clone(),
            other => panic!("asks nothing: {other:?}"),
        }
    }
}

/// A task on the book, with the rules or a model to split it.
pub(crate) fn task(description: &str) -> Task {
    Task { project: Some("p-1".into()), ..Task::new("task-1", description) }
}

/// A task for one agent.
pub(crate) fn order(agent: &str, description: &str) -> Task {
    Task { agent: Some(agent.into()), ..task(description) }
}

/// Parts of a task as a model gives them: `t1 creative 3! 改得更有张力; t2 checker - 检查时间线 <- t1`. The chapter with `!` is
/// to be changed.
pub(crate) fn split(parts: &str) -> String {
    let part = |line: &str| {
        let (line, depends_on) = line.split_once("<-").unwrap_or((line, ""));
        let words = line.split_whitespace().collect::<Vec<_>>();
        let chapter = Some(words[2].trim_end_matches('!')).filter(|chapter| *chapter != "-");
        json!({
            "name": words[0], "agent": words[1], "description": words[3], "chapter": chapter,
            "change": words[2].ends_with('!'), "depends_on": depends_on.split_whitespace().collect::<Vec<_>>(),
        })
    };
    json!({"subtasks": parts.split(';').map(part).collect::<Vec<_>>(), "reasoning": ["先改后查"]}).to_string()
}

pub(crate) fn fixes(changes: &[(&str, &str)]) -> String {
    let fixes = changes.iter().map(|(find, with)| json!({"find": find, "with": with, "why": "更紧"}));
    json!({"fixes": fixes.collect::<Vec<_>>(), "reasoning": ["短句"]}).to_string()
}

/// Good answers for every purpose.
pub(crate) fn good(request: &ChatRequest) -> ModelScript {
    match request.purpose.as_str() {
        "orchestrator.split" => {
            split("t1 creative 第三章! 把第三章的对话改得更有张力; t2 checker - 检查时间线 <- t1").into()
        }
        "creative.rewrite" => fixes(&[("“来了。”林深说，“芯片在哪里？”", "“芯片。”林深伸出手，“现在。”")]).into(),
        "creative.plot" => {
            json!({"beats": ["林深追到码头", "苏曼交出芯片"], "participants": ["林深", "苏曼"], "reasoning": ["接上关灯"]})
                .to_string()
                .into()
        }
        "creative.continue" => "黑暗里只有水声。林深摸到门边，门已经开了。".into(),
        "creative.dialogue" => "“你骗我。”林深说。\n“我救了你。”苏曼没有回头。".into(),
        "creative.scene" => "码头的灯一盏接一盏灭下去，缆绳在水里磨出细响。".into(),
        "creative.character" => "苏曼数钱时总是先数零钱。".into(),
        "analysis.judge" => judgement(&[("style", "句子很短，平均句长说明了这一点。", "sentences.mean", "雨停了。")]).into(),
        "data_analysis.phrase" => {
            json!({"answer": "全书对话不多。", "figures": ["total.dialogue_share"]}).to_string().into()
        }
        "assistant.answer" => {
            let passages = request.context["passages"].as_array().unwrap();
            let found = passages.iter().find(|found| found["text"].as_str().unwrap().contains("捡到一块芯片")).unwrap();
            json!({"answer": "林深。", "holds": true, "citations": [
                {"number": found["number"], "quote": "林深在旧港捡到一块芯片"},
            ]})
            .to_string()
            .into()
        }
        other => panic!("nobody answers {other}"),
    }
}

/// A judgement: aspect, verdict, figure, quote.
pub(crate) fn judgement(verdicts: &[(&str, &str, &str, &str)]) -> String {
    let verdict = |(aspect, verdict, figure, quote): &(&str, &str, &str, &str)| json!({"aspect": aspect, "verdict": verdict, "figures": [figure], "quotes": [quote]});
    json!({"aspects": verdicts.iter().map(verdict).collect::<Vec<_>>(), "suggestions": ["多留白"]}).to_string()
}

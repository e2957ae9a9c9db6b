//! A small production, a scripted model, and what comes of a run.

use std::sync::Arc;

use crate::production::context::{FieldContext, RouteContext};
use crate::production::{ContentProductionState, Order, ProductionConfig, Routed, Turn};
use crate::{PipelineResources, ProductionResources, Prompts, production};
use qingyu_graph::Thread;
use qingyu_graph::store::{MemoryStore, Store};
use qingyu_llm::testing::{ModelScript, ScriptedModel};
use qingyu_llm::{ChatRequest, ModelRoutes};
use qingyu_production::{FieldBoard, Intent, Status};
use qingyu_story::production::{Autonomy, Criterion, Field, Golden, Phase, PhaseKind, Production};
use qingyu_story::{Language, Story};
use qingyu_tools::{MemoryWorkspace, Workspace};
use qingyu_web::Web;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::tests::bench::answered;
use crate::tests::ended::Ended;

/// A production, a model, a store.
pub(super) struct Bench {
    pub(super) model: ScriptedModel,
    pub(super) store: Arc<dyn Store>,
    pub(super) workspace: Arc<MemoryWorkspace>,
    pub(super) first: Option<Order>,
}

impl Bench {
    /// Two phases, an interview and one that makes a list and a text for each of its entries; everyone answers well.
    pub(super) fn new() -> Self {
        Self::with(story(), ScriptedModel::responding("scripted", good))
    }

    pub(super) fn with(story: Story, model: ScriptedModel) -> Self {
        let workspace = Arc::new(MemoryWorkspace::new("p-1", story));
        Self { model, store: Arc::new(MemoryStore::new()), workspace, first: None }
    }

    /// Phases that wait for nobody.
    pub(super) fn alone(self) -> Self {
        let mut story = (*self.workspace.story()).clone();
        for phase in &mut story.production.as_mut().unwrap().phases {
            phase.autonomy = Autonomy::Auto;
        }
        Self { workspace: Arc::new(MemoryWorkspace::new("p-1", story)), ..self }
    }

    pub(super) fn first(self, order: Order) -> Self {
        Self { first: Some(order), ..self }
    }

    pub(super) fn thread(&self) -> Thread<ContentProductionState> {
        static PROMPTS: std::sync::LazyLock<Arc<Prompts>> = std::sync::LazyLock::new(Arc::default);
        let mut workshop = PipelineResources::new(ModelRoutes::new(Arc::new(self.model.clone())));
        workshop.prompts = Arc::clone(&PROMPTS);
        let workspace: Arc<dyn Workspace> = Arc::clone(&self.workspace) as Arc<dyn Workspace>;
        let room = ProductionResources { workshop, workspace, web: Arc::new(Web::closed()) };
        production(room).unwrap().thread(Arc::clone(&self.store), "run-1").recursion_limit(200)
    }

    pub(super) async fn run(&self) -> Ended<ContentProductionState> {
        let input = ContentProductionState::input(Language::Zh, ProductionConfig::default())
            .run_id("run-1".into())
            .project_id("p-1".into())
            .order(self.first.clone());
        Ended::of(self.thread().start(input).await.unwrap()).await
    }

    pub(super) async fn resume(&self) -> Ended<ContentProductionState> {
        Ended::of(self.thread().resume().await.unwrap()).await
    }

    pub(super) async fn order(&self, order: Order) -> Ended<ContentProductionState> {
        Ended::of(self.thread().answer(order).await.unwrap()).await
    }

    pub(super) async fn say(&self, text: &str) -> Ended<ContentProductionState> {
        self.order(Order::Say { text: text.into() }).await
    }

    /// What was asked for, in order.
    pub(super) fn purposes(&self) -> Vec<String> {
        self.model.requests().into_iter().map(|request| request.purpose).collect()
    }

    /// The fields with a value, each with how it stands.
    pub(super) fn standing(&self) -> Vec<(String, Status)> {
        let story = self.workspace.story();
        let rows = FieldBoard::new(&story.fields).rows();
        rows.into_iter().filter(|row| row.status != Status::Empty).map(|row| (row.path, row.status)).collect()
    }

    pub(super) fn value(&self, path: &str) -> Value {
        let story = self.workspace.story();
        FieldBoard::new(&story.fields).get(path).unwrap().value.clone()
    }
}

impl Ended<ContentProductionState> {
    /// Returns the state of a run that waits, and what it says.
    pub(super) fn talk(self) -> (ContentProductionState, Turn) {
        let (state, said) = self.waiting();
        (state, serde_json::from_value(said).unwrap())
    }

    pub(super) fn turn(self) -> Turn {
        self.talk().1
    }
}

/// The typed context of a request.
pub(super) fn context<T: DeserializeOwned>(request: &ChatRequest) -> T {
    serde_json::from_value(request.context.clone()).unwrap()
}

/// Answers everything well.
pub(super) fn good(request: &ChatRequest) -> ModelScript {
    match request.purpose.as_str() {
        "production.interview" => "给谁看？".into(),
        "production.chat" => "可以先讲定价的三种方法。".into(),
        "production.route" => {
            let asking: RouteContext = context(request);
            answered(&Routed {
                intent: asking.floor.unwrap_or(Intent::Chat),
                fields: Vec::new(),
                phase: None,
                instruction: asking.text,
                confidence: 0.9,
            })
        }
        "production.make" => made(&context(request)),
        "consumer.personas" => answered(&json!({"personas": [{"name": "小王", "who": "独立开发者"}]})),
        "consumer.read" => {
            let points: Vec<String> = serde_json::from_value(request.context["points"].clone()).unwrap();
            let understood: Vec<Value> =
                points.iter().map(|point| json!({"point": point, "is_understood": true})).collect();
            answered(&json!({
                "first_impression": {"score": 70, "words": "想看"},
                "comprehension": {"score": 70, "words": "看得懂", "understood": understood},
                "objection": {"words": "没有"}, "purchase": {"words": "想想"}, "drop_off": {"words": "读完"},
            }))
        }
        "judge.score" => {
            let quotes = ["inner/lessons/1"];
            answered(&json!({"scores": [{"criterion": "clarity", "score": 80, "why": "清楚", "quotes": quotes}]}))
        }
        other => panic!("nobody answers {other}"),
    }
}

/// The value of a field, with the instruction in it if there is one.
fn made(making: &FieldContext) -> ModelScript {
    let word = if making.instruction.is_empty() { "初稿" } else { making.instruction.as_str() };
    match making.path.as_str() {
        "intent/report" => answered(&json!({"goal": format!("教会定价（{word}）"), "audience": "独立开发者"})),
        "inner/outline" => {
            answered(&json!({"lessons": [{"title": "为什么定价"}, {"title": "怎样定价"}], "note": word}))
        }
        path => format!("{path}：{word}").into(),
    }
}

/// The same course, which is researched at the beginning, read and judged at the end.
pub(super) fn whole_story() -> Story {
    let mut story = story();
    let production = story.production.as_mut().unwrap();
    let phase = |name: &str, kind| Phase { name: name.into(), title: name.into(), kind, ..Phase::default() };
    production.phases.insert(1, phase("research", PhaseKind::Research));
    production.phases.push(phase("simulate", PhaseKind::Simulate));
    production.phases.push(phase("evaluate", PhaseKind::Evaluate));
    production.criteria =
        vec![Criterion {
            name: "clarity".into(), title: "清楚".into(), question: "清楚吗？".into(), weight: 1.0
        }];
    story
}

/// A course of two phases: its intent, and an outline with a text for each lesson and a page about it.
pub(super) fn story() -> Story {
    let phase =
        |name: &str, title: &str, kind| Phase { name: name.into(), title: title.into(), kind, ..Phase::default() };
    let text = json!({"type": "string", "minLength": 1});
    let object = |required: &[&str]| json!({"type": "object", "required": required});
    let field = |path: &str, schema: &Value, depends_on: &[&str]| Field {
        path: path.into(),
        title: path.rsplit('/').next().unwrap_or_default().into(),
        phase: path.split('/').next().unwrap_or_default().into(),
        schema: schema.clone(),
        depends_on: depends_on.iter().map(|path| (*path).to_owned()).collect(),
        ..Field::default()
    };
    Story {
        premise: "为独立开发者写一门关于定价的短课程".into(),
        language: Language::Zh,
        production: Some(Production {
            template: "test".into(),
            phases: vec![
                phase("intent", "意图", PhaseKind::Interview),
                phase("inner", "内涵", PhaseKind::Make),
                phase("outer", "外延", PhaseKind::Make),
            ],
            current_phase: "intent".into(),
            ..Production::default()
        }),
        fields: vec![
            Field { golden: Some(Golden::Intent), ..field("intent/report", &object(&["goal"]), &[]) },
            field("inner/outline", &object(&["lessons"]), &["intent/report"]),
            Field {
                each: Some("inner/outline#/lessons".into()),
                is_content: true,
                ..field("inner/lessons", &text, &["intent/report"])
            },
            field("outer/page", &text, &["inner/outline", "inner/lessons"]),
            field("outer/slogan", &text, &["intent/report"]),
        ],
        ..Story::default()
    }
}

//! A book, a scripted writer, and what comes of a run.

use std::sync::Arc;

use crate::context::{
    ChapterFixContext, ChapterPlanContext, ChapterProseContext, ChapterReviewContext, ChapterSeamsContext,
    ChapterSettleContext,
};
use crate::progress::{ChapterStep, Progress};
use crate::writing::fix::{Fix, Fixes};
use crate::writing::review::{ChapterIssue, ChapterReview, Dimension, DimensionVerdict, Holds};
use crate::writing::seams::{SeamVerdict, SeamVerdicts};
use crate::writing::{AuthorAnswers, ChapterPlan, ScenePlan};
use crate::{
    PipelineResources, Prompts, WritingConfig, WritingResources, WritingState, WritingStateUpdate, WritingTask, writing,
};
use qingyu_graph::store::{MemoryStore, Store};
use qingyu_graph::{GraphRun, Thread};
use qingyu_llm::testing::{ModelScript, ScriptedModel};
use qingyu_llm::{ChatRequest, ModelRoutes};
use qingyu_story::settlement::Extraction;
use qingyu_story::settlement::extraction::ToldFact;
use qingyu_story::{Character, Config, OutlineNode, Severity, Story, StyleGuide};
use qingyu_text::{Floor, ShortfallKind};
use qingyu_tools::{Engine, MemoryWorkspace, Toolbox, Workspace, workspace};
use serde::de::DeserializeOwned;

use crate::tests::bench::answered;
use crate::tests::ended::Ended;

/// A book, a model, a store.
pub(crate) struct Bench {
    pub(crate) model: ScriptedModel,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) workspace: Arc<MemoryWorkspace>,
    pub(crate) config: WritingConfig,
    pub(crate) task: WritingTask,
    pub(crate) rules: Config,
    pub(crate) toolbox: Toolbox,
    pub(crate) run: String,
}

impl Bench {
    /// A book of `chapters` chapters, none of them written, and a model that does everything well.
    pub(crate) fn new(chapters: u32) -> Self {
        Self::with(book(chapters), ScriptedModel::responding("scripted", good))
    }

    pub(crate) fn with(story: Story, model: ScriptedModel) -> Self {
        Self {
            model,
            store: Arc::new(MemoryStore::new()),
            workspace: Arc::new(MemoryWorkspace::new("p-1", story)),
            // The same holds for the floor; its own tests put it back.
            config: WritingConfig {
                words: 60,
                floor: Floor { ignore: ShortfallKind::ALL.to_vec(), ..Floor::default() },
                ..WritingConfig::default()
            },
            task: WritingTask::default(),
            // Most tests are about the ways, not about the prose.
            rules: Config { severities: [("Q".to_owned(), None)].into(), ..Config::default() },
            toolbox: Toolbox::writing(),
            run: "run-1".into(),
        }
    }

    pub(crate) fn task(self, task: WritingTask) -> Self {
        Self { task, ..self }
    }

    pub(crate) fn config(mut self, change: impl FnOnce(&mut WritingConfig)) -> Self {
        change(&mut self.config);
        self
    }

    /// Rules that run, by the beginning of their codes.
    pub(crate) fn rules(mut self, codes: &[&str]) -> Self {
        let default = Config::default();
        for code in codes {
            let all = qingyu_story::rules::all().iter().filter(|rule| rule.code.starts_with(code));
            let on = all.map(|rule| (rule.code.to_owned(), default.severity(rule.code, rule.severity)));
            self.rules.severities.extend(on);
        }
        self
    }

    /// Scripts the next answer for `purpose`.
    pub(crate) fn on(self, purpose: &str, script: impl Into<ModelScript>) -> Self {
        self.model.push(purpose, script);
        self
    }

    pub(crate) fn room(&self) -> WritingResources {
        let mut workshop = PipelineResources::new(ModelRoutes::new(Arc::new(self.model.clone())));
        workshop.prompts = prompts();
        workshop.rules = Arc::new(self.rules.clone());
        let workspace: Arc<dyn Workspace> = Arc::clone(&self.workspace) as Arc<dyn Workspace>;
        let tools = Engine::new(self.toolbox.clone(), workspace::only(Arc::clone(&workspace)));
        WritingResources { workshop, workspace, tools: Arc::new(tools) }
    }

    pub(crate) fn thread(&self) -> Thread<WritingState> {
        let chapters = u32::try_from(self.workspace.story().outline_nodes.len()).unwrap();
        let graph = writing(self.room()).unwrap();
        graph
            .thread(Arc::clone(&self.store), self.run.as_str())
            .recursion_limit(self.config.supersteps(chapters.max(200)))
    }

    pub(crate) fn input(&self) -> WritingStateUpdate {
        let language = self.workspace.story().language;
        WritingState::input(self.task.clone(), language, self.config.clone())
            .run_id(self.run.clone())
            .project_id("p-1".into())
    }

    pub(crate) async fn start(&self) -> GraphRun<WritingState> {
        self.thread().start(self.input()).await.unwrap()
    }

    pub(crate) async fn run(&self) -> Ended<WritingState> {
        Ended::of(self.start().await).await
    }

    pub(crate) async fn resume(&self) -> Ended<WritingState> {
        Ended::of(self.thread().resume().await.unwrap()).await
    }

    pub(crate) async fn answer(&self, answers: &AuthorAnswers) -> Ended<WritingState> {
        Ended::of(self.thread().answer(answers).await.unwrap()).await
    }

    /// What was asked for, in order, without `chapter.`.
    pub(crate) fn purposes(&self) -> Vec<String> {
        let purpose = |request: ChatRequest| request.purpose.trim_start_matches("chapter.").to_owned();
        self.model.requests().into_iter().map(purpose).collect()
    }

    /// The contexts of all requests of that purpose.
    pub(crate) fn asked<T: DeserializeOwned>(&self, purpose: &str) -> Vec<T> {
        let requests = self.model.requests().into_iter().filter(|request| request.purpose == purpose);
        requests.map(|request| context(&request)).collect()
    }

    /// The text of a chapter, as the project has it.
    pub(crate) fn text(&self, number: u32) -> String {
        let story = self.workspace.story();
        let document = crate::writing::book::NumberedBook::of(&story).document(number).cloned();
        document.map(|document| document.text).unwrap_or_default()
    }
}

fn prompts() -> Arc<Prompts> {
    static PROMPTS: std::sync::LazyLock<Arc<Prompts>> = std::sync::LazyLock::new(Arc::default);
    Arc::clone(&PROMPTS)
}

impl Ended<WritingState> {
    /// What happened to chapters, a word each.
    pub(crate) fn steps(&self) -> Vec<String> {
        let word = |progress: &Progress| match progress {
            Progress::Chapter { chapter, step, .. } => Some(format!(
                "{chapter} {}",
                match step {
                    ChapterStep::Started { .. } => "started",
                    ChapterStep::Planned { .. } => "planned",
                    ChapterStep::Written { .. } => "written",
                    ChapterStep::Reviewed { .. } => "reviewed",
                    ChapterStep::Fixed { .. } => "fixed",
                    ChapterStep::Accepted { forced: true, .. } => "forced",
                    ChapterStep::Accepted { .. } => "accepted",
                    ChapterStep::Settled { .. } => "settled",
                    ChapterStep::Briefed => "briefed",
                }
            )),
            _ => None,
        };
        self.progress.iter().filter_map(word).collect()
    }
}

/// The typed context of a request.
pub(crate) fn context<T: DeserializeOwned>(request: &ChatRequest) -> T {
    serde_json::from_value(request.context.clone()).unwrap()
}

/// A book without any text.
pub(crate) fn book(chapters: u32) -> Story {
    let node = |order: u32| OutlineNode {
        id: format!("o-{order}"),
        order,
        name: format!("第{order}章 雨夜{order}"),
        description: format!("林青在旧港追查第{order}条线索。"),
        goal: "让调查更近一步".into(),
        participants: vec!["林青".into(), "苏曼".into()],
        ..OutlineNode::default()
    };
    let card = |id: &str, name: &str| Character { id: id.into(), name: name.into(), ..Character::default() };
    Story {
        premise: "一块芯片引出一桩失踪案".into(),
        outline_nodes: (1..=chapters).map(node).collect(),
        characters: vec![card("c-1", "林青"), card("c-2", "苏曼")],
        style: Some(StyleGuide { tone: "冷峻".into(), ..StyleGuide::default() }),
        ..Story::default()
    }
}

/// The same book with the first chapters written.
pub(crate) fn written(chapters: u32, texts: &[&str]) -> Story {
    let mut story = book(chapters);
    for (number, text) in (1..).zip(texts) {
        story.documents.push(qingyu_story::Document {
            id: format!("d-{number}"),
            title: format!("第{number}章 雨夜{number}"),
            order: number,
            outline_node: Some(format!("o-{number}")),
            version: 1,
            text: (*text).to_owned(),
            ..qingyu_story::Document::default()
        });
    }
    story
}

/// Good answers for every purpose.
pub(crate) fn good(request: &ChatRequest) -> ModelScript {
    match request.purpose.as_str() {
        "chapter.understand" => {
            let asked: ChapterPlanContext = context(request);
            answered(&plan(asked.chapter, 1, asked.words))
        }
        "chapter.generate" => {
            let asked: ChapterProseContext = context(request);
            prose(&asked).into()
        }
        "chapter.seams" => {
            let asked: ChapterSeamsContext = context(request);
            let holds = |number| SeamVerdict { number, holds: true, ..SeamVerdict::default() };
            answered(&SeamVerdicts { seams: asked.seams.iter().map(|seam| holds(seam.number)).collect() })
        }
        "chapter.review" => answered(&review(85, vec![])),
        "chapter.fix" => {
            let asked: ChapterFixContext = context(request);
            let fix =
                |(issue, quote): (u32, &str)| Fix { find: quote.into(), with: "他改了主意。".into(), issue };
            let quotes = asked.findings.iter().map(|finding| finding.quote.as_str());
            answered(&Fixes { fixes: (1..).zip(quotes).map(fix).collect(), ..Fixes::default() })
        }
        "chapter.settle" => {
            let asked: ChapterSettleContext = context(request);
            answered(&extraction(asked.chapter, &asked.text))
        }
        other => panic!("no answer for {other}"),
    }
}

pub(crate) fn plan(chapter: u32, scenes: u32, words: u32) -> ChapterPlan {
    let scene = |number: u32| ScenePlan {
        title: format!("第{number}场"),
        location: "旧港".into(),
        participants: vec!["林青".into()],
        beats: vec![format!("林青找到第{chapter}条线索的第{number}部分")],
        words: words / scenes,
    };
    ChapterPlan {
        task_type: "draft".into(),
        goal: format!("第{chapter}章的目标"),
        point_of_view: "林青".into(),
        scenes: (1..=scenes).map(scene).collect(),
        searches: vec!["林青".into()],
        ..ChapterPlan::default()
    }
}

/// Prose of about the wanted length, no two chapters alike; it begins by saying which chapter and scene it is.
pub(crate) fn prose(asked: &ChapterProseContext) -> String {
    let mut text = format!("林青在第{}天的第{}个夜里到了旧港。", asked.chapter, asked.scene);
    for line in 1.. {
        if text.chars().count() >= usize::try_from(asked.words).unwrap() {
            break;
        }
        text.push_str(&format!("他数到第{}盏灯，第{line}个人从雾里走过去。", asked.chapter));
        if line % 3 == 0 {
            text.push('\n');
        }
    }
    text.trim_end().to_owned()
}

pub(crate) fn review(score: u8, issues: Vec<ChapterIssue>) -> ChapterReview {
    let verdict = |dimension: Dimension| {
        let broken = issues.iter().any(|issue| issue.dimension == dimension);
        let verdict = if broken { Holds::Broken } else { Holds::Holds };
        DimensionVerdict { dimension, verdict, note: "读过了".into() }
    };
    ChapterReview { score, verdicts: Dimension::ALL.map(verdict).to_vec(), issues, ..ChapterReview::default() }
}

pub(crate) fn issue(severity: Severity, dimension: Dimension, quote: &str) -> ChapterIssue {
    ChapterIssue {
        severity,
        dimension,
        title: format!("不合：{quote}"),
        quote: quote.into(),
        why: "和前文不合".into(),
        fix: "改掉".into(),
        asked: 0,
    }
}

/// What the scripted prose says: where 林青 is.
pub(crate) fn extraction(chapter: u32, text: &str) -> Extraction {
    let quote = text.split_inclusive('。').next().unwrap_or_default().trim().to_owned();
    let fact = ToldFact {
        subject: "林青".into(),
        predicate: format!("到旧港的第{chapter}夜"),
        value: true.into(),
        quote,
        confidence: 0.95,
        ..ToldFact::default()
    };
    Extraction {
        summary: format!("第{chapter}章：林青在旧港过了一夜。"), facts: vec![fact], ..Extraction::default()
    }
}

pub(crate) fn reading(request: &ChatRequest) -> ChapterReviewContext {
    context(request)
}

/// The sentences of [`read_eyes`].
pub(crate) const BLACK: &str = "林青的眼睛是黑色的。";
pub(crate) const BLUE: &str = "林青的眼睛是蓝色的。";

/// Reads the colour of eyes: the answer of a reader of chapters to `chapter.settle`.
pub(crate) fn read_eyes(request: &ChatRequest) -> ModelScript {
    let asked: ChapterSettleContext = context(request);
    let fact = |(quote, colour): &(&str, &str)| ToldFact {
        subject: "林青".into(),
        predicate: "瞳色".into(),
        value: (*colour).into(),
        quote: (*quote).into(),
        confidence: 0.95,
        ..ToldFact::default()
    };
    let said = [(BLACK, "黑"), (BLUE, "蓝")];
    let facts = said.iter().filter(|(quote, _)| asked.text.contains(quote)).map(fact).collect();
    answered(&Extraction { summary: "读过了。".into(), facts, ..Extraction::default() })
}

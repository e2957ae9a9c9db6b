//! The book in numbers: counts, share of dialogue, appearances, progress.
//!
//! All numbers are computed. A model may phrase them; an uncomputed number in its text triggers a retry, and the
//! fallback is the figures alone.

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::agent::TaskSummary;
use super::figures::{self, NamedFigure};
use super::target::TaskTarget;
use super::work::ModelQuestion;
use crate::prompts::{DATA_ANALYSIS, PromptFolder};
use crate::service::agent::{AgentSkills, AgentStep, Done, ServiceAgent, TaskProgress, TaskUnderstanding};
use crate::service::failure::{AgentHalt, Failure};
use crate::service::task::{Check, Task};
use crate::service::work::AgentWork;

/// The agent for counting.
#[derive(Debug)]
pub(crate) struct DataAnalysisAgent;

/// Context of purpose `data_analysis.phrase`: fills `prompts/data_analysis/phrase`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PhrasingContext {
    /// The user's words.
    pub description: String,
    /// Language of the answer.
    pub language: Language,
    /// Computed figures.
    pub figures: Vec<NamedFigure>,
    /// Number of omitted figures.
    pub left_out: usize,
}

/// The answer in words.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Phrased {
    /// What the figures say about what is asked.
    pub answer: String,
    /// The names of the figures it rests on.
    #[serde(default)]
    pub figures: Vec<String>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct FiguresSubject {
    document: Option<String>,
}

/// Maximum number of list items in a prompt.
const LIST: usize = 12;

impl ServiceAgent for DataAnalysisAgent {
    fn name(&self) -> &'static str {
        "data_analysis"
    }

    fn skills(&self) -> AgentSkills {
        AgentSkills {
            zh: "统计：字数、句长、对话占比、人物出场次数、全书进度；数字都是算出来的",
            en: "statistics: lengths, share of dialogue, appearances of each character, progress of the book; all \
                 computed",
            words: &[
                "字数",
                "多少字",
                "多少章",
                "完成了多少",
                "写了多少",
                "最长的",
                "章最长",
                "章最短",
                "longest chapter",
                "shortest chapter",
                "占比",
                "出场次数",
                "出场率",
                "出场最多",
                "出场几次",
                "进度",
                "完成度",
                "数据",
                "how many words",
                "how many chapters",
                "how many characters",
                "how many times",
                "word count",
                "how long is",
                "dialogue share",
                "appears most",
                "appearances",
            ],
            verbs: &["统计", "数一数", "算一算", "count ", "statistic", "progress"],
            leads: &[],
            changes: false,
        }
    }

    fn prompts(&self) -> Option<&'static PromptFolder> {
        Some(&DATA_ANALYSIS)
    }

    fn tools(&self) -> &'static [&'static str] {
        &["statistics_tool"]
    }

    fn understand<'a>(
        &'a self,
        task: &'a Task,
        work: &'a AgentWork<'_>,
    ) -> BoxFuture<'a, Result<TaskUnderstanding, AgentHalt>> {
        async move {
            let target = if task.chapter.is_some() { TaskTarget::of(task, work).await? } else { None };
            let kind = if target.is_some() { "chapter" } else { "project" };
            Ok(TaskUnderstanding::new(kind, &FiguresSubject { document: target.and_then(|target| target.document) }))
        }
        .boxed()
    }

    fn plan(&self, _: &TaskUnderstanding, language: Language) -> Vec<AgentStep> {
        vec![
            AgentStep::new("measure", language, "统计各项数据", "counting"),
            AgentStep::new("phrase", language, "用文字说明", "putting it in words"),
        ]
    }

    fn execute_step<'a>(
        &'a self,
        step: &'a AgentStep,
        course: &'a TaskProgress,
        work: &'a AgentWork<'_>,
    ) -> BoxFuture<'a, Result<Done, AgentHalt>> {
        async move {
            match step.action.as_str() {
                "measure" => measure(&course.about::<FiguresSubject>(), work).await,
                _ => phrase(course, work).await,
            }
        }
        .boxed()
    }

    fn summarise(&self, course: &TaskProgress) -> TaskSummary {
        let measured = course.data("measure");
        let words = course.of("phrase").map(|done| done.output.clone()).unwrap_or_default();
        let table = table(measured, course.language());
        let output = if words.is_empty() { table } else { format!("{words}\n\n{table}") };
        TaskSummary { output, data: json!({"statistics": measured}) }
    }
}

async fn measure(about: &FiguresSubject, work: &AgentWork<'_>) -> Result<Done, AgentHalt> {
    let arguments = match &about.document {
        Some(document) => json!({"document_id": document}),
        None => json!({}),
    };
    let used = work.tool("measure", "statistics_tool", arguments).await?;
    if !used.success {
        let message = used.error.unwrap_or_default();
        return Err(Failure::Tool { tool: used.tool_name, message }.into());
    }
    Ok(Done { checks: vec![Check::one("computed", true)], ..Done::with(&used.result) })
}

async fn phrase(course: &TaskProgress, work: &AgentWork<'_>) -> Result<Done, AgentHalt> {
    let mut figures = figures::flatten(course.data("measure"), LIST);
    figures.retain(|figure| figure.name != "version");
    let left_out = figures.len().saturating_sub(figures::MOST);
    figures.truncate(figures::MOST);
    let phrasing = PhrasingContext {
        description: course.task.description.clone(),
        language: course.language(),
        figures,
        left_out,
    };
    let check = |phrased: &Phrased| problems(phrased, &phrasing);
    let asking = ModelQuestion { temperature: Some(0.2), ..ModelQuestion::once("phrase") };
    match work.ask(asking, &phrasing, &check).await? {
        Ok(phrased) => {
            let checks = vec![Check::all("figures", phrased.figures.len())];
            Ok(Done { output: phrased.answer.trim().to_owned(), checks, ..Done::default() })
        }
        Err(failure) => {
            let why = failure.text(course.language());
            work.warn(match course.language() {
                Language::Zh => format!("没有可信的文字说明，只给出数据：{why}"),
                Language::En => format!("there are no words that can be trusted, only the figures: {why}"),
            });
            Ok(Done { checks: vec![Check::one("words", false)], ..Done::default() })
        }
    }
}

/// Validates text about figures; returns problems as text for the model.
fn problems(phrased: &Phrased, phrasing: &PhrasingContext) -> Vec<String> {
    let mut problems = Vec::new();
    if phrased.answer.trim().is_empty() {
        problems.push("answer: it is empty".to_owned());
    }
    let known = |name: &&String| !phrasing.figures.iter().any(|figure| figure.name == **name);
    problems.extend(phrased.figures.iter().filter(known).map(|name| format!("figures: there is no figure {name}")));
    if phrased.figures.is_empty() {
        problems.push("figures: name at least one figure that the answer rests on".to_owned());
    }
    // Names of people and chapters contain numbers of their own.
    let names = phrasing.figures.iter().map(|figure| figure.name.as_str());
    let known = names.chain([phrasing.description.as_str()]).collect::<Vec<_>>().join(" ");
    let wrong = figures::unsupported(&phrased.answer, &phrasing.figures, &known);
    problems.extend(wrong.iter().map(|number| format!("answer: the number {number} is no figure")));
    problems
}

/// Returns the main figures, a line each.
fn table(measured: &Value, language: Language) -> String {
    let zh = language == Language::Zh;
    let total = &measured["total"];
    let percent = |value: &Value| format!("{:.1}%", value.as_f64().unwrap_or_default() * 100.0);
    let mut lines = vec![
        format!("- {}: {}", if zh { "总字数" } else { "length" }, total["length"]),
        format!("- {}: {}", if zh { "段落" } else { "paragraphs" }, total["paragraphs"]),
        format!("- {}: {}", if zh { "句子" } else { "sentences" }, total["sentences"]),
        format!("- {}: {}", if zh { "平均句长" } else { "sentence length" }, total["sentence_length"]),
        format!("- {}: {}", if zh { "对话占比" } else { "dialogue" }, percent(&total["dialogue_share"])),
    ];
    let project = &measured["project"];
    if project.is_object() {
        let written = format!("{}/{}", project["chapters_written"], project["chapters"]);
        lines.push(format!("- {}: {written}", if zh { "已写章节" } else { "chapters written" }));
        if project["progress"].is_number() {
            lines.push(format!("- {}: {}", if zh { "进度" } else { "progress" }, percent(&project["progress"])));
        }
    }
    let cast = measured["cast"].as_array().map(Vec::as_slice).unwrap_or_default();
    for person in cast.iter().filter(|person| person["mentions"] != 0).take(LIST) {
        let name = person["name"].as_str().unwrap_or_default();
        let (mentions, texts) = (&person["mentions"], &person["texts"]);
        lines.push(match zh {
            true => format!("- {name}：提到 {mentions} 次，出现于 {texts} 章"),
            false => format!("- {name}: mentions {mentions}, chapters {texts}"),
        });
    }
    lines.join("\n")
}

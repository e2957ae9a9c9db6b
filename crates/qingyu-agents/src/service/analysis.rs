//! Analysis of a text: style, emotion, pace, quality.
//!
//! Figures are computed; a model judges on top of them. A judgement must name the figures behind it and quote the text;
//! an unknown figure, an uncomputed number or a false quote triggers a retry. Without a valid judgement, the report
//! holds the figures alone.

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_knowledge::analysis::fold;
use qingyu_story::{Language, Names, Prose, excerpt};
use qingyu_text::Figures;
use qingyu_text::figures::MeterInput;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::agent::TaskSummary;
use super::figures::{self, NamedFigure};
use super::target::TaskTarget;
use super::work::ModelQuestion;
use crate::prompts::{ANALYSIS, PromptFolder};
use crate::service::agent::{AgentSkills, AgentStep, Done, ServiceAgent, TaskProgress, TaskUnderstanding};
use crate::service::failure::AgentHalt;
use crate::service::task::{Check, Task};
use crate::service::work::AgentWork;

/// The agent for measuring and judging a text.
#[derive(Debug)]
pub(crate) struct AnalysisAgent;

/// All aspects.
const ASPECTS: [&str; 4] = ["style", "emotion", "pace", "quality"];
/// Keywords by aspect.
const WORDS: [(&str, &[&str]); 4] = [
    ("style", &["文风", "风格", "文笔", "句式", "style", "voice"]),
    ("emotion", &["情感", "情绪", "感情", "emotion", "mood", "feeling"]),
    ("pace", &["节奏", "快慢", "张力", "pace", "pacing", "rhythm"]),
    ("quality", &["质量", "好不好", "水平", "可读", "quality", "readab"]),
];
/// Maximum characters of the text in a prompt: from its beginning, and from its end.
const BEGINNING: usize = 8_000;
const END: usize = 4_000;
/// Maximum number of list items in a prompt.
const LIST: usize = 10;

/// Context of purpose `analysis.judge`: fills `prompts/analysis/judge`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct JudgementContext {
    /// The user's words.
    pub description: String,
    /// Language of the judgement.
    pub language: Language,
    /// Title of the text.
    pub title: String,
    /// Aspects to judge.
    pub aspects: Vec<String>,
    /// Computed figures.
    pub figures: Vec<NamedFigure>,
    /// Example sentences for the figures.
    pub shown: Vec<FigureExample>,
    /// The text, or its beginning and end.
    pub text: String,
    /// Number of characters omitted between beginning and end.
    pub left_out: usize,
}

/// An example sentence for a figure.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FigureExample {
    /// Name of the property, such as `longest_sentence`.
    pub shows: String,
    /// The sentence.
    pub quote: String,
}

/// What a model judges.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Judgement {
    /// One for each aspect that is asked for.
    pub aspects: Vec<Verdict>,
    /// What would make the text better.
    #[serde(default)]
    pub suggestions: Vec<String>,
}

/// The verdict on one aspect.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    /// `style`, `emotion`, `pace` or `quality`.
    pub aspect: String,
    /// The verdict in two or three sentences.
    pub verdict: String,
    /// Names of the figures that it rests on.
    pub figures: Vec<String>,
    /// Sentences of the text that show it, letter by letter.
    pub quotes: Vec<String>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct AnalysisSubject {
    aspects: Vec<String>,
    target: TaskTarget,
    judge: bool,
}

impl ServiceAgent for AnalysisAgent {
    fn name(&self) -> &'static str {
        "analysis"
    }

    fn skills(&self) -> AgentSkills {
        AgentSkills {
            zh: "分析一段文本或一章：文风、情感、节奏、质量，或全面分析；指标都是算出来的，判断注明依据",
            en: "analyses a text or chapter: style, emotion, pace, quality, or all of it; figures are computed, verdicts \
                 cite them",
            words: &[
                "文风",
                "风格",
                "文笔",
                "情感",
                "情绪",
                "节奏",
                "质量",
                "可读性",
                "写得怎么样",
                "写得好",
                "好不好",
                "style",
                "emotion",
                "pace",
                "pacing",
                "quality",
                "readab",
            ],
            verbs: &["分析", "评估", "评价", "点评", "analy", "assess", "evaluate"],
            leads: &[],
            changes: false,
        }
    }

    fn prompts(&self) -> Option<&'static PromptFolder> {
        Some(&ANALYSIS)
    }

    fn understand<'a>(
        &'a self,
        task: &'a Task,
        work: &'a AgentWork<'_>,
    ) -> BoxFuture<'a, Result<TaskUnderstanding, AgentHalt>> {
        async move {
            let target = TaskTarget::to_read(task, work).await?;
            let aspects = aspects(task);
            let judge = task.context.more.get("judge") != Some(&Value::Bool(false));
            let kind = if let [one] = aspects.as_slice() { one.clone() } else { "comprehensive".into() };
            Ok(TaskUnderstanding::new(&kind, &AnalysisSubject { aspects, target, judge }))
        }
        .boxed()
    }

    fn plan(&self, understanding: &TaskUnderstanding, language: Language) -> Vec<AgentStep> {
        let mut steps = vec![AgentStep::new("measure", language, "计算各项指标", "computing the figures")];
        if understanding.about["judge"] == true {
            steps.push(AgentStep::new("judge", language, "依据指标作出判断", "judging by the figures"));
        }
        steps
    }

    fn execute_step<'a>(
        &'a self,
        step: &'a AgentStep,
        course: &'a TaskProgress,
        work: &'a AgentWork<'_>,
    ) -> BoxFuture<'a, Result<Done, AgentHalt>> {
        async move {
            let about: AnalysisSubject = course.about();
            match step.action.as_str() {
                "measure" => measure(&about, course, work).await,
                _ => judge(&about, course, work).await,
            }
        }
        .boxed()
    }

    fn summarise(&self, course: &TaskProgress) -> TaskSummary {
        let about: AnalysisSubject = course.about();
        let measured = course.data("measure");
        let judged = course.of("judge").and_then(|done| Judgement::deserialize(&done.data).ok());
        let output = report(&about, measured, judged.as_ref(), course.language());
        TaskSummary { output, data: json!({"aspects": about.aspects, "figures": measured, "judgement": judged}) }
    }
}

fn aspects(task: &Task) -> Vec<String> {
    let known = |aspect: &&str| ASPECTS.contains(aspect);
    let given = task.context.aspects.iter().map(String::as_str).chain(task.context.kind.as_deref());
    let mut aspects = given.filter(known).map(str::to_owned).collect::<Vec<_>>();
    if aspects.is_empty() {
        let lower = task.description.to_lowercase();
        let asked = WORDS.iter().filter(|(_, words)| words.iter().any(|word| lower.contains(word)));
        aspects = asked.map(|(aspect, _)| (*aspect).to_owned()).collect();
    }
    if aspects.is_empty() { ASPECTS.map(str::to_owned).to_vec() } else { aspects }
}

async fn measure(about: &AnalysisSubject, course: &TaskProgress, work: &AgentWork<'_>) -> Result<Done, AgentHalt> {
    let text = &about.target.text;
    let measure = |names: Option<&Names>| {
        let prose = Prose::of(text);
        work.yardstick().meter.measure(&MeterInput { text, prose: &prose, names })
    };
    let figures: Figures = match &course.task.text {
        Some(_) => measure(None),
        None => work.read("figures", |story| measure(Some(&Names::of(story)))).await?,
    };
    Ok(Done { checks: vec![Check::one("computed", true)], ..Done::with(&figures) })
}

async fn judge(about: &AnalysisSubject, course: &TaskProgress, work: &AgentWork<'_>) -> Result<Done, AgentHalt> {
    let measured = course.data("measure");
    let target = &about.target;
    let (text, left_out) = shortened(&target.text);
    let mut known = named(measured);
    known.truncate(figures::MOST);
    let judging = JudgementContext {
        description: course.task.description.clone(),
        language: course.language(),
        title: target.title.clone(),
        aspects: about.aspects.clone(),
        figures: known,
        shown: shown(measured),
        text,
        left_out,
    };
    let check = |judgement: &Judgement| problems(judgement, &judging, &target.text);
    let asking = ModelQuestion { temperature: Some(0.2), ..ModelQuestion::once("judge") };
    match work.ask(asking, &judging, &check).await? {
        Ok(judgement) => {
            let quotes = judgement.aspects.iter().map(|verdict| verdict.quotes.len()).sum();
            let cited = judgement.aspects.iter().map(|verdict| verdict.figures.len()).sum();
            let checks = vec![Check::all("quotes", quotes), Check::all("figures", cited)];
            Ok(Done { checks, ..Done::with(&judgement) })
        }
        Err(failure) => {
            let why = failure.text(course.language());
            work.warn(match course.language() {
                Language::Zh => format!("没有可信的判断，只给出计算出的指标：{why}"),
                Language::En => format!("there is no judgement that can be trusted, only the computed figures: {why}"),
            });
            Ok(Done { checks: vec![Check::one("judgement", false)], ..Done::default() })
        }
    }
}

/// Returns the figures by name, without positions and sentences of the text.
fn named(measured: &Value) -> Vec<NamedFigure> {
    let mut measured = measured.clone();
    if let Some(fields) = measured.as_object_mut() {
        fields.remove("quotes");
        for family in ["sentences", "paragraphs"] {
            if let Some(lengths) = fields.get_mut(family).and_then(Value::as_object_mut) {
                lengths.remove("histogram");
            }
        }
    }
    let mut figures = figures::flatten(&measured, LIST);
    figures.retain(|figure| !figure.name.contains(".span."));
    figures
}

fn shown(measured: &Value) -> Vec<FigureExample> {
    let quotes = measured["quotes"].as_array().map(Vec::as_slice).unwrap_or_default();
    let of = |quote: &Value| {
        let text = |key: &str| quote[key].as_str().unwrap_or_default().to_owned();
        FigureExample { shows: text("shows"), quote: text("text") }
    };
    quotes.iter().take(LIST).map(of).collect()
}

/// Returns the beginning and the end, and the number of characters between.
fn shortened(text: &str) -> (String, usize) {
    let length = text.chars().count();
    if length <= BEGINNING + END {
        return (text.to_owned(), 0);
    }
    let (beginning, end) = (excerpt::beginning(text, BEGINNING), excerpt::ending(text, END));
    match length.saturating_sub(beginning.chars().count() + end.chars().count()) {
        0 => (text.to_owned(), 0),
        left_out => (format!("{beginning}\n……\n{end}"), left_out),
    }
}

/// Validates a judgement; returns problems as text for the model.
pub(super) fn problems(judgement: &Judgement, judging: &JudgementContext, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    for aspect in &judging.aspects {
        let count = judgement.aspects.iter().filter(|verdict| verdict.aspect == *aspect).count();
        if count != 1 {
            problems.push(format!("aspects: {aspect} must be judged once, not {count} times"));
        }
    }
    let text = bare(text);
    // Names of people and chapters contain numbers of their own.
    let names = judging.figures.iter().map(|figure| figure.name.as_str());
    let own = judging.shown.iter().map(|shown| shown.quote.as_str());
    let known = names.chain(own).chain([judging.description.as_str()]).collect::<Vec<_>>().join(" ");
    for verdict in &judgement.aspects {
        let aspect = &verdict.aspect;
        if !judging.aspects.contains(aspect) {
            problems.push(format!("aspects: {aspect} was not asked for"));
        }
        if verdict.verdict.trim().is_empty() {
            problems.push(format!("aspects/{aspect}/verdict: it is empty"));
        }
        if verdict.figures.is_empty() {
            problems.push(format!("aspects/{aspect}/figures: name at least one figure"));
        }
        let unknown = verdict.figures.iter().filter(|name| !judging.figures.iter().any(|figure| figure.name == **name));
        problems.extend(unknown.map(|name| format!("aspects/{aspect}/figures: there is no figure {name}")));
        if verdict.quotes.is_empty() {
            problems.push(format!("aspects/{aspect}/quotes: quote at least one sentence"));
        }
        let missing = verdict.quotes.iter().filter(|quote| bare(quote).is_empty() || !text.contains(&bare(quote)));
        problems.extend(missing.map(|quote| format!("aspects/{aspect}/quotes: the text does not say \"{quote}\"")));
        let own = format!("{known} {}", verdict.quotes.join(" "));
        let numbers = figures::unsupported(&verdict.verdict, &judging.figures, &own);
        problems
            .extend(numbers.iter().map(|number| format!("aspects/{aspect}/verdict: the number {number} is no figure")));
    }
    problems
}

/// Returns letters and digits only, with case and width folded.
pub(super) fn bare(text: &str) -> String {
    fold(text).chars().filter(|c| c.is_alphanumeric()).collect()
}

fn report(about: &AnalysisSubject, measured: &Value, judged: Option<&Judgement>, language: Language) -> String {
    let zh = language == Language::Zh;
    let heading = match about.target.title.as_str() {
        "" if zh => "# 文本分析报告".to_owned(),
        "" => "# Analysis of the text".to_owned(),
        title if zh => format!("# 文本分析报告：{title}"),
        title => format!("# Analysis: {title}"),
    };
    let mut parts = vec![heading];
    for aspect in &about.aspects {
        let mut lines = vec![format!("## {}", word(aspect, zh))];
        lines.extend(lines_of(aspect, measured, zh));
        let verdict = judged.and_then(|judged| judged.aspects.iter().find(|verdict| verdict.aspect == *aspect));
        if let Some(verdict) = verdict {
            lines.push(format!("\n{}", verdict.verdict.trim()));
            lines.extend(verdict.quotes.iter().map(|quote| format!("> {quote}")));
        }
        parts.push(lines.join("\n"));
    }
    if let Some(judged) = judged.filter(|judged| !judged.suggestions.is_empty()) {
        let lines = judged.suggestions.iter().map(|suggestion| format!("- {suggestion}"));
        let title = if zh { "## 建议" } else { "## Suggestions" };
        parts.push(format!("{title}\n{}", lines.collect::<Vec<_>>().join("\n")));
    }
    parts.join("\n\n")
}

fn word(aspect: &str, zh: bool) -> &'static str {
    match (aspect, zh) {
        ("style", true) => "文风",
        ("style", false) => "Style",
        ("emotion", true) => "情感",
        ("emotion", false) => "Emotion",
        ("pace", true) => "节奏",
        ("pace", false) => "Pace",
        (_, true) => "质量",
        (_, false) => "Quality",
    }
}

/// Returns the main figures of an aspect as lines.
fn lines_of(aspect: &str, measured: &Value, zh: bool) -> Vec<String> {
    let rows: &[(&str, &str, &str)] = match aspect {
        "style" => &[
            ("平均句长", "mean sentence", "/sentences/mean"),
            ("最长句", "longest sentence", "/sentences/longest"),
            ("平均段长", "mean paragraph", "/paragraphs/mean"),
            ("对话占比", "dialogue", "/dialogue/share"),
            ("用词丰富度", "variety of words", "/variety/moving"),
        ],
        "emotion" => &[
            ("情感倾向（-1 到 1）", "polarity (-1 to 1)", "/emotion/polarity"),
            ("情感强度（每千字）", "intensity (in 1,000)", "/emotion/intensity"),
        ],
        "pace" => &[
            ("节奏（0 慢到 1 快）", "pace (0 slow to 1 quick)", "/pace/mean"),
            ("动作词（每千字）", "words of action (in 1,000)", "/pace/actions"),
            ("对话占比", "dialogue", "/dialogue/share"),
        ],
        _ => &[
            ("长度", "length", "/length"),
            ("可读性得分", "readability", "/readability/score"),
            ("用词丰富度", "variety of words", "/variety/moving"),
            ("句长离散度", "spread of sentences", "/sentences/spread"),
        ],
    };
    rows.iter()
        .filter_map(|(in_zh, in_en, path)| {
            let value = measured.pointer(path)?;
            let value = value
                .as_f64()
                .map_or_else(|| value.to_string(), |value| format!("{}", (value * 1000.0).round() / 1000.0));
            Some(format!("- {}: {value}", if zh { in_zh } else { in_en }))
        })
        .collect()
}

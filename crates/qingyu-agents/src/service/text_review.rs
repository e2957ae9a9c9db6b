//! Review of a text: sensitive words, originality, platform rules.
//!
//! Hits come from lists, comparison and rules. A model may comment on the meaning of single words in context, citing
//! them by number; it adds and removes no hits, and a comment without a valid number triggers a retry.

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_story::{Language, Prose, Story};
use qingyu_text::compliance::InspectedChapter;
use qingyu_text::report::{Review, ReviewRequest, Verdict};
use qingyu_text::{ComparisonLibrary, Level, OriginalityRules};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::agent::TaskSummary;
use super::target::TaskTarget;
use super::work::ModelQuestion;
use crate::prompts::{PromptFolder, TEXT_REVIEW};
use crate::service::agent::{AgentSkills, AgentStep, Done, ServiceAgent, TaskProgress, TaskUnderstanding};
use crate::service::failure::AgentHalt;
use crate::service::task::{Check, Task};
use crate::service::work::AgentWork;

/// The agent for reviewing a text.
#[derive(Debug)]
pub(crate) struct TextReviewAgent;

/// Context shown around a word, in characters per side.
const AROUND: usize = 60;
/// Maximum number of words in a prompt, and of reported hits per kind.
const MOST: usize = 40;

/// Context of purpose `text_review.judge`: fills `prompts/text_review/judge`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct DoubtsContext {
    /// The user's words.
    pub(crate) description: String,
    /// Language of the answer.
    pub(crate) language: Language,
    /// Title of the text.
    pub(crate) title: String,
    /// Strictness of the review.
    pub(crate) level: String,
    /// Words found.
    pub(crate) hits: Vec<NumberedHit>,
}

/// A word found by the review.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct NumberedHit {
    /// Citation number, from 1.
    pub(crate) number: usize,
    /// Word in the list.
    pub(crate) word: String,
    /// Category of the list.
    pub(crate) category: String,
    /// Surrounding text.
    pub(crate) context: String,
}

/// What a model says of words where they stand.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Doubts {
    /// One for each word that means something else here, or is worse than it looks.
    #[serde(default)]
    pub doubts: Vec<Doubt>,
}

/// What a model says of one word.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Doubt {
    /// The number of the find.
    pub number: usize,
    /// Whether the word is harmless where it stands.
    pub harmless: bool,
    /// Why, in a sentence.
    pub why: String,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct ReviewSubject {
    target: TaskTarget,
    level: Option<Level>,
    platform: Option<String>,
    judge: bool,
}

impl ServiceAgent for TextReviewAgent {
    fn name(&self) -> &'static str {
        "text_review"
    }

    fn skills(&self) -> AgentSkills {
        AgentSkills {
            zh: "审核一段文本或一章：敏感词、原创度（与本书其他章节比对）、平台合规；宽松、标准、严格三档",
            en: "reviews a text or chapter: sensitive words, originality (against the rest of the book), rules of \
                 platforms; loose, standard or strict",
            words: &[
                "敏感词",
                "违禁",
                "原创",
                "抄袭",
                "查重",
                "合规",
                "违规",
                "sensitive",
                "originality",
                "plagiar",
                "complian",
                "platform rules",
                "forbidden word",
            ],
            verbs: &["审核", "审查一下", "审查", "审一", "review"],
            leads: &[],
            changes: false,
        }
    }

    fn prompts(&self) -> Option<&'static PromptFolder> {
        Some(&TEXT_REVIEW)
    }

    fn understand<'a>(
        &'a self,
        task: &'a Task,
        work: &'a AgentWork<'_>,
    ) -> BoxFuture<'a, Result<TaskUnderstanding, AgentHalt>> {
        async move {
            let target = TaskTarget::to_read(task, work).await?;
            let given = task.context.level.as_deref().map(str::trim);
            let level = given.and_then(|given| Level::ALL.into_iter().find(|level| level.name() == given));
            if let (Some(given), None) = (given, level) {
                work.warn(match task.language {
                    Language::Zh => format!("没有「{given}」这一档，按平台的默认档审核"),
                    Language::En => format!("there is no level {given}; the platform's own is used"),
                });
            }
            let more = |key: &str| task.context.more.get(key);
            let platform = more("platform").and_then(Value::as_str).map(str::to_owned);
            let judge = more("judge") != Some(&Value::Bool(false));
            Ok(TaskUnderstanding::new("review", &ReviewSubject { target, level, platform, judge }))
        }
        .boxed()
    }

    fn plan(&self, understanding: &TaskUnderstanding, language: Language) -> Vec<AgentStep> {
        let mut steps =
            vec![AgentStep::new("review", language, "敏感词、原创度、合规性检查", "words, originality, rules")];
        if understanding.about["judge"] == true {
            steps.push(AgentStep::new(
                "judge",
                language,
                "结合上下文判断存疑的词",
                "words that depend on where they stand",
            ));
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
            let about: ReviewSubject = course.about();
            match step.action.as_str() {
                "review" => review(&about, course, work).await,
                _ => judge(&about, course, work).await,
            }
        }
        .boxed()
    }

    fn summarise(&self, course: &TaskProgress) -> TaskSummary {
        let reviewed = course.data("review");
        // `None` means no answer, which differs from no doubt.
        let doubts = Doubts::deserialize(course.data("judge")).ok();
        let output = match Review::deserialize(reviewed) {
            Ok(review) => report(&course.about::<ReviewSubject>(), &review, doubts.as_ref(), course.language()),
            Err(_) => String::new(),
        };
        TaskSummary { output, data: json!({"review": reviewed, "doubts": doubts.map(|doubts| doubts.doubts)}) }
    }
}

async fn review(about: &ReviewSubject, course: &TaskProgress, work: &AgentWork<'_>) -> Result<Done, AgentHalt> {
    let target = &about.target;
    let language = course.language();
    let yardstick = work.yardstick();
    let look = |story: Option<&Story>| {
        let prose = Prose::of(&target.text);
        let library = story.map(|story| library(story, target, &yardstick.originality));
        let title = Some(target.title.as_str()).filter(|title| !title.is_empty());
        let request = ReviewRequest {
            chapter: InspectedChapter { title, text: &target.text, prose: &prose },
            level: about.level,
            platform: about.platform.as_deref(),
            library: library.as_ref(),
            except: &[],
            language,
        };
        let reviewer = &yardstick.reviewer;
        // An unknown platform falls back to the general rules.
        match reviewer.review(&request) {
            Ok(review) => (Some(review), None),
            Err(error) => {
                let review = reviewer.review(&ReviewRequest { platform: None, ..request });
                (review.ok(), Some(error.to_string()))
            }
        }
    };
    let (review, unknown) = match &course.task.text {
        Some(_) => look(None),
        None => work.read("review", |story| look(Some(story))).await?,
    };
    if let Some(unknown) = unknown {
        work.warn(match language {
            Language::Zh => format!("{unknown}；按通用规则审核"),
            Language::En => format!("{unknown}; the general rules are used"),
        });
    }
    let compared = review.as_ref().is_some_and(|review| review.originality.is_some());
    let mut checks = vec![Check::one("words", true), Check::one("rules", review.is_some())];
    if course.task.text.is_none() {
        checks.push(Check::one("originality", compared));
    }
    Ok(Done { checks, ..Done::with(&review) })
}

/// Returns the other texts of the book, for comparison.
fn library(story: &Story, target: &TaskTarget, rules: &OriginalityRules) -> ComparisonLibrary {
    let mut library = ComparisonLibrary::new(rules.clone());
    let others = story.documents.iter().filter(|document| Some(&document.id) != target.document.as_ref());
    for document in others {
        library.insert(&document.title, &document.text);
    }
    library
}

async fn judge(about: &ReviewSubject, course: &TaskProgress, work: &AgentWork<'_>) -> Result<Done, AgentHalt> {
    let Ok(review) = Review::deserialize(course.data("review")) else { return Ok(Done::default()) };
    let hits = (1..).zip(review.sensitive.iter().take(MOST)).map(|(number, hit)| NumberedHit {
        number,
        word: hit.word.clone(),
        category: hit.category.clone(),
        context: around(&about.target.text, hit.span.clone()),
    });
    let doubting = DoubtsContext {
        description: course.task.description.clone(),
        language: course.language(),
        title: about.target.title.clone(),
        level: review.level.name().into(),
        hits: hits.collect(),
    };
    if doubting.hits.is_empty() {
        return Ok(Done::with(&Doubts::default()));
    }
    let check = |doubts: &Doubts| problems(doubts, doubting.hits.len());
    let asking = ModelQuestion { temperature: Some(0.0), ..ModelQuestion::once("judge") };
    match work.ask(asking, &doubting, &check).await? {
        Ok(doubts) => Ok(Done { checks: vec![Check::all("doubts", doubts.doubts.len())], ..Done::with(&doubts) }),
        Err(failure) => {
            let why = failure.text(course.language());
            work.warn(match course.language() {
                Language::Zh => format!("没有得到可信的上下文判断，只列出检出结果：{why}"),
                Language::En => format!("nobody looked at the words where they stand; only what was found: {why}"),
            });
            Ok(Done { checks: vec![Check::one("doubts", false)], ..Done::default() })
        }
    }
}

/// Validates doubts about `hits` words; returns problems as text for the model.
fn problems(doubts: &Doubts, hits: usize) -> Vec<String> {
    let mut problems = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for (index, doubt) in doubts.doubts.iter().enumerate() {
        if doubt.number == 0 || doubt.number > hits {
            problems.push(format!("doubts/{index}/number: there is no find {}", doubt.number));
        }
        if !seen.insert(doubt.number) {
            problems.push(format!("doubts/{index}/number: {} is doubted twice", doubt.number));
        }
        if doubt.why.trim().is_empty() {
            problems.push(format!("doubts/{index}/why: it is empty"));
        }
    }
    problems
}

fn around(text: &str, span: std::ops::Range<usize>) -> String {
    let before = text.get(..span.start).unwrap_or_default();
    let after = text.get(span.end..).unwrap_or_default();
    let skipped = before.chars().count().saturating_sub(AROUND);
    let before = before.chars().skip(skipped).collect::<String>();
    format!("{before}{}{}", text.get(span).unwrap_or_default(), after.chars().take(AROUND).collect::<String>())
}

fn report(about: &ReviewSubject, review: &Review, doubts: Option<&Doubts>, language: Language) -> String {
    let zh = language == Language::Zh;
    let of = |number: usize| doubts?.doubts.iter().find(|doubt| doubt.number == number);
    let mut lines = vec![match (zh, about.target.title.as_str()) {
        (true, "") => "# 内容审核报告".to_owned(),
        (true, title) => format!("# 内容审核报告：{title}"),
        (false, "") => "# Review of the text".to_owned(),
        (false, title) => format!("# Review: {title}"),
    }];
    lines.push(format!("\n## {} ({})", if zh { "敏感词" } else { "Sensitive words" }, review.sensitive.len()));
    for (number, hit) in (1..).zip(review.sensitive.iter().take(MOST)) {
        let doubt = match (of(number), zh) {
            (None, _) => String::new(),
            (Some(doubt), true) if doubt.harmless => format!("；模型认为此处无碍：{}", doubt.why),
            (Some(doubt), true) => format!("；模型认为确有问题：{}", doubt.why),
            (Some(doubt), false) if doubt.harmless => format!("; a model thinks it harmless here: {}", doubt.why),
            (Some(doubt), false) => format!("; a model thinks it a problem: {}", doubt.why),
        };
        lines.push(format!("{number}. {} [{}]{doubt}", hit.text, hit.category));
    }
    lines.push(match (&review.originality, zh) {
        (None, true) => "\n## 原创度\n没有可比对的文本。".into(),
        (None, false) => "\n## Originality\nThere is nothing to compare with.".into(),
        (Some(found), true) => format!("\n## 原创度\n重复占 {:.1}%，比对 {} 篇。", found.share * 100.0, found.compared),
        (Some(found), false) => {
            format!("\n## Originality\n{:.1}% stands in {} other texts.", found.share * 100.0, found.compared)
        }
    });
    for passage in review.originality.iter().flat_map(|found| found.passages.iter().take(10)) {
        lines.push(format!("- “{}” ← {}", passage.text, passage.source));
    }
    let platform = &review.platform_title;
    lines.push(format!("\n## {} ({platform})", if zh { "合规性" } else { "Rules" }));
    for finding in review.compliance.iter().take(MOST) {
        lines.push(format!("- [{}] {}", finding.code, finding.title));
    }
    lines.push(match (review.verdict, zh) {
        (Verdict::Clean, true) => "\n结论：没有发现问题。".into(),
        (Verdict::Passed, true) => "\n结论：通过。".into(),
        (Verdict::Failed, true) => "\n结论：需要修改后才能通过。".into(),
        (Verdict::Clean, false) => "\nNothing was found.".into(),
        (Verdict::Passed, false) => "\nIt passes.".into(),
        (Verdict::Failed, false) => "\nIt must be mended first.".into(),
    });
    lines.join("\n")
}

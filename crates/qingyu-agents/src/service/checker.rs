//! The checker as an agent: runs the rules, without a model.

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_story::check::Config;
use qingyu_story::rules::{self, RuleFamily};
use qingyu_story::{Issue, Language, Severity, Story, findings};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::agent::TaskSummary;
use super::target::{self, TaskTarget};
use crate::service::agent::{AgentSkills, AgentStep, Done, ServiceAgent, TaskProgress, TaskUnderstanding};
use crate::service::failure::{AgentHalt, Failure};
use crate::service::task::{Check, Task};
use crate::service::work::AgentWork;

/// The agent that finds contradictions with the rules of the checker.
#[derive(Debug)]
pub(crate) struct CheckerAgent;

/// Maximum number of reported findings.
const MOST: usize = 50;
/// Keywords by family of rules.
const FAMILIES: [(&str, &[RuleFamily], &[&str]); 8] = [
    ("time", &[RuleFamily::Time, RuleFamily::Presence], &["时间", "年龄", "先后", "timeline", "time", "age", "when"]),
    ("names", &[RuleFamily::Names], &["名字", "姓名", "称呼", "别名", "names", "alias"]),
    ("items", &[RuleFamily::Items], &["物品", "道具", "数字", "items", "objects", "numbers"]),
    ("knowledge", &[RuleFamily::Knowledge], &["知情", "知道什么", "knowledge", "who knows"]),
    ("relations", &[RuleFamily::Relations], &["关系", "relation"]),
    ("promises", &[RuleFamily::Promises], &["伏笔", "悬念", "promise", "foreshadow"]),
    ("world", &[RuleFamily::World], &["世界规则", "世界观", "world rule", "worldview"]),
    ("prose", &[RuleFamily::Prose], &["标点", "病句", "行文", "文字毛病", "punctuation", "prose"]),
];

#[derive(Debug, Default, Serialize, Deserialize)]
struct CheckSubject {
    kind: String,
    chapter: Option<String>,
}

/// The result of a check.
#[derive(Debug, Default, Serialize, Deserialize)]
struct CheckResult {
    issues: Vec<Issue>,
    total: usize,
    rules: u32,
}

impl ServiceAgent for CheckerAgent {
    fn name(&self) -> &'static str {
        "checker"
    }

    fn skills(&self) -> AgentSkills {
        AgentSkills {
            zh: "用规则检查全书的一致性：时间线、人物、物品、知情、关系、伏笔、世界规则、行文；不需要模型",
            en: "checks the book for contradictions by rules: time, people, things, knowledge, relations, promises, the \
                 rules of the world, prose; needs no model",
            words: &[
                "一致性",
                "时间线",
                "矛盾",
                "冲突",
                "漏洞",
                "穿帮",
                "没有回收",
                "未回收",
                "前后不一",
                "吃书",
                "consisten",
                "timeline",
                "contradict",
                "continuity",
                "plot hole",
            ],
            verbs: &["检查", "检查一下", "核对", "排查", "check"],
            leads: &[],
            changes: false,
        }
    }

    fn understand<'a>(
        &'a self,
        task: &'a Task,
        work: &'a AgentWork<'_>,
    ) -> BoxFuture<'a, Result<TaskUnderstanding, AgentHalt>> {
        async move {
            let lower = task.description.to_lowercase();
            let named = task.context.kind.as_deref().and_then(|kind| FAMILIES.iter().find(|family| family.0 == kind));
            let asked =
                named.or_else(|| FAMILIES.iter().find(|family| family.2.iter().any(|word| lower.contains(word))));
            let kind = asked.map_or("all", |family| family.0);
            let target = match (&task.text, &task.chapter) {
                (Some(text), _) if text.trim().is_empty() => return Err(Failure::EmptyText.into()),
                (None, Some(_)) => TaskTarget::of(task, work).await?,
                _ => None,
            };
            let about =
                CheckSubject { kind: kind.into(), chapter: target.and_then(|target| target.document.or(target.node)) };
            Ok(TaskUnderstanding::new(kind, &about))
        }
        .boxed()
    }

    fn plan(&self, _: &TaskUnderstanding, language: Language) -> Vec<AgentStep> {
        vec![AgentStep::new("check", language, "按规则检查", "checking by the rules")]
    }

    fn execute_step<'a>(
        &'a self,
        _: &'a AgentStep,
        course: &'a TaskProgress,
        work: &'a AgentWork<'_>,
    ) -> BoxFuture<'a, Result<Done, AgentHalt>> {
        async move {
            let about: CheckSubject = course.about();
            let config = only(work.rules(), &about.kind);
            let found = match &course.task.text {
                Some(text) => look(&alone(text, course.language()), &config, None),
                None => work.read("check", |story| look(story, &config, about.chapter.as_deref())).await?,
            };
            let count = Check { what: "rules".into(), held: found.rules, of: found.rules };
            Ok(Done { checks: vec![count], ..Done::with(&found) })
        }
        .boxed()
    }

    fn summarise(&self, course: &TaskProgress) -> TaskSummary {
        let found = CheckResult::deserialize(course.data("check")).unwrap_or_default();
        let output = findings_text(&found, course.language());
        let data = json!({"findings": found.issues, "total": found.total, "rules": found.rules});
        TaskSummary { output, data }
    }
}

/// Returns the configuration limited to the enabled rules of `kind`.
fn only(config: &Config, kind: &str) -> Config {
    let Some((_, families, _)) = FAMILIES.iter().find(|family| family.0 == kind) else { return config.clone() };
    let mut config = config.clone();
    let others = rules::all().iter().filter(|rule| !families.contains(&rule.family));
    config.severities.extend(others.map(|rule| (rule.code.to_owned(), None)));
    config
}

fn look(story: &Story, config: &Config, chapter: Option<&str>) -> CheckResult {
    let chapter = chapter.and_then(|chapter| target::find(story, chapter).ok());
    let touches = |issue: &Issue| {
        let Some(chapter) = &chapter else { return true };
        let ids = [chapter.document.as_deref(), chapter.node.as_deref(), Some(chapter.title.as_str())];
        let names = |text: &str| ids.iter().flatten().any(|id| text.split('/').any(|part| part == *id));
        issue.evidence.iter().any(|evidence| names(&evidence.anchor))
            || issue.affected_entities.iter().any(|name| names(name))
    };
    let found = findings(story, config).into_iter().map(|finding| finding.issue);
    let mut issues = found.filter(|issue| issue.waived.is_none() && touches(issue)).collect::<Vec<_>>();
    let total = issues.len();
    issues.truncate(MOST);
    let running = rules::all().iter().filter(|rule| rule.has_books(config));
    let running = running.filter(|rule| config.severity(rule.code, rule.severity).is_some()).count();
    CheckResult { issues, total, rules: u32::try_from(running).unwrap_or(u32::MAX) }
}

/// Returns a story with `text` as its only content.
pub(super) fn alone(text: &str, language: Language) -> Story {
    let document = qingyu_story::Document { id: "d-1".into(), order: 1, text: text.to_owned(), ..Default::default() };
    Story { language, documents: vec![document], ..Story::default() }
}

fn findings_text(found: &CheckResult, language: Language) -> String {
    let zh = language == Language::Zh;
    let (total, rules) = (found.total, found.rules);
    let mut lines = vec![match (total, zh) {
        (0, true) => format!("{rules} 条规则都没有发现问题。"),
        (0, false) => format!("{rules} rules found nothing."),
        (_, true) => format!("{rules} 条规则发现 {total} 处问题："),
        (_, false) => format!("{rules} rules found {total} problems:"),
    }];
    for issue in &found.issues {
        let code = issue.code.as_deref().unwrap_or_default();
        lines.push(format!("- [{code} {}] {}", word(issue.severity, zh), issue.title));
        lines.extend(issue.evidence.iter().filter(|evidence| !evidence.quote.is_empty()).map(|evidence| match zh {
            true => format!("  “{}”（{}）", evidence.quote, evidence.anchor),
            false => format!("  \"{}\" ({})", evidence.quote, evidence.anchor),
        }));
    }
    if total > found.issues.len() {
        let more = total - found.issues.len();
        lines.push(if zh { format!("……另有 {more} 处") } else { format!("... and {more} more") });
    }
    lines.join("\n")
}

fn word(severity: Severity, zh: bool) -> &'static str {
    match (severity, zh) {
        (Severity::Critical, true) => "致命",
        (Severity::High, true) => "严重",
        (Severity::Medium, true) => "一般",
        (Severity::Low, true) => "轻微",
        (Severity::Critical, false) => "critical",
        (Severity::High, false) => "high",
        (Severity::Medium, false) => "medium",
        (Severity::Low, false) => "low",
    }
}

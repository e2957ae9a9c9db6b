//! Messages of a run about its own decisions, in the language of the work.
//!
//! Warnings and lines of reasoning are values until display; the texts of both languages are kept side by side here.

use std::collections::BTreeMap;
use std::fmt::Display;

use qingyu_llm::Substitution;
use qingyu_story::{Action, Language, rules};
use serde::{Deserialize, Serialize};

use crate::call::CallRecord;
use crate::meta_scheduler::{CorrectionMode, HumanReason};
use crate::plan::PlanProblem;
use qingyu_story::PieceChange;

/// A message of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RunNotice {
    /// A plan requested an unknown tool; the step runs without it.
    UnknownTool {
        /// Id of the step.
        step: u32,
        /// Name of the tool.
        tool: String,
    },
    /// A tool of a step failed; the agent works without it.
    ToolFailed {
        /// The agent.
        agent: String,
        /// Name of the tool.
        tool: String,
        /// Error message.
        error: String,
    },
    /// A plan had no review; a review was appended.
    ReviewAdded {
        /// Id of the step.
        step: u32,
    },
    /// The planner's plan failed validation; the default plan is used.
    PlanUnusable {
        /// Validation errors.
        problems: Vec<PlanProblem>,
    },
    /// The planner returned no plan; the default plan is used.
    PlanMissing {
        /// Error message of the model or the network.
        error: String,
    },
    /// The plan has no step for these agents, and the story has nothing of theirs; prose is written without it.
    LeftEmpty {
        /// Names of the agents.
        agents: Vec<String>,
    },
    /// The model proposed no usable directions; the plan is made from the requirement alone.
    DirectionsMissing {
        /// Error message.
        error: String,
    },
    /// A step of the plan failed.
    StepFailed {
        /// Id of the step.
        step: u32,
        /// Name of the agent.
        agent: String,
    },
    /// A step was inserted because another step needs its work.
    StepInserted {
        /// Id of the new step.
        step: u32,
        /// Name of its agent.
        agent: String,
        /// Id of the dependent step.
        needed_by: u32,
    },
    /// A dependency was added to a step.
    StepWaits {
        /// Id of the step.
        step: u32,
        /// Id of the dependency.
        dependency: u32,
    },
    /// An agent failed; the run continues without its work.
    AgentFailed {
        /// Name of the agent.
        agent: String,
        /// Error message.
        error: String,
    },
    /// Regeneration failed; the agent's earlier work was restored.
    EarlierWorkKept {
        /// Name of the agent.
        agent: String,
    },
    /// The reviewer model returned no judgement; the report rests on rules alone.
    NoJudgement {
        /// Error message.
        error: String,
    },
    /// A claim of the reviewer model was refuted.
    ClaimRefuted {
        /// Title of the claim.
        title: String,
        /// The refuting piece.
        piece: String,
    },
    /// An issue of the reviewer model duplicates a rule's finding.
    ClaimFolded {
        /// Title of the issue.
        title: String,
        /// Code of the rule.
        code: String,
    },
    /// A correction tried to change more than its instructions allow.
    ChangeRefused {
        /// Name of the agent.
        agent: String,
        /// The piece.
        piece: String,
        /// Names of the fields; empty for the whole piece.
        fields: Vec<String>,
    },
    /// No request concerns an agent's work; the work stays unchanged.
    NotConcerned {
        /// Name of the agent.
        agent: String,
    },
    /// Number of pieces an agent created, updated and deleted.
    Counted {
        /// Number of created pieces.
        created: usize,
        /// Number of updated pieces.
        updated: usize,
        /// Number of deleted pieces.
        deleted: usize,
    },
    /// Chapters of a long book are still to be planned.
    LevelsOpen {
        /// How far the book is planned, in a line.
        summary: String,
    },
    /// Summary of the rules.
    RulesChecked {
        /// Number of rules with something to check.
        run: usize,
        /// Number of these without a finding.
        clean: usize,
        /// Number of findings.
        findings: usize,
    },
    /// A correction round begins.
    RoundPlanned {
        /// Number of the round.
        iteration: u32,
        /// Maximum number of rounds.
        max_iterations: u32,
        /// Correction mode.
        mode: CorrectionMode,
        /// Names of the correcting agents, in order.
        agents: Vec<String>,
    },
    /// A person must decide.
    PersonAsked {
        /// Reason.
        reason: HumanReason,
        /// Score of the report.
        score: u8,
    },
    /// The work is complete, but issues that the reviewer named stay open.
    IssuesLeft {
        /// Number of these issues.
        count: usize,
    },
    /// The pipeline of version 1 starts again.
    StartedAgain {
        /// Number of the round.
        iteration: u32,
    },
    /// A fallback model answered in place of another.
    ModelSubstituted {
        /// The requested model.
        wanted: String,
        /// The model behind the answers.
        answered: String,
        /// Number of calls.
        calls: usize,
        /// Error of the first failed call.
        error: String,
    },
    /// A request tried to raise a limit; the old limit stays in force.
    LimitKept {
        /// Name of the setting.
        key: String,
        /// Requested value.
        asked: String,
        /// Value in force.
        holds: String,
    },
    /// The earlier books are larger than a run keeps.
    EarlierBooksCut {
        /// Number of people, relations and pieces left out.
        left_out: usize,
    },
    /// The person who works on the run may not see all of its earlier books; the run continues without them.
    EarlierBooksLeftOut {
        /// Number of earlier books.
        books: usize,
    },
    /// A request sets the usual length of a chapter, and the outline gives chapters their own.
    OutlineLengths {
        /// The requested length.
        asked: String,
        /// Number of chapters with a length of their own.
        chapters: usize,
    },
    /// A person has decided.
    PersonDecided {
        /// `approve`, `reject` or `edit`.
        decision: String,
    },
}

impl RunNotice {
    /// Returns a notice for each pair of requested model and fallback model in `calls`.
    pub fn of_substitutions(calls: &[CallRecord]) -> Vec<Self> {
        let mut told: BTreeMap<(&str, &str), (usize, &str)> = BTreeMap::new();
        for call in calls {
            if let Some(Substitution { wanted, error }) = &call.substitution {
                told.entry((wanted, &call.model)).or_insert((0, error)).0 += 1;
            }
        }
        let notice = |((wanted, answered), (calls, error)): ((&str, &str), (usize, &str))| Self::ModelSubstituted {
            wanted: wanted.to_owned(),
            answered: answered.to_owned(),
            calls,
            error: error.to_owned(),
        };
        told.into_iter().map(notice).collect()
    }

    /// Returns a notice with the counts of `changes`.
    pub fn counted(changes: &[PieceChange]) -> Self {
        let count = |action| changes.iter().filter(|change| change.action == action).count();
        Self::Counted { created: count(Action::Create), updated: count(Action::Update), deleted: count(Action::Delete) }
    }

    /// Returns the notice as text.
    pub fn text(&self, language: Language) -> String {
        match language {
            Language::Zh => self.chinese(),
            Language::En => self.english(),
        }
    }

    fn chinese(&self) -> String {
        match self {
            Self::UnknownTool { step, tool } => format!("计划第 {step} 步要用的工具「{tool}」不存在，已略过"),
            Self::ToolFailed { agent, tool, error } => {
                let agent = shown(agent, Language::Zh);
                format!("{agent}要用的工具 {tool} 没有成功，在没有它的情况下继续：{error}")
            }
            Self::ReviewAdded { step } => format!("计划里没有审核，已补为第 {step} 步"),
            Self::PlanUnusable { problems } => {
                let problems = problems.iter().map(problem_in_chinese).collect::<Vec<_>>().join("；");
                format!("规划出的计划无法执行，改用默认计划：{problems}")
            }
            Self::PlanMissing { error } => format!("没有得到可用的计划，改用默认计划：{error}"),
            Self::LeftEmpty { agents } => {
                let agents = named(agents, Language::Zh).join("、");
                format!(
                    "计划里没有{agents}的步骤，正文会在没有它的情况下写。要补上，请启用规划，在这个作品上再创作一次"
                )
            }
            Self::DirectionsMissing { error } => format!("没有得到可选的方向，直接按您的原话规划：{error}"),
            Self::StepFailed { step, agent } => {
                let agent = shown(agent, Language::Zh);
                format!("计划的第 {step} 步（{agent}）没有完成")
            }
            Self::StepInserted { step, agent, needed_by } => {
                let agent = shown(agent, Language::Zh);
                format!("第 {needed_by} 步缺少前置内容，已插入第 {step} 步（{agent}）")
            }
            Self::StepWaits { step, dependency } => format!("第 {step} 步需要第 {dependency} 步的结果，改为在其后执行"),
            Self::AgentFailed { agent, error } => {
                let agent = shown(agent, Language::Zh);
                format!("{agent}未能完成任务，流程在没有它的情况下继续：{error}")
            }
            Self::EarlierWorkKept { agent } => {
                let agent = shown(agent, Language::Zh);
                format!("{agent}未能重新生成，恢复之前的内容")
            }
            Self::NoJudgement { error } => format!("没有得到审核模型的判断，本次报告只含规则检查结果：{error}"),
            Self::ClaimRefuted { title, piece } => format!("已驳回审核提出的问题「{title}」：「{piece}」已经存在"),
            Self::ClaimFolded { title, code } => {
                format!("审核提出的问题「{title}」与规则的发现相同，已合并：{}", rule_named(code, Language::Zh))
            }
            Self::ChangeRefused { agent, piece, fields } if fields.is_empty() => {
                let agent = shown(agent, Language::Zh);
                format!("{agent}想改动「{piece}」，但没有指令提到它，已保持原样")
            }
            Self::ChangeRefused { agent, piece, fields } => {
                let agent = shown(agent, Language::Zh);
                format!("{agent}想改动「{piece}」的 {}，但没有指令提到，已保持原样", fields.join("、"))
            }
            Self::NotConcerned { agent } => {
                let agent = shown(agent, Language::Zh);
                format!("要求没有提到{agent}的内容，保持原样")
            }
            Self::Counted { created: 0, updated: 0, deleted: 0 } => "没有改动".into(),
            Self::Counted { created, updated, deleted } => {
                let parts = [("新增", created), ("修改", updated), ("删除", deleted)];
                let parts = parts.iter().filter(|(_, count)| **count > 0);
                parts.map(|(what, count)| format!("{what} {count} 项")).collect::<Vec<_>>().join("，")
            }
            Self::LevelsOpen { summary } => plan_open(summary, Language::Zh),
            Self::RulesChecked { run, clean, findings } => {
                format!("规则检查：{run} 条规则有内容可查，{clean} 条没有发现问题，共 {findings} 处问题")
            }
            Self::RoundPlanned { iteration, max_iterations, mode, agents } => {
                let mode = match mode {
                    CorrectionMode::Incremental => "增量修复",
                    CorrectionMode::Regenerate => "重新生成",
                };
                format!(
                    "元调度器：第 {iteration}/{max_iterations} 轮修正，{mode}，依次由{}执行",
                    named(agents, Language::Zh).join("、")
                )
            }
            Self::PersonAsked { reason, score } => {
                let reason = match reason {
                    HumanReason::Strategy => "审核要求人工判断",
                    HumanReason::LowScore => "分数过低",
                    HumanReason::MaxIterations => "已达到最大修正轮数",
                    HumanReason::Stalled => "上一轮修正收效太小",
                    HumanReason::UnmetWish => "有要求没有落实",
                };
                format!("元调度器：{reason}（{score} 分），交由人工审核")
            }
            Self::IssuesLeft { count } => {
                format!("分数够了，但审校指出的 {count} 个问题还没有改好，没有算作通过，见诊断报告")
            }
            Self::ModelSubstituted { wanted, answered, calls, error } => {
                format!("{calls} 次调用没有得到 {wanted} 的回答，改由 {answered} 回答：{error}")
            }
            Self::LimitKept { key, asked, holds } => {
                format!("请求把 {key} 设为 {asked}，超出了管理员的限制；仍按 {holds} 执行")
            }
            Self::EarlierBooksCut { left_out } => {
                format!(
                    "前作和原作的内容太多，这次运行略去 {left_out} 条；优先保留的是规则、新旧两部都有的人物、死者和他们的亲友"
                )
            }
            Self::EarlierBooksLeftOut { books } => {
                format!("这次运行原本参照 {books} 部前作或原作，继续运行的人无权查看全部，改为不参照它们")
            }
            Self::OutlineLengths { asked, chapters } => format!(
                "writing.words={asked} 只用于大纲没有规定字数的章；这次有 {chapters} 章按大纲的字数写。要改它们的字数，在写作请求里给这几章指定 {asked} 字，或者改大纲"
            ),
            Self::StartedAgain { iteration } => format!("审核未通过，从第一个步骤重新开始（第 {iteration} 轮）"),
            Self::PersonDecided { decision } => {
                let decision = match decision.as_str() {
                    "approve" => "通过",
                    "reject" => "驳回并给出意见",
                    "direct" => "选定了方向",
                    _ => "修改了内容",
                };
                format!("人工审核：{decision}")
            }
        }
    }

    fn english(&self) -> String {
        match self {
            Self::UnknownTool { step, tool } => {
                format!("step {step} asks for the tool {tool}, which does not exist; left out")
            }
            Self::ToolFailed { agent, tool, error } => {
                let agent = shown(agent, Language::En);
                format!("the tool {tool} of {agent} failed, the work continues without it: {error}")
            }
            Self::ReviewAdded { step } => format!("the plan had no review; added as step {step}"),
            Self::PlanUnusable { problems } => {
                let problems = problems.iter().map(PlanProblem::to_string).collect::<Vec<_>>().join("; ");
                format!("the planner's plan cannot run, the default plan is used: {problems}")
            }
            Self::PlanMissing { error } => format!("there is no usable plan, the default plan is used: {error}"),
            Self::LeftEmpty { agents } => {
                let agents = named(agents, Language::En).join(" and ");
                format!(
                    "the plan has no step for {agents}, and prose is written without it. To add it, plan \
                     this project again with the planner enabled"
                )
            }
            Self::DirectionsMissing { error } => {
                format!("there are no directions to choose from, the plan follows your own words: {error}")
            }
            Self::StepFailed { step, agent } => {
                let agent = shown(agent, Language::En);
                format!("step {step} of the plan ({agent}) was not done")
            }
            Self::StepInserted { step, agent, needed_by } => {
                let agent = shown(agent, Language::En);
                format!("step {needed_by} lacks what it builds on; step {step} ({agent}) was inserted")
            }
            Self::StepWaits { step, dependency } => format!("step {step} needs step {dependency} and now waits for it"),
            Self::AgentFailed { agent, error } => {
                let agent = shown(agent, Language::En);
                format!("{agent} could not do its work; the run goes on without it: {error}")
            }
            Self::EarlierWorkKept { agent } => {
                let agent = shown(agent, Language::En);
                format!("{agent} could not make its work anew; what it had made before stands again")
            }
            Self::NoJudgement { error } => {
                format!("the reviewer model gave no judgement; this report holds what the rules found: {error}")
            }
            Self::ClaimRefuted { title, piece } => {
                format!("refuted an issue of the review, \"{title}\": \"{piece}\" exists")
            }
            Self::ClaimFolded { title, code } => {
                let rule = rule_named(code, Language::En);
                format!("the review's issue \"{title}\" says what a rule found; folded into it: {rule}")
            }
            Self::ChangeRefused { agent, piece, fields } if fields.is_empty() => {
                let agent = shown(agent, Language::En);
                format!("{agent} would have changed \"{piece}\", which no instruction names; kept as it was")
            }
            Self::ChangeRefused { agent, piece, fields } => {
                let agent = shown(agent, Language::En);
                let fields = fields.join(", ");
                format!(
                    "{agent} would have changed {fields} of \"{piece}\", which no instruction names; kept as it was"
                )
            }
            Self::NotConcerned { agent } => {
                let agent = shown(agent, Language::En);
                format!("nothing that was asked for concerns the work of {agent}; left as it is")
            }
            Self::Counted { created: 0, updated: 0, deleted: 0 } => "nothing changed".into(),
            Self::Counted { created, updated, deleted } => {
                let parts = [("new", created), ("changed", updated), ("taken out", deleted)];
                let parts = parts.iter().filter(|(_, count)| **count > 0);
                parts.map(|(what, count)| format!("{count} {what}")).collect::<Vec<_>>().join(", ")
            }
            Self::LevelsOpen { summary } => plan_open(summary, Language::En),
            Self::RulesChecked { run, clean, findings } => {
                let findings = counted(*findings, "finding", "findings");
                format!("rules: {run} had something to check, {clean} found nothing, {findings}")
            }
            Self::RoundPlanned { iteration, max_iterations, mode, agents } => {
                let mode = match mode {
                    CorrectionMode::Incremental => "incremental fix",
                    CorrectionMode::Regenerate => "regeneration",
                };
                format!(
                    "meta-scheduler: round {iteration} of {max_iterations}, {mode}, by {}",
                    named(agents, Language::En).join(", ")
                )
            }
            Self::PersonAsked { reason, score } => {
                let reason = match reason {
                    HumanReason::Strategy => "the review asks for a person",
                    HumanReason::LowScore => "the score is too low",
                    HumanReason::MaxIterations => "the correction rounds are used up",
                    HumanReason::Stalled => "the last round gained too little",
                    HumanReason::UnmetWish => "something that was asked for is not there",
                };
                format!("meta-scheduler: {reason} (score {score}), a person decides")
            }
            Self::IssuesLeft { count } => {
                let issues = counted(*count, "issue", "issues");
                format!(
                    "the score is enough, but the review has not passed: {issues} named by the reviewer not mended; see the report"
                )
            }
            Self::ModelSubstituted { wanted, answered, calls, error } => {
                let calls = counted(*calls, "call", "calls");
                format!("{answered} answered {calls} in the place of {wanted}, which failed: {error}")
            }
            Self::LimitKept { key, asked, holds } => {
                format!("the request sets {key} to {asked}, which the operator does not allow; {holds} holds")
            }
            Self::EarlierBooksCut { left_out } => {
                let entries = counted(*left_out, "entry", "entries");
                format!(
                    "the earlier books are too large for a run, which leaves out {entries}; it keeps rules, people of both \
                     books, the dead, and those close to them first"
                )
            }
            Self::EarlierBooksLeftOut { books } => {
                let books = counted(*books, "earlier book", "earlier books");
                format!(
                    "this run used {books}; whoever continues it may not see all of them, so it goes on without them"
                )
            }
            Self::OutlineLengths { asked, chapters } => {
                let follow = counted(*chapters, "chapter follows", "chapters follow");
                format!(
                    "writing.words={asked} is for chapters without a length in the outline; {follow} the outline. To \
                     change their length, ask for {asked} words a chapter in the request to write, or change the outline"
                )
            }
            Self::StartedAgain { iteration } => {
                format!("the review did not pass; starting again from the first step (round {iteration})")
            }
            Self::PersonDecided { decision } => {
                let decision = match decision.as_str() {
                    "approve" => "approved",
                    "reject" => "rejected, with feedback",
                    "direct" => "chose a direction",
                    _ => "edited the material",
                };
                format!("human review: {decision}")
            }
        }
    }
}

/// Returns the name of an agent as authors know it.
fn shown(agent: &str, language: Language) -> String {
    let names = match agent {
        "worldview_agent" => ("世界观智能体", "the world agent"),
        "outline_agent" => ("大纲智能体", "the outline agent"),
        "character_agent" => ("人物智能体", "the character agent"),
        "plot_agent" => ("情节智能体", "the plot agent"),
        "style_agent" => ("文风智能体", "the style agent"),
        "review_agent" => ("审校智能体", "the review agent"),
        other => (other, other),
    };
    if language == Language::Zh { names.0 } else { names.1 }.to_owned()
}

fn named(agents: &[String], language: Language) -> Vec<String> {
    agents.iter().map(|agent| shown(agent, language)).collect()
}

/// Returns the code of a rule with its title.
fn rule_named(code: &str, language: Language) -> String {
    match rules::rule(code) {
        Some(rule) if language == Language::Zh => format!("{code}（{}）", rule.name(language)),
        Some(rule) => format!("{code} ({})", rule.name(language)),
        None => code.to_owned(),
    }
}

/// Returns the text about chapters that are still to be planned; `summary` says how far the book is planned.
pub(crate) fn plan_open(summary: &str, language: Language) -> String {
    match language {
        Language::Zh => format!("{summary}后面的章可以接着排，也可以边排边写"),
        Language::En => format!("{summary} The next chapters can be planned first, or while they are written"),
    }
}

/// Returns a number with the English word that agrees with it: `1 call`, `2 calls`.
pub(crate) fn counted<N: Copy + Display + PartialEq + From<u8>>(number: N, one: &str, other: &str) -> String {
    let word = if number == N::from(1) { one } else { other };
    format!("{number} {word}")
}

fn problem_in_chinese(problem: &PlanProblem) -> String {
    let join = |steps: &[u32]| steps.iter().map(u32::to_string).collect::<Vec<_>>().join(" → ");
    match problem {
        PlanProblem::Empty => "计划里没有任何创作步骤".into(),
        PlanProblem::TooManySteps { count, max } => format!("计划有 {count} 步，最多允许 {max} 步"),
        PlanProblem::UnknownAgent { step, agent } => format!("第 {step} 步指定的「{agent}」不存在"),
        PlanProblem::DuplicateStep { step } => format!("步骤编号 {step} 重复"),
        PlanProblem::UnknownDependency { step, dependency } => format!("第 {step} 步依赖不存在的第 {dependency} 步"),
        PlanProblem::Cycle { steps } => format!("步骤 {} 互相等待", join(steps)),
        PlanProblem::SeveralReviews { steps } => format!("第 {} 步都是审核，只能有一个", join(steps)),
        PlanProblem::AfterReview { step } => format!("第 {step} 步依赖审核，而审核必须在最后"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_name_no_command_of_a_front_end() {
        let notices = [
            RunNotice::LeftEmpty { agents: vec!["style_agent".into()] },
            RunNotice::LevelsOpen { summary: "x".into() },
            RunNotice::OutlineLengths { asked: "900".into(), chapters: 1 },
        ];
        for text in notices.iter().flat_map(|notice| [Language::Zh, Language::En].map(|language| notice.text(language)))
        {
            assert!(!text.contains("qingyu ") && !text.contains("--"), "{text}");
        }
    }

    #[test]
    fn agents_and_rules_are_named_as_authors_know_them() {
        let failed = RunNotice::AgentFailed { agent: "outline_agent".into(), error: "x".into() };
        assert_eq!(failed.text(Language::Zh), "大纲智能体未能完成任务，流程在没有它的情况下继续：x");
        assert_eq!(failed.text(Language::En), "the outline agent could not do its work; the run goes on without it: x");
        let folded = RunNotice::ClaimFolded { title: "名字".into(), code: "QS023".into() };
        let text = folded.text(Language::En);
        assert!(text.ends_with("QS023 (… sentences of '…' do not end)"), "{text}");
    }
}

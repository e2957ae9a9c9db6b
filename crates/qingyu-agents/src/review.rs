//! Reports of a review: findings of the rules, merged with the reviewer model's judgement.
//!
//! Rules come first. Claims of the model are verified where rules can do so; duplicates of findings are folded into the
//! finding; every issue names its source. Without a judgement the report holds the rules' findings and asks for a
//! person; it never passes by default.

use std::collections::BTreeMap;

use qingyu_llm::catalogue::Catalogue;
use qingyu_story::check::{Finding, coverage, penalty, score};
use qingyu_story::digest::sha256;
use qingyu_story::edit::{changed_fields, is_plain_update};
use qingyu_story::names::fold;
use qingyu_story::{
    Agent, Basis, Category, CorrectionInstruction, DiagnosticReport, Issue, Judge, Language, Names, PlannedStep,
    Severity, Source, StepState, Story, Strategy,
};

use crate::meta_scheduler::{BY_A_PERSON, Thresholds, agent_of, has_mendable, is_complete};
use crate::notice::RunNotice;
use crate::output::Judgement;
use crate::plan::{ExecutionPlan, Step};

#[cfg(test)]
mod tests;
mod verify;

/// The findings of the rules for the whole material.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct RulesResult {
    /// Findings, with suggested corrections.
    pub(crate) findings: Vec<Finding>,
    /// Basis of the verdict: rules, pieces and steps.
    pub(crate) basis: Basis,
}

impl RulesResult {
    /// Runs the rules over `story`.
    pub(crate) fn of(story: &Story, config: &qingyu_story::check::Config) -> Self {
        let findings = qingyu_story::check::findings(story, config);
        let basis = Basis::of_rules(story, coverage(story, config, &findings));
        Self { findings, basis }
    }

    /// Stores the steps of the plan; each failed step becomes a finding for the agent of the step.
    #[must_use]
    pub(crate) fn with_steps(mut self, steps: Vec<PlannedStep>, plan: &ExecutionPlan, language: Language) -> Self {
        for step in steps.iter().filter(|step| step.state == StepState::Failed) {
            self.findings.push(failed_step(step, plan, language));
        }
        self.basis.steps = steps;
        self
    }

    /// Returns the issues of the findings.
    pub(crate) fn issues(&self) -> Vec<Issue> {
        self.findings.iter().map(|finding| finding.issue.clone()).collect()
    }
}

/// Returns the finding for a failed step of the plan.
fn failed_step(step: &PlannedStep, plan: &ExecutionPlan, language: Language) -> Finding {
    let planned = plan.steps.iter().find(|planned| planned.step_id == step.step);
    let agent = planned.and_then(Step::specialist);
    let notice = RunNotice::StepFailed { step: step.step, agent: step.agent.clone() };
    let issue = Issue {
        id: format!("step-{}", step.step),
        severity: Severity::High,
        category: Category::Completeness,
        sub_category: agent.map(Agent::sub_category).unwrap_or_default().into(),
        title: notice.text(language),
        root_cause: step.reason.clone().unwrap_or_default(),
        source: Source::Rule,
        ..Issue::default()
    };
    let instruction = agent.map(|agent| CorrectionInstruction {
        issue_id: issue.id.clone(),
        target_agent: agent,
        specific_instruction: planned.map(|planned| planned.task_description.clone()).unwrap_or_default(),
        priority: 10,
        ..CorrectionInstruction::default()
    });
    Finding { issue, instructions: instruction.into_iter().collect() }
}

/// The outcome of a request to the reviewer model.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum JudgementOutcome {
    /// A judgement, with its judge: a language model, or a model that works by rules.
    By(Judge, Judgement),
    /// No usable answer, with the reason.
    Failed(String),
    /// No request was made: a person edited the material, and only rules check it.
    NotAsked,
}

impl JudgementOutcome {
    /// Returns the outcome of a request that `model` answered with `judgement`.
    pub(crate) fn of(model: &str, judgement: Judgement) -> Self {
        let judge = if Catalogue::built_in().works_by_rules(model) { Judge::Rules } else { Judge::Model };
        Self::By(judge, judgement)
    }
}

/// A report, with warnings about its making.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MergedReport {
    /// The report.
    pub(crate) report: DiagnosticReport,
    /// Warnings for the run.
    pub(crate) warnings: Vec<RunNotice>,
}

/// Merges the rules' findings with the model's judgement.
///
/// The score is the lower of both. The report does not pass while the reviewer names something that an agent can mend. For a refuted claim, the cost of such an issue is added back to the model's score.
pub(crate) fn merge(
    rules: &RulesResult,
    judged: JudgementOutcome,
    story: &Story,
    thresholds: Thresholds,
) -> MergedReport {
    let language = story.language;
    let rules_score = score(&rules.issues());
    let mut draft = ReportBuilder::of_rules(rules, language);
    let mut warnings = Vec::new();
    let judge = if let JudgementOutcome::By(judge, _) = judged { judge } else { Judge::Rules };
    let (quality_score, strategy) = match judged {
        JudgementOutcome::By(judge, judgement) => {
            let model_strategy = judgement.correction_strategy;
            let model_score = draft.add(judge, judgement, story);
            (rules_score.min(model_score), draft.strategy(Some(model_strategy)))
        }
        JudgementOutcome::Failed(error) => {
            let notice = RunNotice::NoJudgement { error };
            draft.reasoning.push(notice.text(language));
            warnings.push(notice);
            (rules_score, Strategy::HumanReview)
        }
        JudgementOutcome::NotAsked => (rules_score, draft.strategy(None)),
    };
    let mut report = draft.finish(quality_score, strategy);
    report.basis = Basis { judge, ..rules.basis.clone() };
    report.passed = is_complete(&report, thresholds) && !has_mendable(&report);
    MergedReport { report, warnings }
}

/// A report under construction.
struct ReportBuilder {
    language: Language,
    issues: Vec<Issue>,
    instructions: Vec<CorrectionInstruction>,
    reasoning: Vec<String>,
    suggestions: Vec<String>,
    from_judge: usize,
}

impl ReportBuilder {
    fn of_rules(rules: &RulesResult, language: Language) -> Self {
        let checked = RunNotice::RulesChecked {
            run: rules.basis.rules.looked(),
            clean: rules.basis.rules.clear(),
            findings: rules.findings.len(),
        };
        Self {
            language,
            issues: rules.issues(),
            instructions: rules.findings.iter().flat_map(|finding| finding.instructions.clone()).collect(),
            reasoning: vec![checked.text(language)],
            suggestions: Vec::new(),
            from_judge: 0,
        }
    }

    /// Adds the judgement of `judge` and returns its score.
    fn add(&mut self, judge: Judge, judgement: Judgement, story: &Story) -> u8 {
        let names = Names::of(story);
        let mut model_score = u32::from(judgement.quality_score.min(100));
        self.reasoning.extend(judgement.reasoning_chain);
        self.suggestions.extend(judgement.suggestions_for_improvement);
        let mut instructions = BTreeMap::<String, Vec<CorrectionInstruction>>::new();
        for instruction in judgement.correction_instructions {
            let instruction = verify::meant(instruction, story, &names);
            instructions.entry(instruction.issue_id.clone()).or_default().push(instruction);
        }
        for issue in judgement.issues {
            let own = instructions.remove(&issue.id).unwrap_or_default();
            if let Some(piece) = verify::refuted(&issue, &own, story, &names) {
                model_score = (model_score + penalty(issue.severity)).min(100);
                self.say(&RunNotice::ClaimRefuted { title: issue.title, piece });
            } else if let Some(code) = self.duplicate_of(judge, &issue, &own) {
                self.say(&RunNotice::ClaimFolded { title: issue.title, code });
            } else {
                self.take(judge, issue, own);
            }
        }
        // Instructions without an issue are kept, unless they would create an existing piece. They do not count as
        // wishes of a person.
        let mut loose = instructions.into_values().flatten().collect::<Vec<_>>();
        for instruction in loose.iter_mut().filter(|instruction| instruction.issue_id.starts_with(BY_A_PERSON)) {
            instruction.issue_id.clear();
        }
        loose.retain(|instruction| verify::existing(instruction, story, &names).is_none());
        self.instructions.extend(loose);
        u8::try_from(model_score).expect("at most 100")
    }

    fn take(&mut self, judge: Judge, issue: Issue, instructions: Vec<CorrectionInstruction>) {
        let id = stable_id(judge, &issue);
        if self.issues.iter().any(|known| known.id == id) {
            return;
        }
        let named = instructions.into_iter().map(|instruction| CorrectionInstruction {
            issue_id: id.clone(),
            priority: instruction.priority.clamp(1, 10),
            ..instruction
        });
        self.instructions.extend(named);
        let source = match judge {
            Judge::Rules => Source::Rule,
            Judge::Model => Source::Model,
        };
        self.issues.push(Issue { id, source, code: None, ..issue });
        self.from_judge += 1;
    }

    /// Returns the instructions for an issue.
    fn instructions_of<'a>(&'a self, issue: &'a str) -> impl Iterator<Item = &'a CorrectionInstruction> {
        self.instructions.iter().filter(move |instruction| instruction.issue_id == issue)
    }

    /// Returns the code of the rule with the same finding: about the same pieces of the same agent's work, or with the
    /// same correction. A correction of a model that sets other fields is another one.
    fn duplicate_of(&self, judge: Judge, issue: &Issue, own: &[CorrectionInstruction]) -> Option<String> {
        let entities = issue.affected_entities.iter().map(|name| fold(name)).collect::<Vec<_>>();
        let same_change = |known: &CorrectionInstruction, instruction: &CorrectionInstruction| {
            let name = |instruction: &CorrectionInstruction| {
                let parameters = &instruction.parameters;
                ["name", "title", "id"].iter().find_map(|key| parameters.get(key)?.as_str()).map(fold)
            };
            known.action == instruction.action
                && known.target_agent == instruction.target_agent
                && name(known).is_some_and(|known| name(instruction) == Some(known))
        };
        let sets_more = |known: &Issue| {
            let is_new = |instruction: &CorrectionInstruction| {
                is_plain_update(instruction)
                    && !self
                        .instructions_of(&known.id)
                        .any(|other| changed_fields(instruction).is_subset(&changed_fields(other)))
            };
            judge == Judge::Model && own.iter().any(is_new)
        };
        let by_rules = self.issues.iter().filter(|known| known.code.is_some());
        by_rules
            .filter(|known| !sets_more(known))
            .filter(|known| {
                let pieces = known.affected_entities.iter().map(|name| fold(name)).collect::<Vec<_>>();
                let same_pieces = !entities.is_empty() && entities.iter().all(|entity| pieces.contains(entity));
                let same_work = agent_of(&known.sub_category) == agent_of(&issue.sub_category);
                let mut changes = self.instructions_of(&known.id);
                same_pieces && same_work && known.category == issue.category
                    || changes.any(|change| own.iter().any(|instruction| same_change(change, instruction)))
            })
            .find_map(|known| known.code.clone())
    }

    fn say(&mut self, notice: &RunNotice) {
        self.reasoning.push(notice.text(self.language));
    }

    /// Returns the strategy for the whole work. The model's wish to start over counts only while an issue of the model
    /// remains.
    fn strategy(&self, wished: Option<Strategy>) -> Strategy {
        match wished {
            Some(Strategy::HumanReview) => Strategy::HumanReview,
            Some(Strategy::Regenerate) if self.from_judge > 0 => Strategy::Regenerate,
            _ if self.issues.is_empty() && self.instructions.is_empty() => Strategy::None,
            _ => Strategy::IncrementalFix,
        }
    }

    fn finish(mut self, quality_score: u8, correction_strategy: Strategy) -> DiagnosticReport {
        self.issues
            .sort_by_key(|issue| (std::cmp::Reverse(issue.severity), issue.source != Source::Rule, issue.id.clone()));
        self.instructions.sort_by_key(|instruction| std::cmp::Reverse(instruction.priority));
        let targets = self.instructions.iter().map(|instruction| instruction.target_agent);
        let unanswered = self.issues.iter().filter(|issue| {
            issue.severity >= Severity::Medium
                && self.instructions.iter().all(|instruction| instruction.issue_id != issue.id)
        });
        let mut affected_agents =
            targets.chain(unanswered.filter_map(|issue| agent_of(&issue.sub_category))).collect::<Vec<_>>();
        affected_agents.sort_unstable();
        affected_agents.dedup();
        DiagnosticReport {
            passed: false,
            quality_score,
            issues: self.issues,
            correction_strategy,
            correction_instructions: self.instructions,
            affected_agents,
            reasoning_chain: self.reasoning,
            suggestions_for_improvement: self.suggestions,
            basis: Basis::default(),
            wishes: Vec::new(),
        }
    }
}

/// Returns the same id for the same claim of a judge about the same pieces, whatever id the judge gave.
fn stable_id(judge: Judge, issue: &Issue) -> String {
    let mut entities = issue.affected_entities.iter().map(|name| fold(name)).collect::<Vec<_>>();
    entities.sort();
    let about = if entities.is_empty() { vec![fold(&issue.title)] } else { entities };
    let text = format!("{:?}\n{}\n{}", issue.category, issue.sub_category, about.join("\n"));
    let prefix = match judge {
        Judge::Rules => "rules",
        Judge::Model => "model",
    };
    format!("{prefix}-{}", &sha256(text.as_bytes())[..6])
}

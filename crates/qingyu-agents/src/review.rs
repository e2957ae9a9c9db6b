//! The report of a review: what the rules found, joined by the reviewer model's judgement.
//!
//! The rules speak first. A claim of the model that the rules can verify is verified; what repeats a finding is folded
//! into it; every issue says who found it. Without a judgement the report holds what the rules found and asks for a
//! person: it never passes by default.

use std::collections::BTreeMap;

use qingyu_story::check::{Finding, coverage, penalty, score};
use qingyu_story::names::fold;
use qingyu_story::{
    Agent, Basis, Category, CorrectionInstruction, DiagnosticReport, Issue, Judge, Language, Names, PlannedStep,
    Severity, Source, StepState, Story, Strategy,
};
use sha2::{Digest, Sha256};

use crate::meta_scheduler::{BY_A_PERSON, Thresholds, agent_of, is_complete};
use crate::notice::Notice;
use crate::output::Judgement;
use crate::plan::{ExecutionPlan, Step};

#[cfg(test)]
mod tests;
mod verify;

/// What the rules found in the whole material.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RulesResult {
    /// The findings, with what would mend them.
    pub findings: Vec<Finding>,
    /// What they rest on.
    pub basis: Basis,
}

impl RulesResult {
    /// Runs the rules over `story`.
    pub fn of(story: &Story, config: &qingyu_story::check::Config) -> Self {
        let findings = qingyu_story::check::findings(story, config);
        let basis = Basis::of_rules(story, coverage(story, config, &findings));
        Self { findings, basis }
    }

    /// The same with the steps of the plan; each that failed is a finding for the agent that can do it.
    #[must_use]
    pub fn with_steps(mut self, steps: Vec<PlannedStep>, plan: &ExecutionPlan, language: Language) -> Self {
        for step in steps.iter().filter(|step| step.state == StepState::Failed) {
            self.findings.push(failed_step(step, plan, language));
        }
        self.basis.steps = steps;
        self
    }

    /// The issues alone.
    pub fn issues(&self) -> Vec<Issue> {
        self.findings.iter().map(|finding| finding.issue.clone()).collect()
    }
}

/// The finding that a step of the plan was not done.
fn failed_step(step: &PlannedStep, plan: &ExecutionPlan, language: Language) -> Finding {
    let planned = plan.steps.iter().find(|planned| planned.step_id == step.step);
    let agent = planned.and_then(Step::specialist);
    let notice = Notice::StepFailed { step: step.step, agent: step.agent.clone() };
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

/// What came of asking the reviewer model.
#[derive(Debug, Clone, PartialEq)]
pub enum Judged {
    /// It judged.
    By(Judgement),
    /// It was asked and gave nothing that can be used.
    Failed(String),
    /// It was not asked: a person edited the material, and the rules look after it.
    NotAsked,
}

/// A report and what is to be said about how it came to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// The report.
    pub report: DiagnosticReport,
    /// Lines for the warnings of the run.
    pub warnings: Vec<Notice>,
}

/// Joins what the rules found with what the model judged.
///
/// The score is the lower of both. A claim that does not hold gives the model's score back what such an issue costs.
pub fn merge(rules: &RulesResult, judged: Judged, story: &Story, thresholds: Thresholds) -> Merged {
    let language = story.language;
    let rules_score = score(&rules.issues());
    let mut draft = Draft::of_rules(rules, language);
    let mut warnings = Vec::new();
    let is_judged = matches!(judged, Judged::By(_));
    let (quality_score, strategy) = match judged {
        Judged::By(judgement) => {
            let model_strategy = judgement.correction_strategy;
            let model_score = draft.add(judgement, story);
            (rules_score.min(model_score), draft.strategy(Some(model_strategy)))
        }
        Judged::Failed(error) => {
            let notice = Notice::NoJudgement { error };
            draft.reasoning.push(notice.text(language));
            warnings.push(notice);
            (rules_score, Strategy::HumanReview)
        }
        Judged::NotAsked => (rules_score, draft.strategy(None)),
    };
    let judge = if is_judged { Judge::Model } else { Judge::Rules };
    let mut report = draft.finish(quality_score, strategy);
    report.basis = Basis { judge, ..rules.basis.clone() };
    report.passed = is_complete(&report, thresholds);
    Merged { report, warnings }
}

/// A report in the making.
struct Draft {
    language: Language,
    issues: Vec<Issue>,
    instructions: Vec<CorrectionInstruction>,
    reasoning: Vec<String>,
    suggestions: Vec<String>,
    from_model: usize,
}

impl Draft {
    fn of_rules(rules: &RulesResult, language: Language) -> Self {
        let checked = Notice::RulesChecked {
            run: rules.basis.rules.run,
            clean: rules.basis.rules.clean,
            findings: rules.findings.len(),
        };
        Self {
            language,
            issues: rules.issues(),
            instructions: rules.findings.iter().flat_map(|finding| finding.instructions.clone()).collect(),
            reasoning: vec![checked.text(language)],
            suggestions: Vec::new(),
            from_model: 0,
        }
    }

    /// Takes in what the model says, and returns its score.
    fn add(&mut self, judgement: Judgement, story: &Story) -> u8 {
        let names = Names::of(story);
        let mut model_score = u32::from(judgement.quality_score.min(100));
        self.reasoning.extend(judgement.reasoning_chain);
        self.suggestions.extend(judgement.suggestions_for_improvement);
        let mut instructions = BTreeMap::<String, Vec<CorrectionInstruction>>::new();
        for instruction in judgement.correction_instructions {
            instructions.entry(instruction.issue_id.clone()).or_default().push(instruction);
        }
        for issue in judgement.issues {
            let own = instructions.remove(&issue.id).unwrap_or_default();
            if let Some(piece) = verify::refuted(&issue, &own, story, &names) {
                model_score = (model_score + penalty(issue.severity)).min(100);
                self.say(&Notice::ClaimRefuted { title: issue.title, piece });
            } else if let Some(code) = self.duplicate_of(&issue, &own) {
                self.say(&Notice::ClaimFolded { title: issue.title, code });
            } else {
                self.take(issue, own);
            }
        }
        // What names no issue of the model's is kept, unless it would make what is there. It does not pass for a person's wish.
        let mut loose = instructions.into_values().flatten().collect::<Vec<_>>();
        for instruction in loose.iter_mut().filter(|instruction| instruction.issue_id.starts_with(BY_A_PERSON)) {
            instruction.issue_id.clear();
        }
        loose.retain(|instruction| verify::existing(instruction, story, &names).is_none());
        self.instructions.extend(loose);
        u8::try_from(model_score).expect("at most 100")
    }

    fn take(&mut self, issue: Issue, instructions: Vec<CorrectionInstruction>) {
        let id = stable_id(&issue);
        if self.issues.iter().any(|known| known.id == id) {
            return;
        }
        let named = instructions.into_iter().map(|instruction| CorrectionInstruction {
            issue_id: id.clone(),
            priority: instruction.priority.clamp(1, 10),
            ..instruction
        });
        self.instructions.extend(named);
        self.issues.push(Issue { id, source: Source::Model, code: None, ..issue });
        self.from_model += 1;
    }

    /// The code of the rule that found the same: about the same pieces of the same agent's work, or mended alike.
    fn duplicate_of(&self, issue: &Issue, own: &[CorrectionInstruction]) -> Option<String> {
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
        let by_rules = self.issues.iter().filter(|known| known.source == Source::Rule);
        by_rules
            .filter(|known| {
                let pieces = known.affected_entities.iter().map(|name| fold(name)).collect::<Vec<_>>();
                let same_pieces = !entities.is_empty() && entities.iter().all(|entity| pieces.contains(entity));
                let same_work = agent_of(&known.sub_category) == agent_of(&issue.sub_category);
                let mut changes = self.instructions.iter().filter(|instruction| instruction.issue_id == known.id);
                same_pieces && same_work && known.category == issue.category
                    || changes.any(|change| own.iter().any(|instruction| same_change(change, instruction)))
            })
            .find_map(|known| known.code.clone())
    }

    fn say(&mut self, notice: &Notice) {
        self.reasoning.push(notice.text(self.language));
    }

    /// What to do with the whole. A model's wish to start over counts only while an issue of its own stands.
    fn strategy(&self, wished: Option<Strategy>) -> Strategy {
        match wished {
            Some(Strategy::HumanReview) => Strategy::HumanReview,
            Some(Strategy::Regenerate) if self.from_model > 0 => Strategy::Regenerate,
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

/// The same for the same claim about the same pieces, whatever the model calls it.
fn stable_id(issue: &Issue) -> String {
    let mut entities = issue.affected_entities.iter().map(|name| fold(name)).collect::<Vec<_>>();
    entities.sort();
    let about = if entities.is_empty() { vec![fold(&issue.title)] } else { entities };
    let text = format!("{:?}\n{}\n{}", issue.category, issue.sub_category, about.join("\n"));
    let hash = Sha256::digest(text);
    format!("model-{:02x}{:02x}{:02x}", hash[0], hash[1], hash[2])
}

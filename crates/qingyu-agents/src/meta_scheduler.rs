//! What follows from a diagnostic report: the work is done, agents correct it, or a person decides.
//!
//! All of it is pure: [`decide`] reads a report and the course of the run, [`clear`] empties what will be made anew,
//! [`CorrectionPrompt`] is what an agent is told, filled into `prompts/meta/correction`.

use qingyu_story::wish::WishState;
use qingyu_story::{Agent, CorrectionInstruction, DiagnosticReport, Issue, Severity, Story, Strategy};
use serde::{Deserialize, Serialize};

mod prompt;
#[cfg(test)]
mod tests;

pub use prompt::CorrectionPrompt;

/// How the ids of what a person asks for begin; the round or the wish follows.
pub(crate) const BY_A_PERSON: &str = "human-";
/// How many rounds there may be for nothing but wishes that are not met.
const TRIES: u32 = 2;

/// Which score leads where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Thresholds {
    /// From this score on the work is done, unless an issue is critical.
    pub complete: u8,
    /// Below this score the affected work is made anew.
    pub regenerate_below: u8,
    /// Below this score a person decides.
    pub human_below: u8,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { complete: 80, regenerate_below: 60, human_below: 50 }
    }
}

/// How affected work is corrected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CorrectionMode {
    /// Only what the instructions name is changed.
    #[default]
    Incremental,
    /// The work is cleared and made anew.
    Regenerate,
}

impl CorrectionMode {
    /// The name in states and events.
    pub fn name(self) -> &'static str {
        match self {
            Self::Incremental => "incremental",
            Self::Regenerate => "regenerate",
        }
    }
}

/// Why a person must decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HumanReason {
    /// The reviewer asks for it, or there was no judgement to be had.
    Strategy,
    /// The score is too low for another try to be worth its price.
    LowScore,
    /// There were as many rounds as there may be.
    MaxIterations,
    /// The last round gained too little.
    Stalled,
    /// Something that the person asked for is not there, and no agent can mend that.
    UnmetWish,
}

impl HumanReason {
    /// The name in events.
    pub fn name(self) -> &'static str {
        match self {
            Self::Strategy => "strategy",
            Self::LowScore => "low_score",
            Self::MaxIterations => "max_iterations",
            Self::Stalled => "stalled",
            Self::UnmetWish => "unmet_wish",
        }
    }
}

/// What a decision is made from.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// The newest report.
    pub report: &'a DiagnosticReport,
    /// How many rounds there were.
    pub iteration_count: u32,
    /// How many there may be.
    pub max_iterations: u32,
    /// The score before the last round, if there was one.
    pub previous_score: Option<u8>,
    /// Whose work there is.
    pub made: &'a [Agent],
    /// Whose work was there before the run; it is never made anew.
    pub standing: &'a [Agent],
    /// What a person who rejected the work said.
    pub human_feedback: Option<&'a str>,
    /// What of that is said as data, and what is left of it in words.
    pub ordered: Option<&'a Ordered>,
    /// Which score leads where.
    pub thresholds: Thresholds,
    /// The share of what is missing to 100 that a round must gain.
    pub auto_downgrade_threshold: f64,
}

/// What a person who rejected the work orders.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ordered {
    /// What is said as data.
    pub instructions: Vec<CorrectionInstruction>,
    /// What is left in words.
    pub rest: String,
}

/// What comes next.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// The work is done.
    Complete,
    /// Agents correct it.
    Correct(Correction),
    /// A person decides.
    Human {
        /// Why.
        reason: HumanReason,
    },
}

/// One correction round.
#[derive(Debug, Clone, PartialEq)]
pub struct Correction {
    /// Which round it is, from 1.
    pub iteration: u32,
    /// How the work is corrected.
    pub mode: CorrectionMode,
    /// Who corrects, in the order in which they do.
    pub agents: Vec<Agent>,
    /// What they are told, each agent's most urgent first. Every agent has at least one.
    pub instructions: Vec<CorrectionInstruction>,
}

/// Decides what follows from a report.
///
/// A person's feedback always leads to one more round; otherwise the order is: done, strategy or score for a person,
/// rounds used up, last round gained too little, correction.
pub fn decide(situation: &Situation<'_>) -> Decision {
    let Situation { report, thresholds, .. } = situation;
    if situation.human_feedback.is_some() {
        return Decision::Correct(correction(situation));
    }
    if report.correction_strategy == Strategy::HumanReview {
        return Decision::Human { reason: HumanReason::Strategy };
    }
    if is_complete(report, *thresholds) {
        return Decision::Complete;
    }
    if report.quality_score < thresholds.human_below {
        return Decision::Human { reason: HumanReason::LowScore };
    }
    if situation.iteration_count >= situation.max_iterations {
        return Decision::Human { reason: HumanReason::MaxIterations };
    }
    if lacks_only_wishes(report, *thresholds) {
        let told = report.correction_instructions.iter().any(|told| told.issue_id.starts_with(BY_A_PERSON));
        return match told && situation.iteration_count < TRIES {
            true => Decision::Correct(correction(situation)),
            false => Decision::Human { reason: HumanReason::UnmetWish },
        };
    }
    if situation.previous_score.is_some_and(|previous| stalled(previous, situation)) {
        return Decision::Human { reason: HumanReason::Stalled };
    }
    Decision::Correct(correction(situation))
}

/// Whether the work is done: the verdict has a basis, the score suffices, nothing is critical, no wish is unmet, and
/// nobody asks for a person.
pub fn is_complete(report: &DiagnosticReport, thresholds: Thresholds) -> bool {
    report.basis.holds()
        && report.correction_strategy != Strategy::HumanReview
        && report.quality_score >= thresholds.complete
        && !has_critical(report)
        && !has_unmet_wish(report)
}

/// Whether the work would be done if it were not for wishes that are not met.
fn lacks_only_wishes(report: &DiagnosticReport, thresholds: Thresholds) -> bool {
    has_unmet_wish(report) && is_complete(&DiagnosticReport { wishes: Vec::new(), ..report.clone() }, thresholds)
}

fn has_unmet_wish(report: &DiagnosticReport) -> bool {
    report.wishes.iter().any(|wish| wish.state == WishState::Unmet)
}

/// Empties what `agents` made.
pub fn clear(story: &mut Story, agents: &[Agent]) {
    for agent in agents {
        match agent {
            Agent::Outline => story.outline_nodes.clear(),
            Agent::Character => {
                story.characters.clear();
                story.character_relations.clear();
            }
            Agent::Plot => {
                story.timeline_events.clear();
                story.plot_nodes.clear();
            }
            Agent::Worldview => story.worldview = None,
            Agent::Style => story.style = None,
        }
    }
}

/// Whose work there is in `story`.
pub fn made(story: &Story) -> Vec<Agent> {
    let there = |agent: &Agent| match agent {
        Agent::Outline => !story.outline_nodes.is_empty(),
        Agent::Character => !story.characters.is_empty(),
        Agent::Plot => !story.timeline_events.is_empty() || !story.plot_nodes.is_empty(),
        Agent::Worldview => story.worldview.is_some(),
        Agent::Style => story.style.is_some(),
    };
    Agent::ALL.into_iter().filter(there).collect()
}

/// Whose work an issue of this `sub_category` is about, if the name tells.
pub fn agent_of(sub_category: &str) -> Option<Agent> {
    let about = |words: &[&str]| words.iter().any(|word| sub_category.contains(word));
    [
        (Agent::Outline, &["outline", "chapter", "structure"][..]),
        (Agent::Character, &["character", "relation"]),
        (Agent::Plot, &["plot", "timeline", "event"]),
        (Agent::Worldview, &["world", "setting", "location"]),
        (Agent::Style, &["style", "tone"]),
    ]
    .into_iter()
    .find(|(_, words)| about(words))
    .map(|(agent, _)| agent)
}

fn correction(situation: &Situation<'_>) -> Correction {
    let Situation { report, .. } = situation;
    // A person who sends the work back without a word leaves the report to speak.
    let is_said = |words: &&str| !words.trim().is_empty();
    let is_spoken = situation.human_feedback.is_some_and(|words| is_said(&words));
    let ordered = situation.ordered.map_or(&[][..], |ordered| &ordered.instructions);
    let human_feedback = situation.ordered.map_or(situation.human_feedback, |ordered| Some(&ordered.rest));
    let human_feedback = human_feedback.filter(is_said);
    let mut spoken_of = human_feedback.map(agents_in_words).unwrap_or_default();
    spoken_of.extend(ordered.iter().map(|instruction| instruction.target_agent));
    let mut agents = if spoken_of.is_empty() { affected(report) } else { spoken_of };
    let mode = if ordered.is_empty() { mode(situation, &agents) } else { CorrectionMode::Incremental };
    if mode == CorrectionMode::Regenerate && agents.contains(&Agent::Outline) && situation.made.contains(&Agent::Plot) {
        // Events and plot belong to chapters by name, and the chapters will be others.
        agents.push(Agent::Plot);
    }
    agents.sort_unstable();
    agents.dedup();
    let mut instructions = Vec::new();
    for agent in &agents {
        instructions.extend(ordered.iter().filter(|instruction| instruction.target_agent == *agent).cloned());
        instructions.extend(human_feedback.map(|feedback| CorrectionInstruction {
            issue_id: format!("{BY_A_PERSON}{}", situation.iteration_count + 1),
            target_agent: *agent,
            specific_instruction: feedback.into(),
            priority: 10,
            ..Default::default()
        }));
        instructions.extend(instructions_for(*agent, report, !is_spoken));
    }
    Correction { iteration: situation.iteration_count + 1, mode, agents, instructions }
}

/// The agents named in the report, else those whose work its issues are about, else the outline agent.
fn affected(report: &DiagnosticReport) -> Vec<Agent> {
    let targets = report.correction_instructions.iter().map(|instruction| instruction.target_agent);
    let named = report.affected_agents.iter().copied().chain(targets).collect::<Vec<_>>();
    if !named.is_empty() {
        return named;
    }
    let about = report.issues.iter().filter_map(|issue| agent_of(&issue.sub_category)).collect::<Vec<_>>();
    if about.is_empty() { vec![Agent::Outline] } else { about }
}

fn mode(situation: &Situation<'_>, agents: &[Agent]) -> CorrectionMode {
    let Situation { report, thresholds, standing, .. } = situation;
    if agents.iter().any(|agent| standing.contains(agent)) {
        return CorrectionMode::Incremental;
    }
    let anew = report.correction_strategy == Strategy::Regenerate
        || has_critical(report)
        || report.quality_score < thresholds.regenerate_below;
    if anew { CorrectionMode::Regenerate } else { CorrectionMode::Incremental }
}

fn has_critical(report: &DiagnosticReport) -> bool {
    report.issues.iter().any(|issue| issue.severity == Severity::Critical)
}

fn stalled(previous: u8, situation: &Situation<'_>) -> bool {
    let gained = f64::from(situation.report.quality_score) - f64::from(previous);
    let missing = 100.0 - f64::from(previous);
    gained + 1e-9 < situation.auto_downgrade_threshold * missing
}

/// The report's instructions for `agent`, most urgent first; if there are none, one made from the issues.
fn instructions_for(agent: Agent, report: &DiagnosticReport, must_have_one: bool) -> Vec<CorrectionInstruction> {
    let mut instructions = report
        .correction_instructions
        .iter()
        .filter(|instruction| instruction.target_agent == agent)
        .cloned()
        .collect::<Vec<_>>();
    instructions.sort_by_key(|instruction| std::cmp::Reverse(instruction.priority));
    if instructions.is_empty() && must_have_one {
        let own = report.issues.iter().filter(|issue| agent_of(&issue.sub_category) == Some(agent)).collect::<Vec<_>>();
        let issues = if own.is_empty() { report.issues.iter().collect() } else { own };
        instructions.extend(issues.into_iter().map(|issue| instruction_from(agent, issue)));
    }
    instructions
}

fn instruction_from(agent: Agent, issue: &Issue) -> CorrectionInstruction {
    CorrectionInstruction {
        issue_id: issue.id.clone(),
        target_agent: agent,
        specific_instruction: [&issue.title, &issue.root_cause]
            .into_iter()
            .filter(|part| !part.is_empty())
            .cloned()
            .collect::<Vec<_>>()
            .join(" · "),
        priority: match issue.severity {
            Severity::Critical => 10,
            Severity::High => 8,
            Severity::Medium => 5,
            Severity::Low => 2,
        },
        ..Default::default()
    }
}

/// The agents whose work a person speaks of.
pub(crate) fn agents_in_words(feedback: &str) -> Vec<Agent> {
    const WORDS: [(Agent, &[&str]); 5] = [
        (Agent::Outline, &["大纲", "章", "结构", "outline", "chapter", "structure"]),
        (Agent::Character, &["角色", "人物", "主角", "配角", "反派", "关系", "character", "protagonist", "relation"]),
        (Agent::Plot, &["情节", "剧情", "事件", "时间线", "plot", "event", "timeline"]),
        (Agent::Worldview, &["世界", "设定", "地点", "world", "setting", "location"]),
        (Agent::Style, &["风格", "文风", "语气", "style", "tone", "voice"]),
    ];
    let feedback = feedback.to_lowercase();
    WORDS
        .iter()
        .filter(|(_, words)| words.iter().any(|word| feedback.contains(word)))
        .map(|(agent, _)| *agent)
        .collect()
}

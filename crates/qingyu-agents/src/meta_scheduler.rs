//! Decisions from a diagnostic report: the work is complete, agents correct it, or a person decides.
//!
//! All functions are pure: `decide` reads a report and the state of the run, `clear` removes work before
//! regeneration, and `CorrectionPrompt` fills an agent's instructions into `prompts/meta/correction`.

use qingyu_story::edit::is_plain_update;
use qingyu_story::wish::WishState;
use qingyu_story::{Agent, CorrectionInstruction, DiagnosticReport, Issue, Severity, Source, Story, Strategy};

mod prompt;
mod round;
#[cfg(test)]
mod tests;

pub(crate) use prompt::CorrectionPrompt;
pub use round::{CorrectionMode, HumanReason};
pub(crate) use round::{CorrectionRound, CorrectionState, HumanOrder, ReportDecision, Thresholds};

/// Prefix of issue ids from a person; the round or the wish follows.
pub(crate) const BY_A_PERSON: &str = "human-";
/// Maximum number of rounds spent on unmet wishes alone.
const TRIES: u32 = 2;
/// Maximum number of rounds spent on named issues of work that is complete otherwise; the same as for a chapter.
const MENDS: u32 = 2;

/// Returns the decision after a report.
///
/// Feedback of a person always starts another round. Otherwise the first match counts, in this order: strategy for a
/// person, complete (with a correction of what the reviewer named, while rounds are left for it; of small issues only what
/// is data, and once), score too low, no rounds left, only wishes unmet, last round gained too little (after the corrections
/// that are data, which depend on no agent), correction.
pub(crate) fn decide(situation: &CorrectionState<'_>) -> ReportDecision {
    let CorrectionState { report, thresholds, .. } = situation;
    if situation.human_feedback.is_some() {
        return ReportDecision::Correct(correction(situation));
    }
    if report.correction_strategy == Strategy::HumanReview {
        return ReportDecision::Human { reason: HumanReason::Strategy };
    }
    if is_complete(report, *thresholds) {
        let has_more = has_mendable(report) || sets_data(report, situation.iteration_count);
        return match situation.iteration_count < situation.max_iterations.min(MENDS) && has_more {
            true => ReportDecision::Correct(mending(situation)),
            false => ReportDecision::Complete,
        };
    }
    if report.quality_score < thresholds.human_below {
        return ReportDecision::Human { reason: HumanReason::LowScore };
    }
    if situation.iteration_count >= situation.max_iterations {
        return ReportDecision::Human { reason: HumanReason::MaxIterations };
    }
    if lacks_only_wishes(report, *thresholds) {
        let told = report.correction_instructions.iter().any(|told| told.issue_id.starts_with(BY_A_PERSON));
        return match told && situation.iteration_count < TRIES {
            true => ReportDecision::Correct(correction(situation)),
            false => ReportDecision::Human { reason: HumanReason::UnmetWish },
        };
    }
    if situation.previous_score.is_some_and(|previous| stalled(previous, situation)) {
        return match data_round(situation) {
            Some(round) => ReportDecision::Correct(round),
            None => ReportDecision::Human { reason: HumanReason::Stalled },
        };
    }
    ReportDecision::Correct(correction(situation))
}

/// Returns whether the work is complete: the verdict has a basis, the score suffices, nothing is critical, no wish is
/// unmet, and nobody asks for a person.
pub(crate) fn is_complete(report: &DiagnosticReport, thresholds: Thresholds) -> bool {
    report.basis.holds()
        && report.correction_strategy != Strategy::HumanReview
        && report.quality_score >= thresholds.complete
        && !has_critical(report)
        && !has_unmet_wish(report)
}

/// Returns the issues of the reviewer that an agent can mend: of medium severity or worse, with an instruction.
///
/// The same holds for chapters. Findings of the rules are not among them: some offer a choice to the author.
pub(crate) fn mendable(report: &DiagnosticReport) -> impl Iterator<Item = &Issue> {
    report.issues.iter().filter(move |issue| {
        is_of_reviewer(issue)
            && issue.severity >= Severity::Medium
            && issue.waived.is_none()
            && report.correction_instructions.iter().any(|instruction| instruction.issue_id == issue.id)
    })
}

/// Returns whether the reviewer of this run found the issue; an issue of an earlier reading that a rule repeats has a code.
pub(crate) fn is_of_reviewer(issue: &Issue) -> bool {
    issue.source == Source::Model && issue.code.is_none()
}

/// Returns whether a correction of the reviewer is data as it stands, such as the chapter before which readers must not
/// know a secret. No agent is asked for it, so it is made however small the issue is.
fn is_settable(report: &DiagnosticReport, instruction: &CorrectionInstruction) -> bool {
    let issue = report.issues.iter().find(|issue| issue.id == instruction.issue_id);
    let is_reviewers = match issue {
        Some(issue) => is_of_reviewer(issue) && issue.waived.is_none(),
        // The reviewer may give a correction without an issue.
        None => !instruction.issue_id.starts_with(BY_A_PERSON),
    };
    is_reviewers && is_plain_update(instruction)
}

/// Returns whether a round after `iteration` earlier ones makes corrections that are data as they stand: once, in the first.
pub(crate) fn sets_data(report: &DiagnosticReport, iteration: u32) -> bool {
    iteration == 0 && report.correction_instructions.iter().any(|instruction| is_settable(report, instruction))
}

/// Returns whether the reviewer named an issue that an agent can mend.
pub(crate) fn has_mendable(report: &DiagnosticReport) -> bool {
    mendable(report).next().is_some()
}

/// Returns the round that mends the [`mendable`] issues and makes the corrections that are data, and nothing else.
fn mending(situation: &CorrectionState<'_>) -> CorrectionRound {
    let report = situation.report;
    let mended: Vec<&Issue> = mendable(report).collect();
    let is_theirs = |instruction: &&CorrectionInstruction| {
        mended.iter().any(|issue| issue.id == instruction.issue_id) || is_settable(report, instruction)
    };
    named_round(situation, report.correction_instructions.iter().filter(is_theirs).cloned().collect())
}

/// Returns the round that makes the corrections that are data and were not in the last round, and nothing else; `None` if
/// there are none.
fn data_round(situation: &CorrectionState<'_>) -> Option<CorrectionRound> {
    let CorrectionState { report, last, .. } = situation;
    let is_new = |instruction: &&CorrectionInstruction| {
        is_settable(report, instruction) && last.iter().all(|made| made.parameters != instruction.parameters)
    };
    let instructions: Vec<CorrectionInstruction> =
        report.correction_instructions.iter().filter(is_new).cloned().collect();
    (!instructions.is_empty()).then(|| named_round(situation, instructions))
}

/// Returns the round with these instructions of the report, at least one, and nothing else.
fn named_round(
    situation: &CorrectionState<'_>,
    correction_instructions: Vec<CorrectionInstruction>,
) -> CorrectionRound {
    let CorrectionState { report, thresholds, .. } = situation;
    let named = DiagnosticReport {
        quality_score: report.quality_score,
        correction_instructions,
        ..DiagnosticReport::default()
    };
    // Pieces that the instructions do not name are never regenerated.
    let thresholds = Thresholds { regenerate_below: 0, ..*thresholds };
    correction(&CorrectionState { report: &named, thresholds, ..*situation })
}

/// Returns whether unmet wishes are the only obstacle to completion.
fn lacks_only_wishes(report: &DiagnosticReport, thresholds: Thresholds) -> bool {
    has_unmet_wish(report) && is_complete(&DiagnosticReport { wishes: Vec::new(), ..report.clone() }, thresholds)
}

fn has_unmet_wish(report: &DiagnosticReport) -> bool {
    report.wishes.iter().any(|wish| wish.state == WishState::Unmet)
}

/// Removes the work of `agents` from `story`.
pub(crate) fn clear(story: &mut Story, agents: &[Agent]) {
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

/// Returns the agents with work in `story`.
pub(crate) fn made(story: &Story) -> Vec<Agent> {
    let there = |agent: &Agent| match agent {
        Agent::Outline => !story.outline_nodes.is_empty(),
        Agent::Character => !story.characters.is_empty(),
        Agent::Plot => !story.timeline_events.is_empty() || !story.plot_nodes.is_empty(),
        Agent::Worldview => story.worldview.is_some(),
        Agent::Style => story.style.is_some(),
    };
    Agent::ALL.into_iter().filter(there).collect()
}

/// Returns the agent responsible for issues of `sub_category`; `None` for unknown names.
pub(crate) fn agent_of(sub_category: &str) -> Option<Agent> {
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

fn correction(situation: &CorrectionState<'_>) -> CorrectionRound {
    let CorrectionState { report, .. } = situation;
    // Empty feedback of a person leaves the report as the only source.
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
        // Events and plot refer to chapters by name, and the chapters will change.
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
    CorrectionRound { iteration: situation.iteration_count + 1, mode, agents, instructions }
}

/// Returns the agents named in the report; fallbacks are the agents behind the issues, then the outline agent.
fn affected(report: &DiagnosticReport) -> Vec<Agent> {
    let targets = report.correction_instructions.iter().map(|instruction| instruction.target_agent);
    let named = report.affected_agents.iter().copied().chain(targets).collect::<Vec<_>>();
    if !named.is_empty() {
        return named;
    }
    let about = report.issues.iter().filter_map(|issue| agent_of(&issue.sub_category)).collect::<Vec<_>>();
    if about.is_empty() { vec![Agent::Outline] } else { about }
}

fn mode(situation: &CorrectionState<'_>, agents: &[Agent]) -> CorrectionMode {
    let CorrectionState { report, thresholds, standing, .. } = situation;
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

fn stalled(previous: u8, situation: &CorrectionState<'_>) -> bool {
    let gained = f64::from(situation.report.quality_score) - f64::from(previous);
    let missing = 100.0 - f64::from(previous);
    gained + 1e-9 < situation.auto_downgrade_threshold * missing
}

/// Returns the report's instructions for `agent`, most urgent first; the fallback is one instruction made from the
/// issues.
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

/// Returns the agents whose work a person mentions.
pub(crate) fn agents_in_words(feedback: &str) -> Vec<Agent> {
    const WORDS: [(Agent, &[&str]); 5] = [
        (Agent::Outline, &["大纲", "章", "结构", "outline", "chapter", "structure"]),
        (
            Agent::Character,
            &["角色", "人物", "主角", "配角", "反派", "关系", "秘密", "character", "protagonist", "relation", "secret"],
        ),
        (Agent::Plot, &["情节", "剧情", "事件", "时间线", "plot", "event", "timeline"]),
        (Agent::Worldview, &["世界", "设定", "地点", "真相", "world", "setting", "location", "truth"]),
        (Agent::Style, &["风格", "文风", "语气", "style", "tone", "voice"]),
    ];
    let feedback = feedback.to_lowercase();
    WORDS
        .iter()
        .filter(|(_, words)| words.iter().any(|word| feedback.contains(word)))
        .map(|(agent, _)| *agent)
        .collect()
}

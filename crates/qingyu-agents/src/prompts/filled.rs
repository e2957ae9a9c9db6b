//! Typed values rendered into the prompt files.

use qingyu_production::SaidLine;
use qingyu_story::{Agent, Issue};
use serde::Serialize;

use super::material::{MaterialForm, PromptMaterial};
use crate::context::{
    AnswerContext, DirectionsContext, PlanningContext, QuestionContext, ReviewContext, ShownPassage, WorkContext,
};
use crate::plan::{Complexity, RequirementKind};
use crate::preference;

/// Maximum characters of a requirement in a prompt; longer ones fail validation before the run. No requirement within
/// the studio's 64 KiB is longer.
pub(crate) const MAX_REQUIREMENT: usize = 65_536;
/// Maximum characters of all passages, of all connections, and of all hidden facts.
const MAX_LINES: usize = 3_000;
/// Maximum characters of what earlier books fix; the lines have their own limits in tokens, which are reached first.
const MAX_EARLIER: usize = 12_000;
/// Maximum number of findings shown to the reviewer.
const MAX_FINDINGS: usize = 40;

/// Values for `prompts/directions/`.
#[derive(Debug, Serialize)]
pub(crate) struct DirectionsPrompt<'a> {
    requirement: String,
    material: PromptMaterial,
    has_material: bool,
    count: u32,
    feedback: &'a str,
    earlier: &'a [String],
}

impl<'a> DirectionsPrompt<'a> {
    /// Returns the prompt for `directing`.
    pub(crate) fn new(directing: &'a DirectionsContext) -> Self {
        Self {
            requirement: limited(&directing.requirement),
            material: PromptMaterial::default(),
            has_material: false,
            count: directing.count,
            feedback: directing.feedback.as_deref().unwrap_or_default().trim(),
            earlier: &directing.earlier,
        }
    }
}

/// Values for `prompts/planner/`.
#[derive(Debug, Serialize)]
pub(crate) struct PlanPrompt<'a> {
    requirement: String,
    material: PromptMaterial,
    has_material: bool,
    agents: &'a [String],
    tools: &'a [String],
    max_steps: usize,
    preferences: Vec<&'a str>,
}

impl<'a> PlanPrompt<'a> {
    /// Returns the prompt for `planning`.
    pub(crate) fn new(planning: &'a PlanningContext) -> Self {
        let material = PromptMaterial::of(&planning.story, MaterialForm::Text);
        Self {
            requirement: limited(&planning.requirement),
            has_material: material != PromptMaterial::default(),
            material,
            agents: &planning.agents,
            tools: &planning.tools,
            max_steps: planning.max_steps,
            preferences: preference::fitting(&planning.preferences),
        }
    }
}

/// Values for `prompts/<specialist>/`.
#[derive(Debug, Serialize)]
pub struct WorkPrompt<'a> {
    requirement: String,
    kind: RequirementKind,
    complexity: Complexity,
    task: &'a str,
    material: PromptMaterial,
    has_material: bool,
    has_earlier_work: bool,
    passages: Vec<&'a str>,
    connections: Vec<&'a str>,
    earlier: Vec<&'a str>,
    hidden: Vec<&'a str>,
    preferences: Vec<&'a str>,
    correction: &'a str,
}

impl<'a> WorkPrompt<'a> {
    /// Returns the prompt for `work` of `agent`.
    pub fn new(agent: Agent, work: &'a WorkContext) -> Self {
        let material = PromptMaterial::of(&work.story, MaterialForm::WorkOf(agent));
        Self {
            requirement: limited(&work.requirement),
            kind: work.analysis.kind,
            complexity: work.analysis.complexity,
            task: &work.task,
            has_material: material != PromptMaterial::default(),
            has_earlier_work: match agent {
                Agent::Outline => material.outline_nodes.is_some(),
                Agent::Character => material.characters.is_some(),
                Agent::Plot => material.timeline_events.is_some(),
                Agent::Worldview => material.worldview.is_some(),
                Agent::Style => material.style.is_some(),
            },
            material,
            passages: lines(&work.passages, MAX_LINES),
            connections: lines(&work.connections, MAX_LINES),
            earlier: lines(&work.earlier, MAX_EARLIER),
            hidden: lines(&work.hidden, MAX_LINES),
            preferences: preference::fitting(&work.preferences),
            correction: work.correction.as_deref().unwrap_or_default(),
        }
    }
}

/// Values for `prompts/review/`.
#[derive(Debug, Serialize)]
pub(crate) struct ReviewPrompt<'a> {
    requirement: String,
    material: PromptMaterial,
    has_material: bool,
    findings: Vec<PromptFinding<'a>>,
    findings_left_out: usize,
    rules_run: usize,
    rules_clean: usize,
    agents: Vec<&'static str>,
    preferences: Vec<&'a str>,
    earlier: Vec<PromptFinding<'a>>,
}

#[derive(Debug, Serialize)]
struct PromptFinding<'a> {
    code: &'a str,
    title: &'a str,
    root_cause: &'a str,
}

impl<'a> PromptFinding<'a> {
    fn of(issue: &'a Issue) -> Self {
        Self { code: issue.code.as_deref().unwrap_or_default(), title: &issue.title, root_cause: &issue.root_cause }
    }
}

impl<'a> ReviewPrompt<'a> {
    /// Returns the prompt for `review`.
    pub(crate) fn new(review: &'a ReviewContext) -> Self {
        let material = PromptMaterial::of(&review.story, MaterialForm::Fields);
        let findings = review.findings.iter().take(MAX_FINDINGS).map(PromptFinding::of);
        Self {
            requirement: limited(&review.requirement),
            has_material: material != PromptMaterial::default(),
            material,
            findings: findings.collect(),
            findings_left_out: review.findings.len().saturating_sub(MAX_FINDINGS),
            rules_run: review.rules_run,
            rules_clean: review.rules_clean,
            agents: review.agents.iter().map(|agent| agent.name()).collect(),
            preferences: preference::fitting(&review.preferences),
            earlier: review.earlier.iter().take(MAX_FINDINGS).map(PromptFinding::of).collect(),
        }
    }
}

/// Values for `prompts/assistant/understand`.
#[derive(Debug, Serialize)]
pub(crate) struct UnderstandPrompt<'a> {
    question: String,
    relations: &'a [String],
    names: Vec<&'a str>,
}

impl<'a> UnderstandPrompt<'a> {
    /// Returns the prompt for `understanding`.
    pub(crate) fn new(understanding: &'a QuestionContext) -> Self {
        Self {
            question: limited(&understanding.question),
            relations: &understanding.relations,
            names: lines(&understanding.names, MAX_LINES),
        }
    }
}

/// Values for `prompts/assistant/answer` and `prompts/assistant/rerank`.
#[derive(Debug, Serialize)]
pub(crate) struct AnswerPrompt<'a> {
    question: String,
    passages: &'a [ShownPassage],
    /// The pattern without an answer in the graph; empty otherwise.
    without: &'a str,
    quality: &'a str,
    /// Whether the passages are from the product's handbook.
    handbook: bool,
    /// Whether some passages are from earlier books, whose titles begin their headings.
    series: bool,
    said: &'a [SaidLine],
}

impl<'a> AnswerPrompt<'a> {
    /// Returns the prompt for `answering`.
    pub(crate) fn new(answering: &'a AnswerContext) -> Self {
        Self {
            question: limited(&answering.question),
            passages: &answering.passages,
            without: answering.pattern_without_answer().unwrap_or_default(),
            quality: answering.rank.as_ref().map_or("", |rank| rank.quality.as_str()),
            handbook: answering.is_about_product,
            series: answering.is_of_series,
            said: &answering.said,
        }
    }
}

fn limited(requirement: &str) -> String {
    requirement.chars().take(MAX_REQUIREMENT).collect()
}

/// Returns the first lines within `most` characters.
fn lines(lines: &[String], most: usize) -> Vec<&str> {
    let mut used = 0;
    let fits = |line: &&String| {
        used += line.chars().count();
        used <= most
    };
    lines.iter().take_while(fits).map(String::as_str).collect()
}

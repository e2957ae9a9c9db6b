//! What the prompt files are filled from, as text.

use qingyu_production::GoldenContext;
use qingyu_story::{Agent, Language};
use serde::Serialize;
use serde_json::{Map, Value};

use super::Material;
use crate::context::{
    Answering, ChapterFixing, ChapterReading, ChapterSeams, ChapterSettling, ChapterUnderstanding, ChapterWriting,
    Directing, Planning, Review, Shown, Understanding, Work,
};
use crate::meta_scheduler::CorrectionPrompt;
use crate::orchestrator::Splitting;
use crate::plan::{Complexity, RequirementKind};
use crate::preference;
use crate::production::consumers::{ConsumerReading, PersonasAsking};
use crate::production::context::{Chatting, Interviewing, Making, RouteAsking};
use crate::production::judging::Scoring;
use crate::production::research::{PageReading, QueryPlanning, Synthesising};
use crate::service::analysis::Judging;
use crate::service::creative::{Rewriting, Writing};
use crate::service::data_analysis::Phrasing;
use crate::service::text_review::Doubting;

/// Most characters of the requirement that a prompt shows; longer ones are refused before a run. No requirement within the
/// studio's 64 KiB is longer.
pub(crate) const MAX_REQUIREMENT: usize = 65_536;
/// Most characters of all passages and of all connections.
const MAX_LINES: usize = 3_000;
/// Most findings the reviewer is shown.
const MAX_FINDINGS: usize = 40;

/// Fills `prompts/directions/`.
#[derive(Debug, Serialize)]
pub struct DirectionsPrompt<'a> {
    requirement: String,
    material: Material,
    has_material: bool,
    count: u32,
    feedback: &'a str,
    earlier: &'a [String],
}

impl<'a> DirectionsPrompt<'a> {
    /// The prompt of `directing`.
    pub fn new(directing: &'a Directing) -> Self {
        Self {
            requirement: limited(&directing.requirement),
            material: Material::default(),
            has_material: false,
            count: directing.count,
            feedback: directing.feedback.as_deref().unwrap_or_default().trim(),
            earlier: &directing.earlier,
        }
    }
}

/// Fills `prompts/planner/`.
#[derive(Debug, Serialize)]
pub struct PlanPrompt<'a> {
    requirement: String,
    material: Material,
    has_material: bool,
    agents: &'a [String],
    tools: &'a [String],
    max_steps: usize,
}

impl<'a> PlanPrompt<'a> {
    /// The prompt of `planning`.
    pub fn new(planning: &'a Planning) -> Self {
        let material = Material::of(&planning.story);
        Self {
            requirement: limited(&planning.requirement),
            has_material: material != Material::default(),
            material,
            agents: &planning.agents,
            tools: &planning.tools,
            max_steps: planning.max_steps,
        }
    }
}

/// Fills `prompts/<specialist>/`.
#[derive(Debug, Serialize)]
pub struct WorkPrompt<'a> {
    requirement: String,
    kind: RequirementKind,
    complexity: Complexity,
    task: &'a str,
    material: Material,
    has_material: bool,
    has_earlier_work: bool,
    passages: Vec<&'a str>,
    connections: Vec<&'a str>,
    preferences: Vec<&'a str>,
    correction: &'a str,
}

impl<'a> WorkPrompt<'a> {
    /// The prompt of `work` for `agent`.
    pub fn new(agent: Agent, work: &'a Work) -> Self {
        let material = Material::of(&work.story);
        Self {
            requirement: limited(&work.requirement),
            kind: work.analysis.kind,
            complexity: work.analysis.complexity,
            task: &work.task,
            has_material: material != Material::default(),
            has_earlier_work: match agent {
                Agent::Outline => material.outline_nodes.is_some(),
                Agent::Character => material.characters.is_some(),
                Agent::Plot => material.timeline_events.is_some(),
                Agent::Worldview => material.worldview.is_some(),
                Agent::Style => material.style.is_some(),
            },
            material,
            passages: lines(&work.passages),
            connections: lines(&work.connections),
            preferences: preference::fitting(&work.preferences),
            correction: work.correction.as_deref().unwrap_or_default(),
        }
    }
}

/// Fills `prompts/review/`.
#[derive(Debug, Serialize)]
pub struct ReviewPrompt<'a> {
    requirement: String,
    material: Material,
    has_material: bool,
    findings: Vec<Finding<'a>>,
    findings_left_out: usize,
    rules_run: usize,
    rules_clean: usize,
    agents: Vec<&'static str>,
}

#[derive(Debug, Serialize)]
struct Finding<'a> {
    code: &'a str,
    title: &'a str,
    root_cause: &'a str,
}

impl<'a> ReviewPrompt<'a> {
    /// The prompt of `review`.
    pub fn new(review: &'a Review) -> Self {
        let material = Material::of(&review.story);
        let findings = review.findings.iter().take(MAX_FINDINGS).map(|issue| Finding {
            code: issue.code.as_deref().unwrap_or_default(),
            title: &issue.title,
            root_cause: &issue.root_cause,
        });
        Self {
            requirement: limited(&review.requirement),
            has_material: material != Material::default(),
            material,
            findings: findings.collect(),
            findings_left_out: review.findings.len().saturating_sub(MAX_FINDINGS),
            rules_run: review.rules_run,
            rules_clean: review.rules_clean,
            agents: review.agents.iter().map(|agent| agent.name()).collect(),
        }
    }
}

/// Fills `prompts/assistant/understand`.
#[derive(Debug, Serialize)]
pub struct UnderstandPrompt<'a> {
    question: String,
    relations: &'a [String],
    names: Vec<&'a str>,
}

impl<'a> UnderstandPrompt<'a> {
    /// The prompt of `understanding`.
    pub fn new(understanding: &'a Understanding) -> Self {
        Self {
            question: limited(&understanding.question),
            relations: &understanding.relations,
            names: lines(&understanding.names),
        }
    }
}

/// Fills `prompts/assistant/answer` and `prompts/assistant/rerank`.
#[derive(Debug, Serialize)]
pub struct AnswerPrompt<'a> {
    question: String,
    passages: &'a [Shown],
    /// The pattern that found nothing in the graph, or nothing.
    without: &'a str,
    quality: &'a str,
}

impl<'a> AnswerPrompt<'a> {
    /// The prompt of `answering`.
    pub fn new(answering: &'a Answering) -> Self {
        Self {
            question: limited(&answering.question),
            passages: &answering.passages,
            without: answering.pattern_without_answer().unwrap_or_default(),
            quality: answering.rank.as_ref().map_or("", |rank| rank.quality.as_str()),
        }
    }
}

/// The names a prompt file may use.
pub(super) fn variables(file: &str) -> Vec<String> {
    let (agent, part) = file.split_once('/').unwrap_or((file, ""));
    let folders = crate::service::agents::prompt_folders().into_iter().chain([&crate::orchestrator::PROMPTS]);
    if let Some(folder) = folders.into_iter().find(|folder| folder.name == agent)
        && !folder.variables.is_empty()
    {
        let given = if part.starts_with("system") { &[] } else { folder.variables };
        return given.iter().map(|name| (*name).to_owned()).collect();
    }
    bare(file).into_iter().map(|(name, _)| name).collect()
}

/// What a prompt file is filled with where there is nothing yet: each of its variables, empty.
pub fn bare(file: &str) -> Map<String, Value> {
    let (agent, part) = file.split_once('/').unwrap_or((file, ""));
    let value = match (agent, part.split('.').next().unwrap_or_default()) {
        (_, "system") | ("shared", "rules") => Value::Null,
        ("directions", _) => json(&DirectionsPrompt::new(&Directing::default())),
        ("planner", _) => json(&PlanPrompt::new(&Planning::default())),
        ("review", _) => json(&ReviewPrompt::new(&Review::default())),
        ("assistant", "understand") => json(&UnderstandPrompt::new(&Understanding::default())),
        ("assistant", _) => json(&AnswerPrompt::new(&Answering::default())),
        ("chapter", "understand") => json(&ChapterUnderstanding::default()),
        ("chapter", "seams") => json(&ChapterSeams::default()),
        ("chapter", "fix") => json(&ChapterFixing::default()),
        ("chapter", _) => json(&ChapterWriting::default()),
        ("critic", _) => json(&ChapterReading::default()),
        ("settle", _) => json(&ChapterSettling::default()),
        ("meta", _) => json(&CorrectionPrompt::default()),
        ("production", "interview") => json(&Interviewing::default()),
        ("production", "route") => json(&RouteAsking::default()),
        ("production", "make") => json(&Making::default()),
        ("production", _) => json(&Chatting::default()),
        ("research", "plan") => json(&QueryPlanning::default()),
        ("research", "note") => json(&PageReading::default()),
        ("research", _) => json(&Synthesising::default()),
        ("consumer", "read") => json(&ConsumerReading::default()),
        ("consumer", _) => json(&PersonasAsking::default()),
        ("judge", _) => json(&Scoring::default()),
        ("golden", _) => json(&GoldenContext::default()),
        ("orchestrator", _) => json(&Splitting::default()),
        ("creative", "rewrite" | "mend") => json(&Rewriting::default()),
        ("creative", _) => json(&Writing::default()),
        ("analysis", _) => json(&Judging::default()),
        ("text_review", _) => json(&Doubting::default()),
        ("data_analysis", _) => json(&Phrasing::default()),
        _ => json(&WorkPrompt::new(Agent::Outline, &Work { language: Language::Zh, ..Work::default() })),
    };
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("prompt contexts are plain data")
}

fn limited(requirement: &str) -> String {
    requirement.chars().take(MAX_REQUIREMENT).collect()
}

/// The first lines that fit the limit.
fn lines(lines: &[String]) -> Vec<&str> {
    let mut used = 0;
    let fits = |line: &&String| {
        used += line.chars().count();
        used <= MAX_LINES
    };
    lines.iter().take_while(fits).map(String::as_str).collect()
}

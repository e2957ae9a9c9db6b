//! The plan: agents, their tasks and dependencies.

use std::collections::BTreeSet;

use qingyu_agents::context::PlanningContext;
use qingyu_agents::output::Plan;
use qingyu_agents::plan::{
    Complexity, ContextMode, ExecutionPlan, RequirementAnalysis, RequirementKind, Step, ToolConfiguration,
};

use qingyu_story::wish::{self, additive};
use qingyu_story::{Agent, Names};

use crate::brief::{RequirementBrief, has_word};
use crate::fill::Slots;
use crate::tables::{LanguageTables, Phrases};

/// The creating agents, in the order of steps, with the words in their tools' names, and approximate tokens.
const AGENTS: [(&str, &[&str], u64); 5] = [
    ("worldview", &["world", "setting"], 2000),
    ("character", &["character", "relation"], 2600),
    ("outline", &["outline"], 3200),
    ("plot", &["timeline", "plot", "event"], 3000),
    ("style", &["style"], 900),
];
/// Approximate tokens of the review.
const REVIEW: u64 = 1800;

/// Returns the plan for a requirement.
pub(crate) fn make(planning: &PlanningContext) -> Plan {
    let brief = RequirementBrief::within(&planning.story, &planning.requirement, planning.language);
    let phrases = &LanguageTables::of(planning.language).phrases;
    let kind = kind(planning, phrases);
    let mut wanted = wanted(planning, &brief, kind, phrases);
    let allowed = |name: &str| planning.agents.is_empty() || planning.agents.contains(&format!("{name}_agent"));
    wanted.retain(|name| allowed(name));
    if planning.max_steps > 0 {
        wanted.truncate(planning.max_steps.saturating_sub(1).max(1));
    }
    let steps = steps(planning, &brief, &wanted, allowed("review"), phrases);
    let complexity = match steps.len() {
        0..=2 => Complexity::Simple,
        3..=5 => Complexity::Medium,
        _ => Complexity::Complex,
    };
    let slots = Slots { language: planning.language, ..Slots::default() };
    let say = |template: &str, words: &[(&str, &str)]| {
        let words = words.iter().map(|(key, word)| ((*key).to_owned(), word.replace(['{', '}'], "")));
        Slots { words: words.collect(), ..slots.clone() }.text(template)
    };
    let genre = if brief.names_genre() { &phrases.plan_genre } else { &phrases.plan_no_genre };
    let mut reasoning = vec![say(genre, &[("genre", &brief.genre()), ("quote", &brief.quote)])];
    let world = if wanted.contains(&"worldview") { &phrases.plan_world } else { &phrases.plan_no_world };
    reasoning.push(say(world, &[("setting", &brief.setting.label)]));
    if wanted.contains(&"character") && wanted.contains(&"outline") {
        let parallel = wanted.contains(&"worldview");
        reasoning.push(say(if parallel { &phrases.plan_parallel } else { &phrases.plan_in_turn }, &[]));
    }
    reasoning.push(say(phrases.plan_kind(kind), &[]));
    Plan {
        requirement_analysis: RequirementAnalysis {
            kind,
            complexity,
            required_capabilities: wanted.iter().map(|name| (*name).to_owned()).collect(),
        },
        execution_plan: ExecutionPlan {
            total_estimated_tokens: steps.iter().map(|step| step.estimated_tokens).sum(),
            steps,
            ..ExecutionPlan::default()
        },
        tool_configuration: ToolConfiguration {
            enable_rag: kind != RequirementKind::NewCreation,
            enable_knowledge_graph: kind != RequirementKind::NewCreation,
            context_mode: ContextMode::Auto,
        },
        reasoning,
    }
}

fn kind(planning: &PlanningContext, phrases: &Phrases) -> RequirementKind {
    let text = planning.requirement.to_ascii_lowercase();
    let says = |words: &[String]| words.iter().any(|word| has_word(&text, word));
    let story = &planning.story;
    if story.outline_nodes.is_empty() && story.characters.is_empty() {
        RequirementKind::NewCreation
    } else if says(&phrases.modification_words) {
        RequirementKind::Modification
    } else if additive(&text) || says(&phrases.extension_words) || says(phrases.agent_words("outline")) {
        RequirementKind::Extension
    } else {
        RequirementKind::Modification
    }
}

/// Returns the agents needed for the requirement.
fn wanted(
    planning: &PlanningContext,
    brief: &RequirementBrief,
    kind: RequirementKind,
    phrases: &Phrases,
) -> Vec<&'static str> {
    let text = planning.requirement.to_ascii_lowercase();
    let says = |words: &[String]| words.iter().any(|word| has_word(&text, word));
    let names = |name: &str| says(phrases.agent_words(name));
    match kind {
        RequirementKind::NewCreation => AGENTS
            .iter()
            .map(|(name, ..)| *name)
            .filter(|name| *name != "worldview" || !brief.setting.everyday || names("worldview"))
            .collect(),
        RequirementKind::Extension | RequirementKind::Modification => {
            let named: Vec<&str> = AGENTS.iter().map(|(name, ..)| *name).filter(|name| names(name)).collect();
            let meant: Vec<&str> =
                AGENTS.iter().map(|(name, ..)| *name).filter(|name| is_meant(planning, name)).collect();
            match kind {
                _ if named.is_empty() && !meant.is_empty() => meant,
                _ if named.is_empty() => vec!["outline", "plot"],
                RequirementKind::Extension if named.contains(&"outline") && !named.contains(&"plot") => {
                    named.into_iter().chain(["plot"]).collect()
                }
                _ => named,
            }
        }
    }
}

/// Returns whether the requirement asks for a change to a piece of the agent.
fn is_meant(planning: &PlanningContext, name: &str) -> bool {
    let requests = wish::read(&planning.requirement, &planning.story);
    let mut told = requests.iter().filter_map(|request| request.instruction(&planning.story, ""));
    let names = Names::of(&planning.story);
    let mentions = names.mentions(&planning.requirement);
    let mut bearers = mentions.iter().flat_map(|mention| &mention.bearers);
    let is_its = |agent: Agent| agent.name().strip_suffix("_agent") == Some(name);
    told.any(|told| is_its(told.target_agent)) || bearers.any(|named| is_its(named.kind.agent()))
}

fn steps(
    planning: &PlanningContext,
    brief: &RequirementBrief,
    wanted: &[&'static str],
    review: bool,
    phrases: &Phrases,
) -> Vec<Step> {
    let chapters = u64::from(brief.said.chapters.unwrap_or(10)).min(60);
    let number = |name: &str| wanted.iter().position(|other| *other == name).and_then(|at| u32::try_from(at + 1).ok());
    let mut steps: Vec<Step> = Vec::new();
    for (name, tools, tokens) in AGENTS.iter().filter(|(name, ..)| wanted.contains(name)) {
        let per_chapter = if matches!(*name, "outline" | "plot") { 120 * chapters } else { 0 };
        steps.push(Step {
            step_id: number(name).unwrap_or_default(),
            agent: format!("{name}_agent"),
            task_description: task(name, brief, phrases),
            required_tools: tools_for(tools, &planning.tools),
            dependencies: needs(name, wanted).iter().filter_map(|need| number(need)).collect(),
            estimated_tokens: tokens + per_chapter,
        });
    }
    if review {
        let before: Vec<u32> = steps.iter().map(|step| step.step_id).collect();
        steps.push(Step {
            step_id: u32::try_from(before.len() + 1).unwrap_or(u32::MAX),
            agent: "review_agent".into(),
            task_description: task("review", brief, phrases),
            dependencies: before,
            estimated_tokens: REVIEW + 60 * chapters,
            ..Step::default()
        });
    }
    steps
}

/// Returns the dependencies of an agent. Cast and outline both depend on the world, concurrently; without a world the
/// outline depends on the cast.
fn needs(agent: &str, wanted: &[&str]) -> &'static [&'static str] {
    match agent {
        "character" | "style" => &["worldview"],
        "outline" if wanted.contains(&"worldview") => &["worldview"],
        "outline" => &["character"],
        "plot" => &["character", "outline"],
        _ => &[],
    }
}

fn tools_for(words: &[&str], tools: &[String]) -> Vec<String> {
    let fits = |tool: &&String| words.iter().any(|word| tool.to_ascii_lowercase().contains(word));
    tools.iter().filter(fits).cloned().collect()
}

/// Returns the task of an agent, with the user's words about the task.
fn task(agent: &str, brief: &RequirementBrief, phrases: &Phrases) -> String {
    let said = &brief.said;
    let task = &phrases.tasks[agent];
    let details = |parts: &[&Option<String>]| {
        let mut seen = BTreeSet::new();
        let parts = parts.iter().filter_map(|part| part.as_deref()).filter(|part| seen.insert(*part));
        let parts: Vec<&str> = parts.collect();
        parts.join(&phrases.between)
    };
    let details = match agent {
        "worldview" => details(&[&brief.setting_word, &said.place, &said.era]),
        "character" => details(&[&said.hero_name, &said.hero_trade, &said.partner_trade, &said.skill]),
        "outline" => details(&[&brief.shape_word, &said.theme, &said.event, &said.want]),
        _ => String::new(),
    };
    let words = [("genre", brief.genre()), ("structure", brief.shape.structure.clone()), ("details", details.clone())];
    let words = words.into_iter().map(|(key, word)| (key.to_owned(), word)).collect();
    let slots = Slots { language: brief.language, words, ..Slots::default() };
    slots.text(if details.is_empty() { &task.plain } else { &task.detailed })
}

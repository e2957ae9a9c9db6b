//! Plans without a planner.

use qingyu_story::Language;

use crate::output::Plan;
use crate::plan::check::complete;
use crate::plan::steps::{ExecutionPlan, REVIEW_AGENT, RequirementAnalysis, Step, ToolConfiguration};

/// Returns the default plan: world, outline, characters, plot, style, review, one after the other. It makes all that
/// prose is written from.
pub fn default_plan(language: Language) -> Plan {
    let (world, style, reasoning) = match language {
        Language::Zh => (
            "世界观、规则和地点以需求为准",
            "文风指南以需求和前面定下的为准",
            "使用默认流程：世界观 → 大纲 → 角色 → 情节 → 文风 → 审核",
        ),
        Language::En => (
            "World, rules and places follow the requirement",
            "The style guide follows the requirement and what is decided so far",
            "Default course: world, outline, characters, plot, style, review",
        ),
    };
    let [outline, character, plot, review] = tasks(language);
    let tasks: [PlannedTask; 6] =
        [("worldview_agent", world, &[]), outline, character, plot, ("style_agent", style, &[]), review];
    plan(&tasks, reasoning)
}

/// Returns the plan of version 1: outline, characters, plot, review, one after the other. World and style stay empty.
pub fn fixed_plan(language: Language) -> Plan {
    let reasoning = match language {
        Language::Zh => "使用固定流程：大纲 → 角色 → 情节 → 审核",
        Language::En => "Fixed course: outline, characters, plot, review",
    };
    plan(&tasks(language), reasoning)
}

/// A step in words: agent, task and tools.
type PlannedTask = (&'static str, &'static str, &'static [&'static str]);

fn tasks(language: Language) -> [PlannedTask; 4] {
    let [outline, character, plot, review] = match language {
        Language::Zh => {
            ["主线和章节以需求为准", "以大纲里出场的人为准", "先后与因果以大纲和人物为准", "审核一致性与质量"]
        }
        Language::En => [
            "The story and its chapters follow the requirement",
            "The people are those whom the outline needs",
            "Order and causes follow the outline and the characters",
            "Review consistency and quality",
        ],
    };
    [
        ("outline_agent", outline, &["OutlineTool", "RAGTool"]),
        ("character_agent", character, &["CharacterTool", "RelationTool", "RAGTool"]),
        ("plot_agent", plot, &["TimelineTool", "RAGTool"]),
        (REVIEW_AGENT, review, &[]),
    ]
}

fn plan(tasks: &[PlannedTask], reasoning: &str) -> Plan {
    let capabilities = tasks.iter().map(|(agent, ..)| *agent).filter(|agent| *agent != REVIEW_AGENT);
    let required_capabilities = capabilities.map(|agent| agent.trim_end_matches("_agent").to_owned()).collect();
    let steps = (1..).zip(tasks.iter().copied()).map(|(step_id, (agent, task, tools))| Step {
        step_id,
        agent: agent.into(),
        task_description: task.into(),
        required_tools: tools.iter().map(|tool| (*tool).into()).collect(),
        dependencies: (1..step_id).collect(),
        estimated_tokens: 0,
    });
    let mut execution_plan = ExecutionPlan { steps: steps.collect(), ..Default::default() };
    complete(&mut execution_plan).expect("a plan of steps in a row has no circle");
    Plan {
        requirement_analysis: RequirementAnalysis { required_capabilities, ..Default::default() },
        execution_plan,
        tool_configuration: ToolConfiguration::default(),
        reasoning: vec![reasoning.into()],
    }
}

//! The default plan.

use qingyu_story::Language;

use crate::output::Plan;
use crate::plan::check::complete;
use crate::plan::steps::{ExecutionPlan, REVIEW_AGENT, RequirementAnalysis, Step, ToolConfiguration};

/// Returns the default plan: outline, characters, plot, review, one after the other, as in version 1.
pub fn default_plan(language: Language) -> Plan {
    let (outline, character, plot, review, reasoning) = match language {
        Language::Zh => (
            "主线和章节以需求为准",
            "以大纲里出场的人为准",
            "先后与因果以大纲和人物为准",
            "审核一致性与质量",
            "使用默认流程：大纲 → 角色 → 情节 → 审核",
        ),
        Language::En => (
            "The story and its chapters follow the requirement",
            "The people are those whom the outline needs",
            "Order and causes follow the outline and the characters",
            "Review consistency and quality",
            "Default course: outline, characters, plot, review",
        ),
    };
    let steps = [
        ("outline_agent", outline, &["OutlineTool", "RAGTool"][..]),
        ("character_agent", character, &["CharacterTool", "RelationTool", "RAGTool"]),
        ("plot_agent", plot, &["TimelineTool", "RAGTool"]),
        (REVIEW_AGENT, review, &[]),
    ];
    let steps = (1..).zip(steps).map(|(step_id, (agent, task, tools))| Step {
        step_id,
        agent: agent.into(),
        task_description: task.into(),
        required_tools: tools.iter().map(|tool| (*tool).into()).collect(),
        dependencies: (1..step_id).collect(),
        estimated_tokens: 0,
    });
    let mut execution_plan = ExecutionPlan { steps: steps.collect(), ..Default::default() };
    complete(&mut execution_plan).expect("the default plan has no circle");
    Plan {
        requirement_analysis: RequirementAnalysis {
            required_capabilities: ["outline", "character", "plot"].map(String::from).to_vec(),
            ..Default::default()
        },
        execution_plan,
        tool_configuration: ToolConfiguration::default(),
        reasoning: vec![reasoning.into()],
    }
}

//! The default plan.

use qingyu_story::Language;

use crate::output::Plan;
use crate::plan::check::complete;
use crate::plan::steps::{ExecutionPlan, REVIEW_AGENT, RequirementAnalysis, Step, ToolConfiguration};

/// Returns the default plan: outline, characters, plot, review, one after the other, as in version 1.
pub fn default_plan(language: Language) -> Plan {
    let (outline, character, plot, review, reasoning) = match language {
        Language::Zh => (
            "根据需求规划大纲",
            "根据大纲设计角色与角色关系",
            "根据大纲与角色安排时间线和情节",
            "审核一致性与质量",
            "使用默认流程：大纲 → 角色 → 情节 → 审核",
        ),
        Language::En => (
            "Plan the outline that the requirement asks for",
            "Design the characters and relations that the outline needs",
            "Lay out timeline and plot from outline and characters",
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

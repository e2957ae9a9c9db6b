//! Tool calls for a step of the plan: the step's `required_tools` decide which tools are called, and their answers reach
//! the specialist as passages. A tool that the plan does not name is refused by the engine.

use qingyu_graph::{Context, NodeError};
use qingyu_story::{Agent, CharacterRelation, Story, excerpt};
use qingyu_tools::{Engine, Permission, ToolCaller};
use serde::Deserialize;
use serde_json::{Value, json};

use super::scope::restore;
use super::state::{Assignment, PipelineState};
use crate::notice::RunNotice;
use crate::service::task::ToolUse;
use crate::tool_use::AgentTools;
use crate::writing::card;

/// Maximum number of passages from tools.
const PASSAGES: usize = 12;
/// Maximum characters of a passage.
const PASSAGE_LENGTH: usize = 300;
/// Number of passages requested from the search.
const HITS: usize = 6;

/// The answers of the tools of a step.
#[derive(Debug, Default)]
pub(super) struct Consultation {
    /// Texts for the prompt.
    pub(super) passages: Vec<String>,
    /// Number of calls.
    pub(super) calls: u64,
    /// Notices about failed calls.
    pub(super) notices: Vec<RunNotice>,
}

/// A call of a planned tool.
struct PlannedCall {
    tool: &'static str,
    /// The agent whose work the tool shows; `None` for the search.
    shows: Option<Agent>,
    arguments: Value,
}

/// Calls the tools that the plan names for the assigned step. A tool is skipped if everything it shows is in `visible`,
/// and if the pipeline's switches exclude it. A failed call is a notice; the work continues without it.
pub(super) async fn consult(
    engine: &Engine,
    state: &PipelineState,
    context: &Context,
    agent: Agent,
    assignment: &Assignment,
    visible: &Story,
) -> Result<Consultation, NodeError> {
    let Some(step) = assignment.step_id else { return Ok(Consultation::default()) };
    let planned = assignment.tools.iter().filter_map(|tool| planned(tool, &assignment.task));
    let planned: Vec<PlannedCall> = planned.filter(|call| is_useful(call, state, agent, visible)).collect();
    if planned.is_empty() {
        return Ok(Consultation::default());
    }
    let caller = ToolCaller {
        tools: Some(planned.iter().map(|call| call.tool.to_owned()).collect()),
        language: state.language,
        run: Some(state.run_id.clone()),
        ..ToolCaller::new(agent.name(), Permission::Read)
    };
    let project = Some(state.project_id.as_str()).filter(|project| !project.is_empty());
    let key = format!("{}/{}/{}", state.run_id, agent.name(), step);
    let hands = AgentTools { engine, caller, context, agent: agent.name(), project, key };
    let calls: Vec<(&str, Value)> = planned.into_iter().map(|call| (call.tool, call.arguments)).collect();
    let used = hands.together("consult", &calls).await?;
    let failed = used.iter().filter(|call| !call.success).map(|call| RunNotice::ToolFailed {
        agent: agent.name().into(),
        tool: call.tool_name.clone(),
        error: call.error.clone().unwrap_or_default(),
    });
    let passages = used.iter().flat_map(|call| texts(call, state)).take(PASSAGES);
    Ok(Consultation {
        passages: passages.map(|text| excerpt::beginning(&text, PASSAGE_LENGTH)).collect(),
        calls: used.len() as u64,
        notices: failed.collect(),
    })
}

/// Returns the call of a tool under its name in plans; `None` for a tool without a reading call.
fn planned(tool: &str, task: &str) -> Option<PlannedCall> {
    let (tool, shows, arguments) = match tool {
        "OutlineTool" => ("outline_tool", Some(Agent::Outline), json!({"action": "get"})),
        "CharacterTool" => ("character_tool", Some(Agent::Character), json!({"action": "list"})),
        "RelationTool" => ("relationship_tool", Some(Agent::Character), json!({"action": "get_graph"})),
        "TimelineTool" => ("timeline_tool", Some(Agent::Plot), json!({"action": "get_timeline"})),
        "SettingTool" => ("worldview_tool", Some(Agent::Worldview), json!({"action": "list"})),
        "RAGTool" if !task.trim().is_empty() => {
            ("rag_tool", None, json!({"query": task, "content_types": ["chapter"], "top_k": HITS}))
        }
        _ => return None,
    };
    Some(PlannedCall { tool, shows, arguments })
}

/// Returns whether the switches allow the call, and it can show what the agent does not see.
fn is_useful(call: &PlannedCall, state: &PipelineState, agent: Agent, visible: &Story) -> bool {
    let (config, tools) = (&state.pipeline_config, &state.tool_configuration);
    let Some(shows) = call.shows else { return config.enable_rag && tools.enable_rag };
    if !config.enable_workspace_context || shows == agent {
        return false;
    }
    let mut whole = visible.clone();
    restore(&mut whole, &state.story(), shows);
    whole != *visible
}

/// Returns the entries of a tool's answer as texts: name and description.
fn texts(call: &ToolUse, state: &PipelineState) -> Vec<String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let result = &call.result;
    if call.tool_name == "relationship_tool" {
        let relations = list(&result["edges"]);
        let relations = relations.iter().filter_map(|relation| CharacterRelation::deserialize(relation).ok());
        let story = state.story();
        return relations.map(|relation| card::tie(&relation, &story.characters, state.language)).collect();
    }
    let entries = match call.tool_name.as_str() {
        "outline_tool" => list(&result["outline_nodes"]),
        "character_tool" => list(&result["characters"]),
        "timeline_tool" => {
            let lines = list(&result["lines"]);
            let timed = lines.iter().flat_map(|line| list(&line["events"]));
            timed.chain(list(&result["not_in_story_time"])).collect()
        }
        "worldview_tool" => list(&result["entries"]),
        _ => list(&result["results"]),
    };
    let text = |entry: &Value| {
        let said = |field: &&str| Some(entry[*field].as_str()?.trim().to_owned()).filter(|text| !text.is_empty());
        let name = ["name", "title"].iter().find_map(said)?;
        let more = ["timestamp", "statement", "occupation", "goals", "description", "text"].iter().filter_map(said);
        let more = more.collect::<Vec<_>>();
        (!more.is_empty()).then(|| format!("{name}\n{}", more.join("\n")))
    };
    entries.iter().filter_map(text).collect()
}

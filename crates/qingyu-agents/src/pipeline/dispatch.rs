//! The node that starts ready agents.

use std::collections::BTreeMap;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_story::Agent;

use super::state::{Assignment, PipelineState};
use crate::call::emit;
use crate::context::WorkMode;
use crate::meta_scheduler::CorrectionMode;
use crate::plan::{ExecutionPlan, REVIEW_AGENT, adjust, ready};
use crate::progress::Progress;

/// The next assignments, with the plan in force.
#[derive(Debug, PartialEq)]
struct DispatchPlan {
    /// Assignments by agent; empty if the review is due.
    assignments: BTreeMap<String, Assignment>,
    /// Agents to correct afterwards.
    queue: Vec<Agent>,
    /// The adjusted plan with reasons; `None` if unchanged.
    adjusted: Option<(ExecutionPlan, Vec<String>)>,
}

pub(super) fn run(state: &PipelineState, context: &Context) -> Result<Command<PipelineState>, NodeError> {
    let DispatchPlan { assignments, queue, adjusted } = next(state);
    let agents = assignments.keys().cloned().collect::<Vec<_>>();
    let mut update = PipelineState::update().assignments(assignments).correction_queue(queue);
    if let Some((plan, reasons)) = adjusted {
        let shown = crate::output::Plan { execution_plan: plan.clone(), ..state.plan() };
        emit(context, &Progress::PlanAdjusted { reason: reasons.join("; "), plan: Box::new(shown) });
        update = update.execution_plan(plan).reasoning(reasons);
    }
    let targets = if agents.is_empty() { vec![REVIEW_AGENT.to_owned()] } else { agents };
    Ok(Command::update(update).goto(targets))
}

/// Returns the next assignments: corrections one after the other, steps of the plan as soon as their dependencies are
/// complete.
fn next(state: &PipelineState) -> DispatchPlan {
    if let Some((agent, queue)) = state.correction_queue.split_first() {
        let step_id = state.failed_step(agent.name());
        let mode = match state.correction_mode {
            CorrectionMode::Regenerate => WorkMode::Regenerate,
            // Missing work cannot be corrected; the step is retried as planned.
            CorrectionMode::Incremental if step_id.is_some() => WorkMode::Generate,
            CorrectionMode::Incremental => WorkMode::Correct,
        };
        let task = state.execution_plan.steps.iter().rev().find(|step| step.specialist() == Some(*agent));
        let (task, tools) =
            task.map(|step| (step.task_description.clone(), step.required_tools.clone())).unwrap_or_default();
        let assignments = BTreeMap::from([(agent.name().to_owned(), Assignment { step_id, mode, task, tools })]);
        return DispatchPlan { assignments, queue: queue.to_vec(), adjusted: None };
    }
    let done = state.done();
    let adjusted = adjust(&state.execution_plan, &state.story(), &done);
    let plan = adjusted.as_ref().map_or(&state.execution_plan, |adjusted| &adjusted.plan);
    let assignments = ready(plan, &done.ended()).into_iter().filter(|step| !step.is_review()).map(|step| {
        let assignment = Assignment {
            step_id: Some(step.step_id),
            mode: WorkMode::Generate,
            task: step.task_description,
            tools: step.required_tools,
        };
        (step.agent, assignment)
    });
    let assignments = assignments.collect();
    let adjusted = adjusted
        .map(|adjusted| (adjusted.plan, adjusted.reasons.iter().map(|reason| reason.text(state.language)).collect()));
    DispatchPlan { assignments, queue: Vec::new(), adjusted }
}

#[cfg(test)]
mod tests {
    use qingyu_story::{Language, OutlineNode};

    use super::*;
    use crate::plan::fixed_plan;

    fn working(state: &PipelineState) -> String {
        let next = next(state);
        let agents = next.assignments.iter().map(|(agent, assignment)| format!("{agent} {:?}", assignment.mode));
        agents.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn first_the_plan_then_the_review_then_the_corrections_in_order() {
        let mut state = PipelineState { execution_plan: fixed_plan(Language::Zh).execution_plan, ..Default::default() };
        assert_eq!(working(&state), "outline_agent Generate");
        state.completed_steps = vec![1];
        state.outline_nodes = vec![OutlineNode::default()];
        assert_eq!(working(&state), "character_agent Generate");
        // Step 2 failed: the plot continues without a cast.
        state.failed_steps = vec![2];
        assert_eq!(working(&state), "plot_agent Generate");
        state.completed_steps = vec![1, 3, 4];
        assert_eq!(working(&state), "");
        state.correction_queue = vec![Agent::Character, Agent::Plot];
        assert_eq!(working(&state), "character_agent Generate", "a step that failed is tried again as it was planned");
        assert_eq!(next(&state).queue, [Agent::Plot]);
        state.completed_steps.push(2);
        assert_eq!(working(&state), "character_agent Correct");
        state.correction_mode = CorrectionMode::Regenerate;
        assert_eq!(working(&state), "character_agent Regenerate");
    }
}

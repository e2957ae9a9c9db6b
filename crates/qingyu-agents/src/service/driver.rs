//! The driver: runs any agent on a task.

use qingyu_graph::Context;

use super::agent::TaskSummary;
use crate::call::emit;
use crate::progress::Progress;
use crate::service::agent::{AgentStep, ServiceAgent, TaskProgress};
use crate::service::failure::AgentHalt;
use crate::service::task::{AgentResult, Check, Metadata, Task};
use crate::service::work::AgentWork;

/// Runs `agent` on `task`: understand, plan, execute every step in turn, summarise.
pub(crate) async fn drive(
    agent: &dyn ServiceAgent,
    task: &Task,
    work: &AgentWork<'_>,
) -> Result<AgentResult, AgentHalt> {
    let understanding = agent.understand(task, work).await?;
    let mut reasoning = understanding.reasoning.clone();
    let plan = agent.plan(&understanding, task.language);
    let mut course = TaskProgress { task: task.clone(), understanding, done: Vec::new() };
    for step in plan {
        tell(work.context(), agent, task, &step);
        let done = agent.execute_step(&step, &course, work).await?;
        reasoning.extend(done.reasoning.iter().cloned());
        course.done.push((step, done));
    }
    let TaskSummary { output, data } = agent.summarise(&course);
    let checks = course.done.iter().flat_map(|(_, done)| done.checks.iter().cloned()).collect::<Vec<_>>();
    let proposal = course.done.iter().rev().find_map(|(_, done)| done.proposal.clone());
    let (tool_calls, warnings) = work.told();
    Ok(AgentResult {
        task_id: task.task_id.clone(),
        agent: agent.name().to_owned(),
        output,
        tool_calls,
        reasoning,
        confidence: Check::confidence(&checks),
        metadata: Metadata { kind: course.understanding.kind, warnings, checks, proposal, data },
    })
}

fn tell(context: &Context, agent: &dyn ServiceAgent, task: &Task, step: &AgentStep) {
    emit(
        context,
        &Progress::StepStarted {
            task: task.task_id.clone(),
            agent: agent.name().into(),
            action: step.action.clone(),
            description: step.description.clone(),
        },
    );
}

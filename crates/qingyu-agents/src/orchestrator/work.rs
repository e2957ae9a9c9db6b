//! The node that runs one part of a task.

use std::collections::BTreeMap;

use qingyu_graph::{Command, Context, NodeError};
use qingyu_llm::estimate;
use qingyu_tools::Permission;

use super::subtask::{Ended, Status, Subtask};
use crate::call::emit;
use crate::orchestrator::state::{TaskState, TaskStateUpdate, Writes};
use crate::progress::Progress;
use crate::service::failure::{AgentHalt, Failure};
use crate::service::task::{Given, Task};
use crate::service::work::{AgentWork, WorkOrder};
use crate::service::{AgentService, driver};

pub(super) async fn run(
    service: &AgentService,
    state: &TaskState,
    context: &Context,
) -> Result<Command<TaskState>, NodeError> {
    let name: String = context.payload()?;
    let part = state.subtasks.iter().find(|part| part.name == name);
    let part = part.ok_or_else(|| NodeError::fatal(format!("there is no part {name}")))?;
    let started = Progress::SubtaskStarted {
        task: name.clone(),
        agent: part.agent.clone(),
        description: part.description.clone(),
    };
    emit(context, &started);
    let (ended, update) = done(service, state, context, part).await?;
    let summary = match (&ended.result, &ended.failure) {
        (Some(result), _) => result.output.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned(),
        (None, Some(failure)) => failure.text(state.language),
        (None, None) => String::new(),
    };
    let finished =
        Progress::SubtaskFinished { task: name.clone(), agent: part.agent.clone(), status: ended.status, summary };
    emit(context, &finished);
    Ok(update.results(BTreeMap::from([(name, ended)])).into())
}

async fn done(
    service: &AgentService,
    state: &TaskState,
    context: &Context,
    part: &Subtask,
) -> Result<(Ended, TaskStateUpdate), NodeError> {
    let ended = |status, result, failure| Ended { status, agent: part.agent.clone(), result, failure };
    let Some(agent) = service.agents.find(&part.agent) else {
        let failure = Failure::UnknownAgent { agent: part.agent.clone(), known: service.agents.names() };
        return Ok((ended(Status::Failed, None, Some(failure)), TaskState::update()));
    };
    let task = task_of(state, part);
    let order = WorkOrder {
        run: &state.run_id,
        golden: &state.golden_context,
        allowance: allowance(state, part),
        pending: state.pending(),
    };
    let work = AgentWork::new(service.access(agent.as_ref()), context, &task, order);
    let driven = tokio::time::timeout(task.time(), driver::drive(agent.as_ref(), &task, &work)).await;
    let (calls, tools, warnings) = work.into_log();
    let update = TaskState::update().calls(calls).tool_calls_count(tools.len() as u64).warnings(warnings);
    Ok(match driven {
        Ok(Ok(result)) => (ended(Status::Done, Some(result), None), update),
        Ok(Err(AgentHalt::Run(error))) => return Err(error),
        Ok(Err(AgentHalt::Failed(failure))) => failed(ended(Status::Failed, None, Some(failure)), update, state, part),
        Err(_elapsed) => {
            let failure = Failure::TimedOut { seconds: task.timeout };
            failed(ended(Status::Failed, None, Some(failure)), update, state, part)
        }
    })
}

fn failed(ended: Ended, update: TaskStateUpdate, state: &TaskState, part: &Subtask) -> (Ended, TaskStateUpdate) {
    let why = ended.failure.as_ref().map(|failure| failure.text(state.language)).unwrap_or_default();
    (ended, update.errors(vec![format!("{}: {why}", part.name)]))
}

/// Returns the part as a task.
fn task_of(state: &TaskState, part: &Subtask) -> Task {
    let whole = &state.task;
    let given = &whole.context;
    let characters = if part.characters.is_empty() { &given.characters } else { &part.characters };
    Task {
        task_id: part.name.clone(),
        description: part.description.clone(),
        context: Given {
            kind: part.kind.clone().or_else(|| given.kind.clone()),
            characters: characters.clone(),
            change: part.change,
            earlier: handed_on(state, part),
            ..given.clone()
        },
        priority: part.priority,
        timeout: part.timeout.map_or(whole.timeout, |own| own.min(whole.timeout)),
        project: whole.project.clone(),
        chapter: part.chapter.clone().or_else(|| whole.chapter.clone()),
        text: whole.text.clone(),
        agent: Some(part.agent.clone()),
        agent_sequence: Vec::new(),
        language: state.language,
    }
}

/// Returns the results of the part's dependencies, each cut to its share of the budget.
fn handed_on(state: &TaskState, part: &Subtask) -> BTreeMap<String, String> {
    let known = part.depends_on.iter().filter_map(|name| Some((name, state.results.get(name)?.result.as_ref()?)));
    let known = known.collect::<Vec<_>>();
    let share = state.options.handed_on_tokens / known.len().max(1) as u64;
    known.into_iter().map(|(name, result)| (name.clone(), estimate::cut(&result.output, share))).collect()
}

/// Returns the permission of the agent's own tool calls. Where a person must be asked, proposals are the only way to
/// write.
fn allowance(state: &TaskState, part: &Subtask) -> Permission {
    match (state.options.writes, part.change) {
        (Writes::Allowed, true) => Permission::Write,
        _ => Permission::Read,
    }
}

//! The node that starts ready sub-tasks, after asking which agents are meant where the words do not decide.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use qingyu_graph::{Command, Context, NodeError};

use super::router;
use super::subtask::{AgentOption, AgentsRequest, Ended, Status, Subtask, UndecidedPart};
use crate::call::emit;
use crate::orchestrator::names::{GATHER, WORK};
use crate::orchestrator::state::{TaskState, TaskStateUpdate};
use crate::progress::Progress;
use crate::service::AgentService;
use crate::service::agents::AgentRegistry;
use crate::service::failure::Failure;

pub(super) async fn run(
    service: &AgentService,
    state: &TaskState,
    context: &Context,
) -> Result<Command<TaskState>, NodeError> {
    let request = undecided(state, &service.agents);
    if request.undecided.is_empty() {
        return Ok(start_ready(state, context, BTreeMap::new(), TaskState::update()));
    }
    let chosen = context.ask::<BTreeMap<String, String>>("agents", &request).await?;
    let subtasks = router::assign(&state.subtasks, &chosen, &service.agents);
    let left = left_undone(&request, &chosen);
    let mut decided = TaskState { subtasks: subtasks.clone(), ..state.clone() };
    decided.results.extend(left.clone());
    let why =
        |(name, ended): (&String, &Ended)| Some(format!("{name}: {}", ended.failure.as_ref()?.text(state.language)));
    let errors = left.iter().filter_map(why).collect();
    Ok(start_ready(&decided, context, left, TaskState::update().subtasks(subtasks).errors(errors)))
}

/// Returns the parts for which no agent was chosen, as failed: they are not asked about again.
fn left_undone(request: &AgentsRequest, chosen: &BTreeMap<String, String>) -> BTreeMap<String, Ended> {
    let left = request.undecided.iter().filter(|part| !chosen.contains_key(&part.task));
    let ended = left.map(|part| {
        let agents = part.agents.iter().map(|agent| agent.name.clone()).collect::<Vec<_>>();
        let skills = part.agents.iter().map(|agent| agent.does.clone()).collect();
        let agent = agents.first().cloned().unwrap_or_default();
        let failure = Some(Failure::Undecided { agents, skills });
        (part.task.clone(), Ended { status: Status::Failed, agent, result: None, failure })
    });
    ended.collect()
}

/// Returns the question about the open parts whose agents are undecided.
fn undecided(state: &TaskState, agents: &AgentRegistry) -> AgentsRequest {
    let does = |name: &str| agents.find(name).map(|agent| agent.skills().of(state.language)).unwrap_or_default();
    let option = |name: &String| AgentOption { name: name.clone(), does: does(name).to_owned() };
    let is_undecided = |part: &&Subtask| !part.candidates.is_empty() && state.status(&part.name) == Status::Open;
    let parts = state.subtasks.iter().filter(is_undecided).map(|part| UndecidedPart {
        task: part.name.clone(),
        description: part.description.clone(),
        agents: part.candidates.iter().map(option).collect(),
    });
    AgentsRequest { undecided: parts.collect() }
}

/// Starts the ready parts. `left` are the parts of `state` that have just been left undone.
fn start_ready(
    state: &TaskState,
    context: &Context,
    left: BTreeMap<String, Ended>,
    update: TaskStateUpdate,
) -> Command<TaskState> {
    let (next, skipped) = next(state);
    let ended: BTreeMap<String, Ended> = left.into_iter().chain(skipped).collect();
    for (name, ended) in &ended {
        let why = ended.failure.as_ref().map(|failure| failure.text(state.language)).unwrap_or_default();
        let told = Progress::SubtaskFinished {
            task: name.clone(),
            agent: ended.agent.clone(),
            status: ended.status,
            summary: why,
        };
        emit(context, &told);
    }
    let mut command = Command::update(update.results(ended));
    if next.is_empty() {
        return command.goto([GATHER]);
    }
    for name in next {
        command = command.send(WORK, name);
    }
    command
}

/// Returns the parts to run next, and the parts that can never run.
fn next(state: &TaskState) -> (Vec<String>, BTreeMap<String, Ended>) {
    let mut skipped: BTreeMap<String, Ended> = BTreeMap::new();
    let status = |name: &str, skipped: &BTreeMap<String, Ended>| {
        skipped.get(name).map_or_else(|| state.status(name), |ended| ended.status)
    };
    // A part with a failed dependency is skipped, and so are its own dependents.
    loop {
        let lost = state.subtasks.iter().find_map(|part| {
            let is_open = status(&part.name, &skipped) == Status::Open;
            let is_lost = |name: &&String| matches!(status(name.as_str(), &skipped), Status::Failed | Status::Skipped);
            Some((part, part.depends_on.iter().find(is_lost).filter(|_| is_open)?))
        });
        let Some((part, task)) = lost else { break };
        let failure = Some(Failure::Dependency { task: task.clone() });
        let ended = Ended { status: Status::Skipped, agent: part.agent.clone(), result: None, failure };
        skipped.insert(part.name.clone(), ended);
    }
    let is_done = |name: &String| status(name, &skipped) == Status::Done;
    let is_ready =
        |part: &&Subtask| status(&part.name, &skipped) == Status::Open && part.depends_on.iter().all(is_done);
    let mut ready = state.subtasks.iter().filter(is_ready).collect::<Vec<_>>();
    ready.sort_by_key(|part| Reverse(part.priority));
    let next = ready.into_iter().take(state.options.parallel.max(1)).map(|part| part.name.clone()).collect();
    (next, skipped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orchestrator::state::TaskOptions;

    fn state(parts: &[(&str, i32, &[&str])], ended: &[(&str, Status)]) -> TaskState {
        let part = |(name, priority, depends_on): &(&str, i32, &[&str])| Subtask {
            name: (*name).into(),
            priority: *priority,
            depends_on: depends_on.iter().map(|name| (*name).into()).collect(),
            ..Subtask::default()
        };
        let ended =
            ended.iter().map(|(name, status)| ((*name).to_owned(), Ended { status: *status, ..Ended::default() }));
        TaskState {
            subtasks: parts.iter().map(part).collect(),
            results: ended.collect(),
            options: TaskOptions { parallel: 2, ..TaskOptions::default() },
            ..TaskState::default()
        }
    }

    #[test]
    fn what_is_ready_goes_out_and_the_urgent_first() {
        let parts: &[(&str, i32, &[&str])] = &[("a", 0, &[]), ("b", 5, &[]), ("c", 1, &[]), ("d", 9, &["a"])];
        assert_eq!(next(&state(parts, &[])).0, ["b", "c"]);
        let done = [("b", Status::Done), ("c", Status::Done)];
        assert_eq!(next(&state(parts, &done)).0, ["a"]);
        assert_eq!(next(&state(parts, &[("a", Status::Done)])).0, ["d", "b"]);
    }

    #[test]
    fn a_part_that_fails_takes_with_it_what_builds_on_it_and_nothing_else() {
        let parts: &[(&str, i32, &[&str])] = &[("a", 0, &[]), ("b", 0, &["a"]), ("c", 0, &["b"]), ("d", 0, &[])];
        let (ready, skipped) = next(&state(parts, &[("a", Status::Failed)]));
        assert_eq!(ready, ["d"]);
        let names: Vec<_> = skipped.keys().collect();
        assert_eq!(names, ["b", "c"]);
        assert_eq!(skipped["c"].failure, Some(Failure::Dependency { task: "b".into() }));
    }
}

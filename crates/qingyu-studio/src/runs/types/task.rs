//! Runs performing a task: split, executed by service agents, merged.

use std::collections::{BTreeMap, BTreeSet};

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_agents::orchestrator::{SPLIT, Write};
use qingyu_agents::writing::Decision;
use qingyu_agents::{AgentsRequest, CallRecord, Task, TaskOptions, TaskState, WriteAnswer, Writes};
use qingyu_graph::{CompiledGraph, Snapshot, State};
use qingyu_production::{GoldenContext, SaidLine};
use qingyu_store::Run;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Noun};
use crate::runs::config::RunConfig;
use crate::runs::graphs::{RunEquipment, RunGraphs, task_run_graph};
use crate::runs::kind::RunKind;
use crate::runs::output::{RunMessages, RunOutput, TaskOutput};
use crate::runs::question::{RunQuestion, pending_question};
use crate::runs::requests::RunAnswer;
use crate::runs::run_type::RunType;
use crate::studio::Studio;

/// A run of the orchestrator.
pub(crate) struct TaskRun;

/// The stored input of a task run.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct TaskOrder {
    pub(crate) task: Task,
    pub(crate) options: TaskOptions,
    /// Earlier turns of the caller's session, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) said: Vec<SaidLine>,
}

/// The answer to a question of a task.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum TaskAnswer {
    /// Whether texts may be changed.
    Writes(WriteAnswer),
    /// The agents of undecided parts, by the name of the part.
    Agents(BTreeMap<String, String>),
}

impl RunType for TaskRun {
    type State = TaskState;
    type Answer = TaskAnswer;

    const KIND: RunKind = RunKind::Task;
    const CLOSED: &'static [&'static str] = &["task", "options"];

    fn looking(looking: &RunGraphs) -> &CompiledGraph<TaskState> {
        &looking.task
    }

    fn graph(equipment: RunEquipment) -> Result<CompiledGraph<TaskState>, qingyu_graph::Error> {
        task_run_graph(equipment)
    }

    fn recursion_limit(config: &RunConfig) -> u32 {
        order(config).map(|order| order.options).unwrap_or_default().supersteps()
    }

    fn input<'a>(
        studio: &'a Studio,
        run: &'a Run,
        config: &'a RunConfig,
    ) -> BoxFuture<'a, Result<<TaskState as State>::Update, Error>> {
        async move {
            let TaskOrder { task, options, said } = config.order_of(run)?;
            let project = Some(run.project.clone());
            let task = Task { task_id: run.id.clone(), project, language: config.language, ..task };
            let preferences = studio.preferences(&run.project, config).await?;
            let golden = GoldenContext { preferences, said, ..studio.golden_context(&run.project).await? };
            Ok(TaskState::input(task, options)
                .golden_context(golden)
                .user_id(studio.scope().user().into())
                .project_id(run.project.clone())
                .run_id(run.id.clone()))
        }
        .boxed()
    }

    fn calls(state: &TaskState) -> &[CallRecord] {
        &state.messages
    }

    fn made(state: TaskState) -> (RunOutput, RunMessages) {
        let made = TaskOutput {
            subtasks: state.subtasks,
            results: state.results,
            written: state.written,
            output: state.output,
            confidence: state.confidence,
        };
        let told = RunMessages { reasoning: state.reasoning, warnings: state.warnings, errors: state.errors };
        (RunOutput::Task(Box::new(made)), told)
    }

    fn retry(state: &TaskState) -> Option<(<TaskState as State>::Update, &'static str)> {
        let done = state.done_parts();
        (done.len() < state.results.len())
            .then(|| (TaskState::update().overwrite_results(done).overwrite_errors(Vec::new()), SPLIT))
    }

    fn question(snapshot: &Snapshot<TaskState>) -> Option<RunQuestion> {
        let agents = pending_question(snapshot).map(RunQuestion::Agents);
        agents.or_else(|| pending_question(snapshot).map(RunQuestion::Writes))
    }

    fn answer(_: &Run, snapshot: &Snapshot<TaskState>, answer: RunAnswer) -> Result<TaskAnswer, Error> {
        let writes = match Self::question(snapshot) {
            Some(RunQuestion::Agents(asked)) => return agents(&asked, answer).map(TaskAnswer::Agents),
            Some(RunQuestion::Writes(asked)) => asked.writes,
            _ => Vec::new(),
        };
        match answer {
            RunAnswer::Approve => Ok(TaskAnswer::Writes(WriteAnswer::Approve)),
            RunAnswer::Reject { feedback } => Ok(TaskAnswer::Writes(WriteAnswer::Reject { feedback })),
            RunAnswer::Decide { answers, .. } => Ok(TaskAnswer::Writes(chosen(&writes, &answers))),
            RunAnswer::Edit { .. } | RunAnswer::Order { .. } | RunAnswer::Direct { .. } => {
                let message = "this run proposes changes of texts: approve, reject or decide each".into();
                Err(Error::BadMaterial { path: String::new(), message })
            }
        }
    }
}

/// Returns the agent of each undecided part, by the name of the part; none after a rejection, which leaves the parts
/// undone.
///
/// Fails with [`Error::Unknown`] for an agent that is not offered for its part, and with [`Error::BadMaterial`] if a
/// part has no agent or an agent has no part.
fn agents(asked: &AgentsRequest, answer: RunAnswer) -> Result<BTreeMap<String, String>, Error> {
    let bad = |name: &str, message: String| Error::BadMaterial { path: format!("choices.{name}"), message };
    let mut choices = match answer {
        RunAnswer::Reject { .. } => return Ok(BTreeMap::new()),
        RunAnswer::Decide { choices, .. } => choices,
        RunAnswer::Approve | RunAnswer::Edit { .. } | RunAnswer::Order { .. } | RunAnswer::Direct { .. } => {
            BTreeMap::new()
        }
    };
    let mut chosen = BTreeMap::new();
    for (number, part) in (1_usize..).zip(&asked.undecided) {
        let known: Vec<String> = part.agents.iter().map(|agent| agent.name.clone()).collect();
        match choices.remove(&part.task).or_else(|| choices.remove(&number.to_string())) {
            Some(given) if !known.contains(&given) => return Err(Error::Unknown { what: Noun::Agent, given, known }),
            Some(given) => drop(chosen.insert(part.task.clone(), given)),
            None => {
                let message = format!("name an agent for \"{}\": {}", part.description, known.join(", "));
                return Err(bad(&part.task, message));
            }
        }
    }
    match choices.keys().next() {
        Some(name) => Err(bad(name, "this run does not ask about such a part".into())),
        None => Ok(chosen),
    }
}

/// Returns whether the task of a run is not allowed to write without asking.
fn reads_only(config: &RunConfig) -> bool {
    order(config).is_ok_and(|order| order.options.writes != Writes::Allowed)
}

/// Returns whether a run only reads its project, so that it may work beside others. A task that asks before it writes
/// reads until it is answered.
pub(crate) fn is_reader(config: &RunConfig) -> bool {
    config.kind == RunKind::Task && reads_only(config)
}

/// Returns the approved changes of `writes`: a part is decided by its name, and each place of its proposal by `part/1`,
/// `part/2` and so on; an undecided place follows its part.
fn chosen(writes: &[Write], answers: &BTreeMap<String, Decision>) -> WriteAnswer {
    let (mut tasks, mut places) = (Vec::new(), BTreeMap::new());
    for Write { task, proposal, .. } in writes {
        let accepts = |name: &str| answers.get(name).map(|decision| *decision == Decision::Accept);
        let whole = accepts(task).unwrap_or(false);
        let count = proposal.spans.len();
        let agreed: BTreeSet<usize> =
            (0..count).filter(|place| accepts(&format!("{task}/{}", place + 1)).unwrap_or(whole)).collect();
        if agreed.len() == count && (count > 0 || whole) {
            tasks.push(task.clone());
        } else if !agreed.is_empty() {
            places.insert(task.clone(), agreed);
        }
    }
    WriteAnswer::Choose { tasks, places }
}

fn order(config: &RunConfig) -> Result<TaskOrder, serde_json::Error> {
    TaskOrder::deserialize(&config.order)
}

#[cfg(test)]
mod tests {
    use qingyu_agents::service::{Proposal, Span};
    use serde_json::json;

    use super::*;

    fn write(task: &str, places: usize) -> Write {
        let span = Span { start: 0, end: 0, before: String::new(), after: String::new(), why: String::new() };
        let proposal = Proposal { spans: vec![span; places], ..Proposal::default() };
        Write { task: task.into(), agent: "creative".into(), proposal }
    }

    fn choose(answers: &[(&str, Decision)]) -> (Vec<String>, Vec<(String, Vec<usize>)>) {
        let answers = answers.iter().map(|(name, decision)| ((*name).to_owned(), *decision)).collect();
        let writes = [write("t1", 3), write("t2", 1), write("t3", 0)];
        let WriteAnswer::Choose { tasks, places } = chosen(&writes, &answers) else { unreachable!("parts are chosen") };
        (tasks, places.into_iter().map(|(task, places)| (task, places.into_iter().collect())).collect())
    }

    #[test]
    fn each_undecided_part_gets_an_offered_agent() {
        let part = |task: &str| {
            json!({"task": task, "description": "看看", "agents": [
            {"name": "analysis", "does": ""}, {"name": "checker", "does": ""}]})
        };
        let asked: AgentsRequest = serde_json::from_value(json!({"undecided": [part("t1"), part("t3")]})).unwrap();
        let given = |choices: &[(&str, &str)]| {
            let choices = choices.iter().map(|(part, agent)| ((*part).to_owned(), (*agent).to_owned())).collect();
            agents(&asked, RunAnswer::Decide { answers: BTreeMap::new(), choices })
        };
        let expected = given(&[("t1", "checker"), ("t3", "analysis")]).unwrap();
        assert_eq!((expected["t1"].as_str(), expected["t3"].as_str(), expected.len()), ("checker", "analysis", 2));
        let RunAnswer::Decide { choices, .. } = RunAnswer::to_agents("checker analysis") else { unreachable!("names") };
        let by_number = agents(&asked, RunAnswer::Decide { answers: BTreeMap::new(), choices });
        assert_eq!(by_number.unwrap(), expected);
        assert_eq!(agents(&asked, RunAnswer::Reject { feedback: String::new() }).unwrap(), BTreeMap::new());
        for (choices, code) in [
            (&[("t1", "checker")][..], "bad_material"),
            (&[("t1", "checker"), ("t3", "creative")], "unknown_agent"),
            (&[("t1", "checker"), ("t3", "checker"), ("t9", "checker")], "bad_material"),
        ] {
            assert_eq!(given(choices).unwrap_err().code(), code, "{choices:?}");
        }
        assert_eq!(agents(&asked, RunAnswer::Approve).unwrap_err().code(), "bad_material");
    }

    #[test]
    fn a_place_goes_with_its_part_unless_it_is_answered_itself() {
        use Decision::{Accept, Later, Reject};
        let all = |tasks: &[&str]| (tasks.iter().map(ToString::to_string).collect::<Vec<_>>(), Vec::new());
        let some = |tasks: &[&str], places: &[usize]| (all(tasks).0, vec![("t1".to_owned(), places.to_vec())]);
        assert_eq!(choose(&[("t1", Accept), ("t2", Reject), ("t3", Accept)]), all(&["t1", "t3"]));
        assert_eq!(choose(&[("t1", Accept), ("t1/2", Reject), ("t2", Accept)]), some(&["t2"], &[0, 2]));
        assert_eq!(choose(&[("t1/3", Accept)]), some(&[], &[2]));
        assert_eq!(choose(&[("t1", Reject), ("t1/1", Accept), ("t1/2", Later)]), some(&[], &[0]));
        assert_eq!(choose(&[("t1/1", Accept), ("t1/2", Accept), ("t1/3", Accept)]), all(&["t1"]));
        assert_eq!(choose(&[("t2", Accept), ("t2/1", Reject), ("t9", Accept), ("t1/9", Accept)]), all(&[]));
    }
}

//! Runs performing a task: split, executed by service agents, merged.

use std::collections::{BTreeMap, BTreeSet};

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_agents::orchestrator::{SPLIT, Write, WriteRequest as Writing};
use qingyu_agents::writing::Decision;
use qingyu_agents::{CallRecord, Task, TaskOptions, TaskState, WriteAnswer, Writes};
use qingyu_graph::{CompiledGraph, Snapshot, State};
use qingyu_production::{GoldenContext, SaidLine};
use qingyu_store::Run;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::runs::config::RunConfig;
use crate::runs::graphs::{RunEquipment, RunGraphs, task_run_graph};
use crate::runs::kind::RunKind;
use crate::runs::output::{RunMessages, RunOutput, TaskOutput};
use crate::runs::question::RunQuestion;
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
    /// What was said before in the session of the caller.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) said: Vec<SaidLine>,
}

impl RunType for TaskRun {
    type State = TaskState;
    type Answer = WriteAnswer;

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
            let TaskOrder { task, options, said } = order(config)
                .map_err(|error| Error::Internal { message: format!("the order of run {}: {error}", run.id) })?;
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
        let question = snapshot.questions.first()?;
        serde_json::from_value::<Writing>(question.payload.clone()).ok().map(RunQuestion::Writes)
    }

    fn answer(_: &Run, snapshot: &Snapshot<TaskState>, answer: RunAnswer) -> Result<WriteAnswer, Error> {
        match answer {
            RunAnswer::Approve => Ok(WriteAnswer::Approve),
            RunAnswer::Reject { feedback } => Ok(WriteAnswer::Reject { feedback }),
            RunAnswer::Decide { answers, .. } => {
                let writes = match Self::question(snapshot) {
                    Some(RunQuestion::Writes(asked)) => asked.writes,
                    _ => Vec::new(),
                };
                Ok(chosen(&writes, &answers))
            }
            RunAnswer::Edit { .. } | RunAnswer::Order { .. } | RunAnswer::Direct { .. } => {
                let message = "this run asks whether texts may be changed, not for material".into();
                Err(Error::BadMaterial { path: String::new(), message })
            }
        }
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

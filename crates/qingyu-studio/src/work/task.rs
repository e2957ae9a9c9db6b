//! Runs that do a task: taken apart, done by agents of the service, gathered.

use std::collections::{BTreeMap, BTreeSet};

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_agents::orchestrator::{SPLIT, Write, WriteRequest as Writing};
use qingyu_agents::writing::Decision;
use qingyu_agents::{CallRecord, Service, Task, TaskOptions, TaskState, WriteAnswer, task_graph};
use qingyu_graph::{CompiledGraph, Snapshot, State};
use qingyu_store::Run;
use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Table;

use super::Beginning;
use super::config::RunConfig;
use super::kind::{Equipment, Kind, RunKind};
use super::look::Looking;
use crate::command::{REQUIREMENT_LIMIT, with_model};
use crate::outcome::{Made, Question, TaskMade, Told};
use crate::studio::Studio;
use crate::{Error, HumanAnswer, RunHandle};

/// A run of the orchestrator.
pub(crate) struct TaskRun;

/// Asks for a task to be done on a project.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TaskRequest {
    /// The project, by id or unique beginning of it.
    pub project: String,
    /// What is to be done. Its project, id and language are set by the studio.
    pub task: Task,
    /// How it is to be done.
    pub options: TaskOptions,
    /// The model for every role of this run, above all settings.
    pub model: Option<String>,
    /// Settings for this run only, as in [`CreateRequest`](crate::CreateRequest).
    #[schemars(with = "std::collections::BTreeMap<String, serde_json::Value>")]
    pub overrides: Table,
}

/// What such a run is to do, as it is kept.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct Order {
    task: Task,
    options: TaskOptions,
}

impl Studio {
    /// Has the agents of the service do a task. Returns once the run is on disk and works.
    ///
    /// Fails as [`create`](Self::create) does.
    pub async fn task(&self, request: TaskRequest) -> Result<RunHandle, Error> {
        let TaskRequest { project, mut task, options, model, overrides } = request;
        let description = task.description.trim().to_owned();
        if description.is_empty() {
            return Err(Error::RequirementEmpty);
        }
        if description.len() > REQUIREMENT_LIMIT {
            return Err(Error::RequirementTooLong { bytes: description.len(), limit: REQUIREMENT_LIMIT });
        }
        let project = self.find_project(&project).await?;
        // A list that cannot be read is told before there is a run.
        self.examiner()?;
        let language = if description.is_ascii() { project.language } else { Language::of(&description) };
        task.description.clone_from(&description);
        let order = serde_json::json!(Order { task, options });
        let overrides = with_model(overrides, model.as_deref());
        self.begin_as::<TaskRun>(Beginning {
            requirement: description,
            order,
            language: Some(language),
            project: Some(project),
            title: None,
            overrides,
        })
        .await
    }
}

impl Kind for TaskRun {
    type State = TaskState;
    type Answer = WriteAnswer;

    const KIND: RunKind = RunKind::Task;

    fn looking(looking: &Looking) -> &CompiledGraph<TaskState> {
        &looking.task
    }

    fn graph(equipment: Equipment) -> Result<CompiledGraph<TaskState>, qingyu_graph::Error> {
        let Equipment { workshop, engine, yardstick, .. } = equipment;
        task_graph(Service { yardstick, ..Service::new(workshop, engine) })
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
            let Order { task, options } = order(config)
                .map_err(|error| Error::Internal { message: format!("the order of run {}: {error}", run.id) })?;
            let project = Some(run.project.clone());
            let task = Task { task_id: run.id.clone(), project, language: config.language, ..task };
            Ok(TaskState::input(task, options)
                .golden_context(studio.golden_context(&run.project).await?)
                .user_id(studio.scope().user().into())
                .project_id(run.project.clone())
                .run_id(run.id.clone()))
        }
        .boxed()
    }

    fn calls(state: &TaskState) -> &[CallRecord] {
        &state.messages
    }

    fn made(state: TaskState) -> (Made, Told) {
        let made = TaskMade {
            subtasks: state.subtasks,
            results: state.results,
            written: state.written,
            output: state.output,
            confidence: state.confidence,
        };
        let told = Told { reasoning: state.reasoning, warnings: state.warnings, errors: state.errors };
        (Made::Task(Box::new(made)), told)
    }

    fn retry(state: &TaskState) -> Option<(<TaskState as State>::Update, &'static str)> {
        let done = state.done_parts();
        (done.len() < state.results.len())
            .then(|| (TaskState::update().overwrite_results(done).overwrite_errors(Vec::new()), SPLIT))
    }

    fn question(snapshot: &Snapshot<TaskState>) -> Option<Question> {
        let question = snapshot.questions.first()?;
        serde_json::from_value::<Writing>(question.payload.clone()).ok().map(Question::Writes)
    }

    fn answer(_: &Run, snapshot: &Snapshot<TaskState>, answer: HumanAnswer) -> Result<WriteAnswer, Error> {
        match answer {
            HumanAnswer::Approve => Ok(WriteAnswer::Approve),
            HumanAnswer::Reject { feedback } => Ok(WriteAnswer::Reject { feedback }),
            HumanAnswer::Decide { answers, .. } => {
                let writes = match Self::question(snapshot) {
                    Some(Question::Writes(asked)) => asked.writes,
                    _ => Vec::new(),
                };
                Ok(chosen(&writes, &answers))
            }
            HumanAnswer::Edit { .. } | HumanAnswer::Order { .. } | HumanAnswer::Direct { .. } => {
                let message = "this run asks whether texts may be changed, not for material".into();
                Err(Error::BadMaterial { path: String::new(), message })
            }
        }
    }
}

/// What of `writes` may be written: a part is answered by its name, and each place of its proposal by `part/1`, `part/2`
/// and so on; a place that is not answered goes with its part.
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

fn order(config: &RunConfig) -> Result<Order, serde_json::Error> {
    Order::deserialize(&config.order)
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

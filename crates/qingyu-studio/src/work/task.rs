//! Runs that do a task: taken apart, done by agents of the service, gathered.

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_agents::orchestrator::WriteRequest as Writing;
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

    fn question(snapshot: &Snapshot<TaskState>) -> Option<Question> {
        let question = snapshot.questions.first()?;
        serde_json::from_value::<Writing>(question.payload.clone()).ok().map(Question::Writes)
    }

    fn answer(_: &Run, _: &Snapshot<TaskState>, answer: HumanAnswer) -> Result<WriteAnswer, Error> {
        match answer {
            HumanAnswer::Approve => Ok(WriteAnswer::Approve),
            HumanAnswer::Reject { feedback } => Ok(WriteAnswer::Reject { feedback }),
            HumanAnswer::Decide { answers, .. } => {
                let agreed = answers.into_iter().filter(|(_, decision)| *decision == Decision::Accept);
                Ok(WriteAnswer::Choose { tasks: agreed.map(|(task, _)| task).collect() })
            }
            HumanAnswer::Edit { .. } | HumanAnswer::Order { .. } => {
                let message = "this run asks whether texts may be changed, not for material".into();
                Err(Error::BadMaterial { path: String::new(), message })
            }
        }
    }
}

fn order(config: &RunConfig) -> Result<Order, serde_json::Error> {
    Order::deserialize(&config.order)
}

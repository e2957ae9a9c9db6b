//! Starting a run on a story: its material, its chapters, a task.

use qingyu_agents::writing::state::Constraints;
use qingyu_agents::{AgentRegistry, Task, TaskOptions, WritingTask};
use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Table;

use crate::chapters::names::refuse_ambiguous;
use crate::error::{Error, Noun};
use crate::runs::handle::RunHandle;
use crate::runs::outlined::Outlined;
#[cfg(feature = "bench")]
use crate::runs::requests::NoopRequest;
use crate::runs::requests::{ChapterWriteRequest, CreateRequest, REQUIREMENT_LIMIT, with_model};
use crate::runs::setup::PlannedRun;
use crate::runs::types::create::CreateRun;
#[cfg(feature = "bench")]
use crate::runs::types::noop::NoopRun;
use crate::runs::types::task::{TaskOrder, TaskRun};
use crate::runs::types::write::{Write, WriteOrder};
use crate::studio::Studio;

impl Studio {
    /// Starts a run on a new or existing project. Returns after the run is stored and working; the run is then
    /// independent.
    ///
    /// Errors of the request, the settings or the model's key are returned before anything is stored. A project has at
    /// most one active run: a second run returns [`Error::ThreadBusy`].
    pub async fn create(&self, request: CreateRequest) -> Result<RunHandle, Error> {
        let given = request.checked_outline()?;
        let project = match &request.project {
            Some(given) => Some(self.find_project(given).await?),
            None => None,
        };
        let overrides = request.overrides();
        let parameters = request.parameters()?;
        let CreateRequest { title, language, .. } = request;
        // The pieces of an existing project are changed by its agents alone.
        let Outlined { requirement, outline } = Outlined::of(given, project.is_none(), language)?;
        let language = language.or(outline.as_ref().map(|(_, language)| *language));
        let outline = outline.map(|(outline, _)| outline);
        let requirement = parameters.over(&requirement, language.unwrap_or_else(|| Language::of(&requirement)));
        let order = serde_json::Value::Null;
        self.begin_as::<CreateRun>(PlannedRun { requirement, order, project, title, language, outline, overrides })
            .await
    }

    /// Writes, corrects, rewrites or settles chapters of a project. Returns after the run is stored and working.
    ///
    /// With the offline model as the writer, a draft ends with briefs instead of prose. Returns the errors of
    /// [`create`](Self::create).
    pub async fn write(&self, request: ChapterWriteRequest) -> Result<RunHandle, Error> {
        let project = self.find_project(&request.project).await?;
        if !request.task.chapters().is_empty() {
            refuse_ambiguous(&self.kept_story(&project.id).await?.1.story, request.task.chapters())?;
        }
        let overrides = with_model(request.overrides, request.model.as_deref());
        let constraints = Constraints { words: request.words, style_sample: request.style_sample };
        let order = WriteOrder { task: request.task, constraints, brief_only: request.brief_only };
        self.begin_as::<Write>(PlannedRun {
            requirement: summary(&order.task),
            order: serde_json::json!(order),
            language: Some(project.language),
            project: Some(project),
            title: None,
            outline: None,
            overrides,
        })
        .await
    }
}

/// Returns a summary of the task in a line: `draft 1, 2, 3`.
fn summary(task: &WritingTask) -> String {
    let chapters: Vec<String> = task.chapters().iter().map(ToString::to_string).collect();
    let what = format!("{} {}", task.kind(), chapters.join(", "));
    match task {
        WritingTask::Rewrite { instruction, .. } => format!("{what}: {instruction}"),
        _ => what.trim_end().to_owned(),
    }
}

/// A request for a task on a project.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TaskRequest {
    /// The project, by ID or unique prefix.
    pub project: String,
    /// The task. The studio sets its project, ID and language.
    pub task: Task,
    /// The options.
    pub options: TaskOptions,
    /// The model for every role of this run; overrides all settings.
    pub model: Option<String>,
    /// Settings for this run only, as in [`CreateRequest`](crate::CreateRequest).
    #[schemars(with = "std::collections::BTreeMap<String, serde_json::Value>")]
    pub overrides: Table,
}

impl Studio {
    /// Performs a task with the service agents. Returns after the run is stored and working.
    ///
    /// Returns the errors of [`create`](Self::create), and [`Error::Unknown`] for a named agent that does not exist.
    pub async fn task(&self, request: TaskRequest) -> Result<RunHandle, Error> {
        let TaskRequest { project, mut task, options, model, overrides } = request;
        let description = task.description.trim().to_owned();
        if description.is_empty() {
            return Err(Error::RequirementEmpty);
        }
        if description.len() > REQUIREMENT_LIMIT {
            return Err(Error::RequirementTooLong { bytes: description.len(), limit: REQUIREMENT_LIMIT });
        }
        for given in task.agent.iter().chain(&task.agent_sequence) {
            let known = AgentRegistry::builtin();
            if known.find(given).is_none() {
                return Err(Error::Unknown { what: Noun::Agent, given: given.clone(), known: known.names() });
            }
        }
        if task.agent_sequence.len() > options.max_subtasks {
            let message = format!("at most {} agents", options.max_subtasks);
            return Err(Error::BadRequest { path: "task.agent_sequence".into(), message });
        }
        let project = self.find_project(&project).await?;
        // Reports invalid lists before creating the run.
        self.examiner()?;
        let language = if description.is_ascii() { project.language } else { Language::of(&description) };
        task.description.clone_from(&description);
        self.learn_from_words(&project.id, &description).await;
        let said = self.said_in_session(&project.id).await?;
        let order = serde_json::json!(TaskOrder { task, options, said });
        let overrides = with_model(overrides, model.as_deref());
        self.begin_as::<TaskRun>(PlannedRun {
            requirement: description,
            order,
            language: Some(language),
            project: Some(project),
            title: None,
            outline: None,
            overrides,
        })
        .await
    }

    /// Starts a no-op run. Returns the errors of [`create`](Self::create).
    #[cfg(feature = "bench")]
    pub async fn noop(&self, request: NoopRequest) -> Result<RunHandle, Error> {
        let project = match &request.project {
            Some(given) => Some(self.find_project(given).await?),
            None => None,
        };
        self.begin_as::<NoopRun>(PlannedRun {
            requirement: "noop".into(),
            order: serde_json::json!(NoopRequest { project: None, ..request }),
            project,
            title: None,
            outline: None,
            language: Some(Language::En),
            overrides: toml::Table::new(),
        })
        .await
    }
}

//! Starting a run on a story: its material, its chapters, a task.

use qingyu_agents::levels::PlanTarget;
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
            requirement: summary(&order.task, project.language),
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

/// Returns the task in a line, for lists of runs: `Write chapter 3`, `改写第 3 章：…`.
fn summary(task: &WritingTask, language: Language) -> String {
    let is_zh = language == Language::Zh;
    let names: Vec<String> = task.chapters().iter().map(ToString::to_string).collect();
    // A range, such as `1-3,7`, is a single name.
    let is_number = |name: &String| {
        let is_part = |byte: u8| byte.is_ascii_digit() || b"-, #".contains(&byte);
        name.bytes().any(|byte| byte.is_ascii_digit()) && name.bytes().all(is_part)
    };
    let are_numbers = names.iter().all(is_number);
    let is_one = names.len() == 1 && !(are_numbers && names[0].contains(['-', ',']));
    let chapters = match (is_zh, are_numbers) {
        (true, true) => format!("第 {} 章", names.join("、")),
        (true, false) => format!("《{}》", names.join("》《")),
        (false, _) => format!("{} {}", if is_one { "chapter" } else { "chapters" }, names.join(", ")),
    };
    let said = |zh: String, en: String| if is_zh { zh } else { en };
    match task {
        WritingTask::Draft { chapters } if chapters.is_empty() => {
            said("写还没有正文的各章".into(), "Write the chapters without a text".into())
        }
        WritingTask::Draft { .. } => said(format!("写{chapters}"), format!("Write {chapters}")),
        WritingTask::Correct { chapters } if chapters.is_empty() => {
            said("修正各章".into(), "Correct the chapters".into())
        }
        WritingTask::Correct { .. } => said(format!("修正{chapters}"), format!("Correct {chapters}")),
        WritingTask::Read { chapters } if chapters.is_empty() => {
            said("通读还没有读过的各章".into(), "Read the unread chapters".into())
        }
        WritingTask::Read { .. } => said(format!("通读{chapters}"), format!("Read {chapters}")),
        WritingTask::Rewrite { instruction, .. } => {
            said(format!("改写{chapters}：{instruction}"), format!("Rewrite {chapters}: {instruction}"))
        }
        WritingTask::Plan { until: PlanTarget::Next } => said("规划下一幕".into(), "Plan the next arc".into()),
        WritingTask::Plan { until: PlanTarget::Arc { number } } => {
            said(format!("规划到第 {number} 幕"), format!("Plan up to arc {number}"))
        }
        WritingTask::Plan { until: PlanTarget::Chapter { number } } => {
            said(format!("规划到第 {number} 章"), format!("Plan up to chapter {number}"))
        }
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
            if !known.contains(given) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_writing_is_summed_up_in_the_language_of_the_book() {
        let task = |task| serde_json::from_value::<WritingTask>(task).unwrap();
        let cases = [
            (serde_json::json!({"kind": "draft", "chapters": 1}), "写第 1 章", "Write chapter 1"),
            (serde_json::json!({"kind": "draft"}), "写还没有正文的各章", "Write the chapters without a text"),
            (serde_json::json!({"kind": "read", "chapters": [1, 2]}), "通读第 1、2 章", "Read chapters 1, 2"),
            (
                serde_json::json!({"kind": "rewrite", "chapter": "楔子", "instruction": "短些"}),
                "改写《楔子》：短些",
                "Rewrite chapter 楔子: 短些",
            ),
            (serde_json::json!({"kind": "plan", "until": {"by": "next"}}), "规划下一幕", "Plan the next arc"),
        ];
        for (given, zh, en) in cases {
            let task = task(given);
            assert_eq!((summary(&task, Language::Zh), summary(&task, Language::En)), (zh.into(), en.into()));
        }
    }
}

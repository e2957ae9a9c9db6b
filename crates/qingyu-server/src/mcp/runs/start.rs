//! The tool starting runs.

use qingyu_story::Language;
use qingyu_story::chapters::ChapterName;
use qingyu_studio::agents::levels::PlanTarget;
use qingyu_studio::agents::{Task, TaskOptions, Writes, WritingTask};
use qingyu_studio::{
    ChapterWriteRequest, CreateRequest, Error, ProduceRequest, RunHandle, RunStatus, Studio, TaskRequest,
};
use qingyu_tools::{Permission, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::{CancellableWaitArgs, RunToolArgs};
use super::document::failed;
use super::names::START;

/// The kind of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum StartRunKind {
    /// Create the material of a story: outline, cast, plot.
    Create,
    /// Write, correct, rewrite or read chapters of a project.
    Write,
    /// Run a task in words on a project, with the agents of the service.
    Task,
    /// Produce other content in phases, with the user.
    Produce,
}

/// The work on chapters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ChapterWorkKind {
    /// Write chapters from the outline.
    #[default]
    Draft,
    /// Fix the checker's findings in the chapters.
    Correct,
    /// Rewrite a chapter as instructed by `requirement`.
    Rewrite,
    /// Read the chapters into the story again.
    Read,
    /// Plan a long book: volumes and arcs as a whole, chapters up to the end of the next arc, or of the arc of the
    /// chapter given by its number.
    Plan,
}

/// Whether a task may change texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum TextChangePolicy {
    /// Only show changes.
    Never,
    /// Ask a person before each change.
    #[default]
    Ask,
    /// Apply the changes of the task.
    Allowed,
}

/// The language of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum WorkLanguage {
    /// Chinese.
    Zh,
    /// English.
    En,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct StartRunArgs {
    /// The kind of run.
    kind: StartRunKind,
    /// The user's words: the subject of the story, the task, the content to produce, or the instruction for rewriting a
    /// chapter.
    #[serde(default)]
    requirement: String,
    /// The project id. Required by write and task; create makes a new project by default; produce always makes a new
    /// project.
    #[serde(default)]
    project_id: Option<String>,
    /// The title of a new project.
    #[serde(default)]
    title: Option<String>,
    /// create: the genre; takes precedence over the requirement.
    #[serde(default)]
    genre: Option<String>,
    /// create: the target audience; takes precedence over the requirement.
    #[serde(default)]
    target_audience: Option<String>,
    /// create: the number of chapters, 1 to 2000; takes precedence over the requirement.
    #[serde(default)]
    #[schemars(range(min = 1, max = 2_000))]
    chapter_count: Option<u32>,
    /// The language of the work (default: detected from the requirement).
    #[serde(default)]
    language: Option<WorkLanguage>,
    /// write: the work on the chapters.
    #[serde(default)]
    writing: Option<ChapterWorkKind>,
    /// write: the chapters, by the number in their heading, title, id or position such as #4 (default: all suitable
    /// chapters). Rewriting needs exactly one chapter.
    #[serde(default, deserialize_with = "qingyu_story::chapters::one_or_several")]
    #[schemars(schema_with = "qingyu_story::chapters::one_or_several_schema")]
    chapters: Vec<ChapterName>,
    /// write: the length of a chapter, in Chinese characters or English words.
    #[serde(default)]
    words: Option<u32>,
    /// task: whether texts may be changed.
    #[serde(default)]
    changes: Option<TextChangePolicy>,
    /// task: the chapter to work on, by number, title or id.
    #[serde(default)]
    chapter: Option<String>,
    /// task: the agents that do it one after the other, such as `["analysis", "creative"]` (default: from the words).
    #[serde(default)]
    agent_sequence: Vec<String>,
    /// produce: the template with its phases and fields (default: `course`).
    #[serde(default)]
    template: Option<String>,
    /// The model for every role, such as deepseek/deepseek-flash (default: from the settings).
    #[serde(default)]
    model: Option<String>,
    #[serde(flatten)]
    #[expect(dead_code, reason = "read where the call waits")]
    waiting: CancellableWaitArgs,
}

impl StartRunArgs {
    async fn begin(self, studio: &Studio) -> Result<Result<RunHandle, Error>, ToolError> {
        let language = self.language.map(|language| match language {
            WorkLanguage::Zh => Language::Zh,
            WorkLanguage::En => Language::En,
        });
        let needed = || ToolError::invalid("/project_id", "the id of a project");
        Ok(match self.kind {
            StartRunKind::Create => {
                let Self { requirement, project_id: project, title, model, .. } = self;
                let Self { genre, target_audience, chapter_count, .. } = self;
                let request = CreateRequest {
                    requirement,
                    language,
                    project,
                    title,
                    genre,
                    target_audience,
                    chapter_count,
                    model,
                    ..Default::default()
                };
                studio.create(request).await
            }
            StartRunKind::Write => {
                let task = writing(self.writing.unwrap_or_default(), self.chapters, self.requirement)?;
                let project = self.project_id.ok_or_else(needed)?;
                let request =
                    ChapterWriteRequest { project, task, words: self.words, model: self.model, ..Default::default() };
                studio.write(request).await
            }
            StartRunKind::Task => {
                let project = self.project_id.ok_or_else(needed)?;
                let writes = match self.changes.unwrap_or_default() {
                    TextChangePolicy::Never => Writes::Never,
                    TextChangePolicy::Ask => Writes::Ask,
                    TextChangePolicy::Allowed => Writes::Allowed,
                };
                let (description, chapter, agent_sequence) = (self.requirement, self.chapter, self.agent_sequence);
                let task = Task { description, chapter, agent_sequence, ..Task::default() };
                let options = TaskOptions { writes, ..TaskOptions::default() };
                studio.task(TaskRequest { project, task, options, model: self.model, ..Default::default() }).await
            }
            StartRunKind::Produce => {
                let Self { requirement: premise, template, title, model, .. } = self;
                studio.produce(ProduceRequest { premise, template, title, language, model, ..Default::default() }).await
            }
        })
    }
}

fn writing(
    writing: ChapterWorkKind,
    chapters: Vec<ChapterName>,
    instruction: String,
) -> Result<WritingTask, ToolError> {
    Ok(match (writing, chapters.as_slice()) {
        (ChapterWorkKind::Draft, _) => WritingTask::Draft { chapters },
        (ChapterWorkKind::Plan, []) => WritingTask::Plan { until: PlanTarget::Next },
        (ChapterWorkKind::Plan, [chapter]) => {
            let number =
                chapter.as_str().parse().map_err(|_| ToolError::invalid("/chapters", "the number of a chapter"))?;
            WritingTask::Plan { until: PlanTarget::Chapter { number } }
        }
        (ChapterWorkKind::Plan, _) => return Err(ToolError::invalid("/chapters", "at most one chapter")),
        (ChapterWorkKind::Correct, _) => WritingTask::Correct { chapters },
        (ChapterWorkKind::Read, _) => WritingTask::Read { chapters },
        (ChapterWorkKind::Rewrite, [chapter]) => {
            WritingTask::Rewrite { chapter: chapter.clone(), part: Default::default(), instruction }
        }
        (ChapterWorkKind::Rewrite, _) => return Err(ToolError::invalid("/chapters", "one chapter")),
    })
}

impl RunToolArgs for StartRunArgs {
    const NAME: &'static str = START;
    const PERMISSION: Permission = Permission::Write;

    async fn carry_out(self, studio: &Studio) -> Result<Value, ToolError> {
        let run = self.begin(studio).await?.map_err(|error| failed(&error))?;
        Ok(json!({"run": run.run(), "project": run.project(), "status": RunStatus::Running}))
    }
}

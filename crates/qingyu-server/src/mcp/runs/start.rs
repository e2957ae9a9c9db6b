//! The tool that begins runs.

use qingyu_story::Language;
use qingyu_story::chapters::ChapterName;
use qingyu_studio::agents::{Task, TaskOptions, Writes, WritingTask};
use qingyu_studio::{CreateRequest, Error, ProduceRequest, RunHandle, RunStatus, Studio, TaskRequest, WriteRequest};
use qingyu_tools::{Permission, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::tools::{Order, Waiting};
use super::{START, failed};

/// What a run is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Work {
    /// The material of a story: outline, cast, plot.
    Create,
    /// Chapters of a project: written, corrected, rewritten, or read into the story.
    Write,
    /// One thing in words, done by the agents of the service on a project.
    Task,
    /// Other content, in phases, with the user.
    Produce,
}

/// What is done with chapters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Writing {
    /// They are written from the outline.
    #[default]
    Draft,
    /// What the checker finds in them is mended.
    Correct,
    /// One is written anew, as `requirement` says.
    Rewrite,
    /// What they say is read anew into the story.
    Read,
}

/// Whether a task may change texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Changes {
    /// Changes are shown only.
    Never,
    /// A person is asked before each.
    #[default]
    Ask,
    /// As the task says.
    Allowed,
}

/// The language of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Tongue {
    /// Chinese.
    Zh,
    /// English.
    En,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Start {
    /// What the run does.
    kind: Work,
    /// The user's words: what the story is about, what is to be done, what is to be produced, or how a chapter is rewritten.
    #[serde(default)]
    requirement: String,
    /// The project, by id. Needed by write and task; create makes a new project without it; produce always makes one.
    #[serde(default)]
    project_id: Option<String>,
    /// The title of a new project.
    #[serde(default)]
    title: Option<String>,
    /// The language of the work; found from the requirement without it.
    #[serde(default)]
    language: Option<Tongue>,
    /// write: what is done with the chapters.
    #[serde(default)]
    writing: Option<Writing>,
    /// write: which chapters, by the number in their heading, title, id or place (`#4`); all that the work fits without it. Rewriting needs one.
    #[serde(default)]
    chapters: Vec<ChapterName>,
    /// write: how long a chapter becomes, in Chinese characters or English words.
    #[serde(default)]
    words: Option<u32>,
    /// task: whether texts may be changed.
    #[serde(default)]
    changes: Option<Changes>,
    /// task: the chapter it is about, by number, title or id.
    #[serde(default)]
    chapter: Option<String>,
    /// produce: the template with its phases and fields; `course` without it.
    #[serde(default)]
    template: Option<String>,
    /// The model for every role, such as deepseek/deepseek-flash; what the settings say without it.
    #[serde(default)]
    model: Option<String>,
    #[serde(flatten)]
    #[expect(dead_code, reason = "read where the call waits")]
    waiting: Waiting,
}

impl Start {
    async fn begin(self, studio: &Studio) -> Result<Result<RunHandle, Error>, ToolError> {
        let language = self.language.map(|language| match language {
            Tongue::Zh => Language::Zh,
            Tongue::En => Language::En,
        });
        let needed = || ToolError::invalid("/project_id", "the id of a project");
        Ok(match self.kind {
            Work::Create => {
                let Self { requirement, project_id: project, title, model, .. } = self;
                studio
                    .create(CreateRequest { requirement, language, project, title, model, ..Default::default() })
                    .await
            }
            Work::Write => {
                let task = writing(self.writing.unwrap_or_default(), self.chapters, self.requirement)?;
                let project = self.project_id.ok_or_else(needed)?;
                let request =
                    WriteRequest { project, task, words: self.words, model: self.model, ..Default::default() };
                studio.write(request).await
            }
            Work::Task => {
                let project = self.project_id.ok_or_else(needed)?;
                let writes = match self.changes.unwrap_or_default() {
                    Changes::Never => Writes::Never,
                    Changes::Ask => Writes::Ask,
                    Changes::Allowed => Writes::Allowed,
                };
                let task = Task { description: self.requirement, chapter: self.chapter, ..Task::default() };
                let options = TaskOptions { writes, ..TaskOptions::default() };
                studio.task(TaskRequest { project, task, options, model: self.model, ..Default::default() }).await
            }
            Work::Produce => {
                let Self { requirement: premise, template, title, model, .. } = self;
                studio.produce(ProduceRequest { premise, template, title, language, model, ..Default::default() }).await
            }
        })
    }
}

fn writing(writing: Writing, chapters: Vec<ChapterName>, instruction: String) -> Result<WritingTask, ToolError> {
    Ok(match (writing, chapters.as_slice()) {
        (Writing::Draft, _) => WritingTask::Draft { chapters },
        (Writing::Correct, _) => WritingTask::Correct { chapters },
        (Writing::Read, _) => WritingTask::Read { chapters },
        (Writing::Rewrite, [chapter]) => {
            WritingTask::Rewrite { chapter: chapter.clone(), part: Default::default(), instruction }
        }
        (Writing::Rewrite, _) => return Err(ToolError::invalid("/chapters", "one chapter")),
    })
}

impl Order for Start {
    const NAME: &'static str = START;
    const PERMISSION: Permission = Permission::Write;

    async fn carry_out(self, studio: &Studio) -> Result<Value, ToolError> {
        let run = self.begin(studio).await?.map_err(|error| failed(&error))?;
        Ok(json!({"run": run.run(), "project": run.project(), "status": RunStatus::Running}))
    }
}

//! The prompts: listing, preview, and overrides by the author.
//!
//! Prompts are selected from the built-in names; a path given in a request is never opened. The author's overrides are
//! stored in the folder read by [`qingyu_agents::Prompts::with_overrides`], and only after a successful test rendering.

mod builtin;
mod filling;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use qingyu_agents::Prompts;
use qingyu_agents::context::{WorkContext, WorkMode};
use qingyu_agents::prompts::{PromptName, WorkPrompt, bare};
use qingyu_llm::estimate;
use qingyu_story::{Agent, Language, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::failures::FailureContext;
use crate::error::{Error, Noun};
use crate::prompts::builtin::BuiltIn;
use crate::settings::effective::EffectiveSettings;
use crate::storage::written::write_whole;
use crate::studio::Studio;

/// The maximum size of an override.
const MAX_BYTES: usize = 64 * 1024;

/// A prompt in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptRow {
    /// The name, such as `outline/generate.zh.md`.
    pub name: String,
    /// The agent: the folder, such as `outline`. Prompts in `shared` are parts of other prompts.
    pub agent: String,
    /// The purpose: the file, such as `generate`.
    pub part: String,
    /// The language.
    pub language: Language,
    /// Whether the author overrides the prompt.
    pub overridden: bool,
    /// The error of an invalid override; runs using the prompt fail.
    pub(crate) problem: Option<PromptProblem>,
}

/// The error of an invalid prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct PromptProblem {
    /// The line of the error, from 1, if known.
    pub(crate) line: Option<usize>,
    /// The error message.
    pub(crate) message: String,
}

/// A rendered prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptPreview {
    /// The text; `None` after an error.
    pub text: Option<String>,
    /// The estimated number of tokens.
    pub tokens: u64,
    /// The rendering error, if any.
    pub(crate) problem: Option<PromptProblem>,
}

/// A prompt with its texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptView {
    /// The prompt as in lists.
    #[serde(flatten)]
    pub row: PromptRow,
    /// The built-in text.
    pub built_in: String,
    /// The author's override, if any.
    pub text: Option<String>,
    /// The available variables.
    pub variables: Vec<String>,
    /// The current text rendered for a model.
    pub preview: PromptPreview,
}

impl BuiltIn {
    fn language(self) -> Language {
        if self.name.ends_with(".zh.md") { Language::Zh } else { Language::En }
    }

    fn row(self, own: Option<&AuthorPrompt>) -> PromptRow {
        let (agent, file) = self.name.split_once('/').unwrap_or((self.name, ""));
        PromptRow {
            name: self.name.into(),
            agent: agent.into(),
            part: file.split('.').next().unwrap_or_default().into(),
            language: self.language(),
            overridden: own.is_some(),
            problem: own.and_then(|own| own.problem.clone()),
        }
    }
}

/// An override by the author.
struct AuthorPrompt {
    text: String,
    problem: Option<PromptProblem>,
}

/// The author's overrides, and the prompts with all valid overrides applied.
struct PromptSet {
    own: BTreeMap<&'static str, AuthorPrompt>,
    prompts: Prompts,
}

impl PromptSet {
    fn read(folder: &Path) -> Self {
        let mut shelf = Self { own: BTreeMap::new(), prompts: Prompts::builtin() };
        let mut rendered_first: Vec<BuiltIn> = builtin::all().collect();
        // Applies shared prompts first, for the validation of the prompts including them.
        rendered_first.sort_by_key(|prompt| !prompt.name.starts_with("shared/"));
        for prompt in rendered_first {
            let own = match own_text(folder, prompt) {
                None => continue,
                Some(Err(problem)) => AuthorPrompt { text: String::new(), problem: Some(problem) },
                Some(Ok(text)) => match tried(&shelf.prompts, prompt, &text) {
                    Ok(prompts) => {
                        shelf.prompts = prompts;
                        AuthorPrompt { text, problem: None }
                    }
                    Err(problem) => AuthorPrompt { text, problem: Some(problem) },
                },
            };
            shelf.own.insert(prompt.name, own);
        }
        shelf
    }

    fn row(&self, prompt: BuiltIn) -> PromptRow {
        prompt.row(self.own.get(prompt.name))
    }
}

/// Reads the author's override of a prompt; returns `None` without an override, or the reading error.
fn own_text(folder: &Path, prompt: BuiltIn) -> Option<Result<String, PromptProblem>> {
    match std::fs::read_to_string(folder.join(prompt.name)) {
        Ok(text) => Some(Ok(text)),
        Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => None,
        Err(error) => Some(Err(PromptProblem { line: None, message: error.to_string() })),
    }
}

/// Returns the prompts with one override applied, after rendering the override with an example and with empty data.
fn tried(prompts: &Prompts, prompt: BuiltIn, text: &str) -> Result<Prompts, PromptProblem> {
    let with = with_text(prompts, prompt, text)?;
    for context in [filling::example(prompt.name, prompt.language()), bare(prompt.name)] {
        with.fill(prompt.name, &context).map_err(|error| problem(&error, text))?;
    }
    Ok(with)
}

/// Returns the prompts with one override applied, after parsing the template and checking its variables.
fn with_text(prompts: &Prompts, prompt: BuiltIn, text: &str) -> Result<Prompts, PromptProblem> {
    if text.len() > MAX_BYTES {
        return Err(PromptProblem { line: None, message: format!("it is longer than {MAX_BYTES} bytes") });
    }
    let texts = BTreeMap::from([(prompt.name.to_owned(), text.to_owned())]);
    prompts.with_texts(&texts).map_err(|error| problem(&error, text))
}

/// Returns the error with its line.
fn problem(error: &qingyu_agents::Error, text: &str) -> PromptProblem {
    use qingyu_agents::Error as Agents;
    match error {
        Agents::Prompt { file, source } => {
            let is_here = source.name().is_none_or(|name| name == file || name == "<string>");
            let line = source.line().filter(|_| is_here);
            let place = source.name().filter(|_| !is_here).map(|name| format!("{name}: ")).unwrap_or_default();
            let detail = source.detail().map(|detail| format!(": {detail}")).unwrap_or_default();
            let cause = std::error::Error::source(source).map(|cause| format!(" ({cause})")).unwrap_or_default();
            PromptProblem { line, message: format!("{place}{}{detail}{cause}", source.kind()) }
        }
        Agents::UnknownVariable { variable, known, .. } => {
            let line = text.lines().position(|line| names(line, variable)).map(|line| line + 1);
            let message = match known.is_empty() {
                true => format!("it is given nothing, and asks for `{variable}`"),
                false => format!("it is not given `{variable}`, only {}", known.join(", ")),
            };
            PromptProblem { line, message }
        }
        other => PromptProblem { line: None, message: other.to_string() },
    }
}

/// Returns whether a line of a template contains the variable.
fn names(line: &str, variable: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(variable).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + variable.len()..]);
        (before.contains("{{") || before.contains("{%")) && !before.ends_with(is_part) && !after.starts_with(is_part)
    })
}

fn preview(
    prompts: Result<Prompts, PromptProblem>,
    prompt: BuiltIn,
    text: &str,
    context: &Map<String, Value>,
) -> PromptPreview {
    let filled = prompts.and_then(|prompts| prompts.fill(prompt.name, context).map_err(|error| problem(&error, text)));
    match filled {
        Ok(text) => PromptPreview { tokens: estimate::tokens(&text), text: Some(text), problem: None },
        Err(problem) => PromptPreview { text: None, tokens: 0, problem: Some(problem) },
    }
}

impl Studio {
    /// Returns all prompts, sorted by name.
    pub(crate) fn prompt_rows(&self) -> Result<Vec<PromptRow>, Error> {
        let shelf = PromptSet::read(&self.prompt_folder()?);
        Ok(builtin::all().map(|prompt| shelf.row(prompt)).collect())
    }

    /// Returns a prompt with its texts, rendered with a project's data or with an example by default.
    pub(crate) async fn prompt_view(&self, name: &str, project: Option<&str>) -> Result<PromptView, Error> {
        let prompt = known(name)?;
        let context = self.filled_with(prompt, project).await?;
        let shelf = PromptSet::read(&self.prompt_folder()?);
        let text = shelf.own.get(prompt.name).map(|own| own.text.clone());
        let now = text.as_deref().unwrap_or(prompt.text);
        Ok(PromptView {
            row: shelf.row(prompt),
            built_in: prompt.text.into(),
            variables: bare(prompt.name).into_iter().map(|(name, _)| name).collect(),
            preview: preview(with_text(&shelf.prompts, prompt, now), prompt, now, &context),
            text,
        })
    }

    /// Renders a prompt with `text` as its override, without saving.
    pub async fn preview_prompt(
        &self,
        name: &str,
        text: String,
        project: Option<&str>,
    ) -> Result<PromptPreview, Error> {
        let prompt = known(name)?;
        let context = self.filled_with(prompt, project).await?;
        let folder = self.prompt_folder()?;
        // A template may loop for long.
        apart(move || {
            let prompts = with_text(&PromptSet::read(&folder).prompts, prompt, &text);
            preview(prompts, prompt, &text, &context)
        })
        .await
    }

    /// Saves `text` as the override of a prompt. Returns [`Error::BadPrompt`] if the text does not render.
    pub(crate) async fn write_prompt(&self, name: &str, text: String) -> Result<PromptRow, Error> {
        let prompt = known(name)?;
        let folder = self.prompt_folder()?;
        let path = folder.join(prompt.name);
        let written = apart(move || {
            tried(&PromptSet::read(&folder).prompts, prompt, &text).map_err(|PromptProblem { line, message }| {
                Error::BadPrompt { name: prompt.name.into(), line, message }
            })?;
            write_whole(&path, &text)
                .map_err(|error| FailureContext { database: &path, run: "" }.file(&path, &error))?;
            Ok(prompt.row(Some(&AuthorPrompt { text, problem: None })))
        });
        written.await?
    }

    /// Deletes the override of a prompt, if any.
    pub(crate) async fn delete_prompt(&self, name: &str) -> Result<PromptRow, Error> {
        let prompt = known(name)?;
        let path = self.prompt_folder()?.join(prompt.name);
        match std::fs::remove_file(&path) {
            Err(error) if !matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
                Err(FailureContext { database: &path, run: "" }.file(&path, &error))
            }
            Ok(()) | Err(_) => Ok(prompt.row(None)),
        }
    }

    /// Returns the prompt of an agent for the first version of its part of `story`, for external people and models.
    pub fn prompt(&self, agent: Agent, requirement: &str, task: &str, story: &Story) -> Result<String, Error> {
        let effective = self.settings().effective(None)?;
        let prompts = self.prompts(&effective)?;
        let language = story.language;
        let (requirement, task) = (requirement.to_owned(), task.to_owned());
        let work = WorkContext { requirement, task, language, story: story.clone(), ..WorkContext::default() };
        let system = prompts.render(PromptName::system(agent), language, &());
        let asked =
            prompts.render(PromptName::work(agent, WorkMode::Generate), language, &WorkPrompt::new(agent, &work));
        let bad = |error: qingyu_agents::Error| effective.bad("prompts.folder", error.to_string());
        Ok(format!("{}\n\n{}", system.map_err(bad)?, asked.map_err(bad)?))
    }

    /// Returns the prompts with the author's overrides.
    pub(crate) fn prompts(&self, effective: &EffectiveSettings) -> Result<Prompts, Error> {
        let folder = self.settings().prompt_folder(&effective.values);
        Prompts::with_overrides(&folder).map_err(|error| effective.bad("prompts.folder", error.to_string()))
    }

    pub(crate) fn prompt_folder(&self) -> Result<PathBuf, Error> {
        Ok(self.settings().prompt_folder(&self.settings().values(None)?))
    }

    async fn filled_with(&self, prompt: BuiltIn, project: Option<&str>) -> Result<Map<String, Value>, Error> {
        Ok(match project {
            Some(project) => filling::of_story(prompt.name, prompt.language(), &self.story_at(project, None).await?),
            None => filling::example(prompt.name, prompt.language()),
        })
    }
}

fn known(name: &str) -> Result<BuiltIn, Error> {
    builtin::find(name).ok_or_else(|| Error::unknown(Noun::Prompt, name))
}

/// Runs blocking work on a separate thread.
async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Error::Internal { message: error.to_string() })
}

#[cfg(test)]
mod tests;

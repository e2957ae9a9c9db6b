//! The prompts: looked at, filled to be looked at, and replaced by the author's own.
//!
//! A prompt is chosen from the names that are compiled in; no path of a request is ever opened. The author's texts lie in the
//! folder that [`qingyu_agents::Prompts::with_overrides`] reads, and are kept only if they can be filled.

mod builtin;
mod filling;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use qingyu_agents::Prompts;
use qingyu_agents::prompts::bare;
use qingyu_llm::estimate;
use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::failures::Place;
use crate::written::write_whole;
use crate::{Error, Studio};
use builtin::BuiltIn;

/// The largest text that is read.
const MAX_BYTES: usize = 64 * 1024;

/// A prompt in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptRow {
    /// Its name, such as `outline/generate.zh.md`.
    pub name: String,
    /// Whose it is: the folder, such as `outline`. Those in `shared` are parts of others.
    pub agent: String,
    /// What it is for: the file, such as `generate`.
    pub part: String,
    /// Its language.
    pub language: Language,
    /// Whether the author's own text is in its place.
    pub overridden: bool,
    /// Why that text cannot be used, if it cannot: runs that need it fail.
    pub problem: Option<PromptProblem>,
}

/// Why a text cannot be a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptProblem {
    /// The line that is wrong, from 1, if one is.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
}

/// A prompt as a model would read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptPreview {
    /// The prompt, filled; nothing if it cannot be.
    pub text: Option<String>,
    /// How many tokens it has, by a rule of thumb.
    pub tokens: u64,
    /// Why it cannot be filled.
    pub problem: Option<PromptProblem>,
}

/// A prompt with its texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptView {
    /// The prompt as lists show it.
    #[serde(flatten)]
    pub row: PromptRow,
    /// As it is built in.
    pub built_in: String,
    /// The author's own text, if there is one.
    pub text: Option<String>,
    /// What it may ask for.
    pub variables: Vec<String>,
    /// As a model would read it now.
    pub preview: PromptPreview,
}

impl BuiltIn {
    fn language(self) -> Language {
        if self.name.ends_with(".zh.md") { Language::Zh } else { Language::En }
    }

    fn row(self, own: Option<&Own>) -> PromptRow {
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

/// A text of the author's.
struct Own {
    text: String,
    problem: Option<PromptProblem>,
}

/// The author's texts, and the prompts with those of them that can be used.
struct Shelf {
    own: BTreeMap<&'static str, Own>,
    prompts: Prompts,
}

impl Shelf {
    fn read(folder: &Path) -> Self {
        let mut shelf = Self { own: BTreeMap::new(), prompts: Prompts::builtin() };
        let mut rendered_first: Vec<BuiltIn> = builtin::all().collect();
        // What others include is put in first, so that they are tried with it.
        rendered_first.sort_by_key(|prompt| !prompt.name.starts_with("shared/"));
        for prompt in rendered_first {
            let own = match own_text(folder, prompt) {
                None => continue,
                Some(Err(problem)) => Own { text: String::new(), problem: Some(problem) },
                Some(Ok(text)) => match tried(&shelf.prompts, prompt, &text) {
                    Ok(prompts) => {
                        shelf.prompts = prompts;
                        Own { text, problem: None }
                    }
                    Err(problem) => Own { text, problem: Some(problem) },
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

/// What the author has in the place of a prompt, or why it cannot be read.
fn own_text(folder: &Path, prompt: BuiltIn) -> Option<Result<String, PromptProblem>> {
    match std::fs::read_to_string(folder.join(prompt.name)) {
        Ok(text) => Some(Ok(text)),
        Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => None,
        Err(error) => Some(Err(PromptProblem { line: None, message: error.to_string() })),
    }
}

/// The prompts with `text` in the place of one of them, if it can be filled: with an example, and where there is nothing yet.
fn tried(prompts: &Prompts, prompt: BuiltIn, text: &str) -> Result<Prompts, PromptProblem> {
    let with = with_text(prompts, prompt, text)?;
    for context in [filling::example(prompt.name, prompt.language()), bare(prompt.name)] {
        with.fill(prompt.name, &context).map_err(|error| problem(&error, text))?;
    }
    Ok(with)
}

/// The prompts with `text` in the place of one of them, if it is a template that asks for nothing unknown.
fn with_text(prompts: &Prompts, prompt: BuiltIn, text: &str) -> Result<Prompts, PromptProblem> {
    if text.len() > MAX_BYTES {
        return Err(PromptProblem { line: None, message: format!("it is longer than {MAX_BYTES} bytes") });
    }
    let texts = BTreeMap::from([(prompt.name.to_owned(), text.to_owned())]);
    prompts.with_texts(&texts).map_err(|error| problem(&error, text))
}

/// What is wrong with a text, and in which of its lines.
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

/// Whether a line of a template names the variable.
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
    /// All prompts, by name.
    pub fn prompt_rows(&self) -> Result<Vec<PromptRow>, Error> {
        let shelf = Shelf::read(&self.prompt_folder()?);
        Ok(builtin::all().map(|prompt| shelf.row(prompt)).collect())
    }

    /// A prompt with its texts, filled with what a project has or with an example.
    pub async fn prompt_view(&self, name: &str, project: Option<&str>) -> Result<PromptView, Error> {
        let prompt = known(name)?;
        let context = self.filled_with(prompt, project).await?;
        let shelf = Shelf::read(&self.prompt_folder()?);
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

    /// How a prompt would be filled with `text` in its place.
    pub async fn preview_prompt(
        &self,
        name: &str,
        text: String,
        project: Option<&str>,
    ) -> Result<PromptPreview, Error> {
        let prompt = known(name)?;
        let context = self.filled_with(prompt, project).await?;
        let folder = self.prompt_folder()?;
        // A template may go round for long.
        apart(move || {
            let prompts = with_text(&Shelf::read(&folder).prompts, prompt, &text);
            preview(prompts, prompt, &text, &context)
        })
        .await
    }

    /// Puts `text` in the place of a prompt. Fails with [`Error::BadPrompt`] if it could not be filled.
    pub async fn write_prompt(&self, name: &str, text: String) -> Result<PromptRow, Error> {
        let prompt = known(name)?;
        let folder = self.prompt_folder()?;
        let path = folder.join(prompt.name);
        let written = apart(move || {
            tried(&Shelf::read(&folder).prompts, prompt, &text).map_err(|PromptProblem { line, message }| {
                Error::BadPrompt { name: prompt.name.into(), line, message }
            })?;
            write_whole(&path, &text).map_err(|error| Place { database: &path, run: "" }.file(&path, &error))?;
            Ok(prompt.row(Some(&Own { text, problem: None })))
        });
        written.await?
    }

    /// Takes the author's text of a prompt away. Nothing is done where there is none.
    pub async fn delete_prompt(&self, name: &str) -> Result<PromptRow, Error> {
        let prompt = known(name)?;
        let path = self.prompt_folder()?.join(prompt.name);
        match std::fs::remove_file(&path) {
            Err(error) if !matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
                Err(Place { database: &path, run: "" }.file(&path, &error))
            }
            Ok(()) | Err(_) => Ok(prompt.row(None)),
        }
    }

    fn prompt_folder(&self) -> Result<PathBuf, Error> {
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
    builtin::find(name).ok_or_else(|| Error::UnknownPrompt { given: name.into() })
}

/// Does work that keeps a thread busy.
async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Error::Internal { message: error.to_string() })
}

#[cfg(test)]
mod tests;

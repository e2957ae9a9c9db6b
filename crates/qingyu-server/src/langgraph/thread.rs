//! A thread: a project with the client's id and metadata.

use qingyu_studio::story::{Language, Story};
use qingyu_studio::{Error, Noun, ProjectRow, ProjectStatus, Right, StoryFile, Studio};
use serde_json::{Map, Value, json};

use super::error::LangGraphError;
use super::notes::{Note, Notes, own_id};

/// The metadata shown from the project.
const OF_PROJECT: [&str; 3] = ["title", "language", "premise"];

/// A thread: a project with the client's id and metadata.
#[derive(Debug, Clone)]
pub(super) struct Thread {
    /// The id as clients know it: their own, or the project id.
    pub(super) id: String,
    pub(super) project: ProjectRow,
    pub(super) note: Note,
}

impl Thread {
    /// Returns the thread with an id of the client or a project id; a project can also be named by a unique prefix.
    ///
    /// Fails with 404 if the caller does not see the project, or if it is in the bin.
    pub(super) async fn find(studio: &Studio, given: &str) -> Result<Self, LangGraphError> {
        let notes = Notes::of(studio);
        let own = own_id(given);
        let named = match &own {
            Some(own) => notes.project_of(own).await?,
            None => None,
        };
        let unknown =
            || LangGraphError::missing(format!("there is no thread {}", given.chars().take(80).collect::<String>()));
        let project = match (studio.project(named.as_deref().unwrap_or(given)).await, &named) {
            (Ok(project), _) if project.status == ProjectStatus::Binned => return Err(unknown()),
            (Ok(project), _) => project,
            (Err(Error::Unknown { what: Noun::Project, .. }), Some(_)) => return Err(unknown()),
            (Err(error), _) => return Err(error.into()),
        };
        let note = notes.get(&project.project).await?;
        Ok(Self::new(project, note, own.filter(|_| named.is_some())))
    }

    /// Returns the thread of a project; `own` is the id it was found by, if it is the client's own.
    pub(super) fn new(project: ProjectRow, note: Note, own: Option<String>) -> Self {
        let id = note.thread.clone().or(own).unwrap_or_else(|| project.project.clone());
        Self { id, project, note }
    }

    /// Creates a thread with an empty project. Its language is that of `words`, if there are any, else of its title.
    ///
    /// Fails with 409 if there is a thread with the client's id `own`.
    pub(super) async fn create(studio: &Studio, new: NewThread<'_>) -> Result<Self, LangGraphError> {
        let notes = Notes::of(studio);
        let _guard = Notes::lock().await;
        if let Some(own) = &new.own {
            match Self::find(studio, own).await {
                Ok(_) => return Err(Self::exists(own)),
                // The id of a project that was deleted elsewhere is free again.
                Err(failure) if failure.is_missing() => {}
                Err(failure) => return Err(failure),
            }
        }
        let NewThread { own, title, mut metadata, words } = new;
        let language = match metadata.remove("language") {
            Some(Value::String(code)) => language_of(&code)?,
            Some(value) if !value.is_null() => {
                return Err(LangGraphError::invalid("metadata.language", "it is no text"));
            }
            _ => words.or(title.as_deref()).map_or_else(Language::default, Language::of),
        };
        let story = Story { language, ..Story::default() };
        let project = imported(studio, story, title).await?;
        let note = Note { project: project.project.clone(), thread: own, metadata, runs: Vec::new() };
        if note.thread.is_some() || !note.metadata.is_empty() {
            notes.put(&note).await?;
        }
        Ok(Self::new(project, note, None))
    }

    /// Returns the error for an id that is taken.
    pub(super) fn exists(id: &str) -> LangGraphError {
        LangGraphError::conflict(format!("the thread {id} exists: pass if_exists=\"do_nothing\" to get it"))
    }

    /// Creates a thread with a copy of this thread's story and metadata, without its runs.
    pub(super) async fn copy(&self, studio: &Studio) -> Result<Self, LangGraphError> {
        let story = studio.story_at(&self.project.project, None).await?;
        let project = imported(studio, story, Some(self.project.title.clone())).await?;
        let metadata = self.note.metadata.clone();
        let note = Note { project: project.project.clone(), metadata, ..Note::default() };
        if !note.metadata.is_empty() {
            let _guard = Notes::lock().await;
            Notes::of(studio).put(&note).await?;
        }
        Ok(Self::new(project, note, None))
    }

    /// Changes the metadata: adds and replaces fields. The title is that of the project.
    pub(super) async fn update(
        &mut self,
        studio: &Studio,
        mut changes: Map<String, Value>,
    ) -> Result<(), LangGraphError> {
        if let Some(title) = taken_title(&mut changes)? {
            self.project = studio.update_project(&self.project.project, Some(&title), None).await?;
        }
        for shown in OF_PROJECT {
            let Some(given) = changes.remove(shown) else { continue };
            if given != self.metadata()[shown] {
                let advice = "it is the project's own: change it at /api/v1";
                return Err(LangGraphError::unsupported(&format!("metadata.{shown}"), advice));
            }
        }
        if !changes.is_empty() {
            let notes = Notes::of(studio);
            self.note = notes.change(&self.project.project, |note| note.metadata.extend(changes)).await?;
        }
        Ok(())
    }

    /// Moves the project to the bin and frees the client's id.
    pub(super) async fn delete(&self, studio: &Studio) -> Result<(), LangGraphError> {
        studio.scope().demand(Right::Write)?;
        studio.update_project(&self.project.project, None, Some(ProjectStatus::Binned)).await?;
        let note = Note { thread: Some(self.id.clone()), ..self.note.clone() };
        Ok(Notes::of(studio).remove(&note).await?)
    }

    /// Returns the metadata, with those of the project.
    pub(super) fn metadata(&self) -> Value {
        let mut metadata = self.note.metadata.clone();
        let ProjectRow { title, premise, language, .. } = &self.project;
        metadata.extend(OF_PROJECT.map(str::to_owned).into_iter().zip([json!(title), json!(language), json!(premise)]));
        metadata.into()
    }

    /// Returns whether an id names this thread.
    pub(super) fn is_named(&self, given: &str) -> bool {
        let own = own_id(given);
        given == self.project.project || own.as_deref().unwrap_or(given) == self.id
    }
}

/// A thread to be created.
#[derive(Debug, Default)]
pub(super) struct NewThread<'w> {
    /// The id chosen by the client.
    pub(super) own: Option<String>,
    pub(super) title: Option<String>,
    pub(super) metadata: Map<String, Value>,
    /// The words of the first run, if known.
    pub(super) words: Option<&'w str>,
}

/// Removes the title from metadata.
pub(super) fn taken_title(metadata: &mut Map<String, Value>) -> Result<Option<String>, LangGraphError> {
    match metadata.remove("title") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(title)) => Ok(Some(title)),
        Some(_) => Err(LangGraphError::invalid("metadata.title", "it is no text")),
    }
}

/// Returns the id chosen by a client in its usual form.
pub(super) fn checked_id(given: &str) -> Result<String, LangGraphError> {
    own_id(given).ok_or_else(|| LangGraphError::invalid("thread_id", "it must be a UUID, or left out"))
}

async fn imported(studio: &Studio, story: Story, title: Option<String>) -> Result<ProjectRow, LangGraphError> {
    studio.scope().demand(Right::Write)?;
    if !studio.scope().sees_all() {
        return Err(Error::Forbidden { needed: "all_projects".into() }.into());
    }
    let file = StoryFile { story, unknown: Vec::new() };
    Ok(studio.import(file, title).await?.project)
}

fn language_of(code: &str) -> Result<Language, LangGraphError> {
    let known = [Language::Zh, Language::En].into_iter().find(|language| language.code() == code);
    known.ok_or_else(|| LangGraphError::invalid("metadata.language", "it is neither `zh` nor `en`"))
}

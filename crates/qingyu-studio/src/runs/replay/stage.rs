//! The stage of a replay: a temporary folder, or the user's data folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use qingyu_store::Project;
use qingyu_story::Story;
use toml::{Table, Value};

use crate::error::Error;
use crate::models::embedder::LEXICAL;
use crate::runs::cassettes::CassetteHeader;
use crate::runs::setup::PlannedRun;
use crate::settings::layers::Settings;
use crate::storage::data_folder;
use crate::studio::Studio;

/// The age of a leftover scratch folder before deletion.
const FORGOTTEN: Duration = Duration::from_secs(86_400);

pub(crate) struct ReplayStage {
    home: PathBuf,
    is_scratch: bool,
    /// The user's storage settings, overriding the recorded settings.
    storage: Option<Value>,
    /// The created projects, by recorded ID, and the most recent.
    projects: Mutex<(BTreeMap<String, String>, Option<String>)>,
}

impl ReplayStage {
    /// Returns a stage in the user's data folder.
    pub(crate) fn of(studio: &Studio) -> Result<Self, Error> {
        let storage = Value::try_from(studio.settings().values(None)?.storage);
        let storage = storage.map_err(|error| Error::Internal { message: error.to_string() })?;
        let home = studio.settings().home().to_path_buf();
        Ok(Self { home, is_scratch: false, storage: Some(storage), projects: Mutex::default() })
    }

    /// Returns whether the folder is temporary.
    pub(crate) fn is_scratch(&self) -> bool {
        self.is_scratch
    }

    /// Returns a stage in a temporary folder, deleted on drop.
    pub(crate) fn scratch(studio: &Studio) -> Result<Self, Error> {
        let all = studio.settings().home().join("scratch");
        sweep(&all);
        let home = all.join(uuid::Uuid::new_v4().simple().to_string());
        data_folder::prepare(&home)?;
        Ok(Self { home, is_scratch: true, storage: None, projects: Mutex::default() })
    }

    /// Returns the recorded settings, and the name of a recorded remote embedder replaced by the lexical embedder.
    pub(crate) fn settings(&self, recipe: &CassetteHeader) -> Result<(Settings, Option<String>), Error> {
        let mut table = recipe.settings.clone();
        // Nobody of the recorded project is asked again.
        table.remove("approval");
        let mut replaced = None;
        let embeddings = table.entry("embeddings").or_insert_with(|| Value::Table(Table::new()));
        if let Some(embeddings) = embeddings.as_table_mut() {
            let embedder = embeddings.get("embedder").and_then(Value::as_str).unwrap_or(LEXICAL);
            if embedder != LEXICAL && !embedder.starts_with("local:") {
                replaced = Some(embedder.to_owned());
                embeddings.insert("embedder".into(), LEXICAL.into());
            }
        }
        if self.is_scratch {
            let set = |table: &mut Table, section: &str, key: &str, value: Value| {
                let section = table.entry(section).or_insert_with(|| Value::Table(Table::new()));
                section.as_table_mut().map(|section| section.insert(key.into(), value));
            };
            set(&mut table, "cassettes", "record", false.into());
            set(&mut table, "storage", "durability", "relaxed".into());
        }
        if let Some(storage) = &self.storage {
            table.insert("storage".into(), storage.clone());
        }
        Ok((Settings::alone(self.home.clone(), table)?, replaced))
    }

    /// Returns the start of the run: in the project created for the recorded project, if any, with the recorded story.
    pub(crate) async fn beginning(
        &self,
        studio: &Studio,
        recipe: &CassetteHeader,
        recorded_project: &str,
    ) -> Result<PlannedRun, Error> {
        let here = self.projects().0.get(recorded_project).cloned();
        let project = match (here, &recipe.story) {
            (Some(id), story) => Some(catch_up(studio, &id, story.as_ref()).await?),
            (None, Some(story)) => {
                let project = studio.bring_in(story, &recipe.title).await?;
                self.made(recorded_project, &project.id);
                Some(project)
            }
            (None, None) => None,
        };
        Ok(PlannedRun {
            requirement: recipe.requirement.clone(),
            order: recipe.order.clone(),
            project,
            title: Some(recipe.title.clone()),
            language: Some(recipe.language),
            outline: None,
            overrides: Table::new(),
        })
    }

    /// Registers the project created for a recorded project.
    pub(crate) fn made(&self, recorded: &str, project: &str) {
        let mut projects = self.projects();
        projects.0.insert(recorded.to_owned(), project.to_owned());
        projects.1 = Some(project.to_owned());
    }

    /// Returns the most recently created project.
    pub(crate) fn project(&self) -> Option<String> {
        self.projects().1.clone()
    }

    fn projects(&self) -> std::sync::MutexGuard<'_, (BTreeMap<String, String>, Option<String>)> {
        self.projects.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ReplayStage {
    fn drop(&mut self) {
        if self.is_scratch
            && let Err(error) = std::fs::remove_dir_all(&self.home)
        {
            tracing::warn!(folder = %self.home.display(), %error, "failed to remove the temporary folder");
        }
    }
}

/// Updates a project to the recorded start of the next run: the project may have been edited between two recorded runs.
async fn catch_up(studio: &Studio, id: &str, story: Option<&Story>) -> Result<Project, Error> {
    let bad = |error| studio.place("").store(error);
    if let Some(story) = story {
        let kept = studio.stories_table().load(id).await.map_err(bad)?;
        studio.put(id, "replay", &kept, story).await?;
        studio.projects_table().note_ids(id, &story.last_ids).await.map_err(bad)?;
    }
    studio.projects_table().get(id).await.map_err(bad)
}

/// Deletes the folders of killed replays.
fn sweep(all: &Path) {
    let Ok(entries) = std::fs::read_dir(all) else { return };
    let is_forgotten = |path: &Path| {
        let modified = path.metadata().and_then(|data| data.modified()).ok();
        modified.and_then(|at| SystemTime::now().duration_since(at).ok()).is_some_and(|age| age > FORGOTTEN)
    };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| is_forgotten(path)) {
        // A concurrent replay may have deleted the folder already.
        let _ = std::fs::remove_dir_all(path);
    }
}

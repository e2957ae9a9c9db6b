//! Recordings of runs: a cassette per run, in the data folder.
//!
//! A cassette says how its run began, what was asked and answered, and what came of it, so that the run can be played again
//! without network, here or elsewhere. It holds no settings of providers and so no keys.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use qingyu_llm::cassette::{Header, Mark, Recorder};
use qingyu_llm::stack::Recorded;
use qingyu_llm::{ChatModel, Models, Prices};
use qingyu_store::Run;
use qingyu_story::{Language, Story};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

use crate::settings::values;
use crate::work::{Kind, RunConfig, RunKind, Setup, Start};
use crate::{Error, Outcome, RunStatus, Studio};

/// The answer of a person, in a cassette.
pub(crate) const ANSWER: &str = "answer";
/// That a run went on after it had stopped.
const RESUMED: &str = "resumed";
/// How a run ended, or that it waits.
pub(crate) const END: &str = "end";

/// What is needed to run a run again.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Recipe {
    /// What kind of run.
    pub(crate) kind: RunKind,
    /// The user's words.
    pub(crate) requirement: String,
    /// What the run was to do, as its kind says.
    pub(crate) order: Value,
    /// The language of the work.
    pub(crate) language: Language,
    /// The project's title.
    pub(crate) title: String,
    /// What decides how it goes.
    pub(crate) settings: toml::Table,
    /// What the author preferred.
    pub(crate) preferences: Vec<String>,
    /// The prompts that were not those of the release.
    pub(crate) prompts: BTreeMap<String, String>,
    /// The model of most roles.
    pub(crate) model: String,
    /// The models of others, by the beginnings of their purposes.
    pub(crate) routes: BTreeMap<String, String>,
    /// What calls cost.
    pub(crate) prices: Prices,
    /// What was there when it began, if anything was.
    pub(crate) story: Option<Story>,
}

/// What came of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct End {
    /// How it stands.
    pub(crate) status: RunStatus,
    /// A hash of the story.
    pub(crate) story: String,
    /// The project's version.
    pub(crate) version: u64,
    /// The run's document, without what differs each time.
    pub(crate) document: Value,
}

/// The models, recorded if there is a recorder.
pub(crate) fn recorded(models: &Models, recorder: Option<&Arc<Recorder>>) -> Models {
    match recorder {
        Some(recorder) => models.wrapped(|model| -> Arc<dyn ChatModel> {
            Arc::new(Recorded::new(Arc::clone(model), Arc::clone(recorder)))
        }),
        None => models.clone(),
    }
}

/// A hash of a story, the same for equal stories.
pub(crate) fn fingerprint(story: &Story) -> String {
    let text = serde_json::to_string(story).expect("a story is plain data");
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The document of a run without what differs each time it is run: its ids.
pub(crate) fn comparable(outcome: &Outcome) -> Value {
    let mut document = outcome.document();
    if let Some(fields) = document.as_object_mut() {
        fields.retain(|name, _| !matches!(name.as_str(), "project" | "run" | "resume"));
    }
    document
}

impl Studio {
    /// The cassette of a run; it may not be there.
    pub fn cassette(&self, run: &str) -> PathBuf {
        file(self.settings().home(), run)
    }

    fn cassettes(&self) -> PathBuf {
        folder(self.settings().home())
    }

    /// What records the run that is about to begin or to go on, if runs are recorded.
    pub(crate) async fn recorder<K: Kind>(
        &self,
        run: &Run,
        config: &RunConfig,
        setup: &Setup,
        start: &Start<K::Answer>,
    ) -> Result<Option<Arc<Recorder>>, Error> {
        let Some(settings) = &setup.recorded_settings else { return Ok(None) };
        let path = self.cassette(&run.id);
        if path.exists() {
            return Ok(Some(Arc::new(marked::<K>(Recorder::go_on(path), start))));
        }
        if self.live().is_time_to_prune() {
            prune(&self.cassettes(), setup.kept, SystemTime::now());
        }
        let recipe = self.recipe(run, config, setup, settings.clone(), K::KIND).await?;
        let header = Header {
            run: run.id.clone(),
            project: run.project.clone(),
            kind: K::KIND.name().into(),
            // It began when nothing was recorded, or its recording is gone.
            partial: !matches!(start, Start::Input),
            prompts: setup.prompts.hashes(config.language),
            request: serde_json::to_value(recipe).expect("a recipe is plain data"),
        };
        match Recorder::begin(path, header) {
            Ok(recorder) => Ok(Some(Arc::new(marked::<K>(recorder, start)))),
            Err(error) => {
                tracing::error!(run = %run.id, %error, "the run is not recorded");
                Ok(None)
            }
        }
    }

    async fn recipe(
        &self,
        run: &Run,
        config: &RunConfig,
        setup: &Setup,
        settings: toml::Table,
        kind: RunKind,
    ) -> Result<Recipe, Error> {
        let bad = |error| self.place(&run.id).store(error);
        let project = self.projects_table().get(&run.project).await.map_err(bad)?;
        let story = self.stories_table().load(&run.project).await.map_err(bad)?.story;
        let is_bare = story.pieces().next().is_none() && story.production.is_none() && story.fields.is_empty();
        let is_new = is_bare && story.last_ids.is_empty() && story.premise == run.requirement;
        let preferences = match config.pipeline.preferences {
            true => self.preferences(&run.project, config.language).await?,
            false => Vec::new(),
        };
        Ok(Recipe {
            kind,
            requirement: run.requirement.clone(),
            order: config.order.clone(),
            language: config.language,
            title: project.title,
            settings,
            preferences,
            prompts: setup.prompts.overridden(),
            model: setup.models.default_model().name().into(),
            routes: setup.models.routes().map(|(route, model)| (route.to_owned(), model.name().to_owned())).collect(),
            prices: (*setup.pricing.0).clone(),
            story: (!is_new).then_some(story),
        })
    }

    /// Writes down what came of a run. What cannot be written is lost to the recording, not to the run.
    pub(crate) async fn record_end(&self, recorder: &Recorder, outcome: &Outcome) {
        let kept = match self.stories_table().load(&outcome.project).await {
            Ok(kept) => kept,
            Err(error) => return tracing::error!(%error, "the end of the run was not recorded"),
        };
        let document = comparable(outcome);
        let end = End { status: outcome.status, story: fingerprint(&kept.story), version: kept.version, document };
        if let Err(error) = recorder.mark(Mark { kind: END.into(), body: json!(end) }) {
            tracing::error!(%error, "the end of the run was not recorded");
        }
    }
}

/// The folder of the cassettes of a data folder.
fn folder(home: &Path) -> PathBuf {
    home.join("cassettes")
}

/// The cassette of a run in a data folder.
pub(crate) fn file(home: &Path, run: &str) -> PathBuf {
    folder(home).join(format!("{run}.jsonl"))
}

/// With what happened before the run goes on.
fn marked<K: Kind>(recorder: Recorder, start: &Start<K::Answer>) -> Recorder {
    match start {
        Start::Input => recorder,
        Start::Resume => recorder.after(Mark { kind: RESUMED.into(), body: Value::Null }),
        Start::Answer { given, .. } => recorder.after(Mark { kind: ANSWER.into(), body: json!(given) }),
    }
}

/// Removes cassettes that are too old, then the oldest until the rest is small enough.
fn prune(folder: &Path, kept: values::Cassettes, now: SystemTime) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let file = |entry: std::fs::DirEntry| {
        let path = entry.path();
        let data = entry.metadata().ok().filter(|_| path.extension().is_some_and(|extension| extension == "jsonl"))?;
        Some((data.modified().ok()?, data.len(), path))
    };
    let mut files: Vec<_> = entries.filter_map(|entry| file(entry.ok()?)).collect();
    // The youngest first.
    files.sort_by(|(a, ..), (b, ..)| b.cmp(a));
    let oldest = kept.keep_days.and_then(|days| now.checked_sub(Duration::from_secs(u64::from(days) * 86_400)));
    let most = kept.keep_megabytes.map_or(u64::MAX, |megabytes| megabytes.saturating_mul(1_000_000));
    let mut size = 0u64;
    for (modified, length, path) in files {
        size = size.saturating_add(length);
        if (oldest.is_some_and(|oldest| modified < oldest) || size > most)
            && let Err(error) = std::fs::remove_file(&path)
        {
            tracing::warn!(path = %path.display(), %error, "an old recording could not be removed");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_recordings_go_first() {
        let folder = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        for (name, days, megabytes) in [("a", 1, 1), ("b", 5, 1), ("c", 20, 1), ("d", 100, 1), ("note.txt", 100, 9)] {
            let name = if name.contains('.') { name.to_owned() } else { format!("{name}.jsonl") };
            let file = std::fs::File::create(folder.path().join(name)).unwrap();
            file.set_len(megabytes * 1_000_000).unwrap();
            file.set_modified(now - Duration::from_secs(days * 86_400)).unwrap();
        }
        let left = |days, megabytes| {
            prune(folder.path(), values::Cassettes { record: true, keep_days: days, keep_megabytes: megabytes }, now);
            let mut names: Vec<_> = std::fs::read_dir(folder.path())
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names.join(" ")
        };
        assert_eq!(left(None, None), "a.jsonl b.jsonl c.jsonl d.jsonl note.txt");
        assert_eq!(left(Some(50), None), "a.jsonl b.jsonl c.jsonl note.txt");
        assert_eq!(left(Some(50), Some(2)), "a.jsonl b.jsonl note.txt");
        assert_eq!(left(None, Some(0)), "note.txt");
    }
}

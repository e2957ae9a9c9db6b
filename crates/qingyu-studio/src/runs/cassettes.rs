//! Recordings of runs: a cassette per run, in the data folder.
//!
//! A cassette records the start of its run, all requests and answers, and the result, enough for a replay without
//! network on any machine. A cassette contains no provider settings and therefore no keys.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use qingyu_llm::cassette::{CassetteMark, Recorder, SessionHeader};
use qingyu_llm::stack::Recorded;
use qingyu_llm::{ChatModel, ModelRoutes, Prices};
use qingyu_store::Run;
use qingyu_story::digest::sha256;
use qingyu_story::{EarlierBooks, Language, Story};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::error::Error;
use crate::runs::config::RunConfig;
use crate::runs::kind::RunKind;
use crate::runs::outcome::Outcome;
use crate::runs::run_type::RunType;
use crate::runs::setup::{RunSetup, RunStart};
use crate::runs::status::RunStatus;
use crate::storage::cassette_files::{folder, prune};
use crate::studio::Studio;

/// The mark of a person's answer in a cassette.
pub(crate) const ANSWER: &str = "answer";
/// The mark of a resumed run.
const RESUMED: &str = "resumed";
/// The mark of the end of a run, or of a wait for an answer.
pub(crate) const END: &str = "end";

/// The header of a cassette: everything needed to start the run again.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct CassetteHeader {
    /// The kind of the run.
    pub(crate) kind: RunKind,
    /// The user's requirement.
    pub(crate) requirement: String,
    /// The input of the run, in the format of its kind.
    pub(crate) order: Value,
    /// The language of the work.
    pub(crate) language: Language,
    /// The project's title.
    pub(crate) title: String,
    /// The settings affecting the run.
    pub(crate) settings: toml::Table,
    /// The author's preferences.
    pub(crate) preferences: Vec<String>,
    /// The ends of the books before the project.
    #[serde(skip_serializing_if = "EarlierBooks::is_empty")]
    pub(crate) earlier: EarlierBooks,
    /// The prompts overriding the prompts of the release.
    pub(crate) prompts: BTreeMap<String, String>,
    /// The default model.
    pub(crate) model: String,
    /// Models overriding the default, by prefix of the purpose.
    pub(crate) routes: BTreeMap<String, String>,
    /// The prices of calls.
    pub(crate) prices: Prices,
    /// The story at the start of the run, if any.
    pub(crate) story: Option<Story>,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CassetteEnd {
    /// The status.
    pub(crate) status: RunStatus,
    /// The hash of the story.
    pub(crate) story: String,
    /// The version of the project.
    pub(crate) version: u64,
    /// The run's document, without fields differing between replays.
    pub(crate) document: Value,
}

/// Returns the models, wrapped in the recorder if present.
pub(crate) fn recorded(models: &ModelRoutes, recorder: Option<&Arc<Recorder>>) -> ModelRoutes {
    match recorder {
        Some(recorder) => models.wrapped(|model| -> Arc<dyn ChatModel> {
            Arc::new(Recorded::new(Arc::clone(model), Arc::clone(recorder)))
        }),
        None => models.clone(),
    }
}

/// Returns a hash of a story; equal stories have equal hashes.
pub(crate) fn fingerprint(story: &Story) -> String {
    let text = serde_json::to_string(story).expect("a story is plain data");
    sha256(text.as_bytes())
}

/// Returns the document of a run without fields differing between replays, such as IDs.
pub(crate) fn comparable(outcome: &Outcome) -> Value {
    let mut document = outcome.document();
    if let Some(fields) = document.as_object_mut() {
        fields.retain(|name, _| !matches!(name.as_str(), "project" | "run" | "resume"));
    }
    document
}

impl Studio {
    fn cassettes(&self) -> PathBuf {
        folder(self.settings().home())
    }

    /// Returns the recorder of a run about to start or resume, if recording is enabled.
    pub(crate) async fn recorder<K: RunType>(
        &self,
        run: &Run,
        config: &RunConfig,
        setup: &RunSetup,
        start: &RunStart<K::Answer>,
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
        let header = SessionHeader {
            run: run.id.clone(),
            project: run.project.clone(),
            kind: K::KIND.name().into(),
            // The run started without a recorder, or its recording was deleted.
            partial: !matches!(start, RunStart::Input),
            prompts: setup.prompts.hashes(config.language),
            request: serde_json::to_value(recipe).expect("a recipe is plain data"),
        };
        match Recorder::begin(path, header) {
            Ok(recorder) => Ok(Some(Arc::new(marked::<K>(recorder, start)))),
            Err(error) => {
                tracing::error!(run = %run.id, %error, "failed to start a recording of the run");
                Ok(None)
            }
        }
    }

    async fn recipe(
        &self,
        run: &Run,
        config: &RunConfig,
        setup: &RunSetup,
        settings: toml::Table,
        kind: RunKind,
    ) -> Result<CassetteHeader, Error> {
        let bad = |error| self.place(&run.id).store(error);
        let project = self.projects_table().get(&run.project).await.map_err(bad)?;
        let story = self.stories_table().load(&run.project).await.map_err(bad)?.story;
        let is_bare = !story.has_pieces() && story.production.is_none() && story.fields.is_empty();
        let is_new = is_bare && story.last_ids.is_empty() && story.premise == run.requirement;
        let preferences = self.preferences(&run.project, config).await?;
        Ok(CassetteHeader {
            kind,
            requirement: run.requirement.clone(),
            order: config.order.clone(),
            language: config.language,
            title: project.title,
            settings,
            preferences,
            earlier: config.earlier.clone(),
            prompts: setup.prompts.overridden(),
            model: setup.models.default_model().name().into(),
            routes: setup.models.routes().map(|(route, model)| (route.to_owned(), model.name().to_owned())).collect(),
            prices: (*setup.pricing.0).clone(),
            story: (!is_new).then_some(story),
        })
    }

    /// Records the result of a run. Logs a failure to write: the recording is incomplete, the run unaffected.
    pub(crate) async fn record_end(&self, recorder: &Recorder, outcome: &Outcome) {
        let kept = match self.stories_table().load(&outcome.project).await {
            Ok(kept) => kept,
            Err(error) => return tracing::error!(%error, "failed to record the end of the run"),
        };
        let document = comparable(outcome);
        let end =
            CassetteEnd { status: outcome.status, story: fingerprint(&kept.story), version: kept.version, document };
        if let Err(error) = recorder.mark(CassetteMark { kind: END.into(), body: json!(end) }) {
            tracing::error!(%error, "failed to record the end of the run");
        }
    }
}

/// Records the resumption or the answer before the run continues.
fn marked<K: RunType>(recorder: Recorder, start: &RunStart<K::Answer>) -> Recorder {
    match start {
        RunStart::Input => recorder,
        RunStart::Resume => recorder.after(CassetteMark { kind: RESUMED.into(), body: Value::Null }),
        RunStart::Answer { given, .. } => recorder.after(CassetteMark { kind: ANSWER.into(), body: json!(given) }),
    }
}

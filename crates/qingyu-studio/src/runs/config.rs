//! The configuration of a run, stored in its row for resuming.

use std::sync::Arc;

use qingyu_agents::notice::RunNotice;
use qingyu_agents::{PipelineConfig, ProductionConfig, WritingConfig};
use qingyu_store::Run;
use qingyu_story::genre::Genres;
use qingyu_story::{EarlierBooks, Language, Names, check};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use toml::Table;

use crate::access::scope::{AccessScope, Right};
use crate::error::Error;
use crate::runs::kind::RunKind;
use crate::settings::effective::EffectiveSettings;
use crate::settings::layers::Settings;
use crate::settings::maxima;
use crate::settings::request::{RequestSettings, recordings};
use crate::stories::genres;
use crate::studio::Studio;

/// Maximum size of all earlier books in the row of a run, in bytes of JSON: lists of runs read the rows.
const EARLIER_BYTES: usize = 80_000;

/// The command resuming a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnwardCommand {
    /// The original command, not yet finished: all its overrides stay valid.
    Same,
    /// Another command: of the original overrides, only the model stays valid.
    New,
}

/// The origin of a forked run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ForkOrigin {
    /// The forked run.
    pub(crate) run: String,
    /// The checkpoint of the forked run.
    pub(crate) checkpoint: u64,
    /// Whether the fork asks its models again instead of reusing stored answers.
    #[serde(default)]
    pub(crate) afresh: bool,
}

/// The configuration of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct RunConfig {
    /// The kind of the run.
    pub(crate) kind: RunKind,
    /// The input of the run, in the format of its kind.
    pub(crate) order: serde_json::Value,
    /// The language of the work.
    pub(crate) language: Language,
    /// The pipeline's configuration at the start of the run.
    pub(crate) pipeline: PipelineConfig,
    /// The writing configuration at the start of the run.
    pub(crate) writing: WritingConfig,
    /// The production configuration at the start of the run.
    pub(crate) production: ProductionConfig,
    /// The checker's configuration at the start of the run.
    pub(crate) checker: check::Config,
    /// The genres at the start of the run.
    pub(crate) genres: Genres,
    /// The ends of the books before the project, at the start of the run.
    #[serde(skip_serializing_if = "EarlierBooks::is_empty")]
    pub(crate) earlier: EarlierBooks,
    /// The projects of the earlier books, in order. Only a caller who may see all of them is shown the prompts of the run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) earlier_projects: Vec<String>,
    /// Limits the request tried to raise, kept unchanged.
    pub(crate) limits_kept: Vec<RunNotice>,
    /// The checkpoint with which a fork began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) forked_from: Option<ForkOrigin>,
    /// The only person who may answer the run, if named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) approver: Option<String>,
    /// The request's overrides of all layers.
    overrides: Table,
    /// Whether the machine's own user, who may name files, set the overrides.
    overrides_of_machine: bool,
}

impl RunConfig {
    /// Returns the effective settings of a new run, and the configuration to store, without earlier books.
    pub(crate) fn new(
        settings: &Settings,
        project: Option<&str>,
        kind: RunKind,
        request: RequestSettings,
    ) -> Result<(Arc<EffectiveSettings>, Self), Error> {
        let (mut overrides, overrides_of_machine) = (request.table().clone(), request.is_of_machine());
        let effective = settings.effective_with(project, request)?;
        // Provider rows may contain secrets; a resumed run reads them from the settings again.
        overrides.remove("providers");
        let config = Self {
            kind,
            order: serde_json::Value::Null,
            language: Language::default(),
            pipeline: effective.values.pipeline.clone(),
            writing: effective.values.writing.clone(),
            production: effective.values.production.clone(),
            checker: effective.values.checker.clone(),
            genres: genres::known(settings, &effective)?,
            earlier: EarlierBooks::default(),
            earlier_projects: Vec::new(),
            limits_kept: effective.limits_kept.clone(),
            forked_from: None,
            approver: None,
            overrides,
            overrides_of_machine,
        };
        Ok((effective, config))
    }

    /// Returns a setting that the request overrides, in the format of the settings file.
    pub(crate) fn overridden(&self, section: &str, name: &str) -> Option<&toml::Value> {
        self.overrides.get(section)?.get(name)
    }

    /// Returns whether the caller may see all earlier books of the run.
    pub(crate) fn shows_earlier_to(&self, scope: &AccessScope) -> bool {
        // Without the list of their projects, the books are open to callers who see all projects.
        let is_seen =
            || !self.earlier_projects.is_empty() && self.earlier_projects.iter().all(|project| scope.sees(project));
        self.earlier.is_empty() || scope.sees_all() || is_seen()
    }

    /// Returns the configuration for work of the caller: without the earlier books, and with a notice of it, unless the
    /// caller may see all of them. Otherwise the caller's words could make a model tell what is in them.
    pub(crate) fn for_caller(mut self, scope: &AccessScope) -> Self {
        if !self.shows_earlier_to(scope) {
            self.limits_kept.push(RunNotice::EarlierBooksLeftOut { books: self.earlier.iter().count() });
            self.earlier = EarlierBooks::default();
            self.earlier_projects.clear();
        }
        self
    }

    /// Cuts the earlier books to the size that a row keeps, with a notice of it. What concerns the people of the story
    /// indexed by `names` stays first.
    pub(crate) fn cut_earlier(&mut self, names: &Names) {
        let (books, left_out) = self.earlier.within(EARLIER_BYTES, names);
        if left_out > 0 {
            self.limits_kept.push(RunNotice::EarlierBooksCut { left_out });
        }
        self.earlier = books;
    }

    /// Returns the configuration of a fork.
    pub(crate) fn forked(self, origin: ForkOrigin) -> Self {
        Self { forked_from: Some(origin), ..self }
    }

    /// Returns the settings of a resumed run: the current settings, with the overrides of the original request as far
    /// as `command` allows, below the current flags and `overrides`.
    ///
    /// Models are selected again, so a run without a key can resume with another model; a budget may be raised up to
    /// the limits of the layers below.
    pub(crate) async fn of(
        studio: &Studio,
        run: &Run,
        overrides: Table,
        command: OnwardCommand,
    ) -> Result<(Arc<EffectiveSettings>, Self), Error> {
        let (config, settings) = (Self::kept(run)?, studio.settings());
        let mut earlier = config.overrides.clone();
        if command == OnwardCommand::New {
            earlier = model_of(&earlier);
        }
        if settings.flags().get("models").is_some() || overrides.contains_key("models") {
            // A current choice of model overrides the original choice.
            earlier.remove("models");
        }
        config.within_maxima()?;
        let request = studio.request_settings(overrides).await?;
        let earlier = match studio.scope().machine_began(config.overrides_of_machine) {
            Some(machine) => RequestSettings::of_machine(machine, earlier),
            // The sections were validated at the start of the run, for its caller.
            None => RequestSettings::of_caller(Right::Admin, earlier.clone(), &studio.recordings_in(&earlier).await?)?,
        };
        let effective = settings.effective_of_run(&run.project, (run.id.clone(), earlier), request)?;
        Ok((effective, config))
    }

    /// Returns [`Error::BadSettings`] if the run was started by a release with larger maxima.
    fn within_maxima(&self) -> Result<(), Error> {
        let Self { pipeline, writing, production, .. } = self;
        let kept = serde_json::json!({"pipeline": pipeline, "writing": writing, "production": production});
        let table = Table::try_from(kept).map_err(|error| Error::Internal { message: error.to_string() })?;
        maxima::check(&table).map_err(|(key, message)| Error::BadSettings {
            layer: crate::SettingLayer::Flag,
            source_name: None,
            key,
            message: format!("{message}; this run cannot go on, begin another one"),
        })
    }

    /// Deserializes the input of `run`.
    pub(crate) fn order_of<T: DeserializeOwned>(&self, run: &Run) -> Result<T, Error> {
        T::deserialize(&self.order)
            .map_err(|error| Error::Internal { message: format!("the order of run {}: {error}", run.id) })
    }

    /// Deserializes the configuration stored in the row of `run`.
    pub(crate) fn kept(run: &Run) -> Result<Self, Error> {
        serde_json::from_value(run.config.clone())
            .map_err(|error| Error::Internal { message: format!("the settings of run {}: {error}", run.id) })
    }
}

/// Returns the model for every role from the overrides.
fn model_of(overrides: &Table) -> Table {
    let all = overrides.get("models").and_then(|models| models.get("all"));
    let models = all.map(|model| Table::from_iter([("all".to_owned(), model.clone())]));
    models.map(|models| Table::from_iter([("models".to_owned(), models.into())])).unwrap_or_default()
}

impl Studio {
    /// Validates the caller's overrides of all layers.
    ///
    /// Returns [`Error::Forbidden`] if a value names a file, an address or a command of the machine, and
    /// [`Error::Unknown`] or [`Error::NoCassette`] if a named recording is not available to the caller.
    pub(crate) async fn request_settings(&self, overrides: Table) -> Result<RequestSettings, Error> {
        if let Ok(machine) = self.scope().demand_machine() {
            return Ok(RequestSettings::of_machine(machine, overrides));
        }
        let recordings = self.recordings_in(&overrides).await?;
        RequestSettings::of_caller(self.scope().right(), overrides, &recordings)
    }

    /// Returns [`Error::Forbidden`] if the run works with earlier books that the caller may not see: its prompts tell of
    /// them.
    pub(crate) fn refuse_closed_books(&self, run: &Run) -> Result<(), Error> {
        match RunConfig::kept(run)?.shows_earlier_to(self.scope()) {
            true => Ok(()),
            false => Err(Error::Forbidden { needed: "earlier_books".into() }),
        }
    }

    /// Returns the runs of the recordings named by the models of a request, by given name.
    async fn recordings_in(&self, overrides: &Table) -> Result<Vec<(String, String)>, Error> {
        let mut found = Vec::new();
        for given in recordings(overrides) {
            // Only run IDs are looked up: a lookup of a path would reveal the existence of files.
            if !given.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
                return Err(Error::Forbidden { needed: "this_machine".into() });
            }
            let run = self.find_run(&given).await?;
            // A request unlike the recorded one is answered with the difference.
            self.refuse_closed_books(&run)?;
            let run = run.id;
            if !self.cassette(&run).is_file() {
                return Err(Error::NoCassette { run });
            }
            found.push((given, run));
        }
        Ok(found)
    }
}

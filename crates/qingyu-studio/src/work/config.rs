//! What decides how a run goes on, kept in its row, so that a resumed run goes on the same way.

use std::sync::Arc;

use qingyu_agents::notice::Notice;
use qingyu_agents::{PipelineConfig, ProductionConfig, WritingConfig};
use qingyu_store::Run;
use qingyu_story::{Language, check};
use serde::{Deserialize, Serialize};
use toml::Table;

use super::kind::RunKind;
use crate::access::Right;
use crate::settings::{Effective, RequestSettings, maxima, recordings};
use crate::studio::Studio;
use crate::{Error, Settings};

/// Which command a run goes on in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnwardCommand {
    /// The one that began the run, which has not come to its end: all that it set holds on.
    Same,
    /// Another one: of what was set for the first, only the model serves on.
    New,
}

/// What decides how a run goes on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct RunConfig {
    /// What the run does.
    pub(crate) kind: RunKind,
    /// What it is to do, as its kind says.
    pub(crate) order: serde_json::Value,
    /// The language of the work.
    pub(crate) language: Language,
    /// The switches and borders, as they were when the run began.
    pub(crate) pipeline: PipelineConfig,
    /// The limits of the writing, likewise.
    pub(crate) writing: WritingConfig,
    /// The limits of productions, likewise.
    pub(crate) production: ProductionConfig,
    /// The rules, likewise.
    pub(crate) checker: check::Config,
    /// The limits that the request would have raised and that hold as they were.
    pub(crate) limits_kept: Vec<Notice>,
    /// What the request set above all layers.
    overrides: Table,
    /// Whether the machine's own user set it, who may name files.
    overrides_of_machine: bool,
}

impl RunConfig {
    /// The settings of a new run, and what of them is kept.
    pub(crate) fn new(
        settings: &Settings,
        project: Option<&str>,
        kind: RunKind,
        request: RequestSettings,
    ) -> Result<(Arc<Effective>, Self), Error> {
        let (mut overrides, overrides_of_machine) = (request.table().clone(), request.is_of_machine());
        let effective = settings.effective_with(project, request)?;
        // Rows of providers may hold secrets; they come from the settings again when the run is resumed.
        overrides.remove("providers");
        let config = Self {
            kind,
            order: serde_json::Value::Null,
            language: Language::default(),
            pipeline: effective.values.pipeline.clone(),
            writing: effective.values.writing.clone(),
            production: effective.values.production.clone(),
            checker: effective.values.checker.clone(),
            limits_kept: effective.limits_kept.clone(),
            overrides,
            overrides_of_machine,
        };
        Ok((effective, config))
    }

    /// The settings of a run that goes on: what holds now, with what the request that began it set, as far as `command` says,
    /// under the flags of the present command and under `overrides`.
    ///
    /// Models are chosen anew, so that a run that failed for want of a key can go on with another; a budget may be raised, to
    /// what the layers below allow.
    pub(crate) async fn of(
        studio: &Studio,
        run: &Run,
        overrides: Table,
        command: OnwardCommand,
    ) -> Result<(Arc<Effective>, Self), Error> {
        let (config, settings) = (Self::kept(run)?, studio.settings());
        let mut earlier = config.overrides.clone();
        if command == OnwardCommand::New {
            earlier = model_of(&earlier);
        }
        if settings.flags().get("models").is_some() || overrides.contains_key("models") {
            // A model named now is named instead of the one named then.
            earlier.remove("models");
        }
        config.within_maxima()?;
        let request = studio.request_settings(overrides).await?;
        let earlier = match studio.scope().machine_began(config.overrides_of_machine) {
            Some(machine) => RequestSettings::of_machine(machine, earlier),
            // The sections were checked when the run began, for whoever began it.
            None => RequestSettings::of_caller(Right::Admin, earlier.clone(), &studio.recordings_in(&earlier).await?)?,
        };
        let effective = settings.effective_of_run(&run.project, (run.id.clone(), earlier), request)?;
        Ok((effective, config))
    }

    /// Fails with [`Error::BadSettings`] if the run was begun by a release that let its numbers be larger.
    fn within_maxima(&self) -> Result<(), Error> {
        let Self { pipeline, writing, production, .. } = self;
        let kept = serde_json::json!({"pipeline": pipeline, "writing": writing, "production": production});
        let table = Table::try_from(kept).map_err(|error| Error::Internal { message: error.to_string() })?;
        maxima::check(&table).map_err(|(key, message)| Error::BadSettings {
            layer: crate::Layer::Flag,
            source_name: None,
            key,
            message: format!("{message}; this run cannot go on, begin another one"),
        })
    }

    /// What is kept in the row of `run`.
    pub(crate) fn kept(run: &Run) -> Result<Self, Error> {
        serde_json::from_value(run.config.clone())
            .map_err(|error| Error::Internal { message: format!("the settings of run {}: {error}", run.id) })
    }
}

impl Studio {
    /// What a request sets above all layers, as far as whoever asks may set it.
    ///
    /// Fails with [`Error::Forbidden`] if it names a file, an address or a command of the machine, and with
    /// [`Error::UnknownRun`] or [`Error::NoCassette`] if it names a recording that is not there for them.
    pub(crate) async fn request_settings(&self, overrides: Table) -> Result<RequestSettings, Error> {
        if let Ok(machine) = self.scope().demand_machine() {
            return Ok(RequestSettings::of_machine(machine, overrides));
        }
        let recordings = self.recordings_in(&overrides).await?;
        RequestSettings::of_caller(self.scope().right(), overrides, &recordings)
    }

    /// The runs whose recordings the models of a request name, by the names given.
    async fn recordings_in(&self, overrides: &Table) -> Result<Vec<(String, String)>, Error> {
        let mut found = Vec::new();
        for given in recordings(overrides) {
            // Runs are named as anywhere else. Whatever looks like a path is not looked up, so that nothing is told of files.
            if !given.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
                return Err(Error::Forbidden { needed: "this_machine".into() });
            }
            let run = self.find_run(&given).await?.id;
            if !self.cassette(&run).is_file() {
                return Err(Error::NoCassette { run });
            }
            found.push((given, run));
        }
        Ok(found)
    }
}

/// The model for every role among what a request set.
fn model_of(overrides: &Table) -> Table {
    let all = overrides.get("models").and_then(|models| models.get("all"));
    let models = all.map(|model| Table::from_iter([("all".to_owned(), model.clone())]));
    models.map(|models| Table::from_iter([("models".to_owned(), models.into())])).unwrap_or_default()
}

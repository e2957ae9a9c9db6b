//! What decides how a run goes on, kept in its row, so that a resumed run goes on the same way.

use std::sync::Arc;

use qingyu_agents::{PipelineConfig, ProductionConfig, WritingConfig};
use qingyu_store::Run;
use qingyu_story::{Language, check};
use serde::{Deserialize, Serialize};
use toml::Table;

use super::kind::RunKind;
use crate::settings::Effective;
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
    /// What the request set above all layers.
    overrides: Table,
}

impl RunConfig {
    /// The settings of a new run, and what of them is kept.
    pub(crate) fn new(
        settings: &Settings,
        project: Option<&str>,
        kind: RunKind,
        mut overrides: Table,
    ) -> Result<(Arc<Effective>, Self), Error> {
        let effective = settings.effective(project, overrides.clone())?;
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
            overrides,
        };
        Ok((effective, config))
    }

    /// The settings of a run that goes on: what holds now, with what the request that began it set, as far as `command` says,
    /// under the flags of the present command and under `overrides`.
    ///
    /// Models are chosen anew, so that a run that failed for want of a key can go on with another; a budget may be raised.
    pub(crate) fn of(
        settings: &Settings,
        run: &Run,
        overrides: &Table,
        command: OnwardCommand,
    ) -> Result<(Arc<Effective>, Self), Error> {
        let config = Self::kept(run)?;
        let mut earlier = config.overrides.clone();
        if command == OnwardCommand::New {
            earlier = model_of(&earlier);
        }
        if settings.flags().get("models").is_some() || overrides.contains_key("models") {
            // A model named now is named instead of the one named then.
            earlier.remove("models");
        }
        let effective = settings.effective_of_run(&run.project, (run.id.clone(), earlier), overrides.clone())?;
        Ok((effective, config))
    }

    /// What is kept in the row of `run`.
    pub(crate) fn kept(run: &Run) -> Result<Self, Error> {
        serde_json::from_value(run.config.clone())
            .map_err(|error| Error::Internal { message: format!("the settings of run {}: {error}", run.id) })
    }
}

/// The model for every role among what a request set.
fn model_of(overrides: &Table) -> Table {
    let all = overrides.get("models").and_then(|models| models.get("all"));
    let models = all.map(|model| Table::from_iter([("all".to_owned(), model.clone())]));
    models.map(|models| Table::from_iter([("models".to_owned(), models.into())])).unwrap_or_default()
}

//! What decides how a run goes on, kept in its row, so that a resumed run goes on the same way.

use std::sync::Arc;

use qingyu_agents::{PipelineConfig, ProductionConfig, WritingConfig};
use qingyu_store::Run;
use qingyu_story::{Language, check};
use serde::{Deserialize, Serialize};
use toml::Table;

use super::kind::RunKind;
use crate::settings::{Effective, merge};
use crate::{Error, Settings};

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

    /// The settings of a run that is resumed: what it asked for itself, under the flags of the present command and under
    /// `overrides`.
    ///
    /// Models are chosen anew, so that a run that failed for want of a key can go on with another; a budget may be raised.
    pub(crate) fn of(settings: &Settings, run: &Run, overrides: &Table) -> Result<(Arc<Effective>, Self), Error> {
        let config = Self::kept(run)?;
        let mut request = config.overrides.clone();
        if settings.flags().get("models").is_some() || overrides.contains_key("models") {
            // A model named now is named instead of the one named then.
            request.remove("models");
        }
        merge(&mut request, settings.flags());
        merge(&mut request, overrides);
        Ok((settings.effective(Some(&run.project), request)?, config))
    }

    /// What is kept in the row of `run`.
    pub(crate) fn kept(run: &Run) -> Result<Self, Error> {
        serde_json::from_value(run.config.clone())
            .map_err(|error| Error::Internal { message: format!("the settings of run {}: {error}", run.id) })
    }
}

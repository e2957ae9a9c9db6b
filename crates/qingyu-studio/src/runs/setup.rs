//! The resources of a run according to the settings: models, prompts and the like.

use std::num::NonZeroU32;
use std::sync::Arc;

use qingyu_agents::Prompts;
use qingyu_formats::Outline;
use qingyu_llm::ModelRoutes;
use qingyu_store::Project;
use qingyu_story::Language;
use qingyu_web::{Web, WebApiKey, WebSettings};

use crate::error::Error;
use crate::models::roster::ModelRoster;
use crate::models::selection::{ModelSelection, chosen_from};
use crate::runs::requests::RunAnswer;
use crate::settings::effective::EffectiveSettings;
use crate::settings::values;
use crate::spending::account::OtherSpending;
use crate::spending::calls::{ChargeSender, Charges, Pricing};
use crate::studio::Studio;

/// The way a run starts or continues.
pub(crate) enum RunStart<A> {
    /// With its first input.
    Input,
    /// From the last checkpoint.
    Resume,
    /// With an answer to the question with the given ID, parsed and as given.
    Answer {
        /// The ID of the answered question: a concurrent answer may be faster, and the run may ask a different question
        /// now.
        question: String,
        answer: Box<A>,
        given: RunAnswer,
    },
}

/// The resources of a run according to the settings: models, prompts and the like.
pub(crate) struct RunSetup {
    pub(crate) chosen: ModelSelection,
    pub(crate) models: ModelRoutes,
    pub(crate) pricing: Pricing,
    pub(crate) prompts: Prompts,
    pub(crate) answer_tokens: Option<u32>,
    /// The spending account of the ledger; needs the run's ID.
    pub(crate) account: Option<Arc<OtherSpending>>,
    /// The charges of the ledger, to be recorded.
    pub(crate) charges: Charges,
    /// The settings to record, if recording is enabled.
    pub(crate) recorded_settings: Option<toml::Table>,
    pub(crate) kept: values::CassetteSettings,
    /// The effective settings and their sources.
    pub(crate) effective: Arc<EffectiveSettings>,
}

/// A run to be started.
pub(crate) struct PlannedRun {
    /// The requirement in words.
    pub(crate) requirement: String,
    /// The requirement as data, for `RunType::input`.
    pub(crate) order: serde_json::Value,
    /// The project; by default a new project is created.
    pub(crate) project: Option<Project>,
    pub(crate) title: Option<String>,
    /// The language of the work; by default the language of the project or the requirement.
    pub(crate) language: Option<Language>,
    /// The first pieces of a new project.
    pub(crate) outline: Option<Outline>,
    /// Settings overriding all layers.
    pub(crate) overrides: toml::Table,
}

impl Studio {
    /// Selects and builds the configured models without writing anything. `run` is the ID of a resumed run, for its
    /// earlier spending.
    pub(crate) async fn set_up(
        &self,
        effective: &Arc<EffectiveSettings>,
        run: Option<&str>,
    ) -> Result<RunSetup, Error> {
        let roster = ModelRoster::new(effective, self.settings())?;
        let chosen = match self.given_models() {
            Some(models) => chosen_from(models),
            None => roster.choose().await?,
        };
        let (prices, prompts) = match self.props() {
            Some(props) => (props.prices.clone(), props.prompts.clone()),
            None => (roster.prices(&chosen)?, self.prompts(effective)?),
        };
        let (bookkeeper, charges) = ChargeSender::new();
        let (models, account) = match self.given_models() {
            Some(models) => (models.clone(), None),
            None => {
                let (ledger, account) = self.ledger(&roster, prices.clone(), run).await?;
                (roster.open(&chosen, ledger.with_bookkeeper(bookkeeper))?, Some(account))
            }
        };
        let answer_tokens = effective.values.limits.answer_tokens.map(NonZeroU32::get);
        let kept = effective.values.cassettes;
        let recorded_settings = kept.record.then(|| effective.of_the_work());
        let pricing = Pricing(Arc::new(prices));
        let effective = Arc::clone(effective);
        Ok(RunSetup {
            chosen,
            models,
            pricing,
            prompts,
            answer_tokens,
            account,
            charges,
            recorded_settings,
            kept,
            effective,
        })
    }

    /// Returns the web access, with keys from the environment.
    pub(crate) fn web(&self, effective: &EffectiveSettings) -> Result<Web, Error> {
        let environment = self.settings().environment();
        let key = |name: &str| environment.get(name).map(WebApiKey::from);
        let settings = WebSettings {
            search_key: key("QINGYU_WEB_SEARCH_KEY"),
            reader_key: key("QINGYU_WEB_READER_KEY"),
            ..effective.values.web.clone()
        };
        Web::new(&settings).map_err(|error| effective.bad("web", error.to_string()))
    }
}

//! The models of a studio: lists, trials, keys and prices.

use qingyu_llm::Prices;

use crate::error::Error;
use crate::models::listings::ModelListing;
use crate::models::model_keys;
use crate::models::model_keys::{ModelKeyRow, ModelKeys};
use crate::models::roster::ModelRoster;
use crate::models::row::ModelRow;
use crate::models::trial::ModelTrial;
use crate::studio::Studio;

impl Studio {
    /// Returns the providers, their configuration, and their roles. Queries servers on this machine only.
    pub async fn models(&self) -> Result<Vec<ModelRow>, Error> {
        let effective = self.settings().effective(None)?;
        Ok(ModelRoster::new(&effective, self.settings())?.rows().await)
    }

    /// Fetches the models available to the key of each provider, and caches the lists.
    pub(crate) async fn refresh_models(&self) -> Result<Vec<ModelListing>, Error> {
        let effective = self.settings().effective(None)?;
        ModelRoster::new(&effective, self.settings())?.refresh().await
    }

    /// Asks a model, or the default model, for a few words and a small JSON value. Costs a few tokens.
    pub async fn try_model(&self, model: Option<&str>) -> Result<ModelTrial, Error> {
        let effective = self.settings().effective(None)?;
        let roster = ModelRoster::new(&effective, self.settings())?;
        match model {
            Some(model) => roster.try_model(model.trim()).await,
            None => roster.try_model(&roster.choose().await?.default.model).await,
        }
    }

    /// Stores the key of a provider in the data folder, or removes it. Applies immediately; the key is never returned.
    ///
    /// Returns [`Error::UnknownModel`] if the provider is unknown.
    pub(crate) fn keep_model_key(&self, provider: &str, key: Option<&str>) -> Result<ModelKeyRow, Error> {
        let effective = self.settings().effective(None)?;
        let row = ModelRoster::new(&effective, self.settings())?.provider(provider)?.clone();
        model_keys::keep(self.settings().home(), provider, key)?;
        let keys = ModelKeys::read(self.settings().home(), self.settings().environment())?;
        Ok(ModelKeyRow { provider: provider.into(), source: keys.source(&row) })
    }

    /// Returns the known prices with the current settings, by model name or name prefix.
    pub fn prices(&self) -> Result<Prices, Error> {
        let effective = self.settings().effective(None)?;
        Prices::with_overrides(&effective.values.prices).map_err(|error| effective.bad("prices", error.to_string()))
    }
}

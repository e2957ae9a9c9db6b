//! Selection of models for roles, and construction of models.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::future::join_all;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use qingyu_llm::cassette::{Recording, text_of};
use qingyu_llm::probe::{LocalServer, probe_loopback};
use qingyu_llm::stack::{
    BreakerSettings, BudgetLedger, EffortModel, FreeModels, RateLimit, Replayed, RetryModel, SpendingBudget, Stack,
};
use qingyu_llm::{
    Catalogue, ChatModel, ClientLimits, Cost, Effort, LlmClient, ModelRoutes, Prices, Provider, Providers,
};

use crate::error::failures::FailureContext;
use crate::error::{Error, failures};
use crate::models::choice::{ModelChoice, ModelReason};
use crate::models::listings::{Listings, ModelListing};
use crate::models::model_file;
use crate::models::model_file::FileModel;
use crate::models::model_keys::{KeySource, ModelKeys};
use crate::models::row::ModelRow;
use crate::models::selection::ModelSelection;
use crate::settings::effective::EffectiveSettings;
use crate::settings::layers::Settings;
use crate::settings::request::{CASSETTE, RECORDING};
use crate::settings::values;
use crate::settings::values::ROLES;
use crate::storage::cassette_files;

/// The model configuration from the settings.
pub(crate) struct ModelRoster<'a> {
    pub(crate) effective: &'a EffectiveSettings,
    pub(crate) providers: Providers,
    pub(crate) keys: ModelKeys<'a>,
    home: &'a Path,
    /// The value of `PATH` for finding programs.
    search: Option<&'a str>,
    /// A cache of loaded recordings, by model name; each file is opened once.
    recordings: Mutex<BTreeMap<String, Arc<Recording>>>,
}

impl<'a> ModelRoster<'a> {
    /// Returns [`Error::BadSettings`] if the provider rows or the key file are invalid.
    pub(crate) fn new(effective: &'a EffectiveSettings, settings: &'a Settings) -> Result<Self, Error> {
        let providers = Providers::with_overrides(&effective.values.providers)
            .map_err(|error| effective.bad("providers", error.to_string()))?;
        let keys = ModelKeys::read(settings.home(), settings.environment())?;
        let search = settings.environment().get("PATH");
        Ok(Self { effective, providers, keys, home: settings.home(), search, recordings: Mutex::default() })
    }

    /// Selects the models. Queries servers on this machine only if nothing else is set.
    ///
    /// Resolves preferences such as `deepseek/usual` to current models. Returns [`Error::UnknownModel`],
    /// [`Error::NoKey`] or [`Error::ModelNotServed`] if a named model is not usable.
    pub(crate) async fn choose(&self) -> Result<ModelSelection, Error> {
        let models = &self.effective.values.models;
        let mut chosen = match &models.all {
            Some(all) => ModelSelection {
                default: ModelChoice { model: all.clone(), why: self.configured("models.all") },
                roles: BTreeMap::new(),
                // A recording has all answers, and the offline model never fails.
                fallbacks: if never_fails(all) { Vec::new() } else { models.fallbacks.clone() },
            },
            None => ModelSelection {
                default: self.default().await,
                roles: models.roles.clone(),
                fallbacks: models.fallbacks.clone(),
            },
        };
        chosen.models().into_iter().try_for_each(|model| self.check(model))?;
        chosen.default.model = self.resolved(&chosen.default.model).await?;
        for model in chosen.roles.values_mut().chain(&mut chosen.fallbacks) {
            *model = self.resolved(model).await?;
        }
        Ok(chosen)
    }

    /// Resolves `model`: returns the name itself, or the model behind a preference or a family.
    ///
    /// Fetches the provider's list if the cache does not suffice. Returns [`Error::ModelNotServed`] with the models
    /// available to the key if none matches.
    pub(crate) async fn resolved(&self, model: &str) -> Result<String, Error> {
        let Ok((provider, name)) = self.providers.resolve(model) else { return Ok(model.to_owned()) };
        if !provider.is_preference(name) {
            return Ok(model.to_owned());
        }
        let mut listings = Listings::read(self.home);
        let full = |found: String| format!("{}/{found}", provider.name);
        if let Some(found) = provider.preferred(name, listings.of(&provider.name), today()) {
            return Ok(full(found));
        }
        // The cached list may be outdated.
        let models = self.client().models(provider, self.keys.of(provider).as_ref()).await;
        let models = models.map_err(|error| failures::model(&error))?;
        let found = provider.preferred(name, Some(&models), today());
        listings.insert(&provider.name, models.clone());
        if let Err(error) = listings.write(self.home) {
            tracing::warn!(%error, "failed to store the list of models");
        }
        found.map(full).ok_or_else(|| Error::ModelNotServed {
            model: model.to_owned(),
            provider: provider.name.clone(),
            models: models.into_iter().take(NAMED).collect(),
        })
    }

    /// Fetches the models of every provider with a key or on this machine, and caches the lists.
    pub(crate) async fn refresh(&self) -> Result<Vec<ModelListing>, Error> {
        let client = self.client();
        let asked = self.providers.iter().filter(|provider| match provider.key_variable {
            Some(_) => self.keys.source(provider).is_some(),
            None => !provider.is_loopback(),
        });
        let asked = asked.map(|provider| {
            let (client, key) = (client.clone(), self.keys.of(provider));
            async move {
                let outcome = client.models(provider, key.as_ref()).await;
                let failure = outcome.as_ref().err().map(|error| failures::model(error).failure());
                ModelListing { provider: provider.name.clone(), models: outcome.unwrap_or_default(), failure }
            }
        });
        let rows = join_all(asked).await;
        let mut listings = Listings::read(self.home);
        for row in rows.iter().filter(|row| row.failure.is_none()) {
            listings.insert(&row.provider, row.models.clone());
        }
        listings
            .write(self.home)
            .map_err(|error| FailureContext { database: self.home, run: "" }.file(self.home, &error))?;
        Ok(rows)
    }

    async fn default(&self) -> ModelChoice {
        let models = &self.effective.values.models;
        if models.default != "auto" {
            return ModelChoice { model: models.default.clone(), why: self.configured("models.default") };
        }
        let with_key = models.auto.iter().find_map(|model| {
            let (provider, _) = self.providers.resolve(model).ok()?;
            let variable = provider.key_variable.clone()?;
            let provider_name = provider.name.clone();
            let why = match self.keys.source(provider)? {
                KeySource::Environment => ModelReason::KeySet { provider: provider_name, variable },
                KeySource::File => ModelReason::KeyKept { provider: provider_name },
            };
            Some(ModelChoice { model: model.clone(), why })
        });
        if let Some(choice) = with_key {
            return choice;
        }
        let found = probe_loopback(&self.providers).await;
        let local = models.local.iter().find_map(|name| local_model(&found, name));
        local.unwrap_or(ModelChoice { model: qingyu_offline::NAME.into(), why: ModelReason::NothingElse })
    }

    fn configured(&self, key: &str) -> ModelReason {
        ModelReason::Configured { layer: self.effective.layer(key) }
    }

    /// Validates a model as far as possible without a request.
    pub(crate) fn check(&self, model: &str) -> Result<(), Error> {
        if model == qingyu_offline::NAME {
            return Ok(());
        }
        if let Some(played) = PlaybackSource::of(model) {
            return self.recording(model, played).map(|_| ());
        }
        if let Some(path) = model_file::path_of(model) {
            return model_file::program_for(path, self.search).map(|_| ());
        }
        let Ok((provider, _)) = self.providers.resolve(model) else {
            let mut providers: Vec<String> = self.providers.iter().map(|provider| provider.name.clone()).collect();
            providers.push(qingyu_offline::NAME.into());
            return Err(Error::UnknownModel { model: model.into(), providers });
        };
        match &provider.key_variable {
            Some(variable) if self.keys.source(provider).is_none() => {
                Err(Error::NoKey { model: model.into(), provider: provider.name.clone(), variable: variable.clone() })
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Returns the provider of the given name.
    ///
    /// Returns [`Error::UnknownModel`] with the known providers.
    pub(crate) fn provider(&self, name: &str) -> Result<&Provider, Error> {
        let providers = || self.providers.iter().map(|provider| provider.name.clone()).collect();
        self.providers.get(name).map_err(|_| Error::UnknownModel { model: name.into(), providers: providers() })
    }

    /// Returns the prices; models on this machine are free.
    pub(crate) fn prices(&self, chosen: &ModelSelection) -> Result<Prices, Error> {
        let mut prices = Prices::with_overrides(&self.effective.values.prices)
            .map_err(|error| self.effective.bad("prices", error.to_string()))?;
        for model in chosen.models() {
            if PlaybackSource::of(model).is_some() {
                prices.set_free(model);
            }
            let on_this_machine = self
                .providers
                .resolve(model)
                .is_ok_and(|(provider, _)| provider.is_loopback() && provider.key_variable.is_none());
            let on_this_machine = on_this_machine || model_file::path_of(model).is_some();
            if on_this_machine && prices.of(model).is_none() {
                prices.set_local(model);
            }
        }
        Ok(prices)
    }

    /// Builds the models with their wrappers, sharing a single ledger.
    pub(crate) fn open(&self, chosen: &ModelSelection, ledger: BudgetLedger) -> Result<ModelRoutes, Error> {
        let client = self.client();
        let ledger = Arc::new(ledger);
        let mut single: BTreeMap<&str, Arc<dyn ChatModel>> = BTreeMap::new();
        for model in chosen.models() {
            single.insert(model, self.single(&client, model, &ledger)?);
        }
        let with_fallbacks = |model: &str| {
            let others = chosen.fallbacks.iter().filter(|other| *other != model);
            let others: Vec<_> = others.map(|other| Arc::clone(&single[other.as_str()])).collect();
            Stack::new(Arc::clone(&single[model])).fallback(others).build()
        };
        let mut models = ModelRoutes::new(with_fallbacks(&chosen.default.model));
        for (role, model) in &chosen.roles {
            let model = with_fallbacks(model);
            for route in routes(role) {
                models = models.route(route, Arc::clone(&model));
            }
        }
        let efforts = Arc::new(self.efforts());
        Ok(models.wrapped(|model| Arc::new(EffortModel::new(Arc::clone(model), Arc::clone(&efforts)))))
    }

    /// Returns the reasoning effort by purpose, from the roles' settings.
    fn efforts(&self) -> BTreeMap<String, Effort> {
        let roles = self.effective.values.models.effort.iter();
        roles.flat_map(|(role, effort)| routes(role).into_iter().map(|route| (route.to_owned(), *effort))).collect()
    }

    /// Builds a model with the wrappers of its provider.
    fn single(&self, client: &LlmClient, model: &str, ledger: &Arc<BudgetLedger>) -> Result<Arc<dyn ChatModel>, Error> {
        let counted = |model: Arc<dyn ChatModel>| Stack::new(model).budget(Arc::clone(ledger));
        let bare = self.bare(client, model)?;
        if self.providers.resolve(model).is_err() {
            return Ok(counted(bare).build());
        }
        let values = &self.effective.values;
        let rate = RateLimit { requests: values.limits.requests_per_minute, tokens: values.limits.tokens_per_minute };
        let retrying = RetryModel {
            attempts: values.retries.attempts,
            first_wait: Duration::from_secs_f64(values.retries.first_wait),
            longest_wait: Duration::from_secs_f64(values.retries.longest_wait),
        };
        Ok(counted(bare).rate(rate).retry(retrying).breaker(BreakerSettings::default()).build())
    }

    /// Builds a model without wrappers.
    pub(crate) fn bare(&self, client: &LlmClient, model: &str) -> Result<Arc<dyn ChatModel>, Error> {
        if model == qingyu_offline::NAME {
            return Ok(Arc::new(qingyu_offline::model()));
        }
        if let Some(played) = PlaybackSource::of(model) {
            return Ok(Arc::new(Replayed::new(model, self.recording(model, played)?)));
        }
        if let Some(path) = model_file::path_of(model) {
            let program = model_file::program_for(path, self.search)?;
            return Ok(Arc::new(FileModel::new(path, program, client, self.provider("llamacpp")?)));
        }
        let bad = |error: &qingyu_llm::Error| self.effective.bad("providers", error.to_string());
        let (provider, name) = self.providers.resolve(model).map_err(|error| bad(&error))?;
        client.chat(provider, name, self.keys.of(provider).as_ref()).map_err(|error| bad(&error))
    }

    /// Returns the recording behind a playback model.
    fn recording(&self, model: &str, played: PlaybackSource<'_>) -> Result<Arc<Recording>, Error> {
        let mut read = self.recordings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(recording) = read.get(model) {
            return Ok(Arc::clone(recording));
        }
        let recording = match played {
            PlaybackSource::File(path) => open(path, path.to_path_buf())?,
            PlaybackSource::Run(run) => {
                let file = cassette_files::file(self.home, run);
                // Remote callers must not see the data folder's path.
                open(&file, PathBuf::from(file.file_name().unwrap_or_default()))?
            }
        };
        let recording = Arc::new(recording);
        read.insert(model.to_owned(), Arc::clone(&recording));
        Ok(recording)
    }

    /// Returns the budget of a run.
    pub(crate) fn budget(&self) -> SpendingBudget {
        let values::BudgetSettings { tokens, money, currency, .. } = &self.effective.values.budget;
        limits(*tokens, *money, currency.as_deref())
    }

    /// Returns whether token budgets apply to free models.
    pub(crate) fn free_models(&self) -> FreeModels {
        match self.effective.values.budget.free_models {
            true => FreeModels::Limited,
            false => FreeModels::Unlimited,
        }
    }

    /// Returns the daily budget of all runs; `None` without a limit.
    pub(crate) fn day_budget(&self) -> Option<SpendingBudget> {
        let values::BudgetSettings { per_day_tokens, per_day_money, currency, .. } = &self.effective.values.budget;
        let is_set = per_day_tokens.is_some() || per_day_money.is_some();
        is_set.then(|| limits(*per_day_tokens, *per_day_money, currency.as_deref()))
    }

    pub(crate) fn client(&self) -> LlmClient {
        let timeouts = self.effective.values.timeouts;
        LlmClient::new(ClientLimits {
            connect: Duration::from_secs(timeouts.connect),
            idle: Duration::from_secs(timeouts.idle),
            ..ClientLimits::default()
        })
    }

    /// Returns the providers, their configuration, and their roles.
    pub(crate) async fn rows(&self) -> Vec<ModelRow> {
        let found = probe_loopback(&self.providers).await;
        let chosen = self.choose().await;
        let mut rows: Vec<ModelRow> = self.providers.iter().map(|provider| self.row(provider, &found)).collect();
        rows.push(row_without_provider(qingyu_offline::NAME));
        if let Ok(chosen) = chosen {
            let files = chosen.models().into_iter().filter(|model| model_file::path_of(model).is_some());
            rows.extend(files.map(row_without_provider));
            for role in ROLES {
                let model = chosen.of(role);
                let is_file = model_file::path_of(model).is_some();
                let provider = if is_file { model } else { model.split('/').next().unwrap_or_default() };
                if let Some(row) = rows.iter_mut().find(|row| row.provider == provider) {
                    row.roles.insert(role.into(), model.into());
                    if let Some(day) = retirement(model) {
                        row.retiring.insert(model.into(), day.to_string());
                    }
                }
            }
        }
        rows
    }

    fn row(&self, provider: &qingyu_llm::Provider, found: &[LocalServer]) -> ModelRow {
        let is_asked = provider.is_loopback() && provider.key_variable.is_none();
        let answer = found.iter().find(|found| found.provider.name == provider.name);
        let beginning = format!("{}/", provider.name);
        let listings = Listings::read(self.home);
        let listed = listings.of(&provider.name);
        let usual = self.effective.values.models.auto.iter().filter_map(|model| model.strip_prefix(&beginning));
        let usual = usual.chain(provider.preferences.keys().map(String::as_str));
        let mut named: Vec<String> = Vec::new();
        for name in usual {
            let found = provider.preferred(name, listed, today()).map(|found| format!("{beginning}{found}"));
            named.extend(found.filter(|found| !named.contains(found)));
        }
        let served = answer.iter().flat_map(|found| &found.models).map(|model| format!("{beginning}{model}"));
        ModelRow {
            provider: provider.name.clone(),
            base_url: provider.base_url.clone(),
            key_present: self.keys.source(provider).is_some(),
            key_source: self.keys.source(provider),
            key_variable: provider.key_variable.clone(),
            reachable: is_asked.then_some(answer.is_some()),
            models: named.into_iter().chain(served).collect(),
            retiring: BTreeMap::new(),
            roles: BTreeMap::new(),
        }
    }
}

/// Returns the row of a model without a provider.
fn row_without_provider(model: &str) -> ModelRow {
    ModelRow {
        provider: model.into(),
        base_url: String::new(),
        key_variable: None,
        key_present: false,
        key_source: None,
        reachable: None,
        models: vec![model.into()],
        retiring: BTreeMap::new(),
        roles: BTreeMap::new(),
    }
}

/// Returns the vendor's retirement date of `model`, if near or past.
pub(crate) fn retirement(model: &str) -> Option<Date> {
    let day = Catalogue::built_in().retirement(model)?;
    let warned_from = day.checked_sub(jiff::Span::new().days(WARNED_DAYS)).unwrap_or(day);
    (today() >= warned_from).then_some(day)
}

/// The number of days before a retirement from which on to warn.
const WARNED_DAYS: i64 = 60;

/// Returns the current date in UTC: vendors give dates without a time zone.
fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}

/// The maximum number of models listed in an error.
const NAMED: usize = 20;

/// Returns whether a model name refers to a file or a recording.
pub(crate) fn plays(model: &str) -> bool {
    model.starts_with(CASSETTE) || model.starts_with(RECORDING)
}

/// Returns whether a model needs no fallback.
fn never_fails(model: &str) -> bool {
    model == qingyu_offline::NAME || plays(model)
}

/// The source of a playback model.
#[derive(Debug, Clone, Copy)]
enum PlaybackSource<'m> {
    /// A file, such as `cassette:samples/zh/correction.jsonl`. Settings contain such a name only if set by the
    /// machine's own user; see [`RequestSettings`](crate::settings::request::RequestSettings).
    File(&'m Path),
    /// The recording of a run, such as `recording:r-1a2b`.
    Run(&'m str),
}

impl<'m> PlaybackSource<'m> {
    /// Parses a model name; returns `None` for a model on a server.
    fn of(model: &'m str) -> Option<Self> {
        let file = model.strip_prefix(CASSETTE).map(|path| Self::File(Path::new(path)));
        file.or_else(|| {
            let run = model.strip_prefix(RECORDING)?;
            run.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-').then_some(Self::Run(run))
        })
    }
}

/// Loads the cassette at `path`; errors use the path `told`.
fn open(path: &Path, told: PathBuf) -> Result<Recording, Error> {
    let read = text_of(path).and_then(|text| Recording::parse(&text).map_err(|error| error.to_string()));
    read.map_err(|message| Error::BadCassette { path: told, message })
}

/// The settings are validated already: amounts of money are not negative and have a currency.
fn limits(tokens: Option<u64>, money: Option<f64>, currency: Option<&str>) -> SpendingBudget {
    let money = money.zip(currency);
    SpendingBudget {
        tokens,
        money: money.map(|(money, currency)| Cost { micros: (money * 1e6).round() as u64, currency: currency.into() }),
    }
}

/// Returns the first chat model of a server on this machine.
fn local_model(found: &[LocalServer], name: &str) -> Option<ModelChoice> {
    let found = found.iter().find(|found| found.provider.name == name)?;
    let model = found.models.iter().find(|model| !model.to_lowercase().contains("embed"))?;
    let why = ModelReason::LocalServer { url: found.provider.base_url.clone() };
    Some(ModelChoice { model: format!("{name}/{model}"), why })
}

/// Returns the purposes served by a role's model, as prefixes.
pub(crate) fn routes(role: &str) -> Vec<&str> {
    match role {
        "planner" => vec!["plan"],
        // The writer of a chapter must not judge the same chapter.
        "writer" => vec!["chapter.understand", "chapter.generate", "chapter.seams", "chapter.fix", "creative"],
        "review" => vec!["review", "chapter.review"],
        "settle" => vec!["chapter.settle"],
        role => vec![role],
    }
}

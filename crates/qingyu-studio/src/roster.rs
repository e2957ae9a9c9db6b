//! Which model serves which role, and opening them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::future::join_all;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use qingyu_llm::cassette::{Recording, text_of};
use qingyu_llm::probe::{Found, probe_loopback};
use qingyu_llm::stack::{Breaking, Budget, Efforts, FreeModels, Ledger, Rate, Replayed, Retrying, Stack};
use qingyu_llm::{Catalogue, ChatModel, Client, Cost, Effort, Limits, Models, Prices, Provider, Providers};

use crate::cassettes;
use crate::failures::{self, Place};
use crate::listings::Listings;
use crate::model_file::{self, FileModel};
use crate::model_keys::ModelKeys;
use crate::settings::values::{self, ROLES};
use crate::settings::{CASSETTE, Effective, RECORDING};
use crate::{Error, KeySource, ModelChoice, ModelListing, ModelReason, ModelRow, Settings};

/// What the settings say about models.
pub(crate) struct Roster<'a> {
    pub(crate) effective: &'a Effective,
    pub(crate) providers: Providers,
    pub(crate) keys: ModelKeys<'a>,
    home: &'a Path,
    /// Where programs are looked for: the value of `PATH`.
    search: Option<&'a str>,
    /// Recordings that were read, by the names of their models: each file is opened once.
    recordings: Mutex<BTreeMap<String, Arc<Recording>>>,
}

/// Who serves.
#[derive(Debug, Clone)]
pub(crate) struct Chosen {
    /// The model of the roles that have none of their own.
    pub(crate) default: ModelChoice,
    /// The models of the others.
    pub(crate) roles: BTreeMap<String, String>,
    /// Asked when the model of a role fails.
    pub(crate) fallbacks: Vec<String>,
}

impl Chosen {
    /// The model of a role.
    pub(crate) fn of<'a>(&'a self, role: &str) -> &'a str {
        self.roles.get(role).unwrap_or(&self.default.model)
    }

    /// Every model that may be asked, once.
    pub(crate) fn models(&self) -> std::collections::BTreeSet<&str> {
        let roles = self.roles.values().chain(&self.fallbacks).map(String::as_str);
        roles.chain([self.default.model.as_str()]).collect()
    }
}

impl<'a> Roster<'a> {
    /// Fails with [`Error::BadSettings`] if the rows of providers are wrong, or the file of keys cannot be read.
    pub(crate) fn new(effective: &'a Effective, settings: &'a Settings) -> Result<Self, Error> {
        let providers = Providers::with_overrides(&effective.values.providers)
            .map_err(|error| effective.bad("providers", error.to_string()))?;
        let keys = ModelKeys::read(settings.home(), settings.environment())?;
        let search = settings.environment().get("PATH");
        Ok(Self { effective, providers, keys, home: settings.home(), search, recordings: Mutex::default() })
    }

    /// Who serves. Asks servers on this machine only if nothing else is set.
    ///
    /// Preferences such as `deepseek/usual` are those models that they stand for today. Fails with [`Error::UnknownModel`],
    /// [`Error::NoKey`] or [`Error::ModelNotServed`] if a model that is named cannot serve.
    pub(crate) async fn choose(&self) -> Result<Chosen, Error> {
        let models = &self.effective.values.models;
        let mut chosen = match &models.all {
            Some(all) => Chosen {
                default: ModelChoice { model: all.clone(), why: self.configured("models.all") },
                roles: BTreeMap::new(),
                fallbacks: Vec::new(),
            },
            None => Chosen {
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

    /// The model that `model` stands for: itself, or the one that a preference or a family resolves to.
    ///
    /// The provider is asked for its list if nothing else can tell. Fails with [`Error::ModelNotServed`], naming what the key
    /// can use, if none fits.
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
        // The list may be old.
        let models = self.client().models(provider, self.keys.of(provider).as_ref()).await;
        let models = models.map_err(|error| failures::model(&error))?;
        let found = provider.preferred(name, Some(&models), today());
        listings.insert(&provider.name, models.clone());
        if let Err(error) = listings.write(self.home) {
            tracing::warn!(%error, "list of models could not be kept");
        }
        found.map(full).ok_or_else(|| Error::ModelNotServed {
            model: model.to_owned(),
            provider: provider.name.clone(),
            models: models.into_iter().take(NAMED).collect(),
        })
    }

    /// Asks every provider that has a key, or is on this machine, for its models, and keeps what they list.
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
        listings.write(self.home).map_err(|error| Place { database: self.home, run: "" }.file(self.home, &error))?;
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

    /// Whether a model can serve, as far as that can be told without asking.
    pub(crate) fn check(&self, model: &str) -> Result<(), Error> {
        if model == qingyu_offline::NAME {
            return Ok(());
        }
        if let Some(played) = Played::of(model) {
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

    /// The provider of this name.
    ///
    /// Fails with [`Error::UnknownModel`] naming those that there are.
    pub(crate) fn provider(&self, name: &str) -> Result<&Provider, Error> {
        let providers = || self.providers.iter().map(|provider| provider.name.clone()).collect();
        self.providers.get(name).map_err(|_| Error::UnknownModel { model: name.into(), providers: providers() })
    }

    /// The prices, with models on this machine for nothing.
    pub(crate) fn prices(&self, chosen: &Chosen) -> Result<Prices, Error> {
        let mut prices = Prices::with_overrides(&self.effective.values.prices)
            .map_err(|error| self.effective.bad("prices", error.to_string()))?;
        for model in chosen.models() {
            if Played::of(model).is_some() {
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

    /// Opens the models in their layers. They count into one ledger.
    pub(crate) fn open(&self, chosen: &Chosen, ledger: Ledger) -> Result<Models, Error> {
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
        let mut models = Models::new(with_fallbacks(&chosen.default.model));
        for (role, model) in &chosen.roles {
            let model = with_fallbacks(model);
            for route in routes(role) {
                models = models.route(route, Arc::clone(&model));
            }
        }
        let efforts = Arc::new(self.efforts());
        Ok(models.wrapped(|model| Arc::new(Efforts::new(Arc::clone(model), Arc::clone(&efforts)))))
    }

    /// How hard is thought for each purpose, by the roles that ask.
    fn efforts(&self) -> BTreeMap<String, Effort> {
        let roles = self.effective.values.models.effort.iter();
        roles.flat_map(|(role, effort)| routes(role).into_iter().map(|route| (route.to_owned(), *effort))).collect()
    }

    /// One model with the layers that are its own.
    fn single(&self, client: &Client, model: &str, ledger: &Arc<Ledger>) -> Result<Arc<dyn ChatModel>, Error> {
        let counted = |model: Arc<dyn ChatModel>| Stack::new(model).budget(Arc::clone(ledger));
        let bare = self.bare(client, model)?;
        if self.providers.resolve(model).is_err() {
            return Ok(counted(bare).build());
        }
        let values = &self.effective.values;
        let rate = Rate { requests: values.limits.requests_per_minute, tokens: values.limits.tokens_per_minute };
        let retrying = Retrying {
            attempts: values.retries.attempts,
            first_wait: Duration::from_secs_f64(values.retries.first_wait),
            longest_wait: Duration::from_secs_f64(values.retries.longest_wait),
        };
        Ok(counted(bare).rate(rate).retry(retrying).breaker(Breaking::default()).build())
    }

    /// One model without any layers.
    pub(crate) fn bare(&self, client: &Client, model: &str) -> Result<Arc<dyn ChatModel>, Error> {
        if model == qingyu_offline::NAME {
            return Ok(Arc::new(qingyu_offline::model()));
        }
        if let Some(played) = Played::of(model) {
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

    /// The recording of a model that plays one.
    fn recording(&self, model: &str, played: Played<'_>) -> Result<Arc<Recording>, Error> {
        let mut read = self.recordings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(recording) = read.get(model) {
            return Ok(Arc::clone(recording));
        }
        let recording = match played {
            Played::File(path) => open(path, path.to_path_buf())?,
            Played::Run(run) => {
                let file = cassettes::file(self.home, run);
                // Callers from afar are not told where the data folder is.
                open(&file, PathBuf::from(file.file_name().unwrap_or_default()))?
            }
        };
        let recording = Arc::new(recording);
        read.insert(model.to_owned(), Arc::clone(&recording));
        Ok(recording)
    }

    /// What a run may spend.
    pub(crate) fn budget(&self) -> Budget {
        let values::Budget { tokens, money, currency, .. } = &self.effective.values.budget;
        limits(*tokens, *money, currency.as_deref())
    }

    /// Whether token budgets hold for models that are free.
    pub(crate) fn free_models(&self) -> FreeModels {
        match self.effective.values.budget.free_models {
            true => FreeModels::Limited,
            false => FreeModels::Unlimited,
        }
    }

    /// What all runs of a day may spend; none if nothing limits it.
    pub(crate) fn day_budget(&self) -> Option<Budget> {
        let values::Budget { per_day_tokens, per_day_money, currency, .. } = &self.effective.values.budget;
        let is_set = per_day_tokens.is_some() || per_day_money.is_some();
        is_set.then(|| limits(*per_day_tokens, *per_day_money, currency.as_deref()))
    }

    pub(crate) fn client(&self) -> Client {
        let timeouts = self.effective.values.timeouts;
        Client::new(Limits {
            connect: Duration::from_secs(timeouts.connect),
            idle: Duration::from_secs(timeouts.idle),
            ..Limits::default()
        })
    }

    /// The providers, what is set up, and who serves which role.
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

    fn row(&self, provider: &qingyu_llm::Provider, found: &[Found]) -> ModelRow {
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

/// The row of a model that no provider serves.
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

/// The day from which on the vendor refuses `model`, if that is near or over.
pub(crate) fn retirement(model: &str) -> Option<Date> {
    let day = Catalogue::built_in().get(model)?.retires?;
    let warned_from = day.checked_sub(jiff::Span::new().days(WARNED_DAYS)).unwrap_or(day);
    (today() >= warned_from).then_some(day)
}

/// How many days before a model is retired this is told.
const WARNED_DAYS: i64 = 60;

/// The day in UTC: vendors name days without a place.
fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}

/// How many models are named beside one that is not there.
const NAMED: usize = 20;

/// Whether a model of this name plays a file or a recording.
pub(crate) fn plays(model: &str) -> bool {
    model.starts_with(CASSETTE) || model.starts_with(RECORDING)
}

/// What a model plays instead of asking anybody.
#[derive(Debug, Clone, Copy)]
enum Played<'m> {
    /// A file of the machine, such as `cassette:samples/zh/correction.jsonl`. The layers of settings hold such a name only if the
    /// machine's own user gave it; see [`RequestSettings`](crate::settings::RequestSettings).
    File(&'m Path),
    /// The recording of a run, such as `recording:r-1a2b`.
    Run(&'m str),
}

impl<'m> Played<'m> {
    /// What the model of this name plays; nothing if a server is asked.
    fn of(model: &'m str) -> Option<Self> {
        let file = model.strip_prefix(CASSETTE).map(|path| Self::File(Path::new(path)));
        file.or_else(|| {
            let run = model.strip_prefix(RECORDING)?;
            run.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-').then_some(Self::Run(run))
        })
    }
}

/// Reads the cassette at `path`, which failures call `told`.
fn open(path: &Path, told: PathBuf) -> Result<Recording, Error> {
    let read = text_of(path).and_then(|text| Recording::parse(&text).map_err(|error| error.to_string()));
    read.map_err(|message| Error::BadCassette { path: told, message })
}

/// Settings are checked: money is a number from 0 up, and has a currency.
fn limits(tokens: Option<u64>, money: Option<f64>, currency: Option<&str>) -> Budget {
    let money = money.zip(currency);
    Budget {
        tokens,
        money: money.map(|(money, currency)| Cost { micros: (money * 1e6).round() as u64, currency: currency.into() }),
    }
}

/// The first model of a server on this machine that can chat.
fn local_model(found: &[Found], name: &str) -> Option<ModelChoice> {
    let found = found.iter().find(|found| found.provider.name == name)?;
    let model = found.models.iter().find(|model| !model.to_lowercase().contains("embed"))?;
    let why = ModelReason::LocalServer { url: found.provider.base_url.clone() };
    Some(ModelChoice { model: format!("{name}/{model}"), why })
}

/// The routes of a role: the purposes that its model serves, by their beginnings.
pub(crate) fn routes(role: &str) -> Vec<&str> {
    match role {
        "planner" => vec!["plan"],
        // Whoever writes a chapter does not judge it.
        "writer" => vec!["chapter.understand", "chapter.generate", "chapter.seams", "chapter.fix", "creative"],
        "review" => vec!["review", "chapter.review"],
        "settle" => vec!["chapter.settle"],
        role => vec![role],
    }
}

//! Whether the models that a run would ask can be asked.

use std::time::Duration;

use futures::future::join_all;
use qingyu_llm::model::drain;
use qingyu_llm::probe::probe_loopback;
use qingyu_llm::{Client, Key, Limits, Message, Provider, Request};
use serde_json::{Value, json};

use super::{Reach, failed, row};
use crate::roster::{Chosen, Roster};
use crate::{CheckRow, CheckState, Error, Settings, failures};

/// How long a server may take for one of its answers.
const PATIENCE: Duration = Duration::from_secs(20);
/// The most tokens of an answer that only shows that there is one. Thinking models refuse a limit that is too small.
const FEW_TOKENS: u32 = 16;
/// How many models are named beside one that is not there.
const NAMED: usize = 20;

/// How a model was tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trial {
    /// Its server took the key and lists it.
    Listed,
    /// It answered.
    Answered,
    /// It is part of this program, or of a file that was read.
    Here,
    /// Nobody was asked.
    NotTried,
}

impl Trial {
    fn name(self) -> &'static str {
        match self {
            Self::Listed => "listed",
            Self::Answered => "answered",
            Self::Here => "here",
            Self::NotTried => "no",
        }
    }
}

/// The checks of keys, of servers on this machine, and of every model that a run may ask.
pub(super) async fn checks(settings: &Settings, reach: Reach) -> Vec<CheckRow> {
    let environment = settings.environment();
    let effective = match settings.effective(None) {
        Ok(effective) => effective,
        Err(error) => return vec![failed("model", &error, json!({}))],
    };
    let roster = match Roster::new(&effective, environment) {
        Ok(roster) => roster,
        Err(error) => return vec![failed("model", &error, json!({}))],
    };
    let found = probe_loopback(&roster.providers).await;
    let servers: Vec<Value> = found
        .iter()
        .map(|found| json!({"provider": found.provider.name, "url": found.provider.base_url, "models": found.models}))
        .collect();
    let local_servers = row("local_servers", CheckState::Ok, json!({"servers": servers}));
    let chosen = match roster.choose().await {
        Ok(chosen) => chosen,
        Err(error) => return vec![keys(&roster, &[]), local_servers, failed("model", &error, json!({}))],
    };
    let tried = try_all(&roster, &chosen, reach).await;
    let models = tried.iter().map(|(model, trial)| model_row(&chosen, model, trial));
    [keys(&roster, &tried), local_servers].into_iter().chain(models).collect()
}

type Tried<'a> = (&'a str, Result<Trial, Error>);

/// The default model first.
async fn try_all<'a>(roster: &Roster<'_>, chosen: &'a Chosen, reach: Reach) -> Vec<Tried<'a>> {
    let default = chosen.default.model.as_str();
    let others = chosen.models().into_iter().filter(|model| *model != default);
    let client = Client::new(Limits { connect: PATIENCE, idle: PATIENCE, ..Limits::default() });
    let trials = std::iter::once(default).chain(others).map(|model| {
        let client = client.clone();
        async move { (model, try_model(roster, &client, model, reach).await) }
    });
    join_all(trials).await
}

async fn try_model(roster: &Roster<'_>, client: &Client, model: &str, reach: Reach) -> Result<Trial, Error> {
    let Ok((provider, name)) = roster.providers.resolve(model) else { return Ok(Trial::Here) };
    if reach == Reach::ThisMachine {
        return Ok(Trial::NotTried);
    }
    let key = provider.key_variable.as_ref().and_then(|variable| roster.environment.get(variable)).map(Key::from);
    let listed = client.models(provider, key.as_ref()).await;
    match &listed {
        Ok(models) if has(models, name) && guards_its_list(client, provider).await => return Ok(Trial::Listed),
        Err(error) if says_enough(error) => return Err(failures::model(error)),
        // What a list leaves out may be there under another name, and not every server has a list.
        Ok(_) | Err(_) => {}
    }
    let request = Request {
        purpose: "doctor".into(),
        messages: vec![Message::user("1")],
        max_tokens: Some(FEW_TOKENS),
        ..Request::default()
    };
    let opened = client.chat(provider, name, key.as_ref()).map_err(|error| failures::model(&error))?;
    let answer = async { drain(opened.stream(&request).await?).await };
    match (answer.await, listed) {
        (Ok(_), _) => Ok(Trial::Answered),
        (Err(qingyu_llm::Error::Http { status: 400 | 404, .. }), Ok(models)) if !has(&models, name) => {
            let (model, provider) = (model.to_owned(), provider.name.clone());
            Err(Error::ModelNotServed { model, provider, models: models.into_iter().take(NAMED).collect() })
        }
        (Err(error), _) => Err(failures::model(&error)),
    }
}

/// Whether a list has the model. Gemini's begins every name with `models/`.
fn has(models: &[String], name: &str) -> bool {
    models.iter().any(|model| model == name || model.strip_prefix("models/") == Some(name))
}

/// Whether a server shows its list to nobody without a key, so that the list shows that the key is good.
async fn guards_its_list(client: &Client, provider: &Provider) -> bool {
    if provider.key_variable.is_none() {
        return true;
    }
    let anonymous = Provider { key_variable: None, ..provider.clone() };
    client.models(&anonymous, None).await.is_err()
}

/// Whether the same would come of a call of the model.
fn says_enough(error: &qingyu_llm::Error) -> bool {
    use qingyu_llm::Error as Llm;
    matches!(error, Llm::Http { status: 401 | 403 | 429 | 500.., .. } | Llm::NoCredit { .. } | Llm::Transport { .. })
}

fn model_row(chosen: &Chosen, model: &str, trial: &Result<Trial, Error>) -> CheckRow {
    let mut data = json!({"model": model});
    let is_default = model == chosen.default.model;
    if is_default {
        data["why"] = json!(chosen.default.why);
        data["roles"] = json!(chosen.roles);
    }
    let trial = match trial {
        Ok(trial) => *trial,
        Err(error) => return failed("model", error, data),
    };
    data["tried"] = trial.name().into();
    let state = match trial {
        Trial::NotTried => CheckState::NotTried,
        Trial::Here if is_default && model == qingyu_offline::NAME => CheckState::Warning,
        Trial::Listed | Trial::Answered | Trial::Here => CheckState::Ok,
    };
    row("model", state, data)
}

/// Which keys are set. A key is good once a server has taken it.
fn keys(roster: &Roster<'_>, tried: &[Tried<'_>]) -> CheckRow {
    let set: Vec<(&Provider, &str)> = roster
        .providers
        .iter()
        .filter_map(|provider| Some((provider, provider.key_variable.as_deref()?)))
        .filter(|(_, variable)| roster.environment.get(variable).is_some())
        .collect();
    let is_taken = |provider: &Provider| {
        tried.iter().any(|(model, trial)| {
            let is_its = roster.providers.resolve(model).is_ok_and(|(its, _)| its.name == provider.name);
            is_its && matches!(trial, Ok(Trial::Listed | Trial::Answered))
        })
    };
    let all_taken = set.iter().all(|(provider, _)| is_taken(provider));
    let state = if all_taken { CheckState::Ok } else { CheckState::NotTried };
    let variables: Vec<&str> = set.iter().map(|(_, variable)| *variable).collect();
    let taken: Vec<&str> = set.iter().filter(|(its, _)| is_taken(its)).map(|(_, variable)| *variable).collect();
    row("keys", state, json!({"variables": variables, "taken": taken}))
}

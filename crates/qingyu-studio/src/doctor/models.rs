//! Whether the models that a run would ask can be asked.

use std::time::Duration;

use futures::future::join_all;
use qingyu_llm::model::drain;
use qingyu_llm::probe::probe_loopback;
use qingyu_llm::{Client, Effort, Limits, Message, Provider, Request};
use serde_json::{Value, json};

use super::{Reach, failed, row};
use crate::roster::{Chosen, Roster, retirement};
use crate::{CheckRow, CheckState, Error, Settings, failures};

/// How long a server may take for one of its answers.
const PATIENCE: Duration = Duration::from_secs(20);
/// The most tokens of an answer that only shows that there is one. Thinking models refuse a limit that is too small.
const FEW_TOKENS: u32 = 16;

/// How a model was tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trial {
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
            Self::Answered => "answered",
            Self::Here => "here",
            Self::NotTried => "no",
        }
    }
}

/// The checks of keys, of servers on this machine, and of every model that a run may ask.
pub(super) async fn checks(settings: &Settings, reach: Reach) -> Vec<CheckRow> {
    let effective = match settings.effective(None) {
        Ok(effective) => effective,
        Err(error) => return vec![failed("model", &error, json!({}))],
    };
    let roster = match Roster::new(&effective, settings) {
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

/// Asks the model for a few tokens: a list of models shows neither that the key is good nor that the model answers.
async fn try_model(roster: &Roster<'_>, client: &Client, model: &str, reach: Reach) -> Result<Trial, Error> {
    if roster.providers.resolve(model).is_err() {
        return Ok(Trial::Here);
    }
    if reach == Reach::ThisMachine {
        return Ok(Trial::NotTried);
    }
    let request = Request {
        purpose: "doctor".into(),
        messages: vec![Message::user("1")],
        max_tokens: Some(FEW_TOKENS),
        effort: Some(Effort::Off),
        ..Request::default()
    };
    let opened = roster.bare(client, model)?;
    let answer = async { drain(opened.stream(&request).await?).await };
    answer.await.map(|_| Trial::Answered).map_err(|error| failures::model(&error))
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
    let retires = retirement(model);
    if let Some(day) = retires {
        data["retires"] = day.to_string().into();
    }
    let state = match trial {
        _ if retires.is_some() => CheckState::Warning,
        Trial::NotTried => CheckState::NotTried,
        Trial::Here if is_default && model == qingyu_offline::NAME => CheckState::Warning,
        Trial::Answered | Trial::Here => CheckState::Ok,
    };
    row("model", state, data)
}

/// Which keys are set. A key is good once a server has taken it.
fn keys(roster: &Roster<'_>, tried: &[Tried<'_>]) -> CheckRow {
    let set: Vec<(&Provider, &str)> = roster
        .providers
        .iter()
        .filter_map(|provider| Some((provider, provider.key_variable.as_deref()?)))
        .filter(|(provider, _)| roster.keys.source(provider).is_some())
        .collect();
    let is_taken = |provider: &Provider| {
        tried.iter().any(|(model, trial)| {
            let is_its = roster.providers.resolve(model).is_ok_and(|(its, _)| its.name == provider.name);
            is_its && matches!(trial, Ok(Trial::Answered))
        })
    };
    let all_taken = set.iter().all(|(provider, _)| is_taken(provider));
    let state = if all_taken { CheckState::Ok } else { CheckState::NotTried };
    let variables: Vec<&str> = set.iter().map(|(_, variable)| *variable).collect();
    let taken: Vec<&str> = set.iter().filter(|(its, _)| is_taken(its)).map(|(_, variable)| *variable).collect();
    row("keys", state, json!({"variables": variables, "taken": taken}))
}

//! Checks of the models used by runs.

use std::time::Duration;

use futures::future::join_all;
use qingyu_llm::model::drain;
use qingyu_llm::probe::probe_loopback;
use qingyu_llm::{ChatMessage, ChatRequest, ClientLimits, Effort, LlmClient, Provider};
use serde_json::{Value, json};

use crate::diagnostics::check::{CheckRow, CheckState, DoctorReach, failed, row};
use crate::error::{Error, failures};
use crate::models::roster::{ModelRoster, retirement};
use crate::models::selection::ModelSelection;
use crate::settings::layers::Settings;

/// The timeout of a server for an answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// The maximum number of tokens of a test answer. Reasoning models reject smaller limits.
const FEW_TOKENS: u32 = 16;

/// The result of trying a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ModelCheckOutcome {
    /// The model answered.
    Answered,
    /// The model is built in, or plays a file.
    Here,
    /// The model was not called.
    NotTried,
}

impl ModelCheckOutcome {
    fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Here => "here",
            Self::NotTried => "no",
        }
    }
}

/// Returns the checks of keys, of servers on this machine, and of every model used by runs.
pub(crate) async fn checks(settings: &Settings, reach: DoctorReach) -> Vec<CheckRow> {
    let effective = match settings.effective(None) {
        Ok(effective) => effective,
        Err(error) => return vec![failed("model", &error, json!({}))],
    };
    let roster = match ModelRoster::new(&effective, settings) {
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

type CheckedModel<'a> = (&'a str, Result<ModelCheckOutcome, Error>);

/// Tries the default model first.
async fn try_all<'a>(
    roster: &ModelRoster<'_>,
    chosen: &'a ModelSelection,
    reach: DoctorReach,
) -> Vec<CheckedModel<'a>> {
    let default = chosen.default.model.as_str();
    let others = chosen.models().into_iter().filter(|model| *model != default);
    let client = LlmClient::new(ClientLimits { connect: PATIENCE, idle: PATIENCE, ..ClientLimits::default() });
    let trials = std::iter::once(default).chain(others).map(|model| {
        let client = client.clone();
        async move { (model, try_model(roster, &client, model, reach).await) }
    });
    join_all(trials).await
}

/// Asks the model for a few tokens: a model list proves neither a valid key nor a working model.
async fn try_model(
    roster: &ModelRoster<'_>,
    client: &LlmClient,
    model: &str,
    reach: DoctorReach,
) -> Result<ModelCheckOutcome, Error> {
    if roster.providers.resolve(model).is_err() {
        return Ok(ModelCheckOutcome::Here);
    }
    if reach == DoctorReach::ThisMachine {
        return Ok(ModelCheckOutcome::NotTried);
    }
    let request = ChatRequest {
        purpose: "doctor".into(),
        messages: vec![ChatMessage::user("1")],
        max_tokens: Some(FEW_TOKENS),
        effort: Some(Effort::Off),
        ..ChatRequest::default()
    };
    let opened = roster.bare(client, model)?;
    let answer = async { drain(opened.stream(&request).await?).await };
    answer.await.map(|_| ModelCheckOutcome::Answered).map_err(|error| failures::model(&error))
}

fn model_row(chosen: &ModelSelection, model: &str, trial: &Result<ModelCheckOutcome, Error>) -> CheckRow {
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
        ModelCheckOutcome::NotTried => CheckState::NotTried,
        ModelCheckOutcome::Here if is_default && model == qingyu_offline::NAME => CheckState::Warning,
        ModelCheckOutcome::Answered | ModelCheckOutcome::Here => CheckState::Ok,
    };
    row("model", state, data)
}

/// Checks the keys. A key counts as valid once a server has accepted it.
fn keys(roster: &ModelRoster<'_>, tried: &[CheckedModel<'_>]) -> CheckRow {
    let set: Vec<(&Provider, &str)> = roster
        .providers
        .iter()
        .filter_map(|provider| Some((provider, provider.key_variable.as_deref()?)))
        .filter(|(provider, _)| roster.keys.source(provider).is_some())
        .collect();
    let is_taken = |provider: &Provider| {
        tried.iter().any(|(model, trial)| {
            let is_its = roster.providers.resolve(model).is_ok_and(|(its, _)| its.name == provider.name);
            is_its && matches!(trial, Ok(ModelCheckOutcome::Answered))
        })
    };
    let all_taken = set.iter().all(|(provider, _)| is_taken(provider));
    let state = if all_taken { CheckState::Ok } else { CheckState::NotTried };
    let variables: Vec<&str> = set.iter().map(|(_, variable)| *variable).collect();
    let taken: Vec<&str> = set.iter().filter(|(its, _)| is_taken(its)).map(|(_, variable)| *variable).collect();
    row("keys", state, json!({"variables": variables, "taken": taken}))
}

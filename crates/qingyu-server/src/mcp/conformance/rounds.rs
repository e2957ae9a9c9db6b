//! Questions to the client, one round after the other. What was answered travels with the client, sealed.

use rmcp::RoleServer;
use rmcp::model::{
    ClientCapabilities, ErrorData, InputRequest, InputRequests, InputRequiredResult, InputResponses, JsonObject,
    RequestStateCodec,
};
use rmcp::service::RequestContext;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::data::DATA;

/// What comes next.
pub(super) enum Round {
    /// The client shall ask this, and come back.
    Ask(InputRequiredResult),
    /// All was answered.
    Done(JsonObject),
}

/// Seals and opens what clients carry.
pub(super) struct Rounds(RequestStateCodec);

#[derive(Serialize, Deserialize)]
struct State {
    name: String,
    round: usize,
    answers: JsonObject,
}

impl Default for Rounds {
    fn default() -> Self {
        let key = [Uuid::new_v4(), Uuid::new_v4()].map(Uuid::into_bytes).concat();
        Self(RequestStateCodec::new(key))
    }
}

impl Rounds {
    /// Takes the answers to the round that `state` is of, the first one if there is no state, and gives what comes next.
    /// A round that is not answered as it was asked is asked again.
    pub(super) fn next(
        &self,
        name: &str,
        state: Option<&str>,
        answers: &InputResponses,
        context: &RequestContext<RoleServer>,
    ) -> Result<Round, ErrorData> {
        let foreign = |_| ErrorData::invalid_params("the request state is none that was given out here", None);
        let mut state = match state {
            Some(sealed) => self.0.open_json::<State>(sealed).map_err(foreign)?,
            None => State { name: name.to_owned(), round: 0, answers: JsonObject::new() },
        };
        if state.name != name {
            return Err(ErrorData::invalid_params("the request state belongs to another request", None));
        }
        let rounds = DATA.rounds.get(name).map(Vec::as_slice).unwrap_or_default();
        let can = context.client_capabilities().unwrap_or_default();
        let asked = |round: usize| rounds.get(round).map(|requests| possible(requests, &can));
        if let Some(requests) = asked(state.round)
            && let Some(taken) = taken(&requests, answers)
        {
            state.answers.extend(taken);
            state.round += 1;
        }
        let Some(requests) = asked(state.round) else { return Ok(Round::Done(state.answers)) };
        let sealed = self.0.seal_json(&state).map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(Round::Ask(InputRequiredResult::new(Some(requests), Some(sealed))))
    }
}

/// The requests that the client can carry out.
fn possible(requests: &InputRequests, can: &ClientCapabilities) -> InputRequests {
    let can = |request: &InputRequest| match request {
        InputRequest::CreateMessage(_) => can.sampling.is_some(),
        InputRequest::Elicitation(_) => can.elicitation.is_some(),
        InputRequest::ListRoots(_) => can.roots.is_some(),
        _ => false,
    };
    requests.iter().filter(|(_, request)| can(request)).map(|(key, request)| (key.clone(), request.clone())).collect()
}

/// The answers, if each request has one that fits it.
fn taken(requests: &InputRequests, answers: &InputResponses) -> Option<JsonObject> {
    let mut taken = JsonObject::new();
    for (key, request) in requests {
        let answer = answers.get(key)?;
        match request {
            InputRequest::Elicitation(asked) => taken.extend(form(&serde_json::to_value(&asked.params).ok()?, answer)?),
            InputRequest::CreateMessage(_) => {
                let text = answer["content"]["text"].as_str().or_else(|| answer["content"][0]["text"].as_str())?;
                taken.insert(key.clone(), text.into());
            }
            _ => {
                let roots = answer["roots"].as_array()?;
                taken.insert(key.clone(), roots.clone().into());
            }
        }
    }
    Some(taken)
}

/// What was put into a form, if it was filled as it wants to be.
fn form(asked: &Value, answer: &Value) -> Option<JsonObject> {
    let content = answer["content"].as_object().filter(|_| answer["action"] == "accept")?;
    let fits = |(name, field): (&String, &Value)| match field["type"].as_str() {
        Some("boolean") => content.get(name).is_some_and(Value::is_boolean),
        _ => content.get(name).is_some_and(Value::is_string),
    };
    asked["requestedSchema"]["properties"].as_object()?.iter().all(fits).then(|| content.clone())
}

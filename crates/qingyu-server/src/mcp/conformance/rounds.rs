//! Multi-round questions to the client. The answers so far are stored by the client, sealed.

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

/// The next step of a question.
pub(super) enum Round {
    /// The client must answer and retry.
    Ask(InputRequiredResult),
    /// All rounds are answered.
    Done(JsonObject),
}

/// A codec sealing and opening the state stored by clients.
pub(super) struct QuestionRounds(RequestStateCodec);

#[derive(Serialize, Deserialize)]
struct RoundState {
    name: String,
    round: usize,
    answers: JsonObject,
}

impl Default for QuestionRounds {
    fn default() -> Self {
        let key = [Uuid::new_v4(), Uuid::new_v4()].map(Uuid::into_bytes).concat();
        Self(RequestStateCodec::new(key))
    }
}

impl QuestionRounds {
    /// Validates the answers to the round in `state` (default: the first round) and returns the next step. An invalid
    /// answer repeats the round.
    pub(super) fn next(
        &self,
        name: &str,
        state: Option<&str>,
        answers: &InputResponses,
        context: &RequestContext<RoleServer>,
    ) -> Result<Round, ErrorData> {
        let foreign = |_| ErrorData::invalid_params("the request state is none that was given out here", None);
        let mut state = match state {
            Some(sealed) => self.0.open_json::<RoundState>(sealed).map_err(foreign)?,
            None => RoundState { name: name.to_owned(), round: 0, answers: JsonObject::new() },
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

/// Returns the requests supported by the client.
fn possible(requests: &InputRequests, can: &ClientCapabilities) -> InputRequests {
    let can = |request: &InputRequest| match request {
        InputRequest::CreateMessage(_) => can.sampling.is_some(),
        InputRequest::Elicitation(_) => can.elicitation.is_some(),
        InputRequest::ListRoots(_) => can.roots.is_some(),
        _ => false,
    };
    requests.iter().filter(|(_, request)| can(request)).map(|(key, request)| (key.clone(), request.clone())).collect()
}

/// Returns the answers if each request has a valid one.
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

/// Returns the values of a form if valid.
fn form(asked: &Value, answer: &Value) -> Option<JsonObject> {
    let content = answer["content"].as_object().filter(|_| answer["action"] == "accept")?;
    let fits = |(name, field): (&String, &Value)| match field["type"].as_str() {
        Some("boolean") => content.get(name).is_some_and(Value::is_boolean),
        _ => content.get(name).is_some_and(Value::is_string),
    };
    asked["requestedSchema"]["properties"].as_object()?.iter().all(fits).then(|| content.clone())
}

//! A trial of a model: a short text and a small JSON answer.
//!
//! A provider may list a model and still refuse it, or accept a key without credit: only a call proves that the model
//! works.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::civil::Date;
use qingyu_llm::model::drain;
use qingyu_llm::stack::{ModelRetrySettings, RetryModel};
use qingyu_llm::{
    ChatMessage, ChatModel, ChatRequest, ClientLimits, Effort, LlmClient, StructuredOptions, Usage, structured,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::record::FailureRecord;
use crate::error::{Error, failures};
use crate::models::model_keys::KeySource;
use crate::models::roster::{ModelRoster, plays};

/// The timeout of a model for an answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// The maximum number of tokens of an answer; reasoning cannot be disabled for every model.
const FEW_TOKENS: u32 = 2_000;
/// The number of characters shown of an answer.
const SHOWN: usize = 80;

/// The result of a model trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelTrial {
    /// The name of the called model.
    pub model: String,
    /// The called address; empty for built-in models.
    pub address: String,
    /// The source of the key; `None` without a key.
    pub key: Option<KeySource>,
    /// Whether both answers arrived.
    pub works: bool,
    /// The retirement date, if given by the vendor.
    #[schemars(with = "Option<String>")]
    pub retires: Option<Date>,
    /// The text answer.
    pub text: TrialAnswer,
    /// The JSON answer; `None` if the text answer failed.
    pub json: Option<TrialAnswer>,
}

/// An answer of a model trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrialAnswer {
    /// The beginning of the answer; empty after a failure.
    pub said: String,
    /// The duration in milliseconds.
    pub millis: u64,
    /// The tokens of request and answer.
    pub usage: Usage,
    /// The failure, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureRecord>,
}

/// The JSON answer expected from the model.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Greeting {
    /// A single word.
    word: String,
    /// The number of letters or characters in the word.
    letters: u32,
}

impl ModelRoster<'_> {
    /// Asks `model` for a few words and a small JSON value.
    ///
    /// Failures of the provider are part of the result; returns an error only if the model cannot be called at all.
    pub(crate) async fn try_model(&self, model: &str) -> Result<ModelTrial, Error> {
        // File names are for the machine's own user only, and a recording needs no trial.
        if plays(model) {
            let providers = self.providers.iter().map(|provider| provider.name.clone()).collect();
            return Err(Error::UnknownModel { model: model.into(), providers });
        }
        let name = self.resolved(model).await?;
        self.check(&name)?;
        let row = self.providers.resolve(&name).ok().map(|(provider, _)| provider);
        let client = LlmClient::new(ClientLimits { connect: PATIENCE, idle: PATIENCE, ..ClientLimits::default() });
        let once =
            RetryModel { attempts: 2, first_wait: Duration::from_millis(200), longest_wait: Duration::from_secs(2) };
        let opened: Arc<dyn ChatModel> = Arc::new(ModelRetrySettings::new(self.bare(&client, &name)?, once));
        let text = answered(async { say(&*opened).await }).await;
        let json = match text.failure {
            None if row.is_some() => Some(answered(async { greet(&*opened).await }).await),
            _ => None,
        };
        Ok(ModelTrial {
            address: row.map(|row| row.base_url.clone()).unwrap_or_default(),
            key: row.and_then(|row| self.keys.source(row)),
            works: text.failure.is_none() && json.as_ref().is_none_or(|json| json.failure.is_none()),
            retires: qingyu_llm::Catalogue::built_in().retirement(&name),
            model: name,
            text,
            json,
        })
    }
}

async fn answered(answer: impl Future<Output = Result<(String, Usage), qingyu_llm::Error>>) -> TrialAnswer {
    let begun = Instant::now();
    let outcome = answer.await;
    let millis = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    match outcome {
        Ok((said, usage)) => {
            let said = said.trim().chars().take(SHOWN).collect();
            TrialAnswer { said, millis, usage, failure: None }
        }
        Err(error) => {
            let failure = Some(failures::model(&error).failure());
            TrialAnswer { said: String::new(), millis, usage: Usage::default(), failure }
        }
    }
}

fn request(words: &str) -> ChatRequest {
    ChatRequest {
        purpose: "trial".into(),
        messages: vec![ChatMessage::user(words)],
        max_tokens: Some(FEW_TOKENS),
        effort: Some(Effort::Off),
        ..ChatRequest::default()
    }
}

async fn say(model: &dyn ChatModel) -> Result<(String, Usage), qingyu_llm::Error> {
    let request = request("用十个字以内说一句雪夜的话。 (One short sentence about a snowy night.)");
    let reply = drain(model.stream(&request).await?).await?;
    match reply.text.trim().is_empty() {
        true => Err(qingyu_llm::Error::empty(&reply, &request.purpose)),
        false => Ok((reply.text, reply.usage)),
    }
}

async fn greet(model: &dyn ChatModel) -> Result<(String, Usage), qingyu_llm::Error> {
    let request = request("Name one word of snow, and how many letters it has, as JSON.");
    let once = StructuredOptions { max_attempts: 1, ..StructuredOptions::default() };
    let answer = structured::ask_with::<Greeting>(model, request, &once, &mut |_| {}).await?;
    Ok((answer.raw, answer.usage))
}

//! Trying a model: one small text and one small JSON answer, with what came back.
//!
//! A provider may list a model and refuse it, and take a key that has nothing to pay with: only asking shows what works.

use std::time::{Duration, Instant};

use jiff::civil::Date;
use qingyu_llm::model::drain;
use qingyu_llm::stack::{Retry, Retrying};
use qingyu_llm::{Ask, ChatModel, Client, Effort, Limits, Message, Request, Usage, structured};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

use crate::roster::{Roster, plays};
use crate::{Error, Failure, KeySource, failures};

/// How long a model may take for one of its answers.
const PATIENCE: Duration = Duration::from_secs(60);
/// The most tokens of an answer. What thinks cannot be stopped from it everywhere.
const FEW_TOKENS: u32 = 2_000;
/// How much of an answer is shown, in characters.
const SHOWN: usize = 80;

/// What came of trying a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelTrial {
    /// The model that was asked, by its own name.
    pub model: String,
    /// The address that was asked; empty for the models of this program.
    pub address: String,
    /// Where its key comes from; none if it has none.
    pub key: Option<KeySource>,
    /// Whether both answers came.
    pub works: bool,
    /// When it is retired, if its vendor says.
    #[schemars(with = "Option<String>")]
    pub retires: Option<Date>,
    /// The answer in words.
    pub text: TrialAnswer,
    /// The answer in JSON; none if no words came.
    pub json: Option<TrialAnswer>,
}

/// One answer of a trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrialAnswer {
    /// Its beginning; empty if there was none.
    pub said: String,
    /// How long it took, in milliseconds.
    pub millis: u64,
    /// The tokens of request and answer.
    pub usage: Usage,
    /// Why there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}

/// What the model is to answer in JSON.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Greeting {
    /// One word.
    word: String,
    /// How many letters or characters the word has.
    letters: u32,
}

impl Roster<'_> {
    /// Asks `model` for a few words and a small JSON value.
    ///
    /// What the provider answers is part of the result; fails only if the model is not one that could be asked.
    pub(crate) async fn try_model(&self, model: &str) -> Result<ModelTrial, Error> {
        // Names of files are for the machine's own user, and there is nothing to try in a recording.
        if plays(model) {
            let providers = self.providers.iter().map(|provider| provider.name.clone()).collect();
            return Err(Error::UnknownModel { model: model.into(), providers });
        }
        let name = self.resolved(model).await?;
        self.check(&name)?;
        let row = self.providers.resolve(&name).ok().map(|(provider, _)| provider);
        let client = Client::new(Limits { connect: PATIENCE, idle: PATIENCE, ..Limits::default() });
        let once =
            Retrying { attempts: 2, first_wait: Duration::from_millis(200), longest_wait: Duration::from_secs(2) };
        let opened: Arc<dyn ChatModel> = Arc::new(Retry::new(self.bare(&client, &name)?, once));
        let text = answered(async { say(&*opened).await }).await;
        let json = match text.failure {
            None if row.is_some() => Some(answered(async { greet(&*opened).await }).await),
            _ => None,
        };
        Ok(ModelTrial {
            address: row.map(|row| row.base_url.clone()).unwrap_or_default(),
            key: row.and_then(|row| self.keys.source(row)),
            works: text.failure.is_none() && json.as_ref().is_none_or(|json| json.failure.is_none()),
            retires: qingyu_llm::Catalogue::built_in().get(&name).and_then(|known| known.retires),
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

fn request(words: &str) -> Request {
    Request {
        purpose: "trial".into(),
        messages: vec![Message::user(words)],
        max_tokens: Some(FEW_TOKENS),
        effort: Some(Effort::Off),
        ..Request::default()
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
    let once = Ask { max_attempts: 1, ..Ask::default() };
    let answer = structured::ask_with::<Greeting>(model, request, &once, &mut |_| {}).await?;
    Ok((answer.raw, answer.usage))
}

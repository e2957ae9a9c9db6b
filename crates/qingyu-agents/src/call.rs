//! One model call of a node: asked, counted, told, and paid for once.

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::{StreamExt, stream};
use qingyu_graph::{Context, NodeError, Write};
use qingyu_llm::Error as ModelError;
use qingyu_llm::structured::{Answer, Ask, Check, ask_with, schema_of};
use qingyu_llm::{Attribution, ChatModel, Event, Finish, Message, OutputSchema, Reply, Request, Substitution, Usage};
use qingyu_production::GoldenContext;
use qingyu_story::Language;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::progress::Progress;
use crate::prompts::Name;
use crate::{Error, Workshop};

/// How long streamed text is gathered before it is shown.
const OFTEN: Duration = Duration::from_millis(40);
/// How many bytes of it are gathered at most.
const MOST_TEXT: usize = 1024;

/// One model call, as it is kept for the trace.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CallRecord {
    /// The key under which its answer is stored.
    pub key: String,
    /// Whose call it was.
    pub agent: String,
    /// Its purpose.
    pub purpose: String,
    /// The chapter that it was for, if it was for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chapter: Option<u32>,
    /// The model that answered.
    pub model: String,
    /// Why it was not the model that was asked for, if it was another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub substitution: Option<Substitution>,
    /// SHA-256 of the prompt templates used.
    pub prompt_hash: String,
    /// What was counted.
    pub usage: Usage,
    /// Millionths of the price's currency, if the price is known.
    pub cost_micros: Option<u64>,
    /// Whether the answer came from a cassette and was not paid for.
    pub replayed: bool,
    /// How often the model was asked.
    pub attempts: u32,
    /// Whether the answer had to be repaired.
    pub repaired: bool,
    /// How long it took.
    pub millis: u64,
    /// The answer as received.
    pub raw: String,
    /// Why there was no usable answer, if there was none.
    pub error: Option<String>,
}

impl CallRecord {
    /// Notes the model that answered, if the reply names it.
    fn answered_by(&mut self, reply: &Reply) {
        if !reply.model.is_empty() {
            self.model.clone_from(&reply.model);
        }
        self.substitution.clone_from(&reply.substitution);
    }
}

/// How many calls of one node are made at once.
const SIDE_BY_SIDE: usize = 16;

/// What the calls of a node came to, in their order. At most [`SIDE_BY_SIDE`] are made at once, so that what they hold is bounded.
pub(crate) async fn side_by_side<F: Future>(calls: Vec<F>) -> Vec<F::Output> {
    stream::iter(calls).buffered(SIDE_BY_SIDE).collect().await
}

/// The reducer of what calls add up to.
pub(crate) fn add(old: u64, new: u64) -> u64 {
    old.saturating_add(new)
}

/// What an update adds to a sum so far: a second write of it would take the place of the first.
pub(crate) fn so_far(slot: Option<&Write<u64>>) -> u64 {
    match slot {
        Some(Write::Add(sum) | Write::Set(sum)) => *sum,
        None => 0,
    }
}

/// Prose as a model wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Written {
    /// The text.
    pub(crate) text: String,
    /// Whether the model stopped because it may not write more at once.
    pub(crate) is_cut: bool,
}

/// What came of a call, as it is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Called<T> {
    /// The value; none if the model answered, but never with anything that can be used.
    pub(crate) value: Option<T>,
    /// How it was got.
    pub(crate) record: CallRecord,
}

impl<T> Called<T> {
    /// Why there is no value.
    pub(crate) fn error(&self) -> String {
        self.record.error.clone().unwrap_or_default()
    }
}

/// Where calls are made: all that the calls of a node share.
#[derive(Clone, Copy)]
pub(crate) struct Seat<'a> {
    pub(crate) workshop: &'a Workshop,
    pub(crate) context: &'a Context,
    pub(crate) language: Language,
    /// What every model is told of the project; it must be the same when the node runs again.
    pub(crate) golden: &'a GoldenContext,
}

/// What is asked, by whom, with which prompts.
pub(crate) struct Asked<'a> {
    pub(crate) agent: &'a str,
    pub(crate) purpose: String,
    /// Tells apart the calls that a node makes for one purpose; empty if there is only one.
    pub(crate) part: String,
    /// The chapter that it is for, if it is for one.
    pub(crate) chapter: Option<u32>,
    /// What the agent is, and what it is asked.
    pub(crate) names: [Name; 2],
    pub(crate) temperature: Option<f32>,
    /// Whether nothing can go on without it: then an answer that cannot be used is a failure, and is not stored.
    pub(crate) essential: bool,
}

impl<'a> Asked<'a> {
    /// A call that is for no chapter, and whose answer may be missing.
    pub(crate) fn of(agent: &'a str, purpose: String, part: String, names: [Name; 2], temperature: f32) -> Self {
        Self { agent, purpose, part, chapter: None, names, temperature: Some(temperature), essential: false }
    }
}

/// A call in the making.
pub(crate) struct Call<'a> {
    workshop: &'a Workshop,
    context: &'a Context,
    agent: &'a str,
    purpose: String,
    pub(crate) part: String,
    chapter: Option<u32>,
    system: String,
    user: String,
    prompt_hash: String,
    /// The typed context the messages were rendered from.
    prompt_context: serde_json::Value,
    temperature: Option<f32>,
    essential: bool,
}

impl<'a> Seat<'a> {
    /// The call for a prompt, which is filled from `prompt`; `context` is the same as the model's rules read it.
    ///
    /// This is the one place where requests of nodes are put together, and so where what every model is told comes before
    /// what it is asked.
    pub(crate) fn call(
        &self,
        asked: Asked<'a>,
        prompt: &impl Serialize,
        context: &impl Serialize,
    ) -> Result<Call<'a>, Error> {
        let Asked { agent, purpose, part, chapter, names, temperature, essential } = asked;
        let (prompts, language) = (&self.workshop.prompts, self.language);
        let question = prompts.render(names[1], language, prompt)?;
        let (user, prompt_hash) = if self.golden.is_empty() {
            (question, prompts.hash(&names, language))
        } else {
            let golden = prompts.render(Name::GOLDEN, language, self.golden)?;
            let hash = prompts.hash(&[names[0], Name::GOLDEN, names[1]], language);
            (format!("{golden}\n\n{question}"), hash)
        };
        Ok(Call {
            workshop: self.workshop,
            context: self.context,
            agent,
            purpose,
            part,
            chapter,
            system: prompts.render(names[0], language, &())?,
            user,
            prompt_hash,
            prompt_context: serde_json::to_value(context).expect("a context is plain data"),
            temperature,
            essential,
        })
    }
}

/// Takes the descriptions out of a schema.
fn undescribed(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            // A property may have the name `description`; its value is a schema, not a string.
            fields.retain(|name, value| name != "description" || !value.is_string());
            fields.values_mut().for_each(undescribed);
        }
        Value::Array(values) => values.iter_mut().for_each(undescribed),
        _ => {}
    }
}

impl Call<'_> {
    /// Asks for a `T`; a stored answer to the same question is used instead of asking.
    ///
    /// Fails when the model cannot be reached; the run can then be resumed. An answer that cannot be used is no
    /// failure but a [`Called`] without value, and is stored as well: it was paid for.
    pub(crate) async fn ask<T>(self, check: Option<&Check<'_, T>>) -> Result<Called<T>, NodeError>
    where
        T: Serialize + DeserializeOwned + JsonSchema + Send + Sync,
    {
        // The prompt says what the fields mean, in the language of the book; the schema need not say it again.
        let mut output = schema_of::<T>();
        undescribed(&mut output.schema);
        let output = Some(output);
        self.pay(|request| self.structured(request, Ask { check, output, ..Ask::default() })).await
    }

    /// Asks for a value of the shape `output`, as [`ask`](Self::ask) does for a type.
    pub(crate) async fn ask_shaped(
        self,
        output: OutputSchema,
        check: Option<&Check<'_, Value>>,
    ) -> Result<Called<Value>, NodeError> {
        let output = Some(output);
        self.pay(|request| self.structured(request, Ask { check, output, ..Ask::default() })).await
    }

    /// Asks for prose; a stored answer is used and failures are told as in [`ask`](Self::ask).
    pub(crate) async fn write(self) -> Result<Called<Written>, NodeError> {
        self.pay(|request| self.prose(request)).await
    }

    /// Asks for one round of a conversation with tools, in which `request` was said so far; each round is paid for by
    /// itself. An answer with neither words nor calls has no value.
    pub(crate) async fn round(&self, number: usize, request: &Request) -> Result<Called<Reply>, NodeError> {
        let step = &format!("{}/{number}", self.step());
        let request = Request { call: self.key(step), ..request.clone() };
        self.pay_for(step, request, |request| async move {
            let (reply, mut record) = self.drained(step, request).await?;
            record.error = reply.as_ref().err().map(ModelError::to_string);
            Ok(Called { value: reply.ok(), record })
        })
        .await
    }

    async fn pay<T, F>(&self, call: impl FnOnce(Request) -> F) -> Result<Called<T>, NodeError>
    where
        T: Serialize + DeserializeOwned + Send,
        F: Future<Output = Result<Called<T>, Error>> + Send,
    {
        self.pay_for(&self.step(), self.request(), call).await
    }

    /// The request as it begins.
    pub(crate) fn request(&self) -> Request {
        Request {
            purpose: self.purpose.clone(),
            messages: vec![Message::system(self.system.as_str()), Message::user(self.user.as_str())],
            temperature: self.temperature,
            max_tokens: self.workshop.answer_tokens,
            context: self.prompt_context.clone(),
            call: self.key(&self.step()),
            attribution: Attribution { agent: self.agent.into(), chapter: self.chapter },
            ..Request::default()
        }
    }

    async fn pay_for<T, F>(
        &self,
        step: &str,
        request: Request,
        call: impl FnOnce(Request) -> F,
    ) -> Result<Called<T>, NodeError>
    where
        T: Serialize + DeserializeOwned + Send,
        F: Future<Output = Result<Called<T>, Error>> + Send,
    {
        // A model on this machine may answer at once. Whoever cancels the run is heard between two calls all the same.
        tokio::task::yield_now().await;
        let asked = AtomicBool::new(false);
        let fingerprint = (&request.purpose, &request.messages);
        let called = self
            .context
            .step(step, &fingerprint, || {
                asked.store(true, Ordering::Relaxed);
                call(request.clone())
            })
            .await?;
        self.tell(&called.record, !asked.load(Ordering::Relaxed));
        Ok(called)
    }

    /// The name of the stored step within its node.
    fn step(&self) -> String {
        match self.part.is_empty() {
            true => self.purpose.clone(),
            false => format!("{}/{}", self.purpose, self.part),
        }
    }

    fn record(&self, step: &str, model: &dyn ChatModel, begun: tokio::time::Instant) -> CallRecord {
        CallRecord {
            key: self.key(step),
            agent: self.agent.into(),
            purpose: self.purpose.clone(),
            chapter: self.chapter,
            model: model.name().into(),
            prompt_hash: self.prompt_hash.clone(),
            millis: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
            ..CallRecord::default()
        }
    }

    fn priced(&self, mut record: CallRecord, model: &dyn ChatModel) -> CallRecord {
        let prices = &self.workshop.prices;
        let cost = prices.cost(&record.model, record.usage).or_else(|| prices.cost(model.name(), record.usage));
        record.cost_micros = cost.map(|cost| cost.micros);
        record
    }

    /// The whole answer, shown while it comes, and the record of it; an error in its place if there is nothing in it.
    async fn drained(&self, step: &str, request: Request) -> Result<(Result<Reply, ModelError>, CallRecord), Error> {
        let model = self.workshop.models.for_purpose(&self.purpose);
        let begun = tokio::time::Instant::now();
        let failed = |source| Error::Model { agent: self.agent.into(), source };
        let mut shown = Shown { call: self, text: String::new(), since: begun };
        let mut stream = model.stream(&request).await.map_err(failed)?;
        let mut reply = Err(ModelError::Truncated { partial: String::new() });
        while let Some(event) = stream.next().await {
            match event {
                Ok(Event::Text(text)) => shown.add(&text),
                Ok(Event::Done(done)) => reply = Ok(*done),
                Ok(Event::Reasoning(_) | Event::ToolDelta { .. } | Event::Usage(_)) => {}
                Err(error) => reply = Err(error),
            }
        }
        shown.flush();
        let mut record = CallRecord { attempts: 1, ..self.record(step, &**model, begun) };
        let reply = match reply {
            Ok(reply) => reply,
            Err(error @ ModelError::Empty { .. }) => return Ok((Err(error), record)),
            Err(error) => return Err(failed(error)),
        };
        (record.usage, record.replayed) = (reply.usage, reply.replayed);
        record.answered_by(&reply);
        record.raw.clone_from(&reply.text);
        let record = self.priced(record, &**model);
        Ok(match reply.finish {
            Finish::Filtered => (Err(self.filtered(&reply)), record),
            _ if reply.is_empty() => (Err(ModelError::empty(&reply, &self.purpose)), record),
            _ => (Ok(reply), record),
        })
    }

    async fn prose(&self, request: Request) -> Result<Called<Written>, Error> {
        let (reply, mut record) = self.drained(&self.step(), request).await?;
        match reply {
            Ok(Reply { text, finish, .. }) => {
                let written = Written { text: text.trim().to_owned(), is_cut: finish == Finish::Length };
                Ok(Called { value: Some(written), record })
            }
            Err(source) if self.essential => Err(Error::Impossible { agent: self.agent.into(), source }),
            Err(error) => {
                record.error = Some(error.to_string());
                Ok(Called { value: None, record })
            }
        }
    }

    fn filtered(&self, reply: &Reply) -> ModelError {
        ModelError::Filtered { model: reply.model.clone(), purpose: self.purpose.clone(), message: String::new() }
    }

    async fn structured<T>(&self, request: Request, ask: Ask<'_, T>) -> Result<Called<T>, Error>
    where
        T: DeserializeOwned + JsonSchema + Send + Sync,
    {
        let model = self.workshop.models.for_purpose(&self.purpose);
        let begun = tokio::time::Instant::now();
        let mut spent = Usage::default();
        let mut shown = Shown { call: self, text: String::new(), since: begun };
        let mut on_event = |event: &Event| match event {
            Event::Text(text) => shown.add(text),
            Event::Done(reply) => {
                spent += reply.usage;
                shown.flush();
            }
            Event::Reasoning(_) | Event::ToolDelta { .. } | Event::Usage(_) => {}
        };
        let asked = ask_with(&**model, request, &ask, &mut on_event).await;
        let mut record = CallRecord { usage: spent, ..self.record(&self.step(), &**model, begun) };
        let value = match asked {
            Ok(Answer { value, reply, usage, attempts, repaired, raw }) => {
                record.answered_by(&reply);
                record.replayed = reply.replayed;
                (record.usage, record.attempts, record.repaired, record.raw) = (usage, attempts, repaired, raw);
                Some(value)
            }
            Err(source) if is_answer(&source) && self.essential => {
                return Err(Error::Impossible { agent: self.agent.into(), source });
            }
            Err(error) if is_answer(&error) => {
                record.error = Some(error.to_string());
                if let ModelError::BadOutput { attempts, raw, .. } = error {
                    (record.attempts, record.raw) = (attempts, raw);
                }
                None
            }
            Err(source) => return Err(Error::Model { agent: self.agent.into(), source }),
        };
        Ok(Called { value, record: self.priced(record, &**model) })
    }

    /// The name of a stored step's call in its run, the same when it is made again.
    fn key(&self, step: &str) -> String {
        format!("{}/{}/{step}", self.context.node(), self.context.superstep())
    }

    fn tell(&self, record: &CallRecord, reused: bool) {
        self.emit(&Progress::Called {
            key: record.key.clone(),
            agent: record.agent.clone(),
            purpose: record.purpose.clone(),
            model: record.model.clone(),
            substitution: record.substitution.clone(),
            usage: record.usage,
            cost_micros: record.cost_micros,
            chapter: record.chapter,
            replayed: record.replayed,
            attempts: record.attempts,
            repaired: record.repaired,
            millis: record.millis,
            reused,
        });
    }

    fn emit(&self, progress: &Progress) {
        emit(self.context, progress);
    }
}

/// Streamed text on its way to whoever follows the run.
///
/// Pieces are gathered a little: each one by itself would crowd out what must not be missed.
struct Shown<'a> {
    call: &'a Call<'a>,
    text: String,
    since: tokio::time::Instant,
}

impl Shown<'_> {
    fn add(&mut self, text: &str) {
        self.text.push_str(text);
        if self.text.len() >= MOST_TEXT || self.since.elapsed() >= OFTEN {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            self.call.emit(&Progress::Text { agent: self.call.agent.into(), text });
        }
        self.since = tokio::time::Instant::now();
    }
}

/// Tells `progress` to whoever follows the run.
pub(crate) fn emit(context: &Context, progress: &Progress) {
    context.emit(serde_json::to_value(progress).expect("progress is plain data"));
}

/// Whether the model was there and gave nothing that can be used, so that asking it again would only repeat that.
fn is_answer(error: &ModelError) -> bool {
    matches!(
        error,
        ModelError::BadOutput { .. }
            | ModelError::Empty { .. }
            | ModelError::Unsupported { .. }
            | ModelError::Filtered { .. }
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_loses_its_descriptions_and_keeps_fields_of_that_name() {
        let mut schema = json!({
            "description": "A card.",
            "properties": {"description": {"description": "In a sentence.", "type": "string"}},
            "anyOf": [{"const": "knows", "description": "Know each other."}],
        });
        undescribed(&mut schema);
        let bare = json!({"properties": {"description": {"type": "string"}}, "anyOf": [{"const": "knows"}]});
        assert_eq!(schema, bare);
    }
}

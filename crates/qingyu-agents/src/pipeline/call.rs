//! One model call of a node: asked, counted, told, and paid for once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use qingyu_graph::{Context, NodeError};
use qingyu_llm::structured::{Answer, Ask, Check, ask_with};
use qingyu_llm::{Error as ModelError, Event, Message, Request, Usage};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::state::{CallRecord, PipelineStateUpdate};
use super::workshop::Workshop;
use crate::Error;
use crate::progress::Progress;

/// How long streamed text is gathered before it is shown.
const OFTEN: Duration = Duration::from_millis(40);
/// How many bytes of it are gathered at most.
const MOST_TEXT: usize = 1024;

/// What came of a call, as it is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Called<T> {
    /// The value; none if the model answered, but never with anything that can be used.
    pub(super) value: Option<T>,
    /// How it was got.
    pub(super) record: CallRecord,
}

impl<T> Called<T> {
    /// Why there is no value.
    pub(super) fn error(&self) -> String {
        self.record.error.clone().unwrap_or_default()
    }
}

/// A call in the making.
pub(super) struct Call<'a> {
    pub(super) workshop: &'a Workshop,
    pub(super) context: &'a Context,
    pub(super) agent: &'a str,
    pub(super) purpose: String,
    pub(super) system: String,
    pub(super) user: String,
    pub(super) prompt_hash: String,
    /// The typed context the messages were rendered from.
    pub(super) prompt_context: serde_json::Value,
    pub(super) temperature: Option<f32>,
    /// Whether nothing can go on without it: then an answer that cannot be used is a failure, and is not stored.
    pub(super) essential: bool,
}

impl Call<'_> {
    /// Asks for a `T`; a stored answer to the same question is used instead of asking.
    ///
    /// Fails when the model cannot be reached; the run can then be resumed. An answer that cannot be used is no
    /// failure but a [`Called`] without value, and is stored as well: it was paid for.
    pub(super) async fn ask<T>(self, check: Option<&Check<'_, T>>) -> Result<Called<T>, NodeError>
    where
        T: Serialize + DeserializeOwned + JsonSchema + Send + Sync,
    {
        let request = Request {
            purpose: self.purpose.clone(),
            messages: vec![Message::system(self.system.as_str()), Message::user(self.user.as_str())],
            temperature: self.temperature,
            max_tokens: self.workshop.answer_tokens,
            context: self.prompt_context.clone(),
            call: self.key(),
            ..Request::default()
        };
        let asked = AtomicBool::new(false);
        let fingerprint = (&request.purpose, &request.messages);
        let called = self
            .context
            .step(&self.purpose, &fingerprint, || {
                asked.store(true, Ordering::Relaxed);
                self.call(request.clone(), check)
            })
            .await?;
        self.tell(&called.record, !asked.load(Ordering::Relaxed));
        Ok(called)
    }

    async fn call<T>(&self, request: Request, check: Option<&Check<'_, T>>) -> Result<Called<T>, Error>
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
        let asked = ask_with(&**model, request, &Ask { check, ..Ask::default() }, &mut on_event).await;
        let mut record = CallRecord {
            key: self.key(),
            agent: self.agent.into(),
            purpose: self.purpose.clone(),
            model: model.name().into(),
            prompt_hash: self.prompt_hash.clone(),
            usage: spent,
            millis: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
            ..CallRecord::default()
        };
        let value = match asked {
            Ok(Answer { value, reply, usage, attempts, repaired, raw }) => {
                if !reply.model.is_empty() {
                    record.model = reply.model;
                }
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
        let prices = &self.workshop.prices;
        let cost = prices.cost(&record.model, record.usage).or_else(|| prices.cost(model.name(), record.usage));
        record.cost_micros = cost.map(|cost| cost.micros);
        Ok(Called { value, record })
    }

    /// The name of the call in its run, the same when it is made again.
    fn key(&self) -> String {
        format!("{}/{}/{}", self.context.node(), self.context.superstep(), self.purpose)
    }

    fn tell(&self, record: &CallRecord, reused: bool) {
        self.emit(&Progress::Called {
            key: record.key.clone(),
            agent: record.agent.clone(),
            purpose: record.purpose.clone(),
            model: record.model.clone(),
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
pub(super) fn emit(context: &Context, progress: &Progress) {
    context.emit(serde_json::to_value(progress).expect("progress is plain data"));
}

impl PipelineStateUpdate {
    /// Counts a call.
    #[must_use]
    pub(super) fn call(self, record: CallRecord) -> Self {
        self.tokens_used(record.usage.input + record.usage.output)
            .cost_micros(record.cost_micros.unwrap_or_default())
            .messages(vec![record])
    }
}

/// Whether the model was there and gave nothing that can be used, so that asking it again would only repeat that.
fn is_answer(error: &ModelError) -> bool {
    matches!(error, ModelError::BadOutput { .. } | ModelError::Unsupported { .. } | ModelError::Filtered { .. })
}

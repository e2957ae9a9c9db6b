//! Model calls of nodes: stored, counted, reported, and paid for once.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::{StreamExt, stream};
use qingyu_graph::{Context, NodeError};
use qingyu_llm::Error as ModelError;
use qingyu_llm::structured::{AnswerCheck, StructuredAnswer, StructuredOptions, ask_with, schema_of};
use qingyu_llm::{
    Attribution, ChatEvent, ChatMessage, ChatModel, ChatRequest, FinishReason, OutputSchema, Reply, Usage,
};
use qingyu_production::GoldenContext;
use qingyu_story::Language;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

mod record;

pub use record::CallRecord;
pub(crate) use record::{add, so_far};

use crate::Error;
use crate::progress::Progress;
use crate::prompts::PromptName;
use crate::workshop::PipelineResources;

/// Maximum time streamed text is buffered before display.
const OFTEN: Duration = Duration::from_millis(40);
/// Maximum size of the stream buffer in bytes.
const MOST_TEXT: usize = 1024;

/// Maximum number of concurrent calls per node.
const SIDE_BY_SIDE: usize = 16;

/// Awaits `calls` concurrently and returns the results in order. At most [`SIDE_BY_SIDE`] run at once, to bound memory.
pub(crate) async fn side_by_side<F: Future>(calls: Vec<F>) -> Vec<F::Output> {
    stream::iter(calls).buffered(SIDE_BY_SIDE).collect().await
}

/// Prose written by a model.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct WrittenProse {
    /// The text.
    pub(crate) text: String,
    /// Whether the model stopped at the length limit.
    pub(crate) is_cut: bool,
}

/// The stored result of a call.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct CallResult<T> {
    /// The value; `None` for an unusable answer.
    pub(crate) value: Option<T>,
    /// Record of the call.
    pub(crate) record: CallRecord,
}

impl<T> CallResult<T> {
    /// Returns the reason for a missing value.
    pub(crate) fn error(&self) -> String {
        self.record.error.clone().unwrap_or_default()
    }
}

/// Resources shared by the calls of one node.
#[derive(Clone, Copy)]
pub(crate) struct CallContext<'a> {
    pub(crate) workshop: &'a PipelineResources,
    pub(crate) context: &'a Context,
    pub(crate) language: Language,
    /// Project facts for every model; must not change when the node runs again.
    pub(crate) golden: &'a GoldenContext,
}

/// The purpose, agent and prompts of one call.
pub(crate) struct CallSpec<'a> {
    pub(crate) agent: &'a str,
    pub(crate) purpose: String,
    /// Distinguishes several calls of one node for one purpose; empty for a single call.
    pub(crate) part: String,
    /// Number of the chapter, for calls about a chapter.
    pub(crate) chapter: Option<u32>,
    /// Names of the system prompt and the prompt.
    pub(crate) names: [PromptName; 2],
    pub(crate) temperature: Option<f32>,
    /// Whether the run needs the answer: an unusable answer is then an error, and is not stored.
    pub(crate) essential: bool,
}

impl<'a> CallSpec<'a> {
    /// Returns an optional call without a chapter.
    pub(crate) fn of(agent: &'a str, purpose: String, part: String, names: [PromptName; 2], temperature: f32) -> Self {
        Self { agent, purpose, part, chapter: None, names, temperature: Some(temperature), essential: false }
    }
}

/// A model call before execution.
pub(crate) struct NodeCall<'a> {
    workshop: &'a PipelineResources,
    context: &'a Context,
    agent: &'a str,
    purpose: String,
    pub(crate) part: String,
    chapter: Option<u32>,
    system: String,
    user: String,
    prompt_hash: String,
    /// Typed context behind the rendered messages.
    prompt_context: serde_json::Value,
    temperature: Option<f32>,
    essential: bool,
    /// The model, if it is not that of the purpose.
    model: Option<&'a Arc<dyn ChatModel>>,
}

impl<'a> CallContext<'a> {
    /// Returns a call with messages rendered from `prompt`; rule-based models read the same data as `context`.
    ///
    /// All requests of nodes are built here, so project facts always precede the task.
    pub(crate) fn call(
        &self,
        asked: CallSpec<'a>,
        prompt: &impl Serialize,
        context: &impl Serialize,
    ) -> Result<NodeCall<'a>, Error> {
        let CallSpec { agent, purpose, part, chapter, names, temperature, essential } = asked;
        let (prompts, language) = (&self.workshop.prompts, self.language);
        let question = prompts.render(names[1], language, prompt)?;
        let (user, prompt_hash) = if self.golden.is_empty() {
            (question, prompts.hash(&names, language))
        } else {
            let golden = prompts.render(PromptName::GOLDEN, language, self.golden)?;
            let hash = prompts.hash(&[names[0], PromptName::GOLDEN, names[1]], language);
            (format!("{golden}\n\n{question}"), hash)
        };
        Ok(NodeCall {
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
            model: None,
        })
    }
}

impl<'a> NodeCall<'a> {
    /// Returns the call to `model` in place of the model of its purpose.
    pub(crate) fn on(self, model: &'a Arc<dyn ChatModel>) -> Self {
        Self { model: Some(model), ..self }
    }

    fn model(&self) -> &'a Arc<dyn ChatModel> {
        self.model.unwrap_or_else(|| self.workshop.models.for_purpose(&self.purpose))
    }
}

/// Removes the descriptions from a schema.
fn undescribed(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            // A property may be named `description`; its value is a schema, not a string.
            fields.retain(|name, value| name != "description" || !value.is_string());
            fields.values_mut().for_each(undescribed);
        }
        Value::Array(values) => values.iter_mut().for_each(undescribed),
        _ => {}
    }
}

impl NodeCall<'_> {
    /// Asks for a `T`; returns a stored answer to the same request from the cache, without a model call.
    ///
    /// Fails if the model cannot be reached; the run can then be resumed. An unusable answer is not an error: the
    /// returned [`CallResult`] has no value, and is stored too, since the answer was paid for.
    pub(crate) async fn ask<T>(self, check: Option<&AnswerCheck<'_, T>>) -> Result<CallResult<T>, NodeError>
    where
        T: Serialize + DeserializeOwned + JsonSchema + Send + Sync,
    {
        self.ask_by_names(&[], check).await
    }

    /// Asks for a `T`, as [`ask`](Self::ask) does, with other names of its fields; see [`StructuredOptions::synonyms`].
    pub(crate) async fn ask_by_names<T>(
        self,
        synonyms: &[(&str, &str)],
        check: Option<&AnswerCheck<'_, T>>,
    ) -> Result<CallResult<T>, NodeError>
    where
        T: Serialize + DeserializeOwned + JsonSchema + Send + Sync,
    {
        // The prompt explains the fields in the language of the book, so the schema omits descriptions.
        let mut output = schema_of::<T>();
        undescribed(&mut output.schema);
        let output = Some(output);
        self.pay(|request| {
            self.structured(request, StructuredOptions { check, output, synonyms, ..StructuredOptions::default() })
        })
        .await
    }

    /// Asks for a value of the shape `output`, as [`ask`](Self::ask) does for a type.
    pub(crate) async fn ask_shaped(
        self,
        output: OutputSchema,
        check: Option<&AnswerCheck<'_, Value>>,
    ) -> Result<CallResult<Value>, NodeError> {
        let output = Some(output);
        self.pay(|request| {
            self.structured(request, StructuredOptions { check, output, ..StructuredOptions::default() })
        })
        .await
    }

    /// Asks for prose; caching and errors are the same as for [`ask`](Self::ask).
    pub(crate) async fn write(self) -> Result<CallResult<WrittenProse>, NodeError> {
        self.pay(|request| self.prose(request)).await
    }

    /// Asks for one round of a conversation with tools; `request` holds the conversation so far. Every round is stored
    /// and paid for separately. An answer without text and calls has no value.
    pub(crate) async fn round(&self, number: usize, request: &ChatRequest) -> Result<CallResult<Reply>, NodeError> {
        let step = &format!("{}/{number}", self.step());
        let request = ChatRequest { call: self.key(step), ..request.clone() };
        self.pay_for(step, request, |request| async move {
            let (reply, mut record) = self.drained(step, request).await?;
            record.error = reply.as_ref().err().map(ModelError::to_string);
            Ok(CallResult { value: reply.ok(), record })
        })
        .await
    }

    async fn pay<T, F>(&self, call: impl FnOnce(ChatRequest) -> F) -> Result<CallResult<T>, NodeError>
    where
        T: Serialize + DeserializeOwned + Send,
        F: Future<Output = Result<CallResult<T>, Error>> + Send,
    {
        self.pay_for(&self.step(), self.request(), call).await
    }

    /// Returns the initial request.
    pub(crate) fn request(&self) -> ChatRequest {
        ChatRequest {
            purpose: self.purpose.clone(),
            messages: vec![ChatMessage::system(self.system.as_str()), ChatMessage::user(self.user.as_str())],
            temperature: self.temperature,
            max_tokens: self.workshop.answer_tokens,
            context: self.prompt_context.clone(),
            call: self.key(&self.step()),
            attribution: Attribution { agent: self.agent.into(), chapter: self.chapter },
            ..ChatRequest::default()
        }
    }

    async fn pay_for<T, F>(
        &self,
        step: &str,
        request: ChatRequest,
        call: impl FnOnce(ChatRequest) -> F,
    ) -> Result<CallResult<T>, NodeError>
    where
        T: Serialize + DeserializeOwned + Send,
        F: Future<Output = Result<CallResult<T>, Error>> + Send,
    {
        // A local model may answer without yielding; yield here, so cancellation is noticed between two calls.
        tokio::task::yield_now().await;
        let asked = AtomicBool::new(false);
        let fingerprint = (&request.purpose, &request.messages);
        let called = self
            .context
            .paid_step(step, &fingerprint, || {
                asked.store(true, Ordering::Relaxed);
                call(request.clone())
            })
            .await?;
        self.tell(&called.record, !asked.load(Ordering::Relaxed));
        Ok(called)
    }

    /// Returns the name of the stored step within its node.
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

    /// Reads the streamed answer to its end, reports text as progress, and returns the reply with the call's record; an
    /// empty reply is returned as an error.
    async fn drained(
        &self,
        step: &str,
        request: ChatRequest,
    ) -> Result<(Result<Reply, ModelError>, CallRecord), Error> {
        let model = self.model();
        let begun = tokio::time::Instant::now();
        let failed = |source| Error::Model { agent: self.agent.into(), source };
        let mut shown = TextStream { call: self, text: String::new(), since: begun };
        let mut stream = model.stream(&request).await.map_err(failed)?;
        let mut reply = Err(ModelError::Truncated { partial: String::new() });
        while let Some(event) = stream.next().await {
            match event {
                Ok(ChatEvent::Text(text)) => shown.add(&text),
                Ok(ChatEvent::Done(done)) => reply = Ok(*done),
                Ok(ChatEvent::Reasoning(_) | ChatEvent::ToolDelta { .. } | ChatEvent::Usage(_)) => {}
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
            FinishReason::Filtered => (Err(self.filtered(&reply)), record),
            _ if reply.is_empty() => (Err(ModelError::empty(&reply, &self.purpose)), record),
            _ => (Ok(reply), record),
        })
    }

    async fn prose(&self, request: ChatRequest) -> Result<CallResult<WrittenProse>, Error> {
        let (reply, mut record) = self.drained(&self.step(), request).await?;
        match reply {
            Ok(Reply { text, finish, .. }) => {
                let written = WrittenProse { text: text.trim().to_owned(), is_cut: finish == FinishReason::Length };
                Ok(CallResult { value: Some(written), record })
            }
            Err(source) if self.essential => Err(Error::Impossible { agent: self.agent.into(), source }),
            Err(error) => {
                record.error = Some(error.to_string());
                Ok(CallResult { value: None, record })
            }
        }
    }

    fn filtered(&self, reply: &Reply) -> ModelError {
        ModelError::Filtered { model: reply.model.clone(), purpose: self.purpose.clone(), message: String::new() }
    }

    async fn structured<T>(&self, request: ChatRequest, ask: StructuredOptions<'_, T>) -> Result<CallResult<T>, Error>
    where
        T: DeserializeOwned + JsonSchema + Send + Sync,
    {
        let model = self.model();
        let begun = tokio::time::Instant::now();
        let mut spent = Usage::default();
        let mut shown = TextStream { call: self, text: String::new(), since: begun };
        let mut on_event = |event: &ChatEvent| match event {
            ChatEvent::Text(text) => shown.add(text),
            ChatEvent::Done(reply) => {
                spent += reply.usage;
                shown.flush();
            }
            ChatEvent::Reasoning(_) | ChatEvent::ToolDelta { .. } | ChatEvent::Usage(_) => {}
        };
        let asked = ask_with(&**model, request, &ask, &mut on_event).await;
        let mut record = CallRecord { usage: spent, ..self.record(&self.step(), &**model, begun) };
        let value = match asked {
            Ok(StructuredAnswer { value, reply, usage, attempts, repaired, raw }) => {
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
        Ok(CallResult { value, record: self.priced(record, &**model) })
    }

    /// Returns the key of a stored step's call, stable across retries.
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

/// Buffers streamed text before emitting progress events.
///
/// Without the buffer, small text events would crowd out important ones.
struct TextStream<'a> {
    call: &'a NodeCall<'a>,
    text: String,
    since: tokio::time::Instant,
}

impl TextStream<'_> {
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

/// Emits `progress` as a custom event to subscribers of the run.
pub(crate) fn emit(context: &Context, progress: &Progress) {
    context.emit(serde_json::to_value(progress).expect("progress is plain data"));
}

/// Returns whether the model was reached and gave an unusable answer, so a retry would only repeat the answer.
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

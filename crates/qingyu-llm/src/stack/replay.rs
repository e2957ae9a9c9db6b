//! Recording and replay of answers.

use std::sync::{Arc, Mutex, PoisonError};

use futures::future::BoxFuture;
use futures::{StreamExt, stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cassette::{RecordedCall, Recorder, Recording};
use crate::{ChatEvent, ChatModel, ChatRequest, Error, EventStream, Reply, Usage};

/// Records every answer of a model; of an interrupted answer, the received part.
#[derive(Debug)]
pub struct Recorded {
    model: Arc<dyn ChatModel>,
    recorder: Arc<Recorder>,
}

impl Recorded {
    /// Records the answers of `model`.
    pub fn new(model: Arc<dyn ChatModel>, recorder: Arc<Recorder>) -> Self {
        Self { model, recorder }
    }
}

impl ChatModel for Recorded {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn stream<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<EventStream, Error>> {
        Box::pin(async move {
            let stream = self.model.stream(request).await?;
            let (recorder, request) = (Arc::clone(&self.recorder), request.clone());
            let (mut partial, mut thinking) = (String::new(), String::new());
            let events = stream.inspect(move |event| {
                let recorded = match event {
                    Ok(ChatEvent::Text(piece) | ChatEvent::ToolDelta { arguments: piece, .. }) => {
                        partial.push_str(piece);
                        Ok(())
                    }
                    Ok(ChatEvent::Done(reply)) => recorder.record(&request, reply),
                    // The caller continues from the partial answer.
                    Err(error) if error.is_transient() && !partial.trim().is_empty() => {
                        recorder.record_broken(&request, &partial, error)
                    }
                    Err(error @ Error::Empty { model, .. }) => {
                        let reasoning = std::mem::take(&mut thinking);
                        let reply = Reply { model: model.clone(), reasoning, ..Reply::default() };
                        recorder.record_empty(&request, reply, error)
                    }
                    Ok(ChatEvent::Reasoning(piece)) => {
                        thinking.push_str(piece);
                        Ok(())
                    }
                    Ok(ChatEvent::Usage(_)) | Err(_) => Ok(()),
                };
                // A paid answer is returned even if the disk is full; a later replay reports the missing call.
                if let Err(error) = recorded {
                    tracing::error!(purpose = request.purpose, %error, "failed to record a call");
                }
            });
            Ok(events.boxed())
        })
    }
}

/// Replays recorded answers, with an optional live model as the fallback.
#[derive(Debug)]
pub struct Replayed {
    name: String,
    recording: Arc<Recording>,
    fresh: Option<Fresh>,
    log: Arc<ReplayLog>,
}

/// The live model for calls missing in the recording.
#[derive(Debug, Clone)]
pub struct Fresh {
    /// The model.
    pub model: Arc<dyn ChatModel>,
    /// Which recorded answers may be replayed.
    pub reuse: Reuse,
}

/// Which recorded answers may be replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reuse {
    /// Answers to the same request.
    Any,
    /// Answers to the same request by the same model, to compare the model's answers to the rest.
    OfTheModel,
}

/// A log of replayed and live calls, in the order of their answers.
#[derive(Debug, Default)]
pub struct ReplayLog {
    calls: Mutex<Vec<ReplayedCall>>,
}

/// A call of a replay.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayedCall {
    /// Its purpose.
    pub purpose: String,
    /// Which call of the run it is, if the request says.
    pub call: String,
    /// The model that answered, then or now.
    pub model: String,
    /// What was counted, then or now.
    pub usage: Usage,
    /// Why it was asked anew; none if the recorded answer was played.
    pub asked: Option<String>,
}

impl ReplayLog {
    /// Returns the calls so far.
    pub fn calls(&self) -> Vec<ReplayedCall> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn add(&self, request: &ChatRequest, reply: &Reply, asked: Option<String>) {
        let (purpose, call) = (request.purpose.clone(), request.call.clone());
        let call = ReplayedCall { purpose, call, model: reply.model.clone(), usage: reply.usage, asked };
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).push(call);
    }
}

impl Replayed {
    /// Replays `recording` under the name of the recorded model.
    pub fn new(name: impl Into<String>, recording: Arc<Recording>) -> Self {
        Self { name: name.into(), recording, fresh: None, log: Arc::default() }
    }

    /// Sets `fresh` as the fallback for missing calls, under its own name.
    #[must_use]
    pub fn or(self, fresh: Fresh) -> Self {
        Self { name: fresh.model.name().to_owned(), fresh: Some(fresh), ..self }
    }

    /// Appends replayed and live calls to `log`.
    #[must_use]
    pub fn log(self, log: Arc<ReplayLog>) -> Self {
        Self { log, ..self }
    }

    fn recorded(&self, request: &ChatRequest) -> Result<RecordedCall, Error> {
        match &self.fresh {
            Some(Fresh { model, reuse: Reuse::OfTheModel }) => {
                self.recording.take(request, |line| line.reply.model == model.name())
            }
            _ => self.recording.take(request, |_| true),
        }
    }
}

impl ChatModel for Replayed {
    fn name(&self) -> &str {
        &self.name
    }

    fn stream<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<EventStream, Error>> {
        Box::pin(async move {
            let miss = match self.recorded(request) {
                Ok(call) => {
                    self.log.add(request, &call.reply, None);
                    return Ok(match call.failure() {
                        None => stream::iter(events(call.reply).map(Ok)).boxed(),
                        Some(error) => stream::iter(broken_off(call.reply.text, error)).boxed(),
                    });
                }
                Err(miss) => miss,
            };
            let Some(Fresh { model, .. }) = &self.fresh else { return Err(miss) };
            let why = match miss {
                Error::Replay { difference, .. } => difference,
                other => other.to_string(),
            };
            let stream = model.stream(request).await?;
            let (log, request) = (Arc::clone(&self.log), request.clone());
            let events = stream.inspect(move |event| {
                if let Ok(ChatEvent::Done(reply)) = event {
                    log.add(&request, reply, Some(why.clone()));
                }
            });
            Ok(events.boxed())
        })
    }
}

/// Returns the start of an answer and the interrupting error.
fn broken_off(partial: String, error: Error) -> [Result<ChatEvent, Error>; 2] {
    [Ok(ChatEvent::Text(partial)), Err(error)]
}

/// Returns the events of a complete answer, in larger fragments.
fn events(reply: Reply) -> impl Iterator<Item = ChatEvent> {
    let mut events = Vec::new();
    if !reply.reasoning.is_empty() {
        events.push(ChatEvent::Reasoning(reply.reasoning.clone()));
    }
    if !reply.text.is_empty() {
        events.push(ChatEvent::Text(reply.text.clone()));
    }
    events.extend(reply.tool_calls.iter().enumerate().map(|(slot, call)| ChatEvent::ToolDelta {
        slot,
        name: Some(call.name.clone()),
        arguments: call.arguments.clone(),
    }));
    events.push(ChatEvent::Usage(reply.usage));
    events.push(ChatEvent::Done(Box::new(reply)));
    events.into_iter()
}

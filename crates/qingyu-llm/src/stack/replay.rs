//! Recording answers and playing them back.

use std::sync::{Arc, Mutex, PoisonError};

use futures::future::BoxFuture;
use futures::{StreamExt, stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cassette::{RecordedCall, Recorder, Recording};
use crate::{ChatModel, Error, Event, EventStream, Reply, Request, Usage};

/// Records every answer of a model; of one that broke off, what had arrived.
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

    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<EventStream, Error>> {
        Box::pin(async move {
            let stream = self.model.stream(request).await?;
            let (recorder, request) = (Arc::clone(&self.recorder), request.clone());
            let (mut partial, mut thinking) = (String::new(), String::new());
            let events = stream.inspect(move |event| {
                let recorded = match event {
                    Ok(Event::Text(piece) | Event::ToolDelta { arguments: piece, .. }) => {
                        partial.push_str(piece);
                        Ok(())
                    }
                    Ok(Event::Done(reply)) => recorder.record(&request, reply),
                    // Who asked goes on from here.
                    Err(error) if error.is_transient() && !partial.trim().is_empty() => {
                        recorder.record_broken(&request, &partial, error)
                    }
                    Err(error @ Error::Empty { model, .. }) => {
                        let reasoning = std::mem::take(&mut thinking);
                        let reply = Reply { model: model.clone(), reasoning, ..Reply::default() };
                        recorder.record_empty(&request, reply, error)
                    }
                    Ok(Event::Reasoning(piece)) => {
                        thinking.push_str(piece);
                        Ok(())
                    }
                    Ok(Event::Usage(_)) | Err(_) => Ok(()),
                };
                // An answer that was paid for is not lost to a full disk; the replay will name the missing call.
                if let Err(error) = recorded {
                    tracing::error!(purpose = request.purpose, %error, "the call was not recorded");
                }
            });
            Ok(events.boxed())
        })
    }
}

/// Plays recorded answers; asks another model for the others, if there is one.
#[derive(Debug)]
pub struct Replayed {
    name: String,
    recording: Arc<Recording>,
    fresh: Option<Fresh>,
    log: Arc<ReplayLog>,
}

/// Who is asked for what the recording does not hold.
#[derive(Debug, Clone)]
pub struct Fresh {
    /// The model.
    pub model: Arc<dyn ChatModel>,
    /// Which recorded answers may still be played.
    pub reuse: Reuse,
}

/// Which recorded answers may be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reuse {
    /// Those to the same request.
    Any,
    /// Those to the same request that the same model gave: for seeing what the model makes of the rest.
    OfTheModel,
}

/// What was played and what was asked, in the order in which it was answered.
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
    /// The calls so far.
    pub fn calls(&self) -> Vec<ReplayedCall> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn add(&self, request: &Request, reply: &Reply, asked: Option<String>) {
        let (purpose, call) = (request.purpose.clone(), request.call.clone());
        let call = ReplayedCall { purpose, call, model: reply.model.clone(), usage: reply.usage, asked };
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).push(call);
    }
}

impl Replayed {
    /// Plays `recording` under the name of the model it stands in for.
    pub fn new(name: impl Into<String>, recording: Arc<Recording>) -> Self {
        Self { name: name.into(), recording, fresh: None, log: Arc::default() }
    }

    /// Asks `fresh` for what the recording does not hold, under its name.
    #[must_use]
    pub fn or(self, fresh: Fresh) -> Self {
        Self { name: fresh.model.name().to_owned(), fresh: Some(fresh), ..self }
    }

    /// Writes down in `log` what is played and what is asked.
    #[must_use]
    pub fn log(self, log: Arc<ReplayLog>) -> Self {
        Self { log, ..self }
    }

    fn recorded(&self, request: &Request) -> Result<RecordedCall, Error> {
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

    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<EventStream, Error>> {
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
                if let Ok(Event::Done(reply)) = event {
                    log.add(&request, reply, Some(why.clone()));
                }
            });
            Ok(events.boxed())
        })
    }
}

/// The beginning of an answer, and its sudden end.
fn broken_off(partial: String, error: Error) -> [Result<Event, Error>; 2] {
    [Ok(Event::Text(partial)), Err(error)]
}

/// A whole answer as the stream it came from, in larger pieces.
fn events(reply: Reply) -> impl Iterator<Item = Event> {
    let mut events = Vec::new();
    if !reply.reasoning.is_empty() {
        events.push(Event::Reasoning(reply.reasoning.clone()));
    }
    if !reply.text.is_empty() {
        events.push(Event::Text(reply.text.clone()));
    }
    events.extend(reply.tool_calls.iter().enumerate().map(|(slot, call)| Event::ToolDelta {
        slot,
        name: Some(call.name.clone()),
        arguments: call.arguments.clone(),
    }));
    events.push(Event::Usage(reply.usage));
    events.push(Event::Done(Box::new(reply)));
    events.into_iter()
}

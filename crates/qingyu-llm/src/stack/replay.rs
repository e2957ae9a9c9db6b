//! Recording answers and playing them back.

use std::sync::Arc;

use futures::future::BoxFuture;
use futures::{StreamExt, stream};

use crate::cassette::{Recorder, Recording};
use crate::{ChatModel, Error, Event, EventStream, Reply, Request};

/// Records every whole answer of a model.
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
            let events = stream.inspect(move |event| {
                // An answer that was paid for is not lost to a full disk; the replay will name the missing call.
                if let Ok(Event::Done(reply)) = event
                    && let Err(error) = recorder.record(&request, reply)
                {
                    tracing::error!(purpose = request.purpose, %error, "the call was not recorded");
                }
            });
            Ok(events.boxed())
        })
    }
}

/// Plays recorded answers; nothing is asked of any model.
#[derive(Debug)]
pub struct Replayed {
    name: String,
    recording: Arc<Recording>,
}

impl Replayed {
    /// Plays `recording` under the name of the model it stands in for.
    pub fn new(name: impl Into<String>, recording: Arc<Recording>) -> Self {
        Self { name: name.into(), recording }
    }
}

impl ChatModel for Replayed {
    fn name(&self) -> &str {
        &self.name
    }

    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<EventStream, Error>> {
        Box::pin(async move { Ok(stream::iter(events(self.recording.play(request)?).map(Ok)).boxed()) })
    }
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

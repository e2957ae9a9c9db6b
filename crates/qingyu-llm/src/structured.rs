//! Typed answers from models that may wrap, break, truncate or misshape the JSON.
//!
//! [`ask`] sets the schema of the wanted type on the request and processes the answer in steps: find the JSON, parse,
//! repair, coerce safely, validate, deserialize, and run the caller's check. A truncated answer is continued; an
//! invalid answer is retried with its errors quoted. After the last attempt the error is returned, never a default.

mod coerce;
mod extract;
mod read;
mod reask;
mod scan;
mod schema;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use futures::StreamExt;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::{ChatEvent, ChatModel, ChatRequest, Error, FinishReason, OutputSchema, Reply, Usage, estimate};
use read::{AnswerReader, AnswerReading};

pub use schema::schema_of;

/// Maximum length of a parsed answer, in bytes.
const MAX_ANSWER: usize = 4 * 1024 * 1024;

/// Options of [`ask_with`].
pub struct StructuredOptions<'a, T> {
    /// Maximum model calls, continuations included; at least 1.
    pub max_attempts: u32,
    /// Validates a well-formed answer and returns its problems ("chapter 3 is missing"), quoted to the model.
    pub check: Option<&'a AnswerCheck<'a, T>>,
    /// Schema override for types that allow several shapes; defaults to the schema of the type.
    pub output: Option<OutputSchema>,
    /// Other names of the answer's fields, as pairs of another name and the field; a field under such a name is
    /// renamed. If there are any, an unknown field with entries is a problem while a known list is missing or none has
    /// entries; it is dropped otherwise.
    pub synonyms: &'a [(&'a str, &'a str)],
}

/// A check of a value that returns its problems, empty if valid.
pub type AnswerCheck<'a, T> = dyn Fn(&T) -> Vec<String> + Send + Sync + 'a;

impl<T> Default for StructuredOptions<'_, T> {
    fn default() -> Self {
        Self { max_attempts: 3, check: None, output: None, synonyms: &[] }
    }
}

impl<T> std::fmt::Debug for StructuredOptions<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ask")
            .field("max_attempts", &self.max_attempts)
            .field("check", &self.check.is_some())
            .field("output", &self.output)
            .field("synonyms", &self.synonyms)
            .finish()
    }
}

/// A value of the requested type, with details of its retrieval.
#[derive(Debug, Clone, PartialEq)]
pub struct StructuredAnswer<T> {
    /// The value.
    pub value: T,
    /// The last reply.
    pub reply: Reply,
    /// The tokens of all attempts.
    pub usage: Usage,
    /// Number of model calls.
    pub attempts: u32,
    /// Whether the answer needed repair: broken JSON, a coerced value, a continuation.
    pub repaired: bool,
    /// The text the value was parsed from.
    pub raw: String,
}

/// Requests a `T` from `model` with at most two retries; see [`ask_with`].
pub async fn ask<T: DeserializeOwned + JsonSchema>(
    model: &dyn ChatModel,
    request: ChatRequest,
    on_event: &mut (dyn FnMut(&ChatEvent) + Send),
) -> Result<StructuredAnswer<T>, Error> {
    ask_with(model, request, &StructuredOptions::default(), on_event).await
}

/// Requests a `T` from `model`, with every event of every attempt passed to the callback `on_event`.
///
/// Fails with [`Error::BadOutput`] when the last attempt is invalid or an answer is longer than 4 MiB, with
/// [`Error::Filtered`] when a content filter ended the answer, and with the model's error when a call fails; a call
/// interrupted within the text counts as truncated while attempts are left.
pub async fn ask_with<T: DeserializeOwned + JsonSchema>(
    model: &dyn ChatModel,
    mut request: ChatRequest,
    options: &StructuredOptions<'_, T>,
    on_event: &mut (dyn FnMut(&ChatEvent) + Send),
) -> Result<StructuredAnswer<T>, Error> {
    let output = options.output.clone().unwrap_or_else(schema_of::<T>);
    let reader = AnswerReader::new(&output)?.with_synonyms(options.synonyms);
    request.output = Some(output);
    let mut ladder =
        AttemptLadder { base: request, attempts: 0, usage: Usage::default(), partial: None, continued: false };
    let mut next = ladder.base.clone();
    loop {
        let last = ladder.attempts + 1 >= options.max_attempts;
        let call = ladder.call(model, &next, on_event).await?;
        let (reading, raw) = ladder.read(&reader, &call);
        let problems = match checked(reading, options.check) {
            AttemptOutcome::Good { value, repaired } => {
                let repaired = repaired || ladder.partial.is_some();
                return Ok(StructuredAnswer {
                    value,
                    reply: call.reply,
                    usage: ladder.usage,
                    attempts: ladder.attempts,
                    repaired,
                    raw,
                });
            }
            _ if call.reply.finish == FinishReason::Filtered => {
                return Err(Error::Filtered {
                    model: call.reply.model,
                    purpose: ladder.base.purpose,
                    message: String::new(),
                });
            }
            AttemptOutcome::Cut { partial } if !ladder.continued && !last => {
                next = ladder.go_on(partial);
                continue;
            }
            AttemptOutcome::Cut { .. } => vec!["the answer was cut off before its end".to_owned()],
            AttemptOutcome::Bad { problems } => distinct(problems),
        };
        if last {
            return Err(call.broken.unwrap_or_else(|| ladder.give_up(raw, problems)));
        }
        next = ladder.again(&raw, &problems);
    }
}

/// Returns problems without repetitions, in the order of their first occurrence.
fn distinct(problems: Vec<String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    problems.into_iter().filter(|problem| seen.insert(problem.clone())).collect()
}

/// The result of an attempt, after the caller's check.
enum AttemptOutcome<T> {
    Good { value: T, repaired: bool },
    Cut { partial: String },
    Bad { problems: Vec<String> },
}

fn checked<T: DeserializeOwned>(reading: AnswerReading, check: Option<&AnswerCheck<'_, T>>) -> AttemptOutcome<T> {
    let (value, repaired) = match reading {
        AnswerReading::Value { value, repaired } => (value, repaired),
        AnswerReading::Cut { partial } => return AttemptOutcome::Cut { partial },
        AnswerReading::Bad { problems } => return AttemptOutcome::Bad { problems },
    };
    let value: T = match serde_path_to_error::deserialize(value) {
        Ok(value) => value,
        Err(error) => return AttemptOutcome::Bad { problems: vec![error.to_string()] },
    };
    let problems = check.map(|check| check(&value)).unwrap_or_default();
    if problems.is_empty() { AttemptOutcome::Good { value, repaired } } else { AttemptOutcome::Bad { problems } }
}

/// A call: its reply, the text expected to hold the JSON, and the interrupting error, if any.
struct AttemptCall {
    reply: Reply,
    text: String,
    broken: Option<Error>,
}

/// The state of the attempts so far.
struct AttemptLadder {
    base: ChatRequest,
    attempts: u32,
    usage: Usage,
    /// The truncated answer to be continued.
    partial: Option<String>,
    /// A second truncation restarts the answer.
    continued: bool,
}

impl AttemptLadder {
    async fn call(
        &mut self,
        model: &dyn ChatModel,
        request: &ChatRequest,
        on_event: &mut (dyn FnMut(&ChatEvent) + Send),
    ) -> Result<AttemptCall, Error> {
        self.attempts += 1;
        let mut stream = model.stream(request).await?;
        let mut partial = String::new();
        let mut size = 0;
        let error = loop {
            let event = match stream.next().await {
                Some(Ok(event)) => event,
                Some(Err(error)) => break error,
                None => break Error::Truncated { partial: partial.clone() },
            };
            on_event(&event);
            match event {
                ChatEvent::Done(reply) => return self.finished(*reply),
                ChatEvent::Text(piece) | ChatEvent::ToolDelta { arguments: piece, .. } => {
                    size += piece.len();
                    partial.push_str(&piece);
                }
                ChatEvent::Reasoning(_) | ChatEvent::Usage(_) => {}
            }
            if size > MAX_ANSWER {
                return Err(self.too_long(partial));
            }
        };
        if partial.trim().is_empty() || !error.is_transient() {
            return Err(error);
        }
        let usage = estimated(request, &partial);
        self.usage += usage;
        let reply = Reply {
            text: partial.clone(),
            finish: FinishReason::Length,
            usage,
            model: model.name().to_owned(),
            ..Reply::default()
        };
        Ok(AttemptCall { reply, text: partial, broken: Some(error) })
    }

    fn finished(&mut self, reply: Reply) -> Result<AttemptCall, Error> {
        self.usage += reply.usage;
        let text = self.text_of(&reply);
        if text.len() > MAX_ANSWER {
            return Err(self.too_long(text));
        }
        Ok(AttemptCall { reply, text, broken: None })
    }

    /// Returns the text, or the arguments of the forced call for a provider without a JSON mode.
    fn text_of(&self, reply: &Reply) -> String {
        let is_answer = |name: &str| self.base.output.as_ref().is_some_and(|output| output.name == name);
        let is_tool = |name: &str| self.base.tools.iter().any(|tool| tool.name == name);
        let call = reply.tool_calls.iter().find(|call| is_answer(&call.name)).or_else(|| {
            let unknown = reply.tool_calls.iter().find(|call| !is_tool(&call.name));
            unknown.filter(|_| reply.text.trim().is_empty())
        });
        call.map_or(&reply.text, |call| &call.arguments).clone()
    }

    fn read(&self, reader: &AnswerReader<'_>, call: &AttemptCall) -> (AnswerReading, String) {
        let cut = call.reply.finish == FinishReason::Length;
        match &self.partial {
            None => (reader.read(&call.text, cut), call.text.clone()),
            Some(partial) => reader.read_continued(partial, &call.text, cut),
        }
    }

    fn go_on(&mut self, partial: String) -> ChatRequest {
        self.continued = true;
        let request = reask::go_on(&self.base, &partial);
        self.partial = Some(partial);
        request
    }

    fn again(&mut self, answer: &str, problems: &[String]) -> ChatRequest {
        self.partial = None;
        reask::again(&self.base, answer, problems)
    }

    fn give_up(self, raw: String, problems: Vec<String>) -> Error {
        Error::BadOutput { purpose: self.base.purpose, attempts: self.attempts, raw, problems }
    }

    fn too_long(&self, raw: String) -> Error {
        Error::BadOutput {
            purpose: self.base.purpose.clone(),
            attempts: self.attempts,
            problems: vec![format!("the answer is longer than {MAX_ANSWER} bytes")],
            raw,
        }
    }
}

fn estimated(request: &ChatRequest, answer: &str) -> Usage {
    let input = request.messages.iter().map(|message| estimate::tokens(&message.text)).sum();
    Usage { input, output: estimate::tokens(answer), estimated: true, ..Usage::default() }
}

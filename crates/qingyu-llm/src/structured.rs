//! Answers of a wanted shape, from models that may wrap, break, cut or misshape them.
//!
//! [`ask`] sets the schema of the wanted type on the request and climbs down a ladder until a value of that type is in
//! hand: find the JSON in the answer, parse it, repair it, coerce what is safe, validate it, deserialise it, let the
//! caller check it. What was cut is asked to go on, what is wrong is asked for again with its errors quoted. After the
//! last attempt there is an error; a default is never put in the place of an answer.

mod coerce;
mod extract;
mod read;
mod reask;
mod scan;
mod schema;
#[cfg(test)]
mod tests;

use futures::StreamExt;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::{ChatModel, Error, Event, Finish, OutputSchema, Reply, Request, Usage, estimate};
use read::{Reader, Reading};

pub use schema::schema_of;

/// The longest answer that is read, in bytes.
pub const MAX_ANSWER: usize = 4 * 1024 * 1024;

/// How [`ask_with`] goes about it.
pub struct Ask<'a, T> {
    /// How often the model is called in all, continuations included; at least once.
    pub max_attempts: u32,
    /// Finds what is wrong with a well-formed answer ("chapter 3 is missing"); its words are quoted to the model.
    pub check: Option<&'a Check<'a, T>>,
    /// The shape that is wanted, where the type allows others too; that of the type if there is none.
    pub output: Option<OutputSchema>,
}

/// Returns the problems of a value, none if it is as wanted.
pub type Check<'a, T> = dyn Fn(&T) -> Vec<String> + Send + Sync + 'a;

impl<T> Default for Ask<'_, T> {
    fn default() -> Self {
        Self { max_attempts: 3, check: None, output: None }
    }
}

impl<T> std::fmt::Debug for Ask<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ask")
            .field("max_attempts", &self.max_attempts)
            .field("check", &self.check.is_some())
            .field("output", &self.output)
            .finish()
    }
}

/// A value of the wanted shape and how it was got.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<T> {
    /// The value.
    pub value: T,
    /// The last reply.
    pub reply: Reply,
    /// The tokens of all attempts.
    pub usage: Usage,
    /// How often the model was called.
    pub attempts: u32,
    /// Whether the answer had to be mended: broken JSON, a coerced value, a continuation.
    pub repaired: bool,
    /// The text the value was read from.
    pub raw: String,
}

/// Asks `model` for a `T` with at most two re-asks; see [`ask_with`].
pub async fn ask<T: DeserializeOwned + JsonSchema>(
    model: &dyn ChatModel,
    request: Request,
    on_event: &mut (dyn FnMut(&Event) + Send),
) -> Result<Answer<T>, Error> {
    ask_with(model, request, &Ask::default(), on_event).await
}

/// Asks `model` for a `T`; every event of every attempt is shown to `on_event`.
///
/// Fails with [`Error::BadOutput`] when the last attempt is still wrong or an answer is longer than [`MAX_ANSWER`],
/// with [`Error::Filtered`] when a content filter ended the answer, and with the model's error when a call fails; a
/// call that breaks off in the middle of the text counts as a cut answer while there are attempts left.
pub async fn ask_with<T: DeserializeOwned + JsonSchema>(
    model: &dyn ChatModel,
    mut request: Request,
    options: &Ask<'_, T>,
    on_event: &mut (dyn FnMut(&Event) + Send),
) -> Result<Answer<T>, Error> {
    let output = options.output.clone().unwrap_or_else(schema_of::<T>);
    let reader = Reader::new(&output)?;
    request.output = Some(output);
    let mut ladder = Ladder { base: request, attempts: 0, usage: Usage::default(), partial: None, continued: false };
    let mut next = ladder.base.clone();
    loop {
        let last = ladder.attempts + 1 >= options.max_attempts;
        let call = ladder.call(model, &next, on_event).await?;
        let (reading, raw) = ladder.read(&reader, &call);
        let problems = match checked(reading, options.check) {
            Outcome::Good { value, repaired } => {
                let repaired = repaired || ladder.partial.is_some();
                return Ok(Answer {
                    value,
                    reply: call.reply,
                    usage: ladder.usage,
                    attempts: ladder.attempts,
                    repaired,
                    raw,
                });
            }
            _ if call.reply.finish == Finish::Filtered => {
                return Err(Error::Filtered {
                    model: call.reply.model,
                    purpose: ladder.base.purpose,
                    message: String::new(),
                });
            }
            Outcome::Cut { partial } if !ladder.continued && !last => {
                next = ladder.go_on(partial);
                continue;
            }
            Outcome::Cut { .. } => vec!["the answer was cut off before its end".to_owned()],
            Outcome::Bad { problems } => problems,
        };
        if last {
            return Err(call.broken.unwrap_or_else(|| ladder.give_up(raw, problems)));
        }
        next = ladder.again(&raw, &problems);
    }
}

/// What one attempt came to, once the caller's check has spoken.
enum Outcome<T> {
    Good { value: T, repaired: bool },
    Cut { partial: String },
    Bad { problems: Vec<String> },
}

fn checked<T: DeserializeOwned>(reading: Reading, check: Option<&Check<'_, T>>) -> Outcome<T> {
    let (value, repaired) = match reading {
        Reading::Value { value, repaired } => (value, repaired),
        Reading::Cut { partial } => return Outcome::Cut { partial },
        Reading::Bad { problems } => return Outcome::Bad { problems },
    };
    let value: T = match serde_path_to_error::deserialize(value) {
        Ok(value) => value,
        Err(error) => return Outcome::Bad { problems: vec![error.to_string()] },
    };
    let problems = check.map(|check| check(&value)).unwrap_or_default();
    if problems.is_empty() { Outcome::Good { value, repaired } } else { Outcome::Bad { problems } }
}

/// One call: its reply, the text that should hold the JSON, and the error that broke it off, if one did.
struct Call {
    reply: Reply,
    text: String,
    broken: Option<Error>,
}

/// What has happened so far.
struct Ladder {
    base: Request,
    attempts: u32,
    usage: Usage,
    /// The cut answer that the next one continues.
    partial: Option<String>,
    /// A second cut is asked again from the start.
    continued: bool,
}

impl Ladder {
    async fn call(
        &mut self,
        model: &dyn ChatModel,
        request: &Request,
        on_event: &mut (dyn FnMut(&Event) + Send),
    ) -> Result<Call, Error> {
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
                Event::Done(reply) => return self.finished(*reply),
                Event::Text(piece) | Event::ToolDelta { arguments: piece, .. } => {
                    size += piece.len();
                    partial.push_str(&piece);
                }
                Event::Reasoning(_) | Event::Usage(_) => {}
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
            finish: Finish::Length,
            usage,
            model: model.name().to_owned(),
            ..Reply::default()
        };
        Ok(Call { reply, text: partial, broken: Some(error) })
    }

    fn finished(&mut self, reply: Reply) -> Result<Call, Error> {
        self.usage += reply.usage;
        let text = self.text_of(&reply);
        if text.len() > MAX_ANSWER {
            return Err(self.too_long(text));
        }
        Ok(Call { reply, text, broken: None })
    }

    /// The text, or the arguments of the call that a provider without a JSON mode was made to answer with.
    fn text_of(&self, reply: &Reply) -> String {
        let is_answer = |name: &str| self.base.output.as_ref().is_some_and(|output| output.name == name);
        let is_tool = |name: &str| self.base.tools.iter().any(|tool| tool.name == name);
        let call = reply.tool_calls.iter().find(|call| is_answer(&call.name)).or_else(|| {
            let unknown = reply.tool_calls.iter().find(|call| !is_tool(&call.name));
            unknown.filter(|_| reply.text.trim().is_empty())
        });
        call.map_or(&reply.text, |call| &call.arguments).clone()
    }

    fn read(&self, reader: &Reader, call: &Call) -> (Reading, String) {
        let cut = call.reply.finish == Finish::Length;
        match &self.partial {
            None => (reader.read(&call.text, cut), call.text.clone()),
            Some(partial) => reader.read_continued(partial, &call.text, cut),
        }
    }

    fn go_on(&mut self, partial: String) -> Request {
        self.continued = true;
        let request = reask::go_on(&self.base, &partial);
        self.partial = Some(partial);
        request
    }

    fn again(&mut self, answer: &str, problems: &[String]) -> Request {
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

fn estimated(request: &Request, answer: &str) -> Usage {
    let input = request.messages.iter().map(|message| estimate::tokens(&message.text)).sum();
    Usage { input, output: estimate::tokens(answer), estimated: true, ..Usage::default() }
}

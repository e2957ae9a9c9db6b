//! An agent that acts with tools: it is asked, calls what it needs, reads the answers, and ends with words of its own.
//!
//! The calls of one answer that only read are carried out side by side, writes one after the other in their order. In a run
//! of the engine every round and every call is a step that is kept; elsewhere the loop lives as long as its caller.
//!
//! What a tool fails with is data for the model, never the end of the work. What a tool of another server says is material:
//! it stands in a fence it cannot close, and the rules say that nothing in there is an instruction.

use futures::future::join_all;
use qingyu_llm::model::drain;
use qingyu_llm::{ChatModel, Finish, Message, Reply, Request, Role, Usage, WrittenCalls, written_calls};
use qingyu_story::Language;
use qingyu_tools::toolbox::Filter;
use qingyu_tools::{Caller, Engine, Outcome, Permission};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::prompts::escaped;

mod hands;

pub(crate) use hands::{Broken, Hands, named, used};

/// How far an agent may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How often the model is asked at most; the last time without tools.
    pub rounds: usize,
    /// How many calls of one answer are carried out; the others are answered with a refusal.
    pub calls_per_round: usize,
    /// How many characters of a tool's answer the model sees.
    pub answer: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { rounds: 8, calls_per_round: 8, answer: 24_000 }
    }
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// The model's last words.
    pub text: String,
    /// Every call, in order.
    pub calls: Vec<Called>,
    /// The whole conversation, with the calls and their answers.
    pub messages: Vec<Message>,
    /// The tokens of all rounds.
    pub usage: Usage,
}

/// A call that the model asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Called {
    /// The tool.
    pub tool: String,
    /// The arguments as the model wrote them.
    pub arguments: String,
    /// What came of it; none if it was not carried out.
    pub answer: Option<ToolAnswer>,
}

/// What came of a call of a tool, as it is kept.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ToolAnswer {
    /// As [`Outcome::to_json`] gives it.
    pub outcome: Value,
    /// Where the tool comes from, if it is not ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foreign: Option<String>,
    /// How long it took.
    pub duration_ms: u64,
}

impl From<Outcome> for ToolAnswer {
    fn from(outcome: Outcome) -> Self {
        Self {
            outcome: outcome.to_json(),
            foreign: outcome.foreign,
            duration_ms: u64::try_from(outcome.duration.as_millis()).unwrap_or(u64::MAX),
        }
    }
}

impl ToolAnswer {
    /// Whether the tool did what it was asked.
    pub fn is_ok(&self) -> bool {
        self.outcome["ok"] == true
    }

    /// What it answered; null if it failed.
    pub fn result(&self) -> &Value {
        &self.outcome["result"]
    }

    /// Why it failed, if it did.
    pub fn error(&self) -> Option<String> {
        if self.is_ok() {
            return None;
        }
        let message = self.outcome["error"]["message"].as_str();
        Some(message.map_or_else(|| self.outcome["error"].to_string(), str::to_owned))
    }
}

/// Asks `model`, with the tools of `engine` that `caller` may use, until it answers in words. Nothing is kept: a loop that
/// dies begins anew.
///
/// A call that the model writes as words is made, if there is such a tool; otherwise the model is asked again.
///
/// Fails with the model's error, with [`qingyu_llm::Error::Filtered`] if a content filter ended an answer, with
/// [`qingyu_llm::Error::Empty`] if the last answer has no words, and with [`qingyu_llm::Error::BadOutput`] if it is a
/// call in words.
pub async fn act(
    model: &dyn ChatModel,
    engine: &Engine,
    caller: &Caller,
    request: Request,
    limits: Limits,
) -> Result<Answered, qingyu_llm::Error> {
    let at_once = AtOnce { model, engine, caller };
    converse(&at_once, engine, caller, request, limits).await
}

/// Where rounds and calls of a loop are carried out: at once, or as steps that are kept.
pub(crate) trait Rounds: Sync {
    /// What ends the loop early.
    type Error: From<qingyu_llm::Error> + Send;

    /// Asks the model once more.
    fn ask(&self, round: usize, request: &Request) -> impl Future<Output = Result<Reply, Self::Error>> + Send;

    /// Carries out a call of a tool; `place` is its round and its number there.
    fn carry_out(
        &self,
        place: (usize, usize),
        tool: &str,
        arguments: Value,
    ) -> impl Future<Output = Result<ToolAnswer, Self::Error>> + Send;
}

/// The loop.
pub(crate) async fn converse<R: Rounds>(
    rounds: &R,
    engine: &Engine,
    caller: &Caller,
    mut request: Request,
    limits: Limits,
) -> Result<Answered, R::Error> {
    let filter = Filter { allowance: Some(caller.allowance), ..Filter::default() };
    request.tools = engine.toolbox().specs(filter, caller.language);
    request.tools.retain(|tool| caller.may_use(&tool.name));
    if engine.toolbox().list(filter).any(|tool| tool.foreign.is_some() && caller.may_use(&tool.name)) {
        warn(&mut request.messages, caller.language);
    }
    let mut calls = Vec::new();
    let mut usage = Usage::default();
    let mut round = 0;
    loop {
        round += 1;
        if round >= limits.rounds {
            request.tools.clear();
        }
        let mut reply = rounds.ask(round, &request).await?;
        usage += reply.usage;
        if reply.finish == Finish::Filtered {
            return Err(qingyu_llm::Error::Filtered {
                model: reply.model,
                purpose: request.purpose,
                message: String::new(),
            }
            .into());
        }
        let is_last = request.tools.is_empty();
        if reply.tool_calls.is_empty() {
            match written_calls::read(&reply.text, &request.tools) {
                WrittenCalls::None => {}
                WrittenCalls::Calls(calls) => {
                    // The provider's blocks have the call as text; sent back, it would stand there twice.
                    (reply.tool_calls, reply.text, reply.raw) = (calls, String::new(), Value::Null);
                }
                WrittenCalls::Unreadable if is_last => return Err(unreadable(request.purpose, reply.text).into()),
                WrittenCalls::Unreadable => {
                    request.messages.push(Message::assistant(reply.text));
                    request.messages.push(Message::user(match caller.language {
                        Language::Zh => include_str!("tool_use/written.zh.md").trim(),
                        Language::En => include_str!("tool_use/written.en.md").trim(),
                    }));
                    continue;
                }
            }
        }
        request.messages.push(Message::answer(&reply));
        if reply.tool_calls.is_empty() || is_last {
            return match reply.text.trim().is_empty() {
                false => Ok(Answered { text: reply.text, calls, messages: request.messages, usage }),
                true => Err(qingyu_llm::Error::empty(&reply, &request.purpose).into()),
            };
        }
        let asked = reply.tool_calls.iter().take(limits.calls_per_round);
        let asked = asked.map(|call| (call.name.as_str(), read(&call.arguments))).collect::<Vec<_>>();
        let mut answers = together(rounds, engine, caller, round, asked).await?.into_iter();
        for call in reply.tool_calls {
            let answer = answers.next();
            let text = match &answer {
                Some(answer) => shown(answer, limits.answer),
                None => refused(limits.calls_per_round),
            };
            request.messages.push(Message::tool(call.id, text));
            calls.push(Called { tool: call.name, arguments: call.arguments, answer });
        }
    }
}

/// An answer that is the words of a call, where there is no call to be made.
fn unreadable(purpose: String, raw: String) -> qingyu_llm::Error {
    let problems = vec!["the answer is a tool call written as words".to_owned()];
    qingyu_llm::Error::BadOutput { purpose, attempts: 1, raw, problems }
}

/// Carries out the calls of one answer: reads that follow each other side by side, a write when all before it are done.
pub(crate) async fn together<R: Rounds>(
    rounds: &R,
    engine: &Engine,
    caller: &Caller,
    round: usize,
    calls: Vec<(&str, Value)>,
) -> Result<Vec<ToolAnswer>, R::Error> {
    let mut answers = Vec::with_capacity(calls.len());
    let mut calls = calls.into_iter().enumerate().peekable();
    while let Some((number, (tool, arguments))) = calls.next() {
        if !reads(engine, caller, tool, &arguments) {
            answers.push(rounds.carry_out((round, number), tool, arguments).await?);
            continue;
        }
        let mut side_by_side = vec![rounds.carry_out((round, number), tool, arguments)];
        while let Some((number, (tool, arguments))) =
            calls.next_if(|(_, (tool, arguments))| reads(engine, caller, tool, arguments))
        {
            side_by_side.push(rounds.carry_out((round, number), tool, arguments));
        }
        for answer in join_all(side_by_side).await {
            answers.push(answer?);
        }
    }
    Ok(answers)
}

/// Whether a call changes nothing; one that cannot be made at all changes nothing either.
fn reads(engine: &Engine, caller: &Caller, tool: &str, arguments: &Value) -> bool {
    let demand = engine.examine(tool, arguments, caller);
    demand.map_or(true, |demand| demand.permission == Permission::Read)
}

/// Carries everything out at once and keeps nothing.
struct AtOnce<'a> {
    model: &'a dyn ChatModel,
    engine: &'a Engine,
    caller: &'a Caller,
}

impl Rounds for AtOnce<'_> {
    type Error = qingyu_llm::Error;

    async fn ask(&self, _: usize, request: &Request) -> Result<Reply, Self::Error> {
        drain(self.model.stream(request).await?).await
    }

    async fn carry_out(&self, _: (usize, usize), tool: &str, arguments: Value) -> Result<ToolAnswer, Self::Error> {
        Ok(self.engine.call(tool, arguments, self.caller).await.into())
    }
}

/// Arguments that are no JSON are handed over as they are, so that the engine says what is wrong.
pub(crate) fn read(arguments: &str) -> Value {
    let text = if arguments.trim().is_empty() { "{}" } else { arguments };
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(arguments.to_owned()))
}

/// An answer as the model sees it.
fn shown(answer: &ToolAnswer, limit: usize) -> String {
    let text = answer.outcome.to_string();
    let length = text.chars().count();
    let text = match length > limit {
        true => format!("{}… ({limit}/{length})", text.chars().take(limit).collect::<String>()),
        false => text,
    };
    match &answer.foreign {
        // Whoever closes the fence from inside would speak with the agent's own voice.
        Some(source) => {
            let inert = escaped(&text).replace("<material", "<\\material");
            format!("<material source={source:?}>\n{inert}\n</material>")
        }
        None => text,
    }
}

fn refused(limit: usize) -> String {
    json!({"ok": false, "error": {
        "code": "too_many_calls",
        "message": format!("only {limit} calls of one answer are carried out; ask again for this one"),
        "retryable": true,
    }})
    .to_string()
}

/// Says in the system message what a fence means.
fn warn(messages: &mut Vec<Message>, language: Language) {
    let rule = match language {
        Language::Zh => include_str!("tool_use/foreign.zh.md"),
        Language::En => include_str!("tool_use/foreign.en.md"),
    };
    match messages.first_mut().filter(|first| first.role == Role::System) {
        Some(system) => {
            system.text.push_str("\n\n");
            system.text.push_str(rule);
        }
        None => messages.insert(0, Message::system(rule)),
    }
}

#[cfg(test)]
mod tests;

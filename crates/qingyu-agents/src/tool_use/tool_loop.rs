//! The loop itself, over any executor of rounds and calls.

use futures::future::join_all;
use qingyu_llm::{
    ChatMessage, ChatRequest, FinishReason, MessageRole, Reply, ToolCall, Usage, WrittenCallsModel, written_calls,
};
use qingyu_story::Language;
use qingyu_tools::toolbox::ToolFilter;
use qingyu_tools::{Engine, Outcome, Permission, ToolCaller};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::prompts::escaped;

/// Limits of a tool loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Maximum number of model calls; the last call has no tools.
    pub(crate) rounds: usize,
    /// Maximum number of tool calls executed per answer; further calls are refused.
    pub(crate) calls_per_round: usize,
    /// Maximum characters of a tool's output shown to the model.
    pub(crate) answer: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { rounds: 8, calls_per_round: 8, answer: 24_000 }
    }
}

/// The result of a tool loop.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToolLoopAnswer {
    /// The model's final text.
    pub(crate) text: String,
    /// Every tool call, in order.
    pub(crate) calls: Vec<ToolCallEntry>,
    /// The whole conversation, with calls and results.
    pub(crate) messages: Vec<ChatMessage>,
    /// Tokens of all rounds.
    pub(crate) usage: Usage,
}

/// A tool call requested by the model.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ToolCallEntry {
    /// Name of the tool.
    pub(crate) tool: String,
    /// Arguments as written by the model.
    pub(crate) arguments: String,
    /// The result; `None` for a refused call.
    pub(crate) answer: Option<ToolAnswer>,
}

/// The stored result of a tool call.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct ToolAnswer {
    /// The outcome, as returned by [`Outcome::to_json`].
    pub(crate) outcome: Value,
    /// Source of the tool, if foreign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) foreign: Option<String>,
    /// Duration in milliseconds.
    pub(crate) duration_ms: u64,
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
    /// Returns whether the call succeeded.
    pub(crate) fn is_ok(&self) -> bool {
        self.outcome["ok"] == true
    }

    /// Returns the result; null for a failed call.
    pub(crate) fn result(&self) -> &Value {
        &self.outcome["result"]
    }

    /// Returns the error of a failed call.
    pub(crate) fn error(&self) -> Option<String> {
        if self.is_ok() {
            return None;
        }
        let message = self.outcome["error"]["message"].as_str();
        Some(message.map_or_else(|| self.outcome["error"].to_string(), str::to_owned))
    }
}

/// The executor of a tool loop's rounds and calls: directly, or as stored steps.
pub(crate) trait ToolLoop: Sync {
    /// Error that ends the loop early.
    type Error: From<qingyu_llm::Error> + Send;

    /// Calls the model for the next round.
    fn ask(&self, round: usize, request: &ChatRequest) -> impl Future<Output = Result<Reply, Self::Error>> + Send;

    /// Executes a tool call; `place` holds the round and the call's number in it.
    fn carry_out(
        &self,
        place: (usize, usize),
        tool: &str,
        arguments: Value,
    ) -> impl Future<Output = Result<ToolAnswer, Self::Error>> + Send;
}

/// Calls the model with the tools of `engine` allowed for `caller`, until it answers in text.
///
/// A call written as text is executed, if such a tool exists; otherwise the model is called again.
///
/// Returns the model's error, [`qingyu_llm::Error::Filtered`] if a content filter ended an answer,
/// [`qingyu_llm::Error::Empty`] if the last answer has no text, and [`qingyu_llm::Error::BadOutput`] if the last answer
/// is a call written as text.
pub(crate) async fn converse<R: ToolLoop>(
    rounds: &R,
    engine: &Engine,
    caller: &ToolCaller,
    mut request: ChatRequest,
    limits: Limits,
) -> Result<ToolLoopAnswer, R::Error> {
    let filter = ToolFilter { allowance: Some(caller.allowance), ..ToolFilter::default() };
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
        if reply.finish == FinishReason::Filtered {
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
                WrittenCallsModel::None => {}
                WrittenCallsModel::Calls(calls) => {
                    // The provider's raw blocks repeat the call as text; sending both would duplicate it.
                    (reply.tool_calls, reply.text, reply.raw) = (calls, String::new(), Value::Null);
                }
                WrittenCallsModel::Unreadable if is_last => return Err(unreadable(request.purpose, reply.text).into()),
                WrittenCallsModel::Unreadable => {
                    request.messages.push(ChatMessage::assistant(reply.text));
                    request.messages.push(ChatMessage::user(match caller.language {
                        Language::Zh => include_str!("written.zh.md").trim(),
                        Language::En => include_str!("written.en.md").trim(),
                    }));
                    continue;
                }
            }
        }
        request.messages.push(ChatMessage::answer(&reply));
        if reply.tool_calls.is_empty() || is_last {
            return match reply.text.trim().is_empty() {
                false => Ok(ToolLoopAnswer { text: reply.text, calls, messages: request.messages, usage }),
                true => Err(qingyu_llm::Error::empty(&reply, &request.purpose).into()),
            };
        }
        let asked = reply.tool_calls.iter().take(limits.calls_per_round);
        let asked = asked.map(|call| (call.name.as_str(), read(&call.arguments))).collect::<Vec<_>>();
        let mut answers = together(rounds, engine, caller, round, asked).await?.into_iter();
        for ToolCall { id, name: tool, arguments } in reply.tool_calls {
            let answer = answers.next();
            let text = match &answer {
                Some(answer) => shown(answer, limits.answer),
                None => refused(limits.calls_per_round),
            };
            request.messages.push(ChatMessage::tool(id, text));
            calls.push(ToolCallEntry { tool, arguments, answer });
        }
    }
}

/// Returns the error for an answer with a call written as text, where no call is allowed.
fn unreadable(purpose: String, raw: String) -> qingyu_llm::Error {
    let problems = vec!["the answer is a tool call written as words".to_owned()];
    qingyu_llm::Error::BadOutput { purpose, attempts: 1, raw, problems }
}

/// Executes the calls of one answer: consecutive reads concurrently, a write after all earlier calls.
pub(crate) async fn together<R: ToolLoop>(
    rounds: &R,
    engine: &Engine,
    caller: &ToolCaller,
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

/// Returns whether a call is read-only; an invalid call changes nothing either.
fn reads(engine: &Engine, caller: &ToolCaller, tool: &str, arguments: &Value) -> bool {
    let demand = engine.examine(tool, arguments, caller);
    demand.map_or(true, |demand| demand.permission == Permission::Read)
}

/// Parses the arguments. Invalid JSON is passed on as a string, so that the engine returns the error.
pub(crate) fn read(arguments: &str) -> Value {
    let text = if arguments.trim().is_empty() { "{}" } else { arguments };
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(arguments.to_owned()))
}

/// Returns a tool's output as shown to the model.
fn shown(answer: &ToolAnswer, limit: usize) -> String {
    let text = answer.outcome.to_string();
    let length = text.chars().count();
    let text = match length > limit {
        true => format!("{}… ({limit}/{length})", text.chars().take(limit).collect::<String>()),
        false => text,
    };
    match &answer.foreign {
        // Text able to close the fence from inside would be read as the agent's own.
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

/// Appends the explanation of the fence to the system message, or inserts a system message.
fn warn(messages: &mut Vec<ChatMessage>, language: Language) {
    let rule = match language {
        Language::Zh => include_str!("foreign.zh.md"),
        Language::En => include_str!("foreign.en.md"),
    };
    match messages.first_mut().filter(|first| first.role == MessageRole::System) {
        Some(system) => {
            system.text.push_str("\n\n");
            system.text.push_str(rule);
        }
        None => messages.insert(0, ChatMessage::system(rule)),
    }
}

#[cfg(test)]
mod tests;

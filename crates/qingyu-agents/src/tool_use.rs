//! An agent that acts with tools: it is asked, calls what it needs, reads the answers, and ends with words of its own.
//!
//! What a tool fails with is data for the model, never the end of the work. What a tool of another server says is material:
//! it stands in a fence it cannot close, and the rules say that nothing in there is an instruction.

use qingyu_llm::model::drain;
use qingyu_llm::{ChatModel, Finish, Message, Request, Role, ToolCall, Usage};
use qingyu_story::Language;
use qingyu_tools::toolbox::Filter;
use qingyu_tools::{Caller, Engine, Outcome};
use serde_json::Value;

use crate::prompts::escaped;

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
    pub outcome: Option<Outcome>,
}

/// Asks `model`, with the tools of `engine` that `caller` may use, until it answers in words.
///
/// Fails with the model's error, with [`qingyu_llm::Error::Filtered`] if a content filter ended an answer, and with
/// [`qingyu_llm::Error::Truncated`] if the last answer has no words.
pub async fn act(
    model: &dyn ChatModel,
    engine: &Engine,
    caller: &Caller,
    mut request: Request,
    limits: Limits,
) -> Result<Answered, qingyu_llm::Error> {
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
        let reply = drain(model.stream(&request).await?).await?;
        usage += reply.usage;
        if reply.finish == Finish::Filtered {
            return Err(qingyu_llm::Error::Filtered { model: reply.model, purpose: request.purpose });
        }
        request.messages.push(Message::answer(&reply));
        let is_last = request.tools.is_empty();
        if reply.tool_calls.is_empty() || is_last {
            return match reply.text.trim().is_empty() {
                false => Ok(Answered { text: reply.text, calls, messages: request.messages, usage }),
                true => Err(qingyu_llm::Error::Truncated { partial: String::new() }),
            };
        }
        for (number, call) in reply.tool_calls.into_iter().enumerate() {
            let outcome =
                if number < limits.calls_per_round { Some(carry_out(engine, caller, &call).await) } else { None };
            let text = match &outcome {
                Some(outcome) => shown(outcome, limits.answer),
                None => refused(limits.calls_per_round),
            };
            request.messages.push(Message::tool(call.id, text));
            calls.push(Called { tool: call.name, arguments: call.arguments, outcome });
        }
    }
}

/// Calls one tool; arguments that are no JSON are handed over as they are, so that the engine says what is wrong.
async fn carry_out(engine: &Engine, caller: &Caller, call: &ToolCall) -> Outcome {
    let text = if call.arguments.trim().is_empty() { "{}" } else { &call.arguments };
    let arguments = serde_json::from_str(text).unwrap_or_else(|_| Value::String(call.arguments.clone()));
    engine.call(&call.name, arguments, caller).await
}

/// An outcome as the model sees it.
fn shown(outcome: &Outcome, limit: usize) -> String {
    let text = outcome.to_json().to_string();
    let length = text.chars().count();
    let text = match length > limit {
        true => format!("{}… ({limit}/{length})", text.chars().take(limit).collect::<String>()),
        false => text,
    };
    match &outcome.foreign {
        // Whoever closes the fence from inside would speak with the agent's own voice.
        Some(source) => {
            let inert = escaped(&text).replace("<material", "<\\material");
            format!("<material source={source:?}>\n{inert}\n</material>")
        }
        None => text,
    }
}

fn refused(limit: usize) -> String {
    serde_json::json!({"ok": false, "error": {
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

//! Retry messages for a truncated or invalid answer.

use crate::{ChatMessage, ChatRequest, MessageRole, estimate};

/// Quoted length of an invalid answer, in characters.
const QUOTED: usize = 4_000;

/// Maximum quoted problems.
const PROBLEMS: usize = 10;

/// Quoted length of a problem, in characters.
const PROBLEM: usize = 300;

/// Returns `base` with the invalid answer and its problems appended.
pub(super) fn again(base: &ChatRequest, answer: &str, problems: &[String]) -> ChatRequest {
    let template = match is_chinese(base) {
        true => include_str!("prompts/again.zh.md"),
        false => include_str!("prompts/again.en.md"),
    };
    follow(base, &shorten(answer, QUOTED), &template.replace("{{problems}}", &list(problems)))
}

/// Returns `base` with the first part of its answer and a request for the rest appended.
///
/// The schema is removed: a provider's JSON mode would start a new object instead of continuing.
pub(super) fn go_on(base: &ChatRequest, partial: &str) -> ChatRequest {
    let template = match is_chinese(base) {
        true => include_str!("prompts/continue.zh.md"),
        false => include_str!("prompts/continue.en.md"),
    };
    ChatRequest { output: None, ..follow(base, partial, template) }
}

fn follow(base: &ChatRequest, answer: &str, demand: &str) -> ChatRequest {
    let mut request = base.clone();
    if !answer.trim().is_empty() {
        request.messages.push(ChatMessage::assistant(answer));
    }
    request.messages.push(ChatMessage::user(demand.trim_end()));
    request
}

fn list(problems: &[String]) -> String {
    let lines: Vec<String> =
        problems.iter().take(PROBLEMS).map(|problem| format!("- {}", shorten(problem, PROBLEM))).collect();
    lines.join("\n")
}

/// Returns whether the last user message is Chinese.
fn is_chinese(request: &ChatRequest) -> bool {
    let last = request.messages.iter().rev().find(|message| message.role == MessageRole::User);
    last.is_some_and(|message| estimate::is_chinese(&message.text))
}

/// Returns the start and the end of a text longer than `limit` characters.
fn shorten(text: &str, limit: usize) -> String {
    let length = text.chars().count();
    if length <= limit {
        return text.to_owned();
    }
    let head: String = text.chars().take(limit * 3 / 4).collect();
    let tail: String = text.chars().skip(length - limit / 4).collect();
    format!("{head} … {tail}")
}

//! What is said to a model whose answer was cut or wrong.

use crate::{Message, Request, Role, estimate};

/// How much of a wrong answer is quoted back, in characters.
const QUOTED: usize = 4_000;

/// How many problems are quoted.
const PROBLEMS: usize = 10;

/// How much of one problem is quoted, in characters.
const PROBLEM: usize = 300;

/// `base` again, followed by the wrong answer and what is wrong with it.
pub(super) fn again(base: &Request, answer: &str, problems: &[String]) -> Request {
    let template = match is_chinese(base) {
        true => include_str!("prompts/again.zh.md"),
        false => include_str!("prompts/again.en.md"),
    };
    follow(base, &shorten(answer, QUOTED), &template.replace("{{problems}}", &list(problems)))
}

/// `base` again, followed by the first part of its answer and the wish for the rest.
///
/// The schema is left out: a provider's JSON mode would begin a new object instead of going on.
pub(super) fn go_on(base: &Request, partial: &str) -> Request {
    let template = match is_chinese(base) {
        true => include_str!("prompts/continue.zh.md"),
        false => include_str!("prompts/continue.en.md"),
    };
    Request { output: None, ..follow(base, partial, template) }
}

fn follow(base: &Request, answer: &str, demand: &str) -> Request {
    let mut request = base.clone();
    if !answer.trim().is_empty() {
        request.messages.push(Message::assistant(answer));
    }
    request.messages.push(Message::user(demand.trim_end()));
    request
}

fn list(problems: &[String]) -> String {
    let lines: Vec<String> =
        problems.iter().take(PROBLEMS).map(|problem| format!("- {}", shorten(problem, PROBLEM))).collect();
    lines.join("\n")
}

/// The language of the last thing the user said.
fn is_chinese(request: &Request) -> bool {
    let last = request.messages.iter().rev().find(|message| message.role == Role::User);
    last.is_some_and(|message| estimate::is_chinese(&message.text))
}

/// Keeps the beginning and the end of a text that has more than `limit` characters.
fn shorten(text: &str, limit: usize) -> String {
    let length = text.chars().count();
    if length <= limit {
        return text.to_owned();
    }
    let head: String = text.chars().take(limit * 3 / 4).collect();
    let tail: String = text.chars().skip(length - limit / 4).collect();
    format!("{head} … {tail}")
}

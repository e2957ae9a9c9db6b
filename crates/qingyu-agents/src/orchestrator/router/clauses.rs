//! Splits a task into clauses.
//!
//! A clause ends at the end of a sentence, at a word of sequence (`然后`, `then`), and at a comma or `and` before an order
//! (`，并统计…`, `and count …`). After a colon in an order for prose everything is its content.

use super::choose::{RoutedAgents, choose, is_order, is_order_for_another};
use crate::service::agents::AgentRegistry;

/// Words between dependent clauses: the second waits for the first.
const THEN: [&str; 19] = [
    "然后",
    "接着再",
    "之后再",
    "接下来",
    "随后",
    "最后再",
    "最后",
    "并且再",
    "再去",
    "最终",
    "其次",
    "and then",
    "after that",
    "afterwards",
    "then",
    "and finally",
    "finally",
    "and lastly",
    "lastly",
];
/// Words between independent clauses.
const ALSO: [&str; 8] = ["同时", "另外", "此外", "顺便", "at the same time", "meanwhile", "also", "besides"];
/// Signs and words between clauses only where an order follows, and whether the second clause waits.
const BEFORE_ORDERS: [(&str, bool); 12] = [
    ("，", false),
    (",", false),
    ("、", false),
    ("并且", false),
    ("并", false),
    (" and ", false),
    ("，再", true),
    (",再", true),
    ("、再", true),
    ("，接着", true),
    ("，之后", true),
    ("，后", true),
];

/// A clause of a task.
#[derive(Debug, PartialEq)]
pub(super) struct TaskClause<'a> {
    pub(super) text: &'a str,
    /// Whether the clause waits for the preceding one.
    pub(super) is_then: bool,
}

/// Returns the clauses of `description`, in order, without separators.
pub(super) fn clauses<'a>(description: &'a str, agents: &AgentRegistry) -> Vec<TaskClause<'a>> {
    let mut clauses = Vec::new();
    let (mut begin, mut is_then) = (0, false);
    let mut at = 0;
    while at < description.len() {
        let rest = &description[at..];
        if rest.starts_with(['：', ':']) && is_prose(&description[begin..at], agents) {
            break;
        }
        let (length, next) = match joint(description, at, agents) {
            (0, _) if is_border(&description[begin..at], rest, agents) => {
                (rest.chars().next().map_or(1, char::len_utf8), false)
            }
            found => found,
        };
        if length == 0 {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        }
        push(&mut clauses, &description[begin..at], is_then);
        at += length;
        (begin, is_then) = (at, next);
    }
    push(&mut clauses, &description[begin..], is_then);
    clauses
}

/// Returns whether a comma at the start of `rest` separates orders for two agents. After an order for prose, what follows
/// describes the prose.
fn is_border(before: &str, rest: &str, agents: &AgentRegistry) -> bool {
    let Some(after) = rest.strip_prefix(['，', ',', '、']) else { return false };
    let after = after.split(['，', ',', '、', '。', '；', ';', '\n']).next().unwrap_or_default();
    match choose(before, agents) {
        RoutedAgents::One(name) if !is_prose(before, agents) => is_order_for_another(after, name, agents),
        _ => false,
    }
}

/// Returns whether `text` asks for prose.
fn is_prose(text: &str, agents: &AgentRegistry) -> bool {
    let changes = |name: &str| agents.find(name).is_some_and(|agent| agent.skills().changes);
    matches!(choose(text, agents), RoutedAgents::One(name) if changes(name))
}

fn push<'a>(clauses: &mut Vec<TaskClause<'a>>, text: &'a str, is_then: bool) {
    let text = text.trim_matches(|c: char| c.is_whitespace() || "，,。.；;、".contains(c));
    if !text.is_empty() {
        clauses.push(TaskClause { text, is_then });
    }
}

/// Returns the length of the separator at byte `at`, 0 without a separator, and whether the next clause waits.
fn joint(text: &str, at: usize, agents: &AgentRegistry) -> (usize, bool) {
    let rest = &text[at..];
    let ends_sentence = |c: char| matches!(c, '。' | '；' | ';' | '\n');
    if let Some(mark) = rest.chars().next().filter(|c| ends_sentence(*c)) {
        return (mark.len_utf8(), false);
    }
    if rest.starts_with(". ") {
        return (2, false);
    }
    let is_word = |word: &str| {
        let begins = rest.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word));
        let apart = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_alphanumeric());
        let stands_alone = || apart(text[..at].chars().next_back()) && apart(rest[word.len()..].chars().next());
        begins && (!word.starts_with(|c: char| c.is_ascii_alphabetic()) || stands_alone())
    };
    let longest = |words: &[&str]| words.iter().filter(|word| is_word(word)).map(|word| word.len()).max();
    if let Some(length) = longest(&THEN) {
        return (length, true);
    }
    if let Some(length) = longest(&ALSO) {
        return (length, false);
    }
    let soft = BEFORE_ORDERS.iter().filter(|(word, _)| rest.starts_with(word)).max_by_key(|(word, _)| word.len());
    match soft {
        Some((word, waits)) if at > 0 && is_order(&rest[word.len()..], agents) => (word.len(), *waits),
        _ => (0, false),
    }
}

//! A task taken apart by words alone: for the time when no model can, and for the offline model.
//!
//! Clauses end where an order is given for the next thing (`然后`, `then`, a semicolon). The words that an agent names as
//! its own decide who does a clause; a clause that calls for nobody belongs to the one before it.

use std::cmp::Reverse;

use qingyu_story::Language;
use qingyu_story::chapters::mention;

use super::subtask::Subtask;
use crate::service::creative::REWRITES;
use crate::service::{Agent, Agents};

/// Words after which the next thing is to be done, when this one is done.
const THEN: [&str; 15] = [
    "然后",
    "接着再",
    "之后再",
    "接下来",
    "随后",
    "最后再",
    "最后",
    "并且再",
    "再去",
    "and then",
    "after that",
    "afterwards",
    "then",
    "finally",
    "最终",
];
/// Words after which the next thing is to be done, whatever becomes of this one.
const ALSO: [&str; 8] = ["同时", "另外", "此外", "顺便", "at the same time", "meanwhile", "also", "besides"];
/// Words that ask for a text to be kept; so do those that ask for a change.
const SAVES: [&str; 4] = ["保存", "写入", "写进", "save"];
/// Who does what nobody is called for.
const ANYTHING: &str = "assistant";

/// The agent whose words `text` has most of, by their length; `assistant` if it has none.
pub fn route(text: &str, agents: &Agents) -> String {
    chosen(text, agents).unwrap_or(ANYTHING).to_owned()
}

/// The parts of `description`, at most `max`; what is beyond belongs to the last.
pub fn split(description: &str, agents: &Agents, max: usize) -> Vec<Subtask> {
    let mut parts: Vec<Subtask> = Vec::new();
    for clause in clauses(description) {
        let agent = chosen(clause.text, agents);
        let is_full = parts.len() >= max.max(1);
        match (agent, parts.last_mut()) {
            (None, Some(last)) => append(last, clause.text),
            (Some(agent), Some(last)) if is_full || (last.agent == agent && !clause.is_then) => {
                append(last, clause.text);
            }
            (agent, _) => parts.push(Subtask {
                name: format!("t{}", parts.len() + 1),
                agent: agent.unwrap_or(ANYTHING).to_owned(),
                description: clause.text.to_owned(),
                depends_on: match parts.last() {
                    Some(last) if clause.is_then => vec![last.name.clone()],
                    _ => Vec::new(),
                },
                ..Subtask::default()
            }),
        }
    }
    let mut chapter = None;
    for part in &mut parts {
        let skills = agents.find(&part.agent).map(|agent| agent.skills());
        part.chapter = chapter_in(&part.description);
        let lower = part.description.to_lowercase();
        part.change = skills.is_some_and(|skills| skills.changes)
            && REWRITES.iter().chain(&SAVES).any(|word| lower.contains(word));
        match &part.chapter {
            Some(_) => chapter.clone_from(&part.chapter),
            // Who reads or writes a text goes on with the one that was spoken of.
            None if matches!(part.agent.as_str(), "creative" | "analysis" | "text_review") => {
                part.chapter.clone_from(&chapter);
            }
            None => {}
        }
    }
    parts
}

fn append(part: &mut Subtask, text: &str) {
    let joint = if Language::of(text) == Language::Zh { "，" } else { ", " };
    part.description.push_str(joint);
    part.description.push_str(text);
}

fn chosen<'a>(text: &str, agents: &'a Agents) -> Option<&'a str> {
    let text = text.to_lowercase();
    let weight = |agent: &dyn Agent| -> usize {
        let words = agent.skills().words.iter().filter(|word| text.contains(**word));
        words.map(|word| if word.is_ascii() { word.len() } else { word.chars().count() * 2 }).sum()
    };
    // Of equals the first by name.
    let best = agents.iter().map(|agent| (weight(agent.as_ref()), agent.name()));
    best.max_by_key(|(weight, name)| (*weight, Reverse(*name))).filter(|(weight, _)| *weight > 0).map(|(_, name)| name)
}

/// A piece of a task.
#[derive(Debug, PartialEq)]
struct Clause<'a> {
    text: &'a str,
    /// Whether it is to be done after what stands before it.
    is_then: bool,
}

fn clauses(description: &str) -> Vec<Clause<'_>> {
    let mut clauses = Vec::new();
    let (mut begin, mut is_then) = (0, false);
    let mut at = 0;
    while at < description.len() {
        let rest = &description[at..];
        let (length, next) = joint(description, at);
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

fn push<'a>(clauses: &mut Vec<Clause<'a>>, text: &'a str, is_then: bool) {
    let text = text.trim_matches(|c: char| c.is_whitespace() || "，,。.；;、".contains(c));
    if !text.is_empty() {
        clauses.push(Clause { text, is_then });
    }
}

/// How long the joint is that begins at that byte, 0 if none does, and whether what follows comes after.
fn joint(text: &str, at: usize) -> (usize, bool) {
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
        begins && (!word.is_ascii() || stands_alone())
    };
    let longest = |words: &[&str]| words.iter().filter(|word| is_word(word)).map(|word| word.len()).max();
    match (longest(&THEN), longest(&ALSO)) {
        (Some(length), _) => (length, true),
        (None, Some(length)) => (length, false),
        (None, None) => (0, false),
    }
}

/// The chapter that a text names by its number: `第三章`, `第3章`, `chapter 3`.
pub fn chapter_in(text: &str) -> Option<String> {
    mention(text).map(|range| text[range].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `creative 第三章! ← t1 / checker`, a part each.
    fn parts(description: &str) -> String {
        let part = |part: Subtask| {
            let change = if part.change { "!" } else { "" };
            let chapter = part.chapter.map(|chapter| format!(" {chapter}")).unwrap_or_default();
            let waits = part.depends_on.iter().map(|name| format!(" < {name}")).collect::<String>();
            format!("{}{chapter}{change}{waits}", part.agent)
        };
        split(description, &Agents::builtin(), 8).into_iter().map(part).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn a_task_is_taken_apart_where_the_next_thing_begins() {
        for (description, expected) in [
            ("把第三章的对话改得更有张力，然后检查时间线", "creative 第三章!; checker < t1"),
            ("续写第12章", "creative 第12章"),
            ("林深是谁？", "assistant"),
            ("分析第二章的节奏，再去续写", "analysis 第二章; creative 第二章 < t1"),
            ("统计全书字数；检查人物关系有没有矛盾", "data_analysis; checker"),
            ("统计字数，同时分析第一章文风，最后检查一致性", "data_analysis; analysis 第一章; checker < t2"),
            ("Rewrite chapter 3 with more tension, then check the timeline", "creative chapter 3!; checker < t1"),
            ("continue chapter 2, and then analyse its pace", "creative chapter 2; analysis chapter 2 < t1"),
            ("How many words are there?", "data_analysis"),
            ("写一段苏曼和林深的对话，要短，不要形容词", "creative"),
            ("", ""),
            ("。；，", ""),
            ("ok", "assistant"),
        ] {
            assert_eq!(parts(description), expected, "{description}");
        }
    }

    #[test]
    fn what_is_more_than_allowed_belongs_to_the_last() {
        let long = "检查时间线；统计字数；".repeat(20);
        let parts = split(&long, &Agents::builtin(), 3);
        assert_eq!(parts.len(), 3);
        assert!(parts[2].description.contains("统计字数"));
    }

    #[test]
    fn chapters_are_named_in_two_ways() {
        for (text, chapter) in [
            ("把第十二章改短", Some("第十二章")),
            ("第 3 章", Some("第 3 章")),
            ("看看Chapter 7吧", Some("Chapter 7")),
            ("第一次见面", None),
            ("第", None),
        ] {
            assert_eq!(chapter_in(text).as_deref(), chapter, "{text}");
        }
    }
}

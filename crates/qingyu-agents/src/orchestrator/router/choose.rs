//! Selects the agent of a clause by its words.

use crate::service::agent::{AgentSkills, ServiceAgent};
use crate::service::agents::AgentRegistry;

/// The default agent for questions.
const QUESTIONS: &str = "assistant";
/// The agent that searches the book for contradictions.
const CHECKER: &str = "checker";
/// Words before the verb of a clause.
const FILLERS: [&str; 22] = [
    "请",
    "帮我",
    "帮忙",
    "麻烦",
    "你",
    "给我",
    "先",
    "首先",
    "再",
    "也",
    "去",
    "能不能",
    "可以",
    "告诉我",
    "please ",
    "can you ",
    "could you ",
    "first ",
    "first, ",
    "now ",
    "tell me ",
    "let's ",
];
/// Words of questions about what, not about how good.
const ASKING: [&str; 11] = ["谁", "什么", "怎么", "哪", "多久", "who ", "what ", "why ", "where ", "when ", "how "];
/// Verbs after an object that ask for a change of a text.
const CHANGES: [&str; 7] = ["改", "写", "换", "删", "润色", "压缩", "翻译"];

/// The agents named by the words of a clause.
#[derive(Debug, PartialEq)]
pub(super) enum RoutedAgents<'a> {
    /// None.
    None,
    /// One.
    One(&'a str),
    /// Several, equally well; sorted by name.
    Several(Vec<&'a str>),
}

/// Returns the agents of `text`: by the verb it begins with, else by its subjects and, where they are equal, its verbs.
///
/// Equal weights stay undecided: the order of names says nothing about a task.
pub(super) fn choose<'a>(text: &str, agents: &'a AgentRegistry) -> RoutedAgents<'a> {
    let text = text.to_lowercase();
    let led: Vec<&str> =
        agents.iter().filter(|agent| is_led(&text, &agent.skills())).map(|agent| agent.name()).collect();
    if let [agent] = led.as_slice() {
        return RoutedAgents::One(agent);
    }
    let weigh = |agent: &dyn ServiceAgent| {
        let skills = agent.skills();
        (weight(&text, skills.words), weight(&text, skills.verbs), agent.name())
    };
    let weights: Vec<_> = agents.iter().map(|agent| weigh(agent.as_ref())).collect();
    let best = weights.iter().map(|(words, verbs, _)| (*words, *verbs)).max().unwrap_or_default();
    if best == (0, 0) {
        return RoutedAgents::None;
    }
    let mut named: Vec<&str> =
        weights.iter().filter(|(words, verbs, _)| (*words, *verbs) == best).map(|(.., name)| *name).collect();
    // "What is their conflict?" may ask about the story as well as about its mistakes.
    if named == [CHECKER] && best.1 == 0 && ASKING.iter().any(|word| find(&text, word).is_some()) {
        named.extend(agents.find(QUESTIONS).map(|agent| agent.name()));
        named.sort_unstable();
    }
    match named.as_slice() {
        [agent] => RoutedAgents::One(agent),
        _ => RoutedAgents::Several(named),
    }
}

/// Returns whether a clause begins at the start of `text`: with a verb of an agent, as an order.
pub(super) fn is_order(text: &str, agents: &AgentRegistry) -> bool {
    let text = text.to_lowercase();
    let text = without_fillers(&text);
    let is_verb = |word: &&str| {
        let is_past = |rest: &str| rest.starts_with(['了', '着', '过']);
        word.chars().count() > 1 && text.strip_prefix(word.trim_end()).is_some_and(|rest| !is_past(rest))
    };
    let is_question = |agent: &dyn ServiceAgent| agent.name() == QUESTIONS;
    agents.iter().filter(|agent| !is_question(agent.as_ref())).any(|agent| {
        let AgentSkills { verbs, leads, .. } = agent.skills();
        verbs.iter().chain(leads).any(&is_verb)
    })
}

/// Returns whether `text` is an order for another agent than `before`, whatever its first word: `合规检查`.
pub(super) fn is_order_for_another(text: &str, before: &str, agents: &AgentRegistry) -> bool {
    let RoutedAgents::One(name) = choose(text, agents) else { return false };
    let text = text.to_lowercase();
    let is_there = |agent: &dyn ServiceAgent| {
        let AgentSkills { verbs, leads, .. } = agent.skills();
        agent.name() != QUESTIONS && verbs.iter().chain(leads).any(|word| find(&text, word).is_some())
    };
    name != before && name != QUESTIONS && agents.iter().any(|agent| is_there(agent.as_ref()))
}

/// Returns whether `text` begins with a verb that decides for the agent.
fn is_led(text: &str, skills: &AgentSkills) -> bool {
    let text = without_fillers(text);
    let begins = |word: &&str| {
        let rest = text.strip_prefix(*word);
        rest.is_some_and(|rest| !word.is_ascii() || !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
    };
    // `把这段改短`, `给主角设计一段独白`: the verb follows its object.
    let has_verb = || CHANGES.iter().chain(skills.leads).any(|verb| !verb.is_ascii() && text.contains(verb));
    let is_change = || skills.changes && text.starts_with(['把', '给', '为', '替']) && has_verb();
    skills.leads.iter().any(begins) || is_change()
}

fn without_fillers(text: &str) -> &str {
    let mut text = text.trim_start();
    while let Some(rest) = FILLERS.iter().find_map(|filler| text.strip_prefix(filler)) {
        text = rest.trim_start_matches([' ', '，', ',', '：']);
    }
    text
}

/// Returns the length of all `words` in `text`: a Chinese character counts as two letters.
fn weight(text: &str, words: &[&str]) -> usize {
    let found = words.iter().filter(|word| find(text, word).is_some());
    found.map(|word| if word.is_ascii() { word.len() } else { word.chars().count() * 2 }).sum()
}

/// Returns the byte position of `word` in `text`; an English word at the beginning of a word only.
fn find(text: &str, word: &str) -> Option<usize> {
    let begins = |at: &usize| !text[..*at].ends_with(|c: char| c.is_ascii_alphanumeric());
    let mut places = text.match_indices(word).map(|(at, _)| at);
    match word.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => places.find(begins),
        false => places.next(),
    }
}

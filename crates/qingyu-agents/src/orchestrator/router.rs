//! Splits a task by keywords: the fallback without a model, and the offline model's splitter.
//!
//! `clauses` finds the clauses; each goes to the agent that its words name (`choose`), and a clause without a match
//! belongs to the preceding clause. Where the words name several agents, or none, the part lists them as
//! [candidates](Subtask::candidates) and the user is asked.

use std::collections::BTreeMap;

use qingyu_story::Language;
use qingyu_story::chapters::mention;

mod choose;
mod clauses;

use self::choose::{RoutedAgents, choose};
use self::clauses::clauses;
use super::subtask::Subtask;
use crate::service::agents::AgentRegistry;
use crate::service::creative::REWRITES;

/// Words that ask to save a text; so do words that ask for a change.
const SAVES: [&str; 4] = ["保存", "写入", "写进", "save"];

/// Splits `description` into at most `max` parts; the rest is appended to the last part.
pub fn split(description: &str, agents: &AgentRegistry, max: usize) -> Vec<Subtask> {
    let mut parts: Vec<Subtask> = Vec::new();
    for clause in clauses(description, agents) {
        let choice = choose(clause.text, agents);
        // Words without an order belong to the order behind them.
        if let (RoutedAgents::One(agent), Some(last), false) = (&choice, parts.last_mut(), clause.is_then)
            && last.candidates.len() == agents.names().len()
        {
            last.agent = (*agent).to_owned();
            last.candidates.clear();
            append(last, clause.text);
            continue;
        }
        let is_full = parts.len() >= max.max(1);
        let continues = parts.last().is_some_and(|last| match &choice {
            RoutedAgents::None => true,
            RoutedAgents::One(agent) => {
                is_full || (last.agent == *agent && last.candidates.is_empty() && !clause.is_then)
            }
            RoutedAgents::Several(names) => is_full || (names.contains(&last.agent.as_str()) && !clause.is_then),
        });
        match parts.last_mut().filter(|_| continues) {
            Some(last) => append(last, clause.text),
            None => {
                let candidates: Vec<String> = match choice {
                    RoutedAgents::One(_) => Vec::new(),
                    RoutedAgents::Several(ref names) => names.iter().map(|name| (*name).to_owned()).collect(),
                    RoutedAgents::None => agents.names(),
                };
                let first = candidates.first().cloned().unwrap_or_default();
                let agent = if let RoutedAgents::One(agent) = choice { agent.to_owned() } else { first };
                let depends_on = match parts.last() {
                    Some(last) if clause.is_then => vec![last.name.clone()],
                    _ => Vec::new(),
                };
                let name = format!("t{}", parts.len() + 1);
                let description = clause.text.to_owned();
                parts.push(Subtask { name, agent, candidates, description, depends_on, ..Subtask::default() });
            }
        }
    }
    complete(&mut parts, agents);
    parts
}

/// Returns a part for each agent of `sequence`, each with the whole `description` and the results of the preceding one.
pub fn sequence(description: &str, agents: &AgentRegistry, sequence: &[String]) -> Vec<Subtask> {
    let part = |(index, agent): (usize, &String)| Subtask {
        name: format!("t{}", index + 1),
        agent: agent.clone(),
        description: description.to_owned(),
        depends_on: if index == 0 { Vec::new() } else { vec![format!("t{index}")] },
        ..Subtask::default()
    };
    let mut parts = sequence.iter().enumerate().map(part).collect::<Vec<_>>();
    complete(&mut parts, agents);
    parts
}

/// Returns `parts` with the agents `chosen` for undecided parts, by the name of the part.
pub fn assign(parts: &[Subtask], chosen: &BTreeMap<String, String>, agents: &AgentRegistry) -> Vec<Subtask> {
    let assigned = |part: &Subtask| match chosen.get(&part.name).filter(|_| !part.candidates.is_empty()) {
        Some(agent) => Subtask { agent: agent.clone(), candidates: Vec::new(), ..part.clone() },
        None => part.clone(),
    };
    let mut completed = parts.iter().map(assigned).collect::<Vec<_>>();
    complete(&mut completed, agents);
    // The other parts stay as they are: a model may have stated their chapters.
    let merged = |(part, completed): (&Subtask, Subtask)| {
        let is_assigned = !part.candidates.is_empty() && completed.candidates.is_empty();
        let chapter = part.chapter.clone().or(completed.chapter.clone());
        if is_assigned { Subtask { chapter, ..completed } } else { part.clone() }
    };
    parts.iter().zip(completed).map(merged).collect()
}

/// Fills in the chapter of each part, and whether it changes the text.
fn complete(parts: &mut [Subtask], agents: &AgentRegistry) {
    let mut chapter = None;
    for part in parts {
        let skills = agents.find(&part.agent).map(|agent| agent.skills());
        part.chapter = chapter_in(&part.description);
        let lower = part.description.to_lowercase();
        part.change = skills.is_some_and(|skills| skills.changes)
            && REWRITES.iter().chain(&SAVES).any(|word| lower.contains(word));
        match &part.chapter {
            Some(_) => chapter.clone_from(&part.chapter),
            // An agent that reads or writes a text continues with the text mentioned before.
            None if matches!(part.agent.as_str(), "creative" | "analysis" | "text_review") => {
                part.chapter.clone_from(&chapter);
            }
            None => {}
        }
    }
}

fn append(part: &mut Subtask, text: &str) {
    let joint = if Language::of(text) == Language::Zh { "，" } else { ", " };
    part.description.push_str(joint);
    part.description.push_str(text);
}

/// Returns the chapter named by number in a text: `第三章`, `第3章`, `chapter 3`.
pub(crate) fn chapter_in(text: &str) -> Option<String> {
    mention(text).map(|range| text[range].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns `creative 第三章! ← t1 / checker`, an entry per part.
    fn parts(description: &str) -> String {
        let part = |part: Subtask| {
            let change = if part.change { "!" } else { "" };
            let chapter = part.chapter.map(|chapter| format!(" {chapter}")).unwrap_or_default();
            let agent =
                if part.candidates.is_empty() { part.agent } else { format!("ask({})", part.candidates.join(", ")) };
            let waits = part.depends_on.iter().map(|name| format!(" < {name}")).collect::<String>();
            format!("{agent}{chapter}{change}{waits}")
        };
        split(description, &AgentRegistry::builtin(), 8).into_iter().map(part).collect::<Vec<_>>().join("; ")
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
            ("ok", "ask(analysis, assistant, checker, creative, data_analysis, text_review)"),
            ("先分析第一章的节奏，再检查时间线，最后统计字数", "analysis 第一章; checker < t1; data_analysis < t2"),
            ("检查时间线，并统计字数", "checker; data_analysis"),
            (
                "First analyse the pace, then check the timeline, and finally count the words",
                "analysis; checker < t1; data_analysis < t2",
            ),
            ("写一段：林深检查了门锁，然后分析脚印", "creative"),
            ("写一段打斗，林深检查了门锁，分析了脚印", "creative"),
            ("check chapter 3 for originality and count the words", "text_review chapter 3; data_analysis"),
        ] {
            assert_eq!(parts(description), expected, "{description}");
        }
    }

    /// Sentences of both languages, each with its agents or `ask`.
    const SENTENCES: &str = include_str!("router/sentences.tsv");

    #[test]
    fn labelled_sentences_go_to_their_agents() {
        let agents = AgentRegistry::builtin();
        let rows = SENTENCES.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        let rows = rows.filter_map(|line| line.split_once('\t')).collect::<Vec<_>>();
        assert!(rows.len() >= 60, "{} sentences", rows.len());
        let agent = |part: Subtask| if part.candidates.is_empty() { part.agent } else { "ask".into() };
        let got = |sentence: &str| split(sentence, &agents, 8).into_iter().map(agent).collect::<Vec<_>>().join(" > ");
        let wrong = rows.iter().filter(|(expected, sentence)| got(sentence) != *expected);
        let wrong = wrong.map(|(expected, sentence)| format!("{sentence}: {expected}, got {}", got(sentence)));
        assert_eq!(wrong.collect::<Vec<_>>(), [""; 0]);
    }

    #[test]
    fn a_chosen_agent_gets_its_part_with_the_chapter_before_it() {
        let agents = AgentRegistry::builtin();
        let parts = split("检查第二章的时间线；文风、合规", &agents, 8);
        assert!(parts[0].candidates.is_empty() && !parts[1].candidates.is_empty(), "{parts:?}");
        let chosen = [("t2", "text_review"), ("t1", "assistant")];
        let chosen = chosen.map(|(part, agent)| (part.to_owned(), agent.to_owned())).into();
        let assigned = assign(&parts, &chosen, &agents);
        assert_eq!(assigned[0], parts[0], "it was decided before");
        assert_eq!((assigned[1].agent.as_str(), assigned[1].candidates.len()), ("text_review", 0));
        assert_eq!(assigned[1].chapter.as_deref(), Some("第二章"));
        assert_eq!(assign(&parts, &BTreeMap::new(), &agents), parts, "nobody was chosen");
    }

    #[test]
    fn a_given_sequence_is_kept_and_each_waits_for_the_one_before() {
        let order = ["analysis".to_owned(), "creative".to_owned()];
        let parts = sequence("把第三章改得更紧", &AgentRegistry::builtin(), &order);
        let told = parts.iter().map(|part| (part.agent.as_str(), part.change, part.chapter.as_deref()));
        assert_eq!(told.collect::<Vec<_>>(), [("analysis", false, Some("第三章")), ("creative", true, Some("第三章"))]);
        assert_eq!(parts[1].depends_on, ["t1"]);
    }

    #[test]
    fn what_is_more_than_allowed_belongs_to_the_last() {
        let long = "检查时间线；统计字数；".repeat(20);
        let parts = split(&long, &AgentRegistry::builtin(), 3);
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

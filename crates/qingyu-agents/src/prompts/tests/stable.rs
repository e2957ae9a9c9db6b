//! What is the same in successive calls stands before what is not, so that a provider's cache finds a long beginning.

use super::*;
use crate::prompts::files::BUILTIN;

/// What the prompts of successive calls in one project have in common, whoever asks.
const OF_THE_PROJECT: [&str; 5] = ["requirement", "stable", "card.stable", "predicates", "relations"];

/// Prompts in which something of the project comes late all the same: a list of a few dozen words, not worth making every
/// recorded book unplayable.
const LATE: [&str; 2] = ["settle/extract.zh.md", "settle/extract.en.md"];

/// The names between braces, in order, with the files that are included put in.
fn variables(file: &str) -> Vec<String> {
    let text = BUILTIN.iter().find(|(name, _)| *name == file).map(|(_, text)| *text).unwrap();
    let mut found = Vec::new();
    for part in text.split("{%").flat_map(|part| part.split("{{").skip(usize::from(!part.starts_with("{{")))) {
        let inside = part.split("}}").next().unwrap_or_default();
        let name: String =
            inside.trim_start().chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '.')).collect();
        if !name.is_empty() && part.contains("}}") {
            found.push(name);
        }
    }
    let included = text.split("{% include \"").skip(1).filter_map(|rest| rest.split('"').next());
    let first: Vec<String> = included.flat_map(variables).collect();
    first.into_iter().chain(found).collect()
}

#[test]
fn what_belongs_to_the_project_comes_first() {
    for (file, _) in BUILTIN.iter().filter(|(file, _)| !LATE.contains(file)) {
        let names = variables(file);
        let is_stable = |name: &String| OF_THE_PROJECT.contains(&name.as_str());
        let last_stable = names.iter().rposition(is_stable);
        let first_other = names.iter().position(|name| !is_stable(name));
        if let (Some(stable), Some(other)) = (last_stable, first_other) {
            assert!(stable < other, "{file}: {} stands before {}", names[other], names[stable]);
        }
    }
}

#[test]
fn what_an_agent_is_never_changes() {
    for (file, text) in BUILTIN.iter().filter(|(file, _)| file.contains("/system.")) {
        assert!(!text.contains("{{"), "{file} is filled with something");
    }
}

/// How much of the longer of two texts both begin with.
fn share(one: &str, other: &str) -> f64 {
    let common = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    common as f64 / one.len().max(other.len()) as f64
}

#[test]
fn successive_calls_of_an_agent_begin_alike() {
    let prompts = Prompts::builtin();
    for language in [Language::Zh, Language::En] {
        let sent = |agent: Agent, work: &WorkContext| {
            let system = prompts.render(PromptName::system(agent), language, &()).unwrap();
            system
                + &prompts.render(PromptName::work(agent, work.mode), language, &WorkPrompt::new(agent, work)).unwrap()
        };
        for agent in Agent::ALL {
            let first = work(WorkMode::Generate, language);
            let task = WorkContext { task: "另一件事".into(), ..first.clone() };
            let correcting =
                WorkContext { correction: Some("# 改掉一处".into()), ..work(WorkMode::Correct, language) };
            let again = WorkContext { correction: Some("# 改掉另一处".into()), ..correcting.clone() };
            // What a changed task, the step from making to mending, and the next round leave in common.
            for (what, one, other, least) in [
                ("another task", &first, &task, 0.85),
                ("a correction", &first, &correcting, 0.75),
                ("another correction", &correcting, &again, 0.85),
            ] {
                let share = share(&sent(agent, one), &sent(agent, other));
                assert!(share >= least, "{agent:?} {language:?} {what}: {:.0} %", share * 100.0);
            }
        }
    }
}
